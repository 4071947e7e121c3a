import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../../tools/testing/server.ts';
import { proveKey, renewSecrets, sealedColumns } from './renew.ts';
import { vault } from './secrets.ts';

const [first, second, third] = [7, 8, 9].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];

test('S-60: what is kept for one purpose opens for no other, nor changed, nor under another key', () => {
  const sealed = vault(first).seal('secret', 'einvoice/1');
  expect(vault(first).open(sealed, 'einvoice/1')).toBe('secret');
  expect(sealed.equals(vault(first).seal('secret', 'einvoice/1'))).toBe(false);
  expect(() => vault(first).open(sealed, 'einvoice/2')).toThrow();
  expect(() => vault(second).open(sealed, 'einvoice/1')).toThrow();
  const changed = Buffer.from(sealed);
  changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
  expect(() => vault(first).open(changed, 'einvoice/1')).toThrow();
});

test('S-60: a key that came later opens what was sealed before it, and seals it anew once', () => {
  const sealed = vault(first).seal('secret', 'x');
  const now = vault(third, [second, first]);
  expect(now.open(sealed, 'x')).toBe('secret');
  const renewed = now.renewed(sealed, 'x');
  expect(vault(third).open(renewed ?? Buffer.alloc(0), 'x')).toBe('secret');
  expect(now.renewed(renewed ?? Buffer.alloc(0), 'x')).toBeUndefined();
});

let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, { portal: true, jobs: false });
});
afterAll(() => server?.stop());

test('S-60: the master key is changed: every secret in the database is sealed anew, and the old key opens none', async () => {
  const { owner } = server.database;
  const { rows: people } = await owner.query<{ id: string }>('select id from people order by id limit 2');
  for (const [at, column] of ['totp_secret', 'totp_pending'].entries()) {
    const { id = '' } = people[at] ?? {};
    await owner.query(`update people set ${column} = $2 where id = $1`, [
      id,
      vault(first).seal('c2VjcmV0', `second factor of ${id}`),
    ]);
  }
  const all = `
    select 'einvoice/' || organisation as purpose, secret as sealed from credentials
    union all
    select 'issuer ' || id, secret from issuer_keys
    union all
    select 'session', tokens from sessions
    union all
    select 'second factor of ' || id, coalesce(totp_secret, totp_pending)
    from people
    where totp_secret is not null or totp_pending is not null
  `;
  const before = (await owner.query(all)).rowCount ?? 0;
  expect(before).toBeGreaterThan(4);
  expect(await renewSecrets(owner, vault(second, [first]))).toBe(before);
  expect(await renewSecrets(owner, vault(second, [first]))).toBe(0);
  for (const { purpose, sealed } of (await owner.query<{ purpose: string; sealed: Buffer }>(all)).rows) {
    expect(vault(second).open(sealed, purpose)).not.toBe('');
    expect(() => vault(first).open(sealed, purpose)).toThrow();
  }
  expect(await renewSecrets(owner, vault(first, [second]))).toBe(before);
});

test('another master key than that of the database is refused, in one sentence', async () => {
  const { owner } = server.database;
  await proveKey(owner, vault(first));
  await proveKey(owner, vault(third, [first]));
  await expect(proveKey(owner, vault(third))).rejects.toThrow(
    /^MASTER_KEY is not the key of this database: .* MASTER_KEY_FORMER\.$/,
  );
  await expect(proveKey(owner, vault(third, [second]))).rejects.toThrow('MASTER_KEY is not the key of this database');
  await expect(renewSecrets(owner, vault(third, [second]))).rejects.toThrow('opens neither under MASTER_KEY nor');
});

test('S-60: each column of bytes is sealed anew with the others, or holds no secret', async () => {
  const { rows } = await server.database.owner.query<{ name: string }>(
    `
      select table_name || '.' || column_name as name
      from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'
      order by 1
    `,
  );
  const open = rows.map(({ name }) => name).filter((name) => !sealedColumns.includes(name));
  expect(open.filter((name) => !name.endsWith('.digest'))).toEqual([
    'files.bytes',
    'import_pieces.bytes',
    'seals.previous',
    'seals.seal',
    'sign_in_failures.account', // a digest, too
    'thumbnails.bytes',
  ]);
});

test('S-64: the application may read and write rows of its tables and nothing else', async () => {
  const { rows } = await server.database.owner.query(
    `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication from pg_roles where rolname = 'bahi_app'`,
  );
  expect(Object.values(rows[0])).toEqual([false, false, false, false, false]);
  for (const wish of [
    'create table own (id int)',
    'alter table documents add column own int',
    'drop table drafts',
    'truncate drafts',
    'create function own() returns int language sql as $$ select 1 $$',
    'alter table entries disable trigger all',
    `set session_replication_role = replica`,
    'set role bahi_owner',
    `copy documents to program 'cat'`,
    `select pg_read_file('/etc/passwd')`,
    'delete from documents',
    'update entries set debit = 1',
    "insert into edit_log (organisation, action, relation, row_id) values (1, 'x', 'x', 'x')",
    'select seal_finished(1)',
  ])
    await expect(server.database.app.query(wish), wish).rejects.toThrow(/permission denied|must be owner|written once/);
});
