import { z } from 'zod';
import { type WayName, wayNames } from '../domain/banking/bank-matching.ts';
import { operation } from './contract.ts';
import { acceptedWarnings, warningView } from './documents.ts';
import { chosen, day, decimalText, exchangeRate, id, money, required, said, text, whole } from './wire.ts';

const heading = z.string().min(1).max(100);
/** Which heading of the file holds what: money with its sign in one column, or in one for each way. */
const format = z
  .object({
    date: heading,
    order: z.enum(['dmy', 'mdy', 'ymd']),
    text: heading,
    reference: heading.optional(),
    amount: heading.optional(),
    moneyIn: heading.optional(),
    moneyOut: heading.optional(),
    balance: heading.optional(),
  })
  .refine((f) => (f.amount !== undefined) !== (f.moneyIn !== undefined && f.moneyOut !== undefined), {
    path: ['amount'],
    message: 'Say which column holds the amount, or which two hold money in and money out',
  });
const content = z.string().min(1, 'The file is empty').max(10_000_000, 'The file is larger than 10 MB');
const way = z.enum(wayNames as [WayName, ...WayName[]]);
const leg = whole.pipe(z.int().positive());
const entry = z.object({ document: id, leg });
const line = z.object({ id, date: day, amount: decimalText, text: z.string(), reference: z.string() });
const part = money.refine((n) => n >= 0, 'An amount is not negative').optional();
const rule = z.object({
  id,
  ledger: id.nullable(),
  bank: z.string().nullable(),
  holds: z.string(),
  way,
  party: id.nullable(),
  counter: id.nullable(),
  other: z.string(),
  narration: z.string(),
  version: z.int(),
  place: z.int(),
});

