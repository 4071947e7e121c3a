import { addMonths, isDay } from '../domain/base/dates.ts';
import { type Said, say } from '../domain/base/say.ts';
import { balanceGroups } from '../domain/books/statement.ts';
import { tcsSections, tdsSections } from '../domain/facts/withholding.ts';
import type { ScreenName } from './screens.ts';

export interface Column {
  readonly key: string;
  readonly label: string;
  readonly format?: 'money' | 'quantity' | 'day' | 'percent' | 'whole';
  /** Its sum stands under the table. */
  readonly total?: true;
  /** Left out on the screen as long as no row has anything in it. */
  readonly seldom?: true;
  /** What goods cost: only for who holds a grant on the screen of the stock, whatever screen the report is on. */
  readonly cost?: true;
}

export interface Filter {
  readonly label: string;
  readonly type: 'day' | 'pick' | 'choice' | 'period' | 'flag';
  readonly pick?: string;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  readonly required?: true;
  /** Where it starts: today, first day of the month or year, or a plain value. */
  readonly initial?: 'today' | 'monthStart' | 'yearStart' | 'thisPeriod' | 'registration' | (string & {});
  /** Of the first day of a period: so many years are read at once, and no more. */
  readonly years?: number;
}

/** To another report, with these filters taken from the row or from the filters here. */
export interface Drill {
  readonly report: string;
  readonly filters: Readonly<Record<string, string>>;
}

/** Files that are not the report's table: a return for the portal, the books as a plain-text journal. */
export type OwnFormat = 'json' | 'journal';

/** A report is a title, its filters, its columns and where a row leads. The server adds one query under the same name. */
export interface Report {
  readonly title: string;
  readonly screen: ScreenName;
  readonly section: 'Accounts' | 'Receivables and payables' | 'Stock' | 'GST' | 'People';
  readonly filters: Readonly<Record<string, Filter>>;
  readonly columns: readonly Column[];
  /** What it means that there is no row, where that is not plain. */
  readonly empty?: string;
  /** A row leads to a document (its `document` and `kind`), or to another report: the first for which it has a filter. */
  readonly drill?: 'document' | Drill | readonly Drill[];
  /** Rows carry `depth` and `heading`: drawn as a statement. */
  readonly statement?: true;
  /** What a row comes to, where there is room for one figure: the first of these columns that has one. */
  readonly balance?: readonly string[];
  /** Rows come in pages by cursor. */
  readonly paged?: true;
  /** What reading it asks for on its screen, when that is more than reading. */
  readonly action?: 'settings';
  /** Its figures are made of what goods cost, also where no column says so: not for people whose roles show no cost. */
  readonly cost?: true;
  /** A file of its own, for another program: the server has one writer for it. */
  readonly file?: { readonly format: OwnFormat; readonly label: string };
  /** It draws a return of outward supplies, whose period is marked as filed. */
  readonly marked?: true;
}

const asOf = { label: 'As on', type: 'day', required: true, initial: 'today' } as const satisfies Filter;
// books are kept for eight years (Companies Act, section 128(5)); who looks further back asks in parts
const from = { label: 'From', type: 'day', required: true, initial: 'yearStart', years: 10 } as const satisfies Filter;
const to = { label: 'To', type: 'day', required: true, initial: 'today' } as const satisfies Filter;
const location = { label: 'Location', type: 'pick', pick: 'location', initial: 'location' } as const satisfies Filter;
const money = (key: string, label: string, total?: true): Column => ({
  key,
  label,
  format: 'money',
  ...(total && { total }),
});
const buckets = [
  money('notDue', 'Not due', true),
  money('to30', '0–30', true),
  money('to60', '31–60', true),
  money('to90', '61–90', true),
  money('to180', '91–180', true),
  money('over180', 'Over 180', true),
  money('onAccount', 'On account', true),
  money('total', 'Total', true),
];
const statement: readonly Column[] = [
  { key: 'date', label: 'Date', format: 'day' },
  { key: 'number', label: 'Document' },
  { key: 'kindLabel', label: 'Type' },
  { key: 'with', label: 'Settled with' },
  { key: 'dueDate', label: 'Due', format: 'day' },
  money('debit', 'Debit', true),
  money('credit', 'Credit', true),
  money('balance', 'Balance'),
];
const ledgerDrill = { report: 'generalLedger', filters: { ledger: 'ledger', from: 'from', to: 'to' } } as const;

