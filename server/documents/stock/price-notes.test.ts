import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
import { costsOf, itemLine, manyBooks, receive, sell, shelf, type TestBooks } from '../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../tools/testing/database.ts';

// A note of the supplier on the price of goods changes what the goods cost that are still there; the rest is cost of sales.

let db: TestDatabase;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
});
afterAll(close);

type Note = 'purchaseCreditNote' | 'purchaseDebitNote';
let noted = 0;
/** A note on line 1 of a bill, for so much in rupees for each of so many. */
const note = (
  books: TestBooks,
  kind: Note,
  item: Id | undefined,
  bill: Id,
  quantity: number,
  rate: number,
  rest: Partial<Draft> = {},
) =>
  books.post(
    books.draft(kind, {
      date: '2026-06-01',
      party: books.supplier,
      against: bill,
      reason: '02',
      reference: `N-${++noted}`,
      referenceDate: '2026-06-01',
      lines: [{ ...itemLine(item, quantity, rate), source: { document: bill, line: 1 } }],
      ...rest,
    }),
  );
/** Amount on each ledger, debits above nothing. */
const legs = async (id: Id): Promise<Record<string, number>> => {
  const { rows } = await db.owner.query<{ code: string; amount: number }>(
    `
      select l.code, sum(e.debit - e.credit)::int as amount
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.document = $1
      group by 1
    `,
    [id],
  );
  return Object.fromEntries(rows.map(({ code, amount }) => [code, amount]));
};

describe.each(['average', 'fifo'] as const)('%s', (valuation) => {
  test('a price cut: goods in stock cost less, and of those that were sold the cost of sales is less', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    await sell(books, item, 4, '2026-05-10');
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 20);
    expect(await legs(cut.id)).toEqual({ '2120': 23600, '1310': -12000, '5310': -8000, '1411': -1800, '1412': -1800 });
    expect(await shelf(db, books, item)).toEqual({ quantity: 6, value: 48000 });
    const sold = await sell(books, item, 6, '2026-06-02');
    expect(await costsOf(db, books, sold.id)).toEqual([-48000]);
  });

  test('a price rise: goods in stock cost more, and of those that were sold the cost of sales is more', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    await sell(books, item, 4, '2026-05-10');
    const rise = await note(books, 'purchaseDebitNote', item, bill.id, 10, 20);
    expect(await legs(rise.id)).toEqual({ '2120': -23600, '1310': 12000, '5310': 8000, '1411': 1800, '1412': 1800 });
    expect(await shelf(db, books, item)).toEqual({ quantity: 6, value: 72000 });
  });

  test('cancelled, it leaves the stock as it was', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    for (const kind of ['purchaseCreditNote', 'purchaseDebitNote'] as const)
      await books.cancel((await note(books, kind, item, bill.id, 10, 20)).id);
    expect(await shelf(db, books, item)).toEqual({ quantity: 10, value: 100000 });
  });

  test.each([
    ['purchaseDebitNote', 'purchaseCreditNote'],
    ['purchaseCreditNote', 'purchaseDebitNote'],
  ] as const)('a %s that a %s takes back leaves the goods at the price of the bill', async (first, second) => {
    const books = await more({ valuation });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    await sell(books, item, 4, '2026-05-10');
    const one = await note(books, first, item, bill.id, 10, 20);
    const other = await note(books, second, item, one.id, 10, 20);
    const [before, after] = [await legs(one.id), await legs(other.id)];
    expect(after).toEqual(Object.fromEntries(Object.entries(before).map(([code, amount]) => [code, -amount])));
    expect(await shelf(db, books, item)).toEqual({ quantity: 6, value: 60000 });
    await books.cancel(other.id);
    await books.cancel(one.id);
    expect(await shelf(db, books, item)).toEqual({ quantity: 6, value: 60000 });
  });

  test('goods go back at the price that the notes about notes have left', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await receive(books, item, 10, 10, '2026-04-20');
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    const rise = await note(books, 'purchaseDebitNote', item, bill.id, 10, 20);
    await note(books, 'purchaseCreditNote', item, rise.id, 10, 5);
    const back = await books.post(
      books.draft('purchaseReturn', {
        date: '2026-06-03',
        party: books.supplier,
        against: bill.id,
        reason: '01',
        lines: [{ item: item ?? '', quantity: millionths(4 * ONE), source: { document: bill.id, line: 1 } }],
      }),
    );
    if (valuation === 'average') {
      expect(await costsOf(db, books, back.id)).toEqual([-46000]);
      expect(await legs(back.id)).not.toHaveProperty('5330');
    }
  });

  test('one note about a bill and about a note on it counts the goods once', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    await sell(books, item, 4, '2026-05-10');
    const rise = await note(books, 'purchaseDebitNote', item, bill.id, 10, 20);
    await note(books, 'purchaseCreditNote', item, bill.id, 10, 20, {
      lines: [bill.id, rise.id].map((document) => ({ ...itemLine(item, 10, 10), source: { document, line: 1 } })),
    });
    expect(await shelf(db, books, item)).toEqual({ quantity: 6, value: 60000 });
  });

  test('goods that went back before are not changed, and what goes back later leaves at the price after the note', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await receive(books, item, 10, 10, '2026-04-20');
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    const back = (quantity: number, date: string) =>
      books.post(
        books.draft('purchaseReturn', {
          date,
          party: books.supplier,
          against: bill.id,
          reason: '01',
          lines: [{ item: item ?? '', quantity: millionths(quantity * ONE), source: { document: bill.id, line: 1 } }],
        }),
      );
    await back(2, '2026-05-20');
    await note(books, 'purchaseCreditNote', item, bill.id, 8, 25);
    expect(await shelf(db, books, item)).toEqual({ quantity: 18, value: 70000 });
    if (valuation === 'average') {
      const later = await back(4, '2026-06-03');
      expect(await costsOf(db, books, later.id)).toEqual([-30000]);
      expect(await legs(later.id)).not.toHaveProperty('5330');
      await back(4, '2026-06-04');
      expect(await shelf(db, books, item)).toEqual({ quantity: 10, value: 10000 });
    }
  });
});

test('all of the goods are sold: the note changes the cost of sales alone', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  await sell(books, item, 10, '2026-05-10');
  const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 20);
  expect(await legs(cut.id)).toEqual({ '2120': 23600, '5310': -20000, '1411': -1800, '1412': -1800 });
});

test('a back-dated note revalues the sales after it', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  const sold = await sell(books, item, 4, '2026-06-10');
  await note(books, 'purchaseCreditNote', item, bill.id, 10, 20);
  expect(await costsOf(db, books, sold.id)).toEqual([-32000]);
  expect(await shelf(db, books, item)).toEqual({ quantity: 6, value: 48000 });
});

test('the shelf of the bill is changed, wherever the note is', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  await note(books, 'purchaseCreditNote', item, bill.id, 10, 20, { location: books.other });
  expect(await shelf(db, books, item)).toEqual({ quantity: 10, value: 80000 });
});

test('the line of the bill is found by its item where the note names only the bill', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  await note(books, 'purchaseCreditNote', item, bill.id, 10, 20, { lines: [itemLine(item, 10, 20)] });
  expect(await shelf(db, books, item)).toEqual({ quantity: 10, value: 80000 });
});

test('periodic books: the stock is worth less, and the difference of rate is on its ledger', async () => {
  const books = await more({ stockAccounting: 'periodic' });
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 20);
  expect(await legs(cut.id)).toEqual({ '2120': 23600, '5140': -20000, '1411': -1800, '1412': -1800 });
  expect(await shelf(db, books, item)).toEqual({ quantity: 10, value: 80000 });
});