/** Statements of banks against the books. */
export const bankingCalls = {
  GetBankLedgers: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'The ledgers of banks, and how much of each is still to be reconciled',
    input: z.object(chosen),
    details: z.array(
      z.object({
        ledger: id,
        code: z.string(),
        name: z.string(),
        /** Null for rupees; the books' balance is in it, and worth so many rupees. */ currency: z.string().nullable(),
        books: decimalText,
        worth: decimalText,
        lines: z.int(),
        lastLine: day.nullable(),
      }),
    ),
  }),
  ReadBankStatement: operation({
    service: 'accounts',
    method: 'POST',
    changes: 'nothing',
    load: 'file',
    summary:
      'What a statement file would add; without a format, how this bank was read before, or what its headings look like',
    input: z.object({ ...chosen, ledger: id, content, format: format.optional() }),
    details: z.object({
      headings: z.array(z.string()),
      format: z.record(z.string(), z.string()),
      problems: z.array(z.object({ row: z.int(), ...said })),
      lines: z.int(),
      known: z.int(),
      remarks: z.int(),
      from: day.nullable(),
      to: day.nullable(),
      sample: z.array(line.omit({ id: true })),
    }),
  }),
  ImportBankStatement: operation({
    service: 'accounts',
    method: 'POST',
    load: 'file',
    summary:
      'Adds the lines of a statement that are not known yet, piece by piece, and keeps how this bank is read; ' +
      'after an answer that was lost the same file is sent again and adds the rest',
    input: z.object({ ...chosen, ledger: id, content, format }),
    details: z.object({ added: z.int(), known: z.int() }),
  }),
  GetReconciliation: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'What is still open on both sides, with what is likely to belong together',
    input: z.object({ ...chosen, ledger: id, asOf: day.optional() }),
    details: z.object({
      lines: z.array(
        line.extend({
          suggestion: z
            .object({ document: id, leg: z.int(), number: z.string(), by: z.enum(['reference', 'amount']) })
            .nullable(),
          rule: z.object({ id, way, other: z.string() }).nullable(),
          /** What somebody has made of the line and not posted yet: it waits for approval, or for its author. */
          draft: z.object({ kind: z.string(), by: z.string(), waits: z.boolean() }).nullable(),
          /** Open documents of a party that the line is likely to settle. */
          settles: z
            .object({
              way,
              party: id,
              name: z.string(),
              by: z.enum(['number', 'party', 'amount']),
              dues: z.array(z.object({ document: id, line: z.int(), number: z.string(), amount: decimalText })),
            })
            .nullable(),
        }),
      ),
      entries: z.array(
        z.object({
          document: id,
          leg: z.int(),
          kind: z.string(),
          number: z.string(),
          date: day,
          party: z.string(),
          reference: z.string(),
          amount: decimalText,
          worth: decimalText,
        }),
      ),
      /** In which all amounts are, and what the books' balance is worth in rupees; null for rupees. */
      currency: z.string().nullable(),
      worth: decimalText.nullable(),
      books: decimalText,
      bank: decimalText,
      notShown: decimalText,
      notBooked: decimalText,
      statement: decimalText.nullable(),
      difference: decimalText.nullable(),
      more: z.boolean(),
    }),
  }),
  MatchBankLines: operation({
    service: 'accounts',
    method: 'POST',
    summary:
      'Says which entries a line of a statement is, or without a line on which day an entry went through the bank',
    details: z.object({ matched: z.int() }),
    input: z.object({
      ...chosen,
      ledger: id,
      matches: z
        .array(
          z
            .object({ line: id.optional(), date: day.optional(), entries: z.array(entry).min(1).max(100) })
            .refine((m) => (m.line === undefined) !== (m.date === undefined), 'A line, or a day'),
        )
        .min(1)
        .max(1000),
    }),
  }),
  UnmatchBankLines: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Takes back that entries went through the bank, with all of their line',
    input: z.object({ ...chosen, ledger: id, entries: z.array(entry).min(1).max(1000) }),
    details: z.object({ unmatched: z.int() }),
  }),
  GetMatched: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'Entries that went through the bank, the latest first',
    input: z.object({ ...chosen, ledger: id }),
    details: z.array(
      z.object({
        document: id,
        leg: z.int(),
        kind: z.string(),
        number: z.string(),
        date: day,
        bankDate: day,
        currency: z.string().nullable(),
        amount: decimalText,
        worth: decimalText,
        text: z.string(),
        by: z.string(),
      }),
    ),
  }),
  PostBankLine: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary:
      'Makes a document of a line that the books do not have, and matches it; keeps it as a draft where that is ' +
      'asked, or where it needs approval',
    input: z.object({
      ...chosen,
      ledger: id,
      line: id,
      way,
      party: id.optional(),
      counter: id.optional(),
      narration: text(500).default(''),
      registration: id,
      location: id,
      draft: z.boolean().default(false),
      /** What it settles; in the line's amount the bank's charge is gone already, or is still in it. */
      allocations: z
        .array(z.object({ document: id, line: whole.pipe(z.int().nonnegative()).default(0), amount: money }))
        .max(200)
        .optional(),
      bankCharges: part,
      tdsAmount: part,
      tdsSection: text(40).optional(),
      discountAmount: part,
      /** Of a bank in another currency; left out, the books' rate of the line's day. */
      exchangeRate: exchangeRate.optional(),
      accepted: acceptedWarnings.optional(),
    }),
    details: z.object({
      TransactionId: id,
      kind: z.string(),
      number: z.string().nullable(),
      matched: z.boolean(),
      warnings: z.array(warningView),
    }),
  }),
  ListBankRules: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'What becomes of lines whose text holds something',
    input: z.object(chosen),
    details: z.array(rule),
  }),
  SaveBankRule: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Adds or changes a rule',
    input: z.object({
      ...chosen,
      id: id.optional(),
      version: z.int().optional(),
      ledger: id.nullable().default(null),
      holds: required(100, 'Text'),
      way,
      party: id.optional(),
      counter: id.optional(),
      narration: text(500).default(''),
    }),
    details: z.object({ id, version: z.int() }),
  }),
  OrderBankRules: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'In which order rules are asked: the first that holds counts',
    input: z.object({ ...chosen, ids: z.array(id).min(1).max(1000) }),
    details: z.object({ ordered: z.int() }),
  }),
  BounceReceipt: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary:
      'A cheque came back: takes the whole receipt back on that day, with what the bank charges; what it settled is open again',
    input: z.object({
      ...{ ...chosen, TransactionId: id, date: day, reason: required(200, 'Reason'), bankCharges: part },
      accepted: acceptedWarnings.optional(),
    }),
    details: z.object({ TransactionId: id, TransactionNumber: z.string(), warnings: z.array(warningView) }),
  }),
  DeleteBankRule: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Takes a rule away',
    input: z.object({ ...chosen, id, version: z.int() }),
    details: z.object({ deleted: z.int() }),
  }),
} as const;