export const reports = {
  trialBalance: {
    cost: true,
    title: 'Trial balance',
    empty: 'Nothing was posted up to this day',
    screen: 'TrialBalance',
    section: 'Accounts',
    filters: { from, to, location, closing: { label: 'With year-end closing', type: 'flag' } },
    drill: ledgerDrill,
    balance: ['closingDebit', 'closingCredit'],
    columns: [
      { key: 'code', label: 'Code' },
      { key: 'name', label: 'Ledger' },
      money('openingDebit', 'Opening Dr', true),
      money('openingCredit', 'Opening Cr', true),
      money('debit', 'Debit', true),
      money('credit', 'Credit', true),
      money('closingDebit', 'Closing Dr', true),
      money('closingCredit', 'Closing Cr', true),
    ],
  },
  generalLedger: {
    title: 'General ledger',
    empty: 'Nothing was posted to this ledger in these days',
    screen: 'General Ledger',
    section: 'Accounts',
    paged: true,
    drill: 'document',
    filters: {
      ledger: { label: 'Ledger', type: 'pick', pick: 'ledger', required: true },
      from,
      to,
      location,
      party: { label: 'Party', type: 'pick', pick: 'customer' },
    },
    columns: [
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'number', label: 'Document' },
      { key: 'kindLabel', label: 'Type' },
      { key: 'party', label: 'Party' },
      { key: 'foreign', label: 'In its currency', seldom: true },
      { key: 'foreignBalance', label: 'Its balance', seldom: true },
      money('debit', 'Debit', true),
      money('credit', 'Credit', true),
      money('balance', 'Balance'),
    ],
  },
  dayBook: {
    title: 'Day book',
    empty: 'Nothing was posted in these days',
    screen: 'Journal Reports',
    section: 'Accounts',
    paged: true,
    drill: 'document',
    filters: { from: { ...from, initial: 'monthStart' }, to, location },
    file: { format: 'journal', label: 'Journal for hledger' },
    columns: [
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'number', label: 'Document' },
      { key: 'kindLabel', label: 'Type' },
      { key: 'ledger', label: 'Ledger' },
      { key: 'party', label: 'Party' },
      money('debit', 'Debit', true),
      money('credit', 'Credit', true),
    ],
  },
  acceptedWarnings: {
    title: 'Warnings posted with a reason',
    empty: 'No document of these days was posted with a warning that needs a reason',
    screen: 'Journal Reports',
    section: 'Accounts',
    paged: true,
    drill: 'document',
    filters: { from: { ...from, initial: 'monthStart' }, to, location },
    columns: [
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'number', label: 'Document' },
      { key: 'kindLabel', label: 'Type' },
      { key: 'party', label: 'Party' },
      { key: 'warning', label: 'Warning' },
      { key: 'reason', label: 'Reason' },
      { key: 'who', label: 'Given by' },
      { key: 'at', label: 'Posted (+05:30)' },
    ],
  },
  cashAndBank: {
    title: 'Cash and bank',
    empty: 'There is no ledger of cash or of a bank: make one in the chart of accounts',
    screen: 'CashBankList',
    section: 'Accounts',
    filters: { from: { ...from, initial: 'monthStart' }, to, location },
    drill: ledgerDrill,
    columns: [
      { key: 'code', label: 'Code' },
      { key: 'name', label: 'Ledger' },
      money('opening', 'Opening', true),
      money('debit', 'In', true),
      money('credit', 'Out', true),
      { key: 'foreign', label: 'In its currency', seldom: true },
      money('balance', 'Balance', true),
    ],
  },
  bankReconciliation: {
    title: 'Bank reconciliation statement',
    empty: 'Nothing was posted to this bank up to this day',
    screen: 'CashBankList',
    section: 'Accounts',
    statement: true,
    drill: 'document',
    filters: { ledger: { label: 'Bank', type: 'pick', pick: 'ledger', required: true }, asOf },
    columns: [
      { key: 'name', label: 'Particulars' },
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'number', label: 'Document or reference' },
      money('amount', 'Amount'),
    ],
  },
  profitAndLoss: {
    cost: true,
    title: 'Profit and loss',
    screen: 'profitandloss',
    section: 'Accounts',
    statement: true,
    drill: ledgerDrill,
    filters: { from, to, location },
    columns: [
      { key: 'name', label: 'Particulars' },
      money('amount', 'Amount (₹)'),
      money('previous', 'Previous year (₹)'),
    ],
  },
  balanceSheet: {
    cost: true,
    title: 'Balance sheet',
    screen: 'balancesheet',
    section: 'Accounts',
    statement: true,
    drill: [ledgerDrill, { report: 'balanceGroup', filters: { group: 'group', asOf: 'asOf' } }],
    filters: { asOf, location },
    columns: [
      { key: 'name', label: 'Particulars' },
      money('amount', 'Amount (₹)'),
      money('previous', 'Previous year (₹)'),
    ],
  },
  balanceGroup: {
    cost: true,
    title: 'Group of the balance sheet',
    empty: 'No ledger of this group has a balance on this day',
    screen: 'balanceSubsheet',
    section: 'Accounts',
    drill: ledgerDrill,
    filters: { group: { label: 'Group', type: 'choice', choices: balanceGroups, required: true }, asOf, location },
    columns: [
      { key: 'code', label: 'Code' },
      { key: 'name', label: 'Ledger' },
      money('opening', 'Opening of the year', true),
      money('debit', 'Debit', true),
      money('credit', 'Credit', true),
      money('amount', 'Amount (₹)', true),
      money('previous', 'Previous year (₹)', true),
    ],
  },
  stockOnHand: {
    title: 'Stock on hand',
    empty: 'Nothing is in stock on this day. Enter opening stock or purchase bills.',
    screen: 'Manage Inventory',
    section: 'Stock',
    paged: true,
    filters: {
      asOf,
      location,
      item: { label: 'Item', type: 'pick', pick: 'item' },
      by: {
        label: 'Split by',
        type: 'choice',
        choices: [
          ['location', 'Location'],
          ['room', 'Stock room'],
          ['batch', 'Batch'],
        ],
        initial: 'location',
      },
    },
    columns: [
      { key: 'sku', label: 'SKU' },
      { key: 'item', label: 'Item' },
      { key: 'location', label: 'Location' },
      { key: 'part', label: 'Room or batch', seldom: true },
      { key: 'expiry', label: 'Expires', format: 'day', seldom: true },
      { key: 'quantity', label: 'Quantity', format: 'quantity' },
      { key: 'unit', label: 'Unit' },
      { ...money('rate', 'Average rate'), cost: true },
      { ...money('value', 'Value (₹)', true), cost: true },
      { key: 'state', label: 'State', seldom: true },
    ],
    drill: { report: 'stockLedger', filters: { item: 'itemId', location: 'locationId', to: 'asOf' } },
  },
  countSheet: {
    title: 'Count sheet',
    empty: 'No stock at this location on this day',
    screen: 'ReportsCommon',
    section: 'Stock',
    paged: true,
    filters: {
      asOf,
      location: { ...location, required: true },
      by: {
        label: 'Count by',
        type: 'choice',
        choices: [
          ['location', 'Item'],
          ['room', 'Stock room'],
          ['batch', 'Batch'],
        ],
        initial: 'location',
      },
      blind: { label: 'Hide the book quantities', type: 'flag' },
    },
    columns: [
      { key: 'sku', label: 'SKU' },
      { key: 'item', label: 'Item' },
      { key: 'part', label: 'Room or batch', seldom: true },
      { key: 'unit', label: 'Unit' },
      { key: 'books', label: 'In the books', format: 'quantity' },
      { key: 'counted', label: 'Counted' },
      { key: 'remark', label: 'Remark' },
    ],
  },
  reorder: {
    title: 'Stock to be ordered',
    empty: 'Nothing is below its reorder level. Levels are set on the item form.',
    screen: 'Manage Inventory',
    section: 'Stock',
    paged: true,
    filters: { location },
    columns: [
      { key: 'sku', label: 'SKU' },
      { key: 'item', label: 'Item' },
      { key: 'location', label: 'Location', seldom: true },
      { key: 'level', label: 'Reorder level', format: 'quantity' },
      { key: 'onHand', label: 'On hand', format: 'quantity' },
      { key: 'held', label: 'Reserved by orders', format: 'quantity' },
      { key: 'coming', label: 'On order', format: 'quantity' },
      { key: 'short', label: 'To be ordered', format: 'quantity' },
      { key: 'unit', label: 'Unit' },
      { key: 'supplier', label: 'Last bought from' },
    ],
    drill: { report: 'stockLedger', filters: { item: 'itemId' } },
  },
  stockLedger: {
    title: 'Stock ledger',
    empty: 'The item did not move in these days',
    screen: 'ReportsCommon',
    section: 'Stock',
    paged: true,
    drill: 'document',
    filters: { item: { label: 'Item', type: 'pick', pick: 'item', required: true }, from, to, location },
    columns: [
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'number', label: 'Document' },
      { key: 'kindLabel', label: 'Type' },
      { key: 'party', label: 'Party' },
      { key: 'location', label: 'Location' },
      { key: 'in', label: 'In', format: 'quantity' },
      { key: 'out', label: 'Out', format: 'quantity' },
      { ...money('cost', 'Cost'), cost: true },
      { key: 'balance', label: 'Balance', format: 'quantity' },
      { ...money('value', 'Value (₹)'), cost: true },
    ],
  },
  receivablesAgeing: {
    title: 'Receivables ageing',
    empty: 'No customer owes anything on this day',
    screen: 'TradeReceivable',
    section: 'Receivables and payables',
    filters: {
      asOf,
      by: {
        label: 'Age from',
        type: 'choice',
        choices: [
          ['due', 'Due date'],
          ['date', 'Document date'],
        ],
        initial: 'due',
      },
      party: { label: 'Customer', type: 'pick', pick: 'customer' },
    },
    columns: [{ key: 'party', label: 'Customer' }, ...buckets],
    drill: { report: 'outstandingDebtors', filters: { party: 'partyId', asOf: 'asOf' } },
  },
  payablesAgeing: {
    title: 'Payables ageing',
    empty: 'No dues to suppliers on this day',
    screen: 'TradePayable',
    section: 'Receivables and payables',
    filters: {
      asOf,
      by: {
        label: 'Age from',
        type: 'choice',
        choices: [
          ['due', 'Due date'],
          ['date', 'Document date'],
        ],
        initial: 'due',
      },
      party: { label: 'Supplier', type: 'pick', pick: 'supplier' },
    },
    columns: [{ key: 'party', label: 'Supplier' }, ...buckets, money('microSmallOverdue', 'MSE over 45 days', true)],
    drill: { report: 'outstandingCreditors', filters: { party: 'partyId', asOf: 'asOf' } },
  },
  outstandingDebtors: {
    title: 'Outstanding debtors',
    empty: 'No customer owes anything on this day',
    screen: 'OutStandingDebitors',
    section: 'Receivables and payables',
    drill: 'document',
    filters: { asOf, party: { label: 'Customer', type: 'pick', pick: 'customer' } },
    columns: [
      { key: 'party', label: 'Customer' },
      { key: 'number', label: 'Document' },
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'dueDate', label: 'Due', format: 'day' },
      { key: 'days', label: 'Days overdue', format: 'whole' },
      { key: 'foreign', label: 'In its currency', seldom: true },
      money('original', 'Amount (₹)', true),
      money('open', 'Open (₹)', true),
    ],
  },
  outstandingCreditors: {
    title: 'Outstanding creditors',
    empty: 'No dues to suppliers on this day',
    screen: 'OutStandingCreditors',
    section: 'Receivables and payables',
    drill: 'document',
    filters: { asOf, party: { label: 'Supplier', type: 'pick', pick: 'supplier' } },
    columns: [
      { key: 'party', label: 'Supplier' },
      { key: 'number', label: 'Document' },
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'dueDate', label: 'Due', format: 'day' },
      { key: 'days', label: 'Days overdue', format: 'whole' },
      { key: 'foreign', label: 'In its currency', seldom: true },
      money('original', 'Amount (₹)', true),
      money('open', 'Open (₹)', true),
    ],
  },
  customerStatement: {
    title: 'Statement of customer',
    empty: 'Nothing was posted to this customer in these days',
    screen: 'ReportsCommon',
    section: 'Receivables and payables',
    drill: 'document',
    filters: { party: { label: 'Customer', type: 'pick', pick: 'customer', required: true }, from, to, location },
    columns: statement,
  },
  supplierStatement: {
    title: 'Statement of supplier',
    empty: 'Nothing was posted to this supplier in these days',
    screen: 'ReportsCommon',
    section: 'Receivables and payables',
    drill: 'document',
    filters: { party: { label: 'Supplier', type: 'pick', pick: 'supplier', required: true }, from, to, location },
    columns: statement,
  },
  tdsDeducted: {
    title: 'TDS deducted',
    empty: 'No tax was deducted in these days',
    screen: 'TDS Report',
    section: 'Accounts',
    drill: 'document',
    filters: {
      from: { ...from, initial: 'monthStart' },
      to,
      party: { label: 'Supplier', type: 'pick', pick: 'supplier' },
      section: {
        label: 'Section',
        type: 'choice',
        choices: [
          ['', 'Every section'],
          ...tdsSections.map(({ section, name }) => [section, `${section} ${name}`] as const),
        ],
      },
      location,
    },
    columns: [
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'number', label: 'Document' },
      { key: 'kindLabel', label: 'Type' },
      { key: 'party', label: 'Supplier' },
      { key: 'pan', label: 'PAN' },
      { key: 'section', label: 'Section' },
      { key: 'newAct', label: 'Act of 2025' },
      money('amount', 'Paid or credited', true),
      { key: 'rate', label: 'Rate %', format: 'percent' },
      money('tds', 'Tax deducted', true),
      money('paid', 'Deposited', true),
      { key: 'certificate', label: 'Certificate (s. 197)', seldom: true },
    ],
  },
  tcsCollected: {
    title: 'TCS collected',
    empty: 'No tax was collected in these days',
    screen: 'TDS Report',
    section: 'Accounts',
    drill: 'document',
    filters: {
      from: { ...from, initial: 'monthStart' },
      to,
      party: { label: 'Customer', type: 'pick', pick: 'customer' },
      section: {
        label: 'Section',
        type: 'choice',
        choices: [
          ['', 'Every section'],
          ...tcsSections.map(({ section, name }) => [section, `${section} ${name}`] as const),
        ],
      },
      location,
    },
    columns: [
      { key: 'date', label: 'Date', format: 'day' },
      { key: 'number', label: 'Document' },
      { key: 'kindLabel', label: 'Type' },
      { key: 'party', label: 'Customer' },
      { key: 'pan', label: 'PAN' },
      { key: 'section', label: 'Section' },
      { key: 'newAct', label: 'Act of 2025' },
      money('amount', 'Received or debited', true),
      { key: 'rate', label: 'Rate %', format: 'percent' },
      money('tds', 'Tax collected', true),
      money('paid', 'Deposited', true),
    ],
  },
  taxStatement: {
    title: 'Quarterly statement (24Q, 26Q, 27Q and 27EQ, 138, 140, 144 and 143)',
    empty: 'Nothing was deducted or collected in these days',
    screen: 'TDS Report',
    section: 'Accounts',
    drill: 'document',
    filters: {
      tax: {
        label: 'Statement',
        type: 'choice',
        choices: [
          ['tds', 'Tax deducted (26Q, 140)'],
          ['nonResidents', 'Tax deducted from non-residents (27Q, 144)'],
          ['salary', 'Tax deducted from salaries (24Q, 138)'],
          ['tcs', 'Tax collected (27EQ, 143)'],
        ],
        initial: 'tds',
      },
      from,
      to,
    },
    columns: [
      { key: 'section', label: 'Section' },
      { key: 'newAct', label: 'Act of 2025' },
      { key: 'code', label: 'Payment code', seldom: true },
      { key: 'head', label: 'Major head' },
      { key: 'party', label: 'Deductee or collectee' },
      { key: 'pan', label: 'PAN' },
      { key: 'date', label: 'Paid or credited on', format: 'day' },
      { key: 'number', label: 'Document' },
      money('amount', 'Amount', true),
      { key: 'rate', label: 'Rate %', format: 'percent' },
      money('tds', 'Tax', true),
      money('paid', 'Deposited', true),
      { key: 'bsr', label: 'BSR code' },
      { key: 'challanDate', label: 'Deposited on', format: 'day' },
      { key: 'serial', label: 'Challan serial' },
      money('left', 'Not deposited', true),
      { key: 'remark', label: 'Reason', seldom: true },
      { key: 'certificate', label: 'Certificate (s. 197)', seldom: true },
    ],
  },
  form16a: {
    title: 'Certificate of tax deducted (Form 16A, 131)',
    empty: 'No tax was deducted from this supplier in the quarter',
    screen: 'TDS Report',
    section: 'Accounts',
    drill: 'document',
    filters: {
      party: { label: 'Supplier', type: 'pick', pick: 'supplier', required: true },
      from: { ...from, initial: 'yearStart' },
      to,
    },
    columns: [
      { key: 'quarter', label: 'Quarter' },
      { key: 'section', label: 'Section' },
      { key: 'newAct', label: 'Act of 2025' },
      { key: 'nature', label: 'Nature of payment' },
      { key: 'date', label: 'Paid or credited on', format: 'day' },
      { key: 'number', label: 'Document' },
      money('amount', 'Paid or credited', true),
      money('tds', 'Tax deducted', true),
      money('paid', 'Deposited', true),
      { key: 'certificate', label: 'Certificate (s. 197)', seldom: true },
    ],
  },
  userDirectory: {
    title: 'User directory',
    empty: 'Nobody has these',
    screen: 'ClientUsers',
    section: 'People',
    paged: true,
    filters: {
      group: { label: 'Group', type: 'pick', pick: 'group' },
      role: { label: 'Role', type: 'pick', pick: 'role' },
    },
    columns: [
      { key: 'name', label: 'Name' },
      { key: 'email', label: 'E-mail' },
      { key: 'roles', label: 'Roles' },
      { key: 'groups', label: 'Groups' },
      { key: 'locations', label: 'Locations' },
      { key: 'state', label: 'State' },
    ],
  },
  securityLog: {
    title: 'Security log',
    empty: 'Nothing was logged in these days',
    screen: 'ClientUsers',
    section: 'People',
    paged: true,
    action: 'settings',
    filters: {
      from: { ...from, initial: 'monthStart' },
      to,
      user: { label: 'User', type: 'pick', pick: 'user' },
      what: {
        label: 'What',
        type: 'choice',
        choices: [
          ['', 'Everything'],
          ['door', 'Sign-ins and failures'],
          ['refused', 'Refusals'],
          ['exported', 'Exports'],
          ['rights', 'Users, roles and settings'],
        ],
      },
    },
    columns: [
      { key: 'at', label: 'When (+05:30)' },
      { key: 'who', label: 'Who' },
      { key: 'what', label: 'What' },
      { key: 'about', label: 'About' },
      { key: 'details', label: 'Details' },
      { key: 'origin', label: 'From' },
    ],
  },
  gstr1: {
    title: 'GSTR-1',
    screen: 'gstr1',
    section: 'GST',
    file: { format: 'json', label: 'JSON for the portal' },
    marked: true,
    filters: {
      registration: {
        label: 'Registration',
        type: 'pick',
        pick: 'registration',
        required: true,
        initial: 'registration',
      },
      period: { label: 'Period', type: 'period', required: true, initial: 'thisPeriod' },
    },
    columns: [
      { key: 'name', label: 'Table' },
      { key: 'count', label: 'Documents', format: 'whole' },
      money('taxable', 'Taxable value'),
      money('igst', 'IGST'),
      money('cgst', 'CGST'),
      money('sgst', 'SGST'),
      money('cess', 'Cess'),
      money('value', 'Invoice value'),
    ],
  },
} as const satisfies Record<string, Report>;

export type ReportName = keyof typeof reports;
export const reportNames = Object.keys(reports) as readonly ReportName[];
export const reportOf = (name: string): Report | undefined =>
  Object.hasOwn(reports, name) ? reports[name as ReportName] : undefined;

/** What is wrong with a period, by field: it ends before it begins, or is longer than the report reads at once. */
export function periodProblem(
  { filters }: Report,
  { from, to }: Readonly<Record<string, string | undefined>>,
): (Said & { readonly field: 'from' | 'to' }) | undefined {
  if (!from || !to || !isDay(from) || !isDay(to)) return undefined;
  if (to < from) return { field: 'to', ...say('End Date should be greater than Start Date') };
  const years = filters['from']?.years;
  return years !== undefined && to >= addMonths(from, 12 * years)
    ? { field: 'from', ...say('Choose a period of at most {{years}} years', { years }) }
    : undefined;
}
