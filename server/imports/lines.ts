import { sql } from 'kysely';
import { draftBody } from '../../contract/documents.ts';
import { Refusal } from '../../contract/errors.ts';
import { type ImportedLines, importedLines } from '../../contract/importable.ts';
import { dayInWords } from '../../domain/base/dates.ts';
import { groupBy } from '../../domain/base/group.ts';
import { say } from '../../domain/base/say.ts';
import type { Problem } from '../../domain/document/document.ts';
import { identityOf, type KnownParty, type Line, lineOf, targetOf } from '../../domain/imports/lines.ts';
import { mappedColumns, type RowProblem, readRecord } from '../../domain/imports/record.ts';
import type { Context } from '../context.ts';
import { cancelWithin, postWithin, snapshotNow } from '../documents/index.ts';
import { mustRead } from '../kit/input.ts';
import { Problems } from '../kit/problems.ts';
import type { Trx } from '../masters/index.ts';
import { type Fields, ofWhole, problemAt, resolver } from './columns.ts';
import { type Opened, openedBefore, usualDay } from './opened.ts';
import { sayingOf } from './records.ts';
import type { ImportRow, KeptRow } from './rows.ts';
import type { GivenRow, Mapping, RowResult, Writer } from './writer.ts';

/** A line of a document with the row of the file that it is from. */
interface PlacedLine {
  readonly row: number;
  readonly date: string;
  readonly location: string;
  readonly line: Line;
}
interface Subject {
  readonly name: ImportedLines;
  readonly kind: string;
  readonly fields: Fields;
}
type Snapshot = Awaited<ReturnType<typeof snapshotNow>>;

const refused = (row: number, problems: readonly RowProblem[]): RowResult => ({ row, outcome: 'refused', problems });

/** Rows become lines of documents: one for each place and day, posted by the code that posts a document from the editor. */
async function writeLines(
  trx: Trx,
  context: Context,
  mapping: Mapping,
  given: readonly GivenRow[],
): Promise<readonly RowResult[]> {
  const name = mapping.master as ImportedLines;
  const subject: Subject = { name, ...importedLines[name] };
  const snapshot = await snapshotNow(trx, context.organisation);
  const { placed, results } = await placedLines(trx, context, subject, mapping, given, snapshot);
  const opened = await openedBefore(trx, context, subject, mapping.id, placed);
  const fresh = leaveOut(subject, placed, opened, results);
  for (const group of groupBy(fresh, ({ date, location }) => `${date} ${location}`).values())
    results.push(...(await postGroup(trx, context, subject, mapping, group, snapshot)));
  return results;
}

/** The rows that can be read as lines, with the day and the place of their documents; the others are refused. */
async function placedLines(
  trx: Trx,
  context: Context,
  { name, kind, fields }: Subject,
  { columns: targets }: Mapping,
  given: readonly GivenRow[],
  snapshot: Snapshot,
): Promise<{ readonly placed: PlacedLine[]; readonly results: RowResult[] }> {
  const columns = mappedColumns(fields, targets);
  const resolve = await resolver(trx, context, fields, columns, given);
  const read = given.map(({ row, cells }) => ({ row, ...readRecord(columns, cells, resolve) }));
  const parties = await partiesIn(
    trx,
    context,
    read.flatMap(({ values }) => (typeof values['party'] === 'string' ? [values['party']] : [])),
  );
  const day = await usualDay(trx, context, kind);
  const here = [...snapshot.places.values()].filter(
    ({ id, active }) => active && (context.locations.length === 0 || context.locations.includes(id)),
  );
  const placed: PlacedLine[] = [];
  const results: RowResult[] = [];
  for (const { row, values, problems } of read) {
    const missing = Object.entries(fields)
      .filter(([key, { required }]) => required && values[key] === undefined)
      .map(([key, { label }]) => ({ key, said: say('{{label}} is required', { label }) }));
    const location = values['location'] ?? (here.length === 1 ? here[0]?.id : undefined);
    if (location === undefined && !problems.some(({ target }) => target === 'location'))
      missing.push({ key: 'location', said: say('Enter the location: there are several') });
    const made = lineOf[name](values, { parties, ledgers: snapshot.ledgers });
    const wrong = [
      ...problems,
      ...missing
        .filter(({ key }) => !problems.some(({ target }) => target === key))
        .map(({ key, said }) => problemAt(fields, key, targets, { field: key, ...said })),
    ];
    if (wrong.length > 0) results.push(refused(row, wrong));
    else if ('problem' in made) results.push(refused(row, [made.problem]));
    else placed.push({ row, date: String(values['date'] ?? day), location: String(location), line: made.line });
  }
  return { placed, results };
}

async function partiesIn(
  trx: Trx,
  { organisation }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownParty>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<KnownParty & { id: string }>`
    select id, side, category, coalesce((body ->> 'microSmall')::boolean, false) as "microSmall"
    from parties
    where organisation = ${organisation} and id = any(${[...new Set(ids)]}::uuid[])
  `.execute(trx);
  return new Map(rows.map(({ id, ...party }) => [id, party]));
}

