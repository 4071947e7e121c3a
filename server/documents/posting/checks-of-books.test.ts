import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../domain/base/money.ts';
import type { Draft } from '../../../domain/document/document.ts';
import { itemLine, type TestBooks, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { Problems } from '../../kit/problems.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db, { isAllowNegative: true });
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

const told = (kind: string, more: Partial<Draft>, where = books): Promise<unknown> =>
  where.post(where.draft(kind, more)).then(
    () => 'posted',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, row, message }) => [field, row, message]);
    },
  );
const line = async (code: string, debit: number, credit = 0, where = books) => ({
  ledger: await where.ledger(code),
  ...(debit > 0 ? { debit: paise(debit) } : { credit: paise(credit) }),
});
const adjust = async (...all: readonly (readonly [string, number, number?])[]) =>
  told('gstAdjustment', { lines: await Promise.all(all.map(([code, debit, credit]) => line(code, debit, credit))) });

test.each([
  ['2212', '1411', /^₹5\.00 of SGST\/UTGST is not paid .*section 49\(5\)\(e\)/],
  ['2211', '1412', /^₹5\.00 of CGST is not paid .*section 49\(5\)\(f\)/],
  ['2214', '1413', /^₹5\.00 of cess is not paid .*section 11\(2\)/],
  ['2213', '1414', /^₹5\.00 of IGST is not paid .*section 11\(2\)/],
  ['2221', '1411', /^₹5\.00 of reverse charge CGST is not paid .*section.* 49\(4\)/],
] as const)('%s is not set off by %s', async (due, credit, message) => {
  expect(await adjust([credit, 0, 500], [due, 500])).toEqual([['lines.ledger', 1, expect.stringMatching(message)]]);
  // cash pays every head, and credit may be reversed to an expense
  expect(await adjust([due, 500], ['1421', 0, 500])).toBe('posted');
  expect(await adjust(['6520', 500], [credit, 0, 500])).toBe('posted');
});

test.each([
  ['2211', '1411'],
  ['2211', '1413'],
  ['2212', '1412'],
  ['2212', '1413'],
  ['2213', '1411'],
  ['2213', '1412'],
  ['2213', '1413'],
  ['2214', '1414'],
] as const)('%s is set off by %s', async (due, credit) => {
  expect(await adjust([due, 500], [credit, 0, 500])).toBe('posted');
});

test('several heads are looked at together: credit is used once', async () => {
  expect(await adjust(['2211', 300], ['2212', 300], ['1413', 0, 500], ['1411', 0, 100])).toBe('posted');
  expect(await adjust(['2211', 100], ['2212', 500], ['1413', 0, 300], ['1411', 0, 300])).toEqual([
    ['lines.ledger', 1, expect.stringMatching(/^₹2\.00 of SGST\/UTGST is not paid/)],
  ]);
  // a journal voucher may be anything
  expect(await told('journalVoucher', { lines: [await line('2212', 500), await line('1411', 0, 500)] })).toBe('posted');
});

test('a place of supply is a state or territory; another country is for parties abroad', async () => {
  const sale = { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] };
  const other = 'Only a supply to or from a party abroad is in another country: choose a state';
  const none = 'This is no place of supply: choose a state, or 97 for other territory';
  for (const kind of ['saleInvoice', 'saleOrder', 'quotation'])
    for (const [code, message] of [
      ['96', other],
      ['99', none],
      ['00', 'Choose a state'],
    ] as const)
      expect([kind, code, await told(kind, { ...sale, placeOfSupply: code })]).toEqual([
        ...[kind, code],
        [['placeOfSupply', undefined, message]],
      ]);
  expect(await told('saleInvoice', { ...sale, placeOfSupply: '25' })).toEqual([
    ['placeOfSupply', undefined, expect.stringContaining('is no place of supply on this day')],
  ]);
  const bill = { party: books.supplier, reference: 'P', lines: [itemLine(books.items[0], 1, 100)] };
  expect(await told('purchaseBill', { ...bill, placeOfSupply: '96' })).toEqual([['placeOfSupply', undefined, other]]);
  expect(await told('saleInvoice', { ...sale, placeOfSupply: '97' })).toBe('posted');
});

test('nothing moves from a ledger to itself, and a bank keeps no more than it received', async () => {
  const same = [await line('1121', 100), await line('1121', 0, 100)];
  const message = 'Every line is on the same ledger, so nothing moves: choose another ledger on one side';
  for (const kind of ['contra', 'manualJournal', 'journalVoucher', 'gstAdjustment', 'openingBalance'])
    expect([kind, await told(kind, { lines: same })]).toEqual([kind, [['lines', undefined, message]]]);
  const receipt = { party: books.customer, moneyLedger: await books.ledger('1121'), amount: paise(10_000) };
  expect(await told('saleReceipt', { ...receipt, bankCharges: paise(10_001) })).toEqual([
    [
      ...['bankCharges', undefined],
      'The bank keeps more than it received: correct the charges, or book them as an expense',
    ],
  ]);
  expect(await told('saleReceipt', { ...receipt, bankCharges: paise(10_000) })).toBe('posted');
});
