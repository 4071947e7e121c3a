import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { type Master, matchedBy } from '../../contract/masters.ts';
import { codeFrom } from '../../domain/base/code.ts';
import { type Said, say } from '../../domain/base/say.ts';
import {
  changedFields,
  keyText,
  mappedColumns,
  matching,
  mergeRecord,
  type RowProblem,
  readRecord,
  type SheetRecord,
} from '../../domain/imports/record.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { type Asked, recordDesk, type Trx, type Values } from '../masters/index.ts';
import { ofWhole, problemAt, resolver } from './columns.ts';
import type { GivenRow, Mapping, RowResult } from './writer.ts';

type Candidate = Awaited<ReturnType<typeof recordDesk.alike>>[number];

/** Some rows of an import, with what they need looked up once. */
export interface Rows {
  write(row: GivenRow): Promise<RowResult>;
}
/** Prepares some rows: each is written by the code that a form goes through, in the transaction it is given. */
export async function openRows(
  trx: Trx,
  context: Context,
  { master: name, columns: targets, existing }: Mapping,
  given: readonly GivenRow[],
  ownState: string | undefined,
): Promise<Rows> {
  const which = await recordDesk.asked(trx, context, name);
  const columns = mappedColumns(which.master.fields, targets);
  const resolve = await resolver(trx, context, which.master.fields, columns, given);
  const keys = matchedBy(which.master);
  const read = new Map(given.map((one) => [one.row, readRecord(columns, one.cells, resolve)]));
  const candidates = await candidatesOf(trx, context, which, keys, [...read.values()]);
  const write = async ({ row, cells }: GivenRow): Promise<RowResult> => {
    const record = read.get(row) ?? readRecord(columns, cells, resolve);
    const known = matching(keys, record.values, candidates);
    const refused = (problems: readonly RowProblem[]): RowResult => ({ row, outcome: 'refused', problems });
    if (record.problems.length > 0) return refused(record.problems);
    const kept = known && (await recordDesk.kept(trx, context, which, known.id));
    const before = kept?.values;
    const proposed = known ? record : await withCode(trx, context, which, record);
    const merging = mergeRecord(which.master.fields, proposed, before, ownState);
    const isBack = known !== undefined && !known.active;
    const changed = before
      ? changedFields(which.master.fields, typed(which, before), typed(which, merging.values))
      : [];
    if (known && !isBack && changed.length === 0) return { row, outcome: 'same', problems: [], record: known.id };
    if (known && !(await mayChange(trx, context, known, existing)))
      return { row, outcome: 'kept', record: known.id, problems: [ofWhole(whyKept(which.master, changed, isBack))] };
    try {
      if (known && isBack)
        await recordDesk.retire(trx, context, { master: name, id: known.id, version: known.version, active: true });
      const version = known && known.version + (isBack ? 1 : 0);
      const id = await recordDesk.write(trx, context, which, {
        values: merging.values,
        ...(known && { id: known.id, version }),
      });
      const written = await recordDesk.kept(trx, context, which, id);
      if (!written) throw new Error('a record that was written is not there');
      candidates.unshift({ id, version: written.version, active: true, keys: written.values });
      return {
        row,
        outcome: known ? 'changed' : 'added',
        problems: [],
        record: id,
        version: written.version,
        ...(before && { before: { values: before, active: !isBack } }),
      };
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'busy') return refused([ofWhole(error)]);
      if (!(error instanceof Problems)) throw error;
      return refused(
        error.problems.map(({ field, row: at, message, text }) =>
          problemAt(which.master.fields, merging.targetOf(field, at), targets, {
            field,
            message,
            text,
          }),
        ),
      );
    }
  };
  return { write };
}

const typed = (which: Asked, values: Values): Values => recordDesk.asTyped(which, values);

/** Why a record that is there stays as it is. */
function whyKept({ fields }: Master, changed: readonly string[], isBack: boolean): Said {
  if (isBack) return say('It is there already, and deactivated');
  const labels = changed.map((key) => fields[key]?.label ?? key).join(', ');
  return say('It is there already with another value of: {{labels}}', { labels });
}

/** A record that is there is changed when that was chosen, and comes back when it was this import that took it away. */
const mayChange = async (
  trx: Trx,
  context: Context,
  { id, active }: Candidate,
  existing: Mapping['existing'],
): Promise<boolean> => existing === 'change' || (!active && (await wasUndone(trx, context, id)));

/** Whether a record was taken away because its import was undone. */
async function wasUndone(trx: Trx, { organisation }: Context, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from import_rows where organisation = ${organisation} and record = ${id} and outcome = 'undone' limit 1
  `.execute(trx);
  return rows.length > 0;
}

/** Records that any of these rows may mean, by the fields that tell records apart. */
async function candidatesOf(
  trx: Trx,
  context: Context,
  which: Asked,
  keys: readonly string[],
  records: readonly SheetRecord[],
): Promise<Candidate[]> {
  const wanted = Object.fromEntries(
    keys.map((key) => {
      const [first = ''] = key.split('+');
      return [key, [...new Set(records.map(({ values }) => keyText(values, first)).filter((text) => text !== ''))]];
    }),
  );
  return recordDesk.alike(trx, context, which, wanted);
}

/** A new record without a code gets one from its name, like on its form; a number behind it tells it from another name's. */
async function withCode(trx: Trx, context: Context, which: Asked, record: SheetRecord): Promise<SheetRecord> {
  const [code, field] = Object.entries(which.master.fields).find(([, { proposedFrom }]) => proposedFrom) ?? [];
  const from = field?.proposedFrom;
  if (code === undefined || from === undefined || record.values[code] !== undefined) return record;
  const first = codeFrom(String(record.values[from] ?? ''));
  if (first === '') return record;
  const numbered = (n: number): string => (n === 1 ? first : `${first.slice(0, 28)}-${n}`);
  const all = Array.from({ length: 99 }, (_, n) => numbered(n + 1));
  const taken = await recordDesk.alike(trx, context, which, { [code]: all });
  const used = new Set(taken.map(({ keys }) => String(keys[code]).toUpperCase()));
  return { ...record, values: { ...record.values, [code]: all.find((one) => !used.has(one)) ?? first } };
}
