import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
import {
  costsOf,
  itemLine,
  manyBooks,
  receive,
  sell,
  stockBalance,
  superuserOf,
  type TestBooks,
} from '../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../tools/testing/database.ts';
import { newId } from '../../kit/ids.ts';

// Goods that go back to their supplier leave at the cost at which they came in, so that the rest is worth what it was.

let db: TestDatabase;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const giveBack = (books: TestBooks, item: Id | undefined, bill: Id, quantity: number, rest: Partial<Draft> = {}) =>
  books.post(
    books.draft('purchaseReturn', {
      date: '2026-05-20',
      party: books.supplier,
      against: bill,
      reason: '01',
      lines: [{ item: item ?? '', quantity: millionths(quantity * ONE), source: { document: bill, line: 1 } }],
      ...rest,
    }),
  );
describe.each(['average', 'fifo'] as const)('%s', (valuation) => {
  test('a bill that goes back whole leaves the stock as it was and makes neither gain nor loss', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await receive(books, item, 10, 10, '2026-05-01');
    const dear = await receive(books, item, 10, 1000, '2026-05-02');
    const back = await giveBack(books, item, dear.id, 10);
    expect(await books.entriesOf(back.id)).toEqual({
      '2120': 1180000,
      '1310': -1000000,
      '1411': -90000,
      '1412': -90000,
    });
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 10000 });
  });

  test('cancelling what went back puts it where it was', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await receive(books, item, 10, 10, '2026-05-01');
    const dear = await receive(books, item, 10, 1000, '2026-05-02');
    for (const quantity of [10, 4]) await books.cancel((await giveBack(books, item, dear.id, quantity)).id);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 20, value: 1010000 });
    const sold = await sell(books, item, 10, '2026-06-01');
    expect(await costsOf(db, books, sold.id)).toEqual([valuation === 'fifo' ? -10000 : -505000]);
  });
});

test('average: what is left is never worth less than zero, and the last goods take all that is left', async () => {
  const books = await more();
  const [first, second] = books.items;
  const dear = new Map<Id | undefined, Id>();
  for (const item of [first, second]) {
    await receive(books, item, 10, 10, '2026-05-01');
    dear.set(item, (await receive(books, item, 10, 1000, '2026-05-02')).id);
  }
  await sell(books, first, 12, '2026-05-10');
  const bounded = await giveBack(books, first, dear.get(first) ?? '', 5);
  expect(await books.entriesOf(bounded.id)).toMatchObject({ '1310': -404000, '5330': -96000 });
  expect(await stockBalance(db, books, first)).toEqual({ quantity: 3, value: 0 });
  await sell(books, second, 15, '2026-05-10');
  const last = await giveBack(books, second, dear.get(second) ?? '', 5);
  expect(await books.entriesOf(last.id)).toMatchObject({ '1310': -252500, '5330': -247500 });
  expect(await stockBalance(db, books, second)).toEqual({ quantity: 0, value: 0 });
});

test('first in, first out: goods leave their own lot, what it no longer holds the oldest one', async () => {
  const books = await more({ valuation: 'fifo' });
  const [item] = books.items;
  const old = await receive(books, item, 10, 10, '2026-05-01');
  const dear = await receive(books, item, 10, 1000, '2026-05-02');
  await sell(books, item, 8, '2026-05-10');
  const back = await giveBack(books, item, dear.id, 4);
  expect(await costsOf(db, books, back.id)).toEqual([-400000]);
  const beyond = await giveBack(books, item, old.id, 3);
  expect(await costsOf(db, books, beyond.id)).toEqual([-102000]);
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 5, value: 500000 });
});

test('the cost follows that of the goods when something is entered before them', async () => {
  const books = await more({ isAllowNegative: true });
  const [item] = books.items;
  await sell(books, item, 4, '2026-05-03');
  const bill = await receive(books, item, 10, 100, '2026-05-04');
  const back = await giveBack(books, item, bill.id, 5);
  // four of the ten covered a shortfall of goods that had cost nothing
  expect(await costsOf(db, books, bill.id)).toEqual([60000]);
  expect(await costsOf(db, books, back.id)).toEqual([-30000]);
  await receive(books, item, 4, 50, '2026-05-01');
  expect(await costsOf(db, books, bill.id)).toEqual([100000]);
  expect(await costsOf(db, books, back.id)).toEqual([-50000]);
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 5, value: 50000 });
});

