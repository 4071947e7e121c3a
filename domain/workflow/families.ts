import type { FieldName } from '../document/kinds/kind.ts';

/** What can be asked of an order before it leaves a stage: the books answer it. */
export const factNames = ['stockAvailable', 'creditOk', 'paymentReceived', 'fileAttached'] as const;
export type FactName = (typeof factNames)[number];

export const facts: Readonly<Record<FactName, { readonly label: string; readonly says: string }>> = {
  stockAvailable: {
    label: 'Stock is there',
    says: 'The rest of each line is free stock at the location of the order',
  },
  creditOk: {
    label: 'Enforce credit limit',
    says: 'The customer’s dues including this order are within the credit limit',
  },
  paymentReceived: {
    label: 'Money is received',
    says: 'The customer has paid at least the total of the order in advance',
  },
  fileAttached: { label: 'A file is attached', says: 'At least one file is attached to the order' },
};

/** Fields of an order that can be asked for, with their words. */
export const askableFields: Readonly<Partial<Record<FieldName, string>>> = {
  reference: 'Reference',
  referenceDate: 'Reference date',
  expectedDate: 'Expected on',
  shipTo: 'Ship to',
  reason: 'Reason',
  terms: 'Terms and conditions',
  narration: 'Narration',
};

/** The orders that can go through stages: each has its switch in the general configuration, and its definition. */
export const families = {
  saleOrders: {
    label: 'Sale orders',
    one: 'sale order',
    flag: 'isSaleOrderWfenabled',
    facts: ['stockAvailable', 'creditOk', 'paymentReceived', 'fileAttached'],
  },
  saleReturnOrders: {
    label: 'Sale return orders',
    one: 'sale return order',
    flag: 'isSaleReturnOrderWfenabled',
    facts: ['fileAttached'],
  },
  purchaseOrders: {
    label: 'Purchase orders',
    one: 'purchase order',
    flag: 'isPurchaseOrderWfenabled',
    facts: ['fileAttached'],
  },
  purchaseReturnOrders: {
    label: 'Purchase return orders',
    one: 'purchase return order',
    flag: 'isPurchaseReturnOrderWfenabled',
    facts: ['stockAvailable', 'fileAttached'],
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly label: string; readonly one: string; readonly flag: string; readonly facts: readonly FactName[] }
  >
>;

export type FlowFamily = keyof typeof families;
export const familyNames = Object.keys(families) as readonly FlowFamily[];
export const isFamily = (name: string): name is FlowFamily => Object.hasOwn(families, name);
