import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Draft } from '../../../domain/document/document.ts';
import { digestOf, itemLine, receive, superuserOf, type TestBooks, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { newId } from '../../kit/ids.ts';
import { postingCache } from './cache.ts';
import { type Poster, poster } from './queue.ts';
import { prepare } from './request/prepare.ts';

// What a process remembers is proved by the statement that writes: here other processes change it behind its back.
let db: TestDatabase;
let b: TestBooks;
let here: Poster;
let elsewhere: Poster;
beforeAll(async () => {
  db = await testDatabase();
  b = await testBooks(db);
  [here, elsewhere] = [poster(b.books.pool), poster(b.books.pool)];
  for (const item of b.items) await receive(b, item, 100, 60, '2026-04-01');
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await b.end();
  await db.drop();
});

const sale = (item: number, quantity: number, more: Partial<Draft> = {}) =>
  b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[item], quantity, 100)], ...more });
const post = async (by: Poster, draft: Draft) => by.post(await prepare(b.context(), draft));
const change = (text: string, values: readonly unknown[] = []) => db.owner.query(text, [b.organisation, ...values]);
const held = async (item: number): Promise<number> =>
  Number(
    (
      await change(`select quantity from item_balances where organisation = $1 and item = $2 and location = $3`, [
        b.items[item],
        b.location,
      ])
    ).rows[0]?.quantity,
  ) / 1_000_000;

test('a stock balance that another process has moved at is asked for again, and nothing is sold twice', async () => {
  await post(here, sale(0, 1));
  await post(elsewhere, sale(0, 90));
  await expect(post(here, sale(0, 50))).rejects.toMatchObject({ code: 'stockShort' });
  await post(here, sale(0, 9));
  expect(await held(0)).toBe(0);
});

test('a refusal is never given from memory: goods that came in elsewhere can be sold here', async () => {
  await post(here, sale(1, 99));
  await elsewhere.post(
    await prepare(
      b.context(),
      b.draft('purchaseBill', {
        party: b.supplier,
        reference: 'M-2',
        referenceDate: '2026-11-20',
        lines: [itemLine(b.items[1], 30, 60)],
      }),
    ),
  );
  await post(here, sale(1, 31));
  expect(await held(1)).toBe(0);
});

test('a rate, a name or a lock that changes is seen by the next posting', async () => {
  await receive(b, b.items[2], 100, 60, '2026-04-02');
  const before = await post(here, sale(2, 1));
  await change('update items set gst_rate = 50000 where organisation = $1 and id = $2', [b.items[2]]);
  const after = await post(here, sale(2, 1));
  expect([before.total, after.total]).toEqual([11800, 10500]);
  await change(`update parties set name = 'New name' where organisation = $1 and id = $2`, [b.customer]);
  const { id } = await post(here, sale(2, 1));
  const { rows } = await change('select party_name from documents where organisation = $1 and id = $2', [id]);
  expect(rows[0]?.party_name).toBe('New name');
  await change(`update locks set locked_through = '2026-11-20' where organisation = $1`);
  await expect(post(here, sale(2, 1))).rejects.toMatchObject({ code: 'periodLocked' });
  await change('update locks set locked_through = null where organisation = $1');
  await post(here, sale(2, 1));
});

test('a limit that is set later holds, and an item that is kept by batch from now on asks for its batch', async () => {
  await post(here, sale(2, 1));
  await change('update parties set credit_limit = 1 where organisation = $1 and id = $2', [b.customer]);
  await expect(post(here, sale(2, 1))).rejects.toMatchObject({ code: 'creditExceeded' });
  await change('update parties set credit_limit = null where organisation = $1 and id = $2', [b.customer]);
  await post(here, sale(2, 1));
  await change(`update items set body = body || '{"batched": true}' where organisation = $1 and id = $2`, [b.items[2]]);
  await expect(post(here, sale(2, 1))).rejects.toMatchObject({ problems: [{ field: 'lines.batches' }] });
  await change(`update items set body = body - 'batched' where organisation = $1 and id = $2`, [b.items[2]]);
});

test('the same key twice, one after the other, is one document', async () => {
  const key = newId();
  const asked = { ...(await prepare(b.context(), sale(2, 1))), key, digest: digestOf('one') };
  await post(here, sale(2, 1));
  const [first, second, third] = await Promise.all([
    here.post(asked),
    here.post({ ...asked, id: newId() }),
    elsewhere.post({ ...asked, id: newId() }),
  ]);
  expect([second, third]).toEqual([first, first]);
});

test('two processes that sell the same goods in turn lose nothing, and each goes on from what the other left', async () => {
  await receive(b, b.items[3], 200, 61, '2026-04-03');
  const before = await held(3);
  await Promise.all(Array.from({ length: 120 }, (_, i) => post(i % 2 ? here : elsewhere, sale(3, 1))));
  expect(await held(3)).toBe(before - 120);
});

test('a connection that breaks takes no post with it but those on their way, and the next has a new one', async () => {
  await post(here, sale(4, 1));
  const all = Array.from({ length: 20 }, () =>
    post(here, sale(4, 1)).then(
      (posted) => posted.number,
      () => undefined,
    ),
  );
  const boss = await superuserOf(db);
  await boss.client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and usename = 'bahi_app'`,
  );
  await boss.leave();
  const numbers = (await Promise.all(all)).filter((n) => n !== undefined);
  expect(new Set(numbers).size).toBe(numbers.length);
  const { number } = await post(here, sale(4, 1));
  expect(number).toMatch(/^INV/);
});

test('a bug while deciding from the cache is reported, and does not stop the queue', async () => {
  const real = postingCache();
  let isBroken = false;
  const by = poster(b.books.pool, {
    cache: {
      ...real,
      post: (client, requests) => {
        if (isBroken) throw new TypeError('a bug');
        return real.post(client, requests);
      },
    },
  });
  await receive(b, b.items[2], 10, 60, '2026-04-04');
  await post(by, sale(2, 1));
  isBroken = true;
  await expect(post(by, sale(2, 1))).rejects.toThrow('a bug');
  isBroken = false;
  expect((await post(by, sale(2, 1))).number).toMatch(/^INV/);
});
