import { sql } from 'kysely';
import { moneyText, quantityText, rateText } from '../../domain/decimal.ts';
import { divideRound } from '../../domain/money.ts';
import type { Query, Row } from './report.ts';

interface Held {
  item: string;
  sku: string;
  name: string;
  unit: string;
  location: string;
  location_name: string;
  quantity: string;
  value: string;
}

/** Stock and its value: today's from the balances kept at each posting, an earlier day's from movements and their latest cost. */
export const stockOnHand: Query = async (db, { organisation, filters, after, limit, today, locations }) => {
  const asOf = filters.asOf ?? today;
  const [sku = '', place = ''] = (after ?? '').split('|');
  const held =
    asOf >= today
      ? sql`select item, location, quantity, value from item_balances where organisation = ${organisation}`
      : sql`select m.item, m.location, sum(m.quantity) as quantity, sum(c.cost) as value
              from movements m
              join lateral (select cost from movement_costs c where c.organisation = m.organisation and c.document = m.document and c.number = m.number
                             order by c.revision desc limit 1) c on true
             where m.organisation = ${organisation} and m.date <= ${asOf}::date group by m.item, m.location`;
  const { rows } = await sql<Held>`
    select h.item, i.sku, i.name, i.unit, h.location, l.name as location_name, h.quantity, h.value
      from (${held}) h
      join items i on i.organisation = ${organisation} and i.id = h.item
      join locations l on l.organisation = ${organisation} and l.id = h.location
     where (h.quantity <> 0 or h.value <> 0)
       and (${filters.location ?? null}::uuid is null or h.location = ${filters.location ?? null}::uuid)
       and (${filters.item ?? null}::uuid is null or h.item = ${filters.item ?? null}::uuid)
       and (${locations.length === 0} or h.location = any(${[...locations]}::uuid[]))
       and (i.sku, h.location::text) > (${sku}, ${place})
     order by i.sku, h.location::text limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const value = page.reduce((total, row) => total + Number(row.value), 0);
  return {
    rows: page.map(
      (row): Row => ({
        sku: row.sku,
        item: row.name,
        itemId: row.item,
        location: row.location_name,
        quantity: quantityText(Number(row.quantity)),
        unit: row.unit,
        rate: average(Number(row.value), Number(row.quantity)),
        value: moneyText(Number(row.value)),
      }),
    ),
    totals: after || last ? {} : { value: moneyText(value) },
    after: last ? `${last.sku}|${last.location}` : null,
    notes: [],
  };
};

/** Rupees a unit, to the paisa. */
const average = (value: number, quantity: number): string =>
  quantity === 0 ? '' : rateText(Number(divideRound(BigInt(value) * 1_000_000n, BigInt(quantity))) * 10_000);
