import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { itemLine, superuserOf, type TestBooks, TODAY, testBooks } from '../../../tools/testing/books.ts';
import { copyDocument, ROWS_READ } from '../../../tools/testing/copies.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { deductions } from '../../withheld/index.ts';
import { checks } from './invariants/checks.ts';

// rows read are counted, not milliseconds: those depend on what else the machine does
const COUNT = 2_000;
const PARTIES = 100;
let db: TestDatabase;
let books: TestBooks;
let superuser: pg.Client;
let leave: () => Promise<void>;
let payees: readonly string[];
/** Each test has rows of its own: how often they are read depends on what was changed and counted before. */
beforeEach(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  const opened = await superuserOf(db);
  superuser = opened.client;
  leave = opened.leave;
  const { id } = await books.post(
    books.draft('purchaseBill', {
      ...{ party: books.supplier, reference: 'M-1', referenceDate: TODAY, tdsSection: '194C' },
      lines: [itemLine(books.items[0], 50, 1000)],
    }),
  );
  payees = await copyDocument(superuser, books, id, { count: COUNT, parties: PARTIES });
});
afterEach(async () => {
  await leave();
  await books.end();
  await db.drop();
});

/** What a check finds, and how many rows of these tables it reads for that, as a sweep runs it. */
async function swept(id: string): Promise<{ readonly found: readonly string[]; readonly read: number }> {
  const client = await db.owner.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local enable_nestloop = off');
    const check = checks.find((each) => each.id === id);
    const { rows } = await client.query<{ what: string }>(
      `with broken as materialized (${check?.sql}) select what from broken`,
      check?.uses ? [[]] : [],
    );
    const read = await client.query<{ n: number }>(ROWS_READ, [['parties', 'entries', 'open_items', 'documents']]);
    return { found: rows.map((row) => row.what), read: read.rows[0]?.n ?? 0 };
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test.each(['INV-06', 'INV-06b'])('%s reads every row a few times, however wrongly tables are counted', async (id) => {
  const { found, read } = await swept(id);
  expect(found).toEqual([]);
  const { rows } = await superuser.query<{ n: number }>(
    'select ((select count(*) from entries) + (select count(*) from documents) + (select count(*) from open_items))::int as n',
  );
  expect(read).toBeGreaterThan(COUNT);
  expect(read).toBeLessThan(3 * (rows[0]?.n ?? 0));
});

test('one wrong row among them is found, whichever side is wrong', async () => {
  const wrong = async (statement: string) => {
    const { rows } = await superuser.query<{ document: string }>(statement);
    return rows[0]?.document ?? '';
  };
  const one = `(select document from open_items where party = '${payees[7]}' order by document limit 1)`;
  await superuser.query('set session_replication_role = replica');
  const opened = await wrong(
    `update open_items set original = original + 1 where document = ${one} returning document`,
  );
  expect((await swept('INV-06')).found).toEqual([
    expect.stringMatching(new RegExp(`^document ${opened} line 0 opened \\d+, its entries say -?\\d+$`)),
  ]);
  await superuser.query(`update open_items set original = original - 1 where document = '${opened}'`);
  const moved = await wrong(
    `update entries set party = '${payees[8]}' where party is not null and document = ${one} returning document`,
  );
  expect((await swept('INV-06')).found).toEqual([`document ${moved} line 0 is on the account of another party`]);
  expect((await swept('INV-06b')).found).toHaveLength(2);
  await superuser.query(`update entries set party = '${payees[7]}' where party is not null and document = '${moved}'`);
  // a merged party is read as the one it was merged into
  const [survivor, merged] = [payees[9] ?? '', payees[10] ?? ''];
  await superuser.query(`update parties set active = false, merged_into = '${survivor}' where id = '${merged}'`);
  expect((await swept('INV-06')).found).toHaveLength(COUNT / PARTIES);
  await superuser.query(`update open_items set party = '${survivor}' where party = '${merged}'`);
  expect((await swept('INV-06')).found).toEqual([]);
  expect((await swept('INV-06b')).found).toEqual([]);
  await superuser.query(
    `
      update open_items
      set party = '${merged}'
      where party = '${survivor}' and document in (select document from entries where party = '${merged}')
    `,
  );
  await superuser.query(`update parties set active = true, merged_into = null where id = '${merged}'`);
  await superuser.query('set session_replication_role = origin');
});

test('the deductions of one payee ask for the parties merged into it once, not for those of each other payee', async () => {
  const read = (party?: string) =>
    books.books.inTransaction({ organisation: books.organisation, user: books.user }, async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx); // few parties: they would rather be walked through
      const readSoFar = async () =>
        (await trx.executeQuery<{ n: number }>(CompiledQuery.raw(ROWS_READ, [['parties']]))).rows[0]?.n ?? 0;
      const before = await readSoFar();
      const found = await deductions(trx, { organisation: books.organisation, tax: 'tds', party });
      return { found, n: (await readSoFar()) - before };
    });
  // counted, as parties are sooner or later; of so few, an index of all serves as well as their keys otherwise
  await db.owner.query('analyze parties');
  const own = await read(payees[3]);
  expect(own.found).toHaveLength(COUNT / PARTIES);
  expect(own.found.every(({ party }) => party === payees[3])).toBe(true);
  expect(own.n).toBeLessThan(COUNT);
  const all = await read();
  expect(all.found).toHaveLength(COUNT + 1);
  expect(all.n).toBeLessThan(3 * COUNT);
  // merged, both are asked for by either name
  await superuser.query(`update parties set active = false, merged_into = '${payees[4]}' where id = '${payees[3]}'`);
  for (const asked of [payees[3], payees[4]]) {
    const { found } = await read(asked);
    expect(found).toHaveLength((2 * COUNT) / PARTIES);
    expect(new Set(found.map(({ party }) => party))).toEqual(new Set([payees[4]]));
  }
});
