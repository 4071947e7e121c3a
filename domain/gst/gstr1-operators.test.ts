import { expect, test } from 'vitest';
import { money, percentage, quantity } from '../decimal.ts';
import { zero } from '../money.ts';
import { gstr1 } from './gstr1.ts';
import type { ReturnDocument, ReturnLine } from './return-document.ts';

const line: ReturnLine = {
  ...{ hsn: '8471', description: 'Keyboard', unit: 'Nos', uqc: 'NOS', quantity: quantity('1'), treatment: 'taxable' },
  ...{ rate: percentage('18'), taxable: money('100'), igst: zero, cgst: money('9'), sgst: money('9'), cess: zero },
};
const toBuyer = {
  party: { category: 'registered', name: 'Buyer', gstin: '29AAPFU0939F1ZR' },
  ...{ placeOfSupply: '29', supplyType: 'B2B' },
  lines: [{ ...line, igst: money('18'), cgst: zero, sgst: zero }],
} as const;
let last = 0;
const document = (part: Partial<ReturnDocument> = {}): ReturnDocument => {
  last += 1;
  return {
    ...{ id: `id${last}`, number: `INV/26-27/${last}`, date: '2026-11-05', type: 'INV', series: 'S' },
    ...{ party: { category: 'unregistered', name: 'Someone' }, supplierState: '27', placeOfSupply: '27' },
    ...{ supplyType: 'B2CS', reverseCharge: false, total: money('118'), lines: [line], cancelled: false },
    ...part,
  };
};
const run = (documents: readonly ReturnDocument[]) => {
  const { json, tables } = gstr1('27AAPFU0939F1ZV', '112026', documents);
  return { json, table: (name: string) => tables.find((t) => t.name === name) };
};

test('table 14 tells what went through e-commerce operators: taxed by us in its own table too, paid by them nowhere else', () => {
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
