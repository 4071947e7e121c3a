import { describe, expect, test } from 'vitest';
import { money, percentage, quantity, quantityText } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import type { Draft, DraftLine, Movement } from '../document/document.ts';
import { type KindName, kindNames, kindOf } from '../document/kinds/index.ts';
import { price } from '../document/price.ts';
import { type Facts, resolve, sourceKey } from '../document/resolve.ts';
import { sourceLine } from '../testing/source-line.ts';
import { itemFacts } from '../testing/walk.ts';
import { costsByLine, firstSign, move, type Places, takesFromStock, worthByLine } from './stock.ts';

const item = { gstRate: '18', treatment: 'taxable', cessRate: '0', cessPerUnit: '0' } as const;
const widget = {
  ...itemFacts({ ...item, sku: 'widget', service: false, stocked: true }),
  units: { NOS: { base: 1, per: 1 }, BOX: { base: 12, per: 1 } },
};
const repair = itemFacts({ ...item, sku: 'repair', service: true, stocked: false });
const source = sourceLine({
  document: 'earlier',
  line: 1,
  quantity: quantity('100'),
  taxable: money('1000'),
  gstRate: percentage('18'),
  treatment: 'taxable',
});
const facts: Facts = {
  own: { registration: 'own', state: '29', kind: 'regular' },
  party: {
    ...{ id: 'p', name: 'Party', category: 'registered', state: '29', country: 'IN', gstin: '29AABCB1234F1Z4' },
    ...{ hasPan: true, microSmall: false, creditDays: 0, hasAddress: true },
  },
  items: new Map([
    ['widget', widget],
    ['repair', repair],
  ]),
  sources: new Map([[sourceKey(source), source]]),
  roundTotal: false,
};
const places: Places = { location: 'here', toLocation: 'there', transit: 'road' };

const movementsOf = (name: KindName, lines: readonly DraftLine[], at: Places = places): Movement[] => {
  const kind = kindOf(name);
  const draft: Draft = {
    kind: name,
    date: '2026-11-02',
    registration: 'own',
    location: 'here',
    toLocation: 'there',
    currency: 'INR',
    exchangeRate: quantity('1'),
    lines,
  };
  return move(kind, price(resolve(kind, draft, facts)).lines, draft, at);
};
const moved = (name: KindName, lines: readonly DraftLine[]) =>
  movementsOf(name, lines).map(({ location, quantity: q, value, costOf, asHeld }) =>
    [
      location,
      quantityText(q),
      ...(value === undefined ? [] : [`worth ${value}`]),
      ...(costOf ? [`as ${costOf.document}/${costOf.line}`] : []),
      ...(asHeld ? ['as held'] : []),
    ].join(' '),
  );
const two: DraftLine = { item: 'widget', quantity: quantity('2'), rate: quantity('10') };
const back: DraftLine = { item: 'widget', quantity: quantity('2'), source: { document: 'earlier', line: 1 } };

describe('where goods go', () => {
  test.each<[KindName, DraftLine, string[]]>([
    ['saleInvoice', two, ['here -2']],
    ['posSale', two, ['here -2']],
    ['saleReturn', back, ['here 2 as earlier/1']],
    // a return that names no document: its lines say what was credited, the stock says what the goods cost
    ['saleReturn', two, ['here 2 as held']],
    ['purchaseReturn', two, ['here -2 as held']],
    ['saleCreditNote', two, []],
    ['purchaseBill', two, ['here 2 worth 2000']],
    ['purchaseBill', { ...two, creditBlocked: true }, ['here 2 worth 2360']],
    ['purchaseReturn', back, ['here -2 as earlier/1']],
    ['purchaseDebitNote', two, []],
    ['openingStock', two, ['here 2 worth 2000']],
    ['inventoryAdjustment', { item: 'widget', delta: quantity('3'), rate: quantity('10') }, ['here 3 worth 3000']],
    ['inventoryAdjustment', { item: 'widget', delta: quantity('-3') }, ['here -3']],
    ['branchTransfer', two, ['here -2', 'road 2']],
    ['transferReceipt', back, ['road -2 as earlier/1', 'there 2']],
    ['saleOrder', two, []],
    ['saleInvoice', { ...two, item: 'repair' }, []],
    ['saleInvoice', { ...two, freeQuantity: quantity('1') }, ['here -3']],
    ['saleInvoice', { ...two, unit: 'BOX', freeQuantity: quantity('0.5') }, ['here -30']],
    ['saleInvoice', { ...two, quantity: quantity('0') }, []],
    ['saleInvoice', { ...two, quantity: quantity('0.000001') }, ['here -0.000001']],
    ['inventoryAdjustment', { item: 'widget', delta: quantity('0'), rate: quantity('10') }, []],
  ])('%s', (name, line, wanted) => {
    expect(moved(name, [line])).toEqual(wanted);
  });

  test('a transfer neither makes nor loses goods, and only kinds that say so move any', () => {
    for (const name of kindNames) {
      const kind = kindOf(name);
      if (kind.lines.of !== 'items') continue;
      const rows = moved(name, [kind.source.givesPrice ? back : two]);
      const sum = rows.reduce((total, row) => total + Number(row.split(' ')[1]), 0);
      const wanted = { out: -2, in: 2, transferOut: 0, transferIn: 0, adjust: 2, reserve: 0, worth: 0, none: 0 }[
        kind.stock.effect
      ];
      expect([name, sum, rows.length > 0]).toEqual([
        name,
        wanted,
        wanted !== 0 || kind.stock.effect.startsWith('transfer'),
      ]);
    }
  });
});

