import { sql } from 'kysely';
import { millionths } from '../../../domain/base/decimal.ts';
import { type Paise, paise } from '../../../domain/base/money.ts';
import type { Draft, Id, Priced } from '../../../domain/document/document.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { estimated, type Held, rateAt } from '../../../domain/stock/at-cost.ts';
import { firstSign, worthByLine } from '../../../domain/stock/stock.ts';
import type { Context } from '../../context.ts';
import type { Executor } from '../../kit/database/sql.ts';
import { itemsIn } from '../posting/facts/facts.ts';

/** A draft at what its goods are thought to cost by now, in paise; as it was where it has a price, or no stock is kept. */
export async function estimate(
  run: Executor,
  { organisation, settings }: Pick<Context, 'organisation' | 'settings'>,
  kind: Kind,
  draft: Draft,
  priced: Priced,
): Promise<Priced> {
  if (kind.stock.valued === undefined || !settings.trackInventory) return priced;
  const { rows } = await sql<{ item: Id; quantity: string; value: string }>`
    select item, quantity, value from item_balances
     where organisation = ${organisation} and location = ${draft.location}::uuid and item = any(${itemsIn(draft)}::uuid[])`.execute(
    run,
  );
  const stockBalances = new Map<Id, Held>(
    rows.map((r) => [r.item, { quantity: millionths(Number(r.quantity)), value: paise(Number(r.value)) }]),
  );
  return estimated(kind, draft, priced, (item) => stockBalances.get(item));
}

/**
 * A join that adds what documents `d` of a kind are worth in the books by now (`worth`, paise; null: what they say). Those that
 * follow the books do so in lists as well: a back-dated movement may have changed what their goods cost.
 */
export const worthNow = (kind: Kind) =>
  kind.stock.valued !== 'books'
    ? sql`cross join (select null::bigint as worth) v`
    : sql`
      left join lateral (
        select ${firstSign(kind)}::int * sum(latest_cost(m.organisation, m.document, m.number)) as worth
        from movements m
        where m.organisation = d.organisation
          and m.document = d.id
          and not exists (
            select from movements b
            where b.organisation = m.organisation
              and b.document = m.document
              and b.line = m.line
              and b.number < m.number
          )
      ) v on d.body ->> 'supply' = 'none'
    `;

interface Stored {
  readonly line: number;
  readonly quantity: string;
  readonly rate: string;
}

/** What a posted document at cost is worth by now, and what its view says of it. */
export interface Valued {
  /** Of each line, where the document follows the books. */
  readonly lines: ReadonlyMap<number, { readonly value: Paise; readonly rate: number }> | undefined;
  readonly total: Paise;
  /** The books have another value by now than its paper, which went out. */
  readonly inBooks: Paise | undefined;
  /** What its goods cost when it was posted, where that is another amount and it follows the books. */
  readonly asPosted: Paise | undefined;
}

/** `total`: as it was posted, which was at cost if it says so. Undefined where the document has a price, or moved nothing. */
export function valuedNow(
  kind: Kind,
  { supply, total, atCost }: { readonly supply: Priced['supply']; readonly total: number; readonly atCost: boolean },
  lines: readonly Stored[],
  movements: readonly { readonly line: number; readonly cost: string | null }[],
): Valued | undefined {
  if (kind.stock.valued === undefined || supply !== 'none' || movements.length === 0) return undefined;
  const worth = worthByLine(
    kind,
    movements,
    movements.map(({ cost }) => Number(cost)),
  );
  const now = paise([...worth.values()].reduce((sum, value) => sum + value, 0));
  if (kind.stock.valued === 'declared')
    return { lines: undefined, total: paise(total), inBooks: now === total ? undefined : now, asPosted: undefined };
  const valued = lines.map(({ line, quantity, rate }) => {
    const value = worth.get(line) ?? paise(0);
    const typed = { quantity: millionths(Number(quantity)), rate: millionths(Number(rate)) };
    return [line, { value, rate: rateAt(typed, value) }] as const;
  });
  return {
    lines: new Map(valued),
    total: now,
    inBooks: undefined,
    asPosted: atCost && now !== total ? paise(total) : undefined,
  };
}
