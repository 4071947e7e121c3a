import { expect, test } from 'vitest';
import { millionths } from '../base/decimal.ts';
import type { BatchPart, Draft } from '../document/document.ts';
import { kindOf } from '../document/kinds/index.ts';
import { isShort, takesIn, withExpiries } from './shelf-life.ts';

const draft = (...batches: readonly BatchPart[]): Draft => ({
  ...{ kind: 'purchaseBill', date: '2026-11-20', registration: 'own', location: 'here', currency: 'INR' },
  exchangeRate: millionths(1_000_000),
  lines: [{ item: 'milk', batches }, { ledger: 'freight' }],
});
const part = (more: Partial<BatchPart>): BatchPart => ({ batch: 'B1', quantity: millionths(1), ...more });
const bill = kindOf('purchaseBill');
const keeps = (days: number | null) => () => ({ days, least: 5 });

test('a batch expires so many days after it was made, unless its day was typed or nobody knows when it was made', () => {
  const typed = draft(part({ manufactured: '2026-02-20' }), part({ expiry: '2026-12-01' }), part({}));
  const { lines } = withExpiries(bill, typed, keeps(10));
  expect(lines[0]?.batches?.map(({ expiry }) => expiry)).toEqual(['2026-03-02', '2026-12-01', undefined]);
  expect(lines[1]).toBe(typed.lines[1]);
});

test('where there is nothing to add the draft stays the one that it was', () => {
  const typed = draft(part({ manufactured: '2026-02-20' }));
  expect(withExpiries(bill, typed, keeps(null))).toBe(typed);
  expect(withExpiries(bill, typed, () => undefined)).toBe(typed);
  expect(withExpiries(kindOf('saleInvoice'), typed, keeps(10))).toBe(typed);
  expect(withExpiries(bill, draft(), keeps(10)).lines).toHaveLength(2);
});

test('goods come in anew with a bill, an opening and a find; what comes back or moves is known', () => {
  expect(
    ['purchaseBill', 'openingStock', 'inventoryAdjustment'].map((name) => takesIn(kindOf(name as 'purchaseBill'))),
  ).toEqual([true, true, true]);
  expect(['saleReturn', 'transferReceipt', 'saleInvoice'].map((name) => takesIn(kindOf(name as 'saleReturn')))).toEqual(
    [false, false, false],
  );
});

test('a batch is too old for a buyer from the first day on which fewer days are left than the buyer must get', () => {
  const life = { days: null, least: 10 };
  expect(isShort('2026-11-30', '2026-11-20', life)).toBe(false);
  expect(isShort('2026-11-29', '2026-11-20', life)).toBe(true);
  expect(isShort('2026-11-20', '2026-11-20', { days: 30, least: 0 })).toBe(false);
});
