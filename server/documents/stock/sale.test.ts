import { afterAll, beforeAll, expect, test } from 'vitest';
import { receive, sell, stockBalance, type TestBooks, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

test('a sale takes goods from stock', async () => {
  const [item] = books.items;
  await receive(books, item, 10, 60, '2026-04-01');
  await sell(books, item, 4);
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 360_00 });
});
