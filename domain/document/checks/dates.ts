import { addMonths, compareDays, dayInWords, financialYearOf, isDay } from '../../base/dates.ts';
import type { Day } from '../document.ts';
import type { TypedCheck } from './check.ts';

/** Vouchers without a GST number may be dated ahead; those with one may not (rule 46, a problem of its own). */
export const futureDate: TypedCheck = {
  code: 'futureDate',
  weight: 'warning',
  source: 'documents with a GST number are never in the future; other vouchers warn',
  find: ({ kind, draft, today }) =>
    !kind.gstNumber && kind.life === 'posted' && isDay(draft.date) && compareDays(draft.date, today) > 0
      ? [{ field: 'date', message: `This is dated in the future: ${dayInWords(draft.date)}` }]
      : [],
};

/** Books are kept for eight financial years before the running one (Companies Act 2013, section 128(5)). */
const YEARS_KEPT = 8;
/** The days that a document may have: from the first of the books that are kept to a year ahead. */
export const daysOfBooks = (today: Day): { readonly first: Day; readonly last: Day } => ({
  first: addMonths(financialYearOf(today).start, -12 * YEARS_KEPT),
  last: addMonths(today, 12),
});

/** A mistyped year would open a year of the books by itself, and take numbers of a series that shows two digits of it. */
export const dateOfBooks: TypedCheck = {
  code: 'dateOfBooks',
  weight: 'problem',
  source: 'Companies Act 2013, section 128(5): the years that books are kept for; nobody plans more than a year ahead',
  find: ({ draft: { date }, today }) => {
    const { first, last } = daysOfBooks(today);
    if (!isDay(date) || (date >= first && date <= last)) return [];
    const from = `from ${dayInWords(first)} to ${dayInWords(last)}`;
    return [{ field: 'date', message: `A document is dated ${from}: correct the date` }];
  },
};
