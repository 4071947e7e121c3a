import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../../domain/base/money.ts';
import type { Allocation, Draft, Id } from '../../../../domain/document/document.ts';
import { receive, sealAll, sell, type TestBooks, TODAY, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { brokenInvariants } from '../../../kit/database/invariants.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
});
afterAll(async () => {
  await sealAll(db);
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const openOf = async (document: Id): Promise<number | undefined> =>
  (
    await db.owner.query<{ open: number }>('select open::int from open_items where document = $1 and line = 0', [
      document,
    ])
  ).rows[0]?.open;
const money = async (kind: string, amount: number, more: Partial<Draft> = {}) =>
  books.post(
    books.draft(kind, {
      party: books.customer,
      amount: paise(amount),
      moneyLedger: await books.ledger('1121'),
      ...more,
    }),
  );
const accepted = [{ warning: 'refundWithoutCredit', reason: 'The rest is named later' }];
const refund = (amount: number, allocations: readonly Allocation[]) =>
  money('refund', amount, { allocations, accepted });

test('a refund uses up the credits that its panel names, and gives them back when it is cancelled', async () => {
  const first = await money('saleReceipt', 50000);
  const second = await money('saleReceipt', 30000);
  const made = await refund(60000, [
    { document: first.id, amount: paise(50000) },
    { document: second.id, amount: paise(4000) },
  ]);
  // a refund without a named credit is due from the customer until one is named
  expect(await Promise.all([first.id, second.id, made.id].map(openOf))).toEqual([0, 26000, 6000]);
  await books.cancel(made.id);
  expect(await Promise.all([first.id, second.id].map(openOf))).toEqual([50000, 30000]);
});

test('a credit is given back once, and only to whom it belongs', async () => {
  const credit = await money('saleReceipt', 1000);
  const part = (amount: number) => ({ document: credit.id, amount: paise(amount) });
  await expect(refund(2000, [part(1001)])).rejects.toMatchObject({ code: 'overAllocated' });
  await expect(refund(2000, [part(600), part(600)])).rejects.toMatchObject({ code: 'overAllocated' });
  await receive(books, books.items[0], 5, 60, TODAY);
  const invoice = await sell(books, books.items[0], 1);
  await expect(refund(100, [{ document: invoice.id, amount: paise(100) }])).rejects.toMatchObject({ code: 'notFound' });
  const paid = await books.post(
    books.draft('payment', {
      party: books.supplier,
      amount: paise(700),
      moneyLedger: await books.ledger('1121'),
    }),
  );
  await expect(refund(100, [{ document: paid.id, amount: paise(100) }])).rejects.toMatchObject({ code: 'notFound' });
  expect(await openOf(credit.id)).toBe(1000);
  const tries = [700, 700, 700].map((amount) => refund(amount, [part(amount)]));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await openOf(credit.id)).toBe(300);
});

test('an advance is given back by a document of its own: it is on another ledger, with tax', async () => {
  const advance = await money('advanceReceipt', 5000);
  const allocations = [{ document: advance.id, amount: paise(5000) }];
  await expect(money('refund', 5000, { allocations })).rejects.toMatchObject({ code: 'allocationPosts' });
  await expect(money('refund', 5000, { against: advance.id, accepted })).rejects.toMatchObject({
    problems: [{ field: 'against' }],
  });
  expect(await openOf(advance.id)).toBe(5000);
});
