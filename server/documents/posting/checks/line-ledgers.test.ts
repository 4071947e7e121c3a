import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, DraftLine } from '../../../../domain/document/document.ts';
import { itemLine, receive, type TestBooks, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { Problems } from '../../../kit/problems.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db, { otherAdjustments: true });
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

const outcome = (kind: string, more: Partial<Draft>): Promise<unknown> =>
  books.post(books.draft(kind, more)).then(
    () => 'posted',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, row, message }) => [field, row, message]);
    },
  );
const kept = (name: string) => `This ledger is kept for “${name}”: choose another`;
const money = 'This is a bank or cash ledger: choose another';
const one = (rate: number): Pick<DraftLine, 'rate' | 'treatment'> => ({
  ...{ rate: (rate * 1_000_000) as DraftLine['rate'] & number, treatment: 'nonGst' },
});

test.each([
  ['2211', kept('Output CGST')],
  ['1411', kept('Input CGST')],
  ['2221', kept('Reverse charge CGST payable')],
  ['2231', kept('TDS payable, contractors')],
  ['2250', kept('Customs duty payable')],
  ['1431', kept('TDS receivable')],
  ['1121', money],
  ['1110', money],
] as const)('no line, charge or adjustment goes to %s; a journal does', async (code, message) => {
  const [ledger, bank, rent] = [await books.ledger(code), await books.ledger('1121'), await books.ledger('6410')];
  const sale = { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] };
  for (const sign of ['add', 'less'] as const) {
    const adjustments = [{ name: 'Deposit', sign, amount: paise(1800), ledger }];
    expect(await outcome('saleInvoice', { ...sale, adjustments })).toEqual([['adjustments.ledger', 0, message]]);
  }
  const charges = [{ name: 'Freight', amount: paise(100), apportion: 'value' as const, ledger }];
  expect(await outcome('saleInvoice', { ...sale, charges })).toEqual([['charges.ledger', 0, message]]);
  expect(
    await outcome('expense', {
      reference: 'E',
      moneyLedger: bank,
      lines: [
        { ...one(10), ledger: rent },
        { ...one(5), ledger },
      ],
    }),
  ).toEqual([['lines.ledger', 1, message]]);
  const lines = [
    { ledger, debit: paise(100) },
    { ledger: rent, credit: paise(100) },
  ];
  const accepted = [{ warning: 'taxByHand', reason: 'A test' }];
  expect(await outcome('manualJournal', { lines, accepted })).toBe('posted');
});

test('an item whose own ledger is not taken says so at its line', async () => {
  const [item] = books.items;
  const set = (ledger: string | null) =>
    db.owner.query('update items set income_ledger = $2 where id = $1', [item, ledger]);
  await set(await books.ledger('2211'));
  expect(await outcome('saleInvoice', { party: books.customer, lines: [itemLine(item, 1, 100)] })).toEqual([
    ['lines.item', 0, 'Item 1 is posted to a ledger that is kept for “Output CGST”: give it another one'],
  ]);
  await set(await books.ledger('1121'));
  expect(await outcome('saleInvoice', { party: books.customer, lines: [itemLine(item, 1, 100)] })).toEqual([
    ['lines.item', 0, 'Item 1 is posted to a bank or cash ledger: give it another one'],
  ]);
  await receive(books, item, 5, 60, '2026-11-01');
  await set(await books.ledger('4120'));
  expect(await outcome('saleInvoice', { party: books.customer, lines: [itemLine(item, 1, 100)] })).toBe('posted');
  await set(null);
});

test('an expense goes to assets, liabilities and equity that are kept for nothing', async () => {
  const bank = await books.ledger('1121');
  for (const code of ['1770', '1530', '2340', '3120', '6420', '2310'])
    expect([
      code,
      await outcome('expense', {
        ...{ reference: `E${code}`, moneyLedger: bank },
        accepted: [{ warning: 'spentElsewhere', reason: 'Drawn by a partner' }],
        lines: [{ ...one(10), ledger: await books.ledger(code) }],
      }),
    ]).toEqual([code, 'posted']);
});
