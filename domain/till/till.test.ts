import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millionths, percent } from '../base/decimal.ts';
import { paise, sum, zero } from '../base/money.ts';
import {
  batchesFor,
  counted,
  indexParts,
  itemsMeant,
  type PriceSource,
  partKey,
  scanned,
  settleBill,
  shareOff,
  type TillItem,
  tillPrice,
} from './till.ts';

const ledgers = { cash: 'C', card: 'D', upi: 'U' };
const amount = fc.integer({ min: 0, max: 1_000_000_00 }).map(paise);
const item = (more: Partial<TillItem> = {}): TillItem => ({
  ...{ id: 'i', sku: 'LED-9W', name: 'LED bulb 9 W', barcode: '8901', service: false, stocked: true, hsn: '85395200' },
  ...{
    unit: 'NOS',
    units: {},
    treatment: 'taxable',
    gstRate: percent(180_000),
    cessRate: percent(0),
    cessPerUnit: zero,
  },
  ...{ retailPrice: null, saleRate: millionths(95_000_000), purchaseRate: null, mrp: millionths(120_000_000) },
  ...{ incomeLedger: null, expenseLedger: null, creditBlocked: false, scrap: false, parent: null, category: null },
  ...more,
});

test('notes and coins are counted in rupees', () => {
  expect(counted({ '500': 2, '20': 1, '1': 3 })).toBe(102_300);
  expect(counted({ '7': 4 })).toBe(0);
});

test.each<[PriceSource, boolean, Partial<TillItem>, number | undefined]>([
  ['saleRate', true, {}, 112_100_000],
  ['saleRate', false, {}, 95_000_000],
  ['saleRate', true, { treatment: 'exempt' }, 95_000_000],
  ['saleRate', true, { cessRate: percent(120_000), cessPerUnit: paise(250) }, 126_000_000],
  ['saleRateWithTax', true, {}, 95_000_000],
  ['mrp', true, {}, 120_000_000],
  ['mrp', true, { mrp: null }, 112_100_000],
  ['saleRate', true, { saleRate: null }, undefined],
  ['saleRate', true, { saleRate: millionths(33_333_333) }, 39_330_000],
])('a price with its tax from %s (taxed: %s)', (from, taxed, more, expected) => {
  expect(tillPrice(item(more), from, taxed)).toBe(expected);
});

test('what the books get is the bill, whatever was put on the counter', () => {
  fc.assert(
    fc.property(amount, amount, amount, amount, amount, (payable, cash, card, upi, onAccount) => {
      const settled = settleBill(payable, { given: { cash, card, upi }, onAccount }, ledgers);
      const taken = sum([...settled.tenders.map((t) => t.amount), settled.onAccount]);
      if (settled.left === 0 && settled.over === 0) expect(taken).toBe(payable);
      expect(settled.change >= 0 && settled.left >= 0 && settled.over >= 0).toBe(true);
      const all = sum([cash, card, upi, onAccount]);
      // what was given is kept or comes back; nothing given is the exact amount in cash
      expect(sum([taken, settled.change])).toBe(all === 0 ? payable : all);
    }),
  );
});

test('change comes out of the cash; more than the bill on a card is said', () => {
  const mixed = settleBill(
    paise(100_000),
    { given: { cash: paise(80_000), card: paise(40_000) }, onAccount: zero },
    ledgers,
  );
  expect(mixed).toMatchObject({ change: 20_000, left: 0, over: 0 });
  expect(mixed.tenders.map(({ mode, amount: a }) => [mode, a])).toEqual([
    ['cash', 60_000],
    ['card', 40_000],
  ]);
  expect(settleBill(paise(100), { given: { upi: paise(150) }, onAccount: zero }, ledgers)).toMatchObject({ over: 50 });
  expect(settleBill(paise(100), { given: { upi: paise(60) }, onAccount: zero }, ledgers)).toMatchObject({ left: 40 });
});

