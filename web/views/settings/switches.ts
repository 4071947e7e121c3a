import type { GeneralConfiguration } from '../../../contract/session.ts';
import type { ConfigurationTab } from '../../../contract/settings.ts';
import { ownPrefixes } from '../../../domain/items/barcode.ts';
import { labelFormatNames, labelFormatOf } from '../../../domain/items/labels.ts';
import { families, familyNames } from '../../../domain/workflow/families.ts';

export interface Switch {
  readonly key: keyof GeneralConfiguration;
  readonly label: string;
  /** What it changes, in one sentence. */
  readonly says: string;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  /** What its tooltip asks for, where something must be chosen. */
  readonly asks?: string;
  /** The stored value is a whole number. */
  readonly number?: true;
}

/** Sections of switches by the tab they stand on: only what the product acts on today can be switched. */
export const switchSections: Readonly<
  Partial<Record<ConfigurationTab, readonly (readonly [title: string, switches: readonly Switch[]])[]>>
> = {
  general: [
    [
      'Documents',
      [
        {
          key: 'currencyCode',
          label: 'Currency',
          says: 'Books under Indian law are kept in rupees; another currency is chosen on the document.',
          asks: 'Please Select the Currency Code',
          number: true,
          choices: [['1', 'INR – Indian rupee']],
        },
        {
          key: 'dateFormat',
          label: 'Dates',
          says: 'How dates are shown and read everywhere.',
          asks: 'Please Select the Date Format',
          number: true,
          choices: [
            ['2', 'DD-MM-YYYY'],
            ['1', 'MM-DD-YYYY'],
          ],
        },
        {
          key: 'autoRoundOffTotals',
          label: 'Round totals to the rupee',
          says: 'Totals of invoices and bills are rounded; the difference is posted to the Round off ledger.',
        },
      ],
    ],
    [
      'Orders that go through stages',
      familyNames.map((name) => ({
        key: families[name].flag,
        label: families[name].label,
        says: 'A new order goes through the stages of its published workflow; documents are made from it once its stage allows that.',
      })),
    ],
  ],
  additional: [
    [
      'Sign-in',
      [
        {
          key: 'requireSecondFactor',
          label: 'Second factor for everyone',
          says: 'A code from an authenticator app in addition to the password. A user without one sets it up at the next sign-in.',
        },
      ],
    ],
  ],
  items: [
    [
      'Items',
      [
        {
          key: 'enableVariantsBasedSku',
          label: 'Variants',
          says: 'An item with attributes, as size and colour, has a variant with its own SKU for each combination.',
        },
        {
          key: 'enableBatch',
          label: 'Batches',
          says: 'Items can be kept in batches with a day of expiry, asked for on every document that moves them.',
        },
        {
          key: 'enableShelfLife',
          label: 'Shelf life',
          says:
            'Items in batches can keep for some days only: each batch has a day of expiry, and too few days left ' +
            'keep it from being sold. Needs batches.',
        },
        {
          key: 'enableSerialization',
          label: 'Serial numbers',
          says: 'Each piece of such an item has its own number, asked for on every document that moves it.',
        },
        { key: 'enableBarCode', label: 'Barcodes', says: 'Barcodes are given and scanned, labels are printed.' },
      ],
    ],
  ],
  invoicing: [
    [
      'Invoices',
      [
        {
          key: 'isMultiItemsInvoice',
          label: 'Many lines on an invoice',
          says:
            'When this is off, an invoice to a customer has one line: the editor offers no other, and more are ' +
            'refused. Posted documents do not change.',
        },
        {
          key: 'ecommerce',
          label: 'E-commerce',
          says:
            'Sales and their returns name the e-commerce operator they went through; GSTR-1 lists them by operator ' +
            '(table 14).',
        },
      ],
    ],
    [
      'After tax',
      [
        {
          key: 'otherAdjustments',
          label: 'Other adjustments',
          says:
            'Deposits, donations and the like come on top of a document after tax, or off it, each on its ledger; ' +
            'the usual ones have names under Adjustments.',
        },
      ],
    ],
  ],
  withholding: [
    [
      'Documents',
      [
        {
          key: 'tdsadjustments',
          label: 'TDS on documents',
          says:
            'Bills, expenses, receipts and payments have fields for tax deducted at source. When this is off, the ' +
            'fields are hidden and no tax is accepted. Posted documents do not change.',
        },
      ],
    ],
  ],
  inventory: [
    [
      'Stock',
      [
        {
          key: 'trackInventory',
          label: 'Track inventory',
          says: 'Goods move stock; without it documents only keep the books.',
        },
        {
          key: 'isAllowNegative',
          label: 'Allow negative stock',
          says: 'More can be sold than is on hand. When this is off, posting is refused and the shortage is shown.',
        },
        {
          key: 'isWarehouse',
          label: 'Stock rooms',
          says: 'Locations are divided into warehouses and rooms; documents say from which room goods come and into which they go.',
        },
        {
          key: 'stockAccounting',
          label: 'Stock accounting',
          says: 'Perpetual books carry stock and its cost with every document; periodic books count it at the end.',
          choices: [
            ['perpetual', 'Perpetual'],
            ['periodic', 'Periodic'],
          ],
        },
        {
          key: 'valuation',
          label: 'Valuation',
          says: 'How the cost of outgoing goods is determined.',
          choices: [
            ['average', 'Moving weighted average'],
            ['fifo', 'First in, first out'],
          ],
        },
      ],
    ],
  ],
  barcode: [
    [
      'Barcodes and labels',
      [
        {
          key: 'barcodeSymbology',
          label: 'Barcodes that are made here',
          says: 'EAN-13 is read by every till; Code 128 holds the SKU itself.',
          choices: [
            ['ean13', 'EAN-13 of our own range'],
            ['code128', 'The SKU as Code 128'],
          ],
        },
        {
          key: 'barcodePrefix',
          label: 'Our own range begins with',
          says: 'GS1 leaves 20 to 29 to each business: choose one that your scales and suppliers do not use.',
          choices: ownPrefixes.map((prefix) => [prefix, prefix] as const),
        },
        {
          key: 'labelFormat',
          label: 'Labels',
          says: 'The sheets or the roll that labels are printed on unless another is chosen.',
          choices: labelFormatNames.map((name) => [name, labelFormatOf(name).label] as const),
        },
      ],
    ],
  ],
};
