import { addDays, daysBetween, financialYearOf, isDay } from '../dates.ts';
import type { Day, Draft } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';

/** 30 November after the end of the financial year of a day (sections 16(4) and 34(2)). */
export const thirtiethNovemberAfter = (day: Day): Day => `${Number(financialYearOf(day).start.slice(0, 4)) + 1}-11-30`;

/**
 * Whether the time for input credit is over when a supplier's bill is booked: 30 November after the year of the supplier's
 * document (section 16(4)). Tax under reverse charge follows the self-invoice, whose year is its own. The annual return,
 * which may end the time earlier, is no record of the books.
 */
export const isCreditBarred = (
  kind: Pick<Kind, 'tax' | 'gstNumber' | 'books'>,
  { date, referenceDate, reverseCharge }: Pick<Draft, 'date' | 'referenceDate' | 'reverseCharge'>,
): boolean =>
  kind.tax === 'input' &&
  !kind.gstNumber &&
  kind.books.opens === 'payable' &&
  !reverseCharge &&
  isDay(date) &&
  referenceDate !== undefined &&
  isDay(referenceDate) &&
  date > thirtiethNovemberAfter(referenceDate);

/** Days for which the invoice portal takes a document, for those whom the limit binds; whether day 30 itself is taken is not settled. */
export const PORTAL_DAYS = 30;
/** From so many days on it is said how many are left. */
const SAID_FROM = 23;
export const portalDeadline = (date: Day): Day => addDays(date, PORTAL_DAYS);
export const isTooOldForPortal = (date: Day, today: Day): boolean => daysBetween(date, today) > PORTAL_DAYS;
export const isNearPortalDeadline = (date: Day, today: Day): boolean => daysBetween(date, today) >= SAID_FROM;
