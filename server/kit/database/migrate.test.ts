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
