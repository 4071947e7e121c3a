import { expect, test } from 'vitest';
import { digestOf, itemLine, receive, testBooks } from '../../tools/testing/books.ts';
import { testDatabase } from '../../tools/testing/database.ts';
import { newId } from '../kit/ids.ts';

test('a posting reads the keys and shelves that it names, and none of the others', async () => {
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
  const read = `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables where relname = $1`;
  for (const table of ['idempotency_keys', 'item_balances']) {
    const ended = `select from pg_stat_activity where datname = current_database() and usename = 'bahi_app'`;
    while ((await db.owner.query(ended)).rowCount) await new Promise((again) => setTimeout(again, 20));
    const { rows } = await db.owner.query<{ rows: number }>(read, [table]);
    expect(rows[0]?.rows, table).toBeLessThan((posts + books.items.length) * 4);
  }
  await db.drop();
});
