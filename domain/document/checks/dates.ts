import { addMonths, compareDays, dayInWords, financialYearOf, isDay } from '../../base/dates.ts';
import { say } from '../../base/say.ts';
import { mayHaveGap } from '../../books/legs.ts';
import type { Day, Draft } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import { hasOthersDate, type TypedCheck } from './check.ts';

/** Vouchers without a GST number may be dated ahead; those with one may not (rule 46, a problem of its own). */
export const futureDate: TypedCheck = {
  code: 'futureDate',
  weight: 'warning',
  source: 'documents with a GST number are never in the future; other vouchers warn',
  find: ({ kind, draft, today }) =>
    !kind.numbering.gst && kind.life.cycle === 'posted' && isDay(draft.date) && compareDays(draft.date, today) > 0
      ? [{ field: 'date', ...say('This is dated in the future: {{date}}', { date: dayInWords(draft.date) }) }]
      : [],
};

/** Nothing is booked, and no credit taken, of a document that its supplier has not written yet. */
export const suppliersDate: TypedCheck = {
  code: 'suppliersDate',
  weight: 'problem',
  source: 'CGST Act section 16(2)(a): credit is taken in possession of the document',
  find: ({ kind, draft: { date, referenceDate } }) => {
    if (!hasOthersDate(kind) || referenceDate === undefined) return [];
    if (!isDay(referenceDate) || !isDay(date) || referenceDate <= date) return [];
    const message = say(
      'The supplier’s document is dated after {{date}}, on which it is booked: correct one of the dates',
      {
        date: dayInWords(date),
      },
    );
    return [{ field: 'referenceDate', ...message }];
  },
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
    const values = { first: dayInWords(first), last: dayInWords(last) };
    return [{ field: 'date', ...say('A document is dated from {{first}} to {{last}}: correct the date', values) }];
  },
};

/**
 * Whether a draft may be from before the books: what brings in the balances of that time is meant to be, an order says nothing
 * that is in them, and nobody dates a document of today.
 */
export const mayBeBeforeBooks = (kind: Kind, { date }: Pick<Draft, 'date'>, today: Day): boolean =>
  !mayHaveGap(kind) &&
  !kind.roles?.includes('openingStock') &&
  kind.life.cycle !== 'ordered' &&
  !kind.life.system &&
  date < today;

/** What happened before the opening balances is part of them: booked once more, it counts twice. */
export const beforeBooks: TypedCheck = {
  code: 'beforeBooks',
  weight: 'reason',
  source: 'opening balances hold all that happened before their day (accounting facts, section 2, entry 21)',
  find: ({ kind, draft, facts: { booked }, today }) => {
    const opened = booked?.opened;
    if (opened === undefined || draft.date >= opened || !mayBeBeforeBooks(kind, draft, today) || draft.till) return [];
    const message = say(
      'The books begin on {{opened}} with opening balances that include everything before: correct the date, or say why this is not ' +
        'included',
      { opened: dayInWords(opened) },
    );
    return [{ field: 'date', ...message }];
  },
};

/** Brings in what was there before the books: balances, bills and stock. */
export const bringsIn = (kind: Kind): boolean => mayHaveGap(kind) || kind.roles?.includes('openingStock') === true;

/** The books run from their first ordinary document on: what is brought in on a later day was not there when they began. */
export const openingLate: TypedCheck = {
  code: 'openingLate',
  weight: 'reason',
  source:
    'opening balances hold what was there before the first day of the books (accounting facts, section 2, entry 21)',
  find: ({ kind, draft, facts: { booked }, today }) => {
    const first = booked?.firstOrdinary;
    if (first === undefined || !bringsIn(kind)) return [];
    const { end } = financialYearOf(draft.date);
    if (draft.date <= first && end >= today) return [];
    if (draft.date <= first)
      return [
        {
          field: 'date',
          ...say(
            'This changes the balances of every year since {{first}}, also of years that are over: correct the date, or give the reason ' +
              'for this late entry',
            { first: dayInWords(first) },
          ),
        },
      ];
    const message = say(
      'The books have documents since {{first}}: enter the document that brought the goods in, correct the date, or give the reason ' +
        'for this late entry',
      { first: dayInWords(first) },
    );
    return [{ field: 'date', ...message }];
  },
};
