import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../server/kit/database/invariants.ts';
import { migrateOn, root } from '../server/kit/database/migrate.ts';
import { earlierMigrations } from '../server/kit/database/takeover.ts';
import { upgrade } from '../server/organisation/upgrade.ts';
import { sealAll, superuserOf } from '../tools/testing/books.ts';
import { catalogueOf, differences } from '../tools/testing/catalogue.ts';
import { administer, type ClonedDatabase, testDatabase } from '../tools/testing/database.ts';
import { testServer } from '../tools/testing/server.ts';

const file = (name: string) => fs.readFileSync(path.join(root(), 'db/takeover', name));
const earlier = earlierMigrations(file('migrations.sha256').toString());

/** A database as the last of the earlier migrations left it, with books of 47 kinds in six organisations. */
let kept: ClonedDatabase;
let fresh: ClonedDatabase;
beforeAll(async () => {
  fresh = await testDatabase();
  kept = await testDatabase('template0');
  const { client, leave } = await superuserOf(kept);
  await client.query(zlib.brotliDecompressSync(file('books.sql.br')).toString());
  // what was to be sent when the copy was made waits since then, which an invariant forbids (INV-56)
  await client.query('update outbox set created_at = now()');
  await leave();
  await kept.leave(); // others are cloned from it, which nobody may be connected to
}, 120_000);
afterAll(async () => {
  await fresh.drop();
  await administer(`drop database ${kept.name} with (force)`);
});

/** A document to post that says what a posted one of one line says. */
const draftLike = async ({ owner }: ClonedDatabase, id: string) => {
  const { rows } = await owner.query<{ document: object }>(
    `select
       jsonb_build_object(
         'kind', d.kind, 'date', d.date, 'registration', d.registration, 'location', d.location, 'party', d.party,
         'lines', jsonb_build_array(jsonb_build_object('item', l.item, 'quantity', '1', 'rate', '95'))
       ) as document
     from documents d
     join document_lines l on l.organisation = d.organisation and l.document = d.id and l.line = 1
     where d.id = $1`,
    [id],
  );
  return rows[0]?.document;
};

const tables = ['documents', 'document_lines', 'entries', 'movements', 'movement_costs', 'edit_log', 'seals'];
/** The columns of the books as they are now: what later migrations add is no loss. */
const columnsOf = async ({ owner }: ClonedDatabase) =>
  (
    await owner.query<{ name: string; columns: string }>(
      `
        select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
        from information_schema.columns
        where table_schema = 'public' and table_name = any($1)
        group by table_name
      `,
      [tables],
    )
  ).rows;
/**
 * How many rows the books have in these columns, and the digest of them all; of the edit log those up to a row: what nothing
 * logged before is logged at the update as it is found.
 */
const rowsOf = async ({ owner }: ClonedDatabase, all: Awaited<ReturnType<typeof columnsOf>>, logged: string) => {
  const rows: Record<string, unknown> = {};
  for (const { name, columns } of all) {
    const found = await owner.query(
      `
        select
          count(*)::int as n,
          encode(sha256(convert_to(string_agg(t::text, e'\\n' order by t::text), 'UTF8')), 'hex') as digest
        from (select ${columns} from ${name} where $1::bigint is not null ${name === 'edit_log' ? 'and id <= $1' : ''}) t
      `,
      [logged],
    );
    rows[name] = found.rows[0];
  }
  return rows;
};

test('a database of the last earlier migration is taken over: the schema is that of a fresh one, the books are whole and can be read', async () => {
  const old = await testDatabase(kept.name);
  const columns = await columnsOf(old);
  const [{ last } = { last: '' }] = (await old.owner.query('select max(id) as last from edit_log')).rows;
  const before = await rowsOf(old, columns, last);
  expect(before).toMatchObject({ documents: { n: 217 }, entries: { n: 574 }, edit_log: { n: 4493 } });
  expect(differences(await catalogueOf(old.owner), await catalogueOf(fresh.owner)).length).toBeGreaterThan(50);
  await upgrade(old.ownerUrl);
  expect(differences(await catalogueOf(old.owner), await catalogueOf(fresh.owner))).toEqual([]);
  const names = async ({ owner }: ClonedDatabase) =>
    (await owner.query('select name, digest from migrations order by name')).rows;
  expect(await names(old)).toEqual(await names(fresh));
  expect(await rowsOf(old, columns, last)).toEqual(before);
  expect(await brokenInvariants(old.owner)).toEqual([]);

  // and it goes on: the next start finds nothing to do, everything that was posted is shown, and more is posted
  const client = await old.owner.connect();
  expect(await migrateOn(client)).toEqual([]);
  client.release();
  const server = await testServer({}, { on: old, empty: true });
  try {
    const owner = await server.signIn('owner@sharma.demo');
    const { rows } = await old.owner.query<{ id: string; kind: string; number: string }>(
      `select d.id, d.kind, d.number
       from documents d
       join organisations o using (organisation)
       where o.code = 'SHARMA'`,
    );
    expect(new Set(rows.map(({ kind }) => kind)).size).toBeGreaterThan(35);
    for (const { id, number } of rows) {
      const shown = await owner.ask('GetTransactionDetailForInvoice', { TransactionId: id } as never);
      expect(shown).toMatchObject({ id, number });
    }
    const [sale] = rows.filter(({ kind }) => kind === 'saleInvoice');
    await owner.ask(
      'PostTransactionCalls',
      { document: { ...(await draftLike(old, sale?.id ?? '')) } } as never,
      '0192f3a0-0000-7000-8000-000000000001',
    );
    await sealAll(old);
    expect(await brokenInvariants(old.owner)).toEqual([]);
    expect(server.failures).toEqual([]);
  } finally {
    await server.stop();
  }
}, 120_000);

test('a database that lacks some of the earlier migrations is refused with what to do, and stays as it was', async () => {
  const old = await testDatabase(kept.name);
  try {
    await old.owner.query(`delete from migrations where name >= '0336'`);
    const before = await catalogueOf(old.owner);
    await expect(upgrade(old.ownerUrl)).rejects.toThrow(
      /lacks 3 of its migrations, the first of them 0336-free-goods-of-sources\.sql\. Nothing was changed\. Start it once with the last version that had them/,
    );
    expect(differences(await catalogueOf(old.owner), before)).toEqual([]);
    expect((await old.owner.query('select from migrations')).rowCount).toBe(earlier.size - 3);
  } finally {
    await old.drop();
  }
});

test.each([
  [
    'one that was changed',
    `update migrations set digest = 'another' where name = '0005-posting.sql'`,
    '0005-posting.sql',
  ],
  ['one that nobody knows', `insert into migrations values ('0341-own.sql', 'x')`, '0341-own.sql'],
])('a database with an earlier migration that no version had is refused: %s', async (_, change, name) => {
  const old = await testDatabase(kept.name);
  try {
    await old.owner.query(change);
    await expect(upgrade(old.ownerUrl)).rejects.toThrow(`The database has a migration ${name} that no version`);
    expect((await old.owner.query(`select from migrations where name = '0001-people.sql'`)).rowCount).toBe(1);
  } finally {
    await old.drop();
  }
});
