import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
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
describe.each(['average', 'fifo'] as const)('%s', (valuation) => {
  test('a price cut: goods in stock cost less, and of those that were sold the cost of sales is less', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    await sell(books, item, 4, '2026-05-10');
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 20);
    expect(await books.entriesOf(cut.id)).toEqual({
      '2120': 23600,
      '1310': -12000,
      '5310': -8000,
      '1411': -1800,
      '1412': -1800,
    });
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 48000 });
    const sold = await sell(books, item, 6, '2026-06-02');
    expect(await costsOf(db, books, sold.id)).toEqual([-48000]);
  });

  test('a price rise: goods in stock cost more, and of those that were sold the cost of sales is more', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    await sell(books, item, 4, '2026-05-10');
    const rise = await note(books, 'purchaseDebitNote', item, bill.id, 10, 20);
    expect(await books.entriesOf(rise.id)).toEqual({
      '2120': -23600,
      '1310': 12000,
      '5310': 8000,
      '1411': 1800,
      '1412': 1800,
    });
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 72000 });
  });

  test('cancelled, it leaves the stock as it was', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    for (const kind of ['purchaseCreditNote', 'purchaseDebitNote'] as const)
      await books.cancel((await note(books, kind, item, bill.id, 10, 20)).id);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 100000 });
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
    const [before, after] = [await books.entriesOf(one.id), await books.entriesOf(other.id)];
    expect(after).toEqual(Object.fromEntries(Object.entries(before).map(([code, amount]) => [code, -amount])));
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 60000 });
    await books.cancel(other.id);
    await books.cancel(one.id);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 60000 });
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
      expect(await books.entriesOf(back.id)).not.toHaveProperty('5330');
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
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 60000 });
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
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 18, value: 70000 });
    if (valuation === 'average') {
      const later = await back(4, '2026-06-03');
      expect(await costsOf(db, books, later.id)).toEqual([-30000]);
      expect(await books.entriesOf(later.id)).not.toHaveProperty('5330');
      await back(4, '2026-06-04');
      expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 10000 });
    }
  });
});

test('all of the goods are sold: the note changes the cost of sales alone', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  await sell(books, item, 10, '2026-05-10');
  const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 20);
  expect(await books.entriesOf(cut.id)).toEqual({ '2120': 23600, '5310': -20000, '1411': -1800, '1412': -1800 });
});

test('a back-dated note revalues the sales after it', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  const sold = await sell(books, item, 4, '2026-06-10');
  await note(books, 'purchaseCreditNote', item, bill.id, 10, 20);
  expect(await costsOf(db, books, sold.id)).toEqual([-32000]);
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 48000 });
});

test('the stock balance of the bill is changed, wherever the note is', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  await note(books, 'purchaseCreditNote', item, bill.id, 10, 20, { location: books.other });
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 80000 });
});

test('the line of the bill is found by its item where the note names only the bill', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  await note(books, 'purchaseCreditNote', item, bill.id, 10, 20, { lines: [itemLine(item, 10, 20)] });
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 80000 });
});

test('periodic books: the stock is worth less, and the difference of rate is on its ledger', async () => {
  const books = await more({ stockAccounting: 'periodic' });
  const [item] = books.items;
  const bill = await receive(books, item, 10, 100, '2026-05-01');
  const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 20);
  expect(await books.entriesOf(cut.id)).toEqual({ '2120': 23600, '5140': -20000, '1411': -1800, '1412': -1800 });
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 80000 });
});

