// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { type Millionths, millionths, percentage, percentText, quantity } from '../../domain/decimal.ts';
import type { Draft } from '../../domain/document.ts';
import { kindOf } from '../../domain/kinds/index.ts';
import { paise, scale, sum } from '../../domain/money.ts';
import { price } from '../../domain/price.ts';
import { resolve } from '../../domain/resolve.ts';
import { type PriceSource, shareOff, tillPrice } from '../../domain/till.ts';
import type { Context } from '../context.ts';
import { factsOf, kindAsked } from './prepare.ts';

interface Till { limit: string | null; prices: PriceSource | null }

/** What a till says may be given off without an approval, by discounts or by lower prices; who approves its bills may give more. */
export async function checkTillDiscount(context: Context, draft: Draft): Promise<void> {
  if (!draft.till || mayApprove(context, draft.kind)) return;
  const { session } = draft.till;
  await context.inTransaction(async (trx) => {
    const found = await sql<Till>`select m.body ->> 'discountLimit' as limit, m.body ->> 'prices' as prices from till_sessions s join masters m on m.organisation = s.organisation and m.id = s.till where s.organisation = ${context.organisation} and s.id = ${session}`.execute(trx);
    const [till] = found.rows;
    if (till?.limit == null) return;
    const kind = kindAsked(draft.kind);
    const facts = await factsOf(trx, context, draft);
    const retail = await retailPrices(context, trx, draft);
    const taxed = facts.own.kind === 'regular' || facts.own.kind === 'sez';
    const listed = sum(draft.lines.map(({ item: id, quantity: many, rate }) => {
      const item = facts.items.get(id ?? '');
      const asked = rate ?? millionths(0);
      const own = item && tillPrice({ ...item, barcode: null, mrp: retail.get(item.id) ?? null }, till.prices ?? 'saleRate', taxed);
      return scale(many ?? 0, Math.max(own ?? asked, asked), 10_000_000_000);
    }));
    const priced = price(resolve(kindOf(kind), draft, facts));
    const given = shareOff(listed, paise(priced.gross - priced.discount));
    if (given > percentage(till.limit)) throw new Refusal('discountLimit', { most: till.limit, given: percentText(given) });
  });
}

const mayApprove = (context: Context, kind: string): boolean => {
  try {
    context.allow('approve', kind);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
};

async function retailPrices({ organisation }: Context, trx: Parameters<Parameters<Context['inTransaction']>[0]>[0], draft: Draft): Promise<Map<string, Millionths>> {
  const ids = draft.lines.flatMap((l) => (l.item ? [l.item] : []));
  const { rows } = await sql<{ id: string; mrp: string }>`select id, body ->> 'mrp' as mrp from items where organisation = ${organisation} and id = any(${ids}::uuid[]) and body ->> 'mrp' is not null`.execute(trx);
  return new Map(rows.map(({ id, mrp }) => [id, quantity(mrp)]));
}
