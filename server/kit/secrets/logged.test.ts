import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestBooks, testBooks } from '../../../tools/testing/books.ts';
import { makeOperator, type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants, sweepWithin } from '../database/invariants.ts';
import { newId } from '../ids.ts';

let db: TestDatabase;
let first: TestBooks;
let second: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  first = await testBooks(db, {}, 1);
  second = await testBooks(db, {}, 1);
});
afterAll(async () => {
  await first.end();
  await second.end();
  await db.drop();
});

const insertPerson = async (pool: pg.Pool | pg.ClientBase, email: string): Promise<string> => {
  const id = newId();
  await pool.query('insert into people (id, email, name, password_hash) values ($1, $2, $2, $3)', [
    id,
    email,
    'hash A',
  ]);
  return id;
};
const join = (pool: pg.Pool | pg.ClientBase, organisation: number, person: string) =>
  pool.query(
    `
      insert into users (organisation, id, person, email, name, accepted_at)
      select $1, $2, id, email, name, now()
      from people
      where id = $3
    `,
    [organisation, newId(), person],
  );
const eventsOf = async (person: string) =>
  (
    await db.owner.query<{ organisation: number; action: string; relation: string; after: Record<string, unknown> }>(
      `select organisation, action, relation, after
         from edit_log
        where relation in ('people', 'recovery_codes') and coalesce(after, before) ->> 'person' = $1
        order by id`,
      [person],
    )
  ).rows;

