import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  itemLine,
  receive,
  sealAll,
  sell,
  superuserOf,
  type TestBooks,
  TODAY,
  testBooks,
} from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { tampers } from '../../../tools/testing/tampers.ts';
import { checks } from './invariants/checks.ts';
import { brokenInvariants, sweep, sweepWithin } from './invariants.ts';
import { rebuildProjections } from './rebuild.ts';

let db: TestDatabase;
let books: TestBooks;
let superuser: pg.Client;
let leave: () => Promise<void>;
let sale: string;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  const opened = await superuserOf(db);
  superuser = opened.client;
  leave = opened.leave;
  await books.post(
    books.draft('purchaseBill', {
      party: books.supplier,
      reference: 'M-1',
      referenceDate: TODAY,
      lines: [itemLine(books.items[0], 50, 60)],
    }),
  );
  sale = (
    await books.post(books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 2, 100)] }))
  ).id;
  const back = { ...itemLine(books.items[0], 1, 100), source: { document: sale, line: 1 } };
  await books.post(books.draft('saleReturn', { party: books.customer, against: sale, reason: '01', lines: [back] }));
  await books.post(
    books.draft('branchTransfer', {
      toLocation: books.other,
      toRegistration: books.registration,
      lines: [itemLine(books.items[0], 4, 0)],
    }),
  );
  const wrong = await books.post(
    books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] }),
  );
  await books.cancel(wrong.id);
  await sealAll(db);
});
afterAll(async () => {
  await leave();
  await books.end();
  await db.drop();
});

test('everything holds in books that the product made', async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  expect((await sweep(db.owner)).length).toBe(checks.length + 2);
});

test('a sweep that could not see says so', async () => {
  await expect(sweep(db.app)).rejects.toThrow(/sees no organisation/);
});

test('every check is broken by one of them', () => {
  const found = new Set(tampers.flatMap(([, , ids]) => ids));
  expect([...checks.map((check) => check.id), 'INV-24a', 'INV-44d'].filter((id) => !found.has(id))).toEqual([]);
});

/** What is tampered with stands in a transaction that is never ended: the checks look inside it, and nothing is left of it. */
test.each(tampers)('tampering is found: %s', async (_, sql, found) => {
  await superuser.query('begin; set local session_replication_role = replica');
  try {
    for (const statement of sql.split(/;\s/)) await superuser.query(statement, statement.includes('$1') ? [sale] : []);
    await superuser.query('set local role bahi_owner');
    const broken = (await sweepWithin(superuser, { only: found })).filter((swept) => swept.broken.length > 0);
    expect(broken.map(({ id }) => id).toSorted()).toEqual([...found].toSorted());
  } finally {
    await superuser.query('rollback');
  }
});

test('none of it is left', async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

test.each(['average', 'fifo'])('projections are made anew from the books, %s', async (valuation) => {
  const more = await testBooks(db, { valuation });
  await receive(more, more.items[0], 10, 100, '2026-05-01');
  await receive(more, more.items[0], 10, 200, '2026-05-02');
  await sell(more, more.items[0], 12);
  const projected = async () =>
    (
      await db.owner.query(
        `
          select
            (select jsonb_agg(b order by item, location) from item_balances b where quantity <> 0) as "stockBalances",
            (select jsonb_agg(o order by document) from open_items o) as open
        `,
      )
    ).rows[0];
  const before = await projected();
  await db.owner.query(`update item_balances set quantity = 5, value = 7, layers = '{}', last_date = null`);
  await db.owner.query('delete from ledger_day_totals');
  await db.owner.query('update ledger_month_totals set credit = credit + 1');
  await db.owner.query('update open_items set open = original');
  expect((await brokenInvariants(db.owner)).length).toBeGreaterThan(3);
  await rebuildProjections(db.owner);
  expect(await brokenInvariants(db.owner)).toEqual([]);
  expect(await projected()).toEqual(before);
  await sell(more, more.items[0], 8);
  await expect(sell(more, more.items[0], 1)).rejects.toMatchObject({ code: 'stockShort' });
  await more.end();
});
