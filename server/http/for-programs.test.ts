import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { freePort } from '../../tools/testing/ports.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

const page = fs.readFileSync(path.join(import.meta.dirname, '../../docs/for-programs.md'), 'utf8');
/** The examples of a language, in the order of the page. */
const examples = (language: string): readonly string[] =>
  [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, of, text = '']) => (of === language ? [text] : []));

let server: TestServer;
let shop: Shop;
let folder: string;
let variables: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-examples-'));
  server = await testServer({}, { jobs: true });
  shop = await openShop(server);
  for (const name of ['Second', 'Third'])
    await shop.owner.ask('SaveMaster', {
      master: 'customer',
      values: { name, category: 'unregistered', state: '29' },
    });
  const { secret }: { secret: string } = await shop.owner.ask('MakeAccessToken', {
    ...{ name: 'Examples', scope: 'own', days: 1 },
  });
  variables = {
    ...{ PATH: process.env.PATH, BAHI: server.url, TOKEN: secret, CUSTOMER: shop.customer, ITEM: shop.item },
    TODAY: ((await shop.owner.ask('GetSession', {})) as { today: string }).today,
    REGISTRATION: shop.place.registration,
    LOCATION: shop.place.location,
  };
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

const run = async (program: string, ...given: string[]): Promise<string> =>
  (await promisify(execFile)(program, given, { env: variables })).stdout;
const invoices = async () =>
  ((await shop.owner.ask('GetTransationsList', { Type: 'saleInvoice' })) as { rows: unknown[] }).rows.length;

test('the examples with curl work as they are on the page', async () => {
  const [customers, wrong, list, post, ...more] = examples('sh');
  expect(more).toEqual([]);
  const answer = async (example = '') => JSON.parse(await run('sh', '-ec', example));
  expect(await answer(customers)).toMatchObject({
    success: true,
    details: { rows: [{}, {}], after: expect.any(String) },
  });
  expect(await answer(wrong)).toMatchObject({ success: false, details: { code: 'problems' } });
  const first = await answer(post);
  expect(first).toMatchObject({
    success: true,
    details: { TransactionId: expect.any(String), TransactionNumber: expect.any(String) },
  });
  expect(await answer(post)).toEqual(first);
  expect(await answer(list)).toMatchObject({
    success: true,
    details: { rows: [{}], after: null },
  });
});

test('the program in JavaScript works as it is on the page', async () => {
  const [program = '', , ...more] = examples('js');
  expect(more).toEqual([]);
  const file = path.join(folder, 'example.mjs');
  fs.writeFileSync(file, program);
  const before = await invoices();
  const said = (await run(process.execPath, file)).trim().split('\n');
  expect(said).toEqual([
    expect.stringMatching(/^3 customers of /),
    expect.stringMatching(/, once: true$/),
    expect.stringMatching(/^422 problems: /),
  ]);
  expect(await invoices()).toBe(before + 1);
});

test('the receiver of webhooks works as it is on the page', async () => {
  const [, receiver = ''] = examples('js');
  const file = path.join(folder, 'receiver.mjs');
  fs.writeFileSync(file, receiver);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const { secret }: { secret: string } = await shop.owner.ask('MakeWebhook', {
    ...{ name: 'Receiver', address, events: ['documentPosted' as const], kinds: [] },
  });
  const running = spawn(process.execPath, [file], { env: { PORT: String(port), WEBHOOK_SECRET: secret } });
  const lines: string[] = [];
  createInterface(running.stdout).on('line', (line) => lines.push(line));
  try {
    await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['ready']);
    const forged = {
      'bahi-timestamp': String(Math.floor(Date.now() / 1000)),
      'bahi-signature': `v1=${'0'.repeat(64)}`,
    };
    expect((await fetch(address, { method: 'POST', headers: forged, body: '{}' })).status).toBe(401);
    const { TransactionNumber } = JSON.parse(
      await run('sh', '-ec', `${examples('sh')[3]}`.replace('6f1c1f0e', '7f1c1f0e')),
    ).details as { TransactionNumber: string };
    await expect.poll(() => lines, { timeout: 15_000 }).toEqual(['ready', `documentPosted ${TransactionNumber}`]);
  } finally {
    running.kill();
  }
});
