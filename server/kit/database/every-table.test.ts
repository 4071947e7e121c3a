import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAll, superuserOf } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { makeDemoBooks } from '../../process/demo-books.ts';
import { vault } from '../secrets/secrets.ts';
import { brokenInvariants, sweepWithin } from './invariants.ts';

// Whoever has the database with every right can switch the triggers off, change a row, and switch them on again. Here each
// table of an organisation is walked: a row is deleted, added and changed in each column, and some check must find it.

/** Why nothing has to find a change. */
type Because = string;
interface Watched {
  /** The checks that find it, all or one of them. */
  readonly by: readonly string[];
  /** Rows that are looked at; the others need not be found. */
  readonly rows?: string;
  /** Columns that may be changed unseen, `added`: rows that may be added. */
  readonly but?: Readonly<Record<string, Because>>;
}

/** Tables whose rows the edit log does not keep from their birth: the checks that find a change, or why none has to. */
const others: Readonly<Record<string, Watched | Because>> = {
  documents: { by: ['INV-44b', 'INV-44a'] },
  document_lines: { by: ['INV-44b', 'INV-42b'] },
  entries: { by: ['INV-44b', 'INV-42b'] },
  movements: { by: ['INV-44b', 'INV-42b'] },
  movement_costs: { by: ['INV-44b', 'INV-42b', 'INV-94'] },
  edit_log: { by: ['INV-44b', 'INV-44a', 'INV-44d'], but: { added: 'a seal takes it, as it takes every row' } },
  seals: { by: ['INV-44b'], but: { at: 'the sealer begins there; the chain does not hold it', xid: 'as `at`' } },
  document_links: { by: ['INV-93', 'INV-44d'] },
  series_counters: {
    by: ['INV-31'],
    rows: 'next > (select start from number_series s where s.organisation = t.organisation and s.id = t.series)',
  },
  till_documents: { by: ['INV-61'] },
  item_barcodes: { by: ['INV-44d', 'INV-44f'] },
  einvoice_attempts: { by: ['INV-44d'] },
  eway_attempts: { by: ['INV-44d'] },
  files: {
    by: ['INV-44f'],
    but: {
      added: 'a file that nothing names is not shown',
      at: 'nothing reads it',
      name: 'each record that names a file has its own name for it',
      type: 'a browser gets the type, and must not guess another; the bytes are what was kept',
    },
  },
  open_items: { by: ['INV-06', 'INV-06b', 'INV-14', 'INV-14b', 'INV-94'] },
  item_balances: { by: ['INV-20', 'INV-24a'], rows: 'quantity <> 0' },
  ledger_day_totals: { by: ['INV-09a'], but: { slot: 'the sum over the slots is the total' } },
  ledger_month_totals: { by: ['INV-09b'], but: { slot: 'the sum over the slots is the total' } },
  drafts: 'a working paper: nothing of it is in the books, and the log has what was sent for approval',
  barcode_counters: 'a code that was given cannot be given again: the code of an item is there once',
  house_versions: 'it counts changes of what is cached, and says nothing',
  idempotency_keys: 'an answer kept for some days for who asks twice; INV-54 compares it with the books',
  notifications: 'a word about what is in the books, that its reader puts away',
  notification_dismissals: 'a word about what is in the books, that its reader puts away',
  imports: 'a working paper: each record that it writes is in the log',
  import_pieces: 'a file until its rows are read',
  import_rows: 'a working paper: each record that it writes is in the log',
  import_mappings: 'what was chosen last for a file with these headings, and is shown before it is used',
  access_token_uses: 'it says when a token was last used; what was done with it is in the log under its name',
  webhook_deliveries: 'a word to another program about what is in the books; it is sent again from there',
  thumbnails: 'drawn from its file when it is not there',
};

