import { sql } from 'kysely';
import { moneyText, parseDecimal, percentText, quantityText, rateText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindLabel, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { hidesCostOf, may, parentsOfMaster, seesCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { isCancelled, isHere, LIMIT, type PartQuery, type Trx, viewedKinds } from './part.ts';

/** Kinds of orders that hold stock until they are delivered. */
const holding = kindNames.filter((kind) => kindOf(kind).stock.effect === 'reserve');

interface Item {
  readonly unit: string;
  readonly stocked: boolean;
  readonly level: string | null;
  readonly levels: readonly { readonly location: Id; readonly level: string }[] | null;
  /** The item, or the variants of an item that has some: those are bought, sold and counted. */
  readonly ids: readonly Id[];
}

async function itemOf(trx: Trx, { organisation }: Context, id: Id): Promise<Item | undefined> {
  const { rows } = await sql<Item>`
    select
      i.unit, i.stocked, i.body ->> 'reorderLevel' as level, i.body -> 'reorderLevels' as levels,
      case
        when i.is_template then array(
          select v.id from items v where v.organisation = i.organisation and v.template = i.id
        )
        else array[i.id]
      end as ids
    from items i
    where i.organisation = ${organisation} and i.id = ${id}::uuid
  `.execute(trx);
  return rows[0];
}

interface Place {
  readonly id: Id;
  readonly code: string;
  readonly name: string;
  readonly quantity: string;
  readonly value: string;
}

/** Quantity and value at each place of the person that has some, or has a reorder level of its own. */
async function placesOf(trx: Trx, context: Context, { ids, levels }: Item): Promise<readonly Place[]> {
  const { rows } = await sql<Place>`
    select l.id, l.code, l.name, coalesce(b.quantity, 0) as quantity, coalesce(b.value, 0) as value
    from locations l
    left join (
      select location, sum(quantity) as quantity, sum(value) as value
      from item_balances
      where organisation = ${context.organisation} and item = any(${[...ids]}::uuid[])
      group by location
    ) b on b.location = l.id
    where l.organisation = ${context.organisation}
      and ${isHere('l.id', context)}
      and (
        coalesce(b.quantity, 0) <> 0
          or (l.active and l.id = any(${(levels ?? []).map(({ location }) => location)}::uuid[]))
      )
    order by l.name, l.id
  `.execute(trx);
  return rows;
}

const levelAt = ({ levels }: Item, place: Id): number | undefined => {
  const own = levels?.find(({ location }) => location === place);
  return own && parseDecimal(own.level, 6);
};
/** What is missing up to a level; null: nothing. */
const shortage = (level: number | undefined, there: number): string | null =>
  level === undefined || there >= level ? null : quantityText(level - there);

const stock: PartQuery = async (trx, context, id) => {
  const item = await itemOf(trx, context, id);
  if (!item?.stocked) return undefined;
  const places = await placesOf(trx, context, item);
  const { rows } = await sql<{ held: string }>`
    select coalesce(sum(quantity), 0) as held
    from stock_reserved(
      ${context.organisation}, ${holding}::text[], ${[...item.ids]}::uuid[], ${[...context.locations]}::uuid[]
    )
  `.execute(trx);
  const onHand = places.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  const held = Number(rows[0]?.held ?? 0);
  const level = parseDecimal(item.level ?? '', 6);
  // a place with a level of its own is looked at by itself
  const elsewhere = places
    .filter((place) => levelAt(item, place.id) === undefined)
    .reduce((sum, { quantity }) => sum + Number(quantity), 0);
  return [
    {
      onHand: quantityText(onHand),
      held: held === 0 ? null : quantityText(held),
      free: held === 0 ? null : quantityText(onHand - held),
      level: level === undefined ? null : quantityText(level),
      short: shortage(level, elsewhere),
      value: moneyText(places.reduce((sum, { value }) => sum + Number(value), 0)),
    },
  ];
};

const stockPlaces: PartQuery = async (trx, context, id) => {
  const item = await itemOf(trx, context, id);
  if (!item?.stocked) return undefined;
  return (await placesOf(trx, context, item)).slice(0, LIMIT).map(({ id: at, code, name, quantity, value }) => {
    const level = levelAt(item, at);
    return {
      ...{ code, place: name },
      level: level === undefined ? null : quantityText(level),
      short: shortage(level, Number(quantity)),
      quantity: quantityText(Number(quantity)),
      value: moneyText(Number(value)),
    };
  });
};

/** Whether the item is kept in batches, or has serial numbers. */
const isKept = async (trx: Trx, { organisation }: Context, id: Id, how: 'batched' | 'serialised'): Promise<boolean> =>
  (
    await sql`
      select from items
      where organisation = ${organisation} and id = ${id}::uuid and (body ->> ${how})::boolean
    `.execute(trx)
  ).rows.length > 0;

const batches: PartQuery = async (trx, context, id) => {
  if (!(await isKept(trx, context, id, 'batched'))) return undefined;
  const { rows } = await sql<{ batch: string; place: string; expiry: string | null; quantity: string }>`
    select h.batch, l.name as place, h.expiry, h.quantity
    from batches_held(${context.organisation}, array[${id}::uuid], ${[...context.locations]}::uuid[]) h
    join locations l on l.organisation = ${context.organisation} and l.id = h.location
    order by h.expiry nulls last, h.batch, l.name
    limit ${LIMIT}
  `.execute(trx);
  return rows.map((row) => ({ ...row, quantity: quantityText(Number(row.quantity)) }));
};

const serials: PartQuery = async (trx, context, id) => {
  if (!(await isKept(trx, context, id, 'serialised'))) return undefined;
  const { rows } = await sql<{ serial: string; place: string }>`
    select h.serial, l.name as place
    from serials_held(${context.organisation}, array[${id}::uuid], ${[...context.locations]}::uuid[]) h
    join locations l on l.organisation = ${context.organisation} and l.id = h.location
    order by h.serial, l.name
    limit ${LIMIT}
  `.execute(trx);
  return rows;
};

interface ListPrice {
  readonly id: Id;
  readonly list: string;
  readonly side: string;
  readonly from: string | null;
  readonly rate: string | null;
  readonly discount: string | null;
  readonly validTo: string | null;
}

/** What price lists in force say of the item, or of the item whose variant it is. Those for purchases say what goods cost. */
const listPrices: PartQuery = async (trx, context, id) => {
  const lists = parentsOfMaster('priceList');
  if (!may(context.grants, 'read', lists)) return undefined;
  const sides = seesCost(context, lists) ? ['sale', 'purchase'] : ['sale'];
  const { rows } = await sql<ListPrice>`
    select
      m.id, m.name as list, coalesce(m.body ->> 'side', 'sale') as side, p ->> 'from' as from,
      p ->> 'rate' as rate, p ->> 'discount' as discount, m.body ->> 'validTo' as "validTo"
    from items i
    join masters m on m.organisation = i.organisation and m.master = 'priceList' and m.active
    cross join lateral jsonb_array_elements(
      case jsonb_typeof(m.body -> 'prices') when 'array' then m.body -> 'prices' else '[]' end
    ) p
    where i.organisation = ${context.organisation}
      and i.id = ${id}::uuid
      and p ->> 'item' in (i.id::text, i.template::text)
      and coalesce(m.body ->> 'side', 'sale') = any(${sides}::text[])
      and coalesce(nullif(m.body ->> 'validTo', '') >= ${context.today}, true)
    order by m.name, m.id, coalesce(nullif(p ->> 'from', '')::numeric, 0)
    limit ${LIMIT}
  `.execute(trx);
  const filled = (text: string | null) => (text === '' ? null : text);
  return rows.map(({ id: list, side, from, rate, discount, validTo, list: name }) => ({
    ...{ list: name, listId: list, side: side === 'purchase' ? 'Purchases' : 'Sales' },
    ...{ from: filled(from), validTo: filled(validTo) },
    rate: filled(rate) && rateText(parseDecimal(rate ?? '', 6) ?? 0),
    discount: filled(discount) && percentText(parseDecimal(discount ?? '', 4) ?? 0),
  }));
};

const barcodes: PartQuery = async (trx, { organisation }, id) => {
  const { rows } = await sql<{ barcode: string; unit: string }>`
    select b.barcode, coalesce(b.unit, i.unit) as unit
    from item_barcodes b
    join items i on i.organisation = b.organisation and i.id = b.item
    where b.organisation = ${organisation} and b.item = ${id}::uuid
    order by b.main desc, b.barcode
    limit ${LIMIT}
  `.execute(trx);
  return rows;
};

/** The variants of an item; of a variant, the item and its other variants. */
const variants: PartQuery = async (trx, context, id) => {
  const { rows } = await sql<{
    id: Id;
    sku: string;
    name: string;
    active: boolean;
    template: boolean;
    on_hand: string;
  }>`
    select
      v.id, v.sku, v.name, v.active, v.is_template as template,
      coalesce(
        (
          select sum(b.quantity)
          from item_balances b
          where b.organisation = v.organisation and b.item = v.id and ${isHere('b.location', context)}
        ),
        0
      ) as on_hand
    from items i
    join items v
      on v.organisation = i.organisation and v.id <> i.id and (v.template in (i.id, i.template) or v.id = i.template)
    where i.organisation = ${context.organisation} and i.id = ${id}::uuid
    order by v.is_template desc, v.sku
    limit ${LIMIT}
  `.execute(trx);
  return rows.map(({ id: variant, sku, name, active, template, on_hand }) => ({
    ...{ sku, skuId: variant, name },
    state: template ? 'All variants' : active ? null : 'Inactive',
    onHand: template ? null : quantityText(Number(on_hand)),
  }));
};

interface Line {
  readonly document: Id;
  readonly kind: string;
  readonly number: string;
  readonly date: string;
  readonly party: Id | null;
  readonly party_name: string;
  readonly quantity: string;
  readonly unit: string;
  readonly rate: string;
  readonly taxable: string;
  readonly cancelled: boolean;
}

/** The lines that were posted last of documents of a side: an index has the lines of each item in the order of its documents. */
const lastLines =
  (side: 'customer' | 'supplier' | 'none', stockOnly = false): PartQuery =>
  async (trx, context, id) => {
    const item = await itemOf(trx, context, id);
    if (!item || (stockOnly && !item.stocked)) return undefined;
    const { rows } = await sql<Line>`
      select l.*
      from unnest(${[...item.ids]}::uuid[]) i(id)
      cross join lateral (
        select
          x.document, d.kind, d.number, d.date, d.party, d.party_name, x.quantity, x.unit, x.rate, x.taxable, x.line,
          ${isCancelled} as cancelled
        from document_lines x
        join documents d on d.organisation = x.organisation and d.id = x.document
        where x.organisation = ${context.organisation}
          and x.item = i.id
          and d.kind = any(${viewedKinds(context, side)}::text[])
          and ${isHere('d.location', context)}
        order by x.document desc, x.line
        limit ${LIMIT}
      ) l
      order by l.document desc, l.line
      limit ${LIMIT}
    `.execute(trx);
    return rows
      .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
      .map(({ document, kind, number, date, party, party_name, quantity, unit, rate, taxable, cancelled }) => {
        const hidden = hidesCostOf(context, kind);
        return {
          ...{ document, kind, kindLabel: kindLabel(kind), number, date, unit },
          ...{ party: party_name, partyId: party },
          quantity: quantityText(Number(quantity)),
          rate: hidden ? null : rateText(Number(rate)),
          taxable: hidden ? null : moneyText(Number(taxable)),
          state: cancelled ? 'Cancelled' : null,
        };
      });
  };

export const itemParts = {
  stock,
  stockPlaces,
  batches,
  serials,
  listPrices,
  barcodes,
  variants,
  itemSales: lastLines('customer'),
  itemPurchases: lastLines('supplier'),
  itemMoves: lastLines('none', true),
} as const;
