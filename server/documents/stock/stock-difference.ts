import { type Paise, paise } from '../../../domain/base/money.ts';
import { costEffect } from '../../../domain/books/posting.ts';
import type { Entry } from '../../../domain/document/document.ts';
import type { Kind } from '../../../domain/document/kinds/index.ts';
import type { CheckedRequest } from '../posting/types.ts';

/**
 * The stock ledger moves exactly as the stock balances do. What the entries leave out, goods that covered negative stock, is cost
 * of others.
 */
export function stockDifference(
  kind: Kind,
  request: CheckedRequest,
  entries: readonly Entry[],
  moved: readonly { readonly cost: Paise }[],
): Entry[] {
  const { stock } = request.ledgers;
  const against = request.ledgers[costEffect(kind)];
  const gap = gapOf(request, entries, moved);
  if (gap === 0 || stock === against) return [];
  const { registration, location } = request.draft;
  const [debit, credit] = gap > 0 ? [stock, against] : [against, stock];
  const amount = paise(Math.abs(gap));
  return [
    { ledger: debit, debit: amount, credit: paise(0), registration, location },
    { ledger: credit, debit: paise(0), credit: amount, registration, location },
  ];
}

/** How much more the stock balances were moved by than the stock ledger. */
export function gapOf(
  request: CheckedRequest,
  entries: readonly Entry[],
  moved: readonly { readonly cost: Paise }[],
): number {
  if (!request.settings.perpetual || moved.length === 0) return 0;
  const booked = entries.reduce((t, e) => (e.ledger === request.ledgers.stock ? t + e.debit - e.credit : t), 0);
  return moved.reduce((t, m) => t + m.cost, 0) - booked;
}