/** Tables that belong to no organisation. */
const ofNone: Readonly<Record<string, Because>> = {
  people: 'the log of each organisation has who a person is (INV-44d, `logged.test.ts`)',
  recovery_codes: 'the log of each organisation has them (INV-44d, `logged.test.ts`)',
  global_tables: 'INV-41 compares the row security of all other tables with how the product makes them',
  migrations: 'a migration that was changed, or that this version does not know, is refused at the start',
  outbox: 'jobs that wait for some seconds; what they are about has a state of its own, and is queued again from it',
  sessions: 'who is signed in today; INV-48 looks at its end, and the security log has each sign-in',
  sign_in_links: 'the security log has each link that was sent and used',
  sign_in_failures: 'counts wrong passwords for some minutes',
  sign_in_places: 'the security log has each sign-in',
  knocks: 'counts calls for some minutes',
  issuer_keys: 'keys of the sign-in, sealed under the master key',
  issuer_records: 'what the sign-in knows for some minutes',
  broadcasts: 'a word of the operator to everybody',
  help_defaults: 'texts of the product, written at every start',
  offered_screens: 'screens of the product, written at every start',
  offered_kinds: 'kinds of the product, written at every start',
};

/** What the log does not keep of a row that it keeps. */
const leftOut: Readonly<Record<string, Because>> = {
  search: 'made from other columns when the row is saved, and used to search alone',
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly made: boolean;
}
interface Table {
  readonly name: string;
  readonly logged: boolean;
  readonly key: readonly string[];
  /** Columns of any unique key. */
  readonly unique: readonly string[];
  readonly columns: readonly Column[];
  readonly filled: boolean;
}

let db: TestDatabase;
let superuser: pg.Client;
let leave: (() => Promise<void>) | undefined;
let tables: readonly Table[];
beforeAll(async () => {
  db = await testDatabase();
  const works = { url: db.url, ownerUrl: db.ownerUrl, vault: vault(randomBytes(32)), progress: () => undefined };
  await makeDemoBooks({ ...works, months: 4 });
  await beyondDemo();
  await sealAll(db);
  ({ client: superuser, leave } = await superuserOf(db));
  tables = await tablesOf();
}, 180_000);
afterAll(async () => {
  await leave?.();
  await db.drop();
});

/** What the demo has none of: exchanges with a portal, a file, and a further code of an item. */
async function beyondDemo(): Promise<void> {
  await db.owner.query(`
    insert into einvoice_attempts (organisation, document, attempt, what, outcome, code, message, request, response)
    select organisation, document, 1, 'register', 'failed', '2150', 'Duplicate', '{"Irn": 1}', '{"Error": 2}'
    from einvoices
    limit 1
  `);
  await db.owner.query(`
    with made as (
      insert into eway_bills (organisation, document, bill, route, state, author, transport)
      select organisation, id, 1, 'direct', 'queued', author, '{}'
      from documents
      where kind = 'saleInvoice'
      limit 1
      returning *
    )
    insert into eway_attempts (organisation, document, bill, attempt, what, outcome, code, message, request, response)
    select organisation, document, bill, 1, 'make', 'failed', '1', 'No', '{"a": 1}', '{"b": 2}'
    from made
  `);
  await db.owner.query(`
    with kept as (
      insert into files (organisation, digest, bytes, type, name)
      select organisation, encode(sha256('a'), 'hex'), 'a', 'text/plain', 'a.txt'
      from organisations
      order by organisation
      limit 1
      returning *
    )
    insert into document_files (organisation, document, number, digest, name, by)
    select k.organisation, d.id, 1, k.digest, k.name, d.author
    from kept k
    join documents d on d.organisation = k.organisation
    limit 1
  `);
  await db.owner.query(`
    insert into record_files (organisation, record, number, digest, name, by)
    select f.organisation, d.party, 1, f.digest, f.name, f.by
    from document_files f
    join documents d on d.organisation = f.organisation and d.party is not null
    limit 1
  `);
  await db.owner.query(`
    insert into item_barcodes (organisation, item, barcode)
    select organisation, id, 'K-1'
    from items
    limit 1
  `);
}

