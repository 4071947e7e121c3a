import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { importableOf, type RowsOf } from '../../contract/importable.ts';
import { parseDecimal } from '../../domain/base/decimal.ts';
import { groupBy } from '../../domain/base/group.ts';
import { say } from '../../domain/base/say.ts';
import type { Problem } from '../../domain/document/document.ts';
import { mappedColumns, readRecord } from '../../domain/imports/record.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { type Asked, recordDesk, type Trx, type Values } from '../masters/index.ts';
import { type Fields, ofWhole, problemAt, resolver } from './columns.ts';
import { sayingOf } from './records.ts';
import type { KeptRow } from './rows.ts';
import type { GivenRow, Mapping, RowResult, Writer } from './writer.ts';

/** A row of the file, with the row that it becomes in a record. */
interface Placed {
  readonly row: number;
  readonly record: string;
  readonly value: Values;
}
/** What a row of a record was before the import, or nothing, and what it is after it. */
interface Change {
  readonly before: Values | null;
  readonly after: Values;
}
type Stored = NonNullable<Awaited<ReturnType<typeof recordDesk.kept>>>;

/** Values as they are compared: 10, 10.00 and 10.000000 are one figure, nothing and zero too. */
const bare = (value: unknown): string => {
  const text = String(value ?? '');
  const figure = /^-?\d+(\.\d+)?$/.test(text) ? parseDecimal(text, 6) : undefined;
  return figure === undefined ? text : String(figure || '');
};
const isSame = (columns: readonly string[], a: Values, b: Values): boolean =>
  columns.every((column) => bare(a[column]) === bare(b[column]));
const rowsIn = ({ values }: Stored, field: string): Values[] => [...((values[field] ?? []) as readonly Values[])];

const refused = (row: number, problems: RowResult['problems']): RowResult => ({ row, outcome: 'refused', problems });

/** Writes rows of a file into the rows of records, each record as a whole by the code that its form goes through. */
async function writeRows(
  trx: Trx,
  context: Context,
  mapping: Mapping,
  given: readonly GivenRow[],
  of: RowsOf,
): Promise<readonly RowResult[]> {
  const fields: Fields = importableOf(mapping.master)?.fields ?? {};
  const columns = mappedColumns(fields, mapping.columns);
  const resolve = await resolver(trx, context, fields, columns, given);
  const placed: Placed[] = [];
  const results: RowResult[] = [];
  for (const { row, cells } of given) {
    const { values, problems } = readRecord(columns, cells, resolve);
    const { record, ...value } = values;
    const missing = record === undefined && !problems.some(({ target }) => target === 'record');
    const said = { field: 'record', ...say('{{label}} is required', { label: fields['record']?.label ?? '' }) };
    const wrong = [...problems, ...(missing ? [problemAt(fields, 'record', mapping.columns, said)] : [])];
    if (wrong.length > 0) results.push(refused(row, wrong));
    else placed.push({ row, record: String(record), value });
  }
  const which = await recordDesk.asked(trx, context, of.master);
  for (const [record, own] of groupBy(placed, (one) => one.record))
    results.push(...(await writeRecord(trx, context, which, mapping, record, own, of)));
  return results;
}

/** Writes the rows of one record. Those that it is refused for are left out, and the others are tried again. */
async function writeRecord(
  trx: Trx,
  context: Context,
  which: Asked,
  { master, columns, existing }: Mapping,
  id: string,
  placed: readonly Placed[],
  { field, key }: RowsOf,
): Promise<RowResult[]> {
  const fields: Fields = importableOf(master)?.fields ?? {};
  const all = Object.keys(fields).filter((column) => column !== 'record');
  const kept = await recordDesk.kept(trx, context, which, id);
  if (!kept) return placed.map(({ row }) => refused(row, [ofWhole(new Refusal('notFound'))]));
  const results: RowResult[] = [];
  let left = placed;
  for (;;) {
    const rows = rowsIn(kept, field);
    const changes = new Map<number, Change>();
    /** The row of the file that each row of the record is from. */
    const from = new Map<number, number>();
    const done: RowResult[] = [];
    for (const { row, value } of left) {
      const at = rows.findIndex((one) => isSame(key, one, value));
      const before = rows[at];
      const earlier = from.get(at);
      const after = { ...before, ...value };
      if (earlier !== undefined)
        done.push(refused(row, [ofWhole(say('It is in row {{row}} already', { row: earlier }))]));
      else if (before && isSame(all, before, after)) done.push({ row, outcome: 'same', problems: [], record: id });
      else if (before && existing === 'keep')
        done.push({
          ...{ row, outcome: 'kept', record: id },
          problems: [ofWhole(say('It is there already with other values'))],
        });
      else {
        const place = before ? at : rows.length;
        rows[place] = after;
        from.set(place, row);
        changes.set(row, { before: before ?? null, after });
      }
    }
    if (changes.size === 0) return [...results, ...done];
    const wrong = await tryRecord(trx, context, which, id, kept, { [field]: rows }, (now) =>
      [...changes.values()].every(({ after }) => rowsIn(now, field).some((one) => isSame(all, one, after))),
    );
    if (wrong === undefined) {
      const version = kept.version + 1;
      for (const [row, change] of changes)
        done.push({
          ...{ row, outcome: change.before ? 'changed' : 'added', problems: [], record: id, version },
          before: { ...change },
        });
      return [...results, ...done];
    }
    // a problem of the record itself, or of a row that is not from the file, is one of all rows
    const owner = ({ row: at }: Problem): number | undefined => (at === undefined ? undefined : from.get(at));
    const own = wrong.every((problem) => owner(problem) !== undefined);
    const bad = new Map(
      left
        .filter(({ row }) => changes.has(row))
        .map(({ row }) => [row, wrong.filter((problem) => !own || owner(problem) === row)] as const)
        .filter(([, problems]) => problems.length > 0),
    );
    for (const [row, problems] of bad)
      results.push(
        refused(
          row,
          problems.map((problem) => problemAt(fields, problem.field.split('.').at(-1) ?? null, columns, problem)),
        ),
      );
    left = left.filter(({ row }) => !bad.has(row));
  }
}