test('a changed password or second factor is logged in each organisation of the person, by a salted digest', async () => {
  const person = await insertPerson(db.owner, 'both@books.test');
  await join(db.owner, first.organisation, person);
  await db.owner.query(`insert into recovery_codes (person, digest) values ($1, sha256('ABCDE23456'))`, [person]);
  await join(db.owner, second.organisation, person);
  expect(
    (await eventsOf(person)).map(({ organisation, action, relation }) => [organisation, action, relation]),
  ).toEqual([
    [first.organisation, 'insert', 'people'],
    [first.organisation, 'insert', 'recovery_codes'],
    [second.organisation, 'insert', 'people'],
    [second.organisation, 'insert', 'recovery_codes'],
  ]);
  // what moves at every sign-in is no change of who somebody is
  await db.app.query(`update people set totp_last_step = 7, preferences = '{"theme": "dark"}' where id = $1`, [person]);
  expect(await eventsOf(person)).toHaveLength(4);
  await db.app.query(`update people set password_hash = 'hash B' where id = $1`, [person]);
  const [, , , , ...changed] = await eventsOf(person);
  expect(changed.map(({ organisation, action }) => [organisation, action])).toEqual([
    [first.organisation, 'update'],
    [second.organisation, 'update'],
  ]);
  const all = JSON.stringify(await eventsOf(person));
  const { rows } = await db.owner.query<{ kept: string[] }>(
    `
      select array[
        p.log_salt::text, encode(c.digest, 'hex'), encode(sha256(c.digest), 'hex'),
        encode(sha256(convert_to(encode(c.digest, 'hex'), 'UTF8')), 'hex'), encode(sha256('hash B'), 'hex'),
        'hash A', 'hash B'
      ] as kept
      from people p
      join recovery_codes c on c.person = p.id
      where p.id = $1
    `,
    [person],
  );
  expect(rows[0]?.kept.filter((text) => all.includes(text))).toEqual([]);
  await db.app.query('delete from recovery_codes where person = $1', [person]);
  expect((await eventsOf(person)).slice(-2).map(({ action, relation }) => [action, relation])).toEqual([
    ['delete', 'recovery_codes'],
    ['delete', 'recovery_codes'],
  ]);
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
test.each([
  ['a password', `update people set password_hash = 'hash C' where id = $1`],
  ['a recovery code', `insert into recovery_codes (person, digest) values ($1, sha256('FGHIJ23456'))`],
])('of a person who joins while %s is changed the log has the new value, in either order', async (_, change) => {
  for (const joinsFirst of [true, false]) {
    const person = await insertPerson(db.owner, `meanwhile${newId()}@books.test`);
    await join(db.owner, first.organisation, person);
    const client = await db.owner.connect();
    await client.query('begin');
    const joins = (pool: pg.Pool | pg.ClientBase) => join(pool, second.organisation, person);
    const changes = (pool: pg.Pool | pg.ClientBase) => pool.query(change, [person]);
    await (joinsFirst ? joins : changes)(client);
    const other = (joinsFirst ? changes : joins)(db.owner);
    await expect.poll(async () => (await db.owner.query(waiting)).rowCount).toBeGreaterThan(0);
    await client.query('commit');
    client.release();
    await other;
    expect(await brokenInvariants(db.owner)).toEqual([]);
  }
});

test('what opens a door or is a secret: a change past the triggers of the log is found, one by the product is none', async () => {
  const own = await testDatabase();
  const client = await own.owner.connect();
  const books = await testBooks(own, {}, 1);
  await client.query(`update people set password_hash = 'hash A', totp_secret = '\\x01'`);
  const { rows: people } = await client.query<{ email: string }>('select email from people');
  for (const { email } of people) await makeOperator(own, email);
  await client.query(`insert into recovery_codes (person, digest) select id, '\\x01' from people`);
  await client.query(
    `insert into credentials (organisation, registration, client_id, user_name, secret) values ($1, $2, 'x', 'y', '\\x01')`,
    [books.organisation, books.registration],
  );
  await client.query(
    `insert into payment_gateways (organisation, provider, key_id, secret, settlement_ledger)
     select organisation, 'x', 'y', '\\x01', id from ledgers where not is_group limit 1`,
  );
  await client.query('select seal_finished()');
  expect(await brokenInvariants(own.owner)).toEqual([]);
  for (const change of [
    `update people set totp_secret = null`,
    `update people set operator = false`,
    `update recovery_codes set digest = '\\x02'`,
    `update credentials set secret = '\\x02'`,
    `update payment_gateways set secret = '\\x02'`,
  ]) {
    await client.query('begin');
    for (const table of ['people', 'recovery_codes', 'credentials', 'payment_gateways'])
      await client.query(`alter table ${table} disable trigger user`);
    await client.query(change);
    const found = await sweepWithin(client, { only: ['INV-44d'] });
    expect(found[0]?.broken, change).not.toEqual([]);
    await client.query('rollback');
  }
  // and a change by the product is none
  await client.query(`update credentials set secret = '\\x03'`);
  await client.query(`update people set password_hash = 'hash B'`);
  expect(await brokenInvariants(own.owner)).toEqual([]);
  client.release();
  await books.end();
  await own.drop();
});

test('a code of an item is followed through the log', async () => {
  const own = await testBooks(db);
  await own.end();
  const code = `insert into item_barcodes (organisation, item, barcode) select organisation, id, 'K-1' from items where organisation = $1 limit 1`;
  await db.owner.query(code, [own.organisation]);
  expect(await brokenInvariants(db.owner)).toEqual([]);
  const client = await db.owner.connect();
  try {
    await client.query('begin');
    await client.query(`update item_barcodes set barcode = 'K-2' where barcode = 'K-1'`);
    expect((await sweepWithin(client, { only: ['INV-44d'] }))[0]?.broken[0]?.what).toMatch(
      /^item_barcodes .* is not as the log left it$/,
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a column that a migration renamed: what was logged under its former name is known', async () => {
  const own = await testDatabase();
  const client = await own.owner.connect();
  const books = await testBooks(own, {}, 1);
  await client.query('update parties set merged_into = $2, active = false where id = $1', [
    books.customer,
    books.supplier,
  ]);
  expect(await brokenInvariants(own.owner)).toEqual([]);
  const former = (record: string) =>
    `case when ${record}->'merged_into' = 'null' then ${record} - 'merged_into' || '{"heir": null}'
          else ${record} - 'merged_into' || jsonb_build_object('heir', $1::text) end`;
  const underFormerName = `
    update edit_log set before = ${former('before')}, after = ${former('after')} where relation = 'parties'`;
  for (const [survivor, found] of [
    [books.supplier, 0],
    [books.customer, 1],
  ] as const) {
    await client.query('begin');
    await client.query('alter table edit_log disable trigger user');
    await client.query(underFormerName, [survivor]);
    expect((await sweepWithin(client, { only: ['INV-44d'] }))[0]?.broken).toHaveLength(found);
    await client.query('rollback');
  }
  client.release();
  await books.end();
  await own.drop();
});
