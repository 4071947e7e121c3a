import type { z } from 'zod';
import type { recurringBill } from '../../contract/recurring.ts';
import { mayRecur, type Rhythm, type RhythmUnit, rhythmUnits } from '../../domain/books/recurring.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { today } from '../kit/format.ts';
import { plural, t } from '../kit/text.ts';

/** Kinds that may come again. */
export const recurring = kindNames.filter((name) => mayRecur(kindOf(name)));

export type Bill = z.output<typeof recurringBill>;

const units: Readonly<Record<string, string>> = Object.fromEntries(rhythmUnits);
/** "Every month", "Every 2 weeks, 6 in all". */
export const rhythmText = ({
  every,
  unit,
  monthEnd,
  times,
}: Pick<Bill, 'every' | 'unit' | 'monthEnd' | 'times'>): string => {
  const word = (units[unit] ?? unit).toLowerCase();
  const often = plural(every, 'Every {{word}}', 'Every {{count}} {{word2}}', { word: word.slice(0, -1), word2: word });
  return [`${often}${monthEnd ? ', on its last day' : ''}`, times !== null && t('{{times}} in all', { times })]
    .filter(Boolean)
    .join(', ');
};

/** A bill that comes again, as its form holds it. */
export interface TypedBill {
  readonly name: string;
  readonly every: string;
  readonly unit: string;
  readonly first: string;
  readonly monthEnd: boolean;
  readonly until: string;
  readonly times: string;
  readonly posts: boolean;
}
export const typedOf = (bill: Bill | undefined): TypedBill => ({
  name: bill?.name ?? '',
  every: String(bill?.every ?? 1),
  unit: bill?.unit ?? 'month',
  first: bill?.first ?? today(),
  monthEnd: bill?.monthEnd ?? false,
  until: bill?.until ?? '',
  times: bill?.times == null ? '' : String(bill.times),
  posts: bill?.posts ?? false,
});
export const rhythmOf = (typed: TypedBill): Rhythm => ({
  first: typed.first,
  every: Number(typed.every),
  unit: typed.unit as RhythmUnit,
  monthEnd: typed.monthEnd,
  ...(typed.until && { until: typed.until }),
  ...(typed.times && { times: Number(typed.times) }),
});
/** Whether a bill may come on the last day of a month: not one that comes every so many days or weeks. */
export const hasMonths = (unit: string): boolean => unit !== 'day' && unit !== 'week';
