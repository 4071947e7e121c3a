import { dayInWords } from '../../base/dates.ts';
import { kindLabel } from '../kinds/index.ts';
import type { TypedCheck } from './check.ts';

/** The server looks in the books, under a lock: of two that are posted at once the second finds the first. */
export const duplicateBill: TypedCheck = {
  code: 'duplicateBill',
  weight: 'reason',
  source: 'CGST Act section 16(2): credit is taken once for a document',
  find: ({ facts: { booked } }) =>
    booked?.duplicate
      ? [
          {
            field: 'reference',
            message: `${booked.duplicate.number ? `${kindLabel(booked.duplicate.kind)} ${booked.duplicate.number} of ${dayInWords(booked.duplicate.date)}` : 'A document that you may not see'} has this supplier document number already`,
          },
        ]
      : [],
};

/**
 * Customs write a number once at a port and on a day. One bill of entry may clear the goods of several purchases, each of which is
 * entered by itself: that is its reason.
 */
export const entryTwice: TypedCheck = {
  code: 'entryTwice',
  weight: 'reason',
  source: 'CGST Act section 16(2), rule 36(1)(d): credit is taken once for a bill of entry',
  find: ({ facts: { booked } }) =>
    booked?.sameEntry
      ? [
          {
            field: 'reference',
            message: `${booked.sameEntry.number ? `${kindLabel(booked.sameEntry.kind)} ${booked.sameEntry.number} of ${dayInWords(booked.sameEntry.date)}` : 'A document that you may not see'} has this number and date already`,
          },
        ]
      : [],
};

/** Numbers of a series run in the order of their dates (rule 46(b): a consecutive serial number). */
export const beforeLastNumber: TypedCheck = {
  code: 'beforeLastNumber',
  weight: 'warning',
  source: 'CGST rule 46(b)',
  find: ({ draft, facts: { booked } }) =>
    booked?.lastInSeries && booked.lastInSeries.date > draft.date
      ? [
          {
            field: 'date',
            message: `The last number of this series${booked.lastInSeries.number && `, ${booked.lastInSeries.number},`} is dated later: ${dayInWords(booked.lastInSeries.date)}`,
          },
        ]
      : [],
};
