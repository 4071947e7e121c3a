import { additionalTypes } from '../domain/document/additional.ts';
import type { KindName } from '../domain/document/kinds/index.ts';
import { tdsSections } from '../domain/facts/withholding.ts';
import type { PriceListScope } from '../domain/items/item-price.ts';
import {
  logoPlaces,
  paperColours,
  paperColumnNames,
  paperColumns,
  paperSizes,
} from '../domain/paper/paper-template.ts';
import { uqcChoices } from '../domain/tax/gst/portal/uqc.ts';
import type { PagePartName } from './pages.ts';
import type { GeneralConfiguration } from './session.ts';

/** What the portal tells of a GSTIN; `addresses` is its address as a row of addresses, the last four are its parts. */
export type TaxpayerFact =
  | 'legalName'
  | 'tradeName'
  | 'state'
  | 'pan'
  | 'category'
  | 'kind'
  | 'addresses'
  | 'line1'
  | 'line2'
  | 'city'
  | 'pincode';

/** How a field of a master is typed, checked, drawn and listed. What differs between masters is only such rows. */
export interface Field {
  readonly label: string;
  readonly type:
    | 'text'
    | 'notes'
    | 'code'
    | 'money'
    | 'quantity'
    | 'rate'
    | 'percent'
    | 'flag'
    | 'day'
    | 'whole'
    | 'choice'
    | 'pick'
    | 'picks'
    | 'gstin'
    | 'email'
    | 'state'
    | 'rows'
    | 'levels';
  readonly required?: true;
  readonly most?: number;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  /** What it means when none of the choices is taken. */
  readonly none?: string;
  /** The master a `pick` chooses from. */
  readonly pick?: string;
  /** Of a ledger: the field of the same record that says what it is picked for (`domain/books/ledger-uses.ts`). */
  readonly useOf?: string;
  readonly help?: string;
  /** Panel of the form it stands in. */
  readonly section?: string;
  /** Names of our own making: the special-character rule applies. */
  readonly plain?: true;
  /** Columns of a `rows` field (addresses, contacts, values). */
  readonly columns?: Readonly<Record<string, Field>>;
  /** What one row of it is called in a sheet that is imported, `Address 1 city`. Without it the rows are not in sheets. */
  readonly each?: string;
  /** The column whose choices name rows of it as well, `Billing city`. */
  readonly eachBy?: string;
  readonly initial?: string | boolean | number;
  readonly readOnly?: true;
  /** Of a GSTIN: the portal can be asked about it, and what it tells fills these fields of the same form. */
  readonly fills?: Readonly<Record<string, TaxpayerFact>>;
  /** A column of the list that the form shows in a panel of its own. */
  readonly listOnly?: true;
  /** Shown in full only to who holds a grant on the master's screen, also where the screen is open to everyone. */
  readonly secret?: true;
  /** What goods cost: left out for people whose roles do not show it, always or where other fields of the record say so. */
  readonly cost?: true | Readonly<Record<string, string>>;
  /** So long that lists leave it out: only who opens the record gets it. */
  readonly formOnly?: true;
  /** What is picked knows what is usual for other fields: it fills those that nobody has filled yet. */
  readonly gives?: 'usual';
  /** Asked for only where this is switched on, or where it holds something already. */
  readonly needs?: keyof GeneralConfiguration;
  /** A new record begins with our own state. */
  readonly usual?: 'ownState';
  /** A code that is made of this field as long as nobody types another. */
  readonly proposedFrom?: string;
  /** What it is with a GSTIN and without one, as long as nobody chooses another. */
  readonly byGstin?: readonly [withGstin: string, without: string];
  /** Asked for only where GST concerns the organisation (`withoutGst`). */
  readonly ofGst?: true;
}

/** A document that is begun from the page of a record, with the record filled in. */
export interface PageAction {
  readonly kind: KindName;
  /** What the record fills in. */
  readonly fills: 'party' | 'items';
  /** Offered where the page has this part: bills of a customer who is a supplier too. */
  readonly with?: PagePartName;
}

/** What a record answers at a look, before its form is opened. */
export interface MasterPage {
  readonly facts: readonly string[];
  /** Fields that a phone or mail program opens, with the scheme of the link. */
  readonly links: Readonly<Record<string, 'tel' | 'mailto'>>;
  readonly parts: readonly PagePartName[];
  readonly actions: readonly PageAction[];
  readonly pictures?: true;
  /** Files can be attached to a record. */
  readonly files?: true;
}

export interface Master {
  readonly label: string;
  readonly plural: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Columns of the list. */
  readonly list: readonly string[];
  /** The field that names a record in pickers. */
  readonly name: string;
  readonly code?: string;
  /** A master that is used by documents is only deactivated. */
  readonly retire: 'deactivate' | 'delete' | 'never';
  readonly empty: string;
  /** Its list is drawn by a screen of its own: the groups of accounts with their ledgers and balances. */
  readonly drawn?: 'chart';
  /** Its records are people who sign in: the form offers a one-time link. */
  readonly signsIn?: true;
  /** Its records give rights: the form explains what they come to. */
  readonly gives?: 'rights';
  /** Each record is a place itself: people limited to places write only their own. */
  readonly isPlace?: 'location' | 'registration';
  /** Its form tells what is in stock of it and shows its pictures, once it is kept. */
  readonly showsStock?: true;
  /** Two of its records may be one and the same: such are flagged while typing, listed, and can be merged. */
  readonly merges?: true;
  /** A new record with this field filled stays open after it is saved: the next step is on its form. */
  readonly staysWith?: string;
  /** What its form shows under the fields, of the values as they are typed. */
  readonly panel?: 'numbers' | 'paper' | 'variants';
  /** The field that says under which other record one stands: the list is drawn as a tree. */
  readonly under?: string;
  /** Its records have an account: the form leads to its credits and to this report. */
  readonly account?: { readonly statement: string };
  /** Its records open as this page, and the form from there. */
  readonly page?: MasterPage;
  /** Fields by which a row of an import means a record that is there, the surest first, or several together, `from+to`. */
  readonly matchedBy?: readonly string[];
  /** Why its records are not imported from files; left out: they are. */
  readonly notImported?: string;
}

