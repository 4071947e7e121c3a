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
import { closingHandlers } from '../../closing/index.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { viewDocument } from '../read/view.ts';

let db: TestDatabase;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
});
afterAll(close);

interface Leg {
  readonly date: string;
  readonly code: string;
  readonly place: string;
  readonly amount: number;
}
/** Entries of a document, debits positive. */
const legs = async (id: Id): Promise<Leg[]> => {
  const { rows } = await db.owner.query<Leg>(
    `
      select e.date::text as date, l.code, p.code as place, (e.debit - e.credit)::int as amount
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      join locations p on p.organisation = e.organisation and p.id = e.location
      where e.document = $1
      order by e.leg
    `,
    [id],
  );
  return rows;
};
const revisionOf = async (cause: Id) => {
  const { rows } = await db.owner.query<{ id: Id; number: string; date: string; total: number }>(
    `
      select d.id, d.number, d.date::text as date, d.total::int as total
      from document_links k
      join documents d on d.organisation = k.organisation and d.id = k.source
      where k.target = $1 and k.role = 'revision'
    `,
    [cause],
  );
  expect(rows.length).toBeLessThan(2);
  return rows[0];
};
const linksOf = async (books: TestBooks, id: Id) =>
  (await viewDocument(books.context(), { id })).links.map((l) => `${l.role} ${l.number}`);
const stockLegs = (all: readonly Leg[]) => all.filter((l) => ['1310', '5310', '5330'].includes(l.code));
const send = (books: TestBooks, item: Id | undefined, quantity: number, date: string) =>
  books.post(
    books.draft('branchTransfer', {
      date,
      toLocation: books.other,
      toRegistration: books.registration,
      lines: [itemLine(item, quantity, 0)],
    }),
  );
const arrive = (books: TestBooks, item: Id | undefined, quantity: number, date: string, against: Id) =>
  books.post(
    books.draft('transferReceipt', {
      date,
      toLocation: books.other,
      against,
      lines: [{ item: item ?? '', quantity: millionths(quantity * ONE), source: { document: against, line: 1 } }],
    }),
  );

