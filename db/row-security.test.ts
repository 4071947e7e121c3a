import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../tools/testing/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test('INV-41: every table of an organisation has forced row-level security with check, and the application owns nothing', async () => {
  const { rows } = await db.owner.query(`
    select c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public'
      and c.relkind in ('r', 'p')
      and c.relname not in (select name from global_tables)
      and (
        not c.relrowsecurity
          or not c.relforcerowsecurity
          or pg_get_userbyid(c.relowner) = 'bahi_app'
          or not exists (
            select from pg_policies p
            where p.tablename = c.relname
              and 'bahi_app' = any(p.roles)
              and p.qual is not null
              and p.with_check is not null
          )
      )
  `);
  expect(rows).toEqual([]);
  const seen = await db.owner.query(`select count(*)::int as n from pg_policies where policyname = 'tenant'`);
  expect(seen.rows[0].n).toBeGreaterThan(30);
  const role = await db.owner.query(
    `select rolsuper or rolbypassrls as dangerous from pg_roles where rolname = 'bahi_app'`,
  );
  expect(role.rows[0].dangerous).toBe(false);
});

test('INV-42, INV-43: the organisation is in every foreign key and first in every unique index', async () => {
  const keys = await db.owner.query(`
    select conrelid::regclass::text as name, conname
    from pg_constraint f
    where contype = 'f'
      and connamespace = 'public'::regnamespace
      and confrelid::regclass::text not in (select name from global_tables)
      and conrelid::regclass::text not in (select name from global_tables)
      and not exists (
        select from pg_attribute a
        where a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname = 'organisation'
      )
  `);
  expect(keys.rows).toEqual([]);
  const indexes = await db.owner.query(`
    select i.indexrelid::regclass::text as name
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public'
      and i.indisunique
      and c.relname not in (select name from global_tables)
      and c.relname <> 'organisations'
      and (
        select attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      ) <> 'organisation'
  `);
  expect(indexes.rows).toEqual([]);
});

test('INV-50, INV-52: no float anywhere, and a date of the books has no time', async () => {
  const { rows } = await db.owner.query(
    `
      select table_name, column_name
      from information_schema.columns
      where table_schema = 'public' and data_type in ('real', 'double precision', 'timestamp without time zone')
    `,
  );
  expect(rows).toEqual([]);
});

test('without an organisation nothing is seen, and another one cannot be written', async () => {
  await db.owner.query(`insert into organisations (code, name) values ('ONE', 'One'), ('TWO', 'Two')`);
  expect((await db.app.query('select * from organisations')).rows).toEqual([]);
  const client = await db.app.connect();
  await client.query('begin');
  await client.query(`select set_config('app.organisation', '1', true)`);
  expect((await client.query('select code from organisations')).rows).toEqual([{ code: 'ONE' }]);
  await expect(
    client.query(`insert into roles (organisation, id, name) values (2, gen_random_uuid(), 'Owner')`),
  ).rejects.toThrow(/row-level security/);
  await client.query('rollback');
  client.release();
});

/** Columns that hold an id and have no foreign key, each with why. */
const unkeyed: Readonly<Record<string, string>> = {
  'document_comments.document': 'a draft or the document it became: the trigger beside_something proves it',
  'document_files.document': 'a draft or the document it became: the trigger beside_something proves it',
  'edit_log.who': 'people who belong to no organisation act too (operator, setup), and what they did is logged',
  'exchange_revaluation_turns.journal': 'the number of the journal that this turn is about to post; it may be refused',
  'idempotency_keys.key': 'made by the caller; it names a request',
  'record_files.record': 'a party or an item: the trigger beside_record proves it',
  'recurring_bills.source': 'the document it was made from, kept for reading: a draft may be its source',
  'recurring_turns.document': 'the draft or the document that a turn made; a draft may be deleted',
  'till_sessions.device': 'made by a browser; it names that browser',
  'webhook_deliveries.about': 'a document, a party or an item: its event says which',
};

test('every column that holds an id has a foreign key, or a reason', async () => {
  const { rows } = await db.owner.query<{ name: string }>(`
    select format('%s.%s', c.relname, a.attname) as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p')
       and c.relname not in (select name from global_tables)
       and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)
       and a.attname <> 'id'
       and not exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey))
     order by 1`);
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(unkeyed).sort());
});

test('every row of the books names its organisation by a foreign key, and every key is proved of all rows', async () => {
  const { rows } = await db.owner.query(`
    select conname from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and not convalidated`);
  expect(rows).toEqual([]);
  const loose = await db.owner.query(`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not in (select name from global_tables)
       and not exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f')
     order by 1`);
  // the organisations themselves, and the log, which outlives what it tells of
  expect(loose.rows.map(({ name }) => name)).toEqual(['edit_log', 'organisations', 'seals']);
});