const address = {
  type: {
    label: 'Type',
    type: 'choice',
    choices: [
      ['billing', 'Billing'],
      ['shipping', 'Shipping'],
      ['both', 'Both'],
      ['office', 'Office'],
      ['plant', 'Plant'],
    ],
    initial: 'both',
  },
  line1: { label: 'Address line 1', type: 'text', most: 100, required: true },
  line2: { label: 'Address line 2', type: 'text', most: 100 },
  city: { label: 'City', type: 'text', most: 50, required: true },
  state: { label: 'State', type: 'state', required: true },
  pincode: { label: 'PIN code', type: 'text', most: 6, required: true },
  country: { label: 'Country', type: 'text', most: 2, initial: 'IN' },
  gstin: { label: 'GSTIN', type: 'gstin' },
  phone: { label: 'Phone', type: 'text', most: 20 },
  email: { label: 'E-mail', type: 'email' },
} as const satisfies Record<string, Field>;

const contact = {
  name: { label: 'Name', type: 'text', most: 100, required: true },
  role: { label: 'Role', type: 'text', most: 60 },
  phone: { label: 'Phone', type: 'text', most: 20 },
  email: { label: 'E-mail', type: 'email' },
} as const satisfies Record<string, Field>;

const registrationKinds: readonly (readonly [string, string])[] = [
  ['regular', 'Regular'],
  ['composition', 'Composition'],
  ['unregistered', 'Unregistered'],
  ['sez', 'SEZ'],
];
const categories = [
  ['registered', 'Registered, regular'],
  ['composition', 'Registered, composition'],
  ['unregistered', 'Unregistered / consumer'],
  ['sezUnit', 'SEZ unit'],
  ['sezDeveloper', 'SEZ developer'],
  ['deemedExport', 'Deemed export'],
  ['overseas', 'Overseas'],
  ['uinHolder', 'UIN holder'],
  ['taxDeductor', 'Tax deductor'],
  ['isd', 'Input service distributor'],
  ['ecommerceOperator', 'E-commerce operator'],
] as const;

const party = {
  code: { label: 'Code', type: 'code', section: 'Party', help: 'Left empty, the next free code is given' },
  name: { label: 'Name', type: 'text', most: 200, required: true, section: 'Party' },
  tradeName: { label: 'Trade name', type: 'text', most: 200, section: 'Party' },
  gstin: {
    label: 'GSTIN',
    type: 'gstin',
    section: 'Party',
    fills: {
      name: 'legalName',
      tradeName: 'tradeName',
      state: 'state',
      pan: 'pan',
      category: 'category',
      addresses: 'addresses',
    },
  },
  category: {
    label: 'GST category',
    type: 'choice',
    choices: categories,
    required: true,
    initial: 'unregistered',
    section: 'Party',
    byGstin: ['registered', 'unregistered'],
  },
  pan: { label: 'PAN', type: 'text', most: 10, section: 'Party' },
  state: { label: 'State', type: 'state', required: true, section: 'Party', usual: 'ownState' },
  country: { label: 'Country', type: 'text', most: 2, initial: 'IN', section: 'Party' },
  currency: { label: 'Currency', type: 'text', most: 3, initial: 'INR', section: 'Terms' },
  creditLimit: { label: 'Credit limit (₹)', type: 'money', section: 'Terms', help: 'Empty: no limit' },
  creditDays: { label: 'Credit days', type: 'whole', section: 'Terms', initial: 0 },
  phone: { label: 'Phone', type: 'text', most: 20, section: 'Terms' },
  email: { label: 'E-mail', type: 'email', section: 'Terms' },
  priceList: {
    label: 'Price list',
    type: 'pick',
    pick: 'salePriceList',
    section: 'Terms',
    help: 'None: items are sold at their own rates',
  },
  microSmall: { label: 'Micro or small enterprise (MSMED Act)', type: 'flag', section: 'Terms' },
  udyam: { label: 'Udyam number', type: 'text', most: 30, section: 'Terms' },
  addresses: {
    label: 'Addresses',
    type: 'rows',
    columns: address,
    each: 'Address',
    eachBy: 'type',
    section: 'Addresses',
  },
  contacts: { label: 'Contacts', type: 'rows', columns: contact, each: 'Contact', section: 'Contacts' },
} as const satisfies Record<string, Field>;

const sectionChoices = tdsSections.map(({ section, name }) => [section, `${section} ${name}`] as const);

const { priceList: _sale, ...supplied } = party;
const supplier = {
  ...supplied,
  creditLimit: { ...party.creditLimit, label: 'Credit limit given (₹)' },
  purchasePriceList: {
    label: 'Price list',
    type: 'pick',
    pick: 'purchasePriceList',
    section: 'Terms',
    help: 'None: items are bought at their own purchase rates',
  },
  tdsSection: {
    label: 'Usual TDS section',
    type: 'choice',
    choices: sectionChoices,
    section: 'Terms',
    needs: 'tdsadjustments',
    help: 'Bills, expenses and payments propose it, and ask for a reason where it is left out',
  },
} as const satisfies Record<string, Field>;

const treatments = [
  ['taxable', 'Taxable'],
  ['nil', 'Nil rated'],
  ['exempt', 'Exempt'],
  ['nonGst', 'Non-GST'],
  ['zeroRated', 'Zero rated'],
] as const;
const yesNo = [
  ['true', 'Yes'],
  ['false', 'No'],
] as const;
const priceListScopeChoices = [
  ['everybody', 'Everybody'],
  ['locations', 'Chosen locations'],
  ['tills', 'Items sold at tills'],
] as const satisfies readonly (readonly [PriceListScope, string])[];
const natures = [
  ['asset', 'Asset'],
  ['liability', 'Liability'],
  ['equity', 'Equity'],
  ['income', 'Income'],
  ['expense', 'Expense'],
] as const;

const customerParts = ['receivable', 'receivableAgeing', 'openReceivables'] as const;
const supplierParts = ['payable', 'payableAgeing', 'openPayables'] as const;
const ofCustomer = (part: { readonly with?: PagePartName }): readonly PageAction[] => [
  { kind: 'saleInvoice', fills: 'party', ...part },
  { kind: 'saleReceipt', fills: 'party', ...part },
];
const ofSupplier = (part: { readonly with?: PagePartName }): readonly PageAction[] => [
  { kind: 'purchaseBill', fills: 'party', ...part },
  { kind: 'payment', fills: 'party', ...part },
];
/** A firm may be customer and supplier at once: its page has both accounts, that of the list first that it was opened from. */
const partyPage = (parts: readonly PagePartName[], actions: readonly PageAction[]): MasterPage => ({
  facts: ['code', 'gstin', 'state', 'phone', 'email', 'creditLimit', 'creditDays'],
  links: { phone: 'tel', email: 'mailto' },
  parts: [...parts, 'partyDocuments'],
  actions,
  files: true,
});

