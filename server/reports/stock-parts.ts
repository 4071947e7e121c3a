import { type RawBuilder, sql } from 'kysely';
import { quantityText } from '../../domain/base/decimal.ts';
import { type Asked, among, type Query } from './report.ts';

interface Held {
  item: string;
  sku: string;
  name: string;
  unit: string;
  location: string;
  location_name: string;
  part: string;
  expiry: string | null;
  quantity: string;
  revaluing: boolean;
  short: boolean;
}

/** Movements split as asked: by stock room, or by batch with the day it expires. */
const splits: Readonly<Record<string, RawBuilder<unknown>>> = {
  room: sql`
    select
      m.organisation, m.item, m.location, m.date, coalesce(r.name, '') as part, null::date as expiry,
      m.quantity
    from movements m
    left join masters r on r.organisation = m.organisation and r.id = m.room
  `,
  batch: sql`
    select
      m.organisation, m.item, m.location, m.date, coalesce(b.part ->> 'batch', '') as part,
      (b.part ->> 'expiry')::date as expiry,
      case
        when b.part is null then m.quantity
        else sign(m.quantity)::int * (b.part ->> 'quantity')::bigint
      end as quantity
    from movements m
    left join lateral jsonb_array_elements(m.batches) b(part) on true
  `,
};

export const isSplit = ({ filters }: Pick<Asked, 'filters'>): boolean => Object.hasOwn(splits, filters.by ?? '');

/** Quantities at the end of a day, split. Stock rooms and batches split the quantity and never the cost: there is no value. */
export const stockByPart: Query = async (db, { organisation, filters, after, limit, today, places }) => {
  const asOf = filters.asOf ?? today;
  const [sku = '', place = '', last = ''] = (after ?? '').split('\u0000');
  const split = splits[filters.by ?? ''];
  if (!split) throw new Error(`stock is not split by ${filters.by}`);
  const { rows } = await sql<Held>`
    with
      parts as (${split}),
      held as (
        select item, location, part, min(expiry) as expiry, sum(quantity) as quantity
        from parts m
        where m.organisation = ${organisation}
          and m.date <= ${asOf}::date
          and ${among('m.location', places)}
          and (${filters.item ?? null}::uuid is null or m.item = ${filters.item ?? null}::uuid)
        group by item, location, part
        having sum(quantity) <> 0
      )
    select
      h.item, i.sku, i.name, i.unit, h.location, l.name as location_name, h.part, h.expiry, h.quantity,
      exists (select from revaluations r where r.organisation = ${organisation} and r.item = h.item) as revaluing,
      coalesce(
        i.body ->> 'hasShelfLife' = 'true'
          and h.expiry < ${asOf}::date + coalesce((i.body ->> 'minRemainingShelfLifeDays')::int, 0),
        false
      ) as short
    from held h
    join items i on i.organisation = ${organisation} and i.id = h.item
    join locations l on l.organisation = ${organisation} and l.id = h.location
    where (i.sku, h.location::text, h.part) > (${sku}, ${place}, ${last})
    order by i.sku, h.location::text, h.part
    limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const end = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map((r) => ({
      sku: r.sku,
      item: r.name,
      itemId: r.item,
      location: r.location_name,
      locationId: r.location,
      part: r.part,
      expiry: r.expiry,
      quantity: quantityText(Number(r.quantity)),
      unit: r.unit,
      rate: '',
      value: '',
      state: r.revaluing
        ? 'Being revalued'
        : r.expiry !== null && r.expiry < asOf
          ? 'Expired'
          : r.short
            ? 'Too few days left'
            : '',
    })),
    totals: {},
    after: end ? [end.sku, end.location, end.part].join('\u0000') : null,
    notes: [],
  };
};
