import { expect, it } from 'vitest';
import { settles, takesTenders } from '../../../../domain/books/legs.ts';
import { kindNames, kindOf } from '../../../../domain/document/kinds/index.ts';
import { exchangeOf, oldestFirst, withinAmount } from './settle.ts';

it('finds what a money document settles in its posting rule', () => {
  const found = Object.fromEntries(
    kindNames.flatMap((name) => {
      const side = settles(kindOf(name));
      return side ? [[name, side]] : [];
    }),
  );
  expect(found).toMatchObject({
    saleReceipt: 'receivable',
    refund: 'customerCredit',
    payment: 'payable',
    allocationVoucher: 'receivable',
    supplierAllocation: 'payable',
  });
  expect(found).not.toHaveProperty('saleInvoice');
  expect(found).not.toHaveProperty('advanceReceipt');
});

it('finds the kinds that are paid on the spot', () => {
  expect(kindNames.filter((name) => takesTenders(kindOf(name)))).toEqual(['cashSale', 'posSale', 'posReturn']);
});

it('shares money over open items, oldest first, to the paisa', () => {
  const items = [
    { document: 'a', open: '100.00' },
    { document: 'b', open: '50.50' },
    { document: 'c', open: '10.00' },
  ];
  expect(oldestFirst(items, 12_575)).toEqual({ a: '100.00', b: '25.75', c: '' });
  expect(oldestFirst(items, 99_999)).toEqual({ a: '100.00', b: '50.50', c: '10.00' });
  expect(oldestFirst(items, 0)).toEqual({ a: '', b: '', c: '' });
});

it('gives the gain or loss of settling at another rate, by document', () => {
  const items = [
    { document: 'a', open: '100.00', worth: '8000.00' },
    { document: 'b', open: '50.00', worth: '4100.00' },
  ];
  expect(exchangeOf(items, { a: '100.00', b: '25.00' }, '83')).toBe(37_500 - 7_500 + 2_500);
  expect(exchangeOf(items, { a: '10.00' }, '79.5')).toBe(-500);
  expect(exchangeOf(items, {}, '83')).toBe(0);
});

it('a settlement that nobody typed follows the amount, and comes back with it', () => {
  const given = [
    { item: 'a', amount: '100.00' },
    { item: 'b', amount: '50.00' },
  ];
  expect(withinAmount(given, given, 15_000)).toBeUndefined();
  expect(withinAmount(given, given, 20_000)).toBeUndefined();
  const part = withinAmount(given, given, 12_000) ?? [];
  expect(part.map((row) => row['amount'])).toEqual(['100.00', '20.00']);
  expect(withinAmount(given, given, 4000)?.map((row) => row['amount'])).toEqual(['40.00', '']);
  expect(withinAmount(given, part, 15_000)?.map((row) => row['amount'])).toEqual(['100.00', '50.00']);
});