async function tablesOf(): Promise<readonly Table[]> {
  const { rows } = await db.owner.query<Omit<Table, 'filled'>>(`
    select
      c.relname as name,
      exists (
        select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'log_change' and t.tgqual is null
      ) as logged,
      (
        select array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum))
        from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])
        where i.indrelid = c.oid and i.indisprimary
      ) as key,
      (
        select array_agg(distinct a.attname::text)
        from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])
        where i.indrelid = c.oid and i.indisunique and a.attname <> 'organisation'
      ) as "unique",
      (
        select json_agg(
          json_build_object(
            'name', a.attname, 'type', format_type(a.atttypid, null), 'made', a.attgenerated <> ''
          )
          order by a.attnum
        )
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      ) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and c.relname not in (select name from global_tables)
    order by 1
  `);
  const all: Table[] = [];
  for (const table of rows) {
    const { rowCount } = await db.owner.query(`select from ${table.name} t where ${rowsOf(table)} limit 1`);
    all.push({ ...table, filled: rowCount === 1 });
  }
  return all;
}

const watched = ({ name, logged }: Pick<Table, 'name' | 'logged'>): Watched | undefined => {
  const other = others[name];
  if (typeof other === 'string') return undefined;
  return other ?? (logged ? { by: ['INV-44d'], but: leftOut } : undefined);
};
const rowsOf = (table: Pick<Table, 'name' | 'logged'>): string => watched(table)?.rows ?? 'true';

/** Another value of a column, whatever it has. */
const another = ({ name, type }: Column): string => {
  const of = (empty: string, changed: string) => `case when "${name}" is null then ${empty} else ${changed} end`;
  if (type.endsWith('[]')) return of(`'{}'`, `"${name}" || "${name}" || array[null]::${type}`);
  switch (type) {
    case 'uuid':
      return 'gen_random_uuid()';
    case 'boolean':
      return of('true', `not "${name}"`);
    case 'integer':
    case 'bigint':
      return of('7', `"${name}" + 1000003`);
    case 'smallint':
      return of('7', `"${name}" + 7`);
    case 'date':
      return of(`'2020-02-02'`, `"${name}" + 7000`);
    case 'timestamp with time zone':
      return of('now()', `"${name}" - interval '7 hours'`);
    case 'bytea':
      return of(`'\\x07'`, `"${name}" || '\\x07'`);
    case 'jsonb':
      return of(`'{}'`, `jsonb_build_array("${name}")`);
    case 'xid8':
      return `'7'`;
    case 'text':
      return of(`'x'`, `"${name}" || 'x'`);
    default:
      throw new Error(`${name}: no other value of ${type} is known`);
  }
};

/** Where one row of a table is. */
const oneRow = (table: Table): string =>
  `ctid = (select t.ctid from ${table.name} t where ${rowsOf(table)} order by t.ctid limit 1)`;
const change = (table: Table, column: Column): string =>
  `update ${table.name} set "${column.name}" = ${another(column)} where ${oneRow(table)}`;
const removal = (table: Table): string => `delete from ${table.name} where ${oneRow(table)}`;
/** A copy of a row under another key: each of its columns by itself is tried, then all that are unique. */
const additions = (table: Table): readonly string[] => {
  const columns = table.columns.filter(({ made }) => !made);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const copy = (keys: readonly string[]) => {
    const values = columns.map((column) => (keys.includes(column.name) ? another(column) : `"${column.name}"`));
    return `insert into ${table.name} (${names}) overriding system value select ${values.join(', ')} from ${table.name} where ${oneRow(table)}`;
  };
  return [...table.key.toReversed().map((key) => [key]), [...(table.unique ?? []), ...table.key]].map(copy);
};

