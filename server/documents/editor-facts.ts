// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import type { documents } from '../../contract/documents.ts';
import { moneyText, percentText, quantityText, rateText } from '../../domain/decimal.ts';
import type { Context } from '../context.ts';
import { itemFacts, partyFacts } from './facts.ts';

type Call = (typeof documents)['GetEditorFacts'];

/** Parties, items and ledgers of a draft with what stands beside their fields: stock, limit, what is owed. Decimals are text. */
export async function editorFacts(input: Input<Call>, context: Context): Promise<Answer<Call>> {
  return context.inTransaction(async (trx) => {
    const items = await itemFacts(trx, context.organisation, input.items);
    const stock = await sql<{ item: string; quantity: string }>`
      select item, sum(quantity) as quantity from item_balances where organisation = ${context.organisation} and item = any(${input.items}::uuid[]) and ${input.location ? sql`location = ${input.location}::uuid` : sql`true`} group by item`.execute(trx);
    const onHand = new Map(stock.rows.map((r) => [r.item, quantityText(Number(r.quantity))]));
    const parties = [];
    for (const id of input.parties) {
      const facts = await partyFacts(trx, context.organisation, id);
      if (!facts) continue;
      const { rows } = await sql<{ limit: string | null; owed: string; addresses: unknown }>`
        select p.credit_limit as limit, p.body -> 'addresses' as addresses, coalesce((select sum(case o.side when 'receivable' then o.open when 'payable' then o.open else -o.open end) from open_items o where o.organisation = p.organisation and o.party = p.id and o.open > 0), 0) as owed
          from parties p where p.organisation = ${context.organisation} and p.id = ${id}`.execute(trx);
      const [more] = rows;
      parties.push({ ...facts, creditLimit: more?.limit === null || more === undefined ? null : moneyText(Number(more.limit)), owed: moneyText(Number(more?.owed ?? 0)), addresses: more?.addresses ?? [] });
    }
    const ledgers = await sql<{ id: string; code: string; name: string; nature: string }>`select id, code, name, nature from ledgers where organisation = ${context.organisation} and id = any(${input.ledgers}::uuid[])`.execute(trx);
    return {
      parties,
      items: [...items.values()].map((i) => ({
        ...i,
        units: Object.fromEntries(Object.entries(i.units).map(([unit, factor]) => [unit, quantityText(factor)])),
        gstRate: percentText(i.gstRate), cessRate: percentText(i.cessRate), cessPerUnit: moneyText(i.cessPerUnit), retailPrice: i.retailPrice === null ? null : moneyText(i.retailPrice),
        saleRate: i.saleRate === null ? null : rateText(i.saleRate), purchaseRate: i.purchaseRate === null ? null : rateText(i.purchaseRate), onHand: onHand.get(i.id) ?? '0',
      })),
      ledgers: ledgers.rows,
    };
  });
}
