import { expect, test } from 'vitest';
import { consequencesOf } from './cancelling.ts';

const bare = { number: 'INV/7', date: '2026-06-05', entries: [], movements: [], links: [] };

test('cancelling: what happens is said of entries, goods, the return, and the number', () => {
  const { says, settled } = consequencesOf({ ...bare, entries: [1, 2, 3], movements: [1] }, true);
  expect(says).toEqual([
    'The number INV/7 stays used, and is shown as cancelled.',
    'Its 3 entries are reversed on 5 Jun 2026.',
    'Its stock movement is taken back on 5 Jun 2026.',
    'It is no longer in the GST return of Jun 2026, unless that is filed already.',
  ]);
  expect(settled).toEqual([]);
});

test('cancelling: settlements are named with their amounts, other links are not', () => {
  const links = [
    { role: 'allocation', number: 'RV/1', amount: '1000.00' },
    { role: 'source', number: 'SO/1', amount: null },
  ];
  expect(consequencesOf({ ...bare, links }, false)).toEqual({
    says: [
      'The number INV/7 stays used, and is shown as cancelled.',
      'It has moved neither money nor goods. What it held or waited for is free again.',
    ],
    settled: ['RV/1 (₹\u00a01,000.00)'],
  });
});
