import type { z } from 'zod';
import type { taxCalls } from '../../contract/withheld.ts';
import { addMonths, financialYearOf } from '../../domain/base/dates.ts';
import { parseDecimal } from '../../domain/base/decimal.ts';
import { paise, sum } from '../../domain/base/money.ts';
import { type MajorHead, majorHeads, type Withholding } from '../../domain/facts/deposits.ts';
import { lateInterest } from '../../domain/tax/deposits.ts';
import { useSession, usualPlace } from '../kit/server/session.ts';

export type Month = z.output<typeof taxCalls.GetTaxWithheld.details>['rows'][number];
export type Deduction = z.output<typeof taxCalls.ListTaxDeductions.details>[number];
export type Challan = z.output<typeof taxCalls.ListTaxChallans.details>[number];
export type Quarter = z.output<typeof taxCalls.ListTaxCertificates.details>;
export type Certified = Quarter['rows'][number];

/** How tax that is deducted, or collected, is spoken of. */
export const words = {
  tds: { short: 'TDS', did: 'Deducted', party: 'Deductee', none: 'No tax was deducted in this year' },
  tcs: { short: 'TCS', did: 'Collected', party: 'Collectee', none: 'No tax was collected in this year' },
} as const satisfies Record<Withholding, Readonly<Record<'short' | 'did' | 'party' | 'none', string>>>;

/** The financial years that can be chosen, this one first. */
export const yearsBefore = (today: string): readonly string[] =>
  [0, 1, 2, 3].map((back) => financialYearOf(addMonths(today, -12 * back)).label);

export const headChoices = majorHeads.map(([value, label]) => ({ value, label: `${value} ${label}` }));

/** What of each deduction is to be paid, as it is typed, by document. */
export type Amounts = Readonly<Record<string, string>>;

/** What is left of the deductions under a head. */
export const amountsFor = (rows: readonly Deduction[], head: MajorHead): Amounts =>
  Object.fromEntries(
    rows.filter((row) => row.head === head && row.left !== '0.00').map((row) => [row.document, row.left]),
  );

/** The head under which most deductions still have something to pay. */
export const headOfMost = (rows: readonly Deduction[]): MajorHead => {
  const open = rows.filter(({ left }) => left !== '0.00');
  return open.filter(({ head }) => head === '0020').length * 2 >= open.length ? '0020' : '0021';
};

/** What being late costs by the law, deduction by deduction. */
export const interestOn = (tax: Withholding, rows: readonly Deduction[], amounts: Amounts, date: string): number =>
  sum(
    rows.map((row) =>
      lateInterest(tax, paise(Math.max(0, parseDecimal(amounts[row.document] ?? '', 2) ?? 0)), row.date, date),
    ),
  );

/** Where a challan is paid: where a new document begins. */
export const usePlace = (): { readonly registration: string; readonly location: string } => {
  const session = useSession();
  const { location, registration } = usualPlace(session);
  return { registration, location };
};
