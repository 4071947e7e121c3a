import { expect, test } from 'vitest';
import { millionths, money, percentage, quantity } from '../base/decimal.ts';
import { itemFacts } from '../testing/walk.ts';
import { check } from './check.ts';
import type { Draft, DraftLine } from './document.ts';
import { heldOf, heldProblems } from './holds.ts';
import { kindNames, kindOf } from './kinds/index.ts';
import type { FieldName } from './kinds/kind.ts';
import { type Facts, resolve } from './resolve.ts';

const address = { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001', country: 'IN' };
/** Something said in each field of a head that a kind may lack, by the name of the field in the kind's row. */
const said: Readonly<Partial<Record<FieldName, Partial<Draft>>>> = {
  dueDate: { dueDate: '2026-12-21' },
  placeOfSupply: { placeOfSupply: '27' },
  referenceDate: { referenceDate: '2025-02-01' },
  originalNumber: { fields: { originalNumber: 'OLD/1' } },
  originalDate: { fields: { originalDate: '2026-04-01' } },
  creditReversal: { fields: { creditReversal: 'Reversed by the recipient' } },
  reverseCharge: { reverseCharge: true },
  withPayment: { withPayment: true },
  moneyLedger: { moneyLedger: '1121' },
  amount: { amount: money('5') },
  tdsSection: { tdsSection: '194C' },
  tdsAmount: { tdsAmount: money('5') },
  gstTdsAmount: { gstTdsAmount: money('5') },
  tcsSection: { tcsSection: '206C-scrap' },
  discountAmount: { discountAmount: money('5') },
  bankCharges: { bankCharges: money('5') },
  writeOff: { writeOff: money('5') },
  instrument: { fields: { instrument: '000123' } },
  advanceRate: { advanceRate: percentage('18') },
  customs: { customs: { assessable: money('5'), basic: money('1'), surcharge: money('1'), igst: money('1') } },
  port: { fields: { port: 'INMAA1' } },
  shippingBill: { fields: { shippingBill: '12345' } },
  suppliedOn: { fields: { suppliedOn: '2026-11-01' } },
  paidOn: { fields: { paidOn: '2026-11-01' } },
  validUntil: { fields: { validUntil: '2026-12-01' } },
  expectedDate: { fields: { expectedDate: '2026-12-01' } },
  transport: { fields: { vehicle: 'KA01AB1234' } },
  journalType: { fields: { journalType: 'general' } },
  adjustmentReason: { fields: { adjustmentReason: 'Count' } },
  partyName: { partyName: 'Ravi' },
  vatNumber: { fields: { vatNumber: '310122393500003' } },
  buyerVatNumber: { fields: { buyerVatNumber: '300055512300003' } },
  ecommerceGstin: { fields: { ecommerceGstin: '29AABCA1234F1C5' } },
  withoutTax: { withoutTax: true },
  costCentre: { costCentre: 'centre' },
};
const fieldOf = (more: Partial<Draft>): string => Object.keys(more.fields ?? more)[0] ?? '';
const bare = (kind: string, more: Partial<Draft> = {}): Draft => ({
  ...{ kind, date: '2026-11-21', registration: 'own', location: 'here', currency: 'INR', lines: [] },
  exchangeRate: millionths(1_000_000),
  ...more,
});
const fieldsOf = (kind: string, more: Partial<Draft>): string[] =>
  heldProblems(kindOf(kind as never), bare(kind, more)).map(({ field }) => field);

test.each(kindNames)('%s: each field that its row names is held, and each other one is a problem at it', (name) => {
  const { fields } = kindOf(name);
  for (const [field, more] of Object.entries(said)) {
    const has = fields.includes(field as FieldName);
    expect([field, fieldsOf(name, more)]).toEqual([field, has ? [] : [fieldOf(more)]]);
  }
});

test('a field that no kind has is a problem, and says its name', () => {
  expect(heldProblems(kindOf('saleInvoice'), bare('saleInvoice', { fields: { colour: 'red' } }))).toEqual([
    { field: 'colour', message: 'Sale invoice has no field called “colour”: leave it out' },
  ]);
});

test('what says nothing is no problem', () => {
  const nothing = { withoutTax: false, partyName: ' ', fields: { vatNumber: '' }, charges: [], amount: money('0') };
  for (const name of kindNames) expect(fieldsOf(name, { ...nothing, discount: {} })).toEqual([]);
});

const row: Partial<Draft> = { lines: [{ item: 'widget', quantity: quantity('1') }] };
test.each<[string, string, Partial<Draft>]>([
  ['branchTransfer', 'party', { party: 'asha' }],
  ['openingStock', 'party', { party: 'asha' }],
  ['manualJournal', 'party', { party: 'asha' }],
  ['saleReceipt', 'lines', row],
  ['billOfEntry', 'lines', row],
  ['branchTransfer', 'charges', { charges: [{ name: 'Freight', amount: money('5'), apportion: 'value' }] }],
  ['saleReceipt', 'charges', { charges: [{ name: 'Freight', amount: money('5'), apportion: 'value' }] }],
  ['saleReturn', 'discount', { discount: { amount: money('5') } }],
  ['advanceReceipt', 'discount', { discount: { amount: money('5') } }],
  ['posSale', 'adjustments', { adjustments: [{ name: 'Tip', sign: 'add', amount: money('5') }] }],
  ['saleInvoice', 'tenders', { tenders: [{ ledger: '1110', amount: money('5') }] }],
  ['saleInvoice', 'allocations', { allocations: [{ document: 'x', amount: money('5') }] }],
  ['manualJournal', 'against', { against: 'x' }],
  ['saleInvoice', 'reason', { reason: 'Sales return' }],
  ['overseasSale', 'billTo', { billTo: address }],
  ['purchaseBill', 'shipTo', { shipTo: address }],
  ['manualJournal', 'taxInclusive', { taxInclusive: true }],
  ['saleInvoice', 'toRegistration', { toRegistration: 'other' }],
  ['saleInvoice', 'toLocation', { toLocation: 'there' }],
  ['saleInvoice', 'till', { till: { session: 's' } }],
  ['saleInvoice', 'onAccount', { onAccount: money('5') }],
  ['saleReceipt', 'bankChargesGstRate', { bankChargesGstRate: percentage('18') }],
])('%s: %s is a problem', (name, field, more) => {
  expect(fieldsOf(name, more)).toEqual(name === 'saleReceipt' && field === 'bankChargesGstRate' ? [] : [field]);
});

test.each<[string, string, DraftLine]>([
  ['saleInvoice', 'party', { party: 'asha' }],
  ['saleInvoice', 'ledger', { ledger: '4110' }],
  ['saleInvoice', 'debit', { debit: money('5') }],
  ['saleInvoice', 'delta', { delta: quantity('-5') }],
  ['saleInvoice', 'dueDate', { dueDate: '2026-12-01' }],
  ['saleInvoice', 'creditBlocked', { creditBlocked: true }],
  ['expense', 'retailPrice', { retailPrice: money('5') }],
  ['quotation', 'batches', { batches: [{ batch: 'B1', quantity: quantity('1') }] }],
  ['saleCreditNote', 'serials', { serials: ['A1'] }],
  ['manualJournal', 'item', { item: 'widget' }],
  ['manualJournal', 'rate', { rate: quantity('5') }],
  ['openingStock', 'gstRate', { gstRate: percentage('18') }],
  ['openingStock', 'delta', { delta: quantity('1') }],
  ['expense', 'freeQuantity', { freeQuantity: quantity('1') }],
])('%s: %s on a line is a problem at that line', (name, field, line) => {
  expect(heldProblems(kindOf(name as never), bare(name, { lines: [{}, line] }))).toMatchObject([
    { field: `lines.${field}`, row: 1 },
  ]);
});

const facts: Facts = {
  own: { registration: 'own', state: '29', kind: 'regular' },
  party: undefined,
  items: new Map([
    [
      'widget',
      itemFacts({
        ...{ sku: 'widget', service: false, stocked: true, gstRate: '18', treatment: 'taxable' },
        ...{ cessRate: '0', cessPerUnit: '0' },
      }),
    ],
  ]),
  sources: new Map(),
  roundTotal: true,
};

test('“without GST” is refused and not obeyed where the kind does not have it', () => {
  for (const name of kindNames) {
    const kind = kindOf(name);
    const draft = bare(name, {
      withoutTax: true,
      lines: [{ item: 'widget', quantity: quantity('1'), rate: quantity('9') }],
    });
    const has = kind.fields.includes('withoutTax');
    expect([name, resolve(kind, draft, facts).withoutTax]).toEqual([name, has]);
    expect([name, check(kind, draft, facts, '2026-11-21').some(({ field }) => field === 'withoutTax')]).toEqual([
      name,
      !has,
    ]);
  }
});

test('what becomes another kind leaves behind what that kind does not have', () => {
  const quoted = {
    ...bare('overseasSale', { placeOfSupply: '29', terms: 'Valid for 15 days', dueDate: '2026-12-21' }),
    fields: { validUntil: '2026-12-01', port: 'INMAA1' },
    lines: [{ item: 'widget', quantity: quantity('1'), creditBlocked: true }],
  };
  const { placeOfSupply: _, ...rest } = quoted;
  expect(heldOf(kindOf('overseasSale'), quoted)).toEqual({
    ...rest,
    fields: { port: 'INMAA1' },
    lines: [{ item: 'widget', quantity: quantity('1') }],
  });
  for (const name of kindNames) expect(heldProblems(kindOf(name), heldOf(kindOf(name), quoted))).toEqual([]);
});
