import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAll } from '../../tools/testing/books.ts';
import { freePort } from '../../tools/testing/ports.ts';
import { startProgram } from '../../tools/testing/program.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-killed-import-'));
let server: TestServer;
let owner: Visitor;
let program: ChildProcess | undefined;
beforeAll(async () => {
  server = await testServer({}, { jobs: false });
  owner = await server.signIn('owner@sharma.demo');
}, 60_000);
afterAll(async () => {
  program?.kill('SIGKILL');
  await server?.stop();
  fs.rmSync(home, { recursive: true, force: true });
});

/** The program that runs the jobs; the server of the test only answers calls. */
const start = async (): Promise<void> => {
  const settings = { DATABASE_URL: server.database.url, DATABASE_OWNER_URL: server.database.ownerUrl, DATA_DIR: home };
  ({ process: program } = await startProgram({ port: await freePort(), settings, output: 'pipe', flags: [] }));
};
type Import = {
  id: string;
  state: string;
  version: number;
  columns: (string | null)[];
  counts: Record<string, number>;
};
let which: { readonly master: string; readonly id: string };
const now = async (): Promise<Import> => owner.ask('GetImport', which);
const until = async (state: string): Promise<Import> => {
  await expect.poll(async () => (await now()).state, { timeout: 120_000, interval: 100 }).toBe(state);
  return now();
};

test('killed in the middle of an import, the program goes on with it and writes each row once', async () => {
  const lines = Array.from({ length: 1500 }, (_, n) => `K${n},Supplier ${n}`);
  const bytes = Buffer.from(`Code,Name\n${lines.join('\n')}\n`);
  await start();
  const { id }: Import = await owner.ask('BeginImport', {
    master: 'supplier',
    name: 'suppliers.csv',
    size: bytes.length,
  });
  which = { master: 'supplier', id };
  await owner.ask('SendImportPiece', { ...which, part: 1, content: bytes.toString('base64') });
  // sent again, because its answer was lost
  await owner.ask('SendImportPiece', { ...which, part: 1, content: bytes.toString('base64') });
  await owner.ask('ReadImport', which);
  const { version, columns } = await until('mapping');
  await owner.ask('MapImport', { ...which, version, columns, existing: 'keep' });
  await until('checked');
  await owner.ask('RunImport', which);
  await expect
    .poll(async () => (await now()).counts['added'] ?? 0, { timeout: 60_000, interval: 50 })
    .toBeGreaterThan(0);
  program?.kill('SIGKILL');
  const half = (await now()).counts['added'] ?? 0;
  expect(half).toBeLessThan(1500);
  expect((await now()).state).toBe('importing');
  await start();
  expect((await until('done')).counts).toEqual({ added: 1500 });
  const { rows } = await server.database.owner.query<{ parties: number; logged: number }>(`
    select
      (select count(*)::int from parties where code like 'K%') as parties,
      (select count(*)::int from edit_log where relation = 'parties' and after ->> 'code' like 'K%') as logged
  `);
  expect(rows).toEqual([{ parties: 1500, logged: 1500 }]);
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
}, 300_000);
