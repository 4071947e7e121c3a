import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../server/kit/database/invariants.ts';
import { newId } from '../server/kit/ids.ts';
import { itemLine, sealAll, superuserOf, type TestBooks, TODAY, testBooks } from '../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../tools/testing/database.ts';

let db: TestDatabase;
let one: TestBooks;
let two: TestBooks;
let sale: string;
beforeAll(async () => {
  db = await testDatabase();
  [one, two] = [await testBooks(db), await testBooks(db)];
  for (const books of [one, two]) {
    await books.post(
      books.draft('purchaseBill', {
        party: books.supplier,
        reference: 'M-1',
        referenceDate: TODAY,
        lines: [itemLine(books.items[0], 50, 60)],
      }),
    );
    const { id } = await books.post(
      books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 2, 100)] }),
    );
    if (books === one) sale = id;
  }
});
afterAll(async () => {
  await Promise.all([one.end(), two.end()]);
  await db.drop();
});

/** Runs statements in a transaction that is always rolled back. */
async function trying<T>(pool: pg.Pool, organisation: number | null, work: (client: pg.PoolClient) => Promise<T>) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (organisation !== null)
      await client.query(`select set_config('app.organisation', $1, true)`, [`${organisation}`]);
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const written = ['documents', 'document_lines', 'entries', 'movements', 'movement_costs', 'edit_log'];

describe('INV-11: what is posted is written once', () => {
  test.each(written)('%s: no update, delete or truncate for the application', async (table) => {
    for (const sql of [
      `update ${table} set organisation = organisation`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ])
      await trying(db.app, one.organisation, (c) => expect(c.query(sql)).rejects.toThrow(/permission denied/));
  });
  test.each(written)('%s: nor for the owner', async (table) => {
    for (const sql of [
      `update ${table} set organisation = organisation`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ])
      await trying(db.owner, null, (c) => expect(c.query(sql)).rejects.toThrow(/written once/));
  });
  test('the application writes no log and no seal of its own', async () => {
    for (const sql of [
      `insert into edit_log (organisation, action, relation, row_id) values (${one.organisation}, 'post', 'documents', '')`,
      `insert into seals (organisation, sequence, log, xid, digest, seal) values (${one.organisation}, 1, 1, '1', '', '')`,
      'select seal_finished()',
      'alter table entries disable trigger written_once',
    ])
      await trying(db.app, one.organisation, (c) => expect(c.query(sql)).rejects.toThrow(/permission denied|owner/));
  });
});

describe('the books have one door', () => {
  test.each(['documents', 'document_lines', 'entries', 'movements'])(
    '%s: the application copies no row beside it',
    async (table) => {
      await trying(db.app, one.organisation, (c) =>
        expect(c.query(`insert into ${table} select * from ${table} limit 0`)).rejects.toThrow(/permission denied/),
      );
    },
  );
  test.each(['ledger_day_totals', 'ledger_month_totals'])('%s: nor a total', async (table) => {
    for (const sql of [`insert into ${table} select * from ${table} limit 0`, `update ${table} set debit = debit`])
      await trying(db.app, one.organisation, (c) => expect(c.query(sql)).rejects.toThrow(/permission denied/));
  });
});

