import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, type TestServer, testServer } from '../tools/testing/server.ts';
import { root } from './kit/migrate.ts';

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
async function start(): Promise<{ readonly url: string; readonly said: () => string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  program = spawn(process.execPath, ['--import', 'tsx', path.join(root(), 'server/main.ts')], {
    cwd: root(),
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      WORKERS: '2',
      DATABASE_URL: server.database.url,
      BAHI_UNSAFE_DATABASE: '1', // a database of tests waits for no disk
      DATABASE_OWNER_URL: server.database.ownerUrl,
      MASTER_KEY: Buffer.alloc(32, 7).toString('hex'),
      DATA_DIR: home,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const pipe of [program.stdout, program.stderr])
    pipe?.on('data', (text) => {
      said += text;
    });
  await expect.poll(() => said, { timeout: 40_000 }).toContain('Bahi is ready');
  return { url, said: () => said };
}

test('workers share one port; what one changes is heard by pages of the other and of another server; one that dies is replaced', async () => {
  const owner = await server.signIn('owner@sharma.demo');
  const { url, said } = await start();
  expect(said()).not.toContain('rror');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  // a page that is open at the workers hears of a change made in a process of its own
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
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('http_request_seconds_count{route="/healthz"');

  const children = spawn('pgrep', ['-P', String(program?.pid), '-f', 'server/main.ts'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let list = '';
  for await (const text of children.stdout) list += text;
  const pids = list.trim().split('\n').map(Number);
  expect(pids).toHaveLength(2);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await expect
    .poll(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status, { timeout: 30_000 })
    .toBe(200);

  const gone = new Promise((done) => program?.once('exit', (code) => done(code)));
  program?.kill('SIGTERM');
  expect(await gone).toBe(0);
  expect(await fetch(`${url}/healthz`).catch(() => 'nobody')).toBe('nobody');
}, 120_000);
