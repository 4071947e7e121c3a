import { expect, test } from 'vitest';
import { paise } from '../base/money.ts';
import { boundWith, mayNeedApproval, needsApproval, rulesOf, weighed, writtenTotal } from './approval.ts';
import type { Draft, Priced } from './document.ts';
import { kindNames, kindOf } from './kinds/index.ts';

const draft = (more: Partial<Draft>) => ({ currency: 'INR', lines: [], ...more }) as unknown as Draft;

const rules = rulesOf([
  { kind: 'saleInvoice', from: '50000' },
  { kind: 'payment', from: '0' },
]);

test.each([
  ['saleInvoice', 49_999_99, false],
  ['saleInvoice', 50_000_00, true],
  ['payment', 0, true],
  ['purchaseBill', 90_000_00, false],
] as const)('%s of %s paise needs approval: %s', (kind, total, needed) => {
  expect(needsApproval(rules, kind, total)).toBe(needed);
});

test.each([
  ['journalVoucher', 'manualJournal'],
  ['payment', 'advancePayment'],
  ['purchaseBill', 'expense'],
  ['purchaseBill', 'overseasPurchase'],
  ['saleInvoice', 'b2cInvoice'],
  ['saleCreditNote', 'saleReturn'],
  ['inventoryAdjustment', 'openingStock'],
] as const)('a rule for %s binds %s, and the other way round, unless that has its own', (one, other) => {
  for (const [ruled, bound] of [
    [one, other],
    [other, one],
  ] as const) {
    const rule = { kind: ruled, from: '1000' };
    expect(needsApproval(rulesOf([rule]), bound, 1000_00)).toBe(true);
    expect(needsApproval(rulesOf([rule]), bound, 999_99)).toBe(false);
    expect(needsApproval(rulesOf([rule, { kind: bound, from: '5000' }]), bound, 1000_00)).toBe(false);
  }
});

test('kinds that do the same can all need approval, and no group has one kind alone', () => {
  const grouped = kindNames.filter((name) => kindOf(name).life.approvedWith);
  expect(grouped.filter((name) => !mayNeedApproval(kindOf(name)))).toEqual([]);
  expect(grouped.filter((name) => boundWith(name).length === 0)).toEqual([]);
});

test('a discount, or what comes off after tax, makes no document smaller than it was before', () => {
  const whole = { lines: [], gross: paise(1000), discount: paise(0), total: paise(1180) };
  const weigh = (more: object) => weighed(kindOf('saleInvoice'), draft({}), { ...whole, ...more });
  expect(weigh({})).toBe(1180);
  expect(weigh({ discount: paise(1000), total: paise(0) })).toBe(1000);
  expect(weigh({ adjustments: [{ name: 'Less', amount: paise(-1100) }], total: paise(80) })).toBe(1180);
});

test('nothing needs approval unless somebody says so', () => {
  expect(kindNames.some((kind) => needsApproval([], kind, 1))).toBe(false);
});

test('what is rung up at a till, taken back whole or made by the product is no matter of approval', () => {
  const never = kindNames.filter((name) => !mayNeedApproval(kindOf(name)));
  expect(never).toContain('posSale');
  expect(
    never.every((name) => kindOf(name).life.system || kindOf(name).life.till || kindOf(name).source.reverses),
  ).toBe(true);
  expect(never).not.toContain('saleInvoice');
});

test('what a document comes to: its lines, its debits, its money or its duties', () => {
  const none = { total: paise(0) };
  expect(writtenTotal(kindOf('saleInvoice'), draft({}), { total: paise(7) })).toBe(7);
  const lines = [{ debit: paise(30) }, { debit: paise(12) }, { credit: paise(42) }];
  expect(writtenTotal(kindOf('manualJournal'), draft({ lines }), none)).toBe(42);
  // the books may begin with a credit alone
  expect(writtenTotal(kindOf('openingBalance'), draft({ lines: [{ credit: paise(9) }] }), none)).toBe(9);
  expect(writtenTotal(kindOf('payment'), draft({ amount: paise(90), tdsAmount: paise(10) }), none)).toBe(100);
  const customs = { assessable: paise(1000), basic: paise(100), surcharge: paise(10), igst: paise(198) };
  expect(writtenTotal(kindOf('billOfEntry'), draft({ customs }), none)).toBe(308);
});

test('goods put right are worth all that is added and all that is taken away; of other kinds the total counts', () => {
  const lines = [{ value: paise(-700) }, { value: paise(300) }] as unknown as Priced['lines'];
  const put = { total: paise(-400), lines };
  expect(weighed(kindOf('inventoryAdjustment'), draft({}), { ...put, atCost: 'cost' })).toBe(1000);
  expect(weighed(kindOf('saleInvoice'), draft({}), { ...put, total: paise(50) })).toBe(50);
});
