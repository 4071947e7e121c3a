import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millionths, ONE, percentage, quantity, rateText } from '../base/decimal.ts';
import { kindOf } from '../document/kinds/index.ts';
import type { ItemFacts } from '../document/resolve.ts';
import { itemFacts } from '../testing/walk.ts';
import {
  type ItemPrices,
  itemPrice,
  listsThatApply,
  type PriceAsked,
  type PriceList,
  type PriceListScope,
  type PriceStep,
  priceRows,
  stepFor,
  stepsOf,
} from './item-price.ts';

const lamp = {
  ...itemFacts({
    ...{ sku: 'lamp', service: false, stocked: true, gstRate: '18', treatment: 'taxable', cessRate: '0' },
    cessPerUnit: '0',
  }),
  saleRate: quantity('100'),
  purchaseRate: quantity('60'),
  unit: 'NOS',
  units: { NOS: { base: 1, per: 1 }, BOX: { base: 12, per: 1 } },
};
const step = (rank: number, from: string, more: { rate?: string; discount?: string }): PriceStep => ({
  rank,
  from: quantity(from),
  ...(more.rate && { rate: quantity(more.rate) }),
  ...(more.discount && { discount: percentage(more.discount) }),
});
const list: PriceList = {
  ...{ id: 'list', appliesTo: 'parties', locations: [], priority: 0 },
  ...{ name: 'Wholesale', currency: 'INR', taxInclusive: false, validFrom: null, validTo: null },
};
const prices = (steps: readonly PriceStep[], more: Partial<ItemPrices['list']> = {}): ItemPrices => ({
  list: { ...list, ...more },
  steps,
});
const sale = kindOf('saleInvoice');
const ask = (known: ItemPrices | undefined, more: Partial<PriceAsked> = {}, kind = sale) => {
  const asked = { date: '2026-06-10', currency: 'INR', exchangeRate: millionths(ONE), taxInclusive: false, ...more };
  const found = itemPrice(kind, lamp, asked, known && [known]);
  return found && [rateText(found.rate), found.list, ...(found.from ? [found.from / ONE] : [])];
};

test('the list of the party goes before the own rate: by date, by quantity, by what is narrowest', () => {
  const steps = [
    step(99, '0', { discount: '5' }),
    step(0, '0', { rate: '90' }),
    step(0, '10', { rate: '80' }),
    step(2, '50', { discount: '50' }),
  ];
  const known = prices(steps, { validFrom: '2026-06-01', validTo: '2026-06-30' });
  expect(ask(undefined)).toEqual(['100.00', undefined]);
  expect(ask(known)).toEqual(['90.00', 'Wholesale']);
  expect(ask(known, { quantity: quantity('9.999999') })).toEqual(['90.00', 'Wholesale']);
  expect(ask(known, { quantity: quantity('10') })).toEqual(['80.00', 'Wholesale', 10]);
  // the narrower row holds, though a wider one begins later
  expect(ask(known, { quantity: quantity('100') })).toEqual(['80.00', 'Wholesale', 10]);
  // a box is twelve: its price and the step it reaches follow
  expect(ask(known, { quantity: quantity('1'), unit: 'BOX' })).toEqual(['960.00', 'Wholesale', 10]);
  for (const date of ['2026-05-31', '2026-07-01']) expect(ask(known, { date })).toEqual(['100.00', undefined]);
  expect(ask(known, { date: '2026-06-30' })).toEqual(['90.00', 'Wholesale']);
  // what begins at ten says nothing of one: what is wider does
  expect(ask(prices([step(0, '10', { rate: '80' }), step(3, '0', { discount: '12.5' })]))).toEqual([
    '87.50',
    'Wholesale',
  ]);
  expect(ask(known, {}, kindOf('branchTransfer'))).toEqual(['100.00', undefined]);
  expect(ask(known, {}, kindOf('purchaseBill'))).toEqual(['90.00', 'Wholesale']);
});

test('an item without a rate of its own is proposed at what it last went for, as it was then', () => {
  const bare = { ...lamp, saleRate: null };
  const last = { rate: quantity('70'), unit: 'NOS', taxInclusive: false };
  const rate = (more: Partial<PriceAsked> = {}, item: ItemFacts = bare, known?: ItemPrices) => {
    const asked = { date: '2026-06-10', currency: 'INR', exchangeRate: millionths(ONE), taxInclusive: false, ...more };
    const found = itemPrice(sale, item, asked, known && [known], last);
    return found && rateText(found.rate);
  };
  expect(rate()).toBe('70.00');
  for (const other of [{ unit: 'BOX' }, { taxInclusive: true }, { currency: 'USD' }])
    expect(rate(other)).toBeUndefined();
  expect(rate({}, lamp)).toBe('100.00');
  expect(rate({}, bare, prices([step(0, '0', { rate: '65' })]))).toBe('65.00');
  // nothing is taken off a price that is not the item's own
  expect(rate({}, bare, prices([step(99, '0', { discount: '10' })]))).toBe('70.00');
});

