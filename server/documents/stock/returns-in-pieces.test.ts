import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import type { Id } from '../../../domain/document/document.ts';
import {
  costsOf,
  itemLine,
  manyBooks,
  receive,
  sell,
  stockBalance,
  type TestBooks,
} from '../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../tools/testing/database.ts';

// Goods that come or go back in several returns cost together what their source line cost, to the paisa.

let db: TestDatabase;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const back = (kind: 'saleReturn' | 'purchaseReturn') =>
  function post(
    books: TestBooks,
    item: Id | undefined,
    source: Id,
    quantities: readonly number[],
    date = '2026-06-10',
  ) {
    return books.post(
      books.draft(kind, {
        date,
        party: kind === 'saleReturn' ? books.customer : books.supplier,
        against: source,
        reason: '01',
        lines: quantities.map((quantity) => ({
          item: item ?? '',
          quantity: millionths(quantity * ONE),
          source: { document: source, line: 1 },
        })),
      }),
    );
  };
const [saleReturn, purchaseReturn] = [back('saleReturn'), back('purchaseReturn')];
const total = async (books: TestBooks, ids: readonly Id[]): Promise<number> =>
  (await Promise.all(ids.map((id) => costsOf(db, books, id)))).flat().reduce((t, cost) => t + cost, 0);

describe.each(['average', 'fifo'] as const)('%s', (valuation) => {
  test('sale returns piece by piece: their costs add up to the cost of the sale', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await receive(books, item, 3, 33.3333, '2026-05-01');
    const sold = await sell(books, item, 3, '2026-05-02');
    expect(await costsOf(db, books, sold.id)).toEqual([-10000]);
    const pieces = [];
    for (let n = 0; n < 3; n += 1) pieces.push((await saleReturn(books, item, sold.id, [1])).id);
    expect(await total(books, pieces)).toBe(10000);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 3, value: 10000 });
  });

  test('a piece that was cancelled and comes back again costs what it cost before', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await receive(books, item, 3, 33.3333, '2026-05-01');
    const sold = await sell(books, item, 3, '2026-05-02');
    const pieces: Id[] = [];
    for (let n = 0; n < 3; n += 1) pieces.push((await saleReturn(books, item, sold.id, [1])).id);
    for (const [at, piece] of pieces.entries()) {
      const [was] = await costsOf(db, books, piece);
      await books.cancel(piece);
      pieces[at] = (await saleReturn(books, item, sold.id, [1])).id;
      expect(await costsOf(db, books, pieces[at])).toEqual([was]);
    }
    expect(await total(books, pieces)).toBe(10000);
  });

  test('purchase returns piece by piece: stock that was there before keeps its value', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await receive(books, item, 10, 10, '2026-05-01');
    const bill = await receive(books, item, 3, 33.3333, '2026-05-02');
    for (let n = 0; n < 3; n += 1) await purchaseReturn(books, item, bill.id, [1]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 10000 });
  });
});

test('two lines of one return for the same line of the sale: together they cost what it cost', async () => {
  const books = await more();
  const [item] = books.items;
  await receive(books, item, 7, 14.2857, '2026-05-01');
  const sold = await sell(books, item, 7, '2026-05-02');
  const first = await saleReturn(books, item, sold.id, [1, 1, 1]);
  const second = await saleReturn(books, item, sold.id, [1, 3]);
  expect(await total(books, [first.id, second.id])).toBe(10000);
});

test('returns that were posted before stretches were kept: what comes back now is the rest of the line', async () => {
  const books = await more();
  const [item] = books.items;
  await receive(books, item, 3, 33.3333, '2026-05-01');
  const sold = await sell(books, item, 3, '2026-05-02');
  const old = await saleReturn(books, item, sold.id, [1]);
  const client = await db.owner.connect();
  await client.query('begin');
  await client.query('alter table documents disable trigger user');
  await client.query(`update documents set body = body - 'costSpans' where id = $1`, [old.id]);
  await client.query('alter table documents enable trigger user');
  await client.query('commit');
  client.release();
  const rest = [await saleReturn(books, item, sold.id, [1]), await saleReturn(books, item, sold.id, [1])];
  expect(await total(books, [old.id, ...rest.map(({ id }) => id)])).toBe(10000);
});

test('splits, cancellations and earlier receipts at random: when all is back, its cost is that of the sale', {
  timeout: 300_000,
}, async () => {
  const books = await more({});
  let next = 0;
  const buy = (item: Id | undefined, units: number, paise: number, date: string) =>
    books.post(
      books.draft('purchaseBill', {
        party: books.supplier,
        date,
        reference: `R-${next}-${date}-${units}`,
        referenceDate: date,
        lines: [{ ...itemLine(item, units, 1), rate: millionths(paise * 10_000 + 3333) }],
      }),
    );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 7 }),
      fc.integer({ min: 1, max: 9999 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('return', 'return', 'cancel', 'receive')), {
        minLength: 3,
        maxLength: 9,
      }),
      async (size, paise, acts) => {
        const item = books.items[next++];
        await buy(item, size, paise, '2026-05-05');
        const sold = await sell(books, item, size, '2026-05-06');
        const standing: { readonly id: Id; readonly units: number }[] = [];
        const left = () => standing.reduce((t, { units }) => t - units, size);
        const giveBack = async (units: number) =>
          standing.push({ id: (await saleReturn(books, item, sold.id, [units])).id, units });
        for (const [units, act] of acts) {
          if (act === 'receive') await buy(item, units, 9999 - paise, '2026-05-01');
          else if (act === 'cancel') {
            const [one] = standing.splice(units % Math.max(standing.length, 1), 1);
            if (one) await books.cancel(one.id);
          } else if (left() > 0) await giveBack(Math.min(units, left()));
        }
        if (left() > 0) await giveBack(left());
        const ids = standing.map(({ id }) => id);
        expect(await total(books, ids)).toBe(-(await total(books, [sold.id])));
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
});

test.each(['average', 'fifo'] as const)(
  '%s: goods that left before their cost was known come back at what those cost that filled the shortfall',
  async (valuation) => {
    const own = await more({ valuation, isAllowNegative: true });
    const [item] = own.items;
    const sold = await sell(own, item, 5, '2026-05-01');
    expect(await costsOf(db, own, sold.id)).toEqual([0]);
    await receive(own, item, 8, 80, '2026-05-02');
    expect(await stockBalance(db, own, item)).toEqual({ quantity: 3, value: 240_00 });
    const returned = await saleReturn(own, item, sold.id, [2, 3]);
    expect(await costsOf(db, own, returned.id)).toEqual([160_00, 240_00]);
    expect((await own.entriesOf(returned.id))['5310']).toBe(-400_00);
    expect(await stockBalance(db, own, item)).toEqual({ quantity: 8, value: 640_00 });
    // what is known of the first cost later changes the sale, and not what came back
    await receive(own, item, 1, 90, '2026-04-20');
    await own.cancel(returned.id);
    expect((await stockBalance(db, own, item)).quantity).toBe(4);
  },
);
