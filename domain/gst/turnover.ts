import { financialYearOf } from '../dates.ts';
import type { Day } from '../document.ts';
import { type Paise, paise } from '../money.ts';

/** What a PAN turned over in a financial year ('2025-26'): typed for what is not in these books, counted from them for the rest. */
export interface Turnover {
  readonly pan: string;
  readonly year: string;
  readonly amount: Paise;
}

const crore = (n: number): Paise => paise(n * 10_000_000_00);
/** Above this in the year before, an HSN has six digits (notification 78/2020-CT). */
const SIX_DIGITS = crore(5);
/** From this in an earlier year, the invoice portal takes a document for 30 days only, since 1 April 2025. */
const PORTAL_DAYS_FROM = { amount: crore(10), day: '2025-04-01' } as const;

const isYear = (text: string): boolean =>
  /^20\d\d-\d\d$/.test(text) && (Number(text.slice(2, 4)) + 1) % 100 === Number(text.slice(5));

/** What is wrong with the years typed on a registration: each is a financial year that has begun, and stands once. */
export const turnoverProblems = (
  rows: readonly { readonly year?: unknown }[],
  today: Day,
): readonly { readonly row: number; readonly message: string }[] =>
  rows.flatMap(({ year }, row) => {
    const text = String(year ?? '');
    if (!isYear(text)) return [{ row, message: 'A financial year is written 2025-26' }];
    if (text > financialYearOf(today).label) return [{ row, message: `The year ${text} has not begun` }];
    if (rows.findIndex((each) => each.year === year) < row) return [{ row, message: `${text} stands here twice` }];
    return [];
  });

/** The limits that hang on the turnover of a PAN, for a document of a day. */
export function turnoverLimits(
  turnovers: readonly Turnover[],
  pan: string | undefined,
  day: Day,
): { readonly hsnDigits: 4 | 6; readonly portalDays?: true } {
  const current = financialYearOf(day).label;
  const own = turnovers.filter((each) => each.pan === pan && each.year < current);
  const before = own.reduce((last, { year }) => (year > last ? year : last), '');
  const previous = financialYearOf(`${Number(current.slice(0, 4)) - 1}-04-01`).label;
  const lastYear = before === previous ? (own.find(({ year }) => year === previous)?.amount ?? 0) : 0;
  const once = own.some(({ amount }) => amount >= PORTAL_DAYS_FROM.amount);
  return {
    hsnDigits: lastYear > SIX_DIGITS ? 6 : 4,
    ...(once && day >= PORTAL_DAYS_FROM.day && { portalDays: true as const }),
  };
}