test('tax is taken out of a price or put on it as the document asks', () => {
  const inclusive = prices([step(0, '0', { rate: '118' })], { taxInclusive: true });
  expect(ask(inclusive)).toEqual(['100.00', 'Wholesale']);
  expect(ask(inclusive, { taxInclusive: true })).toEqual(['118.00', 'Wholesale']);
  expect(ask(prices([step(0, '0', { rate: '50' })]), { taxInclusive: true })).toEqual(['59.00', 'Wholesale']);
  // an item that is not on it is not given away with its tax
  expect(ask(prices([], { taxInclusive: true }), { taxInclusive: true })).toEqual(['118.00', undefined]);
  expect(ask(prices([step(9, '0', { discount: '10' })], { taxInclusive: true }), { taxInclusive: true })).toEqual([
    '106.20',
    'Wholesale',
  ]);
  expect(ask(inclusive, { gstRate: percentage('0') })).toEqual(['118.00', 'Wholesale']);
});

test('prices in rupees follow the exchange rate, prices in dollars are for documents in dollars', () => {
  const abroad = { currency: 'USD', exchangeRate: quantity('80') };
  expect(ask(prices([step(0, '0', { rate: '90' })]), abroad)).toEqual(['1.13', 'Wholesale']);
  const dollars = prices([step(0, '0', { rate: '2.5' }), step(1, '0', { discount: '10' })], { currency: 'USD' });
  expect(ask(dollars, abroad)).toEqual(['2.50', 'Wholesale']);
  expect(ask(dollars)).toEqual(['90.00', 'Wholesale']);
});

test('more never costs more where the steps of a list fall, and the step found is one that was reached', () => {
  const arbitrary = fc.array(
    fc.record({ rank: fc.integer({ min: 0, max: 3 }), from: fc.integer({ min: 0, max: 50 }) }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(arbitrary, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 20 }), (rows, quantity, more) => {
      const steps = rows.map(({ rank, from }) => ({ rank, from: millionths(from), rate: millionths(100 - from) }));
      const [few, many] = [stepFor(steps, quantity), stepFor(steps, quantity + more)];
      if (few) expect(few.from).toBeLessThanOrEqual(quantity);
      for (const step of steps)
        if (few && step.from <= quantity)
          expect(few.rank < step.rank || (few.rank === step.rank && few.from >= step.from)).toBe(true);
      if (few && many && few.rank === many.rank) expect(many.rate).toBeLessThanOrEqual(few.rate ?? 0);
      if (few && many) expect(many.rank).toBeLessThanOrEqual(few.rank);
    }),
  );
});

test('of several lists the first that says something decides: the party’s own, then by priority, then the narrower', () => {
  const made = (id: string, appliesTo: PriceListScope, more: Partial<PriceList> = {}) => ({
    list: { ...list, id, name: id, appliesTo, ...more },
  });
  const all = [
    made('all', 'everybody'),
    made('festive', 'everybody', { priority: 5, validTo: '2026-06-30' }),
    made('counter', 'tills'),
    made('mall', 'locations', { locations: ['mall'] }),
    made('theirs', 'parties'),
    made('others', 'parties', { priority: 9 }),
  ];
  const lists = (at: Parameters<typeof listsThatApply>[1]) => listsThatApply(all, at).map((one) => one.list.name);
  expect(lists({ till: false })).toEqual(['festive', 'all']);
  expect(lists({ till: true, location: 'mall', partyList: 'theirs' })).toEqual([
    ...['theirs', 'festive', 'counter', 'mall', 'all'],
  ]);
  expect(lists({ till: false, location: 'market', partyList: 'none' })).toEqual(['festive', 'all']);
  const own = prices([step(0, '10', { rate: '70' })]);
  const general = prices([step(99, '0', { discount: '5' })], { name: 'Everybody', appliesTo: 'everybody' });
  const at = (quantityText: string, date = '2026-06-10') => {
    const asked = { date, currency: 'INR', exchangeRate: millionths(ONE), taxInclusive: false };
    const found = itemPrice(sale, lamp, { ...asked, quantity: quantity(quantityText) }, [own, general]);
    return found && [rateText(found.rate), found.list];
  };
  expect(at('10')).toEqual(['70.00', 'Wholesale']);
  expect(at('9')).toEqual(['95.00', 'Everybody']);
});

test('rows of a list say of an item what is said of it, of its template, of its categories on the way up, and of everything', () => {
  const rows = [
    { item: 'red', from: quantity('0'), rate: quantity('9') },
    { item: 'shirt', from: quantity('5'), rate: quantity('8') },
    { category: 'wear', from: quantity('0'), discount: percentage('10') },
    { category: 'all', from: quantity('0'), discount: percentage('5') },
    { from: quantity('0'), discount: percentage('1') },
  ];
  const above = new Map([
    ['wear', 'all'],
    ['all', 'all'], // a circle ends
  ]);
  const ranks = (item: Parameters<typeof stepsOf>[1]) =>
    stepsOf(priceRows(list, rows), item, above).steps.map(({ rank }) => rank);
  expect(ranks({ id: 'red', parent: 'shirt', category: 'wear' }).slice(0, 4)).toEqual([0, 1, 2, 3]);
  expect(ranks({ id: 'blue', parent: 'shirt', category: null })).toEqual([1, 99]);
  expect(ranks({ id: 'pen', parent: null, category: 'paper' })).toEqual([99]);
});
