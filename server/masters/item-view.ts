import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { namedCalls } from '../../contract/named.ts';
import { moneyText, quantityText, rateText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindLabel, kindNames } from '../../domain/document/kinds/index.ts';
import { hidesCostOf, may, parentsOfKind, parentsOfMaster, seesCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import type { Trx } from './records.ts';

type Shown = Answer<(typeof namedCalls)['GetItemView']>;

const LAST = 20;

const mayRead = (context: Context, kind: string): boolean => may(context.grants, 'view', parentsOfKind(kind));

interface Item {
  readonly sku: string;
  readonly name: string;
  readonly unit: string;
  readonly hsn: string;
  readonly barcode: string | null;
  readonly stocked: boolean;
  readonly active: boolean;
  readonly sale_rate: string | null;
  readonly purchase_rate: string | null;
  readonly body: {
    readonly mrp?: string;
    readonly reorderLevel?: string;
    readonly reorderLevels?: readonly { readonly location: Id; readonly level: string }[];
    readonly description?: string;
  };
  readonly category: string | null;
  readonly is_template: boolean;
  readonly template: { readonly id: Id; readonly name: string } | null;
}
interface Line {
  readonly id: Id;
  readonly kind: string;
  readonly number: string;
  readonly date: string;
  readonly party: string;
  readonly quantity: string;
  readonly unit: string;
  readonly rate: string;
  readonly taxable: string;
  readonly cancelled: boolean;
}

/** An item as its view shows it: prices, stock by location, and the last documents that name it, of kinds the user may read. */
export async function itemView(trx: Trx, context: Context, id: Id): Promise<Shown> {
  const org = context.organisation;
  const { rows } = await sql<Item>`
    select
      i.sku, i.name, i.unit, i.hsn, i.barcode, i.stocked, i.active, i.sale_rate, i.purchase_rate, i.body,
      i.is_template,
      (
        select json_build_object('id', t.id, 'name', t.name)
        from items t
        where t.organisation = i.organisation and t.id = i.template
      ) as template,
      (
        select c.name
        from masters c
        where c.organisation = i.organisation and c.master = 'category' and c.id::text = i.body ->> 'category'
      ) as category
    from items i
    where i.organisation = ${org} and i.id = ${id}
  `.execute(trx);
  const [item] = rows;
  if (!item) throw new Refusal('notFound');
  const here = context.locations.length > 0 ? sql`= any(${[...context.locations]}::uuid[])` : sql`is not null`;
  const levels = new Map((item.body.reorderLevels ?? []).map(({ location, level }) => [location, level]));
  const stock = await sql<{ id: Id; code: string; name: string; quantity: string }>`
    select l.id, l.code, l.name, coalesce(b.quantity, 0) as quantity
    from locations l
    left join item_balances b on b.organisation = l.organisation and b.location = l.id and b.item = ${id}
    where l.organisation = ${org}
      and l.id ${here}
      and (coalesce(b.quantity, 0) <> 0 or (l.active and l.id = any(${[...levels.keys()]}::uuid[])))
    order by l.name
  `.execute(trx);
  const barcodes = await sql<{ barcode: string; unit: string }>`
    select barcode, coalesce(unit, ${item.unit}) as unit
    from item_barcodes
    where organisation = ${org} and item = ${id}
    order by main desc, barcode
  `.execute(trx);
  const variants = await sql<{ id: Id; sku: string; name: string; active: boolean; on_hand: string }>`
    select
      v.id, v.sku, v.name, v.active,
      coalesce(
        (
          select sum(b.quantity)
          from item_balances b
          where b.organisation = v.organisation and b.item = v.id and b.location ${here}
        ),
        0
      ) as on_hand
    from items v
    where v.organisation = ${org} and v.template = ${id}
    order by v.sku
  `.execute(trx);
  const kinds = kindNames.filter((kind) => mayRead(context, kind) && context.sees({ kind }) === 'all');
  const lines = await sql<Line>`
    select d.id, d.kind, d.number, d.date, d.party_name as party, x.quantity, x.unit, x.rate, x.taxable,
           exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) as cancelled
      from document_lines x join documents d on d.organisation = x.organisation and d.id = x.document
     where x.organisation = ${org} and x.item = ${id} and d.kind = any(${kinds}::text[]) and d.location ${here}
     order by d.date desc, d.id desc, x.line limit ${LAST}`.execute(trx);
  const total = [...stock.rows.map((row) => row.quantity), ...variants.rows.map((row) => row.on_hand)].reduce(
    (sum, quantity) => sum + Number(quantity),
    0,
  );
  return {
    ...{ id, sku: item.sku, name: item.name, unit: item.unit, hsn: item.hsn, barcode: item.barcode ?? '' },
    ...{ category: item.category ?? '', active: item.active, stocked: item.stocked },
    description: item.body.description ?? '',
    saleRate: rate(item.sale_rate),
    purchaseRate: seesCost(context, parentsOfMaster('item')) ? rate(item.purchase_rate) : null,
    mrp: item.body.mrp ?? null,
    reorderLevel: item.body.reorderLevel ?? null,
    onHand: quantityText(total),
    ...{ barcodes: barcodes.rows, template: item.template, hasVariants: item.is_template },
    variants: variants.rows.map(({ on_hand, ...row }) => ({ ...row, onHand: quantityText(Number(on_hand)) })),
    stock: stock.rows.map(({ id: place, quantity, ...row }) => ({
      ...row,
      quantity: quantityText(Number(quantity)),
      level: levels.get(place) ?? null,
    })),
    documents: lines.rows.map(({ quantity, rate: each, taxable, ...line }) => ({
      ...line,
      label: kindLabel(line.kind),
      quantity: quantityText(Number(quantity)),
      rate: hidesCostOf(context, line.kind) ? null : rateText(Number(each)),
      taxable: hidesCostOf(context, line.kind) ? null : moneyText(Number(taxable)),
    })),
  };
}

const rate = (value: string | null): string | null => (value === null ? null : rateText(Number(value)));
