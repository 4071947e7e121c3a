import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Id } from '../../../domain/document/document.ts';
import {
  costsOf,
  digestOf,
  itemLine,
  openOf,
  receive,
  sell,
  stockBalance,
  type TestBooks,
  testBooks,
} from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { newId } from '../../kit/ids.ts';

let db: TestDatabase;
let b: TestBooks;
const ended: TestBooks[] = [];
const more = async (settings: Readonly<Record<string, unknown>>) => {
  const books = await testBooks(db, settings);
  ended.push(books);
  return books;
};
beforeAll(async () => {
  db = await testDatabase();
  b = await more({});
  for (const item of b.items) await receive(b, item, 1000, 60, '2026-04-01');
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  for (const books of ended) await books.end();
  await db.drop();
});

test('a sale posts its lines, entries, movement, cost, totals, open item and number', async () => {
  const books = await more({});
  await receive(books, books.items[0], 10, 60, '2026-04-01');
  const posted = await sell(books, books.items[0], 2);
  expect(posted).toMatchObject({ number: 'INV/26-27/0001', total: 23600 });
  const { rows } = await db.owner.query(
    `
      select l.code, e.debit::int as debit, e.credit::int as credit
      from entries e
      join ledgers l using (organisation)
      where e.ledger = l.id and e.document = $1
      order by l.code
    `,
    [posted.id],
  );
  expect(rows).toEqual([
    { code: '1210', debit: 23600, credit: 0 },
    { code: '1310', debit: 0, credit: 12000 },
    { code: '2211', debit: 0, credit: 1800 },
    { code: '2212', debit: 0, credit: 1800 },
    { code: '4110', debit: 0, credit: 20000 },
    { code: '5310', debit: 12000, credit: 0 },
  ]);
  expect(await openOf(db, posted.id)).toBe(23600);
  expect(await costsOf(db, books, posted.id)).toEqual([-12000]);
});

test('a posting is one statement; one that has something to ask takes four: begin, load, write, commit', async () => {
  const seen: string[] = [];
  const pool = b.books.pool;
  const { poster } = await import('./queue.ts');
  const { prepare } = await import('./request/prepare.ts');
  const request = () =>
    prepare(
      b.context(),
      b.draft('saleInvoice', {
        party: b.customer,
        lines: [itemLine(b.items[0], 1, 100), itemLine(b.items[1], 1, 100)],
      }),
    );
  const counted = new Proxy(pool, {
    get: (target, name) =>
      name !== 'connect'
        ? Reflect.get(target, name)
        : async () => {
            const client = await target.connect();
            return new Proxy(client, {
              get: (inner, what) => {
                if (what === 'release') return inner.release.bind(inner);
                if (what !== 'query') return Reflect.get(inner, what);
                return (query: string | { text: string }, ...rest: unknown[]) => {
                  seen.push((typeof query === 'string' ? query : query.text).trim().replaceAll(/\s+/g, ' '));
                  return (inner.query as (...all: unknown[]) => unknown)(query, ...rest);
                };
              },
            });
          },
  });
  const posting = poster(counted);
  await posting.post(await request());
  expect(seen.map((text) => text.slice(0, 14))).toEqual([
    'begin',
    'select version', // the first has read the snapshot
    'select * from ',
    'select id, num',
    'commit',
  ]);
  seen.length = 0;
  await posting.post(await request());
  expect(seen.map((text) => text.slice(0, 14))).toEqual(['select id, num']);
});

test('G-01: 200 posts at once on one series: no error, no gap, no duplicate', async () => {
  const books = await more({});
  const [item] = books.items;
  await receive(books, item, 500, 60, '2026-04-01');
  const posted = await Promise.all(Array.from({ length: 200 }, () => sell(books, item, 1)));
  const numbers = posted.map((p) => Number(p.number.slice(-4))).sort((x, y) => x - y);
  expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 300, value: 18000_00 });
});

test('a refused post in a batch takes nothing from the others, and leaves no gap', async () => {
  const books = await more({});
  const [item] = books.items;
  await receive(books, item, 10, 60, '2026-04-01');
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => sell(books, item, 1)));
  expect(results.filter((r) => r.status === 'rejected').map((r) => r.reason.code)).toEqual([
    'stockShort',
    'stockShort',
  ]);
  const { rows } = await db.owner.query(
    `select number from documents where organisation = $1 and kind = 'saleInvoice' order by number`,
    [books.organisation],
  );
  expect(rows.map((r) => Number(r.number.slice(-4)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 0, value: 0 });
});

describe('the same key', () => {
  test('gets the first answer, also at the same moment and from another process', async () => {
    const key = newId();
    const draft = b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[2], 1, 100)] });
    const { poster } = await import('./queue.ts');
    const { prepare } = await import('./request/prepare.ts');
    const another = poster(b.books.pool);
    const request = () => prepare(b.context({ key, digest: digestOf('one') }), draft);
    const requests = await Promise.all([request(), request(), request()]);
    const [first, second, third] = await Promise.all([
      b.poster.post(requests[0]),
      another.post(requests[1]),
      b.poster.post(requests[2]),
    ]);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(await b.post(draft, { key, digest: digestOf('one') })).toEqual(first);
  });
  test('with another body is refused', async () => {
    const key = newId();
    const draft = b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[2], 1, 100)] });
    await b.post(draft, { key, digest: digestOf('one') });
    await expect(b.post(draft, { key, digest: digestOf('two') })).rejects.toMatchObject({ code: 'keyReused' });
  });
});

