import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { type Link, linkTo } from '../../../tools/testing/link.ts';
import { type Books, openBooks } from './sql.ts';

let db: TestDatabase;
let link: Link;
let books: Books;
beforeAll(async () => {
  db = await testDatabase();
  link = await linkTo(db.url);
  books = openBooks(link.url, 2, 500);
});
afterAll(async () => {
  await books.end();
  await link.close();
  await db.drop();
});

test('F-10: on a line that takes every word and gives none back nobody waits for ever, and the pool is not used up', async () => {
  const one = () => books.pool.query<{ one: number }>('select 1 as one').then(({ rows }) => rows[0]?.one);
  const work = () => books.inTransaction({ organisation: 1, user: '' }, (trx) => sql`select 1`.execute(trx));
  expect(await one()).toBe(1);
  link.swallow(true);
  const began = performance.now();
  // more than there are connections, alone and within transactions
  const asked = await Promise.allSettled([one(), work(), one(), work(), one()]);
  expect(performance.now() - began).toBeLessThan(9_000);
  for (const each of asked)
    expect(String((each as PromiseRejectedResult).reason)).toMatch(
      /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/,
    );
  link.swallow(false);
  expect(await Promise.all([one(), one(), one()])).toEqual([1, 1, 1]);
  await work();
  expect(books.pool.totalCount).toBeLessThanOrEqual(2);
}, 30_000);

test('a line is not given up while the database is at work, nor while nobody asks', async () => {
  const slow = openBooks(db.url, 1, 1500);
  expect((await slow.pool.query('select pg_sleep(1)')).rowCount).toBe(1);
  await new Promise((later) => setTimeout(later, 2000));
  expect((await slow.pool.query('select 1')).rowCount).toBe(1);
  await slow.end();
});

test('who was dismissed by the database is not lent to the next', async () => {
  const one = openBooks(db.url, 1);
  for (let round = 0; round < 20; round += 1) {
    const client = await one.pool.connect();
    await expect(client.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({
      code: '57P01',
    });
    client.release();
    expect((await one.pool.query('select 1')).rowCount).toBe(1);
  }
  await one.end();
});
