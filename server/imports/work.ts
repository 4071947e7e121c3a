import { sql } from 'kysely';
import { z } from 'zod';
import { type ImportState, MOST_IMPORT_ROWS } from '../../contract/import-steps.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { HEADING_ROWS, headingRow, recognise } from '../../domain/imports/recognise.ts';
import { isEmptyRow } from '../../domain/imports/record.ts';
import { columnsOf } from '../../domain/imports/sheet.ts';
import type { Context } from '../context.ts';
import { contextOf, type ImportWorks } from './context.ts';
import { checkPiece, importPiece, undoPiece } from './pieces.ts';
import { BrokenFile, type FileRow, type Pieces, readFile } from './read/index.ts';
import { headingsKey, importOf, queueWork, setState } from './rows.ts';
import { subjectOf } from './subject.ts';

const job = z.object({ organisation: z.int(), import: z.uuid() });

/** What is done of an import in the states in which a job works on it: one piece at a time. */
const pieces: Readonly<Partial<Record<ImportState, (context: Context, id: string) => Promise<void>>>> = {
  reading: readRows,
  checking: checkPiece,
  importing: importPiece,
  undoing: undoPiece,
};

/** Milliseconds after which a job leaves the rest to another one: a server that stops waits for its jobs. */
const TURN = 5000;

/**
 * Works on an import for a while, until there is nothing to do or somebody has stopped it. It may be killed at any moment and run
 * again, and by two processes at once: each piece locks the import and begins where the last one ended.
 */
export const workOnImport =
  (works: ImportWorks) =>
  async (payload: unknown): Promise<void> => {
    const { organisation, import: id } = job.parse(payload);
    const began = performance.now();
    for (;;) {
      const found = await works.books.inTransaction({ organisation, user: '' }, (trx) =>
        importOf(trx, { organisation }, { id }),
      );
      const work = pieces[found.state];
      if (!work) break;
      const context = await contextOf(works, organisation, found.user, found.master);
      if (context) await work(context, id);
      else
        await fail(works, organisation, id, say('{{name}} may not write these records any more', { name: found.by }));
      if (found.state === 'importing' || found.state === 'undoing') works.changed(organisation);
      if (performance.now() - began > TURN)
        return works.books.inTransaction({ organisation, user: '' }, (trx) => queueWork(trx, { organisation }, id));
    }
    works.changed(organisation);
  };

const fail = ({ books }: ImportWorks, organisation: number, id: string, problem: Said): Promise<void> =>
  books.inTransaction({ organisation, user: '' }, (trx) => setState(trx, { organisation }, id, 'failed', { problem }));

/** The file in the pieces in which it was sent, one in memory at a time. */
const piecesOf = (context: Context, id: string): Pieces =>
  async function* () {
    for (let part = 1; ; part += 1) {
      const { rows } = await context.inTransaction((trx) =>
        sql<{ bytes: Buffer }>`
          select bytes
          from import_pieces
          where organisation = ${context.organisation} and import = ${id}::uuid and part = ${part}
        `.execute(trx),
      );
      if (!rows[0]) return;
      yield rows[0].bytes;
    }
  };

/** Rows that are kept in one statement. */
const TOGETHER = 1000;

/** Reads the rows of a file, and recognises its columns. Begun again, it begins at the first row. */
async function readRows(context: Context, id: string): Promise<void> {
  await context.inTransaction((trx) =>
    sql`delete from import_rows where organisation = ${context.organisation} and import = ${id}::uuid`.execute(trx),
  );
  const top: FileRow[] = [];
  let waiting: FileRow[] = [];
  let count = 0;
  const keep = async () => {
    await keepRows(context, id, waiting);
    waiting = [];
  };
  try {
    const wanted = await context.inTransaction(async (trx) => {
      const { master } = await importOf(trx, context, { id });
      const { plural, fields } = await subjectOf(trx, context, master);
      return { name: master, plural, fields };
    });
    for await (const row of readFile(piecesOf(context, id), wanted)) {
      if (isEmptyRow(row.cells)) continue;
      if (top.length < HEADING_ROWS) top.push(row);
      waiting.push(row);
      count += 1;
      if (count > MOST_IMPORT_ROWS + HEADING_ROWS)
        throw new BrokenFile(
          say('The file has more than {{most}} rows: import it in parts', {
            most: MOST_IMPORT_ROWS.toLocaleString('en-IN'),
          }),
        );
      if (waiting.length >= TOGETHER) await keep();
    }
    await keep();
    await recogniseColumns(context, id, top, count);
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    await context.inTransaction((trx) => setState(trx, context, id, 'failed', { problem: error.said }));
  }
}

const keepRows = async (
  { organisation, inTransaction }: Context,
  id: string,
  rows: readonly FileRow[],
): Promise<void> => {
  if (rows.length === 0) return;
  await inTransaction((trx) =>
    sql`
      insert into import_rows (organisation, import, row, cells)
      select ${organisation}, ${id}::uuid, r.row, array(select jsonb_array_elements_text(r.cells))
      from unnest(
        ${rows.map(({ row }) => row)}::int[], ${rows.map(({ cells }) => JSON.stringify(cells))}::jsonb[]
      ) as r (row, cells)
      on conflict do nothing
    `.execute(trx),
  );
};

async function recogniseColumns(context: Context, id: string, top: readonly FileRow[], count: number): Promise<void> {
  await context.inTransaction(async (trx) => {
    const found = await importOf(trx, context, { id }, true);
    if (found.state !== 'reading') return;
    const columns = columnsOf((await subjectOf(trx, context, found.master)).fields);
    const at = headingRow(
      found.master,
      columns,
      top.map(({ cells }) => cells),
    );
    const heading = top[at];
    if (!heading || count - at < 2) throw new BrokenFile(say('There is nothing below the headings of this file'));
    const headings = heading.cells.map((cell) => cell.trim());
    const { rows } = await sql<{ columns: (string | null)[] }>`
      select columns
      from import_mappings
      where organisation = ${context.organisation} and master = ${found.master} and headings = ${headingsKey(headings)}
    `.execute(trx);
    // titles above the headings, and the headings, are no records
    await sql`
      delete from import_rows
      where organisation = ${context.organisation} and import = ${id}::uuid and row <= ${heading.row}
    `.execute(trx);
    await sql`delete from import_pieces where organisation = ${context.organisation} and import = ${id}::uuid`.execute(
      trx,
    );
    await setState(trx, context, id, 'mapping', {
      heading_row: heading.row,
      headings,
      columns: rows[0]?.columns ?? recognise(found.master, columns, headings),
      remembered: rows.length > 0,
      rows: count - at - 1,
    });
  });
}

/** Imports that a process which died was working on are worked on again; for the owner, over all organisations. */
export const abandonedImports = `
  insert into outbox (organisation, task, payload, key)
  select
    i.organisation, 'workOnImport', jsonb_build_object('organisation', i.organisation, 'import', i.id), i.id::text
  from imports i
  where i.state in ('reading', 'checking', 'importing', 'undoing')
    and i.touched_at < now() - interval '1 minute'
    and not exists (
      select from outbox o
      where o.organisation = i.organisation
        and o.task = 'workOnImport'
        and o.key = i.id::text
        and (o.handed_at is null or o.handed_at > now() - interval '1 minute')
    )
`;
