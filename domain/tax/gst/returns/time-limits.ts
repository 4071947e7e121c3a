import { addDays, dayInWords, daysBetween, financialYearOf, isDay } from '../../../base/dates.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Day, Draft } from '../../../document/document.ts';
import type { Kind } from '../../../document/kinds/kind.ts';

/** When the annual return of a financial year ('2025-26') was filed, by year; a year that is not there has none yet. */
export type AnnualReturns = Readonly<Record<string, Day>>;

/** 30 November after the end of the financial year of a day. */
export const thirtiethNovemberAfter = (day: Day): Day => `${Number(financialYearOf(day).start.slice(0, 4)) + 1}-11-30`;

/** The last day for input credit and credit notes on a supply of a day: 30 November, or the annual return (sections 16(4) and 34(2)). */
export function lastDayFor(day: Day, annual: AnnualReturns = {}): Day {
  const november = thirtiethNovemberAfter(day);
  const filed = annual[financialYearOf(day).label];
  return filed !== undefined && filed < november ? filed : november;
}
/** The same in words, with which of the two it is. */
export function lastDayInWords(day: Day, annual: AnnualReturns = {}): string | Said {
  const last = lastDayFor(day, annual);
  const values = { last: dayInWords(last), year: financialYearOf(day).label };
  return last === thirtiethNovemberAfter(day)
    ? values.last
    : say('{{last}}, when the annual return of {{year}} was filed', values);
}

/** Kinds on whose documents input credit is taken: bills, and receipts of goods that another registration of ours has invoiced. */
export const takesCredit = ({
  gst,
  numbering,
  books,
  stock,
}: Pick<Kind, 'gst' | 'numbering' | 'books' | 'stock'>): boolean =>
  gst.tax === 'input' && !numbering.gst && (books.opens === 'payable' || stock.effect === 'transferIn');

/**
 * Whether the time for input credit is over when a supplier's bill is booked: 30 November after the year of the supplier's
 * document, or the annual return of that year (section 16(4)). It is booked on the day it is dated or on that on which it is
 * entered, whichever is later: no return of an earlier month takes it any more. Tax under reverse charge follows the
 * self-invoice, whose year is its own.
 */
export const isCreditBarred = (
  kind: Pick<Kind, 'gst' | 'numbering' | 'books' | 'stock'>,
  { date, referenceDate = date, reverseCharge }: Pick<Draft, 'date' | 'referenceDate' | 'reverseCharge'>,
  annual?: AnnualReturns,
  entered: Day = date,
): boolean =>
  takesCredit(kind) &&
  !reverseCharge &&
  isDay(date) &&
  isDay(referenceDate) &&
  (entered > date ? entered : date) > lastDayFor(referenceDate, annual);

/** Days for which the invoice portal takes a document, for those whom the limit binds; whether day 30 itself is taken is not settled. */
export const PORTAL_DAYS = 30;
/** From so many days on it is said how many are left. */
const SAID_FROM = 23;
export const portalDeadline = (date: Day): Day => addDays(date, PORTAL_DAYS);
export const isTooOldForPortal = (date: Day, today: Day): boolean => daysBetween(date, today) > PORTAL_DAYS;
export const isNearPortalDeadline = (date: Day, today: Day): boolean => daysBetween(date, today) >= SAID_FROM;
