import { sql } from 'kysely';
import { quantityText } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { type Counted, decimalsProblems } from '../kit/measures.ts';
import type { Trx, Values } from './records.ts';

type Where = Pick<Context, 'organisation'>;
const rowsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value : []);
/** Quantities of fields that are filled in; `from` tells field and row. */
const filled = (value: unknown, unit: unknown, at: Counted['at']): Counted[] =>
  value === undefined || value === null ? [] : [{ quantity: Number(value), unit: String(unit ?? ''), at }];

/** Reorder levels of an item are counted in its unit. */
export const levelDecimals = (trx: Trx, { organisation }: Where, values: Values): Promise<Problem[]> =>
  decimalsProblems(trx, organisation, [
    ...filled(values.reorderLevel, values.unit, { field: 'reorderLevel' }),
    ...rowsOf(values.reorderLevels).flatMap(({ level, upTo }, row) => [
      ...filled(level, values.unit, { field: 'reorderLevels.level', row }),
      ...filled(upTo, values.unit, { field: 'reorderLevels.upTo', row }),
    ]),
  ]);

/** A price of an item holds from so many of its own unit on. */
export async function stepDecimals(trx: Trx, { organisation }: Where, values: Values): Promise<Problem[]> {
  const prices = rowsOf(values.prices);
  const items = prices.flatMap(({ item, from }) => (item && from !== undefined ? [String(item)] : []));
  if (items.length === 0) return [];
  const { rows } = await sql<{ id: Id; unit: string }>`
    select id, unit
      from items
     where organisation = ${organisation}
       and id = any(${items}::uuid[])`.execute(trx);
  const units = new Map(rows.map(({ id, unit }) => [id, unit]));
  return decimalsProblems(
    trx,
    organisation,
    prices.flatMap(({ item, from }, row) =>
      item ? filled(from, units.get(String(item)), { field: 'prices.from', row }) : [],
    ),
  );
}

/** One of a unit is so many of another, which is counted in its own decimals. */
export const factorDecimals = async (trx: Trx, { organisation }: Where, values: Values): Promise<Problem[]> =>
  (await decimalsProblems(trx, organisation, filled(values.factor, values.to, { field: 'factor' }))).map((problem) => ({
    ...problem,
    ...say('{{message}}: enter the conversion the other way round', { message: problem.message }),
  }));

/**
 * A factor that documents were entered with stays: a return, and what is made from an order, would take back another quantity. A
 * conversion that was deleted comes back with the same one.
 */
export async function factorUsed(trx: Trx, { organisation }: Where, values: Values): Promise<Problem[]> {
  const [from, to, item] = ['from', 'to', 'item'].map((name) => String(values[name] ?? '')) as [string, string, string];
  const factor = Number(values.factor);
  const { rows } = await sql<{ sku: string; number: string; one: string }>`
    select
      i.sku, d.number, round(l.base_quantity::numeric * 1000000 / l.quantity)::text as one
    from document_lines l
    join items i on i.organisation = l.organisation and i.id = l.item and i.unit = ${to}
    join documents d on d.organisation = l.organisation and d.id = l.document
    where l.organisation = ${organisation}
      and l.unit = ${from}
      and l.quantity > 0
      and l.base_quantity > 0
      and abs(l.base_quantity - round(l.quantity::numeric * ${factor}::numeric / 1000000)) > 1
      and coalesce((d.body #>> array['draft', 'lines', (l.line - 1)::text, 'freeQuantity'])::bigint, 0) = 0
      and (
        l.item::text = ${item}
          or (
            ${item} = ''
              and not exists (
                select from masters own
                where own.organisation = l.organisation
                  and own.master = 'unitConversion'
                  and own.active
                  and own.body ->> 'from' = l.unit
                  and own.body ->> 'item' = l.item::text
              )
          )
      )
    order by d.date desc
    limit 1
  `.execute(trx);
  const [used] = rows;
  if (!used) return [];
  const message = say(
    '{{number}} has {{sku}} with {{one}} {{to}} in 1 {{from}}: keep this factor, or make another unit for the new one',
    { number: used.number, sku: used.sku, one: quantityText(Number(used.one)), to, from },
  );
  return [{ field: 'factor', ...message }];
}
