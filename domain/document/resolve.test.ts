import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millionths, money, percentage, quantity } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import { lessOf, sourceLine, untaxed } from '../testing/source-line.ts';
import { itemFacts } from '../testing/walk.ts';
import type { Draft, GstCategory, RegistrationKind } from './document.ts';
import { type KindName, kindOf } from './kinds/index.ts';
import { price } from './price.ts';
import { type Facts, type PartyFacts, resolve, type SourceLine, sourceKey } from './resolve.ts';

const widget = itemFacts({
  sku: 'widget',
  service: false,
  stocked: true,
  gstRate: '18',
  treatment: 'taxable',
  cessRate: '0',
  cessPerUnit: '0',
});
const partyOf = (category: GstCategory, state = '33'): PartyFacts => ({
  id: 'party',
  name: 'Asha Traders',
  category,
  state,
  country: 'IN',
  gstin: category === 'unregistered' || category === 'overseas' ? null : '29AAACA1111A1Z5',
  hasPan: true,
  microSmall: false,
  creditDays: 0,
  hasAddress: true,
});
const facts = (more: Partial<Facts> = {}, kind: RegistrationKind = 'regular'): Facts => ({
  own: { registration: 'own', state: '29', kind },
  party: partyOf('registered'),
  items: new Map([['widget', widget]]),
  sources: new Map(),
  roundTotal: true,
  ...more,
});
const draft = (kind: KindName, more: Partial<Draft> = {}): Draft => ({
  kind,
  date: '2026-11-02',
  registration: 'own',
  location: 'here',
  party: 'party',
  currency: 'INR',
  exchangeRate: quantity('1'),
  lines: [{ item: 'widget', quantity: quantity('1'), rate: quantity('100') }],
  ...more,
});
const priced = (kind: KindName, known: Facts, more: Partial<Draft> = {}) =>
  price(resolve(kindOf(kind), draft(kind, more), known));
const left = (line: Partial<SourceLine>): SourceLine => {
  const taxable = line.taxable ?? paise(10_000);
  return sourceLine({
    ...{ document: 'invoice', line: 1, quantity: quantity('3'), gstRate: percentage('12'), treatment: 'taxable' },
    ...line,
    ...{ taxable, left: line.left ?? untaxed(taxable) },
  });
};
const sources = (line: SourceLine): Facts['sources'] => new Map([[sourceKey(line), line]]);
const from = { document: 'invoice', line: 1 };

test('returns of a line in any parts come to the line, to the paisa', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 90_000_000 }),
      fc.array(fc.integer({ min: 1, max: 9_000_000 }), { minLength: 1, maxLength: 8 }),
      (taxable, parts) => {
        const whole = millionths(parts.reduce((t, part) => t + part, 0));
        let line = left({ quantity: whole, taxable: paise(taxable) });
        let back = 0;
        for (const part of parts) {
          const lines = [{ item: 'widget', quantity: millionths(part), source: from }];
          const { taxable: returned } = priced('saleReturn', facts({ sources: sources(line) }), { lines });
          back += returned;
          line = lessOf(line, part, untaxed(returned));
        }
        expect(back).toBe(taxable);
      },
    ),
  );
});

test('an item without a typed rate costs its price in rupees, turned into the currency of the document', () => {
  const known = facts({ items: new Map([['widget', { ...widget, saleRate: millionths(5_150_000_000) }]]) });
  const line = [{ item: 'widget', quantity: quantity('1') }];
  expect(priced('overseasSale', known, { lines: line }).lines[0]?.rate).toBe(millionths(5_150_000_000));
  const abroad = { currency: 'USD', exchangeRate: quantity('84.30'), lines: line };
  expect(priced('overseasSale', known, abroad).lines[0]?.rate).toBe(millionths(61_090_000));
});

test('a return and a note bear the rate of their invoice, an invoice of an order the rate of its own day', () => {
  const known = facts({ sources: sources(left({})) });
  const lines = [{ item: 'widget', quantity: quantity('1'), rate: quantity('10'), source: from }];
  const rate = (kind: KindName) => priced(kind, known, { lines }).lines[0]?.gstRate;
  expect(rate('saleReturn')).toBe(percentage('12'));
  expect(rate('saleCreditNote')).toBe(percentage('12'));
  expect(rate('saleInvoice')).toBe(percentage('18'));
});

