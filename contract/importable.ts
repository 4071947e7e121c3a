import { type KindName, kindFor, kindNames, kindOf } from '../domain/document/kinds/index.ts';
import { type Field, type MasterName, masterNames, masterOf, masters } from './masters.ts';
import type { GeneralConfiguration } from './session.ts';

type Fields = Readonly<Record<string, Field>>;

export interface RowsOf {
  readonly master: MasterName;
  readonly field: string;
  /** The columns by which two rows mean the same. */
  readonly key: readonly string[];
}

/** What can be brought in by a file: records of a master, rows of them, or lines of documents of a kind. */
export interface Importable {
  readonly plural: string;
  readonly fields: Fields;
  /** Its rows are lines of documents of this kind. Without it they are records of the master of the same name. */
  readonly kind?: KindName;
  /** Its rows are rows of a field of records of this master, which the field `record` of the file names. */
  readonly rowsOf?: RowsOf;
  /** Only for organisations with this setting. */
  readonly needs?: keyof GeneralConfiguration;
  /** Why it is not imported. */
  readonly notImported?: string;
}

const place: Fields = {
  date: {
    label: 'Date',
    type: 'day',
    help: 'Empty: the day of the opening documents that are there, or the first day of the financial year',
  },
  location: { label: 'Location', type: 'pick', pick: 'location', help: 'Needed where there are several' },
};
const sides: Fields = {
  debit: { label: 'Debit (₹)', type: 'money' },
  credit: { label: 'Credit (₹)', type: 'money' },
};

/** The kind whose lines are the bills and balances that the books begin with. */
const balances = kindNames.find((name) => kindOf(name).books.opensByLine === 'bills') as KindName;

/** What a firm brings with it besides its masters: each row becomes a line of a document. */
export const importedLines = {
  openingLedgers: {
    plural: 'Opening balances of ledgers',
    kind: balances,
    fields: {
      ledger: { label: 'Ledger', type: 'pick', pick: 'plainLedger', required: true },
      ...sides,
      ...place,
      costCentre: { label: 'Cost centre', type: 'pick', pick: 'costCentre' },
    },
  },
  openingBills: {
    plural: 'Outstanding bills',
    kind: balances,
    fields: {
      party: { label: 'Party', type: 'pick', pick: 'party', required: true },
      reference: { label: 'Bill number', type: 'text', most: 50 },
      referenceDate: { label: 'Bill date', type: 'day' },
      dueDate: { label: 'Due date', type: 'day' },
      amount: {
        label: 'Amount (₹)',
        type: 'money',
        help: 'Due from a customer, or to a supplier; below zero, a credit of theirs. Or debit and credit instead',
      },
      ...sides,
      ...place,
    },
  },
  openingItems: {
    plural: 'Opening stock of items',
    kind: kindFor('openingStock'),
    needs: 'trackInventory',
    fields: {
      item: { label: 'Item', type: 'pick', pick: 'item', required: true },
      quantity: { label: 'Quantity', type: 'quantity', required: true },
      unit: { label: 'Unit', type: 'pick', pick: 'unit' },
      rate: { label: 'Rate (₹)', type: 'rate' },
      value: { label: 'Value (₹)', type: 'money', help: 'Of the whole quantity, where there is no rate' },
      room: { label: 'Stock room', type: 'pick', pick: 'warehouse' },
      batch: { label: 'Batch', type: 'text', most: 30 },
      expiry: { label: 'Expiry date', type: 'day' },
      manufactured: { label: 'Manufacturing date', type: 'day' },
      serials: { label: 'Serial numbers', type: 'notes', help: 'With ; between them' },
      ...place,
    },
  },
} as const satisfies Readonly<Record<string, Importable & { readonly kind: KindName }>>;

/** Rows of records that are too many for the sheet of their master. */
export const importedRows = {
  listPrices: {
    plural: 'Prices of price lists',
    rowsOf: { master: 'priceList', field: 'prices', key: ['item', 'category', 'from'] },
    fields: {
      record: { label: 'Price list', type: 'pick', pick: 'priceList', required: true },
      ...masters.priceList.fields.prices.columns,
    },
  },
} as const satisfies Readonly<Record<string, Importable & { readonly rowsOf: RowsOf }>>;

export type ImportedLines = keyof typeof importedLines;
export const importedLinesNames = Object.keys(importedLines) as readonly ImportedLines[];
export const isImportedLines = (name: string): name is ImportedLines => Object.hasOwn(importedLines, name);

/** What a name means of what can be imported. */
export const importableOf = (name: string): Importable | undefined =>
  isImportedLines(name)
    ? importedLines[name]
    : Object.hasOwn(importedRows, name)
      ? importedRows[name as keyof typeof importedRows]
      : masterOf(name);
/** Everything that files may be of, and what is not imported with its reason. */
export const importableNames: readonly string[] = [...masterNames, ...importedLinesNames, ...Object.keys(importedRows)];