test('goods go nowhere while nobody has said where to', () => {
  const bound: Places = { location: 'here', toLocation: undefined, transit: undefined };
  expect(movementsOf('branchTransfer', [two], bound).map(({ location }) => location)).toEqual(['here']);
  expect(movementsOf('transferReceipt', [back], bound)).toEqual([]);
});

test('what is free belongs to the batches of a line, each batch with its share of all that moves', () => {
  const line: DraftLine = {
    ...two,
    unit: 'BOX',
    freeQuantity: quantity('0.5'),
    batches: [
      { batch: 'b1 ', quantity: quantity('1') },
      { batch: 'B2', quantity: quantity('1.5') },
    ],
  };
  // 2 boxes and half a box free are 30 pieces: 12 of the first batch, 18 of the second
  expect(movementsOf('saleInvoice', [line]).map(({ batches }) => batches)).toEqual([
    [
      { batch: 'B1', quantity: quantity('12') },
      { batch: 'B2', quantity: quantity('18') },
    ],
  ]);
  expect(movementsOf('saleInvoice', [two])[0]).not.toHaveProperty('batches');
});

test('goods leave the room that a line names, and are in no room on their way', () => {
  const sent = movementsOf('branchTransfer', [{ ...two, room: 'cellar' }]);
  expect(sent.map(({ location, room }) => [location, room])).toEqual([
    ['here', 'cellar'],
    ['road', undefined],
  ]);
  for (const each of [sent[1], movementsOf('branchTransfer', [two])[0]]) expect(each).not.toHaveProperty('room');
});

test('the cost of a line is what left, whatever arrives elsewhere', () => {
  const at = { line: 1, item: 'widget' } as const;
  const there = [
    { ...at, location: 'here', quantity: quantity('-2') },
    { ...at, location: 'road', quantity: quantity('2') },
    { ...at, line: 2, location: 'here', quantity: quantity('-1') },
  ];
  expect([...costsByLine(there, [-1000, 1000, -333])]).toEqual([
    [1, paise(1000)],
    [2, paise(333)],
  ]);
  // arriving where stock is short, the same goods cost what was missing there
  expect([...costsByLine(there, [-1000, 900, -333])]).toEqual([
    [1, paise(1000)],
    [2, paise(333)],
  ]);
  expect([...costsByLine(there.slice(1), [])]).toEqual([
    [1, 0],
    [2, 0],
  ]);
});

test('what the goods of a line are worth has the sign of the change, whatever way they go', () => {
  const worth = (name: KindName, costs: readonly number[], all: readonly number[] = [1, 1, 2]) => [
    ...worthByLine(
      kindOf(name),
      all.map((line) => ({ line })),
      costs,
    ).values(),
  ];
  // sent: the first movement of each line is out, at a negative cost; the second is its arrival on the way
  expect(worth('branchTransfer', [-1000, 900, -333])).toEqual([1000, 333]);
  expect(worth('inventoryAdjustment', [1000, -333], [1, 2])).toEqual([1000, -333]);
  expect(worth('branchTransfer', [0], [1])).toEqual([0]);
  expect(worth('branchTransfer', [], [1])).toEqual([0]);
});

test.each<[KindName, 1 | -1]>([
  ['saleInvoice', -1],
  ['purchaseBill', 1],
  ['branchTransfer', -1],
  ['transferReceipt', -1],
  ['inventoryAdjustment', 1],
  ['saleOrder', 1],
])('the goods of a %s go first the way of %i', (name, sign) => expect(firstSign(kindOf(name))).toBe(sign));

test('the stock balance says what goods cost where they leave it, and their line or their source where they come', () => {
  const from = (name: KindName, delta?: string) =>
    takesFromStock(kindOf(name), delta === undefined ? undefined : quantity(delta));
  expect([from('saleInvoice'), from('branchTransfer'), from('purchaseBill'), from('openingStock')]).toEqual([
    ...[true, true, false, false],
  ]);
  // a return goes at what its source was booked at
  expect([from('saleReturn'), from('purchaseReturn'), from('transferReceipt')]).toEqual([false, false, false]);
  const adjusted = ['-3', '-0.000001', '0', '0.000001', '3', undefined];
  expect(adjusted.map((delta) => from('inventoryAdjustment', delta))).toEqual([true, true, false, false, false, false]);
});