test('random items in random order from several processes: no deadlock', async () => {
  const { poster } = await import('./queue.ts');
  const { prepare } = await import('./request/prepare.ts');
  const posters = [1, 2, 3, 4].map(() => poster(b.books.pool));
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % n;
  };
  const posts = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const lines = [1, 2, 3, 4].map(() => itemLine(b.items[random(b.items.length)], 1, 100));
      const request = await prepare(b.context(), b.draft('saleInvoice', { party: b.customer, lines }));
      return posters[i % 4]?.post(request);
    }),
  );
  expect(new Set(posts.map((p) => p?.number)).size).toBe(60);
});

describe('what is left of a source', () => {
  const back = (books: TestBooks, source: Id, quantity: number, lines = 1) =>
    books.post(
      books.draft('saleReturn', {
        party: books.customer,
        against: source,
        reason: '01',
        lines: Array.from({ length: lines }, () => ({
          ...itemLine(books.items[0], quantity, 100),
          source: { document: source, line: 1 },
        })),
      }),
    );
  test('INV-16: returns never exceed it, by two lines, one after the other or at the same moment', async () => {
    const books = await more({});
    await receive(books, books.items[0], 10, 60, '2026-04-01');
    const sale = await sell(books, books.items[0], 5);
    await expect(back(books, sale.id, 3, 2)).rejects.toMatchObject({ problems: [{ field: 'lines.quantity', row: 1 }] });
    const results = await Promise.allSettled([back(books, sale.id, 3), back(books, sale.id, 3)]);
    expect(results.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected']);
    await back(books, sale.id, 2);
    await expect(back(books, sale.id, 1)).rejects.toThrow();
    expect(await openOf(db, sale.id)).toBe(0);
    expect(await stockBalance(db, books, books.items[0])).toEqual({ quantity: 10, value: 60000 });
  });
  test('INV-16: nor from two processes at once', async () => {
    const books = await more({});
    await receive(books, books.items[0], 10, 60, '2026-04-01');
    const sale = await sell(books, books.items[0], 5);
    const { poster } = await import('./queue.ts');
    const { prepare } = await import('./request/prepare.ts');
    const request = () =>
      prepare(
        books.context(),
        books.draft('saleReturn', {
          party: books.customer,
          against: sale.id,
          reason: '01',
          lines: [{ ...itemLine(books.items[0], 3, 100), source: { document: sale.id, line: 1 } }],
        }),
      );
    const requests = await Promise.all([request(), request()]);
    const results = await Promise.allSettled(requests.map((r) => poster(books.books.pool).post(r)));
    expect(results.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected']);
  });
  test('an invoice made from an order names the order at each line', async () => {
    const books = await more({});
    await receive(books, books.items[0], 10, 60, '2026-04-01');
    const line = itemLine(books.items[0], 4, 100);
    const order = await books.post(books.draft('saleOrder', { party: books.customer, lines: [line] }));
    const sale = await books.post(
      books.draft('saleInvoice', {
        party: books.customer,
        lines: [{ ...line, source: { document: order.id, line: 1 } }],
      }),
    );
    const { rows } = await db.owner.query(
      'select source_document, source_line from document_lines where document = $1',
      [sale.id],
    );
    expect(rows).toEqual([{ source_document: order.id, source_line: 1 }]);
    await expect(books.cancel(order.id)).rejects.toMatchObject({ code: 'notCancellable' });
  });
});

test('a locked period is refused, and a credit limit holds at the same moment', async () => {
  const books = await more({});
  await receive(books, books.items[0], 10, 60, '2026-04-01');
  await db.owner.query(`update locks set locked_through = '2026-04-30', at = now() where organisation = $1`, [
    books.organisation,
  ]);
  await expect(sell(books, books.items[0], 1, '2026-04-30')).rejects.toMatchObject({ code: 'periodLocked' });
  await db.owner.query('update parties set credit_limit = 30000 where organisation = $1', [books.organisation]);
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => sell(books, books.items[0], 1)));
  expect(results.filter((r) => r.status === 'rejected').map((r) => r.reason.code)).toEqual([
    'creditExceeded',
    'creditExceeded',
  ]);
});

test('rule 46: a number that outgrew its sixteen characters is not given, and takes nothing', async () => {
  const books = await more({});
  await receive(books, books.items[0], 10, 60, '2026-04-01');
  await db.owner.query(`update number_series set padding = 9 where organisation = $1 and kind = 'saleInvoice'`, [
    books.organisation,
  ]);
  await expect(sell(books, books.items[0], 1)).rejects.toMatchObject({ code: 'numberTooLong' });
  expect(await stockBalance(db, books, books.items[0])).toEqual({ quantity: 10, value: 60000 });
});

test('a given number that differs only by case is taken', async () => {
  const { prepare } = await import('./request/prepare.ts');
  const draft = b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[3], 1, 100)] });
  await b.poster.post(await prepare(b.context(), draft, { number: 'OLD-1a' }));
  await expect(b.poster.post(await prepare(b.context(), draft, { number: 'old-1A' }))).rejects.toMatchObject({
    code: 'numberTaken',
    message: 'The number old-1A is already used',
  });
});
