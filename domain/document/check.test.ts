import { describe, expect, test } from 'vitest';
import { millionths, money, percentage, quantity } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import { sourceLine, untaxed } from '../testing/source-line.ts';
import { itemFacts } from '../testing/walk.ts';
import { check } from './check.ts';
import type { Draft, GstCategory } from './document.ts';
import { type KindName, kindNames, kindOf } from './kinds/index.ts';
import { type Facts, sourceKey } from './resolve.ts';

const today = '2026-11-21';
const widget = itemFacts({
  sku: 'widget',
  service: false,
  stocked: true,
  gstRate: '18',
  treatment: 'taxable',
  cessRate: '0',
  cessPerUnit: '0',
});
const source = { document: 'invoice', line: 1 };
const factsFor = (category: GstCategory): Facts => ({
  own: { registration: 'own', state: '29', kind: 'regular' },
  party: {
    id: 'party',
    name: 'Asha Traders',
    category,
    state: '29',
    country: 'IN',
    gstin: category === 'unregistered' || category === 'overseas' ? null : '29AAACA1111A1Z5',
    hasPan: true,
    microSmall: false,
    creditDays: 0,
    hasAddress: true,
    address: { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' },
  },
  items: new Map([['widget', widget]]),
  sources: new Map([
    [
      sourceKey(source),
      sourceLine({
        ...source,
        item: 'widget',
        quantity: quantity('5'),
        taxable: money('500'),
        leftQuantity: quantity('2'),
        left: untaxed(money('200')),
        gstRate: percentage('18'),
        treatment: 'taxable',
      }),
    ],
  ]),
  roundTotal: true,
});

const line = { item: 'widget', quantity: quantity('1'), rate: quantity('100') };
const good = {
  date: today,
  registration: 'own',
  location: 'here',
  party: 'party',
  currency: 'INR',
  exchangeRate: millionths(1_000_000),
  lines: [line],
} as const satisfies Partial<Draft>;
const ledgers = [
  { ledger: '6410', debit: paise(100) },
  { ledger: '1121', credit: paise(100) },
];
const usual: Partial<Record<KindName, Partial<Draft>>> = {
  purchaseBill: { reference: 'A-17' },
  saleReturn: { lines: [{ item: 'widget', quantity: quantity('2'), source }] },
  saleReceipt: { lines: [], amount: money('100'), moneyLedger: '1121' },
  manualJournal: { lines: ledgers },
  openingBalance: { lines: ledgers },
  branchTransfer: { toLocation: 'there' },
  inventoryAdjustment: { fields: { adjustmentReason: 'Count' }, lines: [{ item: 'widget', delta: quantity('-1') }] },
  expense: { lines: [{ ledger: '6430', rate: quantity('100') }] },
};
const found = (name: KindName, wrong: Partial<Draft>, category: GstCategory = 'registered') => {
  const { party, ...nobody } = good;
  const whose = kindOf(name).party.side === 'none' ? {} : { party };
  const draft: Draft = { ...nobody, ...whose, ...usual[name], ...wrong, kind: name };
  return check(kindOf(name), draft, factsFor(category), today).map(
    (p) => p.field + (p.row === undefined ? '' : `/${p.row}`),
  );
};

test.each([
  'saleInvoice',
  'cashSale',
  'purchaseBill',
  'saleReturn',
  'saleReceipt',
  'manualJournal',
  'openingBalance',
  'branchTransfer',
  'inventoryAdjustment',
  'expense',
] as const)('a %s that lacks nothing has no problems', (name) => {
  expect(found(name, {})).toEqual([]);
});

test.each<[KindName, Partial<Draft>]>([
  ['openingStock', { lines: [{ item: 'widget', quantity: quantity('1'), rate: quantity('0') }] }],
  ['inventoryAdjustment', { lines: [{ item: 'widget', delta: quantity('1'), rate: quantity('0') }] }],
  ['purchaseBill', { lines: [{ item: 'widget', quantity: quantity('1'), rate: quantity('0') }] }],
])('a %s of goods without value says so with a rate of 0', (name, wrong) => {
  expect(found(name, wrong)).toEqual([]);
});

const settles = (amount: string): Partial<Draft> => ({ allocations: [{ document: 'invoice', amount: money(amount) }] });

test.each<[KindName, string, Partial<Draft>]>([
  ['saleInvoice', 'date', { date: '2026-11-22' }],
  ['saleInvoice', 'date', { date: '2026-02-30' }],
  ['saleInvoice', 'dueDate', { dueDate: '2026-11-20' }],
  ['saleInvoice', 'placeOfSupply', { placeOfSupply: '00' }],
  ['saleInvoice', 'exchangeRate', { exchangeRate: millionths(0) }],
  ['saleInvoice', 'exchangeRate', { exchangeRate: millionths(80_000_000) }],
  ['saleInvoice', 'currency', { currency: 'USD', exchangeRate: millionths(80_000_000) }],
  ['saleInvoice', 'lines', { lines: [] }],
  ['saleInvoice', 'lines.item/0', { lines: [{ quantity: quantity('1') }] }],
  ['saleInvoice', 'lines.item/0', { lines: [{ ...line, item: 'gone' }] }],
  ['saleInvoice', 'lines.quantity/1', { lines: [line, { ...line, quantity: quantity('0') }] }],
  ['saleInvoice', 'lines.unit/0', { lines: [{ ...line, unit: 'BOX' }] }],
  ['saleInvoice', 'lines.hsn/0', { lines: [{ ...line, hsn: '12345' }] }],
  ['saleInvoice', 'lines.rate/0', { lines: [{ item: 'widget', quantity: quantity('1') }] }],
  ['purchaseBill', 'lines.rate/0', { lines: [{ item: 'widget', quantity: quantity('1') }] }],
  ['openingStock', 'lines.rate/0', { lines: [{ item: 'widget', quantity: quantity('1') }] }],
  ['inventoryAdjustment', 'lines.rate/0', { lines: [{ item: 'widget', delta: quantity('1') }] }],
  ['saleInvoice', 'lines.quantity/0', { lines: [{ ...line, quantity: quantity('3'), source }] }],
  ['saleInvoice', 'lines.discount/0', { lines: [{ ...line, discount: { amount: money('100.01') } }] }],
  ['saleInvoice', 'lines', { lines: [{ ...line, quantity: quantity('999999999'), rate: quantity('1000') }] }],
  ['saleInvoice', 'charges.amount/0', { charges: [{ name: 'Freight', amount: money('-5'), apportion: 'value' }] }],
  ['saleInvoice', 'bankCharges', { bankCharges: money('5') }],
  ['cashSale', 'tenders', { tenders: [{ ledger: '1110', amount: money('117') }] }],
  [
    'cashSale',
    'tenders.amount/1',
    {
      tenders: [
        { ledger: '1110', amount: money('118') },
        { ledger: '1130', amount: money('0') },
      ],
    },
  ],
  ['cashSale', 'till', { till: { session: 'session' } }],
  ['cashSale', 'onAccount', { onAccount: money('5') }],
  ['purchaseBill', 'reference', { reference: ' ' }],
  ['purchaseBill', 'referenceDate', { referenceDate: '2026-11-22' }],
  ['purchaseBill', 'tdsSection', { tdsAmount: money('10') }],
  ['saleReturn', 'originalNumber', { lines: [line] }],
  ['saleReturn', 'lines.quantity/0', { lines: [{ item: 'widget', quantity: quantity('2.000001'), source }] }],
  ['saleReceipt', 'amount', { amount: money('0') }],
  ['saleReceipt', 'writeOff', { writeOff: money('-1') }],
  ['saleReceipt', 'allocations', { allocations: [{ document: 'invoice', amount: money('100.01') }] }],
  ['saleReceipt', 'discountAmount', { amount: money('1'), discountAmount: money('20000') }],
  ['saleReceipt', 'writeOff', { amount: money('1'), writeOff: money('30000') }],
  [
    'saleReceipt',
    'writeOff',
    { amount: money('1'), ...{ discountAmount: money('5'), writeOff: money('6') }, ...settles('10') },
  ],
  ['payment', 'discountAmount', { amount: money('1'), discountAmount: money('11'), ...settles('10') }],
  ['payment', 'writeOff', { amount: money('1'), writeOff: money('11'), ...settles('10') }],
  ['saleReceipt', 'tdsAmount', { amount: money('80'), tdsAmount: money('20.02') }],
  ['advanceReceipt', 'tdsAmount', { lines: [], amount: money('1'), tdsAmount: money('1') }],
  ['saleReceipt', 'gstTdsAmount', { amount: money('98'), gstTdsAmount: money('2.02') }],
  ['saleReceipt', 'date', { date: '0001-01-01' }],
  ['saleReceipt', 'date', { date: '2018-03-31' }],
  ['saleOrder', 'date', { date: '9999-12-31' }],
  ['quotation', 'date', { date: '2027-11-22' }],
  ['advanceReceipt', 'bankCharges', { lines: [], amount: money('100'), moneyLedger: '1121', bankCharges: money('5') }],
  ['manualJournal', 'lines', { lines: [ledgers[0] ?? {}] }],
  ['manualJournal', 'lines', { lines: [...ledgers, { ledger: '6415', debit: paise(1) }] }],
  ['manualJournal', 'lines.debit/1', { lines: [ledgers[0] ?? {}, { ledger: '1121' }] }],
  ['branchTransfer', 'toLocation', { toLocation: 'here' }],
  ['branchTransfer', 'toRegistration', { toLocation: 'there', toRegistration: 'other' }],
  ['inventoryAdjustment', 'adjustmentReason', { fields: {} }],
  ['inventoryAdjustment', 'lines.delta/0', { lines: [{ item: 'widget', delta: quantity('0') }] }],
  ['inventoryAdjustment', 'lines.delta/0', { lines: [{ item: 'widget', quantity: quantity('1') }] }],
  ['inventoryAdjustment', 'adjustmentReason', { fields: { adjustmentReason: 'Gone' } }],
  ['inventoryAdjustment', 'adjustmentReason', { fields: { adjustmentReason: 'Found' } }],
  [
    ...(['inventoryAdjustment', 'adjustmentReason'] as const),
    { fields: { adjustmentReason: 'Theft' }, lines: [{ item: 'widget', delta: quantity('1') }] },
  ],
  ['expense', 'lines.rate/0', { lines: [{ ledger: '6430' }] }],
  ['saleInvoice', 'lines.discount/0', { lines: [{ ...line, discount: { amount: money('-5') } }] }],
  ['saleInvoice', 'lines.discount/0', { lines: [{ ...line, discount: { percent: percentage('-5') } }] }],
  ['saleInvoice', 'lines.freeQuantity/0', { lines: [{ ...line, freeQuantity: quantity('-1') }] }],
  ['deliveryChallan', 'reason', { reason: 'zzz', lines: [line] }],
  ['saleInvoice', 'lines.retailPrice/0', { lines: [{ ...line, retailPrice: money('-1') }] }],
  ['saleInvoice', 'lines.cessPerUnit/0', { lines: [{ ...line, cessPerUnit: money('-1') }] }],
  ['saleInvoice', 'lines.rate/0', { lines: [{ ...line, rate: quantity('-1') }] }],
  ['openingStock', 'lines.quantity/0', { lines: [{ ...line, quantity: quantity('-1') }] }],
  ['saleInvoice', 'discount', { discount: { amount: money('-5') } }],
  ['purchaseBill', 'discount', { discount: { percent: percentage('-1') } }],
  ['saleReceipt', 'amount', { amount: money('-5'), writeOff: money('10') }],
  ['saleInvoice', 'tcsSection', { tcsSection: '206C(1H)' }],
  ['allocationVoucher', 'against', { lines: [], amount: money('5'), allocations: [] }],
  ['manualJournal', 'lines.foreign/0', { lines: [{ ...ledgers[0], foreign: money('-5') }] }],
  [
    'inventoryAdjustment',
    'lines.batches/0',
    { lines: [{ item: 'widget', delta: quantity('1'), batches: [{ batch: 'B', quantity: quantity('-1') }] }] },
  ],
])('%s: a problem at %s', (name, field, wrong) => {
  expect(found(name, wrong)).toContain(field);
});

test('what is settled beside the money stays within the documents settled, tax on an advance within a section', () => {
  const one = { amount: money('1') };
  expect(found('saleReceipt', { ...one, discountAmount: money('10'), ...settles('11') })).toEqual([]);
  expect(found('saleReceipt', { ...one, discountAmount: money('4'), writeOff: money('6'), ...settles('10') })).toEqual(
    [],
  );
  expect(found('saleReceipt', { amount: money('80'), tdsAmount: money('20') })).toEqual([]);
  expect(found('saleReceipt', { ...one, tdsAmount: money('20'), ...settles('20') })).toEqual([]);
  expect(found('saleReceipt', { amount: money('98'), gstTdsAmount: money('2') })).toEqual([]);
});

test('a document is dated in the years that are kept, at most a year ahead', () => {
  for (const date of ['2018-04-01', '2027-11-21']) expect(found('saleReceipt', { date })).toEqual([]);
  for (const date of ['2018-03-31', '2027-11-22', '1962-01-01', '2099-01-01'])
    for (const name of ['saleReceipt', 'manualJournal', 'openingBalance', 'inventoryAdjustment'] as const)
      expect([date, name, found(name, { date })]).toEqual([date, name, ['date']]);
});

describe('the party on the other side', () => {
  test('a sale invoice has a customer, a cash sale need not have one', () => {
    const { party: _, ...nobody } = good;
    const of = (name: KindName) => check(kindOf(name), { ...nobody, kind: name }, factsFor('registered'), today);
    expect(of('saleInvoice').map((p) => p.field)).toEqual(['party']);
    expect(of('cashSale')).toEqual([]);
  });

  test('a consumer is never asked to pay the tax under reverse charge', () => {
    expect(found('saleInvoice', { reverseCharge: true }, 'unregistered')).toEqual(['reverseCharge']);
    // cashew nuts in shell are under reverse charge (notification 4/2017-CT(R))
    const facts = factsFor('registered');
    const items = new Map([...facts.items].map(([id, item]) => [id, { ...item, hsn: '08013100' }]));
    const draft = { ...good, kind: 'saleInvoice', reverseCharge: true };
    expect(check(kindOf('saleInvoice'), draft, { ...facts, items }, today)).toEqual([]);
  });

  test('the books may begin with a difference, a journal may not', () => {
    const one = [{ ledger: '1121', debit: paise(100) }];
    expect(found('openingBalance', { lines: one })).toEqual([]);
    expect(found('manualJournal', { lines: one })).toContain('lines');
  });
});

describe('who an invoice names, and who has to have an IRN', () => {
  const rupees = (amount: string) => ({ lines: [{ ...line, rate: quantity(amount) }] });
  const problems = (name: KindName, more: Partial<Draft>, facts: Facts) =>
    check(kindOf(name), { ...good, ...more, kind: name }, facts, today).map(({ field }) => field);
  const consumer = factsFor('unregistered');
  const bare: Facts = { ...consumer, party: consumer.party && { ...consumer.party, hasAddress: false } };
  const walkIn: Facts = { ...consumer, party: undefined };
  const { party: _, ...nobody } = { ...good };
  const billTo = { line1: '14, Second Cross', city: 'Bengaluru', state: '29', pincode: '560038', country: 'IN' };

  /** The same where every item is exempt. */
  const exempt = (facts: Facts): Facts => ({
    ...facts,
    items: new Map([...facts.items].map(([id, item]) => [id, { ...item, treatment: 'exempt' }])),
  });
  test('from ₹50,000 of taxable supply the invoice has the address of a buyer without GSTIN (rule 46(e))', () => {
    expect(problems('b2cInvoice', rupees('50000'), consumer)).toEqual([]);
    expect(problems('b2cInvoice', rupees('50000'), bare)).toEqual(['billTo.line1']);
    expect(problems('b2cInvoice', rupees('49999.99'), bare)).toEqual([]);
    expect(problems('b2cInvoice', { ...rupees('50000'), billTo }, bare)).toEqual([]);
    expect(problems('b2cInvoice', { ...rupees('50000'), shipTo: billTo }, bare)).toEqual([]);
    const sale = (more: Partial<Draft>, facts = walkIn) =>
      check(kindOf('posSale'), { ...nobody, ...more, kind: 'posSale' }, facts, today).map(({ field }) => field);
    expect(sale(rupees('50000'))).toEqual(['partyName', 'billTo.line1']);
    expect(sale({ ...rupees('50000'), partyName: 'Ravi', billTo })).toEqual([]);
    // what is exempt is no taxable supply; who may not charge tax writes a bill of supply, of which rule 49 asks less
    expect(sale(rupees('90000'), exempt(walkIn))).toEqual([]);
    const composition = { ...walkIn, own: { ...walkIn.own, kind: 'composition' as const } };
    expect(sale(rupees('50000'), composition)).toEqual([]);
    expect(problems('saleInvoice', rupees('50000'), { ...bare, party: factsFor('registered').party })).toEqual([]);
  });

  test('a till makes no invoice that needs an IRN; where e-invoicing is off, or nothing on it is taxed, it does', () => {
    const { party } = factsFor('registered');
    const asha = party && { ...party, gstin: '29AABCA1234F1Z5' };
    const facts: Facts = { ...factsFor('registered'), party: asha, einvoice: '29AAGCS4821F1ZB' };
    expect(problems('posSale', {}, facts)).toEqual(['party']);
    expect(problems('posSale', {}, { ...facts, einvoice: null })).toEqual([]);
    expect(problems('posSale', {}, exempt(facts))).toEqual([]);
    expect(problems('saleInvoice', {}, facts)).toEqual([]);
  });

  test('what needs an IRN is made as a kind that gets one, and the problem says which', () => {
    const messages = (name: KindName, facts: Facts, more: Partial<Draft> = {}) =>
      check(kindOf(name), { ...good, ...more, kind: name }, facts, today).map(({ message }) => message);
    const { party } = factsFor('registered');
    const asha = party && { ...party, name: 'Asha Traders', gstin: '29AABCA1234F1Z5' };
    const facts: Facts = { ...factsFor('registered'), party: asha, einvoice: '29AAGCS4821F1ZB' };
    expect(messages('b2cInvoice', facts)).toEqual([
      'Asha Traders has a GSTIN, so the invoice needs an IRN: make a sale invoice',
    ]);
    expect(messages('b2cInvoice', { ...facts, einvoice: null })).toEqual([]);
    expect(messages('b2cInvoice', { ...consumer, einvoice: '29AAGCS4821F1ZB' })).toEqual([]);
    const away: Facts = { ...factsFor('overseas'), einvoice: '29AAGCS4821F1ZB' };
    const abroad = away.party && { ...away.party, name: 'Gulf Stores' };
    expect(messages('b2cInvoice', { ...away, party: abroad })).toEqual([
      'Gulf Stores is abroad, so the invoice needs an IRN: make an export invoice',
    ]);
    // a cash sale has its IRN like any other invoice
    expect(messages('cashSale', facts)).toEqual([]);
    // every invoice and note of GSTR-1 either goes to the portal or says what is made in its place
    for (const kind of kindNames.map(kindOf))
      if (['invoice', 'creditNote', 'debitNote'].includes(kind.gst.gstr1 ?? ''))
        expect([kind.label, kind.gst.irp === undefined]).toEqual([kind.label, kind.gst.insteadFor !== undefined]);
  });
});
