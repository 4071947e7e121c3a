import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../server/kit/database/migrate.ts';
import { catalogueOf, differences } from '../tools/testing/catalogue.ts';
import { type ClonedDatabase, testDatabase } from '../tools/testing/database.ts';

const read = (folder: string) => {
  const full = path.join(root(), folder);
  return fs
    .readdirSync(full)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: fs.readFileSync(path.join(full, name), 'utf8') }));
};
const schema = read('db/schema');
const migrations = read('db/migrations');

/** What was released, by its SHA-256: a row is added with a release, and none is ever changed. */
const released: Readonly<Record<string, string>> = {
  '0001-schema.sql': 'ccdb90e592915a8d32b5b9926c6c7b29e38a697ab5593743127d77952c172a97',
};

let migrated: ClonedDatabase;
let client: pg.Client;
let catalogue: Awaited<ReturnType<typeof catalogueOf>>;
beforeAll(async () => {
  migrated = await testDatabase();
  client = new pg.Client({ connectionString: migrated.ownerUrl });
  await client.connect();
  catalogue = await catalogueOf(client);
});
afterAll(async () => {
  await client.end();
  await migrated.drop();
});

test('a database made from db/schema is the one that the migrations make', async () => {
  const made = await testDatabase('template0');
  const owner = await made.owner.connect();
  try {
    // the migrator makes this one
    await owner.query(
      'create table migrations (name text primary key, digest text not null, applied_at timestamptz not null default now())',
    );
    await owner.query(`begin;\n${schema.map(({ text }) => text).join('')}\n;commit`);
    expect(Object.keys(catalogue).length).toBeGreaterThan(3000);
    expect(differences(await catalogueOf(owner), catalogue)).toEqual([]);
  } finally {
    owner.release();
    await made.drop();
  }
});

describe('what differs is found', () => {
  test.each([
    ['a column', 'alter table parties add column tampered text'],
    ['a column that is gone', 'alter table parties drop column pan cascade'],
    ['the order of columns', 'alter table notifications drop column link, add column link text'],
    ['a type', 'alter table locks alter column reason type varchar(9)'],
    ['a default', 'alter table parties alter column credit_days set default 30'],
    ['a column that may be empty', 'alter table parties alter column state drop not null'],
    ['a check', 'alter table entries drop constraint entries_check'],
    ['a foreign key', 'alter table entries drop constraint entries_organisation_ledger_fkey'],
    [
      'a foreign key that holds for new rows only',
      `alter table entries drop constraint entries_organisation_ledger_fkey,
         add constraint entries_organisation_ledger_fkey foreign key (organisation, ledger) references ledgers not valid`,
    ],
    ['an index', 'drop index documents_list'],
    ['a table', 'create table notes (id int)'],
    ['row-level security', 'alter table drafts no force row level security'],
    ['a policy', 'alter policy tenant on drafts using (true)'],
    ['a trigger', 'drop trigger written_once on entries'],
    ['a trigger that is off', 'alter table entries disable trigger written_once'],
    [
      'the text of a function',
      `create or replace function bare_number(number text) returns text
       language sql immutable as $$ select upper(number) $$`,
    ],
    ['how a function is planned', 'alter function latest_cost(int, uuid, int) set enable_seqscan = off'],
    ['under whom a function runs', 'alter function latest_cost(int, uuid, int) security definer'],
    ['a right on a function', 'grant execute on function seal_finished(int) to bahi_app'],
    ['a right on a table', 'grant update on entries to bahi_app'],
    ['a right on a column', 'grant update (debit) on entries to bahi_app'],
    ['a right on a sequence', 'revoke usage on sequence movement_sequence from bahi_app'],
    ['a right of all that comes', 'alter default privileges grant select on tables to bahi_app'],
    ['a type of the posting', 'alter type writing_entry add attribute note text'],
    ['a view', 'create or replace view user_places with (security_invoker = false) as table user_places'],
    ['a sequence', 'alter sequence movement_sequence increment 2'],
    ['how full pages are', 'alter table item_balances set (fillfactor = 100)'],
    ['a table of no organisation', `insert into global_tables (name, why) values ('drafts', 'for a moment')`],
    ['a table of the sandbox', 'alter table sandbox.faults drop column options'],
  ])('%s', async (_, change) => {
    await client.query('begin');
    try {
      await client.query(change);
      expect(differences(await catalogueOf(client), catalogue)).not.toEqual([]);
    } finally {
      await client.query('rollback');
    }
    expect(differences(await catalogueOf(client), catalogue)).toEqual([]);
  });
});

test('a migration that was released has not changed', () => {
  const digests = migrations.map(({ name, text }) => [name, createHash('sha256').update(text).digest('hex')]);
  expect(Object.fromEntries(digests)).toMatchObject(released);
});

test('migrations are numbered without gaps, and none edits a function as text', () => {
  expect(migrations.map(({ name }) => name.slice(0, 5))).toEqual(
    migrations.map((_, n) => `${String(n + 1).padStart(4, '0')}-`),
  );
  // a function is given whole: who reviews it sees all of it
  const edited = [...schema, ...migrations].filter(({ text }) => text.includes('pg_get_functiondef'));
  expect(edited.map(({ name }) => name)).toEqual([]);
});

test('each object of the schema is written once, in the file of its topic', () => {
  const made = schema.flatMap(({ text }) =>
    [...text.matchAll(/^create (?:table|view|type|function|sequence|(?:unique )?index) ([\w.]+)/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(made.length).toBeGreaterThan(300);
  expect(made.filter((name, n) => made.indexOf(name) !== n)).toEqual([]);
});
