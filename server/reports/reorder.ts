import { sql } from 'kysely';
import { millionths, quantityText } from '../../domain/decimal.ts';
import type { Id } from '../../domain/document.ts';
import { kindNames, kindOf } from '../../domain/kinds/index.ts';
import { among, type Query, type Row } from './report.ts';

interface Low {
  readonly id: Id;
  readonly sku: string;
  readonly name: string;
  readonly unit: string;
  readonly level: string;
  readonly on_hand: string;
  readonly held: string;
  readonly coming: string;
  readonly supplier: string | null;
}

/** Orders of ours that bring goods in, and the kinds that bring them in and say from whom. */
const ordering = kindNames.filter((name) => kindOf(name).life === 'ordered' && kindOf(name).tax === 'input');
const buying = kindNames.filter(
  (name) => kindOf(name).stock === 'in' && kindOf(name).party.side === 'supplier' && kindOf(name).tax === 'input',
);
const holding = kindNames.filter((name) => kindOf(name).stock === 'reserve');

/**
 * Items of which what is free and what is on its way come to less than their reorder level, with how much is to be ordered.
 * Variants have levels of their own.
 */
export const reorder: Query = async (db, { organisation, filters, places, after, limit }) => {
  const { rows } = await sql<Low>`
    with wanted as (
      select i.id, i.sku, i.name, i.unit, round((i.body ->> 'reorderLevel')::numeric * 1000000) as level
        from items i where i.organisation = ${organisation} and i.active and i.stocked and not i.is_template
         and coalesce(i.body ->> 'reorderLevel', '') ~ '^[0-9]+(\\.[0-9]+)?$' and (i.body ->> 'reorderLevel')::numeric > 0
    ), stand as (
      select w.*,
             coalesce((select sum(b.quantity) from item_balances b where b.organisation = ${organisation} and b.item = w.id and ${among('b.location', places)}), 0) as on_hand,
             coalesce((select sum(r.quantity) from stock_reserved(${organisation}, ${holding}::text[], array[w.id], ${[...places]}::uuid[]) r), 0) as held,
             coalesce((select sum(r.quantity) from stock_reserved(${organisation}, ${ordering}::text[], array[w.id], ${[...places]}::uuid[]) r), 0) as coming
        from wanted w
    )
    select s.*, (select d.party_name from document_lines l join documents d on d.organisation = l.organisation and d.id = l.document
                  where l.organisation = ${organisation} and l.item = s.id and d.kind = any(${buying}::text[]) and d.reverses is null order by d.date desc, d.id desc limit 1) as supplier
      from stand s where s.on_hand - s.held + s.coming < s.level and s.sku > ${after ?? ''} order by s.sku limit ${limit + 1}`.execute(
    db,
  );
  const page = rows.slice(0, limit);
  return {
    rows: page.map((row): Row => {
      const [level, onHand, held, coming] = [row.level, row.on_hand, row.held, row.coming].map(Number) as [
        number,
        number,
        number,
        number,
      ];
      return {
        ...{ sku: row.sku, item: row.name, itemId: row.id, unit: row.unit, supplier: row.supplier ?? '' },
        level: quantityText(level),
        onHand: quantityText(onHand),
        held: quantityText(held),
        coming: quantityText(coming),
        short: quantityText(millionths(level - (onHand - held + coming))),
      };
    }),
    totals: {},
    after: rows.length > limit ? (page.at(-1)?.sku ?? null) : null,
    notes: filters.location ? [] : ['The level of an item is held against all places together'],
  };
};