/** Saves a record with other rows; answers what is wrong with them, and then nothing of it stays. */
async function tryRecord(
  trx: Trx,
  context: Context,
  which: Asked,
  id: string,
  { values, version }: Stored,
  changed: Values,
  isAsWritten: (now: Stored) => boolean,
): Promise<readonly Problem[] | undefined> {
  const own = Object.entries(values).filter(([key]) => which.master.fields[key] && !which.master.fields[key].readOnly);
  await sql`savepoint import_rows`.execute(trx);
  try {
    await recordDesk.write(trx, context, which, { id, version, values: { ...Object.fromEntries(own), ...changed } });
    const now = await recordDesk.kept(trx, context, which, id);
    if (now && isAsWritten(now)) return undefined;
    // what somebody may not see stays as it was
    await sql`rollback to savepoint import_rows`.execute(trx);
    return [{ field: '', ...say('Your roles do not show these figures: somebody who sees them can import them') }];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'busy') throw error;
    const said = sayingOf(error);
    if (!said) throw error;
    await sql`rollback to savepoint import_rows`.execute(trx);
    return error instanceof Problems ? error.problems : [{ field: '', ...said }];
  } finally {
    await sql`release savepoint import_rows`.execute(trx).catch(() => undefined);
  }
}

/** Sets rows of records back to what they were, where nobody has changed them since. */
async function undoRows(
  trx: Trx,
  context: Context,
  kept: readonly KeptRow[],
  master: string,
  { master: owner, field, key }: RowsOf,
): Promise<readonly RowResult[]> {
  const all = Object.keys(importableOf(master)?.fields ?? {}).filter((column) => column !== 'record');
  const which = await recordDesk.asked(trx, context, owner);
  const results: RowResult[] = [];
  for (const [id, own] of groupBy(kept, ({ record }) => record ?? '')) {
    const now = await recordDesk.kept(trx, context, which, id);
    const stays = (row: number, said: ReturnType<typeof say>): RowResult => ({
      ...{ row, outcome: 'stays', record: id },
      problems: [ofWhole(said)],
    });
    if (!now) {
      results.push(...own.map(({ row }) => stays(row, say('It is gone already'))));
      continue;
    }
    const rows: (Values | null)[] = rowsIn(now, field);
    const undone: number[] = [];
    for (const { row, before } of own) {
      const change = before as unknown as Change;
      const at = rows.findIndex((one) => one !== null && isSame(key, one, change.after));
      if (at < 0 || !isSame(all, rows[at] ?? {}, change.after)) {
        results.push(stays(row, say('It was changed after the import')));
        continue;
      }
      rows[at] = change.before;
      undone.push(row);
    }
    if (undone.length === 0) continue;
    const left = rows.filter((one): one is Values => one !== null);
    const [wrong] = (await tryRecord(trx, context, which, id, now, { [field]: left }, () => true)) ?? [];
    const said = wrong && { message: wrong.message, text: wrong.text ?? say('There are problems to mend').text };
    for (const row of undone)
      results.push(said ? stays(row, said) : { row, outcome: 'undone', problems: [], record: id });
  }
  return results;
}

/** Rows of a field of records, such as the prices of a price list. */
export const rowWriter = (of: RowsOf): Writer => ({
  together: 500,
  write: (trx, context, mapping, given) => writeRows(trx, context, mapping, given, of),
  undo: (trx, context, { master }, rows) => undoRows(trx, context, rows, master, of),
});
