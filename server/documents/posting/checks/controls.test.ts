import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, DraftLine } from '../../../../domain/document/document.ts';
import { sealAll, type TestBooks, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { brokenInvariants } from '../../../kit/database/invariants.ts';
import { Problems } from '../../../kit/problems.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

const problemsOf = async (draft: Draft, where = books): Promise<unknown> =>
  where.post(draft).then(
    () => 'posted',
    (error) => (error instanceof Problems ? error.problems.map(({ field, row }) => [field, row]) : error),
  );
const written = async (
  code: string,
  more: Partial<DraftLine> = {},
  where = books,
  other = '6230',
): Promise<DraftLine[]> => [
  { ledger: await where.ledger(code), debit: paise(10000), ...more },
  { ledger: await where.ledger(other), credit: paise(10000) },
];

test.each([
  ...['manualJournal', 'journalVoucher', 'openingBalance'].map((kind) => [kind, '6230'] as const),
  // between ledgers of GST
  ['gstAdjustment', '6530'],
  // money moves to and from money
  ['contra', '1121'],
] as const)(
  'a line of a %s on the stock ledger is one problem at its field where the books are perpetual',
  async (kind, other) => {
    const draft = books.draft(kind, { lines: await written('1310', {}, books, other) });
    expect(await problemsOf(draft)).toEqual([['lines.ledger', 0]]);
  },
);

test('periodic books take entries on the stock ledger', async () => {
  const periodic = await testBooks(db, { stockAccounting: 'periodic' });
  const draft = periodic.draft('manualJournal', { lines: await written('1310', {}, periodic) });
  expect(await problemsOf(draft, periodic)).toBe('posted');
  await periodic.end();
});

test('an account of customers or suppliers is not moved without saying whose', async () => {
  for (const code of ['1210', '1211', '1212', '2110', '2120', '2130', '2150', '1510']) {
    const draft = books.draft('manualJournal', { lines: await written(code) });
    expect([code, await problemsOf(draft)]).toEqual([code, [['lines.party', 0]]]);
  }
  const named = books.draft('manualJournal', { lines: await written('1210', { party: books.customer }) });
  expect(await problemsOf(named)).toBe('posted');
});

test('nor by the ledger of an expense, of the money, of a charge or of an item', async () => {
  const [stock, bank, other] = await Promise.all(['1310', '1121', '6230'].map((code) => books.ledger(code)));
  const line = { rate: 1_000_000 as DraftLine['rate'] & number };
  const expense = (ledger: string | undefined, moneyLedger: string | undefined) =>
    books.draft('expense', {
      reference: 'E',
      lines: [{ ...line, ledger: ledger ?? '' }],
      moneyLedger: moneyLedger ?? '',
    });
  expect(await problemsOf(expense(stock, bank))).toEqual([['lines.ledger', 0]]);
  expect(await problemsOf(expense(other, stock))).toEqual([['moneyLedger', undefined]]);
  const item = books.items[0] ?? '';
  const sale = (more: Partial<Draft>) =>
    books.draft('saleInvoice', {
      party: books.customer,
      lines: [{ item, quantity: line.rate, rate: line.rate }],
      ...more,
    });
  const charged = sale({ charges: [{ name: 'Freight', ledger: stock ?? '', amount: paise(100), apportion: 'value' }] });
  expect(await problemsOf(charged)).toEqual([['charges.ledger', 0]]);
  await db.owner.query('update items set income_ledger = $1 where id = $2', [stock, item]);
  expect(await problemsOf(sale({}))).toEqual([['lines.item', 0]]);
});

test('after all of it the books hold', async () => {
  await sealAll(db);
  expect(await brokenInvariants(db.owner)).toEqual([]);
});
