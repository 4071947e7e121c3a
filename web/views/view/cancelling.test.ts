import { expect, test } from 'vitest';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { consequencesOf, consequencesOfBill, consequencesOfMany } from './cancelling.ts';

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
      'It has posted neither money nor goods. Its reservations are released.',
    ],
    settled: ['RV/1 (₹\u00a01,000.00)'],
    blocked: [],
  });
});

test('cancelling: a discount that would be on nothing says what to do first', () => {
  const links = [{ role: 'allocation', number: 'RV/1', amount: '11210.00', allowance: '1000.00' }];
  expect(consequencesOf({ ...bare, links }, false).blocked).toEqual([
    '₹\u00a01,000.00 of RV/1 is a discount or write-off on it, and no money: cancel RV/1 first, and enter it again.',
  ]);
});

test('cancelling several: what happens to entries, goods, returns and numbers, on each one’s own day', () => {
  expect(consequencesOfMany(kindOf('saleInvoice'), ['2026-06-05', '2026-06-05'], true)).toEqual([
    'The numbers stay used, and are shown as cancelled.',
    'Each entry is reversed on 5 Jun 2026.',
    'Each stock movement is taken back on 5 Jun 2026.',
    'They are no longer in the GST return of Jun 2026, unless that is filed already.',
  ]);
  expect(consequencesOfMany(kindOf('saleReceipt'), ['2026-06-05', '2026-07-01'], false)).toEqual([
    'The numbers stay used, and are shown as cancelled.',
    'Each entry is reversed on the day of its document.',
  ]);
  expect(consequencesOfMany(kindOf('saleOrder'), ['2026-06-05', '2026-07-01'], false)).toEqual([
    'The numbers stay used, and are shown as cancelled.',
    'They have posted neither money nor goods. Their reservations are released.',
  ]);
});

test('cancelling a bill of a till: the same, and the money comes out of that till', () => {
  expect(consequencesOfBill('T1/7', '2026-06-05', kindOf('posSale'), true)).toEqual([
    'The number T1/7 stays used, and is shown as cancelled.',
    'Its entries are reversed on 5 Jun 2026. The money is paid out of this till.',
    'Its goods are in stock again from 5 Jun 2026 on.',
    'It is no longer in the GST return of Jun 2026, unless that is filed already.',
  ]);
});
