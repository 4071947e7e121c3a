import { afterAll, beforeAll, expect, test } from 'vitest';
import { money } from '../../domain/base/decimal.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { itemLine, receive, type TestBooks, testBooks } from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { settle, settleOldestFirst } from './allocate.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  await receive(books, books.items[0], 100, 60, '2026-04-01');
  await db.owner.query(`update items set service = true, stocked = false, hsn = '998314' where id = $1`, [
    books.items[1],
  ]);
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const sold = async (item: Id | undefined, date: string): Promise<Id> =>
  (await books.post(books.draft('saleInvoice', { party: books.customer, date, lines: [itemLine(item, 1, 1000)] }))).id;
const receipt = async (date: string, more: Partial<Draft> = {}) =>
  books.draft('saleReceipt', {
    ...{ party: books.customer, date, amount: money('1180'), moneyLedger: await books.ledger('1121') },
    ...more,
  });
const asked = (posting: Promise<unknown>): Promise<unknown> =>
  posting.then(
    () => [],
    (error: { code?: string; problems?: { code?: string; field: string }[] }) =>
      error.problems?.map(({ code, field }) => [code, field]) ?? error.code ?? String(error),
  );

test('money that came in an earlier return than an invoice of services settles none: it was an advance (section 13(2))', async () => {
  const [goods, service] = [await sold(books.items[0], '2026-11-20'), await sold(books.items[1], '2026-11-20')];
  const settling = async (document: Id, date: string) =>
    asked(books.post(await receipt(date, { allocations: [{ document, amount: money('118') }] })));
  expect(await settling(service, '2026-10-20')).toEqual([[undefined, 'allocations']]);
  expect(await settling(goods, '2026-10-20')).toEqual([]);
  expect(await settling(service, '2026-11-02')).toEqual([]);
  const { id: credit } = await books.post(await receipt('2026-10-20'));
  const context = books.context();
  const allocate = (invoice: Id) => {
    const pair = { credit, creditLine: 0, invoice, invoiceLine: 0, amount: 100_00 };
    return asked(context.inTransaction((trx) => settle(trx, context, books.customer, [pair])));
  };
  expect(await allocate(service)).toEqual('servicesPaidBefore');
  expect(await allocate(goods)).toEqual([]);
  // what settles the oldest first leaves it out
  await context.inTransaction((trx) => settleOldestFirst(trx, context, credit, 0));
  const { rows } = await db.owner.query(
    'select coalesce(sum(amount), 0)::int as settled from allocations where credit_document = $1 and invoice_document = $2',
    [credit, service],
  );
  expect(rows).toEqual([{ settled: 0 }]);
});