test('a discount is measured against the prices of the till', () => {
  expect(shareOff(paise(10_000), paise(8_750))).toBe(125_000);
  expect(shareOff(paise(10_000), paise(11_000))).toBe(0);
  expect(shareOff(zero, zero)).toBe(0);
});

test('a scanner types a code, a person a quantity before it', () => {
  expect(scanned('8901')).toEqual({ quantity: '1', code: '8901' });
  expect(scanned('3*8901')).toEqual({ quantity: '3', code: '8901' });
  expect(scanned(' 1.5 * LED ')).toEqual({ quantity: '1.5', code: 'LED' });
  expect(scanned('2x4 plank')).toEqual({ quantity: '1', code: '2x4 plank' });
  expect(scanned('*8901')).toBeUndefined();
});

test('a code means one item, words mean those that hold them all', () => {
  const items = [item(), item({ id: 'j', sku: 'LED-12W', name: 'LED bulb 12 W', barcode: null })];
  expect(itemsMeant(items, '8901').map((m) => m.item.id)).toEqual(['i']);
  expect(itemsMeant(items, 'led-12w').map((m) => m.item.id)).toEqual(['j']);
  expect(itemsMeant(items, 'bulb led')).toHaveLength(2);
  expect(itemsMeant(items, 'bulb 12').map((m) => m.item.id)).toEqual(['j']);
  expect(itemsMeant(items, '')).toEqual([]);
});

test('a batch or a serial number means its item; the item itself offers what it has', () => {
  const batches = [
    { batch: 'B1', quantity: millionths(5_000_000), expiry: '2027-03-31' },
    { batch: 'B2', quantity: millionths(2_000_000), expiry: '2026-12-31' },
  ];
  const items = [
    item({ id: 'p', sku: 'PAINT', barcode: '77', batched: true, batches }),
    item({ id: 'd', sku: 'DRILL', barcode: '78', serialised: true, serials: ['A01', 'A02'] }),
  ];
  const meant = (typed: string) =>
    itemsMeant(items, typed, indexParts(items)).map((m) => [m.item.id, m.batch ?? m.serial ?? '']);
  expect(meant('b2')).toEqual([['p', 'B2']]);
  expect(meant('a02')).toEqual([['d', 'A02']]);
  expect(meant('78')).toEqual([
    ['d', 'A01'],
    ['d', 'A02'],
  ]);
  expect(meant('77')).toEqual([
    ['p', ''],
    ['p', 'B1'],
    ['p', 'B2'],
  ]);
});

test('what expires first goes first, without what has expired and what other bills took; never more than there is', () => {
  const batches = [
    { batch: 'B1', quantity: millionths(5_000_000), expiry: '2027-03-31' },
    { batch: 'B2', quantity: millionths(2_000_000), expiry: '2026-12-31' },
    { batch: 'B3', quantity: millionths(9_000_000), expiry: '2026-11-20' },
  ];
  const takes = (quantity: number, batch?: string, taken = new Map<string, number>()) =>
    batchesFor({ id: 'p', batches }, { quantity, batch, day: '2026-11-21' }, taken).map((b) => [b.batch, b.quantity]);
  expect(takes(3_000_000)).toEqual([
    ['B2', 2_000_000],
    ['B1', 1_000_000],
  ]);
  expect(takes(3_000_000, 'b1')).toEqual([['B1', 3_000_000]]);
  expect(takes(1_000_000, 'B3')).toEqual([]);
  // where forty-five days have to be left, what has forty is passed over too
  const life = { days: null, least: 45 };
  const keeping = batchesFor({ id: 'p', batches }, { quantity: 3_000_000, day: '2026-11-21', life }, new Map());
  expect(keeping.map((b) => [b.batch, b.quantity])).toEqual([['B1', 3_000_000]]);
  expect(takes(1_000_000, undefined, new Map([[partKey('p', 'B2'), 2_000_000]]))).toEqual([['B1', 1_000_000]]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000_000 }), (wanted) => {
      const total = takes(wanted).reduce((t, [, n]) => t + Number(n), 0);
      expect(total).toBe(Math.min(wanted, 7_000_000));
    }),
  );
});
