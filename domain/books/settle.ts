import { compareDays, daysBetween } from '../base/dates.ts';
import { type Paise, paise, zero } from '../base/money.ts';
import type { Allocation, Day, Id } from '../document/document.ts';

/** A document that is not settled yet; a negative `open` is a credit that nobody has used. */
export interface OpenItem {
  readonly document: Id;
  readonly date: Day;
  readonly due?: Day;
  readonly open: Paise;
}

export interface Settled {
  readonly allocations: readonly Allocation[];
  /** What no open item was left for: it stays on account. */
  readonly left: Paise;
}

/** Gives an amount to open items, the one due first before all others, until it is used up. Credits are passed over. */
export function oldestFirst(amount: Paise, items: readonly OpenItem[]): Settled {
  const sorted = items
    .filter((item) => item.open > 0)
    .toSorted((a, b) => compareDays(a.due ?? a.date, b.due ?? b.date) || compareDays(a.date, b.date));
  const allocations: Allocation[] = [];
  let left = amount;
  for (const { document, open } of sorted) {
    if (left <= 0) break;
    const part = paise(Math.min(open, left));
    allocations.push({ document, amount: part });
    left = paise(left - part);
  }
  return { allocations, left };
}

/** Working buckets of ageing, by days overdue at most. On the due day nothing is overdue yet. */
export const ageBuckets = [
  { bucket: 'notDue', days: 0 },
  { bucket: 'to30', days: 30 },
  { bucket: 'to60', days: 60 },
  { bucket: 'to90', days: 90 },
  { bucket: 'to180', days: 180 },
  { bucket: 'over180', days: Number.POSITIVE_INFINITY },
] as const;
export type AgeBucket = (typeof ageBuckets)[number]['bucket'];

export const ageBucketOf = (daysOverdue: number): AgeBucket =>
  ageBuckets.find(({ days }) => daysOverdue <= days)?.bucket ?? 'over180';

/** Sums of open items by age on a day, from the due date or the date of the bill. Unused credits stand apart as `onAccount`. */
export function ageing(
  items: readonly OpenItem[],
  asOf: Day,
  by: 'due' | 'date' = 'due',
): Readonly<Record<AgeBucket | 'onAccount', Paise>> {
  const sums = { notDue: zero, to30: zero, to60: zero, to90: zero, to180: zero, over180: zero, onAccount: zero };
  for (const item of items) {
    const from = by === 'due' ? (item.due ?? item.date) : item.date;
    const bucket = item.open < 0 ? 'onAccount' : ageBucketOf(daysBetween(from, asOf));
    sums[bucket] = paise(sums[bucket] + item.open);
  }
  return sums;
}
