import { sql } from 'kysely';
import { importableOf } from '../../contract/importable.ts';
import type { Context } from '../context.ts';
import { recordDesk, type Trx } from '../masters/index.ts';
import { lineWriter } from './lines.ts';
import { recordWriter } from './records.ts';
import { rowWriter } from './row-writer.ts';
import { importOf, keptRows, noteResults, setState } from './rows.ts';
import type { GivenRow, Mapping, RowResult, Writer } from './writer.ts';

/** Records are written one by one, lines of documents and rows of records together. */
function writerOf(name: string): Writer {
  const { kind, rowsOf } = importableOf(name) ?? {};
  if (rowsOf) return rowWriter(rowsOf);
  return kind ? lineWriter : recordWriter;
}

/** Stands for the reason that is asked for before rows are imported: what is only tried keeps none. */
export const TRIED = 'Tried';

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
  mapping: Mapping,
  given: readonly GivenRow[],
): Promise<readonly RowResult[]> {
  try {
    await context.inTransaction(async (trx) => {
      throw new Tried(await writerOf(mapping.master).write(trx, context, mapping, given));
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
    const limit = writerOf(found.master).together;
    return { found, rows: await keptRows(trx, context, id, { after: found.at_row, limit }) };
  });
  const { found, rows } = piece;
  if (found.state !== 'checking') return;
  const results = await tryRows(context, { ...found, reason: TRIED }, rows);
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
    const writer = writerOf(found.master);
    const rows = await keptRows(trx, context, id, { after: found.at_row, limit: writer.together });
    const last = rows.at(-1)?.row;
    if (last === undefined) return setState(trx, context, id, 'done');
    await noteResults(trx, context, id, await writer.write(trx, context, found, rows));
    await goOn(trx, context, id, last);
  });
  recordDesk.forget(context.organisation);
}

/** Takes back the rows before the last that was: from the end, because later ones may need earlier ones. */
export async function undoPiece(context: Context, id: string): Promise<void> {
  await context.inTransaction(async (trx) => {
    const found = await importOf(trx, context, { id }, true);
    if (found.state !== 'undoing') return;
    const writer = writerOf(found.master);
    const rows = await keptRows(trx, context, id, {
      before: found.at_row,
      outcomes: ['added', 'changed'],
      limit: writer.together,
    });
    const last = rows.at(-1)?.row;
    if (last === undefined) return setState(trx, context, id, 'undone');
    await noteResults(trx, context, id, await writer.undo(trx, context, found, rows));
    await goOn(trx, context, id, last);
  });
  recordDesk.forget(context.organisation);
}
