import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { say } from '../../domain/base/say.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { recordDesk, type Trx } from '../masters/index.ts';
import { type GivenRow, openRows, type RowResult } from './import-row.ts';
import { type ImportRow, importOf, type KeptRow, keptRows, noteResults, setState } from './rows.ts';

/** Rows of one transaction: what a kill or a pause has to wait for. */
export const PIECE_ROWS = 100;

/** The state of the organisation: parties without one are usually there. */
export async function ownStateOf(
  trx: Trx,
  { organisation }: Pick<Context, 'organisation'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select state from registrations where organisation = ${organisation} and active order by legal_name, id limit 1
  `.execute(trx);
  return rows[0]?.state;
}

/** What the database cannot keep of a row: its value is no number, day or text that fits. */
const UNREADABLE = /^22/;

/** Writes rows one after the other; one that is refused leaves no trace, and the others go on. */
export async function writeRows(
  trx: Trx,
  context: Context,
  mapping: Pick<ImportRow, 'master' | 'columns' | 'existing'>,
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

/** Thrown at the end of a transaction that was only to try: nothing of it stays. */
class Tried extends Error {
  readonly results: readonly RowResult[];
  constructor(results: readonly RowResult[]) {
    super('only tried');
    this.results = results;
  }
}

const AS_PLANNED: Readonly<Partial<Record<RowResult['outcome'], RowResult['outcome']>>> = {
  added: 'add',
  changed: 'change',
};

/** What rows would come to: they are written with every check, and taken back. */
export async function tryRows(
  context: Context,
  mapping: Pick<ImportRow, 'master' | 'columns' | 'existing'>,
  given: readonly GivenRow[],
): Promise<readonly RowResult[]> {
  try {
    await context.inTransaction(async (trx) => {
      throw new Tried(await writeRows(trx, context, mapping, given));
    });
    return [];
  } catch (error) {
    if (!(error instanceof Tried)) throw error;
    return error.results.map(({ row, outcome, problems }) => ({
      row,
      outcome: AS_PLANNED[outcome] ?? outcome,
      problems,
    }));
  }
}

/** Checks the next rows of an import. */
export async function checkPiece(context: Context, id: string): Promise<void> {
  const piece = await context.inTransaction(async (trx) => {
    const found = await importOf(trx, context, { id });
    return { found, rows: await keptRows(trx, context, id, { after: found.at_row, limit: PIECE_ROWS }) };
  });
  const { found, rows } = piece;
  if (found.state !== 'checking') return;
  const results = await tryRows(context, found, rows);
  await context.inTransaction(async (trx) => {
    const now = await importOf(trx, context, { id }, true);
    // columns were mapped anew meanwhile, or somebody has stopped it
    if (now.state !== 'checking' || now.version !== found.version) return;
    await noteResults(trx, context, id, results);
    const last = rows.at(-1)?.row;
    if (last === undefined) await setState(trx, context, id, 'checked', { at_row: 0 });
    else await goOn(trx, context, id, last);
  });
}

/** Says how far an import is; its version stays, for it is the same import. */
const goOn = async (trx: Trx, { organisation }: Context, id: string, row: number): Promise<void> =>
  void (await sql`
    update imports
    set at_row = ${row}, touched_at = now()
    where organisation = ${organisation} and id = ${id}::uuid
  `.execute(trx));

/** Imports the next rows in one transaction with how far it is: after a kill none is written twice, and none left out. */
export async function importPiece(context: Context, id: string): Promise<void> {
  await context.inTransaction(async (trx) => {
    const found = await importOf(trx, context, { id }, true);
    if (found.state !== 'importing') return;
    const rows = await keptRows(trx, context, id, { after: found.at_row, limit: PIECE_ROWS });
    const last = rows.at(-1)?.row;
    if (last === undefined) return setState(trx, context, id, 'done');
    await noteResults(trx, context, id, await writeRows(trx, context, found, rows));
    await goOn(trx, context, id, last);
  });
  recordDesk.forget(context.organisation);
}

/** Takes back the rows before the last that was: from the end, because later ones may need earlier ones. */
export async function undoPiece(context: Context, id: string): Promise<void> {
  await context.inTransaction(async (trx) => {
    const found = await importOf(trx, context, { id }, true);
    if (found.state !== 'undoing') return;
    const rows = await keptRows(trx, context, id, {
      before: found.at_row,
      outcomes: ['added', 'changed'],
      limit: PIECE_ROWS,
    });
    const last = rows.at(-1)?.row;
    if (last === undefined) return setState(trx, context, id, 'undone');
    const results: RowResult[] = [];
    for (const row of rows) results.push(await undoRow(trx, context, found, row));
    await noteResults(trx, context, id, results);
    await goOn(trx, context, id, last);
  });
  recordDesk.forget(context.organisation);
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
function sayingOf(error: unknown): ReturnType<typeof say> | undefined {
  if (error instanceof Refusal) return { message: error.message, text: error.text };
  if (!(error instanceof Problems)) return undefined;
  const [first] = error.problems;
  return first && { message: first.message, text: first.text ?? say('There are problems to mend').text };
}
