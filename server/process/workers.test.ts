import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../tools/testing/ports.ts';
import { type Program, startProgram } from '../../tools/testing/program.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { root } from '../kit/database/migrate.ts';
import { endProcesses } from './workers.ts';

/** What the program keeps beside the database. */
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-program-'));
let server: TestServer;
let program: ChildProcess | undefined;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => {
  if (program?.exitCode === null) program.kill('SIGKILL');
  await server.stop();
  fs.rmSync(home, { recursive: true, force: true });
});

/** The program itself with two workers, on the database of the test server. */
async function start(): Promise<Program> {
  const { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL } = server.database;
  const settings = { WORKERS: '2', DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR: home };
  const started = await startProgram({ port: await freePort(), settings });
  program = started.process;
  return started;
}

/** A process that ignores SIGTERM, or one that ends with it; it runs when this resolves. */
async function startEnding(how: 'deaf' | 'willing') {
  const started = spawn(process.execPath, [path.join(root(), 'tools/testing/ending.mjs'), how]);
  await new Promise((up) => started.stdout.once('data', up));
  return started;
}

test('a process that does not end when it is asked to is ended after its time', async () => {
  const [deaf, willing] = await Promise.all([startEnding('deaf'), startEnding('willing')]);
  const begun = Date.now();
  await endProcesses([deaf, willing], 500);
  expect([deaf.signalCode, willing.signalCode]).toEqual(['SIGKILL', 'SIGTERM']);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(500);
  // what has ended already is not waited for
  await endProcesses([deaf, willing], 60_000);
});

/** Asks, and waits so long: a question that nobody answers fails by its own line. */
const ask = (url: string) => fetch(url, { signal: AbortSignal.timeout(15_000) });

test('workers share one port; what one changes reaches pages of the other and of another server; one that dies is replaced', async () => {
  const owner = await server.signIn('owner@sharma.demo');
  const { url, said } = await start();
  expect(said()).not.toContain('rror');
  expect((await ask(`${url}/readyz`)).status).toBe(200);

  // a page that is open at the workers gets a change made in another process
  const stop = new AbortController();
  const stream = await fetch(`${url}/api/events`, { headers: { cookie: owner.cookie }, signal: stop.signal });
  let heard = '';
  const reading = (async () => {
    for await (const piece of stream.body as unknown as AsyncIterable<Uint8Array>)
      heard += new TextDecoder().decode(piece);
  })().catch(() => undefined);
  await owner.ask('SaveMaster', { master: 'category', values: { code: 'LIGHT', name: 'Lighting' } });
  await expect.poll(() => heard, { timeout: 5000 }).toContain('"changed"');
  stop.abort();
  await reading;

  // metrics of both together
  const metrics = await (await ask(`${url}/metrics`)).text();
  expect(metrics).toContain('http_request_seconds_count{route="/readyz"');

  const children = spawn('pgrep', ['-P', String(program?.pid), '-f', 'dist/server.mjs'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let list = '';
  for await (const text of children.stdout) list += text;
  const pids = list.trim().split('\n').map(Number);
  expect(pids).toHaveLength(2);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await expect
    .poll(async () => (await ask(`${url}/readyz`).catch(() => undefined))?.status, { timeout: 30_000 })
    .toBe(200);

  program?.kill('SIGTERM');
  await expect.poll(() => program?.exitCode, { timeout: 30_000 }).toBe(0);
  expect(await ask(`${url}/readyz`).catch(() => 'nobody')).toBe('nobody');
}, 120_000);
