import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { type PaperColumnName, type PaperTemplate, readTemplate } from '../../domain/paper/paper-template.ts';
import type { Context } from '../context.ts';
import { logoOf } from '../kit/paper/logo.ts';
import type { Paper, PaperColumn, PaperStyle } from '../paper/index.ts';

/**
 * How the papers of a kind look: by the template that is asked for (`notFound` when it is none of theirs), else by the
 * kind's default, else as usual.
 */
export const templateFor = (
  { organisation, inTransaction }: Context,
  kind: string,
  wanted?: string,
): Promise<PaperTemplate> =>
  inTransaction(async (trx) => {
    const { rows } = await sql<{ body: Record<string, unknown> }>`
      select body
      from masters
      where organisation = ${organisation}
        and master = 'paperTemplate'
        and active
        and body -> 'kinds' ? ${kind}
        and ${wanted === undefined ? sql`(body ->> 'isDefault') = 'true'` : sql`id = ${wanted}::uuid`}
      order by id
      limit 1
    `.execute(trx);
    if (wanted !== undefined && rows.length === 0) throw new Refusal('notFound');
    return readTemplate(rows[0]?.body ?? {});
  });

/** The look of a paper, with the organisation's logo. */
export async function styleOf(
  { organisation, inTransaction }: Context,
  { size, colour, logo: place, signatory, footer }: PaperTemplate,
): Promise<PaperStyle> {
  const { logo } = place === 'none' ? { logo: null } : await inTransaction((trx) => logoOf(trx, organisation));
  return {
    size,
    colour,
    signatory,
    footer,
    ...(logo !== null && place !== 'none' && { logo: { picture: logo, place } }),
  };
}

/** The lines of a document as a table: the template's columns of those that it has something to say in, under the template's words. */
export function tableOf(
  { columns }: Pick<PaperTemplate, 'columns'>,
  own: Readonly<Partial<Record<PaperColumnName, { readonly column: PaperColumn; readonly cells: readonly string[] }>>>,
  usual: (name: PaperColumnName) => string,
): NonNullable<Paper['table']> {
  const shown = columns.flatMap(({ column, label }) => {
    const known = own[column];
    // a heading of one's own stands for the usual one only where it was changed
    return known
      ? [{ ...known, column: { ...known.column, label: label === usual(column) ? known.column.label : label } }]
      : [];
  });
  const count = Math.max(0, ...shown.map(({ cells }) => cells.length));
  return {
    columns: shown.map(({ column }) => column),
    rows: Array.from({ length: count }, (_, line) => shown.map(({ cells }) => cells[line] ?? '')),
  };
}
