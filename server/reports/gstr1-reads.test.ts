import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { generalConfiguration } from '../../contract/session.ts';
import { testServer } from '../../tools/testing/server.ts';
import { seedDemo } from '../demo/index.ts';
import { openBooks } from '../kit/database/sql.ts';
import { vault } from '../kit/secrets/secrets.ts';
import { gstr1 } from './gstr1.ts';

test('the return finds the source of a document by its key, not among all documents', async () => {
  const server = await testServer();
  await seedDemo(server.database.url, vault(Buffer.alloc(32, 7)), () => undefined, 4);
  const { today } = (await (await server.signIn('owner@sharma.demo')).ask('GetSession', {})) as { today: string };
  const organisation = server.organisations[0]?.organisation ?? 0;
  const books = openBooks(server.database.url);
  const asked = {
    organisation,
    filters: {
      registration: server.organisations[0]?.registrations.KA ?? '',
      period: today.slice(5, 7) + today.slice(0, 4),
    },
    after: undefined,
    today,
    places: [],
    locations: [],
    settings: generalConfiguration.parse({}),
    limit: 1,
  };
  const read = await books.inTransaction({ organisation, user: '' }, async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx); // few documents: they would rather be walked through
    await gstr1(trx, asked);
    const { rows } = await sql<{ n: number }>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables where relname = 'documents'`.execute(
      trx,
    );
    return rows[0]?.n ?? 0;
  });
  await books.end();
  const { rows } = await server.database.owner.query<{ n: number }>(
    'select count(*)::int as n from documents where organisation = $1',
    [organisation],
  );
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(4 * (rows[0]?.n ?? 0));
  await server.stop();
}, 120_000);
