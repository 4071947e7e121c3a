import { money } from '../base/decimal.ts';
import type { Paise } from '../base/money.ts';
import type { Dated } from './withholding.ts';

/** An amount of the law on money in cash, from when until when, by its section. */
export interface CashLimit extends Dated {
  readonly limit: Paise;
  readonly law: string;
}

const newAct = '2026-04-01';
const old = '2026-03-31';

/**
 * Nobody receives so much or more in cash from one person in a day, for one transaction or for one event. Section 269ST of the
 * Income-tax Act 1961 (Finance Act 2017); section 186 of the Act of 2025. Who does pays as much again (sections 271DA, 450).
 */
export const cashReceipts: readonly CashLimit[] = [
  { from: '2017-04-01', to: old, limit: money('200000'), law: 'section 269ST of the Income-tax Act' },
  { from: newAct, limit: money('200000'), law: 'section 186 of the Income-tax Act 2025, before section 269ST' },
];

/**
 * Expenditure of which more is paid in cash to one person in a day is not deducted. Section 40A(3) of the Income-tax Act 1961, at
 * this amount by the Finance Act 2017; section 36(4) of the Act of 2025. Rule 6DD has exceptions.
 */
export const cashPayments: readonly CashLimit[] = [
  { from: '2008-04-01', to: '2017-03-31', limit: money('20000'), law: 'section 40A(3) of the Income-tax Act' },
  { from: '2017-04-01', to: old, limit: money('10000'), law: 'section 40A(3) of the Income-tax Act' },
  { from: newAct, limit: money('10000'), law: 'section 36(4) of the Income-tax Act 2025, before section 40A(3)' },
];

/** The same for plying, hiring or leasing goods carriages: second proviso to section 40A(3), since the Finance (No. 2) Act 2009. */
export const cashForCarriage: readonly CashLimit[] = [
  { from: '2009-10-01', limit: money('35000'), law: 'for plying, hiring or leasing goods carriages' },
];

export const cashLimitOn = (limits: readonly CashLimit[], day: string): CashLimit | undefined =>
  limits.find(({ from, to }) => from <= day && (to === undefined || day <= to));
