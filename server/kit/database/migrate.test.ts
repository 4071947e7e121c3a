import pg from 'pg';
import { expect, test } from 'vitest';
import { administer, testDatabase } from '../../../tools/testing/database.ts';
import { migrateOn } from './migrate.ts';

test('the session that has migrated waits for the disk again afterwards, and holds nothing back', async () => {
  const database = await testDatabase('template0');
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('set synchronous_commit = remote_write');
  expect((await migrateOn(client))[0]).toBe('0001-schema.sql');
  expect((await client.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'remote_write' }]);
  expect(
    await administer(
      `
        select from pg_locks
        where locktype = 'advisory'
          and objid = 62613
          and database = (select oid from pg_database where datname = '${database.name}')
      `,
    ),
  ).toEqual([]);
  await client.end();
  await database.drop();
});

test('a database of a newer version is refused, and left as it is', async () => {
  const database = await testDatabase();
  await database.owner.query(`insert into migrations (name, digest) values ('9999-of-tomorrow.sql', 'x')`);
  const client = await database.owner.connect();
  await expect(migrateOn(client)).rejects.toThrow(
    /^This database was made by a newer version: it has the migration 9999-of-tomorrow\.sql/,
  );
  await client.query(`delete from migrations where name like '9999%'`);
  expect(await migrateOn(client)).toEqual([]);
  client.release();
  await database.drop();
});
