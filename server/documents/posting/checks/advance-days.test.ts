import { afterAll, beforeAll, expect, test } from 'vitest';
import { percentage } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, type TestBooks } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';

// Rates changed on 22 September 2025. An advance for its order is a payment of an invoice (section 14 of the CGST Act).
const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
let item: Id = '';
beforeAll(async () => {
  db = await all.open();
  b = await all.more({});
  item = b.items[0] ?? '';
  await db.owner.query(
    `update items set service = true, stocked = false, hsn = '998212' where organisation = $1 and id = $2`,
    [b.organisation, item],
  );
});
afterAll(() => all.close());

const line = { ...itemLine('', 1, 100), gstRate: percentage('12') };
const ordered = async () =>
  (await b.post(b.draft('saleOrder', { party: b.customer, date: '2025-09-01', lines: [{ ...line, item }] }))).id;
const advance = async (order: Id, date: string, amount: number) =>
  b.post(
    b.draft('advanceReceipt', {
      ...{ party: b.customer, order, date, amount: paise(amount), moneyLedger: await b.ledger('1121') },
    }),
  );
const invoiced = async (order: Id, more: Partial<Draft> = {}) => {
  const lines = [{ ...line, item, source: { document: order, line: 1 } }];
  const head = { party: b.customer, date: '2025-10-05', fields: { suppliedOn: '2025-09-10' }, lines };
  return b.post(b.draft('saleInvoice', { ...head, ...more })).then(
    () => [],
    (error) => (error.problems ?? [error]).map(({ field }: { field: string }) => field ?? error),
  );
};

test('supplied and paid in advance before the change: the old rate', async () => {
  const order = await ordered();
  expect(await invoiced(order)).toEqual(['lines.gstRate']);
  await advance(order, '2025-09-12', 11_200);
  expect(await invoiced(order)).toEqual([]);
});

test('an advance after the change, one that was cancelled, and one for another order count for nothing', async () => {
  const [order, other] = [await ordered(), await ordered()];
  await advance(order, '2025-09-30', 11_200);
  await advance(other, '2025-09-12', 11_200);
  const cancelled = await advance(order, '2025-09-12', 11_200);
  await b.cancel(cancelled.id);
  expect(await invoiced(order)).toEqual(['lines.gstRate']);
});

test('a part that was paid before leaves the choice, and a day that somebody types counts before it', async () => {
  const order = await ordered();
  await advance(order, '2025-09-12', 1000);
  const typed = { fields: { suppliedOn: '2025-09-10', paidOn: '2025-10-01' } };
  expect(await invoiced(order, typed)).toEqual(['lines.gstRate']);
  expect(await invoiced(order)).toEqual([]);
});
