import { z } from 'zod';
import { operation } from './contract.ts';
import { draftBody, warningView } from './documents.ts';
import { opened } from './master-calls.ts';
import { banks } from './named.ts';
import { chosen, day, decimalText, id, money, whole, withPeriod } from './wire.ts';

const values = z.record(z.string(), z.unknown());
const saved = z.object({ ...chosen, id: id.optional(), version: z.int().optional(), values });
const kept = z.array(opened.omit({ fixed: true, notices: true }));
const line = whole.pipe(z.int().nonnegative());
const rows = z.object({
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  totals: z.record(z.string(), z.string()),
  after: z.string().nullable(),
  notes: z.array(z.string()),
});
const outstanding = z.object({ ...chosen, asOf: day.optional(), party: id.optional() });

/** Something open of a party. `line` is 0 for a document as a whole. */
const openItem = z.object({
  document: id,
  line: z.int(),
  kind: z.string(),
  number: z.string(),
  date: day,
  dueDate: day.nullable(),
  side: z.enum(['receivable', 'payable', 'customerCredit', 'supplierCredit']),
  currency: z.string(),
  original: decimalText,
  open: decimalText,
});
/** So much of a credit settles so much of a due; of that, `fixed` was settled by a document with entries of its own. */
const allocation = z.object({
  credit: id,
  creditLine: z.int(),
  creditNumber: z.string(),
  invoice: id,
  invoiceLine: z.int(),
  invoiceNumber: z.string(),
  amount: decimalText,
  fixed: decimalText,
});
const allocated = z.object({ credits: z.array(openItem), dues: z.array(openItem), allocations: z.array(allocation) });

/** The service `accounts`: names of the specification over the engines of masters, documents and reports. */
export const accountCalls = {
  SaveAccountMaster: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Adds or changes a ledger',
    input: saved,
    details: opened,
  }),
  GetAccountMaster: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'One ledger',
    input: z.object({ ...chosen, Id: id }),
    details: opened,
  }),
  DeactivateAccountMaster: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Deactivates a ledger without a balance, or takes it back into use',
    input: z.object({ ...chosen, Id: id, version: z.int(), active: z.boolean().default(false) }),
    details: z.object({ retired: z.boolean() }),
  }),
  GetGLList: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'Every ledger, by its code',
    input: z.object(chosen),
    details: kept,
  }),
  SaveOpeningBalance: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary: 'Posts opening balances; a line with a party is a bill with its own number and dates',
    input: z.object({
      ...chosen,
      document: draftBody.omit({ kind: true }).extend({ kind: z.literal('openingBalance').optional() }),
    }),
    details: z.object({
      TransactionId: id,
      TransactionNumber: z.string(),
      total: decimalText.nullable(),
      warnings: z.array(warningView),
    }),
  }),
  GetOrgBankData: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'The bank accounts, the default one first',
    input: z.object(chosen),
    details: banks,
  }),
  AddAccountingEffects: operation({
    service: 'accounts',
    method: 'POST',
    summary:
      'Points a part of postings at a ledger that it takes; control accounts and tax heads only before their first posting',
    input: z.object({ ...chosen, effect: z.string(), ledger: id, version: z.int() }),
    details: opened,
  }),
  GetLedgerList: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'A page of the ledgers in use, found by code or name',
    input: z.object({ ...chosen, search: z.string().max(100).optional(), after: z.string().optional() }),
    details: z.object({ rows: kept, after: z.string().nullable() }),
  }),
  SaveLedger: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Adds or changes a ledger',
    input: saved,
    details: opened,
  }),
  GetChartOfAccounts: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'The chart of accounts as a tree, each account after its group; with balances for users who may read them',
    input: z.object({ ...chosen, asOf: day.optional() }),
    details: z.array(
      z.object({
        id,
        code: z.string(),
        name: z.string(),
        parent: id.nullable(),
        depth: z.int(),
        isGroup: z.boolean(),
        nature: z.string(),
        active: z.boolean(),
        balance: decimalText.nullable(),
      }),
    ),
  }),
  GetTdsTcsMaster: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'The sections under which tax is deducted or collected on a day, with their usual rates',
    input: z.object({ ...chosen, date: day.optional() }),
    details: z.array(
      z.object({ type: z.enum(['TDS', 'TCS']), section: z.string(), name: z.string(), rate: decimalText }),
    ),
  }),
  GetLedgerEffects: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'The parts of postings and the ledger each goes to',
    input: z.object(chosen),
    details: z.array(
      opened.omit({ fixed: true, notices: true }).extend({ ledgerEffect: z.string(), transactionName: z.string() }),
    ),
  }),
  DeletePostings: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Points parts of postings back at the ledgers of the default chart, where they may still be moved',
    input: z.object({ ...chosen, effects: z.array(z.string()).max(100) }),
    details: z.object({ deleted: z.int() }),
  }),
  GetGLReport: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary: 'The entries of a ledger with its balance',
    input: withPeriod(
      {
        ...chosen,
        ledger: id,
        FromDate: day,
        ToDate: day,
        location: id.optional(),
        party: id.optional(),
        after: z.string().optional(),
      },
      'FromDate',
      'ToDate',
    ),
    details: rows,
  }),
  GetSundryCreditorsOutstanding: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary: 'Outstanding payables, bill by bill',
    input: outstanding,
    details: rows,
  }),
  GetSundryDebtorsOutstanding: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary: 'What customers owe, bill by bill',
    input: outstanding,
    details: rows,
  }),
  GetProfitAndLossByQuarters: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary: 'Profit and loss of each quarter of a financial year that has begun',
    input: z.object({ ...chosen, date: day.optional(), location: id.optional() }),
    details: z.array(z.object({ quarter: z.string(), from: day, to: day, statement: rows })),
  }),
  GetOpeningStockValues: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary: 'What was in stock, and what it was worth, when a day began; a financial year unless a day is given',
    input: z.object({ ...chosen, date: day.optional(), location: id.optional(), after: z.string().optional() }),
    details: rows,
  }),
  GetCreditsListAganistParty: operation({
    service: 'accounts',
    method: 'GET',
    summary: "A party's unused credits, what is due of it, and what is settled by which credit",
    input: z.object({ ...chosen, party: id }),
    details: allocated,
  }),
  SavePartyCreditsAllocation: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Says how much of each credit settles how much of each due; 0 takes it back',
    details: allocated,
    input: z.object({
      ...chosen,
      party: id,
      allocations: z
        .array(
          z.object({
            credit: id,
            creditLine: line.default(0),
            invoice: id,
            invoiceLine: line.default(0),
            amount: money.refine((n) => n >= 0, 'An amount is not negative'),
          }),
        )
        .max(200),
    }),
  }),
  AllcoateCreditsByTransactionId: operation({
    service: 'accounts',
    method: 'POST',
    summary: "Settles a document by its party's credits, or a credit's dues by it, oldest first",
    input: z.object({ ...chosen, TransactionId: id, line: line.default(0) }),
    details: allocated,
  }),
  GetLedgerAllocationList: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'What a document settles, or is settled by',
    input: z.object({ ...chosen, TransactionId: id }),
    details: z.array(allocation),
  }),
} as const;
