import type { Field, MasterName } from '../../contract/masters.ts';
import { moneyText, percentText, quantityText, rateText } from '../../domain/base/decimal.ts';

/** Where a master is kept: its table, which fields are columns, and what narrows the table to it. What is no column is in `body`. */
export interface Store {
  readonly table: string;
  readonly columns: Readonly<Record<string, string>>;
  /** Condition on the row, and columns it is written with. */
  readonly fixed?: Readonly<Record<string, string | boolean>>;
  readonly where?: string;
  /** Column of the name that lists are ordered by. */
  readonly order: string;
  /** No body column: fields that are no columns belong to links of their own. */
  readonly bare?: true;
  /** Fields that are kept in a table of their own: a linker writes them, a reader shows them. */
  readonly beside?: readonly string[];
  /** Columns that stay empty here, though others have something usual for them. */
  readonly empty?: readonly string[];
  readonly search?: readonly string[];
  /** Two of its records can be merged: the other one points to the record it was merged into. */
  readonly merges?: true;
}

const party = {
  code: 'code',
  name: 'name',
  gstin: 'gstin',
  pan: 'pan',
  category: 'category',
  state: 'state',
  country: 'country',
  currency: 'currency',
  creditLimit: 'credit_limit',
  creditDays: 'credit_days',
} as const;
const partySearch = ['code', 'name', 'tradeName', 'gstin', 'phone', 'formerly'] as const;
const small: Store = { table: 'masters', columns: { code: 'code', name: 'name' }, order: 'name' };

export const stores: Readonly<Record<MasterName, Store>> = {
  customer: {
    table: 'parties',
    columns: party,
    fixed: { side: 'customer' },
    where: `side in ('customer', 'both')`,
    order: 'name',
    search: partySearch,
    merges: true,
  },
  consumer: {
    table: 'parties',
    columns: party,
    fixed: { side: 'customer', category: 'unregistered' },
    where: `side in ('customer', 'both') and category = 'unregistered'`,
    order: 'name',
    search: partySearch,
    merges: true,
  },
  supplier: {
    table: 'parties',
    columns: party,
    fixed: { side: 'supplier' },
    where: `side in ('supplier', 'both')`,
    order: 'name',
    search: partySearch,
    merges: true,
  },
  item: {
    table: 'items',
    columns: {
      sku: 'sku',
      name: 'name',
      unit: 'unit',
      barcode: 'barcode',
      hsn: 'hsn',
      treatment: 'treatment',
      gstRate: 'gst_rate',
      cessRate: 'cess_rate',
      cessPerUnit: 'cess_per_unit',
      retailPrice: 'retail_price',
      saleRate: 'sale_rate',
      purchaseRate: 'purchase_rate',
      incomeLedger: 'income_ledger',
      expenseLedger: 'expense_ledger',
      creditBlocked: 'credit_blocked',
      scrap: 'scrap',
    },
    order: 'name',
    search: ['sku', 'name', 'barcode', 'hsn'],
  },
  registration: {
    table: 'registrations',
    columns: { legalName: 'legal_name', tradeName: 'trade_name', gstin: 'gstin', state: 'state', kind: 'kind' },
    beside: ['statuses'],
    order: 'legal_name',
  },
  location: {
    table: 'locations',
    columns: { code: 'code', name: 'name', registration: 'registration', isTax: 'is_tax', isPhysical: 'is_physical' },
    where: 'not is_transit',
    order: 'name',
  },
  ledger: {
    table: 'ledgers',
    columns: {
      code: 'code',
      name: 'name',
      group: '"group"',
      nature: 'nature',
      isBank: 'is_bank',
      currency: 'currency',
      hsn: 'hsn',
      creditBlocked: 'credit_blocked',
    },
    empty: ['currency', 'hsn'],
    fixed: { is_group: false },
    where: 'not is_group',
    order: 'code',
  },
  accountGroup: {
    table: 'ledgers',
    columns: { code: 'code', name: 'name', parent: '"group"', nature: 'nature' },
    fixed: { is_group: true },
    where: 'is_group',
    order: 'code',
  },
  ledgerPosting: { table: 'posting_map', columns: { effect: 'effect', ledger: 'ledger' }, order: 'effect', bare: true },
  numberSeries: {
    table: 'number_series',
    columns: {
      name: 'name',
      kind: 'kind',
      registration: 'registration',
      location: 'location',
      prefix: 'prefix',
      padding: 'padding',
      suffix: 'suffix',
      start: 'start',
      reset: 'reset',
    },
    order: 'name',
    bare: true,
  },
  user: { table: 'users', columns: { name: 'name', email: 'email' }, order: 'name', bare: true },
  role: {
    table: 'roles',
    columns: {
      ...{ name: 'name', typeName: 'type_name', secondFactor: 'second_factor' },
      ...{ discountLimit: 'discount_limit', backDays: 'back_days', seesCost: 'sees_cost' },
    },
    order: 'name',
    bare: true,
  },
  group: { table: 'groups', columns: { name: 'name', description: 'description' }, order: 'name', bare: true },
  category: small,
  attribute: small,
  unit: small,
  warehouse: small,
  terms: small,
  adjustment: small,
  paperTemplate: small,
  till: small,
  priceList: small,
  costCentre: { table: 'cost_centres', columns: { code: 'code', name: 'name', parent: 'parent' }, order: 'name' },
  tdsCertificate: {
    table: 'tds_certificates',
    columns: {
      number: 'number',
      party: 'party',
      section: 'section',
      rate: 'rate',
      limit: 'limit_amount',
      from: 'valid_from',
      to: 'valid_to',
    },
    order: 'number',
  },
  additionalField: { ...small, columns: { label: 'name', key: 'code' } },
  unitConversion: { ...small, columns: {} },
  bank: { ...small, columns: { code: 'code', bankName: 'name' } },
};

/** Whole numbers in columns, decimal text on the wire. */
export const columnScale: Readonly<
  Partial<Record<Field['type'], { readonly places: number; readonly text: (n: number) => string }>>
> = {
  money: { places: 2, text: moneyText },
  rate: { places: 6, text: rateText },
  quantity: { places: 6, text: quantityText },
  percent: { places: 4, text: percentText },
};
