import { sql } from 'kysely';
import type { Handlers, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { type ImportState, MOST_IMPORTED, PIECE } from '../../contract/import-steps.ts';
import { type Importable, importableNames, importableOf } from '../../contract/importable.ts';
import type { importCalls } from '../../contract/imports.ts';
import { say, verbatim } from '../../domain/base/say.ts';
import { mappedColumns } from '../../domain/imports/record.ts';
import { importNeeds, may } from '../access/index.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { recordDesk, type Trx } from '../masters/index.ts';
import { exportOf, fileName, fileOf, templateOf } from './files.ts';
import { TRIED, tryRows } from './pieces.ts';
import {
  headingsKey,
  type ImportRow,
  type ImportView,
  importOf,
  type KeptRow,
  keptRows,
  listImports,
  noteResults,
  queueWork,
  type RowView,
  setState,
  viewOf,
} from './rows.ts';
import { subjectOf } from './subject.ts';

export { abandonedImports, workOnImport } from './work.ts';

type Calls = typeof importCalls;
type Which = Input<Calls['GetImport']>;
const PAGE = 100;

/** Refuses what is not imported, with the reason that its row gives. */
function imported(name: string): Importable {
  const subject = importableOf(name);
  if (!subject) throw new Refusal('notFound');
  if (subject.notImported)
    throw new Refusal('cannotChange', { name: subject.plural, reason: verbatim(subject.notImported) });
  return subject;
}

/** Refuses what an import cannot do where it is. */
function mustBe(row: ImportRow, ...states: readonly ImportState[]): void {
  if (!states.includes(row.state))
    throw new Refusal('cannotChange', {
      name: row.name,
      reason: say('this step of the import is over: open it again'),
    });
}

const shownRow = ({ row, cells, mended, outcome, problems }: KeptRow): RowView => ({
  row,
  cells,
  mended,
  outcome,
  problems,
});

/** Looks up an import under a lock, changes it, and answers what it is then. */
const changing = (
  { master, id }: Which,
  context: Context,
  change: (trx: Trx, row: ImportRow) => Promise<void>,
): Promise<ImportView> => {
  imported(master);
  return context.inTransaction(async (trx) => {
    await change(trx, await importOf(trx, context, { id, master }, true));
    return viewOf(trx, context, await importOf(trx, context, { id, master }));
  });
};

const beginImport = (
  { master, name, size, pasted }: Input<Calls['BeginImport']>,
  context: Context,
): Promise<ImportView> => {
  imported(master);
  const id = newId();
  return context.inTransaction(async (trx) => {
    await sql`
      insert into imports (organisation, id, master, name, size, pasted, by)
      values (${context.organisation}, ${id}, ${master}, ${name}, ${size}, ${pasted}, ${context.user})
    `.execute(trx);
    return viewOf(trx, context, await importOf(trx, context, { id, master }));
  });
};

const receivePiece = (
  { master, id, part, content }: Input<Calls['SendImportPiece']>,
  context: Context,
): Promise<{ received: number }> =>
  context.inTransaction(async (trx) => {
    const found = await importOf(trx, context, { id, master }, true);
    mustBe(found, 'receiving');
    const bytes = Buffer.from(content, 'base64');
    if (bytes.length > PIECE) throw new Problems([{ field: 'content', ...say('A piece of a file is at most 4 MB') }]);
    await sql`
      insert into import_pieces (organisation, import, part, bytes)
      values (${context.organisation}, ${id}, ${part}, ${bytes})
      on conflict do nothing
    `.execute(trx);
    return { received: await receivedBytes(trx, context, id) };
  });

/** Bytes that are here of a file; more than a file may have are refused. */
async function receivedBytes(trx: Trx, { organisation }: Context, id: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(length(bytes)), 0) as bytes
    from import_pieces
    where organisation = ${organisation} and import = ${id}::uuid
  `.execute(trx);
  const bytes = Number(rows[0]?.bytes ?? 0);
  if (bytes > MOST_IMPORTED) throw new Problems([{ field: 'content', ...say('The file is larger than 200 MB') }]);
  return bytes;
}

const readImport = (which: Which, context: Context): Promise<ImportView> =>
  changing(which, context, async (trx, row) => {
    // asked again, it is being read already
    if (row.state !== 'receiving') return;
    if ((await receivedBytes(trx, context, row.id)) !== Number(row.size))
      throw new Problems([{ field: 'size', ...say('The file did not arrive as a whole: send it again') }]);
    await setState(trx, context, row.id, 'reading');
    await queueWork(trx, context, row.id);
  });

const mapImport = (
  { version, columns, existing, ...which }: Input<Calls['MapImport']>,
  context: Context,
): Promise<ImportView> =>
  changing(which, context, async (trx, row) => {
    mustBe(row, 'mapping', 'checking', 'checked');
    if (row.version !== version)
      throw new Refusal('cannotChange', { name: row.name, reason: say('it was changed meanwhile') });
    const known = mappedColumns((await subjectOf(trx, context, row.master)).fields, columns);
    const problems = columns.flatMap((target, at) => {
      if (target === null) return [];
      if (!known[at]) return [{ field: 'columns', row: at, ...say('There is no such field') }];
      return columns.indexOf(target) === at
        ? []
        : [{ field: 'columns', row: at, ...say('Two columns mean {{heading}}', { heading: known[at].heading }) }];
    });
    if (columns.length !== row.headings.length)
      problems.push({ field: 'columns', row: 0, ...say('Each column of the file is mapped, or is not imported') });
    if (columns.every((target) => target === null))
      problems.push({ field: 'columns', row: 0, ...say('Choose what at least one column means') });
    if (problems.length > 0) throw new Problems(problems);
    await sql`
      insert into import_mappings (organisation, master, headings, columns)
      values (
        ${context.organisation}, ${row.master}, ${headingsKey(row.headings)}, ${JSON.stringify(columns)}::jsonb
      )
      on conflict (organisation, master, headings) do update
      set columns = excluded.columns
    `.execute(trx);
    await sql`
      update import_rows
      set outcome = null, problems = '[]'
      where organisation = ${context.organisation} and import = ${row.id}::uuid
    `.execute(trx);
    await setState(trx, context, row.id, 'checking', { columns, existing, at_row: 0 });
    await queueWork(trx, context, row.id);
  });

const listRows = (
  { master, id, outcome, after }: Input<Calls['ListImportRows']>,
  context: Context,
): Promise<{ rows: RowView[]; after: number | null }> =>
  context.inTransaction(async (trx) => {
    const found = await importOf(trx, context, { id, master });
    const rows = await keptRows(trx, context, found.id, {
      after,
      outcomes: outcome && [outcome],
      limit: PAGE + 1,
    });
    const page = rows.slice(0, PAGE);
    return { rows: page.map(shownRow), after: rows.length > PAGE ? (page.at(-1)?.row ?? null) : null };
  });

const mendRow = async (
  { master, id, row, cells }: Input<Calls['MendImportRow']>,
  context: Context,
): Promise<{ row: RowView } & Pick<ImportView, 'counts' | 'asks'>> => {
  const found = await context.inTransaction((trx) => importOf(trx, context, { id, master }));
  mustBe(found, 'checked');
  const results = await tryRows(context, { ...found, reason: TRIED }, [{ row, cells }]);
  return context.inTransaction(async (trx) => {
    const now = await importOf(trx, context, { id, master }, true);
    mustBe(now, 'checked');
    const { numAffectedRows } = await sql`
      update import_rows
      set cells = ${[...cells]}::text[], mended = true
      where organisation = ${context.organisation} and import = ${id}::uuid and row = ${row}
    `.execute(trx);
    if (numAffectedRows !== 1n) throw new Refusal('notFound');
    await noteResults(trx, context, id, results);
    const [mended] = await keptRows(trx, context, id, { after: row - 1, limit: 1 });
    if (!mended) throw new Refusal('notFound');
    const { counts, asks } = await viewOf(trx, context, now, false);
    return { row: shownRow(mended), counts, asks };
  });
};

const runImport = ({ reason, ...which }: Input<Calls['RunImport']>, context: Context): Promise<ImportView> =>
  changing(which, context, async (trx, row) => {
    if (row.state === 'importing' || row.state === 'done') return;
    mustBe(row, 'checked', 'paused');
    const given = reason?.trim() || row.reason;
    if (!given && (await viewOf(trx, context, row, false)).asks > 0)
      throw new Problems([{ field: 'reason', ...say('Enter the reason that rows of this file need') }]);
    await setState(trx, context, row.id, 'importing', { reason: given });
    await queueWork(trx, context, row.id);
  });

const stopImport = ({ how, ...which }: Input<Calls['StopImport']>, context: Context): Promise<ImportView> =>
  changing(which, context, async (trx, row) => {
    const goal = how === 'pause' ? 'paused' : 'cancelled';
    if (row.state === goal) return;
    mustBe(
      row,
      ...(how === 'pause'
        ? (['importing'] as const)
        : (['receiving', 'reading', 'mapping', 'checking', 'checked', 'importing', 'paused'] as const)),
    );
    await setState(trx, context, row.id, goal);
    if (how === 'cancel')
      await sql`
        delete from import_pieces where organisation = ${context.organisation} and import = ${row.id}::uuid
      `.execute(trx);
  });

const undoImport = (which: Which, context: Context): Promise<ImportView> =>
  changing(which, context, async (trx, row) => {
    if (row.state === 'undoing' || row.state === 'undone') return;
    mustBe(row, 'done', 'cancelled', 'paused');
    await setState(trx, context, row.id, 'undoing', { at_row: 2_147_483_647 });
    await queueWork(trx, context, row.id);
  });

/** The refused rows under the headings of the file, with the reasons behind them: mended, they can be imported as they are. */
const refusedRows = async ({ master, id }: Which, context: Context) => {
  const { found, rows } = await context.inTransaction(async (trx) => {
    const row = await importOf(trx, context, { id, master });
    return {
      found: row,
      rows: await keptRows(trx, context, id, { outcomes: ['refused', 'kept', 'stays'], limit: 200_000 }),
    };
  });
  const width = found.headings.length;
  const headings = [...found.headings, REASON];
  const table = {
    headings,
    numeric: headings.map(() => false),
    rows: rows.map(({ cells, problems }) => [
      ...Array.from({ length: width }, (_, at) => cells[at] ?? ''),
      problems.map(({ message }) => message).join('; '),
    ]),
  };
  return fileOf(`${found.name.replace(/\.[a-z]+$/i, '')}-refused`, 'Refused', table, 'csv');
};
/** Heading of the reasons: no field of a master has it, so an import leaves it out. */
const REASON = 'Why it was refused';

/** The service `imports`. */
export const importHandlers: Handlers<Calls, Context> = {
  GetImportTemplate: async ({ master, format }, context) => {
    imported(master);
    const subject = await context.inTransaction((trx) => subjectOf(trx, context, master));
    return fileOf(`${fileName(subject)}-template`, subject.plural, templateOf(subject), format);
  },
  ExportMaster: async ({ master, format }, context) => {
    imported(master);
    const { which, table } = await context.inTransaction(async (trx) => {
      const asked = await recordDesk.asked(trx, context, master);
      return { which: asked, table: await exportOf(trx, context, asked) };
    });
    return fileOf(fileName(which.master), which.master.plural, table, format);
  },
  ListImports: ({ after }, context) =>
    context.inTransaction(async (trx) => {
      const own = importableNames.filter((name) => may(context.grants, 'view', importNeeds(name).screens));
      const page = await listImports(trx, context, own, after);
      const rows: ImportView[] = [];
      for (const row of page.rows) rows.push(await viewOf(trx, context, row, false));
      return { rows, after: page.after };
    }),
  BeginImport: beginImport,
  SendImportPiece: receivePiece,
  ReadImport: readImport,
  GetImport: ({ master, id }, context) =>
    context.inTransaction(async (trx) => viewOf(trx, context, await importOf(trx, context, { id, master }))),
  MapImport: mapImport,
  ListImportRows: listRows,
  MendImportRow: mendRow,
  RunImport: runImport,
  StopImport: stopImport,
  GetRefusedRows: refusedRows,
  UndoImport: undoImport,
};
