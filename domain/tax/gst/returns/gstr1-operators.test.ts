import { expect, test } from 'vitest';
import { money } from '../../../base/decimal.ts';
import { buyer, interLine, line, own } from '../../../testing/returns.ts';
import { gstr1 } from './gstr1.ts';
import type { ReturnDocument } from './return-document.ts';

const toBuyer = {
  party: { category: 'registered', name: 'Buyer', gstin: buyer },
  placeOfSupply: '29',
  supplyType: 'B2B',
  lines: [interLine()],
} as const;
let last = 0;
const document = (part: Partial<ReturnDocument> = {}): ReturnDocument => {
  last += 1;
  return {
    ...{ id: `id${last}`, number: `INV/26-27/${last}`, date: '2026-11-05', type: 'INV', series: 'S' },
    ...{ party: { category: 'unregistered', name: 'Someone' }, supplierState: '27', placeOfSupply: '27' },
    inter: part.placeOfSupply !== undefined && part.placeOfSupply !== '27',
    ...{ supplyType: 'B2CS', reverseCharge: false, total: money('118'), lines: [line()], cancelled: false },
    ...part,
  };
};
const run = (documents: readonly ReturnDocument[]) => {
  const { json, tables } = gstr1(own, '112026', documents);
  return { json, table: (name: string) => tables.find((t) => t.name === name) };
};

test('table 14 reports supplies through e-commerce operators: those we tax are in their own table too, those they pay in no other', () => {
  const [one, two] = ['27AAKCV7051L1C2', '29AAKCV7051L1CY'];
  const returned = {
    type: 'CRN',
    against: { number: 'INV/26-27/1', date: '2026-11-05', total: money('118') },
  } as const;
  const { json, table } = run([
    document({ ecommerceOperator: one }),
    document({ ecommerceOperator: one }),
    document({ ecommerceOperator: one, ...returned }),
    document({ ecommerceOperator: two, ...toBuyer }),
    document({ ecommerceOperator: two, reverseCharge: true }),
    document({ ecommerceOperator: two, cancelled: true }),
    document(),
  ]);
  const tax = { igst: 0, cgst: 9, sgst: 9, cess: 0, flag: 'N' };
  expect(json['supeco']).toEqual({
    clttx: [
      { etin: one, suppval: 100, ...tax },
      { etin: two, suppval: 100, ...tax, igst: 18, cgst: 0, sgst: 0 },
    ],
    paytx: [{ etin: two, suppval: 100, ...tax }],
  });
  expect([table('14A'), table('14B'), table('7')]).toMatchObject([
    { count: 4, taxable: 20_000 },
    { count: 1, taxable: 10_000 },
    { count: 4, taxable: 20_000 },
  ]);
  expect(run([document()]).json['supeco']).toBeUndefined();
});
