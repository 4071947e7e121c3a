import { financialYearOf } from '../../../base/dates.ts';
import { type Paise, paise } from '../../../base/money.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Day } from '../../../document/document.ts';

/** What a PAN turned over in a financial year ('2025-26'): typed for what is not in these books, counted from them for the rest. */
export interface Turnover {
  readonly pan: string;
  readonly year: string;
  readonly amount: Paise;
}

const crore = (n: number): Paise => paise(n * 10_000_000_00);
/** Above this in a year from 2017-18 on, e-invoices are made from the next year on (rule 48(4), notification 10/2023-CT). */
export const EINVOICE_ABOVE = crore(5);
/** Above this in the year before, returns are filed every month (rule 61A, notification 84/2020-CT). */
const QUARTERLY_UP_TO = crore(5);
/** Above this in the year before, an HSN has six digits (notification 78/2020-CT). */
const SIX_DIGITS = crore(5);
/** Above this in the year before, tax is deducted from goods bought of one seller (section 194Q, Act of 2025 section 393(1)). */
const GOODS_ABOVE = crore(10);
/** From this in an earlier year, the invoice portal takes a document for 30 days only, since 1 April 2025. */
const PORTAL_DAYS_FROM = { amount: crore(10), day: '2025-04-01' } as const;

const isYear = (text: string): boolean =>
  /^20\d\d-\d\d$/.test(text) && (Number(text.slice(2, 4)) + 1) % 100 === Number(text.slice(5));

/** What is wrong with the years typed on a registration: each is a financial year that has begun, and stands once. */
export const turnoverProblems = (
  rows: readonly { readonly year?: unknown }[],
  today: Day,
): readonly (Said & { readonly row: number })[] =>
  rows.flatMap(({ year }, row) => {
    const text = String(year ?? '');
    if (!isYear(text)) return [{ row, ...say('A financial year is written 2025-26') }];
    if (text > financialYearOf(today).label) return [{ row, ...say('The year {{text}} has not begun', { text }) }];
    if (rows.findIndex((each) => each.year === year) < row)
      return [{ row, ...say('{{text}} is listed twice', { text }) }];
    return [];
  });

/** What is wrong with filing periods after what the PAN turned over in the year before each, by row. */
export const quarterlyProblems = (
  periods: readonly { readonly from: Day; readonly every: 'month' | 'quarter' }[],
  turnovers: readonly Turnover[],
  pan: string | undefined,
): readonly (Said & { readonly row: number })[] =>
  periods.flatMap(({ from, every }, row) => {
    const before = financialYearOf(`${Number(financialYearOf(from).start.slice(0, 4)) - 1}-04-01`).label;
    const above = turnovers.some((t) => t.pan === pan && t.year === before && t.amount > QUARTERLY_UP_TO);
    return every === 'quarter' && above
      ? [{ row, ...say('The turnover of {{before}} was above ₹5 crore: returns are filed every month', { before }) }]
      : [];
  });

/** What the turnover of a PAN binds its documents to, without the amounts: a browser may know it. */
export interface Bound {
  /** Financial years ('2026-27') in which an HSN has six digits: the year before was above ₹5 crore. */
  readonly sixDigits: readonly string[];
  /** From when on the invoice portal takes documents for 30 days only; null where the limit does not bind. */
  readonly portalDaysFrom: Day | null;
  /** Financial years in which tax is deducted from goods bought: the year before was above ₹10 crore. */
  readonly deductsOnGoods: readonly string[];
}

const yearAfter = (year: string) => financialYearOf(`${Number(year.slice(0, 4)) + 1}-04-01`);

export function boundBy(turnovers: readonly Turnover[], pan: string | undefined): Bound {
  const own = turnovers.filter((each) => each.pan === pan);
  const large = own.filter(({ amount }) => amount >= PORTAL_DAYS_FROM.amount).map(({ year }) => yearAfter(year).start);
  const [first] = large.sort();
  return {
    sixDigits: own.filter(({ amount }) => amount > SIX_DIGITS).map(({ year }) => yearAfter(year).label),
    portalDaysFrom: first === undefined ? null : first > PORTAL_DAYS_FROM.day ? first : PORTAL_DAYS_FROM.day,
    deductsOnGoods: own.filter(({ amount }) => amount > GOODS_ABOVE).map(({ year }) => yearAfter(year).label),
  };
}

/** The limits that hang on the turnover of a PAN, for a document of a day. */
export const limitsOn = (
  { sixDigits, portalDaysFrom, deductsOnGoods }: Bound,
  day: Day,
): { readonly hsnDigits: 4 | 6; readonly portalDays?: true; readonly deductsOnGoods?: true } => ({
  hsnDigits: sixDigits.includes(financialYearOf(day).label) ? 6 : 4,
  ...(portalDaysFrom !== null && day >= portalDaysFrom && { portalDays: true as const }),
  ...(deductsOnGoods.includes(financialYearOf(day).label) && { deductsOnGoods: true as const }),
});
export const turnoverLimits = (turnovers: readonly Turnover[], pan: string | undefined, day: Day) =>
  limitsOn(boundBy(turnovers, pan), day);
