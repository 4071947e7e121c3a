import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startDatabase } from '../../server/kit/embedded-database.ts';
import { migrate } from '../../server/kit/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    ownerUrl: string;
    appUrl: string;
  }
}

/** One PostgreSQL for the run, with one migrated template that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-test-'));
  fs.chmodSync(home, 0o755);
  const database = await startDatabase({ home, durable: false });
  await migrate(database.ownerUrl);
  const client = new pg.Client({ connectionString: database.ownerUrl.replace('/bahi?', '/postgres?') });
  await client.connect();
  await client.query('create database template_bahi template bahi strategy wal_log');
  await client.end();
  project.provide('ownerUrl', database.ownerUrl);
  project.provide('appUrl', database.url);
  return async () => {
    await database.stop();
    fs.rmSync(home, { recursive: true, force: true });
  };
}
