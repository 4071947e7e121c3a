import { describe, expect, test } from 'vitest';
import { millionths, ONE, percent } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import type { Draft } from './document.ts';
import { kindNames, kindOf } from './kinds/index.ts';
import type { Kind } from './kinds/kind.ts';
import { addressThen, withPartyThen } from './party-then.ts';
import { price } from './price.ts';
import { type Facts, type PartyFacts, resolve } from './resolve.ts';
import { amountsLeft, bearsTaxOf, type PartyThen, type SourceDocument } from './sources.ts';

const shop = { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' };
const then: PartyThen = {
  ...{ name: 'Nila Stores', gstin: null, state: '29', category: 'unregistered' },
  ...{ country: 'IN', address: shop },
};
const today = {
  ...{ id: 'party', name: 'Nila Pune', gstin: '27AAACN1111A1ZB', state: '27', category: 'registered', country: 'IN' },
  ...{ hasPan: true, microSmall: false, creditDays: 30, hasAddress: true, address: { ...shop, state: '27' } },
  register: { status: 'cancelled', cancelledOn: '2026-10-01' },
} as PartyFacts;
const some = paise(10_000);
const source = {
  ...{ id: 'source', kind: 'saleInvoice', number: 'S-1', date: '2026-11-10', party: 'party', partyThen: then },
  ...{ registration: 'ours', location: 'here', toLocation: null, placeOfSupply: '29', currency: 'INR' },
  ...{ exchangeRate: millionths(ONE), supply: 'intra', supplyType: 'B2CS', taxCharged: true },
  ...{ reverseCharge: false, withPayment: false, leftRoundOff: paise(0), leftAdjustments: paise(0), leftTcs: paise(0) },
} as SourceDocument;
const factsOf = (more: Partial<SourceDocument> = {}, party: PartyFacts | undefined = today): Facts => ({
  ...{ own: { registration: 'ours', state: '29', kind: 'regular' }, party, items: new Map(), roundTotal: false },
  documents: new Map([['source', { ...source, ...more }]]),
  sources: new Map([
    [
      'source/1',
      {
        ...{ document: 'source', line: 1, hsn: '998313', unit: 'NOS', quantity: millionths(ONE), taxable: some },
        ...{ leftQuantity: millionths(ONE), leftFree: millionths(0), leftBase: millionths(ONE) },
        ...{ left: amountsLeft(() => some), rate: millionths(100 * ONE), gstRate: percent(180_000) },
        ...{ treatment: 'taxable', cessRate: percent(0), cessPerUnit: paise(0) },
      },
    ],
  ]),
});
const draftOf = (kind: string, more: Partial<Draft> = {}): Draft => ({
  ...{ kind, date: '2026-11-20', registration: 'ours', location: 'here', party: 'party', against: 'source' },
  ...{ currency: 'INR', exchangeRate: millionths(ONE) },
  lines: [{ description: 'x', quantity: millionths(ONE), source: { document: 'source', line: 1 } }],
  ...more,
});
const withThen = (kind: string, facts: Facts, more: Partial<Draft> = {}): Facts =>
  withPartyThen(kindOf(kind as 'saleReturn'), draftOf(kind, more), facts);

const notes = kindNames.filter((name) => {
  const kind: Kind = kindOf(name);
  return bearsTaxOf(kind) && kind.party.side === 'customer';
});
test('there are notes and returns of customers', () => expect(notes).toContain('saleCreditNote'));

describe.each(notes)('%s', (kind) => {
  test('has the particulars of its source, and what follows from the party is that of today', () => {
    expect(withThen(kind, factsOf()).party).toEqual({
      ...{ ...today, ...then, hasAddress: true, register: null },
      categoryNow: 'registered',
    });
  });

  test('is worked out in the editor, from the party of today, as on the server', () => {
    const typed = draftOf(kind);
    const facts = factsOf();
    const there = withPartyThen(kindOf(kind), typed, facts);
    expect(resolve(kindOf(kind), typed, facts)).toEqual(resolve(kindOf(kind), typed, there));
    expect(withPartyThen(kindOf(kind), typed, there)).toEqual(there);
    expect(price(resolve(kindOf(kind), typed, facts))).toMatchObject({ supplyType: 'B2CS', supply: 'intra' });
  });

  test('without a document that is known, it has the party as it is today', () => {
    const none = { ...factsOf(), documents: new Map() };
    expect(withThen(kind, none)).toBe(none);
    expect(withThen(kind, factsOf(), { against: undefined as never, lines: [] }).party).toEqual(today);
  });
});

test.each(['advanceRefund', 'allocationVoucher'])('%s has the particulars of its advance', (kind) => {
  expect(withThen(kind, factsOf({ kind: 'advanceReceipt' }), { lines: [] }).party).toMatchObject({
    ...{ name: then.name, gstin: null, category: 'unregistered', state: '29' },
  });
});

test('another party than that of the source stays as it was named: it is a problem at the field', () => {
  const other: PartyFacts = { ...today, id: 'other', name: 'Other Stores' };
  const facts = factsOf({}, other);
  expect(withThen('saleReturn', facts, { party: 'other' })).toBe(facts);
});

test('what is made from an order or a challan has the party as it is today', () => {
  for (const [kind, from] of [
    ['saleInvoice', 'saleOrder'],
    ['saleInvoice', 'deliveryChallan'],
    ['purchaseBill', 'purchaseOrder'],
  ] as const)
    expect(withThen(kind, factsOf({ kind: from })).party).toEqual(today);
});

test('a supply without a party was to a consumer of its place of supply', () => {
  const facts = factsOf({ party: null, partyThen: null, placeOfSupply: '33' });
  expect(withThen('saleReturn', facts).party).toMatchObject({
    ...{ name: 'Nila Pune', gstin: null, state: '33', category: 'unregistered', country: 'IN', address: null },
  });
  expect(withThen('saleReturn', factsOf({ party: null, partyThen: null, placeOfSupply: null })).party?.state).toBe(
    '27',
  );
});

test('a document that has no particulars of its party leaves it as it is', () => {
  const facts = factsOf({ partyThen: null });
  expect(withThen('saleReturn', facts)).toBe(facts);
});

test('what the register said stays with the GSTIN that it was said of', () => {
  const same = { ...then, gstin: '27AAACN1111A1ZB', category: 'registered' } as const;
  expect(withThen('saleReturn', factsOf({ partyThen: same })).party?.register).toEqual(today.register);
});

test('an older document without a country was to India, or to where its buyer abroad is', () => {
  const countryOf = (more: Partial<PartyThen>) =>
    withThen(
      'saleReturn',
      factsOf({ partyThen: { ...then, country: null, address: null, ...more } }, { ...today, country: 'AE' }),
    ).party?.country;
  expect(countryOf({})).toBe('IN');
  expect(countryOf({ category: 'overseas', state: '96' })).toBe('AE');
});

describe('the address', () => {
  const now = { gstin: 'A', state: '29', address: { state: '29', line1: 'new' } };
  const old = { state: '29', line1: 'old' };
  test('is that of today while GSTIN and state are the same', () => {
    expect(addressThen({ gstin: 'A', state: '29', address: old }, now)).toBe(now.address);
    expect(addressThen({ gstin: 'A', state: '29', address: old }, { gstin: 'A', state: '29' })).toBeNull();
  });
  test.each([
    ['GSTIN', { gstin: 'B', state: '29' }],
    ['state', { gstin: 'A', state: '33' }],
  ])('is that of the document where the %s was another', (_, other) => {
    expect(addressThen({ ...other, address: old }, now)).toBe(old);
  });
  test('is that of today in the same state, where the document keeps none', () => {
    expect(addressThen({ gstin: 'B', state: '29', address: null }, now)).toBe(now.address);
    expect(addressThen({ gstin: 'B', state: '33', address: null }, now)).toBeNull();
  });
});
