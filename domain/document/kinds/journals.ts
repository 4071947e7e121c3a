import type { Rule } from '../../books/posting.ts';
import type { Kind } from './kind.ts';

// Entries as they are written; a credit is a negative debit that changes sides.
const written: Rule = [['debit', 'written']];
const journal = {
  party: { side: 'none', required: false },
  lines: { of: 'ledgers' },
  stock: { effect: 'none' },
  books: { posting: written, lineEffect: 'none', opensByLine: 'entries' },
  paper: { form: 'voucher' },
  gst: { tax: 'none' },
  source: { kinds: [] },
  life: { cycle: 'posted' },
} as const;

export const journals = {
  manualJournal: {
    ...journal,
    code: 'MJ',
    label: 'Manual journal',
    plural: 'Manual journals',
    roles: ['tillDifference', 'accountMove', 'taxPayment', 'bankCharges'],
    numbering: { family: 'MJ', prefix: 'MJ/{FY}/', gst: false },
    life: { cycle: 'posted', approvedWith: 'journal' },
    fields: ['journalType', 'reference', 'costCentre', 'narration'],
  },
  journalVoucher: {
    ...journal,
    code: 'JV',
    label: 'Journal voucher',
    plural: 'Journal vouchers',
    roles: ['revaluation'],
    numbering: { family: 'JV', prefix: 'JV/{FY}/', gst: false },
    source: { kinds: [], mayReverse: 'journalVoucher' },
    life: { cycle: 'posted', approvedWith: 'journal' },
    fields: ['journalType', 'reference', 'costCentre', 'narration'],
  },
  contra: {
    ...journal,
    code: 'CT',
    label: 'Contra',
    plural: 'Contras',
    lines: { of: 'ledgers', onlyMoney: true },
    books: { ...journal.books, register: 'money' },
    numbering: { family: 'CT', prefix: 'CT/{FY}/', gst: false },
    fields: ['reference', 'narration'],
  },
  openingBalance: {
    ...journal,
    code: 'OB',
    label: 'Opening balance',
    plural: 'Opening balances',
    books: {
      posting: [
        ['debit', 'written'],
        ['credit', 'openingGap'],
      ],
      lineEffect: 'none',
      opensByLine: 'bills',
    },
    numbering: { family: 'OB', prefix: 'OB/', gst: false },
    fields: ['narration'],
  },
  gstAdjustment: {
    ...journal,
    code: 'GA',
    label: 'GST adjustment',
    plural: 'GST adjustments',
    numbering: { family: 'GA', prefix: 'GA/{FY}/', gst: false },
    gst: { tax: 'none', setsOff: true },
    fields: ['reason', 'reference', 'costCentre', 'narration'],
  },
  yearEnd: {
    ...journal,
    code: 'YE',
    label: 'Year-end',
    plural: 'Year-ends',
    roles: ['yearEnd'],
    numbering: { family: 'YE', prefix: 'YE/{FY}/', gst: false },
    life: { cycle: 'posted', system: true },
    fields: ['narration'],
  },
  reversal: {
    ...journal,
    code: 'RV',
    label: 'Cancellation',
    plural: 'Cancellations',
    roles: ['reversal'],
    books: { posting: [], lineEffect: 'none' },
    numbering: { family: 'REV', prefix: 'REV/{FY}/', gst: false },
    paper: { form: 'none' },
    life: { cycle: 'posted', system: true },
    fields: [],
  },
} as const satisfies Record<string, Kind>;