test('goods that lie elsewhere by now leave at what they lie there at, and so do goods of no document', async () => {
  const books = await more();
  const [item] = books.items;
  await receive(books, item, 10, 10, '2026-05-01');
  const dear = await receive(books, item, 10, 1000, '2026-05-02');
  await books.post(
    books.draft('openingStock', { date: '2026-04-01', location: books.other, lines: [itemLine(item, 10, 300)] }),
  );
  const elsewhere = await giveBack(books, item, dear.id, 2, { location: books.other });
  expect(await costsOf(db, books, elsewhere.id)).toEqual([-60000]);
  const unnamed = await books.post(
    books.draft('purchaseReturn', {
      date: '2026-05-21',
      party: books.supplier,
      lines: [itemLine(item, 2, 100)],
      fields: { originalNumber: 'OLD/77', originalDate: '2026-03-10' },
      accepted: [{ warning: 'returnWithoutSource', reason: 'Bought before these books' }],
    }),
    { grants: new Map([['Purchase Return', 5003]]) },
  );
  expect(await costsOf(db, books, unnamed.id)).toEqual([-101000]);
});

test('first in, first out: goods of no document leave the oldest lots, whatever their average', async () => {
  const books = await more({ valuation: 'fifo' });
  const [item] = books.items;
  for (const [at, rate] of [100, 200, 300].entries()) await receive(books, item, 10, rate, `2026-05-0${at + 1}`);
  const back = await books.post(
    books.draft('purchaseReturn', {
      date: '2026-05-21',
      party: books.supplier,
      lines: [itemLine(item, 10, 200)],
      fields: { originalNumber: 'OLD/78', originalDate: '2026-03-10' },
      accepted: [{ warning: 'returnWithoutSource', reason: 'Bought before these books' }],
    }),
    { grants: new Map([['Purchase Return', 5003]]) },
  );
  expect(await costsOf(db, books, back.id)).toEqual([-100000]);
});

test('customs duty that came after the goods goes with them', async () => {
  const books = await more();
  const [item] = books.items;
  const maker = newId();
  await db.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
      values ($1, $2, 'X1', 'Shenzhen Parts', 'supplier', 'overseas', '96', 'CN', 'USD', 'shenzhen parts')
    `,
    [books.organisation, maker],
  );
  await receive(books, item, 10, 10, '2026-05-01');
  const bill = await books.post(
    books.draft('overseasPurchase', {
      date: '2026-05-02',
      party: maker,
      reference: 'SZ-1',
      currency: 'USD',
      exchangeRate: millionths(80 * ONE),
      lines: [itemLine(item, 10, 10)],
    }),
  );
  await sell(books, item, 12, '2026-05-04');
  await books.post(
    books.draft('billOfEntry', {
      date: '2026-05-05',
      against: bill.id,
      reference: '4125873',
      fields: { port: 'INNSA1' },
      referenceDate: '2026-05-05',
      customs: { assessable: paise(800000), basic: paise(80000), surcharge: paise(8000), igst: paise(159840) },
    }),
  );
  // 8 of 20 at ₹405 and their duty of ₹88 each
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 8, value: 394400 });
  const back = await giveBack(books, item, bill.id, 3, {
    party: maker,
    currency: 'USD',
    exchangeRate: millionths(80 * ONE),
  });
  expect(await costsOf(db, books, back.id)).toEqual([-266400]);
});

test('what went back before this rule keeps its average, also when it is valued again', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-02');
  const back = await giveBack(books, item, bill.id, 4);
  const { client, leave } = await superuserOf(db);
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  const { rowCount } = await client.query(
    `update documents set body = body - 'givenBack' where id = $1 and body ? 'givenBack'`,
    [back.id],
  );
  await client.query('commit');
  await leave();
  expect(rowCount).toBe(1);
  await receive(books, item, 10, 200, '2026-05-01');
  expect(await costsOf(db, books, back.id)).toEqual([-60000]);
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 16, value: 240000 });
});
