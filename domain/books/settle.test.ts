import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../base/dates.ts';
import { money } from '../base/decimal.ts';
import { paise, zero } from '../base/money.ts';
import { ageBucketOf, ageing, type OpenItem, oldestFirst } from './settle.ts';

const item = (document: string, date: string, open: string, due?: string): OpenItem => ({
  document,
  date,
  open: money(open),
  ...(due && { due }),
});
const items = [
  item('c', '2026-10-01', '30', '2026-12-01'),
  item('a', '2026-10-20', '50', '2026-11-01'),
  item('credit', '2026-01-01', '-10'),
  item('b', '2026-11-10', '20'),
];

test('what is due first is settled first, the last one in part', () => {
  expect(oldestFirst(money('75'), items)).toEqual({
    allocations: [
      { document: 'a', amount: money('50') },
      { document: 'b', amount: money('20') },
      { document: 'c', amount: money('5') },
    ],
    left: zero,
  });
});
test('of items that are due on one day the older one, then the one listed first, is settled first', () => {
  const due = (document: string, date: string) => item(document, date, '10', '2026-12-01');
  const order = (all: readonly OpenItem[]) =>
    oldestFirst(money('1000'), all).allocations.map(({ document }) => document);
  expect(order([due('d', '2026-10-02'), due('e', '2026-10-01'), due('f', '2026-10-03')])).toEqual(['e', 'd', 'f']);
  expect(order([due('g', '2026-10-01'), due('h', '2026-10-01'), due('i', '2026-10-01')])).toEqual(['g', 'h', 'i']);
});
test('an item of a single paisa is settled, one of nothing is passed over', () => {
  expect(oldestFirst(paise(5), [item('n', '2026-10-01', '0'), item('o', '2026-10-02', '0.01')])).toEqual({
    allocations: [{ document: 'o', amount: 1 }],
    left: 4,
  });
  expect(oldestFirst(paise(1), [item('p', '2026-10-01', '1'), item('q', '2026-10-02', '1')]).allocations).toHaveLength(
    1,
  );
});
test('what is open to a paisa is aged, and an unused credit of a paisa is not', () => {
  const of = (open: string) => ageing([item('r', '2026-11-21', open)], '2026-11-21');
  expect([of('0.01').notDue, of('-0.01').onAccount, of('-0.01').notDue]).toEqual([1, -1, 0]);
});
test('what is too much stays on account', () => expect(oldestFirst(money('101'), items).left).toBe(money('1')));
test('nothing goes nowhere', () => expect(oldestFirst(zero, items)).toEqual({ allocations: [], left: zero }));

test.each([
  [-5, 'notDue'],
  [0, 'notDue'],
  [1, 'to30'],
  [30, 'to30'],
  [31, 'to60'],
  [60, 'to60'],
  [61, 'to90'],
  [91, 'to180'],
  [180, 'to180'],
  [181, 'over180'],
] as const)('%i days overdue: %s', (days, bucket) => expect(ageBucketOf(days)).toBe(bucket));

test('ageing from the due date and from the date of the bill', () => {
  expect(ageing(items, '2026-11-21')).toMatchObject({
    notDue: money('30'),
    to30: money('70'),
    onAccount: money('-10'),
  });
  expect(ageing(items, '2026-11-21', 'date')).toMatchObject({ notDue: zero, to30: money('20'), to60: money('80') });
});

const someItems = fc.array(
  fc.record({
    document: fc.uuid(),
    date: fc.nat(900).map((n) => addDays('2024-04-01', n)),
    open: fc.integer({ min: -9999, max: 99_999 }).map(paise),
  }),
);
test('no item gets more than is open, nothing is lost, and only the last is settled in part', () => {
  fc.assert(
    fc.property(fc.nat(500_000).map(paise), someItems, (amount, open) => {
      const { allocations, left } = oldestFirst(amount, open);
      expect(allocations.reduce((t, a) => t + a.amount, 0) + left).toBe(amount);
      const openOf = (id: string) => open.find((i) => i.document === id)?.open ?? 0;
      allocations.forEach((a, i) => {
        expect(a.amount).toBeGreaterThan(0);
        expect(a.amount).toBeLessThanOrEqual(openOf(a.document));
        if (i < allocations.length - 1) expect(a.amount).toBe(openOf(a.document));
      });
      if (left > 0) expect(allocations).toHaveLength(open.filter((i) => i.open > 0).length);
    }),
  );
});
test('the buckets hold every paisa once', () => {
  fc.assert(
    fc.property(someItems, (open) => {
      const sums = ageing(open, '2026-11-21');
      expect(Object.values(sums).reduce((t, n) => t + n, 0)).toBe(open.reduce((t, i) => t + i.open, 0));
    }),
  );
});