export const masters = {
  customer: {
    label: 'Customer',
    merges: true,
    account: { statement: 'customerStatement' },
    page: partyPage([...customerParts, ...supplierParts], [...ofCustomer({}), ...ofSupplier({ with: 'payable' })]),
    plural: 'Customers',
    fields: party,
    list: ['code', 'name', 'gstin', 'state', 'phone', 'creditLimit'],
    name: 'name',
    code: 'code',
    matchedBy: ['code', 'gstin', 'name'],
    retire: 'deactivate',
    empty: 'No customers yet',
  },
  consumer: {
    label: 'Customer (B2C)',
    notImported: 'They are customers: import them as customers',
    merges: true,
    account: { statement: 'customerStatement' },
    plural: 'Customers',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No customers yet',
    list: ['code', 'name', 'phone', 'state'],
    fields: {
      code: party.code,
      name: party.name,
      phone: party.phone,
      email: party.email,
      state: party.state,
      priceList: party.priceList,
      addresses: party.addresses,
    },
  },
  supplier: {
    label: 'Supplier',
    merges: true,
    account: { statement: 'supplierStatement' },
    page: partyPage([...supplierParts, ...customerParts], [...ofSupplier({}), ...ofCustomer({ with: 'receivable' })]),
    plural: 'Suppliers',
    fields: supplier,
    list: ['code', 'name', 'gstin', 'state', 'phone', 'creditDays'],
    name: 'name',
    code: 'code',
    matchedBy: ['code', 'gstin', 'name'],
    retire: 'deactivate',
    empty: 'No suppliers yet',
  },
  item: {
    showsStock: true,
    panel: 'variants',
    staysWith: 'attributes',
    label: 'Item',
    plural: 'Items',
    name: 'name',
    code: 'sku',
    retire: 'deactivate',
    empty: 'No items yet',
    list: ['sku', 'name', 'type', 'hsn', 'gstRate', 'unit', 'saleRate'],
    page: {
      facts: [
        ...['sku', 'type', 'unit', 'category', 'hsn', 'gstRate', 'saleRate', 'purchaseRate', 'mrp'],
        ...['reorderLevel', 'description'],
      ],
      links: {},
      parts: [
        ...(['stock', 'stockPlaces', 'batches', 'serials', 'variants', 'listPrices', 'barcodes'] as const),
        ...(['itemSales', 'itemPurchases', 'itemMoves'] as const),
      ],
      actions: [
        { kind: 'saleOrder', fills: 'items' },
        { kind: 'purchaseOrder', fills: 'items' },
        { kind: 'inventoryAdjustment', fills: 'items' },
      ],
      pictures: true,
      files: true,
    },
    fields: {
      sku: { label: 'SKU', type: 'code', required: true, section: 'Item', proposedFrom: 'name' },
      name: { label: 'Name', type: 'text', most: 200, required: true, section: 'Item' },
      type: {
        label: 'Type',
        type: 'choice',
        choices: [
          ['stock', 'Goods, stocked'],
          ['nonStock', 'Goods, not stocked'],
          ['service', 'Service'],
        ],
        required: true,
        initial: 'stock',
        section: 'Item',
      },
      unit: { label: 'Unit', type: 'pick', pick: 'unit', required: true, initial: 'NOS', section: 'Item' },
      category: { label: 'Category', type: 'pick', pick: 'category', section: 'Item', gives: 'usual' },
      barcode: { label: 'Barcode', type: 'text', most: 48, section: 'Item' },
      attributes: {
        label: 'Attributes that make variants',
        type: 'picks',
        pick: 'attribute',
        section: 'Item',
        help: 'Up to three, as size and colour: then its variants are bought, sold and counted, never the item itself',
      },
      batched: { label: 'Kept in batches', type: 'flag', section: 'Item', help: 'Where batches are switched on' },
      serialised: {
        label: 'Has serial numbers',
        type: 'flag',
        section: 'Item',
        help: 'Where serial numbers are switched on',
      },
      description: { label: 'Description', type: 'notes', most: 1000, section: 'Item' },
      hasShelfLife: {
        label: 'Keeps for a time only',
        type: 'flag',
        section: 'Shelf life',
        needs: 'enableShelfLife',
        help: 'Each batch has the day it expires; one that has expired is not sold',
      },
      shelfLifeDays: {
        label: 'Keeps for days',
        type: 'whole',
        section: 'Shelf life',
        needs: 'enableShelfLife',
        help: 'From the day it is made: then that day is enough. Empty: each batch says when it expires',
      },
      minRemainingShelfLifeDays: {
        label: 'Days left when it is sold',
        type: 'whole',
        section: 'Shelf life',
        needs: 'enableShelfLife',
        help: 'A batch with fewer is not sold to customers',
      },
      hsn: { label: 'HSN / SAC', type: 'text', most: 8, section: 'Tax', ofGst: true, help: 'Needed before it is sold' },
      treatment: {
        label: 'Treatment',
        type: 'choice',
        choices: treatments,
        required: true,
        initial: 'taxable',
        section: 'Tax',
        ofGst: true,
      },
      gstRate: { label: 'GST %', type: 'percent', required: true, initial: '18', section: 'Tax', ofGst: true },
      cessRate: { label: 'Cess %', type: 'percent', section: 'Tax', ofGst: true },
      cessPerUnit: { label: 'Cess per unit (₹)', type: 'money', section: 'Tax', ofGst: true },
      retailPrice: {
        label: 'Retail price for rule 31D (₹)',
        type: 'money',
        section: 'Tax',
        ofGst: true,
        help: 'Only for goods taxed on the printed price',
      },
      saleRate: { label: 'Sale rate (₹)', type: 'rate', section: 'Prices' },
      purchaseRate: { label: 'Purchase rate (₹)', type: 'rate', section: 'Prices', cost: true },
      mrp: { label: 'MRP (₹)', type: 'rate', section: 'Prices' },
      reorderLevel: {
        label: 'Reorder level',
        type: 'quantity',
        section: 'Reorder levels',
        help: 'Of all locations together, but for those with a level of their own',
      },
      reorderLevels: {
        label: 'Levels of locations',
        type: 'rows',
        each: 'Level',
        section: 'Reorder levels',
        help:
          'A location with its own reorder level is checked on its own. When stock falls below the level, the reorder ' +
          'report shows how much to order to reach the target quantity.',
        columns: {
          location: { label: 'Location', type: 'pick', pick: 'location', required: true },
          level: { label: 'Level', type: 'quantity', required: true },
          upTo: { label: 'Fill up to', type: 'quantity' },
        },
      },
      incomeLedger: {
        label: 'Income ledger',
        type: 'pick',
        pick: 'entryLedger',
        section: 'Accounts',
        help: 'Empty: as set under Ledger postings',
      },
      expenseLedger: { label: 'Expense ledger', type: 'pick', pick: 'entryLedger', section: 'Accounts' },
      creditBlocked: { label: 'Input credit blocked (section 17(5))', type: 'flag', section: 'Accounts' },
      scrap: { label: 'Scrap', type: 'flag', section: 'Accounts' },
    },
  },
  registration: {
    label: 'GST registration',
    plural: 'GST registrations',
    isPlace: 'registration',
    name: 'legalName',
    code: 'gstin',
    retire: 'deactivate',
    empty: 'No registrations yet',
    list: ['legalName', 'gstin', 'state', 'status'],
    fields: {
      legalName: { label: 'Legal name', type: 'text', most: 200, required: true },
      tradeName: { label: 'Trade name', type: 'text', most: 200 },
      gstin: {
        label: 'GSTIN',
        type: 'gstin',
        help: 'Empty: not registered',
        fills: {
          legalName: 'legalName',
          tradeName: 'tradeName',
          state: 'state',
          kind: 'kind',
          line1: 'line1',
          line2: 'line2',
          city: 'city',
          pincode: 'pincode',
        },
      },
      state: { label: 'State', type: 'state', required: true },
      kind: {
        label: 'Registration type at first',
        type: 'choice',
        choices: registrationKinds,
        required: true,
        initial: 'regular',
        help: 'On the first day in these books; later changes are listed below',
      },
      status: { label: 'Registration type today', type: 'text', readOnly: true, listOnly: true },
      statuses: {
        label: 'Changes of the registration type',
        type: 'rows',
        each: 'Change',
        section: 'Changes of the registration type',
        help:
          'Empty: the type has never changed. A document follows the type on its date. A change cannot start on a ' +
          'date that has documents of another type. A change to or from composition changes the other registrations of ' +
          'the PAN too (CGST rules 3(5) and 6(7))',
        columns: {
          from: { label: 'From', type: 'day', required: true },
          kind: { label: 'Registration type', type: 'choice', choices: registrationKinds, required: true },
        },
      },
      stops: {
        label: 'Suspended or cancelled',
        type: 'rows',
        each: 'Suspension',
        section: 'Suspended or cancelled',
        help:
          'During these days no invoice, note, advance, self-invoice or transfer with GST can be made from this GSTIN. ' +
          'A cancelled registration has no last day; to go on without GST, set the type to unregistered from that day, above',
        columns: {
          what: {
            label: 'The GSTIN is',
            type: 'choice',
            choices: [
              ['suspended', 'Suspended'],
              ['cancelled', 'Cancelled'],
            ],
            required: true,
          },
          from: { label: 'From', type: 'day', required: true },
          to: { label: 'Last day', type: 'day' },
        },
      },
      turnover: {
        label: 'Turnover not in these books',
        type: 'rows',
        each: 'Turnover',
        section: 'Turnover',
        help:
          'Of this registration, by financial year: years and months before these books, or all of a registration ' +
          'that is kept elsewhere. The sales in these books are added. Limits of law for the PAN read it: HSN ' +
          'digits (₹5 crore), 30 days of the invoice portal (₹10 crore)',
        columns: {
          year: { label: 'Financial year', type: 'text', most: 7, required: true },
          amount: { label: 'Turnover (₹)', type: 'money', required: true },
        },
      },
      filing: {
        label: 'Filing of GSTR-1 and GSTR-3B',
        type: 'rows',
        each: 'Filing',
        section: 'Filing of GSTR-1 and GSTR-3B',
        help:
          'Empty: monthly. Quarterly filing is allowed up to a turnover of ₹5 crore in the previous year; a change ' +
          'takes effect on the first day of a quarter',
        columns: {
          from: { label: 'From', type: 'day', required: true },
          every: {
            label: 'Filed',
            type: 'choice',
            choices: [
              ['quarter', 'Every quarter'],
              ['month', 'Every month'],
            ],
            required: true,
          },
        },
      },
      einvoice: { label: 'E-invoicing applies', type: 'flag' },
      einvoiceFrom: { label: 'E-invoicing from', type: 'day' },
      line1: { label: 'Address line 1', type: 'text', most: 100, required: true },
      line2: { label: 'Address line 2', type: 'text', most: 100 },
      city: { label: 'City', type: 'text', most: 50, required: true },
      pincode: { label: 'PIN code', type: 'text', most: 6, required: true },
      phone: { label: 'Phone', type: 'text', most: 20 },
      email: { label: 'E-mail', type: 'email' },
      tan: { label: 'TAN', type: 'text', most: 10, help: 'For tax deducted at source' },
    },
  },
  location: {
    label: 'Location',
    plural: 'Locations',
    isPlace: 'location',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No locations yet',
    list: ['code', 'name', 'registration', 'isTax', 'isPhysical'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      name: { label: 'Name', type: 'text', most: 100, required: true },
      registration: { label: 'Registration', type: 'pick', pick: 'registration', required: true },
      isTax: { label: 'Tax location', type: 'flag', initial: true },
      isPhysical: { label: 'Physical location (holds stock)', type: 'flag', initial: true },
      line1: { label: 'Address line 1', type: 'text', most: 100, required: true },
      line2: { label: 'Address line 2', type: 'text', most: 100 },
      city: { label: 'City', type: 'text', most: 50, required: true },
      pincode: { label: 'PIN code', type: 'text', most: 6, required: true },
      phone: { label: 'Phone', type: 'text', most: 20 },
      state: {
        label: 'State',
        type: 'state',
        section: 'On e-invoices and e-way bills',
        help: 'Empty: that of the registration. A warehouse may be in another state',
      },
      portalName: {
        label: 'Name of the place of dispatch',
        type: 'text',
        most: 100,
        section: 'On e-invoices and e-way bills',
        help: 'Empty: the legal name of the registration',
      },
    },
  },
  ledger: {
    label: 'Ledger',
    plural: 'Ledgers',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No ledgers yet',
    list: ['code', 'name', 'group', 'nature'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      name: { label: 'Name', type: 'text', most: 200, required: true },
      group: { label: 'Group', type: 'pick', pick: 'accountGroup', required: true },
      nature: { label: 'Nature', type: 'choice', choices: natures, readOnly: true, help: 'As its group' },
      isBank: { label: 'Bank or cash', type: 'flag' },
      currency: {
        label: 'Currency',
        type: 'text',
        most: 3,
        help: 'Of a bank account or cash that is not kept in rupees, as USD. It stays once something is posted',
      },
      hsn: {
        label: 'Usual HSN / SAC',
        type: 'text',
        most: 8,
        ofGst: true,
        help: 'Of what is bought on it: proposed on its lines, and used where a line has none',
      },
      creditBlocked: {
        label: 'No input tax credit',
        type: 'flag',
        ofGst: true,
        help: 'Tax on its lines is cost (section 17(5)), unless a line says otherwise',
      },
      notes: { label: 'Notes', type: 'notes', most: 1000 },
    },
  },
  accountGroup: {
    label: 'Account group',
    plural: 'Chart of accounts',
    drawn: 'chart',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No groups yet',
    under: 'parent',
    list: ['name', 'code', 'nature'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      name: { label: 'Name', type: 'text', most: 200, required: true },
      parent: { label: 'Under', type: 'pick', pick: 'accountGroup' },
      nature: { label: 'Nature', type: 'choice', choices: natures, required: true },
    },
  },
  ledgerPosting: {
    label: 'Ledger posting',
    plural: 'Ledger postings',
    name: 'label',
    code: 'effect',
    retire: 'never',
    notImported: 'The list of postings is the same for everybody: choose the ledgers on its screen',
    empty: 'No postings',
    list: ['label', 'ledger'],
    fields: {
      effect: { label: 'Effect', type: 'text', readOnly: true, listOnly: true },
      label: { label: 'What it is', type: 'text', readOnly: true },
      ledger: { label: 'Ledger', type: 'pick', pick: 'ledger', useOf: 'effect', required: true },
    },
  },
  numberSeries: {
    label: 'Number series',
    plural: 'Number series',
    name: 'name',
    retire: 'deactivate',
    matchedBy: ['name+registration'],
    empty: 'No number series yet',
    list: ['name', 'kind', 'registration', 'preview', 'next'],
    panel: 'numbers',
    fields: {
      name: { label: 'Name', type: 'text', most: 60, required: true, plain: true },
      kind: { label: 'Document', type: 'pick', pick: 'kind', required: true },
      registration: { label: 'Registration', type: 'pick', pick: 'registration', required: true },
      location: { label: 'Only for location', type: 'pick', pick: 'location' },
      prefix: {
        label: 'Prefix',
        type: 'text',
        most: 12,
        required: true,
        help: 'Tokens {FY} {FY2} {LOC} {MM} {YY} {CH}',
      },
      padding: { label: 'Digits', type: 'whole', initial: 4, required: true },
      suffix: { label: 'Suffix', type: 'text', most: 8 },
      start: { label: 'First number', type: 'whole', initial: 1, required: true },
      reset: {
        label: 'Starts again',
        type: 'choice',
        choices: [
          ['year', 'Every financial year'],
          ['month', 'Every month'],
          ['never', 'Never'],
        ],
        initial: 'year',
        required: true,
      },
      preview: { label: 'Next numbers', type: 'text', readOnly: true, listOnly: true },
      next: { label: 'Next', type: 'whole', readOnly: true, listOnly: true },
    },
  },
  user: {
    label: 'User',
    plural: 'Users',
    name: 'name',
    code: 'email',
    retire: 'deactivate',
    notImported: 'People are invited one by one, each with a link of their own',
    empty: 'No users yet',
    list: ['name', 'email', 'roles', 'access', 'lastSignIn'],
    fields: {
      name: { label: 'Name', type: 'text', most: 100, required: true },
      email: { label: 'E-mail', type: 'email', required: true },
      roles: { label: 'Roles', type: 'picks', pick: 'role' },
      groups: { label: 'Groups', type: 'text', readOnly: true, help: 'Chosen on the form of the group' },
      locations: {
        label: 'Locations',
        type: 'picks',
        pick: 'location',
        help: 'In addition to those of the user’s groups. If none are chosen anywhere: all',
      },
      access: { label: 'Invitation', type: 'text', readOnly: true },
      lastSignIn: { label: 'Last sign-in', type: 'text', readOnly: true },
    },
    signsIn: true,
    gives: 'rights',
  },
  role: {
    label: 'Role',
    plural: 'Roles',
    name: 'name',
    retire: 'delete',
    notImported: 'A role gives rights: its levels are chosen on its form',
    empty: 'No roles yet',
    list: ['name', 'typeName', 'users'],
    fields: {
      name: { label: 'Name', type: 'text', most: 60, required: true, plain: true },
      typeName: { label: 'Type', type: 'text', most: 60, plain: true },
      secondFactor: { label: 'Asks for a second factor at sign-in', type: 'flag' },
      discountLimit: {
        label: 'Highest discount %',
        type: 'percent',
        help: 'Below the list price, with all discounts of the document; empty: no limit',
      },
      backDays: {
        label: 'Days back',
        type: 'whole',
        help: 'How many days before today a document may be dated; empty: no limit',
      },
      seesCost: {
        label: 'Sees the cost of goods',
        type: 'choice',
        choices: [
          ['yes', 'Yes'],
          ['no', 'No'],
        ],
        help: 'Empty: every user with access to Manage Inventory',
      },
      levels: { label: 'Levels', type: 'levels' },
      users: { label: 'Users', type: 'whole', readOnly: true },
    },
    gives: 'rights',
  },
  group: {
    label: 'Group',
    plural: 'Groups',
    name: 'name',
    retire: 'delete',
    notImported: 'A group gives rights: its people are chosen on its form',
    empty: 'No groups yet',
    list: ['name', 'description', 'roles', 'locations', 'users'],
    fields: {
      name: { label: 'Name', type: 'text', most: 60, required: true, plain: true },
      description: { label: 'Description', type: 'text', most: 200 },
      roles: {
        label: 'Roles',
        type: 'picks',
        pick: 'role',
        help: 'Every member has these roles in addition to their own',
      },
      locations: {
        label: 'Locations',
        type: 'picks',
        pick: 'location',
        help: 'Every member may work at these in addition to their own. If none are chosen, the group sets no limit',
      },
      users: { label: 'Members', type: 'picks', pick: 'user' },
    },
    gives: 'rights',
  },
  category: {
    label: 'Category',
    plural: 'Categories',
    name: 'name',
    code: 'code',
    retire: 'delete',
    empty: 'No categories yet',
    under: 'parent',
    list: ['name', 'code', 'hsn', 'gstRate', 'unit'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      name: { label: 'Name', type: 'text', most: 100, required: true, plain: true },
      parent: { label: 'Under', type: 'pick', pick: 'category' },
      hsn: {
        label: 'Usual HSN',
        type: 'text',
        most: 8,
        ofGst: true,
        section: 'Defaults for its items',
        help: 'Empty fields are taken from the category above',
      },
      unit: { label: 'Usual unit', type: 'pick', pick: 'unit', section: 'Defaults for its items' },
      treatment: {
        label: 'Usual treatment',
        type: 'choice',
        choices: treatments,
        none: 'As above',
        ofGst: true,
        section: 'Defaults for its items',
      },
      gstRate: { label: 'Usual GST %', type: 'percent', ofGst: true, section: 'Defaults for its items' },
      cessRate: { label: 'Usual cess %', type: 'percent', ofGst: true, section: 'Defaults for its items' },
      batched: {
        label: 'Kept in batches',
        type: 'choice',
        choices: yesNo,
        none: 'As above',
        section: 'Defaults for its items',
      },
      serialised: {
        label: 'Have serial numbers',
        type: 'choice',
        choices: yesNo,
        none: 'As above',
        section: 'Defaults for its items',
      },
      incomeLedger: {
        label: 'Usual income ledger',
        type: 'pick',
        pick: 'entryLedger',
        section: 'Defaults for its items',
      },
      expenseLedger: {
        label: 'Usual expense ledger',
        type: 'pick',
        pick: 'entryLedger',
        section: 'Defaults for its items',
      },
    },
  },
  attribute: {
    label: 'Attribute',
    plural: 'Attributes',
    name: 'name',
    code: 'code',
    retire: 'delete',
    empty: 'No attributes yet',
    list: ['code', 'name'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      name: { label: 'Name', type: 'text', most: 100, required: true, plain: true },
      values: {
        label: 'Values',
        type: 'rows',
        each: 'Value',
        columns: {
          value: { label: 'Value', type: 'text', most: 60, required: true },
          code: { label: 'Code', type: 'text', most: 12 },
        },
      },
    },
  },
  unit: {
    label: 'Unit',
    plural: 'Units',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No units yet',
    list: ['code', 'name', 'uqc', 'decimals'],
    fields: {
      code: { label: 'Code', type: 'code', required: true, most: 8 },
      name: { label: 'Name', type: 'text', most: 60, required: true, plain: true },
      uqc: {
        label: 'UQC',
        type: 'choice',
        choices: uqcChoices,
        required: true,
        help: 'Unit quantity code of the GST portals; OTH for units not in the list',
      },
      decimals: { label: 'Decimals', type: 'whole', initial: 0 },
    },
  },
  unitConversion: {
    label: 'Unit conversion',
    plural: 'Unit conversions',
    name: 'name',
    code: 'code',
    retire: 'delete',
    matchedBy: ['from+to+item'],
    empty: 'No conversions yet',
    list: ['from', 'to', 'factor'],
    fields: {
      from: { label: 'From', type: 'pick', pick: 'unit', required: true },
      to: { label: 'To', type: 'pick', pick: 'unit', required: true },
      factor: { label: 'Factor', type: 'quantity', required: true, help: 'One of the first is so many of the second' },
      item: { label: 'Only for item', type: 'pick', pick: 'item' },
    },
  },
  warehouse: {
    label: 'Warehouse',
    plural: 'Warehouses and stock rooms',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No warehouses yet',
    list: ['code', 'name', 'location', 'type'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      name: { label: 'Name', type: 'text', most: 100, required: true },
      location: { label: 'Location', type: 'pick', pick: 'location', required: true },
      type: {
        label: 'Type',
        type: 'choice',
        choices: [
          ['own', 'Own'],
          ['jobWorker', 'Job worker'],
          ['consignment', 'Consignment'],
          ['scrap', 'Scrap'],
        ],
        initial: 'own',
      },
      parent: { label: 'Inside', type: 'pick', pick: 'warehouse' },
    },
  },
  costCentre: {
    label: 'Cost centre',
    plural: 'Cost centres',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No cost centres yet: a department, branch or project that documents and lines are charged to',
    under: 'parent',
    list: ['code', 'name'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      name: { label: 'Name', type: 'text', most: 100, required: true },
      parent: { label: 'Under', type: 'pick', pick: 'costCentre' },
    },
  },
  bank: {
    label: 'Bank account',
    plural: 'Bank accounts',
    name: 'bankName',
    code: 'code',
    retire: 'deactivate',
    empty: 'No bank accounts yet',
    list: ['bankName', 'accountNumber', 'ifsc', 'isDefault'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      bankName: { label: 'Bank', type: 'text', most: 100, required: true },
      accountName: { label: 'Account name', type: 'text', most: 100 },
      accountNumber: { label: 'Account number', type: 'text', most: 18, required: true, secret: true },
      ifsc: { label: 'IFSC', type: 'text', most: 11, required: true },
      branch: { label: 'Branch', type: 'text', most: 100 },
      upi: { label: 'UPI id', type: 'text', most: 100, secret: true },
      ledger: { label: 'Ledger', type: 'pick', pick: 'moneyLedger', required: true },
      isDefault: {
        label: 'Default',
        type: 'flag',
        help: 'It is printed on papers, and its UPI id is in the QR code for payment',
      },
    },
  },
  tdsCertificate: {
    label: 'TDS certificate',
    plural: 'TDS certificates',
    name: 'number',
    retire: 'deactivate',
    empty: 'No certificates for a lower deduction (section 197) yet',
    list: ['number', 'party', 'section', 'rate', 'limit', 'from', 'to', 'left'],
    fields: {
      number: { label: 'Certificate number', type: 'text', most: 30, required: true },
      party: { label: 'Supplier', type: 'pick', pick: 'supplier', required: true },
      section: {
        label: 'Section',
        type: 'choice',
        choices: sectionChoices,
        required: true,
      },
      rate: { label: 'Rate %', type: 'percent', required: true, help: 'Deducted instead of the rate of the section' },
      limit: {
        label: 'Up to an amount of (₹)',
        type: 'money',
        required: true,
        help: 'Paid or credited, without GST: the usual rate applies to the amount above it',
      },
      from: { label: 'Valid from', type: 'day', required: true },
      to: { label: 'Valid until', type: 'day', required: true },
      left: {
        label: 'Left (₹)',
        type: 'money',
        readOnly: true,
        help: 'Of the amount, less payments and credits',
      },
    },
  },
  additionalField: {
    label: 'Additional field',
    plural: 'Additional fields',
    name: 'label',
    retire: 'deactivate',
    empty: 'No additional fields yet',
    list: ['label', 'type', 'appliesTo', 'required', 'inLists', 'onPrint'],
    fields: {
      label: { label: 'Name', type: 'text', most: 60, required: true, plain: true },
      key: { label: 'Key', type: 'text', readOnly: true, help: 'Made from the name; values are kept under it' },
      type: { label: 'Type', type: 'choice', choices: additionalTypes, required: true, initial: 'text' },
      appliesTo: {
        label: 'Asked for on',
        type: 'picks',
        pick: 'subject',
        required: true,
        help: 'Documents and masters',
      },
      required: { label: 'Must be filled', type: 'flag' },
      inLists: { label: 'Column of lists', type: 'flag' },
      onPrint: { label: 'On the printed document', type: 'flag' },
      position: { label: 'Place among the others', type: 'whole', initial: 10 },
      choices: {
        label: 'Choices',
        type: 'rows',
        each: 'Choice',
        section: 'Choices',
        columns: { value: { label: 'Choice', type: 'text', most: 60, required: true } },
      },
    },
  },
  priceList: {
    label: 'Price list',
    plural: 'Price lists',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No price lists yet: items have their own rates',
    list: ['code', 'name', 'side', 'appliesTo', 'validFrom', 'validTo', 'parties'],
    fields: {
      code: { label: 'Code', type: 'code', required: true, section: 'Price list' },
      name: { label: 'Name', type: 'text', most: 60, required: true, section: 'Price list' },
      side: {
        label: 'For',
        type: 'choice',
        choices: [
          ['sale', 'Sales'],
          ['purchase', 'Purchases'],
        ],
        required: true,
        initial: 'sale',
        section: 'Price list',
      },
      appliesTo: {
        label: 'Applies to',
        type: 'choice',
        choices: priceListScopeChoices,
        none: 'Parties that name it',
        section: 'Price list',
        help: 'The price list named on the party’s form applies first',
      },
      locations: {
        label: 'Locations',
        type: 'picks',
        pick: 'location',
        section: 'Price list',
        help: 'Of a list for chosen locations',
      },
      priority: {
        label: 'Priority',
        type: 'whole',
        initial: 0,
        section: 'Price list',
        help: 'If two lists contain an item, the one with the higher priority applies',
      },
      currency: {
        label: 'Currency',
        type: 'text',
        most: 3,
        initial: 'INR',
        section: 'Price list',
        help: 'Prices in rupees also serve documents in other currencies, at their exchange rate',
      },
      taxInclusive: { label: 'Prices have the tax in them', type: 'flag', section: 'Price list' },
      validFrom: { label: 'Valid from', type: 'day', section: 'Price list' },
      validTo: {
        label: 'Valid until',
        type: 'day',
        section: 'Price list',
        help: 'By the date of the document; empty: without end',
      },
      parties: { label: 'Parties', type: 'whole', readOnly: true, listOnly: true },
      prices: {
        label: 'Prices',
        type: 'rows',
        most: 2000,
        formOnly: true,
        cost: { side: 'purchase' },
        section: 'Prices',
        help:
          'A row for an item (also one with variants), for a category with its subcategories, or, with neither, for ' +
          'everything; the most specific row applies. From a quantity on, in the item’s own unit: a price, ' +
          'or a discount on the item’s own rate.',
        columns: {
          item: { label: 'Item', type: 'pick', pick: 'item' },
          category: { label: 'Category', type: 'pick', pick: 'category' },
          from: { label: 'From quantity', type: 'quantity' },
          rate: { label: 'Price', type: 'rate' },
          discount: { label: 'Discount %', type: 'percent' },
        },
      },
    },
  },
  till: {
    label: 'Till',
    plural: 'Tills',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No tills yet',
    list: ['code', 'name', 'location'],
    fields: {
      code: { label: 'Code', type: 'code', most: 8, required: true },
      name: { label: 'Name', type: 'text', most: 60, required: true },
      location: {
        label: 'Location',
        type: 'pick',
        pick: 'location',
        required: true,
        help: 'Its stock is sold, under its registration',
      },
      prices: {
        label: 'Prices',
        type: 'choice',
        choices: [
          ['saleRate', 'Sale rate, tax added'],
          ['saleRateWithTax', 'Sale rate, tax in it'],
          ['mrp', 'MRP, else sale rate with tax added'],
        ],
        required: true,
        initial: 'saleRate',
      },
      discountLimit: { label: 'Discount without approval, at most %', type: 'percent', help: 'Empty: no limit' },
      printWidth: {
        label: 'Paper',
        type: 'choice',
        choices: [
          ['80', '80 mm'],
          ['58', '58 mm'],
        ],
        required: true,
        initial: '80',
      },
      cashLedger: {
        label: 'Cash ledger',
        type: 'pick',
        pick: 'moneyLedger',
        help: 'Empty: as set under Ledger postings',
      },
      cardLedger: { label: 'Card ledger', type: 'pick', pick: 'moneyLedger' },
      upiLedger: { label: 'UPI ledger', type: 'pick', pick: 'moneyLedger' },
      upiId: { label: 'UPI ID for the QR code', type: 'text', most: 60, help: 'name@bank', secret: true },
    },
  },
  terms: {
    label: 'Terms and conditions',
    plural: 'Terms and conditions',
    name: 'name',
    code: 'code',
    retire: 'delete',
    empty: 'No terms yet',
    list: ['name', 'kind', 'isDefault'],
    fields: {
      code: { label: 'Code', type: 'code', required: true },
      name: { label: 'Name', type: 'text', most: 100, required: true },
      kind: { label: 'Document', type: 'pick', pick: 'kind', required: true },
      text: { label: 'Terms', type: 'notes', most: 4000, required: true },
      isDefault: {
        label: 'Default for this document',
        type: 'flag',
        help: 'It is proposed for new documents of this kind, and can be changed there',
      },
    },
  },
  adjustment: {
    label: 'Charge or adjustment',
    plural: 'Charges and adjustments',
    name: 'name',
    code: 'code',
    retire: 'deactivate',
    empty: 'No named charges and adjustments yet: they are typed on each document',
    list: ['code', 'name', 'sort', 'usedOn', 'ledger', 'amount', 'gstRate'],
    fields: {
      code: { label: 'Code', type: 'code', required: true, section: 'Charge or adjustment' },
      name: {
        label: 'Name',
        type: 'text',
        most: 100,
        required: true,
        section: 'Charge or adjustment',
        help: 'As on the document',
      },
      sort: {
        label: 'What it is',
        type: 'choice',
        choices: [
          ['charge', 'Charge, taxed'],
          ['add', 'After tax, added'],
          ['less', 'After tax, off'],
        ],
        required: true,
        initial: 'charge',
        section: 'Charge or adjustment',
        help: 'Payments for the supply are taxed; deposits, donations and the like are not',
      },
      usedOn: {
        label: 'Used on',
        type: 'choice',
        choices: [
          ['both', 'Both'],
          ['sale', 'Sales'],
          ['purchase', 'Purchases'],
        ],
        required: true,
        initial: 'both',
        section: 'Charge or adjustment',
      },
      ledger: { label: 'Ledger', type: 'pick', pick: 'entryLedger', required: true, section: 'Charge or adjustment' },
      amount: {
        label: 'Usual amount (₹)',
        type: 'money',
        section: 'Charge or adjustment',
        help: 'Proposed; empty: typed each time',
      },
      gstRate: {
        label: 'GST % of its own',
        type: 'percent',
        ofGst: true,
        section: 'Tax of a charge',
        help: 'Empty: it is shared over the lines and taxed with them (section 15(2)(c))',
      },
      hsn: {
        label: 'HSN / SAC',
        type: 'text',
        most: 8,
        ofGst: true,
        section: 'Tax of a charge',
        help: 'For a charge with a rate of its own',
      },
    },
  },
  paperTemplate: {
    label: 'Invoice template',
    plural: 'Invoice templates',
    name: 'name',
    code: 'code',
    retire: 'delete',
    empty: 'No templates yet: papers look as usual',
    list: ['name', 'kinds', 'size', 'isDefault'],
    panel: 'paper',
    fields: {
      code: { label: 'Code', type: 'code', required: true, section: 'Template' },
      name: { label: 'Name', type: 'text', most: 60, required: true, plain: true, section: 'Template' },
      kinds: {
        label: 'Used for',
        type: 'picks',
        pick: 'kind',
        required: true,
        section: 'Template',
        help: 'Kinds of document',
      },
      isDefault: { label: 'Default for these documents', type: 'flag', section: 'Template', initial: true },
      size: { label: 'Paper', type: 'choice', choices: paperSizes, initial: 'A4', required: true, section: 'Look' },
      colour: {
        label: 'Colour',
        type: 'choice',
        choices: paperColours,
        initial: '#1a2230',
        required: true,
        section: 'Look',
      },
      logo: { label: 'Logo', type: 'choice', choices: logoPlaces, initial: 'left', required: true, section: 'Look' },
      bank: { label: 'Bank details', type: 'flag', initial: true, section: 'Look' },
      upi: { label: 'UPI code for the open amount', type: 'flag', initial: true, section: 'Look' },
      signatory: {
        label: 'Words under the signature',
        type: 'text',
        most: 60,
        section: 'Words',
        help: 'Empty: Authorised signatory. Rule 46(q) asks for the signature itself',
      },
      footer: { label: 'At the foot of each page', type: 'text', most: 120, section: 'Words' },
      terms: { label: 'Terms for documents without their own', type: 'notes', most: 2000, section: 'Words' },
      columns: {
        label: 'Columns',
        type: 'rows',
        each: 'Column',
        section: 'Columns of the lines',
        columns: {
          column: {
            label: 'Column',
            type: 'choice',
            choices: paperColumnNames.map((name) => [name, paperColumns[name].label] as const),
            required: true,
          },
          label: { label: 'Heading', type: 'text', most: 24 },
        },
      },
    },
  },
} as const satisfies Record<string, Master>;

export type MasterName = keyof typeof masters;
export const masterNames = Object.keys(masters) as readonly MasterName[];
export const masterOf = (name: string): Master | undefined =>
  Object.hasOwn(masters, name) ? masters[name as MasterName] : undefined;

/** A master where GST concerns nobody: its fields of GST are neither required nor filled beforehand, and no columns of lists. */
export const withoutGst = (master: Master): Master => ({
  ...master,
  list: master.list.filter((key) => !master.fields[key]?.ofGst),
  fields: Object.fromEntries(
    Object.entries(master.fields).map(([key, field]) => {
      if (!field.ofGst) return [key, field];
      const { required: _required, initial: _initial, ...rest } = field;
      return [key, rest];
    }),
  ),
});

/** The fields by which a row of an import means a record that is there. */
export const matchedBy = ({ matchedBy: own, code, name }: Master): readonly string[] =>
  own ?? [...new Set([...(code ? [code] : []), name])];