describe('a cost revision', () => {
  test('is one document for each cause, with an entry on the day of each issue, and the cause has none of it', async () => {
    const books = await more();
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    const first = await sell(books, item, 4, '2026-05-10');
    const second = await sell(books, item, 2, '2026-06-10');
    const cause = await receive(books, item, 10, 200, '2026-05-05');
    const revision = await revisionOf(cause.id);
    expect(revision).toMatchObject({ number: 'CR/26-27/0001', date: '2026-05-10', total: 30000 });
    expect(await legs(revision?.id ?? '')).toEqual([
      { date: '2026-05-10', code: '5310', place: 'A', amount: 20000 },
      { date: '2026-05-10', code: '1310', place: 'A', amount: -20000 },
      { date: '2026-06-10', code: '5310', place: 'A', amount: 10000 },
      { date: '2026-06-10', code: '1310', place: 'A', amount: -10000 },
    ]);
    expect(stockLegs(await legs(cause.id)).map((l) => l.amount)).toEqual([200000]);
    expect([await costsOf(db, books, first.id), await costsOf(db, books, second.id)]).toEqual([[-60000], [-30000]]);
  });

  test('is seen from the document that it revalues, from its cause, and names both', async () => {
    const books = await more();
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    const issue = await sell(books, item, 4, '2026-05-10');
    const cause = await receive(books, item, 10, 200, '2026-05-05');
    const revision = await revisionOf(cause.id);
    expect(await linksOf(books, issue.id)).toEqual([`revisedBy ${revision?.number}`]);
    expect(await linksOf(books, cause.id)).toEqual([`revision ${revision?.number}`]);
    expect((await linksOf(books, revision?.id ?? '')).sort()).toEqual([
      `cause ${cause.number}`,
      `revises ${issue.number}`,
    ]);
  });

  test('is not typed and not cancelled; cancelling its cause makes another one', async () => {
    const books = await more();
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    const issue = await sell(books, item, 4, '2026-05-10');
    const cause = await receive(books, item, 10, 200, '2026-05-05');
    const revision = await revisionOf(cause.id);
    await expect(books.cancel(revision?.id ?? '')).rejects.toMatchObject({ code: 'notCancellable' });
    await expect(books.post(books.draft('costRevision'))).rejects.toMatchObject({ code: 'notFound' });
    const reversal = await books.cancel(cause.id);
    expect(await costsOf(db, books, issue.id)).toEqual([-40000]);
    const back = await revisionOf(reversal.id);
    expect(back).toMatchObject({ number: 'CR/26-27/0002', date: '2026-05-10', total: 20000 });
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 6, value: 60000 });
  });

  test('a sale whose cost was revised is cancelled by its mirror, and the revision of it is taken back beside that', async () => {
    const books = await more();
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    const issue = await sell(books, item, 4, '2026-05-10');
    await receive(books, item, 10, 200, '2026-05-05');
    const reversal = await books.cancel(issue.id);
    expect(stockLegs(await legs(reversal.id)).map((l) => [l.code, l.amount])).toEqual([
      ['5310', -40000],
      ['1310', 40000],
    ]);
    const back = await revisionOf(reversal.id);
    expect(await legs(back?.id ?? '')).toMatchObject([
      { code: '1310', amount: 20000 },
      { code: '5310', amount: -20000 },
    ]);
    // a later change finds sale and mirror, which make up for each other
    await receive(books, item, 4, 50, '2026-05-04');
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 24, value: 320000 });
  });

  test('an adjustment is revised on the ledger that its own entries went to, a purchase return keeps its own cost', async () => {
    const books = await more();
    const [item] = books.items;
    const bill = await receive(books, item, 10, 100, '2026-05-01');
    await books.post(
      books.draft('inventoryAdjustment', {
        date: '2026-05-10',
        fields: { adjustmentReason: 'count' },
        lines: [{ item: item ?? '', delta: millionths(-2 * ONE) }],
      }),
    );
    await books.post(
      books.draft('purchaseReturn', {
        date: '2026-05-11',
        party: books.supplier,
        against: bill.id,
        reason: '01',
        lines: [{ item: item ?? '', quantity: millionths(ONE), source: { document: bill.id, line: 1 } }],
      }),
    );
    const cause = await receive(books, item, 10, 200, '2026-05-05');
    expect(await legs((await revisionOf(cause.id))?.id ?? '')).toMatchObject([
      { date: '2026-05-10', code: '5330', amount: 10000 },
      { date: '2026-05-10', code: '1310', amount: -10000 },
    ]);
  });

  test('periodic books keep the new cost and post nothing', async () => {
    const books = await more({ stockAccounting: 'periodic' });
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    const issue = await sell(books, item, 4, '2026-05-10');
    const cause = await receive(books, item, 10, 200, '2026-05-05');
    expect(await costsOf(db, books, issue.id)).toEqual([-60000]);
    expect(await revisionOf(cause.id)).toBeUndefined();
    expect(await linksOf(books, issue.id)).toEqual([`revisedBy ${cause.number}`]);
    expect(await linksOf(books, cause.id)).toEqual([`revises ${issue.number}`]);
  });
});

describe.each(['average', 'fifo'] as const)('carried on to other places: %s', (valuation) => {
  test('what was sent, arrived, was sold there and came back costs what it should have left at', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-03');
    const sent = await send(books, item, 6, '2026-05-10');
    const arrived = await arrive(books, item, 5, '2026-05-12', sent.id);
    const sold = await books.post(
      books.draft('saleInvoice', {
        date: '2026-05-15',
        location: books.other,
        party: books.customer,
        lines: [itemLine(item, 4, 300)],
      }),
    );
    const returned = await books.post(
      books.draft('saleReturn', {
        date: '2026-05-16',
        location: books.other,
        party: books.customer,
        against: sold.id,
        reason: '01',
        lines: [{ item: item ?? '', quantity: millionths(ONE), source: { document: sold.id, line: 1 } }],
      }),
    );
    // ten at 200 come to light, two days before those at 100
    const cause = await receive(books, item, 10, 200, '2026-05-01');
    const each = valuation === 'average' ? 15000 : 20000;
    expect(await costsOf(db, books, sent.id)).toEqual([-6 * each, 6 * each]);
    expect(await costsOf(db, books, arrived.id)).toEqual([-5 * each, 5 * each]);
    expect(await costsOf(db, books, sold.id)).toEqual([-4 * each]);
    expect(await costsOf(db, books, returned.id)).toEqual([each]);
    expect(await stockBalance(db, books, item, books.other)).toEqual({ quantity: 2, value: 2 * each });
    // between places no ledger changes; where it was sold the difference is cost of goods sold
    expect(await legs((await revisionOf(cause.id))?.id ?? '')).toEqual([
      { date: '2026-05-15', code: '5310', place: 'B', amount: 4 * (each - 10000) },
      { date: '2026-05-15', code: '1310', place: 'B', amount: -4 * (each - 10000) },
      { date: '2026-05-16', code: '1310', place: 'B', amount: each - 10000 },
      { date: '2026-05-16', code: '5310', place: 'B', amount: 10000 - each },
    ]);
  });
});

