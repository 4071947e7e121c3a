import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { moneyText, quantityText, rateText } from '../../domain/base/decimal.ts';
import { divideRound, type Paise, paise } from '../../domain/base/money.ts';
import type { Day } from '../../domain/document/document.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { type Asked, among, type Query, type Row } from './report.ts';
import { isSplit, stockByPart } from './stock-parts.ts';

/** What a movement costs by now: a back-dated one after it may have changed it. */
const latestCost = sql`
  (
    select c.cost
    from movement_costs c
    where c.organisation = m.organisation and c.document = m.document and c.number = m.number
    order by c.revision desc
    limit 1
  )
`;

interface Held {
  item: string;
  sku: string;
  name: string;
  unit: string;
  location: string;
  location_name: string;
  quantity: string;
  value: string;
  revaluing: boolean;
}

/**
 * Stock and its value at the end of a day: a stock balance on which nothing moved later as it is kept at each posting, any other
 * from its movements and their latest cost.
 */
export const stockOnHand: Query = async (db, asked) => {
  if (isSplit(asked)) return stockByPart(db, asked);
  const { organisation, filters, after, limit, today, places } = asked;
  const asOf = filters.asOf ?? today;
  const [sku = '', place = ''] = (after ?? '').split('|');
  const { rows } = await sql<Held & { total: string }>`
    with held as (
      select b.item, b.location, b.quantity, b.value
      from item_balances b
      where b.organisation = ${organisation} and coalesce(b.last_date <= ${asOf}::date, true)
      union all
      select m.item, m.location, sum(m.quantity), sum(${latestCost})
      from item_balances b
      join movements m on m.organisation = b.organisation and m.item = b.item and m.location = b.location
      where b.organisation = ${organisation} and b.last_date > ${asOf}::date and m.date <= ${asOf}::date
      group by m.item, m.location
    )
    select
      h.item, i.sku, i.name, i.unit, h.location, l.name as location_name, h.quantity, h.value,
      sum(h.value) over () as total,
      exists (select from revaluations r where r.organisation = ${organisation} and r.item = h.item) as revaluing
    from held h
    join items i on i.organisation = ${organisation} and i.id = h.item
    join locations l on l.organisation = ${organisation} and l.id = h.location
    where (h.quantity <> 0 or h.value <> 0)
      and ${among('h.location', places)}
      and (${filters.item ?? null}::uuid is null or h.item = ${filters.item ?? null}::uuid)
      and (i.sku, h.location::text) > (${sku}, ${place})
    order by i.sku, h.location::text
    limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map(
      (row): Row => ({
        sku: row.sku,
        item: row.name,
        itemId: row.item,
        location: row.location_name,
        part: '',
        expiry: null,
        locationId: row.location,
        quantity: quantityText(Number(row.quantity)),
        unit: row.unit,
        rate: average(Number(row.value), Number(row.quantity)),
        value: moneyText(Number(row.value)),
        state: row.revaluing ? 'Being revalued' : '',
      }),
    ),
    // the first page knows what all of them come to
    totals: after ? {} : { value: moneyText(Number(rows[0]?.total ?? 0)) },
    after: last ? `${last.sku}|${last.location}` : null,
    notes: [],
  };
};

interface Moved {
  document: string;
  kind: string;
  number: string;
  date: string;
  sequence: string;
  location_name: string;
  party_name: string;
  reverses: string | null;
  quantity: string;
  cost: string;
}

/** One item movement by movement with what is left after each; what was there before the period stands first. */
export const stockLedger: Query = async (db, asked) => {
  const { filters, after, limit } = asked;
  const [day, sequence] = (after ?? '').split('|');
  const start = day && sequence ? sql`(${day}::date, ${sequence}::bigint)` : undefined;
  const mine = ofItem(asked);
  const before = start ? sql`(m.date, m.sequence) <= ${start}` : sql`m.date < ${filters.from}::date`;
  const opening = await sql<{ quantity: string; value: string }>`
    select coalesce(sum(m.quantity), 0) as quantity, coalesce(sum(${latestCost}), 0) as value
    from movements m
    where ${mine} and ${before}
  `.execute(db);
  const { rows } = await sql<Moved>`
    select
      m.document, d.kind, d.number, m.date, m.sequence, l.name as location_name, d.party_name, d.reverses,
      m.quantity, ${latestCost} as cost
    from movements m
    join documents d on d.organisation = m.organisation and d.id = m.document
    join locations l on l.organisation = m.organisation and l.id = m.location
    where ${mine}
      and m.date between ${filters.from}::date and ${filters.to}::date
      and ${start ? sql`(m.date, m.sequence) > ${start}` : sql`true`}
    order by m.date, m.sequence
    limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  let quantity = Number(opening.rows[0]?.quantity ?? 0);
  let value = Number(opening.rows[0]?.value ?? 0);
  const left = () => ({ balance: quantityText(quantity), value: moneyText(value) });
  const head: Row[] = start ? [] : [{ number: 'Opening stock', date: filters.from ?? '', ...left(), heading: true }];
  const body = page.map((row): Row => {
    quantity += Number(row.quantity);
    value += Number(row.cost);
    return { ...drawn(row), ...left() };
  });
  return { rows: [...head, ...body], totals: {}, after: last ? `${last.date}|${last.sequence}` : null, notes: [] };
};

const ofItem = ({ organisation, filters, places }: Asked): RawBuilder<unknown> =>
  sql`m.organisation = ${organisation} and m.item = ${filters.item}::uuid and ${among('m.location', places)}`;

const drawn = (row: Moved): Row => {
  const quantity = Number(row.quantity);
  return {
    date: row.date,
    number: row.number,
    kind: row.kind,
    document: row.document,
    kindLabel: `${kindLabel(row.kind)}${row.reverses === null ? '' : ' (cancelled)'}`,
    location: row.location_name,
    party: row.party_name,
    in: quantity > 0 ? quantityText(quantity) : '',
    out: quantity < 0 ? quantityText(-quantity) : '',
    cost: moneyText(Number(row.cost)),
  };
};

/** What the stock of these places was worth at the end of each of these days, in one walk over the movements. */
export async function stockWorth(
  db: QueryExecutorProvider,
  organisation: number,
  days: readonly Day[],
  places: readonly string[],
): Promise<readonly Paise[]> {
  const { rows } = await sql<{ worth: string }>`
    with moved as (
      select m.date, sum(c.cost) as cost
      from movements m
      join movement_costs c on c.organisation = m.organisation and c.document = m.document and c.number = m.number
      where m.organisation = ${organisation}
        and ${among('m.location', places)}
        and not exists (
          select from movement_costs later
          where later.organisation = c.organisation
            and later.document = c.document
            and later.number = c.number
            and later.revision = c.revision + 1
        )
      group by m.date
    )
    select coalesce((select sum(cost) from moved where date <= day), 0) as worth
    from unnest(${[...days]}::date[]) with ordinality t(day, n)
    order by n
  `.execute(db);
  return rows.map((row) => paise(Number(row.worth)));
}

/** Rupees a unit, to the paisa. */
const average = (value: number, quantity: number): string =>
  quantity === 0 ? '' : rateText(Number(divideRound(BigInt(value) * 1_000_000n, BigInt(quantity))) * 10_000);
