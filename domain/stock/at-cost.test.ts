import { expect, test } from 'vitest';
import { millionths, ONE } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import { weighed } from '../document/approval.ts';
import type { Draft, Priced } from '../document/document.ts';
import { kindOf } from '../document/kinds/index.ts';
import { atCost, estimated, rateAt } from './at-cost.ts';

const units = (n: number) => millionths(n * ONE);
/** Lines of so many units at a rate of ₹10 each, no supply to anybody unless said. */
const priced = (quantities: readonly number[], supply = 'none'): Priced =>
  ({
    supply,
    total: paise(quantities.reduce((sum, n) => sum + n * 1000, 0)),
    lines: quantities.map((n, at) => ({
      ...{ number: at + 1, item: `item${at + 1}`, stocked: true, rate: units(10), value: paise(n * 1000) },
      ...{ quantity: units(n), baseQuantity: units(n) },
    })),
  }) as unknown as Priced;
const adjusting = kindOf('inventoryAdjustment');
const sending = kindOf('branchTransfer');
const values = ({ lines, total, atCost: how }: Priced) => [lines.map(({ value }) => Number(value)), Number(total), how];

test('an adjustment is what its movements cost, with their signs; a dispatch what left', () => {
  const one = [{ line: 1 }, { line: 2 }];
  expect(values(atCost(adjusting, priced([3, 2]), one, [-21900, 8000]))).toEqual([[-21900, 8000], -13900, 'cost']);
  const way = [{ line: 1 }, { line: 1 }];
  expect(values(atCost(sending, priced([4]), way, [-29200, 29200]))).toEqual([[29200], 29200, 'cost']);
});

test('what has a price, or moved nothing, stays as it was', () => {
  const supply = priced([4], 'inter');
  expect(atCost(sending, supply, [{ line: 1 }], [-29200])).toBe(supply);
  expect(atCost(kindOf('saleInvoice'), supply, [{ line: 1 }], [-29200])).toBe(supply);
  const bare = priced([4]);
  expect(atCost(sending, bare, [], [])).toBe(bare);
});

test('an estimate takes what leaves at the average that lies there, and what comes in at its rate', () => {
  const draft = { lines: [{ delta: units(-3) }, { delta: units(2) }] } as unknown as Draft;
  const held = () => ({ quantity: units(10), value: paise(73000) });
  const found = estimated(adjusting, draft, priced([3, 2]), held);
  expect(values(found)).toEqual([[-21900, 2000], -19900, 'estimated']);
  expect(values(estimated(adjusting, draft, priced([3, 2]), () => undefined))).toEqual([
    [-3000, 2000],
    -1000,
    'estimated',
  ]);
  // a loss does not hide behind a find
  expect(weighed(adjusting, draft, found)).toBe(23900);
});

test('a rate is what one costs; what was typed stays where it says the same', () => {
  const typed = { quantity: units(3), rate: millionths(33_333_300) };
  expect([rateAt(typed, 10000), rateAt(typed, -21900)]).toEqual([33_333_300, units(73)]);
  expect(rateAt({ quantity: millionths(1), rate: units(7) }, 9_000_000_000)).toBe(units(7));
});
