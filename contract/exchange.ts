import { z } from 'zod';
import { ratePurposes } from '../domain/books/exchange.ts';
import { operation } from './contract.ts';
import { acceptedWarnings } from './documents.ts';
import { chosen, day, decimalText, flag, id, money, required, said, text, unitRate } from './wire.ts';

const currency = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, 'A currency has three letters')
  .refine((code) => code !== 'INR', 'A rupee is one rupee');
const purpose = z.enum(ratePurposes.map(([name]) => name) as ['book', 'customs']);
const rate = z.object({
  id,
  currency: z.string(),
  date: day,
  purpose,
  rate: decimalText,
  source: z.string(),
  by: z.string(),
  version: z.int(),
});
const ofDay = z.object({ rate: decimalText, source: z.string(), since: day }).nullable();
const content = z.string().min(1, 'The file is empty').max(2_000_000, 'The file is larger than 2 MB');
const posted = z.object({ TransactionId: id, TransactionNumber: z.string() });
const balance = z.object({
  document: id,
  line: z.int(),
  kind: z.string(),
  number: z.string(),
  date: day,
  party: z.string(),
  location: z.string(),
  side: z.string(),
  currency: z.string(),
  open: decimalText,
  booked: decimalText,
  rate: decimalText.nullable(),
  now: decimalText.nullable(),
  difference: decimalText.nullable(),
});

/** What currencies are worth by day, and open foreign balances brought to the rate of one. */
export const exchangeCalls = {
  ListExchangeRates: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'A page of the rates of exchange, the latest first',
    input: z.object({
      ...chosen,
      currency: z.string().max(3).optional(),
      purpose: purpose.optional(),
      after: z.string().optional(),
    }),
    details: z.object({ rows: z.array(rate), after: z.string().nullable(), currencies: z.array(z.string()) }),
  }),
  GetExchangeRate: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'What one of a currency is on a day, in rupees, by the books and by customs',
    input: z.object({ ...chosen, currency, date: day }),
    details: z.object({ book: ofDay, customs: ofDay }),
  }),
  SaveExchangeRate: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Adds or changes the rate of a currency for a day',
    input: z.object({
      ...chosen,
      id: id.optional(),
      version: z.int().optional(),
      currency,
      date: day,
      purpose,
      rate: unitRate.refine((n) => n > 0, 'The rate is the rupees for one'),
      source: required(60, 'Source'),
    }),
    details: rate,
  }),
  DeleteExchangeRate: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Takes a rate away; documents keep theirs',
    input: z.object({ ...chosen, id, version: z.int() }),
    details: z.object({ deleted: z.int() }),
  }),
  ReadExchangeRates: operation({
    service: 'accounts',
    method: 'POST',
    changes: 'nothing',
    load: 'file',
    summary: 'What a file of rates (CSV) would add or change',
    input: z.object({ ...chosen, content, source: text(60).default('') }),
    details: z.object({
      rates: z.int(),
      added: z.int(),
      changed: z.int(),
      problems: z.array(z.object({ row: z.int(), ...said })),
      sample: z.array(rate.omit({ id: true, by: true, version: true })),
    }),
  }),
  ImportExchangeRates: operation({
    service: 'accounts',
    method: 'POST',
    load: 'file',
    summary: 'Takes the rates of a file, all of them or none',
    input: z.object({ ...chosen, content, source: text(60).default('') }),
    details: z.object({ added: z.int(), changed: z.int() }),
  }),
  PreviewRevaluation: operation({
    service: 'accounts',
    method: 'POST',
    changes: 'nothing',
    load: 'report',
    summary: 'What open foreign balances, and ledgers in other currencies, win or lose at the rates of a day',
    input: z.object({ ...chosen, asOf: day }),
    details: z.object({
      asOf: day,
      balances: z.array(balance),
      difference: decimalText,
      missing: z.array(z.string()),
      hindrances: z.array(z.string()),
      money: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          location: z.string(),
          currency: z.string(),
          balance: decimalText,
          booked: decimalText,
          rate: decimalText.nullable(),
          now: decimalText.nullable(),
          difference: decimalText.nullable(),
        }),
      ),
      entries: z.array(
        z.object({ location: z.string(), code: z.string(), name: z.string(), debit: decimalText, credit: decimalText }),
      ),
    }),
  }),
  PostRevaluation: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary:
      'Posts what the preview shows, and what takes open balances back on the next day; `difference` is what was shown',
    input: z.object({ ...chosen, asOf: day, difference: money, accepted: acceptedWarnings.optional() }),
    details: z.object({ journals: z.array(posted) }),
  }),
  ListRevaluations: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'Days on which foreign balances were restated, the latest first',
    input: z.object(chosen),
    details: z.array(
      z.object({
        id,
        asOf: day,
        location: z.string(),
        journal: id,
        journalNumber: z.string(),
        reversal: id.nullable(),
        reversalNumber: z.string().nullable(),
        difference: decimalText,
        by: z.string(),
        cancelled: z.boolean(),
        /** What was posted since has changed the figures of its day: it is taken back and posted again. */
        stale: z.boolean(),
      }),
    ),
  }),
  TakeBackRevaluation: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary: 'Cancels the journals of a restatement; `today` reverses what is on a day that is not open',
    input: z.object({ ...chosen, id, reason: required(200, 'Reason'), today: flag.optional() }),
    details: z.object({ cancelled: z.int() }),
  }),
} as const;
