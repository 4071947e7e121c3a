import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { prepareJobs } from './jobs/index.ts';
import { shippedBinaries, startDatabase } from './kit/database/embedded-database.ts';
import { packCluster } from './kit/database/made-cluster.ts';
import { migrate } from './kit/database/migrate.ts';

/**
 * A program of the build: makes a cluster with all tables and packs it into the folder it is given, for first starts
 * to unpack (ADR 42).
 */
async function main(folder: string): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-cluster-'));
  fs.chmodSync(home, 0o755); // another account's than ours may have to enter it
  try {
    const database = await startDatabase({ home, durable: false });
    try {
      await migrate(database.ownerUrl);
      await prepareJobs(database.ownerUrl, (message, details) =>
        process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
      );
      await tidy(database.ownerUrl.replace('bahi_owner', 'postgres'));
    } finally {
      await database.stop();
    }
    packCluster(shippedBinaries(), path.join(home, 'data'), folder);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** What the migrations left behind goes, and the log begins a new file: its old ones are deleted when the server stops. */
async function tidy(superuser: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuser });
  await client.connect();
  await client.query('alter system set wal_recycle = off');
  await client.query('select pg_reload_conf()');
  await client.query('vacuum (freeze, analyze)');
  // of a table that was counted while it was empty the planner goes on thinking so, and would plan a walk through all its rows
  await client.query(
    `select pg_clear_relation_stats(n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  await client.query('select pg_switch_wal()');
  await client.query('checkpoint');
  await client.query('alter system reset all');
  await client.end();
}

main(process.argv[2] ?? '').catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
