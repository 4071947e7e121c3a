import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import {
  type Millionths,
  millionths,
  percentage,
  percentText,
  quantity,
  rupeesText,
} from '../../../domain/base/decimal.ts';
import { paise, scale, sum } from '../../../domain/base/money.ts';
import { say } from '../../../domain/base/say.ts';
import type { Draft } from '../../../domain/document/document.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { price } from '../../../domain/document/price.ts';
import { resolve } from '../../../domain/document/resolve.ts';
import { isRegular } from '../../../domain/tax/gst/registration/registered.ts';
import { listedAtTill, type PriceSource, shareOff, tillPrice } from '../../../domain/till/till.ts';
import type { Context } from '../../context.ts';
import { Problems } from '../../kit/problems.ts';
import { factsOf } from '../posting/facts/draft-facts.ts';
import { pricesOf } from '../posting/facts/price-lists.ts';
import { kindAsked } from '../posting/kinds.ts';

interface Till {
  limit: string | null;
  prices: PriceSource | null;
}

/** Cash of a till is that of its session: a bill or return beside every session is made by who approves them. */
function refuseWithoutTill({ roles = [] }: Kind): void {
  if (roles.some((role) => role === 'tillBill' || role === 'tillReturn'))
    throw new Problems([{ field: 'till', ...say('Open the till: its bills and returns belong to a session of it') }]);
}

/** What a till says may be given off without an approval, by discounts or by lower prices; who approves its bills may give more. */
export async function checkTillDiscount(context: Context, draft: Draft): Promise<void> {
  const mayApprove = context.may('approve', draft.kind);
  if (!draft.till && !mayApprove) return refuseWithoutTill(kindOf(kindAsked(draft.kind)));
  if (kindOf(kindAsked(draft.kind)).source.givesPrice) return leavesAccount(context, draft);
  if (!draft.till || mayApprove) return;
  const { session } = draft.till;
  await context.inTransaction(async (trx) => {
    const found = await sql<Till>`
      select m.body ->> 'discountLimit' as
      limit, m.body ->> 'prices' as prices
      from till_sessions s
      join masters m on m.organisation = s.organisation and m.id = s.till
      where s.organisation = ${context.organisation} and s.id = ${session}
    `.execute(trx);
    const [till] = found.rows;
    if (till?.limit == null) return;
    const kind = kindAsked(draft.kind);
    const facts = await factsOf(trx, context, draft);
    const retail = await retailPrices(context, trx, draft);
    const prices = await pricesOf(trx, context.organisation, kindOf(kind), {
      party: draft.party,
      location: draft.location,
      items: [...facts.items.keys()],
    });
    const taxed = isRegular(facts.own.kind);
    const listed = sum(
      draft.lines.map(({ item: id, quantity: many, rate }) => {
        const item = facts.items.get(id ?? '');
        const asked = rate ?? millionths(0);
        const own = item && tillPrice({ ...item, mrp: retail.get(item.id) ?? null }, till.prices ?? 'saleRate', taxed);
        // what a price list says is no discount of the cashier's
        const listed =
          item &&
          listedAtTill(
            item,
            { kind: kindOf(kind), date: draft.date, quantity: many ?? millionths(0), taxed, own },
            prices.get(item.id) ?? [],
          )?.rate;
        return scale(many ?? 0, Math.max(listed ?? asked, asked), 10_000_000_000);
      }),
    );
    const priced = price(resolve(kindOf(kind), draft, facts));
    const given = shareOff(listed, paise(priced.gross - priced.discount));
    if (given > percentage(till.limit))
      throw new Refusal('discountLimit', { most: till.limit, given: percentText(given) });
  });
}

/** What of a bill stayed on the account of the customer was never paid here: it is not given back here, but by a sale return. */
async function leavesAccount(context: Context, draft: Draft): Promise<void> {
  if (!draft.till || !draft.against) return;
  const { against } = draft;
  await context.inTransaction(async (trx) => {
    const { rows } = await sql<{ number: string; account: string; paid: string; back: string }>`
      select
        d.number, coalesce(d.body -> 'draft' ->> 'onAccount', '0') as account,
        d.payable - coalesce((d.body -> 'draft' ->> 'onAccount')::bigint, 0) as paid,
        (
          select coalesce(sum(r.payable), 0)
          from documents r
          where r.organisation = d.organisation
            and r.kind = ${draft.kind}
            and r.body -> 'draft' ->> 'against' = d.id::text
            and not exists (select from cancellations c where c.organisation = r.organisation and c.document = r.id)
        ) as back
      from documents d
      where d.organisation = ${context.organisation} and d.id = ${against}::uuid
    `.execute(trx);
    const [bill] = rows;
    if (!bill || Number(bill.account) === 0) return;
    const left = Number(bill.paid) - Number(bill.back);
    const asked = sum((draft.tenders ?? []).map((t) => t.amount));
    if (asked > left)
      throw new Problems([
        {
          field: 'tenders',
          ...say(
            '{{account}} of {{number}} stayed on the account of the customer: at most {{left}} is given back here; a sale return ' +
              'takes the rest off the account',
            { account: rupeesText(Number(bill.account)), number: bill.number, left: rupeesText(Math.max(left, 0)) },
          ),
        },
      ]);
  });
}

async function retailPrices(
  { organisation }: Context,
  trx: Parameters<Parameters<Context['inTransaction']>[0]>[0],
  draft: Draft,
): Promise<Map<string, Millionths>> {
  const ids = draft.lines.flatMap((l) => (l.item ? [l.item] : []));
  const { rows } = await sql<{
    id: string;
    mrp: string;
  }>`
    select id, body ->> 'mrp' as mrp
    from items
    where organisation = ${organisation} and id = any(${ids}::uuid[]) and body ->> 'mrp' is not null
  `.execute(trx);
  return new Map(rows.map(({ id, mrp }) => [id, quantity(mrp)]));
}
