import { sql } from 'kysely';
import { moneyText, quantityText, rateText } from '../../domain/decimal.ts';
import { divideRound } from '../../domain/money.ts';
import { among, type Query, type Row } from './report.ts';

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

/** Stock and its value: from the balances kept at each posting where nothing moved after the day, else from movements and their latest cost. */
export const stockOnHand: Query = async (db, { organisation, filters, after, limit, today, places }) => {
  const asOf = filters.asOf ?? today;
  const [sku = '', place = ''] = (after ?? '').split('|');
  const held = sql`
    select item, location, quantity, value from item_balances where organisation = ${organisation} and coalesce(last_date <= ${asOf}::date, true)
    union all
    select m.item, m.location, sum(m.quantity), sum(c.cost)
      from item_balances b
      join movements m on m.organisation = b.organisation and m.item = b.item and m.location = b.location and m.date <= ${asOf}::date
      join lateral (select cost from movement_costs c where c.organisation = m.organisation and c.document = m.document and c.number = m.number
                     order by c.revision desc limit 1) c on true
     where b.organisation = ${organisation} and b.last_date > ${asOf}::date group by m.item, m.location`;
  const { rows } = await sql<Held>`
    select h.item, i.sku, i.name, i.unit, h.location, l.name as location_name, h.quantity, h.value
      from (${held}) h
      join items i on i.organisation = ${organisation} and i.id = h.item
      join locations l on l.organisation = ${organisation} and l.id = h.location
     where (h.quantity <> 0 or h.value <> 0)
       and ${among('h.location', places)}
       and (${filters.item ?? null}::uuid is null or h.item = ${filters.item ?? null}::uuid)
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