/** Lines that have no opening yet. Those that a document or an earlier row has already are listed with where it is. */
function leaveOut(
  { name }: Subject,
  placed: readonly PlacedLine[],
  opened: ReadonlyMap<string, Opened>,
  results: RowResult[],
): PlacedLine[] {
  const rows = new Map<string, number>();
  return placed.filter(({ row, location, line }) => {
    const { key, once } = identityOf[name](line);
    const own = `${location} ${key}`;
    const before = opened.get(own);
    const earlier = once ? rows.get(own) : undefined;
    if (!rows.has(own)) rows.set(own, row);
    if (before) {
      const values = { number: before.number, date: dayInWords(before.date) };
      results.push({
        ...{ row, outcome: 'kept', record: before.id },
        problems: [ofWhole(say('Its opening is in {{number}} of {{date}} already', values))],
      });
    } else if (earlier !== undefined)
      results.push(refused(row, [ofWhole(say('It is in row {{row}} already', { row: earlier }))]));
    return before === undefined && earlier === undefined;
  });
}

/** Posts the lines of a place and day as one document. Those that it is refused for are left out, with the reason at their cells. */
async function postGroup(
  trx: Trx,
  context: Context,
  subject: Subject,
  mapping: Mapping,
  group: readonly PlacedLine[],
  snapshot: Snapshot,
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  const asked = new Map<number, RowProblem[]>();
  const accepted = new Set<string>();
  const at = (problem: Problem): RowProblem =>
    problemAt(subject.fields, targetOf(subject.name, problem.field, mapping.columns), mapping.columns, problem);
  for (let left = group; left.length > 0; ) {
    let problems: readonly Problem[];
    try {
      const draft = mustRead(draftBody, draftText(subject, mapping, left, accepted, snapshot));
      const { id } = await postWithin(trx, context, withAuthor(draft, context));
      return [
        ...results,
        ...left.map(({ row }): RowResult => ({ row, outcome: 'added', record: id, problems: asked.get(row) ?? [] })),
      ];
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'busy')
        return [...results, ...left.map(({ row }) => refused(row, [ofWhole(error)]))];
      if (!(error instanceof Problems)) throw error;
      problems = error.problems;
    }
    const isAsking = ({ code, reason }: Problem): boolean =>
      code !== undefined && reason === 'needed' && mapping.reason !== null && !accepted.has(code);
    const wrong = problems.filter((problem) => !isAsking(problem));
    const ofRow = ({ row }: PlacedLine, place: number, all: readonly Problem[]) => ({
      row,
      own: all.filter((problem) => (problem.row ?? place) === place),
    });
    if (wrong.length > 0) {
      const isPlaced = ({ row }: Problem): boolean => row === undefined || row < left.length;
      if (!wrong.some(isPlaced)) throw new Error('a problem of a line that the document does not have');
      const judged = left.map((line, place) => ofRow(line, place, wrong));
      for (const { row, own } of judged) if (own.length > 0) results.push(refused(row, own.map(at)));
      left = left.filter((_, place) => judged[place]?.own.length === 0);
      continue;
    }
    for (const { row, own } of left.map((line, place) => ofRow(line, place, problems)))
      if (own.length > 0) asked.set(row, [...(asked.get(row) ?? []), ...own.map(at)]);
    for (const { code } of problems) if (code !== undefined) accepted.add(code);
  }
  return results;
}

/** The document of some lines, as the editor would send it. */
const draftText = (
  { kind }: Subject,
  { name, reason }: Mapping,
  lines: readonly PlacedLine[],
  accepted: ReadonlySet<string>,
  { places }: Snapshot,
) => {
  const [first] = lines;
  if (!first) throw new Error('a document of no lines');
  return {
    kind,
    date: first.date,
    location: first.location,
    registration: places.get(first.location)?.registration,
    narration: `Import ${name}`.slice(0, 200),
    lines: lines.map(({ line }) => line),
    ...(accepted.size > 0 && { accepted: [...accepted].map((warning) => ({ warning, reason })) }),
  };
};
type Read = ReturnType<typeof draftBody.parse>;
const withAuthor = (draft: Read, { user }: Context): Read =>
  draft.accepted ? { ...draft, accepted: draft.accepted.map((each) => ({ ...each, by: user })) } : draft;

/** Cancels the documents that these rows are in, each as a whole; a document that cannot be cancelled keeps all of its rows. */
async function undoLines(
  trx: Trx,
  context: Context,
  found: ImportRow,
  kept: readonly KeptRow[],
): Promise<readonly RowResult[]> {
  const documents = [...new Set(kept.flatMap(({ record }) => record ?? []))];
  const { rows } = await sql<{ row: number; record: string }>`
    select row, record
    from import_rows
    where organisation = ${context.organisation}
      and import = ${found.id}::uuid
      and outcome = 'added'
      and record = any(${documents}::text[])
  `.execute(trx);
  const results: RowResult[] = [];
  for (const [document, own] of groupBy(rows, ({ record }) => record)) {
    const said = await whyNotCancelled(trx, context, document, found.name);
    results.push(
      ...own.map(
        ({ row }): RowResult => ({
          ...{ row, record: document },
          ...(said ? { outcome: 'stays', problems: [ofWhole(said)] } : { outcome: 'undone', problems: [] }),
        }),
      ),
    );
  }
  return results;
}

async function whyNotCancelled(trx: Trx, context: Context, document: string, name: string) {
  try {
    await cancelWithin(trx, context, document, `Import ${name} undone`.slice(0, 200));
    return undefined;
  } catch (error) {
    const said = sayingOf(error);
    if (!said) throw error;
    return said;
  }
}

/** Lines of one document at most; those of a piece that have another day or place are in another document. */
export const lineWriter: Writer = { together: 500, write: writeLines, undo: undoLines };