describe('first in, first out: a note changes the lot of its goods alone', () => {
  const lots = async (y1Sold: number) => {
    const books = await more({ valuation: 'fifo' });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    const next = await receive(books, item, 10, 150, '2026-05-02');
    const sold = y1Sold > 0 ? await sell(books, item, y1Sold, '2026-05-03') : undefined;
    return { books, item, bill, next, sold };
  };
  const stockAndCost = async (books: TestBooks, id: Id) => {
    const { 1310: stock = 0, 5310: cost = 0 } = await books.entriesOf(id);
    return { stock, cost };
  };

  test.each([
    ['purchaseCreditNote', -1],
    ['purchaseDebitNote', 1],
  ] as const)('%s on a lot that is sold: other lots keep their price', async (kind, sign) => {
    const { books, item, bill } = await lots(10);
    const made = await note(books, kind, item, bill.id, 10, 30);
    expect(await stockAndCost(books, made.id)).toEqual({ stock: 0, cost: sign * 30000 });
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 150000 });
    await books.cancel(made.id);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 150000 });
  });

  test.each([
    ['purchaseCreditNote', -1],
    ['purchaseDebitNote', 1],
  ] as const)(
    '%s on a lot that is sold in part: the rest of it leaves at the new price, the next lot at its own',
    async (kind, sign) => {
      const { books, item, bill } = await lots(4);
      const made = await note(books, kind, item, bill.id, 10, 30);
      expect(await stockAndCost(books, made.id)).toEqual({ stock: sign * 18000, cost: sign * 12000 });
      const rest = await sell(books, item, 6, '2026-06-02');
      expect(await costsOf(db, books, rest.id)).toEqual([-60000 - sign * 18000]);
      expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 150000 });
    },
  );

  test('a note about a note changes the lot of the bill', async () => {
    const { books, item, bill } = await lots(4);
    const rise = await note(books, 'purchaseDebitNote', item, bill.id, 10, 30);
    await note(books, 'purchaseCreditNote', item, rise.id, 10, 10);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 16, value: 60000 + 12000 + 150000 });
  });

  test('a cancelled note leaves both lots as they were', async () => {
    const { books, item, bill } = await lots(4);
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 30);
    await books.cancel(cut.id);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 16, value: 210000 });
    const rest = await sell(books, item, 6, '2026-06-02');
    expect(await costsOf(db, books, rest.id)).toEqual([-60000]);
  });

  test('a note that is cancelled after more of the lot was sold takes back what is left of it', async () => {
    const { books, item, bill } = await lots(4);
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 30);
    const rest = await sell(books, item, 3, '2026-06-01');
    expect(await costsOf(db, books, rest.id)).toEqual([-21000]);
    await books.cancel(cut.id);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 13, value: 180000 });
  });

  test('a back-dated sale before the note moves its share to the cost of sales, and back when it is cancelled', async () => {
    const { books, item, bill } = await lots(4);
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 30);
    const late = await sell(books, item, 6, '2026-05-20');
    expect(await costsOf(db, books, late.id)).toEqual([-60000]);
    expect(await costsOf(db, books, cut.id)).toEqual([0]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 10, value: 150000 });
    await books.cancel(late.id);
    expect(await costsOf(db, books, cut.id)).toEqual([-18000]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 16, value: 42000 + 150000 });
  });

  test('a cancelled sale puts its goods back into stock, where the note finds them: before it and after it', async () => {
    const { books, item, bill, sold } = await lots(10);
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 30);
    expect(await costsOf(db, books, cut.id)).toEqual([0]);
    await books.cancel(sold?.id ?? '');
    expect(await costsOf(db, books, cut.id)).toEqual([-30000]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 20, value: 70000 + 150000 });
    await note(books, 'purchaseDebitNote', item, bill.id, 10, 10);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 20, value: 80000 + 150000 });
  });

  test('goods of the lot that came back from a customer before the note are changed too', async () => {
    const { books, item, bill, sold } = await lots(12);
    await books.post(
      books.draft('saleReturn', {
        date: '2026-05-10',
        party: books.customer,
        against: sold?.id ?? '',
        reason: '01',
        lines: [{ item: item ?? '', quantity: millionths(4 * ONE), source: { document: sold?.id ?? '', line: 1 } }],
      }),
    );
    const before = await stockBalance(db, books, item);
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 30);
    expect(await stockAndCost(books, cut.id)).toEqual({ stock: -12000, cost: -18000 });
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 12, value: before.value - 12000 });
  });

  test('a lot whose stock was empty in between is found again', async () => {
    const books = await more({ valuation: 'fifo' });
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    const sold = await sell(books, item, 10, '2026-05-03');
    await books.post(
      books.draft('saleReturn', {
        date: '2026-05-10',
        party: books.customer,
        against: sold.id,
        reason: '01',
        lines: [{ item: item ?? '', quantity: millionths(4 * ONE), source: { document: sold.id, line: 1 } }],
      }),
    );
    await receive(books, item, 10, 150, '2026-05-12');
    await note(books, 'purchaseCreditNote', item, bill.id, 10, 30);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 14, value: 28000 + 150000 });
    // valued again after a back-dated receipt it is the same
    await receive(books, item, 1, 500, '2026-05-11');
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 15, value: 28000 + 50000 + 150000 });
  });

  test('a receipt that is back-dated before the lot is sold first, and the note finds the lot fuller', async () => {
    const { books, item, bill } = await lots(4);
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 30);
    await receive(books, item, 4, 50, '2026-04-20');
    expect(await costsOf(db, books, cut.id)).toEqual([-30000]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 20, value: 70000 + 150000 });
  });

  test('two lines of one bill for the same item are two lots', async () => {
    const books = await more({ valuation: 'fifo' });
    const [item] = books.items;
    const bill = await books.post(
      books.draft('purchaseBill', {
        party: books.supplier,
        date: '2026-05-01',
        reference: 'TWO',
        lines: [itemLine(item, 10, 100), itemLine(item, 10, 200)],
      }),
    );
    await sell(books, item, 15, '2026-05-03');
    await note(books, 'purchaseCreditNote', item, bill.id, 10, 30, {
      lines: [1, 2].map((line) => ({ ...itemLine(item, 10, 30), source: { document: bill.id, line } })),
    });
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 5, value: 85000 });
  });

  test('what left for another place is no longer in the lot, and what lies there keeps its price', async () => {
    const { books, item, bill } = await lots(0);
    await receive(books, item, 10, 100, '2026-05-01');
    await books.post(
      books.draft('branchTransfer', {
        date: '2026-05-03',
        toLocation: books.other,
        toRegistration: books.registration,
        lines: [itemLine(item, 4, 0)],
      }),
    );
    const cut = await note(books, 'purchaseCreditNote', item, bill.id, 10, 30);
    expect(await stockAndCost(books, cut.id)).toEqual({ stock: -18000, cost: -12000 });
  });
});