test('the tax of a purchase is cost to whoever may take no credit', () => {
  const blocked = (kind: RegistrationKind) => priced('purchaseBill', facts({}, kind)).lines[0]?.creditBlocked;
  expect([blocked('regular'), blocked('sez'), blocked('composition'), blocked('unregistered')]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('a composition dealer and an unregistered supplier charge nothing; under reverse charge we owe the tax', () => {
  for (const category of ['composition', 'unregistered'] as const) {
    const bill = priced('purchaseBill', facts({ party: partyOf(category) }));
    expect([bill.igst, bill.total]).toEqual([0, 10_000]);
    const reverse = priced('purchaseBill', facts({ party: partyOf(category) }), { reverseCharge: true });
    expect([reverse.igst, reverse.total, reverse.payable]).toEqual([1800, 10_000, 10_000]);
  }
});

test('goods from abroad bear their tax at customs, services from abroad under reverse charge', () => {
  const abroad = facts({ party: partyOf('overseas', '96') });
  expect(priced('overseasPurchase', abroad).igst).toBe(0);
  expect(priced('overseasPurchase', abroad, { reverseCharge: true }).igst).toBe(1800);
});

test.each<[string, Partial<Draft>, Facts, string, string]>([
  ['the customer’s state', {}, facts(), '33', 'inter'],
  [
    'where the goods are delivered',
    { shipTo: { line1: 'x', city: 'x', state: '29', pincode: '560001', country: 'IN' } },
    facts(),
    '29',
    'intra',
  ],
  [
    'the state of the buyer, when another person receives the goods',
    {
      shipTo: {
        ...{ name: 'Third Person Pvt', line1: 'x', city: 'Chennai', state: '27', pincode: '400001', country: 'IN' },
        gstin: '27AAPFU0939F1ZV',
      },
    },
    facts(),
    '33',
    'inter',
  ],
  [
    'the state of the buyer in our state, when another person elsewhere receives the goods',
    {
      shipTo: { name: 'Third Person Pvt', line1: 'x', city: 'Chennai', state: '33', pincode: '600001', country: 'IN' },
    },
    facts({ party: partyOf('registered', '29') }),
    '29',
    'intra',
  ],
  [
    'where a consumer has the goods delivered',
    { shipTo: { name: 'Ravi', line1: 'x', city: 'Bengaluru', state: '29', pincode: '560001', country: 'IN' } },
    facts({ party: partyOf('unregistered') }),
    '29',
    'intra',
  ],
  [
    'the state on the bill of somebody who is not on record',
    {
      shipTo: {
        ...{ name: 'Ravi', line1: 'x', city: 'Chennai', state: '33', pincode: '600001', country: 'IN' },
        gstin: '33AACCC9087J1ZD',
      },
      billTo: { line1: 'x', city: 'Bengaluru', state: '29', pincode: '560001', country: 'IN' },
    },
    facts({ party: undefined }),
    '29',
    'intra',
  ],
  ['what was chosen', { placeOfSupply: '27' }, facts(), '27', 'inter'],
  ['our own state for somebody who walked in', {}, facts({ party: undefined }), '29', 'intra'],
  ['outside India', {}, facts({ party: partyOf('overseas', '96') }), '96', 'inter'],
  ['its own state, yet one tax, for a SEZ', {}, facts({ party: partyOf('sezUnit', '29') }), '29', 'inter'],
])('place of supply: %s', (_, more, known, place, supply) => {
  const pricing = resolve(kindOf('saleInvoice'), draft('saleInvoice', more), known);
  expect([pricing.placeOfSupply, price(pricing).supply]).toEqual([place, supply]);
});

test('a transfer is a supply between registrations only', () => {
  const other = { registration: 'other', state: '33', kind: 'regular' } as const;
  const away = priced('branchTransfer', facts({ party: undefined, other }), { toRegistration: 'other' });
  expect([away.supply, away.supplyType, away.igst]).toEqual(['inter', 'B2B', 1800]);
  const near = priced('branchTransfer', facts({ party: undefined }), { toRegistration: 'own' });
  expect([near.supply, near.igst, near.total]).toEqual(['none', 0, 10_000]);
});

test('an amount of TDS typed is taken as it is, and only where the kind has it', () => {
  const held = { tdsSection: '194C', tdsAmount: money('7') };
  expect([priced('purchaseBill', facts(), held).tds, priced('purchaseBill', facts(), held).payable]).toEqual([
    700, 11_100,
  ]);
  expect(priced('saleInvoice', facts(), held).tds).toBe(0);
});

test('an advance for a service holds its tax, one for goods holds none', () => {
  const advance = { lines: [], amount: money('118'), placeOfSupply: '29' };
  const service = priced('advanceReceipt', facts(), { ...advance, advanceRate: percentage('18') });
  expect([service.taxable, service.cgst, service.sgst]).toEqual([10_000, 900, 900]);
  expect(priced('advanceReceipt', facts(), advance).taxable).toBe(0);
});
