import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../tools/testing/ports.ts';
import { type Program, startProgram } from '../../tools/testing/program.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { root } from '../kit/database/migrate.ts';
import { vault } from '../kit/secrets/secrets.ts';
import { makeDemoBooks } from './demo-books.ts';

/** What the program keeps beside the database. */
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-demo-accounts-'));
let server: TestServer;
let program: Program | undefined;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => {
  if (program?.process.exitCode === null) program.process.kill('SIGKILL');
  await server.stop();
  fs.rmSync(home, { recursive: true, force: true });
});

/** Starts the program on the database of the demo, and stops it when it is ready. Answers what it said. */
async function startOnce(settings: Record<string, string> = {}): Promise<string> {
  const { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL } = server.database;
  const own = { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR: home, ...settings };
  program = await startProgram({ port: await freePort(), settings: own });
  const started = program;
  await expect.poll(() => started.said(), { timeout: 10_000 }).toContain('Data: ');
  started.process.kill('SIGTERM');
  await expect.poll(() => started.process.exitCode, { timeout: 30_000 }).toBe(0);
  return started.said();
}

/** What `npm run operator` says. */
async function operator(...words: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_OWNER_URL: server.database.ownerUrl, PUBLIC_URL: server.url };
  const command = spawn(process.execPath, ['tools/run.mjs', 'tools/operator.ts', ...words], { cwd: root(), env });
  let said = '';
  for (const pipe of [command.stdout, command.stderr])
    pipe.on('data', (text) => {
      said += text;
    });
  await new Promise((ended) => command.once('exit', ended));
  return said;
}

const hashes = async () =>
  (await server.database.owner.query<{ hash: string }>('select password_hash as hash from people order by email')).rows;

test('where only this machine gets in, the demo accounts stay as they are', async () => {
  const before = await hashes();
  const said = await startOnce({ BAHI_DEMO: '1' });
  expect(said).toContain('Sign in as owner@sharma.demo, accountant@sharma.demo');
  expect(said).not.toContain('locked');
  expect(await hashes()).toEqual(before);
}, 90_000);

test('under a public address the published password opens nothing, and the start says what to do', async () => {
  const open = await server.signIn('owner@sharma.demo');
  const said = await startOnce({ PUBLIC_URL: 'https://books.example', BAHI_DEMO: '1' });
  expect(said).toContain('The demo accounts (owner@sharma.demo, accountant@sharma.demo, ');
  expect(said).toContain('are locked');
  expect(said).toContain('npm run operator -- --password-link owner@sharma.demo');
  expect(said).not.toContain('Demo-Bahi-2026');
  for (const email of ['owner@sharma.demo', 'viewer@sharma.demo', 'owner@nova.demo'])
    await expect(server.signIn(email), email).rejects.toThrow('sign-in refused: 401');
  expect((await server.database.owner.query('select from sessions')).rowCount).toBe(0);
  expect(open.cookie).not.toBe('');
  // there is nothing to lock a second time
  expect(await startOnce({ PUBLIC_URL: 'https://books.example' })).not.toContain('locked');
  expect(await startOnce({ HOST: '0.0.0.0' })).not.toContain('locked');
}, 180_000);

test('accounts that are locked are not taken for a demo that was half made: their books stay', async () => {
  const { url, ownerUrl } = server.database;
  const before = await hashes();
  await makeDemoBooks({ url, ownerUrl, vault: vault(Buffer.alloc(32, 7)), progress: () => undefined, months: 1 });
  expect(await hashes()).toEqual(before);
}, 60_000);

test('the command makes a link that sets a password of one’s own, and not the published one', async () => {
  expect(await operator('--password-link', 'nobody@sharma.demo')).toContain(
    'Nobody signs in here as nobody@sharma.demo',
  );
  expect(await operator('--password-link')).toContain('Name the e-mail');
  const said = await operator('--password-link', 'owner@sharma.demo');
  const token = said.split('#')[1]?.trim() ?? '';
  expect(said).toContain(`${server.url}/invitation#`);
  const set = (password: string) =>
    fetch(`${server.url}/invitation`, {
      method: 'POST',
      body: new URLSearchParams({ token, password, again: password }),
    });
  const refused = await set('Demo-Bahi-2026');
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('most common')]);
  expect((await set('a phrase of their own')).status).toBe(200);
  expect((await server.signIn('owner@sharma.demo', 'a phrase of their own')).cookie).not.toBe('');
}, 60_000);
