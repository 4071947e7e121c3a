import { expect, it } from 'vitest';
import { kindNames, kindOf } from '../../../domain/kinds/index.ts';
import { oldestFirst, settles, takesTenders } from './settle.ts';

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
  expect(kindNames.filter((name) => takesTenders(kindOf(name)))).toEqual(['cashSale', 'posSale']);
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