test('goods do not come back before they went', async () => {
  const books = await more();
  const [item] = books.items;
  await receive(books, item, 10, 100, '2026-05-01');
  const issue = await sell(books, item, 4, '2026-05-10');
  await expect(
    books.post(
      books.draft('saleReturn', {
        date: '2026-05-09',
        party: books.customer,
        against: issue.id,
        reason: '01',
        lines: [{ item: item ?? '', quantity: millionths(ONE), source: { document: issue.id, line: 1 } }],
      }),
    ),
  ).rejects.toMatchObject({ problems: [{ field: 'date' }] });
});

test('what goes out of an empty place, where that is allowed, goes at the last rate', async () => {
  const books = await more({ isAllowNegative: true });
  const [item] = books.items;
  await receive(books, item, 2, 100, '2026-05-01');
  await sell(books, item, 2, '2026-05-10');
  const ahead = await sell(books, item, 3, '2026-05-11');
  expect(await costsOf(db, books, ahead.id)).toEqual([-30000]);
});

describe('a cost revision behind a lock', () => {
  const lock = (books: TestBooks, register: 'sales' | 'stock' | 'outward' | 'gst', through: string) =>
    closingHandlers.SaveLock(
      { register, through, reason: 'settled', ...(register === 'outward' && { registration: books.registration }) },
      books.context({ grants: new Map([['General Configuration', 5003]]) }),
    );
  const dates = async (cause: Id) => {
    const revision = await revisionOf(cause);
    const all = await legs(revision?.id ?? '');
    return { date: revision?.date, legs: all.map((l) => `${l.date} ${l.code} ${l.amount}`) };
  };

  test.each(['sales', 'stock', 'outward'] as const)(
    'is booked on the first open day after the lock of %s, and the locked days keep their figures',
    async (register) => {
      const books = await more();
      const [item] = books.items;
      await receive(books, item, 10, 100, '2026-05-01');
      await sell(books, item, 4, '2026-05-10');
      const last = await sell(books, item, 2, '2026-06-10');
      await lock(books, register, '2026-05-31');
      const cause = await receive(books, item, 10, 200, '2026-05-05');
      expect(await dates(cause.id)).toEqual({
        date: '2026-06-01',
        legs: ['2026-06-01 5310 20000', '2026-06-01 1310 -20000', '2026-06-10 5310 10000', '2026-06-10 1310 -10000'],
      });
      expect(await costsOf(db, books, last.id)).toEqual([-30000]);
      // cancelling the cause takes it back, behind the same lock
      const reversal = await books.cancel(cause.id);
      expect((await dates(reversal.id)).date).toBe('2026-06-01');
      expect(await brokenInvariants(db.owner)).toEqual([]);
    },
  );

  test('is on its own day where only another register is locked', async () => {
    const books = await more();
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    await send(books, item, 1, '2026-05-08');
    await sell(books, item, 4, '2026-05-10');
    await closingHandlers.SaveLock(
      { register: 'money', through: '2026-05-31', reason: 'settled' },
      books.context({ grants: new Map([['General Configuration', 5003]]) }),
    );
    const cause = await receive(books, item, 10, 200, '2026-05-05');
    expect((await dates(cause.id)).date).toBe('2026-05-10');
  });

  test('follows each kind: the days of the one that is locked move, those of the other stay', async () => {
    const books = await more();
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-05-01');
    await books.post(
      books.draft('inventoryAdjustment', {
        date: '2026-05-09',
        fields: { adjustmentReason: 'count' },
        lines: [{ item: item ?? '', delta: millionths(-2 * ONE) }],
      }),
    );
    await sell(books, item, 4, '2026-05-10');
    await lock(books, 'sales', '2026-06-30');
    const cause = await receive(books, item, 10, 200, '2026-05-05');
    const days = new Set((await dates(cause.id)).legs.map((l) => l.slice(0, 10)));
    expect([...days]).toEqual(['2026-05-09', '2026-07-01']);
    expect(await brokenInvariants(db.owner)).toEqual([]);
  });
});
