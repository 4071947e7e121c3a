import { sql } from 'kysely';
import { millionths, quantityText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { type Asked, among, type Query, type Row } from './report.ts';

interface Low {
  readonly id: Id;
  readonly sku: string;
  readonly name: string;
  readonly unit: string;
  readonly location: Id | null;
  readonly code: string;
  readonly place: string;
  readonly level: string;
  readonly up_to: string;
  readonly on_hand: string;
  readonly held: string;
  readonly coming: string;
  readonly supplier: string | null;
}

/** Orders of ours that bring goods in, and the kinds that bring them in and say from whom. */
const ordering = kindNames.filter((name) => kindOf(name).life.cycle === 'ordered' && kindOf(name).gst.tax === 'input');
const buying = kindNames.filter(
  (name) =>
    kindOf(name).stock.effect === 'in' && kindOf(name).party.side === 'supplier' && kindOf(name).gst.tax === 'input',
);
const holding = kindNames.filter((name) => kindOf(name).stock.effect === 'reserve');

/** Decimal text of a body as millionths; what is no positive amount counts as none. */
const amount = (text: string) =>
  sql.raw(
    `case when ${text} ~ '^[0-9]+(\\.[0-9]+)?$' and (${text})::numeric > 0 then round((${text})::numeric * 1000000) end`,
  );

/** Items below their reorder level, with stock, reservations, orders under way and the supplier of the last purchase. */
const lowItems = ({ organisation, places, limit }: Asked, [sku, code]: readonly [string, string]) =>
  sql<Low>`
    with
      stocked as (
        select
          i.id, i.sku, i.name, i.unit, ${amount(`i.body ->> 'reorderLevel'`)} as level,
          case
            jsonb_typeof(i.body -> 'reorderLevels')
            when 'array' then i.body -> 'reorderLevels'
            else '[]'
          end as levels
        from items i
        where i.organisation = ${organisation}
          and i.active
          and i.stocked
          and not i.is_template
          and (coalesce(i.body ->> 'reorderLevel', '') <> '' or i.body ? 'reorderLevels')
      ),
      own as (
        select
          s.id, l.id as location, l.code, l.name as place, ${amount(`e ->> 'level'`)} as level,
          ${amount(`e ->> 'upTo'`)} as up_to
        from stocked s
        cross join jsonb_array_elements(s.levels) e
        join locations l on l.organisation = ${organisation} and l.id::text = e ->> 'location' and l.active
      ),
      wanted as (
        select
          s.id, s.sku, s.name, s.unit, o.location, o.code, o.place, o.level,
          coalesce(o.up_to, o.level) as up_to, array[o.location] as places
        from stocked s
        join own o on o.id = s.id
        where o.level is not null and ${among('o.location', places)}
        union all
        select
          s.id, s.sku, s.name, s.unit, null, '', '', s.level, s.level,
          array(
            select l.id
            from locations l
            where l.organisation = ${organisation}
              and ${among('l.id', places)}
              and not exists (select from jsonb_array_elements(s.levels) e where e ->> 'location' = l.id::text)
          )
        from stocked s
        where s.level is not null
      ),
      stand as (
        select
          w.*,
          coalesce(
            (
              select sum(b.quantity)
              from item_balances b
              where b.organisation = ${organisation} and b.item = w.id and b.location = any(w.places)
            ),
            0
          ) as on_hand,
          coalesce(
            (
              select sum(r.quantity)
              from stock_reserved(${organisation}, ${holding}::text[], array[w.id], w.places) r
            ),
            0
          ) as held,
          coalesce(
            (
              select sum(r.quantity)
              from stock_reserved(${organisation}, ${ordering}::text[], array[w.id], w.places) r
            ),
            0
          ) as coming
        from wanted w
        where cardinality(w.places) > 0
      )
    select
      s.*,
      (
        select d.party_name
        from document_lines l
        join documents d on d.organisation = l.organisation and d.id = l.document
        where l.organisation = ${organisation}
          and l.item = s.id
          and d.kind = any(${buying}::text[])
          and d.reverses is null
        order by d.date desc, d.id desc
        limit 1
      ) as supplier
    from stand s
    where s.on_hand - s.held + s.coming < s.level and (s.sku, s.code) > (${sku}, ${code})
    order by s.sku, s.code
    limit ${limit + 1}
  `;

/**
 * Items of which what is free and what is on its way come to less than their reorder level, with how much is to be ordered.
 * A location with a level of its own is looked after by itself, all others together. Variants have levels of their own.
 */
export const reorder: Query = async (db, asked) => {
  const { filters, after, limit } = asked;
  const [sku = '', code = ''] = (after ?? '').split('\u0000');
  const { rows } = await lowItems(asked, [sku, code]).execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map(rowOf),
    totals: {},
    after: last ? `${last.sku}\u0000${last.code}` : null,
    notes: filters.location
      ? []
      : ['A location with its own level is a row of its own; without a location, all others together'],
  };
};

function rowOf(row: Low): Row {
  const { sku, name, id, unit, supplier, place, location } = row;
  const [onHand, held, coming] = [Number(row.on_hand), Number(row.held), Number(row.coming)];
  return {
    ...{ sku, item: name, itemId: id, unit, supplier: supplier ?? '' },
    ...{ location: place, locationId: location ?? '' },
    level: quantityText(Number(row.level)),
    onHand: quantityText(onHand),
    held: quantityText(held),
    coming: quantityText(coming),
    short: quantityText(millionths(Number(row.up_to) - (onHand - held + coming))),
  };
}
