import { apportion, type Paise, paise } from '../base/money.ts';
import type { Id } from '../document/document.ts';

/** What a ledger of income or expense holds at a place when its year ends, debit less credit. */
export interface StandingLedger {
  readonly ledger: Id;
  readonly location: Id;
  readonly amount: Paise;
}

/** Under periodic books: what the stock ledger says at a place, and what the stock there is worth. */
export interface StockAt {
  readonly location: Id;
  readonly booked: Paise;
  readonly worth: Paise;
}

/** Which part of the profit, or of the loss, an equity ledger takes; percent in whole ten-thousandths. */
export interface ProfitShare {
  readonly ledger: Id;
  readonly share: number;
}

export interface ClosingEntry {
  readonly ledger: Id;
  readonly location: Id;
  readonly debit: Paise;
  readonly credit: Paise;
}

export interface Closing {
  readonly entries: readonly ClosingEntry[];
  /** More than nothing: a profit. */
  readonly profit: Paise;
}

/**
 * Closes a year. Periodic books first put the closing stock in the place of the opening one; then every ledger of income and
 * expense is brought to nothing and what is left, the profit or the loss, goes to the owners' ledgers. Each place balances by
 * itself, so that its own balance sheet goes on balancing.
 */
export function closeYear(
  standing: readonly StandingLedger[],
  shares: readonly ProfitShare[],
  stock?: { readonly ledger: Id; readonly change: Id; readonly at: readonly StockAt[] },
): Closing {
  const places = [...new Set([...standing.map((s) => s.location), ...(stock?.at ?? []).map((s) => s.location)])].sort();
  let profit = 0;
  const entries = places.flatMap((location) => {
    const counted = (stock?.at ?? []).filter((s) => s.location === location);
    const exchanged = counted.flatMap(({ booked, worth }) =>
      booked === worth || !stock
        ? []
        : [
            entry(stock.change, location, booked),
            entry(stock.ledger, location, -booked),
            entry(stock.ledger, location, worth),
            entry(stock.change, location, -worth),
          ],
    );
    const held = new Map<Id, number>();
    for (const s of standing) if (s.location === location) held.set(s.ledger, (held.get(s.ledger) ?? 0) + s.amount);
    for (const { booked, worth } of counted)
      if (stock) held.set(stock.change, (held.get(stock.change) ?? 0) + booked - worth);
    const emptied = [...held].map(([ledger, amount]) => entry(ledger, location, -amount));
    const here = [...held.values()].reduce((t, amount) => t - amount, 0);
    profit += here;
    const parts = apportion(
      paise(here),
      shares.map((s) => s.share),
    );
    const taken = shares.map((s, at) => entry(s.ledger, location, -(parts[at] ?? 0)));
    return [...exchanged, ...emptied, ...taken];
  });
  return { entries: entries.filter((e) => e.debit !== 0 || e.credit !== 0), profit: paise(profit) };
}

/** A positive amount is a debit. */
const entry = (ledger: Id, location: Id, amount: number): ClosingEntry => ({
  ledger,
  location,
  debit: paise(amount > 0 ? amount : 0),
  credit: paise(amount < 0 ? -amount : 0),
});
