import { sql } from 'kysely';
import type { ImportedLines } from '../../contract/importable.ts';
import { financialYearOf } from '../../domain/base/dates.ts';
import { identityOf, type Line, mainField } from '../../domain/imports/lines.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../masters/index.ts';

/** A document in which something has its opening. */
export interface Opened {
  readonly id: string;
  readonly number: string;
  readonly date: string;
}
interface OpenedLine extends Opened {
  readonly location: string;
  readonly line: Line;
}

const living = sql`
  d.reverses is null
  and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
`;

/** The day of opening documents without one: that of the documents that are there, or the first of the financial year. */
export async function usualDay(trx: Trx, { organisation, today }: Context, kind: string): Promise<string> {
  const { rows } = await sql<{ first: string | null }>`
    select min(d.date)::text as first
    from documents d
    where d.organisation = ${organisation} and d.kind = ${kind} and ${living}
  `.execute(trx);
  return rows[0]?.first ?? financialYearOf(today).start;
}

/** Which of these lines have an opening at their place already; what several rows may say is not looked for in the same import. */
export async function openedBefore(
  trx: Trx,
  { organisation }: Context,
  { name, kind }: { readonly name: ImportedLines; readonly kind: string },
  self: string,
  placed: readonly { readonly location: string; readonly line: Line }[],
): Promise<ReadonlyMap<string, Opened>> {
  const main = mainField[name];
  const ids = [...new Set(placed.map(({ line }) => String(line[main])))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<OpenedLine & { own: boolean }>`
    select
      d.id, d.number, d.date::text as date, d.location, l.line,
      exists (
        select from import_rows r
        where r.organisation = d.organisation and r.import = ${self}::uuid and r.record = d.id::text
      ) as own
    from documents d
    cross join lateral jsonb_array_elements(d.body #> '{draft,lines}') l (line)
    where d.organisation = ${organisation}
      and d.kind = ${kind}
      and d.location = any(${[...new Set(placed.map(({ location }) => location))]}::uuid[])
      and ${living}
      and l.line ->> ${main} = any(${ids}::text[])
    order by d.date, d.id
  `.execute(trx);
  const found = new Map<string, Opened>();
  for (const { location, line, own, ...document } of rows) {
    const { key, once } = identityOf[name](line);
    if (own && !once) continue;
    if (!found.has(`${location} ${key}`)) found.set(`${location} ${key}`, document);
  }
  return found;
}
