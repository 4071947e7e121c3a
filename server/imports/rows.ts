import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { ImportState } from '../../contract/import-steps.ts';
import type { importCalls } from '../../contract/imports.ts';
import type { Said } from '../../domain/base/say.ts';
import type { RowProblem } from '../../domain/imports/record.ts';
import type { Trx, Values } from '../masters/index.ts';
import type { Mapping, RowResult } from './writer.ts';

export type ImportView = Answer<(typeof importCalls)['GetImport']>;
export type RowView = Answer<(typeof importCalls)['ListImportRows']>['rows'][number];
type Where = { readonly organisation: number };

/** An import as it is kept. */
export interface ImportRow extends Mapping {
  readonly pasted: boolean;
  readonly state: ImportState;
  readonly version: number;
  readonly size: string;
  readonly heading_row: number;
  readonly headings: string[];
  readonly remembered: boolean;
  readonly rows: number;
  readonly at_row: number;
  readonly problem: Said | null;
  readonly user: string;
  readonly by: string;
  readonly at: Date;
  readonly ended_at: Date | null;
}

const kept = sql`
  i.id, i.master, i.name, i.pasted, i.state, i.version, i.size, i.heading_row, i.headings, i.columns, i.remembered, i.existing,
  i.reason, i.rows, i.at_row, i.problem, i.by as "user", u.name as by, i.at, i.ended_at
  from imports i
  join users u on u.organisation = i.organisation and u.id = i.by
`;

/** An import of this master, or of any; `lock`: nobody changes it meanwhile. One of another organisation is not there. */
export async function importOf(
  trx: Trx,
  { organisation }: Where,
  { id, master }: { readonly id: string; readonly master?: string },
  lock = false,
): Promise<ImportRow> {
  const { rows } = await sql<ImportRow>`
    select ${kept}
    where i.organisation = ${organisation}
      and i.id = ${id}::uuid
      and (${master ?? null}::text is null or i.master = ${master ?? ''})
    ${lock ? sql`for update of i` : sql``}
  `.execute(trx);
  const [found] = rows;
  if (!found) throw new Refusal('notFound');
  return found;
}

const PAGE = 50;
/** The latest imports of these masters, a page at a time. */
export async function listImports(
  trx: Trx,
  { organisation }: Where,
  masters: readonly string[],
  after: string | undefined,
): Promise<{ readonly rows: readonly ImportRow[]; readonly after: string | null }> {
  const later = sql`
    (i.at, i.id) < (select l.at, l.id from imports l where l.organisation = ${organisation} and l.id = ${after}::uuid)
  `;
  const { rows } = await sql<ImportRow>`
    select ${kept}
    where i.organisation = ${organisation}
      and i.master = any(${[...masters]}::text[])
      and ${after === undefined ? sql`true` : later}
    order by i.at desc, i.id desc
    limit ${PAGE + 1}
  `.execute(trx);
  const page = rows.slice(0, PAGE);
  const last = rows.length > PAGE ? page.at(-1) : undefined;
  return { rows: page, after: last?.id ?? null };
}

