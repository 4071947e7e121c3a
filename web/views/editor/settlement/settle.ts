import { moneyText, parseDecimal } from '../../../../domain/base/decimal.ts';
import { paise, scale } from '../../../../domain/base/money.ts';
import { worthOf } from '../../../../domain/books/exchange.ts';
import { addMoney, itemName, type Texts } from '../wire.ts';

export type Side = 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit';

/**
 * Settlements that nobody has typed, for an amount that was changed: each as it was, as far as the amount reaches. Undefined
 * when they are right already.
 */
export function withinAmount(
  given: readonly Texts[],
  now: readonly Texts[],
  most: number,
): readonly Texts[] | undefined {
  let left = most;
  const rows = given.map((row) => {
    const amount = Math.min(addMoney([row['amount']]), Math.max(left, 0));
    left -= amount;
    return { item: row['item'] ?? '', amount: amount > 0 ? moneyText(paise(amount)) : '' };
  });
  const isSame =
    rows.length === now.length &&
    rows.every(
      (row, at) => row.item === now[at]?.['item'] && addMoney([row.amount]) === addMoney([now[at]?.['amount']]),
    );
  return isSame ? undefined : rows;
}

/** What can be settled: the amount with what was deducted, allowed or written off; what the bank took is inside it. */
export const settleable = (head: Texts): number =>
  addMoney(['amount', 'tdsAmount', 'gstTdsAmount', 'discountAmount', 'writeOff'].map((name) => head[name]));

export interface Open {
  readonly document: string;
  readonly line?: number;
  readonly open: string;
}
/**
 * What settling so much of these documents wins or loses on exchange, in paise: what they were booked at less what the money
 * is worth at its own rate. Nothing in rupees.
 */
export const exchangeOf = (
  items: readonly (Open & { readonly worth: string })[],
  amounts: Readonly<Record<string, string>>,
  rate: string,
): number => {
  const factor = parseDecimal(rate, 6) ?? 0;
  const cents = (text: string | undefined) => paise(parseDecimal(text ?? '', 2) ?? 0);
  const parts = items.flatMap((item) => {
    const amount = cents(amounts[itemName(item)]);
    return amount > 0 ? [{ item, amount }] : [];
  });
  const booked = worthOf(parts, (at) => {
    const { item } = parts[at] ?? { item: undefined };
    return { name: item ? itemName(item) : '', open: cents(item?.open), worth: cents(item?.worth) };
  });
  return parts.reduce((t, { amount }, at) => t + scale(amount, factor, 1_000_000) - (booked[at] ?? 0), 0);
};

/** Shares the money over open items in the order given (oldest first): text by name of the item. */
export const oldestFirst = (items: readonly Open[], paise: number): Readonly<Record<string, string>> => {
  let left = paise;
  return Object.fromEntries(
    items.map((item) => {
      const part = Math.max(0, Math.min(left, parseDecimal(item.open, 2) ?? 0));
      left -= part;
      return [itemName(item), part > 0 ? moneyText(part) : ''];
    }),
  );
};
