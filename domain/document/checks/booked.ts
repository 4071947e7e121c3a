import { dayInWords } from '../../base/dates.ts';
import { say } from '../../base/say.ts';
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
            ...(booked.duplicate.number
              ? say('{{kind}} {{number}} of {{date}} has this supplier document number already', {
                  kind: kindLabel(booked.duplicate.kind),
                  number: booked.duplicate.number,
                  date: dayInWords(booked.duplicate.date),
                })
              : say('A document that you may not see has this supplier document number already')),
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
            ...(booked.sameEntry.number
              ? say('{{kind}} {{number}} of {{date}} has this number and date already', {
                  kind: kindLabel(booked.sameEntry.kind),
                  number: booked.sameEntry.number,
                  date: dayInWords(booked.sameEntry.date),
                })
              : say('A document that you may not see has this number and date already')),
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
            ...(booked.lastInSeries.number
              ? say('The last number of this series, {{number}}, is dated later: {{date}}', {
                  number: booked.lastInSeries.number,
                  date: dayInWords(booked.lastInSeries.date),
                })
              : say('The last number of this series is dated later: {{date}}', {
                  date: dayInWords(booked.lastInSeries.date),
                })),
          },
        ]
      : [],
};
