import { expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import { digestOf, itemLine, receive, testBooks } from '../../../tools/testing/books.ts';
import { testDatabase } from '../../../tools/testing/database.ts';
import { newId } from '../../kit/ids.ts';

const rowsRead = `
  select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as rows
  from pg_stat_user_tables
  where relname = any($1)
`;

test('a posting reads the keys and stock balances that it names, and none of the others', async () => {
  const db = await testDatabase();
  const books = await testBooks(db, {}, 40);
  for (const item of books.items) await receive(books, item, 1000, 60, '2026-04-01');
  const posts = 150;
  for (let i = 0; i < posts; i++) {
    const lines = [itemLine(books.items[i % 40], 1, 100)];
    const draft = books.draft('saleInvoice', { party: books.customer, lines });
    await books.post(draft, { key: newId(), digest: digestOf('one') });
  }
  await books.end(); // a connection tells what it has read at its end
  for (const table of ['idempotency_keys', 'item_balances']) {
    const ended = `select from pg_stat_activity where datname = current_database() and usename = 'bahi_app'`;
    while ((await db.owner.query(ended)).rowCount) await new Promise((again) => setTimeout(again, 20));
    const { rows } = await db.owner.query<{ rows: number }>(rowsRead, [[table]]);
    expect(rows[0]?.rows, table).toBeLessThan((posts + books.items.length) * 4);
  }
  await db.drop();
});

test('a document is sealed by what it says itself, whatever else the books hold', async () => {
  const db = await testDatabase();
  const books = await testBooks(db, {}, 5);
  for (const item of books.items) await receive(books, item, 1000, 60, '2026-04-01');
  const lines = books.items.map((item) => itemLine(item, 1, 100));
  const sell = async (posts: number) => {
    for (let i = 0; i < posts; i++) await books.post(books.draft('saleInvoice', { party: books.customer, lines }));
  };
  const tables = ['documents', 'document_lines', 'entries', 'movements', 'movement_costs', 'edit_log', 'seals'];
  const sealer = await db.owner.connect();
  // what other connections have read does not count: they report it whenever they come to it
  const read = async () =>
    Number(
      (await sealer.query<{ rows: number }>(rowsRead.replace('pg_stat_', 'pg_stat_xact_'), [tables])).rows[0]?.rows,
    );
  const sealed = async () => {
    await sealer.query('begin');
    const before = await read();
    const { rows } = await sealer.query<{ sealed: number }>('select seal_finished() as sealed');
    const after = await read();
    await sealer.query('commit');
    return { count: rows[0]?.sealed ?? 0, read: after - before };
  };
  await sell(150);
  await sealed();
  await sell(50);
  // what was written while a transaction of any other database was open is sealed once that one has ended
  const all = { count: 0, read: 0 };
  const counted = async () => {
    const more = await sealed();
    all.count += more.count;
    all.read += more.read;
    return all.count;
  };
  await expect.poll(counted).toBeGreaterThanOrEqual(50);
  // one document with its five lines, movements and costs and its entries, a row of the log and the seal before: some forty
  expect(all.read).toBeLessThan(all.count * 60);
  expect(all.read).toBeGreaterThan(all.count);
  sealer.release();
  await books.end();
  await db.drop();
});

test('a cost that changes is carried on to the movements that take theirs from it, and no others are read', async () => {
  const db = await testDatabase();
  const books = await testBooks(db, {}, 1);
  const [item = ''] = books.items;
  const receiveAt = (date: string) => receive(books, item, 10, 60, date);
  await receiveAt('2026-04-01');
  const at = { party: books.customer, date: '2026-04-20', lines: [itemLine(item, 2, 100)] };
  const { id } = await books.post(books.draft('saleInvoice', at));
  const back = { quantity: millionths(ONE), item, source: { document: id, line: 1 } };
  const returned = books.draft('saleReturn', { ...at, against: id, reason: '01', lines: [back] });
  await books.post({ ...returned, date: '2026-04-21' });
  const { id: sent } = await books.post(
    books.draft('branchTransfer', {
      ...{ date: '2026-04-22', location: books.location, toLocation: books.other, toRegistration: books.registration },
      lines: [itemLine(item, 1, 0)],
    }),
  );
  await books.cancel(sent);
  const client = await db.owner.connect();
  const read = async () => {
    const { rows } = await client.query<{ n: number }>(
      `
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n
        from pg_stat_xact_user_tables
        where relname in ('movements', 'documents', 'document_lines')
      `,
    );
    return rows[0]?.n ?? 0;
  };
  const followers = async (document: string, number: number) => {
    await client.query('begin');
    const before = await read();
    const { rows } = await client.query<{ day: string }>(
      `select to_char(date, 'DD') as day from stock_followers($1, $2, $3) order by 1`,
      [books.organisation, [document], [number]],
    );
    const found = { days: rows.map(({ day }) => day), read: (await read()) - before };
    await client.query('rollback');
    return found;
  };
  // what came back; what arrived on the way, and what its cancellation undoes
  expect((await followers(id, 1)).days).toEqual(['21']);
  expect((await followers(sent, 1)).days).toEqual(['22', '22']);
  for (let day = 10; day < 30; day++) for (let n = 0; n < 5; n++) await receiveAt(`2026-03-${day}`);
  await client.query('analyze');
  const many = await followers(id, 1);
  expect(many.days).toEqual(['21']);
  expect(many.read).toBeLessThan(30);
  client.release();
  await books.end();
  await db.drop();
});
