import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { costsOf, itemLine, manyBooks, openOf, receive, sell, stockBalance } from '../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../tools/testing/database.ts';

let db: TestDatabase;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
});
afterAll(close);

describe('stock in date order', () => {
  test('average: a back-dated receipt values later issues again', async () => {
    const books = await more({ valuation: 'average' });
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    const issue = await sell(books, item, 4, '2026-05-10');
    expect(await costsOf(db, books, issue.id)).toEqual([-40000]);
    await receive(books, item, 10, 200, '2026-05-05');
    expect(await costsOf(db, books, issue.id)).toEqual([-60000]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 16, value: 240000 });
  });
  test('first in, first out: a back-dated receipt goes before', async () => {
    const books = await more({ valuation: 'fifo' });
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-03');
    const issue = await sell(books, item, 12, '2026-05-10').catch((e) => e.code);
    expect(issue).toBe('stockShort');
    const four = await sell(books, item, 4, '2026-05-10');
    await receive(books, item, 3, 50, '2026-05-02');
    expect(await costsOf(db, books, four.id)).toEqual([-(3 * 5000 + 1 * 10000)]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 9, value: 90000 });
  });
  test('an issue that leaves too little for a later day is refused', async () => {
    const books = await more({});
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    await sell(books, item, 8, '2026-05-10');
    await receive(books, item, 10, 100, '2026-05-20');
    await expect(sell(books, item, 3, '2026-05-05')).rejects.toMatchObject({ code: 'stockShort' });
    await sell(books, item, 2, '2026-05-05');
  });
  test('posts of several days at the same moment are valued in order of their days', async () => {
    const books = await more({});
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    await receive(books, item, 10, 300, '2026-05-15');
    const [late, early] = await Promise.all([sell(books, item, 5, '2026-05-20'), sell(books, item, 5, '2026-05-10')]);
    expect(await costsOf(db, books, early.id)).toEqual([-50000]);
    expect(await costsOf(db, books, late.id)).toEqual([-Math.round((350000 * 5) / 15)]);
  });
  test('two lines of one item, back-dated, are two movements', async () => {
    const books = await more({});
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    await sell(books, item, 1, '2026-05-20');
    const posted = await books.post(
      books.draft('saleInvoice', {
        party: books.customer,
        date: '2026-05-10',
        lines: [itemLine(item, 2, 100), itemLine(item, 3, 100)],
      }),
    );
    expect(await costsOf(db, books, posted.id)).toEqual([-20000, -30000]);
  });
  test('negative stock, where allowed, is covered by the next receipt, and the stock ledger follows', async () => {
    const books = await more({ isAllowNegative: true });
    const [item] = books.items;
    await receive(books, item, 1, 100, '2026-05-01');
    await sell(books, item, 3, '2026-05-10');
    await receive(books, item, 2, 130, '2026-05-11');
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 0, value: 0 });
  });
  test('a transfer moves at cost, by way of goods in transit', async () => {
    const books = await more({});
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    await books.post(
      books.draft('branchTransfer', {
        date: '2026-05-02',
        toLocation: books.other,
        toRegistration: books.registration,
        lines: [itemLine(item, 4, 0)],
      }),
    );
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 60000 });
  });
});

describe('cancelling', () => {
  test('mirrors entries and movements, once', async () => {
    const books = await more({});
    await receive(books, books.items[0], 10, 60, '2026-04-01');
    const sale = await sell(books, books.items[0], 5);
    const results = await Promise.allSettled([books.cancel(sale.id), books.cancel(sale.id)]);
    expect(results.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await stockBalance(db, books, books.items[0])).toEqual({ quantity: 10, value: 60000 });
    expect(await openOf(db, sale.id)).toBe(0);
    await expect(books.cancel(sale.id)).rejects.toMatchObject({ code: 'alreadyCancelled' });
  });
  test('a receipt of money opens what it had settled', async () => {
    const books = await more({});
    await receive(books, books.items[0], 10, 60, '2026-04-01');
    const sale = await sell(books, books.items[0], 5);
    const amount = 59000 as never;
    const receipt = await books.post(
      books.draft('saleReceipt', {
        party: books.customer,
        amount,
        moneyLedger: await books.ledger('1121'),
        allocations: [{ document: sale.id, amount }],
      }),
    );
    expect([await openOf(db, sale.id), await openOf(db, receipt.id)]).toEqual([0, 0]);
    await books.cancel(receipt.id);
    expect([await openOf(db, sale.id), await openOf(db, receipt.id)]).toEqual([59000, 0]);
    await expect(
      books.post(
        books.draft('saleReceipt', {
          party: books.customer,
          amount: 60000 as never,
          moneyLedger: await books.ledger('1121'),
          allocations: [{ document: sale.id, amount: 60000 as never }],
        }),
      ),
    ).rejects.toMatchObject({ code: 'overAllocated' });
  });
  test('a back-dated receipt gives later issues their former cost again, and the stock ledger follows', async () => {
    const books = await more({});
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    const issue = await sell(books, item, 4, '2026-05-10');
    const dear = await receive(books, item, 10, 200, '2026-05-05');
    expect(await costsOf(db, books, issue.id)).toEqual([-60000]);
    await books.cancel(dear.id);
    expect(await costsOf(db, books, issue.id)).toEqual([-40000]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 60000 });
  });
  test('a sale whose cost was revised comes back at its cost of now', async () => {
    const books = await more({});
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    const issue = await sell(books, item, 4, '2026-05-10');
    await receive(books, item, 10, 200, '2026-05-05');
    await books.cancel(issue.id);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 20, value: 300000 });
  });
  test('goods sold since cannot be taken back', async () => {
    const books = await more({});
    const bill = await receive(books, books.items[0], 10, 60, '2026-04-01');
    await sell(books, books.items[0], 5);
    await expect(books.cancel(bill.id)).rejects.toMatchObject({ code: 'stockShort' });
  });
});

test('money given back uses up the credit it is for, once', async () => {
  const books = await more({});
  const moneyLedger = await books.ledger('1121');
  const amount = 50000 as never;
  const advance = await books.post(books.draft('advanceReceipt', { party: books.customer, amount, moneyLedger }));
  const back = (paid: number) =>
    books.post(
      books.draft('advanceRefund', { party: books.customer, against: advance.id, amount: paid as never, moneyLedger }),
    );
  const refund = await back(20000);
  expect([await openOf(db, advance.id), await openOf(db, refund.id)]).toEqual([30000, 0]);
  await expect(back(30001)).rejects.toMatchObject({ code: 'overAllocated' });
  await books.cancel(refund.id);
  expect(await openOf(db, advance.id)).toBe(50000);
});

test('a receipt settles invoices, not another credit, and never one document twice over', async () => {
  const books = await more({});
  await receive(books, books.items[0], 10, 60, '2026-04-01');
  const sale = await sell(books, books.items[0], 5);
  const moneyLedger = await books.ledger('1121');
  const receipt = (documents: readonly string[], each: number) =>
    books.post(
      books.draft('saleReceipt', {
        party: books.customer,
        amount: 80000 as never,
        moneyLedger,
        allocations: documents.map((document) => ({ document, amount: each as never })),
      }),
    );
  await expect(receipt([sale.id, sale.id], 30000)).rejects.toMatchObject({ code: 'overAllocated' });
  const first = await receipt([sale.id], 30000);
  await expect(receipt([first.id], 1000)).rejects.toMatchObject({ code: 'notFound' });
  expect([await openOf(db, sale.id), await openOf(db, first.id)]).toEqual([29000, 50000]);
});
