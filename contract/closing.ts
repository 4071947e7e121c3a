import { z } from 'zod';
import { registerNames } from '../domain/books/registers.ts';
import { returnForms } from '../domain/facts/gst-returns.ts';
import { operation } from './contract.ts';
import { chosen, day, decimalText, id, money, nothing, percentage, required, text } from './wire.ts';

const year = z.string().regex(/^\d{4}-\d{2}$/, 'A financial year is written 2025-26');
/** Which part of the profit, in percent, which ledger of equity takes; none: all of it goes to retained earnings. */
const shares = z
  .array(z.object({ ledger: id, share: percentage }))
  .max(20)
  .default([]);
const closing = z.object({
  year,
  from: day,
  to: day,
  state: z.enum(['running', 'next', 'waiting', 'closed']),
  profit: decimalText.nullable(),
  document: id.nullable(),
  number: z.string().nullable(),
  by: z.string().nullable(),
  at: day.nullable(),
});
const register = z.enum(registerNames as [(typeof registerNames)[number], ...(typeof registerNames)[number][]]);
const locks = z.object({
  lockedThrough: day.nullable(),
  registers: z.array(
    z.object({
      register,
      registration: id.nullable(),
      label: z.string(),
      lockedThrough: day.nullable(),
      reason: z.string(),
      by: z.string().nullable(),
    }),
  ),
});

const form = z.enum(returnForms);
const period = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'A period is written 2026-10');
const filing = z.object({
  registration: id,
  gstin: z.string(),
  form,
  period,
  filedOn: day,
  /** Until when it was due. */ due: day,
  arn: z.string(),
  by: z.string(),
});

const returnAmounts = {
  taxable: decimalText,
  igst: decimalText,
  cgst: decimalText,
  sgst: decimalText,
  cess: decimalText,
};

/** Closing a year, and the locks of the books. */
export const closingCalls = {
  GetYears: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'The financial years of the books, the last one first, and whether each is closed',
    input: z.object(chosen),
    details: z.array(closing),
  }),
  PreviewYearEnd: operation({
    service: 'accounts',
    method: 'POST',
    changes: 'nothing',
    summary: 'What closing a year would post',
    input: z.object({ ...chosen, year, shares }),
    details: z.object({
      year,
      profit: decimalText,
      total: decimalText,
      entries: z.array(
        z.object({
          location: z.string(),
          ledger: id,
          code: z.string(),
          name: z.string(),
          debit: decimalText,
          credit: decimalText,
        }),
      ),
      /** What blocks closing, and what should be checked first. */
      obstacles: z.array(z.string()),
      notes: z.array(z.string()),
    }),
  }),
  CloseYear: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary:
      'Brings income and expense of a year to nothing, and locks the books up to its end; `profit` is what was shown before',
    input: z.object({ ...chosen, year, shares, profit: money }),
    details: z.object({ year, lockedThrough: day }),
  }),
  ReopenYear: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary: 'Takes back the last closing, and unlocks the year',
    input: z.object({ ...chosen, year, reason: required(200, 'Reason') }),
    details: z.object({ year }),
  }),
  GetLocks: operation({
    service: 'config',
    method: 'GET',
    summary: 'Up to which day the books, and each register of them, are locked',
    input: nothing,
    details: locks,
  }),
  SaveLock: operation({
    service: 'config',
    method: 'POST',
    summary:
      'Locks the books, or one register of them, up to a day, or unlocks them; the returns for one registration too',
    input: z.object({
      register: register.optional(),
      registration: id.optional(),
      through: day.nullable(),
      reason: text(200),
    }),
    details: locks,
  }),
  ListFilings: operation({
    service: 'config',
    method: 'GET',
    summary: 'The GST returns that were marked as filed, the last period first',
    input: nothing,
    details: z.array(filing),
  }),
  ListReturnsDue: operation({
    service: 'config',
    method: 'GET',
    summary:
      'The GST returns that are not marked as filed, the first one due first: those whose period is over, and of each form the next one',
    input: z.object(chosen),
    details: z.array(
      z.object({
        registration: id,
        gstin: z.string(),
        form,
        period,
        due: day,
        /** Its period is over, so that it can be filed. */ over: z.boolean(),
      }),
    ),
  }),
  MarkFiled: operation({
    service: 'config',
    method: 'POST',
    summary:
      'Marks the return of a period as filed, keeps it as the books give it, and locks what it shows for its ' +
      'registration; earlier returns come first, as at the portal; an IFF locks nothing, and its documents are ' +
      'left out of the return of the quarter',
    input: z.object({ registration: id, form, period, filedOn: day, arn: text(15) }),
    details: z.array(filing),
  }),
  GetFiledReturn: operation({
    service: 'config',
    method: 'GET',
    summary:
      'A return as it was filed, compared with the books now: the documents that make the difference are listed, ' +
      'and so are reversals on a later day: of earlier documents in its days (part of it), and of its documents ' +
      'after them (part of the later return); journals that move ledgers of its tax are in no return, and are listed too',
    input: z.object({ registration: id, form, period }),
    details: z.object({
      filed: z.array(
        z.object({
          markedAt: z.string(),
          by: z.string(),
          filedOn: day,
          arn: z.string(),
          digest: z.string(),
          /** How the mark was taken back. */ unmarked: z
            .object({ at: z.string(), by: z.string(), reason: z.string() })
            .nullable(),
        }),
      ),
      /** As filed last. */
      tables: z.array(z.object({ name: z.string(), count: z.int(), ...returnAmounts })),
      totals: z.object({ filed: z.object(returnAmounts), now: z.object(returnAmounts) }),
      differences: z.array(
        z.object({
          document: id,
          number: z.string(),
          date: day,
          what: z.enum(['added', 'gone', 'changed']),
          /** Of GSTR-3B: the table that the document adds to. Credit has a minus: the parts come to the tax left to pay. */
          table: z.string().optional(),
          ...returnAmounts,
        }),
      ),
      /** Rows of tables 12, 13 and 14 that are not as they were filed. */
      tableChanges: z.array(
        z.object({
          table: z.enum(['12', '13', '14']),
          row: z.string(),
          filed: z.string().nullable(),
          now: z.string().nullable(),
        }),
      ),
      reversed: z.array(z.object({ document: id, number: z.string(), date: day, reversedOn: day, ...returnAmounts })),
      /** Journals of its days that move ledgers of its tax: the ledgers differ from the return by them. */
      byHand: z.array(z.object({ document: id, number: z.string(), date: day, ...returnAmounts })),
      /** The portal's file as filed; null where the product draws none. */
      file: z.record(z.string(), z.unknown()).nullable(),
    }),
  }),
  UnmarkFiled: operation({
    service: 'config',
    method: 'POST',
    summary:
      'Takes the mark back, and its lock when nothing else holds it; the return that was kept stays; of an IFF ' +
      'not as long as the return of its quarter is marked',
    input: z.object({ registration: id, form, period, reason: required(200, 'Reason') }),
    details: z.array(filing),
  }),
} as const;
