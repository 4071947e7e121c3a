import type { Rule } from '../../books/posting.ts';
import type { Kind } from './kind.ts';

// Entries as they are written; a credit is a negative debit that changes sides.
const written: Rule = [['debit', 'written']];
const journal = {
  party: { side: 'none', required: false },
  lines: 'ledgers',
  tax: 'none',
  books: { posting: written, lineEffect: 'none', opensByLine: 'entries' },
  stock: 'none',
  gstNumber: false,
  paper: 'voucher',
  gst: {},
  life: 'posted',
  from: [],
} as const;

export const journals = {
  manualJournal: {
    ...journal,
    code: 'MJ',
    label: 'Manual journal',
    plural: 'Manual journals',
    numbering: 'MJ',
    prefix: 'MJ/{FY}/',
    fields: ['journalType', 'reference', 'costCentre', 'narration'],
  },
  journalVoucher: {
    ...journal,
    code: 'JV',
    label: 'Journal voucher',
    plural: 'Journal vouchers',
    numbering: 'JV',
    prefix: 'JV/{FY}/',
    fields: ['journalType', 'reference', 'costCentre', 'narration'],
    takesBack: 'journalVoucher',
  },
  contra: {
    ...journal,
    register: 'money',
    onlyMoney: true,
    code: 'CT',
    label: 'Contra',
    plural: 'Contras',
    numbering: 'CT',
    prefix: 'CT/{FY}/',
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
    numbering: 'OB',
    prefix: 'OB/',
    fields: ['narration'],
  },
  gstAdjustment: {
    ...journal,
    setsOff: true,
    code: 'GA',
    label: 'GST adjustment',
    plural: 'GST adjustments',
    numbering: 'GA',
    prefix: 'GA/{FY}/',
    fields: ['reason', 'reference', 'costCentre', 'narration'],
  },
  yearEnd: {
    ...journal,
    code: 'YE',
    label: 'Year-end',
    plural: 'Year-ends',
    numbering: 'YE',
    prefix: 'YE/{FY}/',
    fields: ['narration'],
    system: true,
  },
  reversal: {
    ...journal,
    code: 'RV',
    label: 'Cancellation',
    plural: 'Cancellations',
    books: { posting: [], lineEffect: 'none' },
    numbering: 'REV',
    prefix: 'REV/{FY}/',
    paper: 'none',
    fields: [],
    system: true,
  },
} as const satisfies Record<string, Kind>;