test('no table made by the application hides one of the books, where a function runs as their owner', async () => {
  const { rows } = await db.owner.query(
    `select proname as name, coalesce((select c from unnest(proconfig) c where c like 'search_path=%'), '') as path
       from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ path }) => path !== 'search_path=public, pg_temp')).toEqual([]);
});

describe('INV-01, INV-03: entries', () => {
  /** A document of its own takes these entries; `from` is its first leg. */
  const entry = async (
    client: pg.PoolClient,
    rows: readonly (readonly [debit: number, credit: number])[],
    { document = newId(), from = 1 } = {},
  ) => {
    if (document !== sale)
      await client.query(
        `
          insert into documents
          select (jsonb_populate_record(d, jsonb_build_object('id', $1::text, 'number', d.number || 'x'))).*
          from documents d
          where d.id = $2
        `,
        [document, sale],
      );
    return client.query(
      `
        insert into entries (organisation, document, leg, date, ledger, registration, location, debit, credit)
        select $1, $2, $9::int - 1 + n, $3, $4, $5, $6, debit, credit
        from unnest($7::bigint[], $8::bigint[]) with ordinality t(debit, credit, n)
      `,
      [
        one.organisation,
        document,
        TODAY,
        ledger,
        one.registration,
        one.location,
        rows.map((r) => r[0]),
        rows.map((r) => r[1]),
        from,
      ],
    );
  };
  let ledger: string;
  beforeEach(async () => {
    ledger = await one.ledger('1110');
  });
  test('a document that does not balance is refused', async () => {
    await trying(db.owner, one.organisation, (c) => expect(entry(c, [[100, 0]])).rejects.toThrow(/out by 100 paise/));
    await trying(db.owner, one.organisation, (c) =>
      expect(
        entry(c, [
          [100, 0],
          [0, 99],
        ]),
      ).rejects.toThrow(/out by 1 paise/),
    );
  });
  test('one that balances is taken', async () => {
    const { rowCount } = await trying(db.owner, one.organisation, (c) =>
      entry(c, [
        [100, 0],
        [0, 100],
      ]),
    );
    expect(rowCount).toBe(2);
  });
  test('a posted document takes none, though they balance', async () => {
    const pair = [
      [100, 0],
      [0, 100],
    ] as const;
    await trying(db.owner, one.organisation, (c) =>
      expect(entry(c, pair, { document: sale, from: 100 })).rejects.toThrow(/has 2 legs and is out by 0 paise/),
    );
    await trying(db.owner, one.organisation, (c) =>
      expect(entry(c, pair, { document: sale })).rejects.toMatchObject({ constraint: 'entries_pkey' }),
    );
  });
  test('an entry of nothing, of both sides or negative is refused', async () => {
    for (const bad of [
      [0, 0],
      [5, 5],
      [-5, 0],
    ] as const)
      await trying(db.owner, one.organisation, (c) => expect(entry(c, [bad])).rejects.toThrow(/check constraint/));
  });
});

describe('INV-42: what the rows of the books name is there, and stays there', () => {
  const head = (c: pg.PoolClient, copy: string, given: object = {}) =>
    c.query(
      `
        insert into documents
        select (
          jsonb_populate_record(d, jsonb_build_object('id', $1::text, 'number', d.number || 'x') || $3::jsonb)
        ).*
        from documents d
        where d.id = $2
      `,
      [copy, sale, JSON.stringify(given)],
    );
  /** The rows of the sale once more, for a copy of it. */
  const rows = (c: pg.PoolClient, table: string, given: object) =>
    c.query(
      `insert into ${table} select (jsonb_populate_record(r, $1::jsonb)).* from ${table} r where organisation = $2 and document = $3`,
      [JSON.stringify(given), one.organisation, sale],
    );
  const theirs = async (column: string): Promise<string | undefined> =>
    ({
      item: two.items[0],
      party: two.customer,
      location: two.location,
      to_location: two.location,
      registration: two.registration,
      ledger: await two.ledger('1110'),
    })[column];

  test.each([
    ['documents', 'to_location'],
    ['documents', 'series'],
    ['documents', 'author'],
    ['document_lines', 'item'],
    ['document_lines', 'ledger'],
    ['document_lines', 'party'],
    ['document_lines', 'document'],
    ['movements', 'item'],
    ['movements', 'location'],
    ['movements', 'room'],
    ['movements', 'document'],
    ['entries', 'ledger'],
    ['entries', 'party'],
    ['entries', 'registration'],
    ['entries', 'location'],
    ['entries', 'cost_centre'],
    ['entries', 'document'],
    ['movement_costs', 'document_number'],
    ['movement_costs', 'cause'],
  ])('%s: a %s that another organisation has, or nobody', async (table, column) => {
    const document = newId();
    const refused = { code: '23503', table, constraint: `${table}_organisation_${column}_fkey` };
    for (const named of [await theirs(column), newId()]) {
      if (named === undefined) continue;
      const given = {
        document,
        ...(table === 'movement_costs' && { cause: document, ...(column === 'cause' && { revision: 1 }) }),
        ...(!['document', 'document_number'].includes(column) && { [column]: named }),
      };
      // costs of movements are what the application still writes itself
      for (const pool of column === 'document_number' ? [db.app, db.owner] : [db.owner])
        await trying(pool, one.organisation, async (c) => {
          if (table === 'documents')
            return expect(head(c, document, { [column]: named })).rejects.toMatchObject(refused);
          if (pool === db.owner && column !== 'document') await head(c, document);
          if (column === 'cause') await rows(c, 'movements', { document });
          await expect(rows(c, table, given)).rejects.toMatchObject(refused);
        });
    }
  });
  test('what is there is taken', async () => {
    const document = newId();
    await trying(db.owner, one.organisation, async (c) => {
      await head(c, document, { to_location: one.other });
      for (const table of ['document_lines', 'movements', 'entries', 'movement_costs']) {
        const { rowCount } = await rows(c, table, { document, ...(table === 'movement_costs' && { cause: document }) });
        expect(rowCount, table).toBeGreaterThan(0);
      }
    });
  });
  test.each([
    ['items', () => one.items[0]],
    ['parties', () => one.customer],
    ['ledgers', () => one.ledger('4110')],
    ['locations', () => one.location],
    ['users', () => one.user],
  ] as const)('%s: nobody deletes a row that is named, or changes its key', async (table, which) => {
    const id = await which();
    for (const sql of [
      `delete from ${table} where id = $1`,
      `update ${table} set id = gen_random_uuid() where id = $1`,
    ])
      await trying(db.owner, null, (c) => expect(c.query(sql, [id]), sql).rejects.toMatchObject({ code: '23503' }));
    const same = await trying(db.owner, null, (c) =>
      c.query(`update ${table} set id = id, organisation = organisation where id = $1`, [id]),
    );
    expect(same.rowCount).toBe(1);
  });
});

test('INV-30: a number is unique in its registration and year, whatever its case', async () => {
  const copy = `
    insert into documents
    select (jsonb_populate_record(d, jsonb_build_object('id', $1::text, 'number', lower(d.number)))).*
    from documents d
    where d.id = $2
  `;
  await trying(db.owner, null, (c) =>
    expect(c.query(copy, [newId(), sale])).rejects.toMatchObject({ constraint: 'documents_number' }),
  );
  const other = copy.replace(`lower(d.number)`, `lower(d.number) || 'x'`);
  const taken = await trying(db.owner, null, (c) => c.query(other, [newId(), sale]));
  expect(taken.rowCount).toBe(1);
});

describe('S-12: another organisation', () => {
  const tenants = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relname not in (select name from global_tables) order by 1`;
  test('no table shows a row without an organisation, nor one of another', async () => {
    const { rows } = await db.owner.query(tenants);
    expect(rows.length).toBeGreaterThan(30);
    let seen = 0;
    for (const { name } of rows) {
      const none = await trying(db.app, null, (c) => c.query(`select from ${name}`));
      expect(none.rowCount, name).toBe(0);
      const own = await trying(db.app, one.organisation, (c) =>
        c.query(`select count(*) filter (where organisation = $1)::int as own, count(*)::int as all from ${name}`, [
          one.organisation,
        ]),
      );
      expect(own.rows[0].all, name).toBe(own.rows[0].own);
      seen += own.rows[0].own;
    }
    expect(seen).toBeGreaterThan(100);
  });
  test('its rows are neither changed nor written', async () => {
    const changed = await trying(db.app, one.organisation, (c) =>
      c.query('update parties set name = $1 where organisation = $2', ['theirs', two.organisation]),
    );
    expect(changed.rowCount).toBe(0);
    await trying(db.app, one.organisation, (c) =>
      expect(
        c.query(`insert into masters (organisation, master, id, code, name) values ($1, 'unit', $2, 'X', 'X')`, [
          two.organisation,
          newId(),
        ]),
      ).rejects.toThrow(/row-level security/),
    );
  });
  test('its documents are no source, party or ledger of ours', async () => {
    await trying(db.owner, null, (c) =>
      expect(
        c.query('insert into document_links (organisation, source, target) values ($1, $2, $2)', [
          two.organisation,
          sale,
        ]),
      ).rejects.toThrow(/foreign key/),
    );
  });
  test.each([
    ['write_documents', `null, null, null, null, '{}', '{}', '{}', '{}', '{}', '{}', '{}', null`],
    ['write_documents', `null, null, null, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', null`],
    ['write_system_document', Array(25).fill('null').join(', ')],
  ])('the function %s(…, %s) refuses it, and a role without the right', async (name, given) => {
    const call = `select * from ${name}($1, ${given})`;
    const refused = (c: pg.PoolClient) =>
      expect(c.query(call, [two.organisation])).rejects.toThrow('another organisation');
    await trying(db.app, one.organisation, refused);
    // a posting from memory is a transaction of its own, and names its organisation itself
    if (!given.startsWith(`null, null, null, '{}'`)) await trying(db.app, null, refused);
    const { rows } = await db.owner.query('select proacl::text[] as rights from pg_proc where proname = $1', [name]);
    expect(rows).toEqual([{ rights: ['bahi_owner=X/bahi_owner', 'bahi_app=X/bahi_owner'] }]);
  });
  test('the same codes may be in both', async () => {
    const { rows } = await db.owner.query(`select count(*)::int as n from parties where code = 'C1'`);
    expect(rows[0].n).toBe(2);
  });
});

describe('INV-44: the edit log', () => {
  test('a posted document is one row; a change is one row with before and after and who', async () => {
    const posted = await db.owner.query(
      `select who, before, after from edit_log where relation = 'documents' and row_id = $1`,
      [sale],
    );
    expect(posted.rows).toEqual([{ who: one.user, before: null, after: null }]);
    await one.books.inTransaction({ organisation: one.organisation, user: one.user }, async (trx) => {
      await trx.updateTable('parties').set({ name: 'Asha & Sons' }).where('id', '=', one.customer).execute();
      await trx.updateTable('parties').set({ name: 'Asha & Sons' }).where('id', '=', one.customer).execute();
    });
    const { rows } = await db.owner.query(
      `select who, action, before ->> 'name' as before, after ->> 'name' as after from edit_log where row_id = $1 and action = 'update'`,
      [one.customer],
    );
    expect(rows).toEqual([{ who: one.user, action: 'update', before: 'Asha Traders', after: 'Asha & Sons' }]);
  });
  test('a change by hand names the role of the database', async () => {
    await db.owner.query(`update items set name = 'By hand' where id = $1`, [one.items[1]]);
    const { rows } = await db.owner.query(`select who, origin from edit_log where row_id = $1 and action = 'update'`, [
      one.items[1],
    ]);
    expect(rows).toEqual([{ who: null, origin: 'bahi_owner' }]);
  });
  test('secrets are not in it', async () => {
    await db.owner.query(
      `insert into credentials (organisation, registration, client_id, user_name, secret) values ($1, $2, 'c', 'u', 'canary-secret')`,
      [one.organisation, one.registration],
    );
    const { rows } = await db.owner.query(`select l.after from edit_log l where relation = 'credentials'`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/canary|63616e617279/);
  });
  test('seals chain every row once, in order, and the books hold', async () => {
    await sealAll(db);
    expect((await db.owner.query('select seal_finished() as n')).rows[0].n).toBe(0);
    const { rows } = await db.owner.query(
      'select (select count(*) from seals)::int as seals, (select count(*) from edit_log)::int as logged',
    );
    expect(rows[0].seals).toBe(rows[0].logged);
    expect(rows[0].seals).toBeGreaterThan(100);
    expect(await brokenInvariants(db.owner)).toEqual([]);
  });
  test('a transaction still open is sealed after it ends, and the chain holds', async () => {
    const slow = await db.owner.connect();
    await slow.query('begin');
    await slow.query(`update items set name = 'Slow' where id = $1`, [one.items[2]]);
    await db.owner.query(`update items set name = 'Quick' where id = $1`, [one.items[3]]);
    await db.owner.query('select seal_finished()');
    const early = await db.owner.query(
      `select from edit_log l join seals s on s.log = l.id where l.after ->> 'name' = 'Quick'`,
    );
    expect(early.rowCount).toBe(0);
    await slow.query('commit');
    slow.release();
    await sealAll(db);
    const { rows } = await db.owner.query(
      `select count(*)::int as n from edit_log l where not exists (select from seals s where s.log = l.id)`,
    );
    expect(rows[0].n).toBe(0);
    expect(await brokenInvariants(db.owner)).toEqual([]);
  });
  test('in a database restored elsewhere, where transactions count anew, sealing goes on', async () => {
    const { client: superuser, leave } = await superuserOf(db);
    await superuser.query(
      'alter table seals disable trigger written_once; alter table edit_log disable trigger written_once',
    );
    await superuser.query(
      `
        update edit_log
        set xid = (xid::text::numeric + 4000000000)::text::xid8;
        update seals
        set xid = (xid::text::numeric + 4000000000)::text::xid8
      `,
    );
    await superuser.query(
      'alter table seals enable trigger written_once; alter table edit_log enable trigger written_once',
    );
    await leave();
    // as a restore keeps them: rows and seals of the old cluster; the digests of before cannot hold for a changed xid
    await db.owner.query(`update items set name = 'After the restore' where id = $1`, [one.items[4]]);
    expect(await sealAll(db)).toBe(1);
    await db.owner.query(`update items set name = 'And again' where id = $1`, [one.items[4]]);
    expect(await sealAll(db)).toBe(1);
  });
});