/** Past every guard, in a transaction that is never committed. */
async function tampering<T>(work: () => Promise<T>): Promise<T> {
  await superuser.query('begin; set local session_replication_role = replica');
  try {
    return await work();
  } finally {
    await superuser.query('rollback');
  }
}
/** What checks and identities would refuse, nobody would change; here they are no help. */
async function loosen({ name, columns }: Table): Promise<void> {
  const { rows } = await superuser.query<{ conname: string }>(
    `select conname from pg_constraint where contype = 'c' and conrelid = $1::regclass`,
    [name],
  );
  for (const { conname } of rows) await superuser.query(`alter table ${name} drop constraint "${conname}"`);
  for (const column of columns)
    if (!column.made) await superuser.query(`alter table ${name} alter "${column.name}" drop identity if exists`);
}
/** False when a unique key refuses it. */
async function done(statement: string): Promise<boolean> {
  await superuser.query('savepoint one');
  try {
    const { rowCount } = await superuser.query(statement);
    expect(rowCount, statement).toBe(1);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw new Error(`${statement}: ${(error as Error).message}`);
    await superuser.query('rollback to savepoint one');
    return false;
  }
}
async function found(by: readonly string[], most?: number): Promise<readonly string[]> {
  await superuser.query('set local session_replication_role = origin; set local role bahi_owner');
  const swept = await sweepWithin(superuser, { only: by, ...(most !== undefined && { most }) });
  await superuser.query('reset role; set local session_replication_role = replica');
  return swept.flatMap(({ broken }) => broken.map(({ what }) => what));
}

test('the books hold before anything is changed', async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

test('every table is logged, is checked, or says why not', async () => {
  expect(tables.filter((table) => !table.logged && others[table.name] === undefined)).toEqual([]);
  expect(Object.keys(others).filter((name) => !tables.some((table) => table.name === name))).toEqual([]);
  const { rows } = await db.owner.query<{ name: string }>('select name from global_tables order by 1');
  expect(Object.keys(ofNone).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  // what is not logged has rows here
  expect(tables.filter((table) => !table.logged && watched(table) && !table.filled).map(({ name }) => name)).toEqual(
    [],
  );
  expect(tables.filter(({ filled }) => filled).length).toBeGreaterThan(50);
});

test('rows of logged tables: a deleted, an added and a changed one is found, in each column', async () => {
  const logged = tables.filter((table) => table.filled && watched(table)?.by.join() === 'INV-44d');
  const missed: string[] = [];
  /** One change in each table at a time. */
  const round = (what: (table: Table) => readonly [name: string, statements: readonly string[]] | undefined) =>
    tampering(async () => {
      const tried = new Map<string, string>();
      for (const table of logged) {
        const [name, statements] = what(table) ?? ['', []];
        if (statements.length === 0) continue;
        await loosen(table);
        for (const statement of statements)
          if (!tried.has(table.name) && (await done(statement))) tried.set(table.name, name);
        if (!tried.has(table.name)) missed.push(`${table.name}: nothing could be done: ${name}`);
      }
      const reportedTables = new Set((await found(['INV-44d'], 100_000)).map((text) => text.split(' ')[0]));
      for (const [table, name] of tried) if (!reportedTables.has(table)) missed.push(`${table}: ${name}`);
      return tried.size;
    });
  await round((table) => ['deleted', [removal(table)]]);
  await round((table) => ['added', additions(table)]);
  const columns = (table: Table) => table.columns.filter(({ name, made }) => !made && !watched(table)?.but?.[name]);
  for (let at = 0; at < 100; at++) {
    const tried = await round((table) => {
      const column = columns(table)[at];
      return column && [column.name, [change(table, column)]];
    });
    if (tried === 0) break;
  }
  expect(missed).toEqual([]);
}, 180_000);

test('rows of all other tables: a deleted, an added and a changed one is found, in each column', async () => {
  const missed: string[] = [];
  for (const table of tables) {
    const watch = watched(table);
    if (!watch || !table.filled || watch.by.join() === 'INV-44d') continue;
    const changed = table.columns.filter(({ name, made }) => !made && !watch.but?.[name]);
    const tries: (readonly [string, readonly string[]])[] = [
      ['deleted', [removal(table)]],
      ...(watch.but?.added ? [] : ([['added', additions(table)]] as const)),
      ...changed.map((column) => [column.name, [change(table, column)]] as const),
    ];
    for (const [name, statements] of tries)
      await tampering(async () => {
        await loosen(table);
        let isDone = false;
        for (const statement of statements) isDone ||= await done(statement);
        if (!isDone) missed.push(`${table.name}: nothing could be done: ${name}`);
        else if ((await found(watch.by)).length === 0) missed.push(`${table.name}: ${name}`);
      });
  }
  expect(missed).toEqual([]);
}, 300_000);