/** An import as its screen shows it; `samples`: with the first values of its columns. */
export async function viewOf(trx: Trx, { organisation }: Where, row: ImportRow, samples = true): Promise<ImportView> {
  const { rows: counted } = await sql<{ outcome: string | null; n: number }>`
    select outcome, count(*)::int as n
    from import_rows
    where organisation = ${organisation} and import = ${row.id}::uuid
    group by outcome
  `.execute(trx);
  const { rows: first } = samples
    ? await sql<{ cells: string[] }>`
        select cells
        from import_rows
        where organisation = ${organisation} and import = ${row.id}::uuid
        order by row
        limit 3
      `.execute(trx)
    : { rows: [] };
  const { rows: asking } = await sql<{ n: number }>`
    select count(*)::int as n
    from import_rows
    where organisation = ${organisation} and import = ${row.id}::uuid and outcome = 'add' and problems <> '[]'
  `.execute(trx);
  const { rows: done } = await sql<{ n: number }>`
    select count(*)::int as n
    from import_rows
    where organisation = ${organisation} and import = ${row.id}::uuid and row <= ${row.at_row}
  `.execute(trx);
  return {
    id: row.id,
    master: row.master,
    name: row.name,
    pasted: row.pasted,
    state: row.state,
    version: row.version,
    size: Number(row.size),
    headings: row.headings,
    samples: row.headings.map((_, at) => first.map(({ cells }) => cells[at] ?? '')),
    columns: [...row.columns],
    remembered: row.remembered,
    existing: row.existing,
    rows: row.rows,
    // an undoing goes from the last row to the first
    done: row.state === 'undoing' ? row.rows - (done[0]?.n ?? 0) : (done[0]?.n ?? 0),
    counts: Object.fromEntries(counted.flatMap(({ outcome, n }) => (outcome === null ? [] : [[outcome, n]]))),
    asks: asking[0]?.n ?? 0,
    problem: row.problem,
    by: row.by,
    at: row.at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** What of an import is set with its state. */
interface Change {
  readonly at_row?: number;
  readonly rows?: number;
  readonly heading_row?: number;
  readonly headings?: readonly string[];
  readonly columns?: readonly (string | null)[];
  readonly remembered?: boolean;
  readonly existing?: string;
  readonly reason?: string | null;
  readonly problem?: Said | null;
}
const asColumn = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? sql`${value}::text[]` : sql`${value}`;

/** Brings an import to a state. */
export async function setState(
  trx: Trx,
  { organisation }: Where,
  id: string,
  state: ImportState,
  { columns, problem, ...change }: Change = {},
): Promise<void> {
  const set = Object.entries(change).map(([column, value]) => sql`${sql.raw(column)} = ${asColumn(value)}`);
  if (columns) set.push(sql`columns = ${JSON.stringify(columns)}::jsonb`);
  if (problem !== undefined) set.push(sql`problem = ${problem && JSON.stringify(problem)}::jsonb`);
  const ended = ['done', 'cancelled', 'failed', 'undone'].includes(state) ? sql`, ended_at = now()` : sql``;
  await sql`
    update imports
    set ${sql.join([sql`state = ${state}`, ...set])}, version = version + 1, touched_at = now() ${ended}
    where organisation = ${organisation} and id = ${id}::uuid
  `.execute(trx);
}

/** Leaves a job that works on an import, once the transaction is over. */
export async function queueWork(trx: Trx, { organisation }: Where, id: string): Promise<void> {
  await sql`
    insert into outbox (organisation, task, payload, key)
    values (${organisation}, 'workOnImport', ${JSON.stringify({ organisation, import: id })}::jsonb, ${id})
  `.execute(trx);
}

export interface KeptRow {
  readonly row: number;
  readonly cells: string[];
  readonly mended: boolean;
  readonly outcome: RowView['outcome'];
  readonly problems: RowProblem[];
  readonly record: string | null;
  readonly record_version: number | null;
  readonly before: Values | null;
}

/** Rows of an import in their order, or from the last one back, beyond a row. */
export const keptRows = async (
  trx: Trx,
  { organisation }: Where,
  id: string,
  {
    after,
    before,
    outcomes,
    limit,
  }: {
    readonly after?: number | undefined;
    readonly before?: number | undefined;
    readonly outcomes?: readonly string[] | undefined;
    readonly limit: number;
  },
): Promise<KeptRow[]> =>
  (
    await sql<KeptRow>`
      select row, cells, mended, outcome, problems, record, record_version, before
      from import_rows
      where organisation = ${organisation}
        and import = ${id}::uuid
        and row > ${after ?? 0}
        and (${before ?? null}::int is null or row < ${before ?? 0})
        and ${outcomes ? sql`outcome = any(${[...outcomes]}::text[])` : sql`true`}
      order by ${before === undefined ? sql`row` : sql`row desc`}
      limit ${limit}
    `.execute(trx)
  ).rows;

/** Keeps what came of rows. */
export async function noteResults(
  trx: Trx,
  { organisation }: Where,
  id: string,
  results: readonly RowResult[],
): Promise<void> {
  if (results.length === 0) return;
  await sql`
    update import_rows r
    set
      outcome = n.outcome, problems = n.problems, record = n.record, record_version = n.version,
      before = coalesce(n.before, r.before)
    from unnest(
      ${results.map(({ row }) => row)}::int[], ${results.map(({ outcome }) => outcome)}::text[],
      ${results.map(({ problems }) => JSON.stringify(problems))}::jsonb[],
      ${results.map(({ record }) => record ?? null)}::text[], ${results.map(({ version }) => version ?? null)}::int[],
      ${results.map(({ before }) => (before ? JSON.stringify(before) : null))}::jsonb[]
    ) as n (row, outcome, problems, record, version, before)
    where r.organisation = ${organisation} and r.import = ${id}::uuid and r.row = n.row
  `.execute(trx);
}

/** What the columns of a file with these headings meant the last time. */
export const headingsKey = (headings: readonly string[]): string => JSON.stringify(headings.map((one) => one.trim()));
