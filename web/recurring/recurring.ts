import type { z } from 'zod';
import type { recurringBill } from '../../contract/recurring.ts';
import { mayRecur, rhythmUnits } from '../../domain/books/recurring.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';

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
  const often = every === 1 ? `Every ${word.slice(0, -1)}` : `Every ${every} ${word}`;
  return [`${often}${monthEnd ? ', on its last day' : ''}`, times !== null && `${times} in all`]
    .filter(Boolean)
    .join(', ');
};
