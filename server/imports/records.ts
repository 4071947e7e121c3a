import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { say } from '../../domain/base/say.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { recordDesk, type Trx } from '../masters/index.ts';
import { openRows } from './import-row.ts';
import type { ImportRow, KeptRow } from './rows.ts';
import type { GivenRow, Mapping, RowResult, Writer } from './writer.ts';

/** The state of the organisation: parties without one are usually there. */
async function ownStateOf(trx: Trx, { organisation }: Pick<Context, 'organisation'>): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select state from registrations where organisation = ${organisation} and active order by legal_name, id limit 1
  `.execute(trx);
  return rows[0]?.state;
}

/** What the database cannot keep of a row: its value is no number, day or text that fits. */
const UNREADABLE = /^22/;

/** Writes rows one after the other; one that is refused leaves no trace, and the others go on. */
async function writeRows(
  trx: Trx,
  context: Context,
  mapping: Mapping,
  given: readonly GivenRow[],
): Promise<readonly RowResult[]> {
  const rows = await openRows(trx, context, mapping, given, await ownStateOf(trx, context));
  const results: RowResult[] = [];
  for (const one of given) {
    await sql`savepoint import_row`.execute(trx);
    const result = await rows.write(one).catch((error: unknown): RowResult => {
      if (!UNREADABLE.test((error as { code?: string }).code ?? '')) throw error;
      const problem = { target: null, ...say('This holds something that cannot be read') };
      return { row: one.row, outcome: 'refused', problems: [problem] };
    });
    if (result.outcome === 'refused') await sql`rollback to savepoint import_row`.execute(trx);
    await sql`release savepoint import_row`.execute(trx);
    results.push(result);
  }
  return results;
}

/** Takes back one row: what it added goes or is deactivated, what it changed is as it was. What has changed since stays. */
async function undoRow(trx: Trx, context: Context, { master }: ImportRow, kept: KeptRow): Promise<RowResult> {
  const { row, record, record_version: version } = kept;
  const id = record ?? '';
  const stays = (said: ReturnType<typeof say>): RowResult => ({
    ...{ row, outcome: 'stays', problems: [{ target: null, ...said }] },
    ...(record !== null && { record }),
    ...(version !== null && { version }),
  });
  const which = await recordDesk.asked(trx, context, master);
  const now = await recordDesk.kept(trx, context, which, id);
  if (!now) return stays(say('It is gone already'));
  if (now.version !== version) return stays(say('It was changed after the import'));
  await sql`savepoint import_row`.execute(trx);
  try {
    await takeBack(trx, context, master, which, kept, now.version);
  } catch (error) {
    const said = sayingOf(error);
    if (!said) throw error;
    await sql`rollback to savepoint import_row`.execute(trx);
    return stays(said);
  }
  return { row, outcome: 'undone', problems: [], record: id };
}

type Before = { readonly values: Record<string, unknown>; readonly active: boolean };

async function takeBack(
  trx: Trx,
  context: Context,
  master: string,
  which: Awaited<ReturnType<typeof recordDesk.asked>>,
  { record, before }: KeptRow,
  version: number,
): Promise<void> {
  const id = record ?? '';
  const was = before as Before | null;
  if (was) {
    const own = Object.entries(was.values).filter(
      ([key]) => which.master.fields[key] && !which.master.fields[key].readOnly,
    );
    await recordDesk.write(trx, context, which, { id, version, values: Object.fromEntries(own) });
  }
  if (!was?.active)
    await recordDesk.retire(trx, context, { master, id, version: version + (was ? 1 : 0), active: false });
}

/** Why something cannot be taken back, when that is for people to know. */
export function sayingOf(error: unknown): ReturnType<typeof say> | undefined {
  if (error instanceof Refusal) return { message: error.message, text: error.text };
  if (!(error instanceof Problems)) return undefined;
  const [first] = error.problems;
  return first && { message: first.message, text: first.text ?? say('There are problems to mend').text };
}

/** Each row is a record of a master, written by the code that a form goes through. */
export const recordWriter: Writer = {
  together: 100,
  write: writeRows,
  undo: async (trx, context, found, rows) => {
    const results: RowResult[] = [];
    for (const row of rows) results.push(await undoRow(trx, context, found, row));
    return results;
  },
};
