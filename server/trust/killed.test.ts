import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type Link, linkTo } from '../../tools/testing/link.ts';
import { freePort } from '../../tools/testing/ports.ts';
import { startProgram } from '../../tools/testing/program.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { root } from '../kit/database/migrate.ts';

// The program itself, killed at every step of a posting that the database can see, and while the portal is asked.
/** What the program keeps beside the database. */
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-program-'));
let server: TestServer;
let shop: Shop;
let link: Link;
let program: ChildProcess | undefined;
let url: string;
let port: number;
beforeAll(async () => {
  server = await testServer({}, { portal: true, jobs: false });
  shop = await openShop(server);
  link = await linkTo(server.database.url);
  port = await freePort();
  await start();
}, 90_000);
afterAll(async () => {
  kill();
  await link?.close();
  await server?.stop();
  fs.rmSync(home, { recursive: true, force: true });
});

/** As a program whose log goes to a full disk. */
const FULL = '/dev/full';

async function start(output: 'pipe' | number = 'pipe', flags: readonly string[] = []): Promise<void> {
  const settings = { DATABASE_URL: link.url, DATABASE_OWNER_URL: server.database.ownerUrl, DATA_DIR: home };
  ({ process: program, url } = await startProgram({ port, settings, output, flags }));
}

/** As a machine that loses its power: nothing is finished, nothing is said. */
const kill = () => program?.kill('SIGKILL');
const ended = (child: ChildProcess | undefined) =>
  new Promise<void>((done) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) done();
    else child.once('exit', () => done());
  });

type Posted = { readonly TransactionId: string; readonly TransactionNumber: string };
const send = (call: string, input: object, key?: string): Promise<Response> =>
  fetch(`${url}/api/${call}`, {
    method: 'POST',
    headers: {
      cookie: shop.owner.cookie,
      'x-requested-by': 'bahi',
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify(input),
  });
let today = '';
const ask = async (quantity: string, key: string): Promise<{ status: number; posted: Posted }> => {
  today ||= ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  const lines = [{ item: shop.item, quantity, rate: '95' }];
  const document = { kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer, lines };
  const answer = await send('transactions/PostTransactionCalls', { document }, key);
  return { status: answer.status, posted: ((await answer.json()) as { details: Posted }).details };
};
const numbers = async (): Promise<number[]> =>
  (
    await server.database.owner.query<{ number: string }>(
      `select number from documents where kind = 'saleInvoice' order by number`,
    )
  ).rows.map(({ number }) => Number(number.split('/').at(-1)));
const whole = async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
};

test('F-01, F-05: killed before, while and after each word with the database, the same key gives the one document', async () => {
  await ask('1', randomUUID());
  const answered = new Map<string, string>();
  const steps = await link.count(async () => void (await ask('1', randomUUID())));
  expect(steps).toBeGreaterThanOrEqual(1);
  // each step at one of three moments, in turn; with `BAHI_ALL` at all of them
  const rounds = Array.from({ length: steps }, (_, step) =>
    (['before it is sent', 'before its answer', 'after its answer'] as const)
      .filter((_, moment) => process.env['BAHI_ALL'] === '1' || moment === step % 3)
      .map((when) => ({ step, when })),
  ).flat();
  for (const { step, when } of rounds) {
    const key = randomUUID();
    const dead = ended(program);
    const before = (await numbers()).length;
    link.at(step, when, kill);
    const first = await ask('1', key).catch(() => undefined);
    await dead;
    link.free();
    await start();
    const again = await ask('1', key);
    expect(again.status, `${step} ${when}`).toBe(200);
    if (first?.status === 200) expect(again.posted).toEqual(first.posted);
    expect((await numbers()).length, `${step} ${when}`).toBe(before + 1);
    answered.set(again.posted.TransactionId, again.posted.TransactionNumber);
  }
  expect(answered.size).toBe(rounds.length);
  const given = await numbers();
  expect(given).toEqual(Array.from({ length: given.length }, (_, n) => n + 1));
  await whole();
}, 240_000);

test('F-06: killed while the portal has an invoice and has not answered, it is asked for and there is one IRN', async () => {
  const control = (order: object) =>
    fetch(`${server.url}/sandbox/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    });
  const { owner } = server.database;
  // what the tests before have sold is registered first, or would meet the fault in its place
  const leave = async () => {
    const dead = ended(program);
    kill();
    await dead;
    await owner.query(
      `update einvoices set updated_at = now() - interval '1 hour' where state in ('sending', 'unclear')`,
    );
    await start(); // and takes up what was abandoned
  };
  await leave();
  const waiting = `select from einvoices where state in ('queued', 'sending', 'unclear')`;
  await expect.poll(async () => (await owner.query(waiting)).rowCount, { timeout: 60_000, interval: 500 }).toBe(0);
  expect((await control({ mode: 'timeoutAfterAccepting', operations: ['generate'], times: 1 })).status).toBe(200);
  const { posted } = await ask('2', randomUUID());
  const state = async () =>
    (await owner.query<{ state: string }>('select state from einvoices where document = $1', [posted.TransactionId]))
      .rows[0]?.state;
  const registered = () => owner.query('select from sandbox.invoices where number = $1', [posted.TransactionNumber]);
  await expect.poll(async () => (await registered()).rowCount, { timeout: 20_000, interval: 20 }).toBe(1);
  expect(await state()).toMatch(/sending|unclear/);
  await leave();
  await expect.poll(state, { timeout: 60_000, interval: 500 }).toBe('registered');
  expect((await registered()).rowCount).toBe(1);
  await whole();
}, 180_000);

/** Posts with a key until it is there; any other answer than "try again" is unexpected. */
async function insist(key: string, odd: unknown[], answered: () => void = () => undefined): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await ask('1', key).catch(() => undefined);
    if (answer?.status === 200) {
      answered();
      return answer.posted.TransactionId;
    }
    if (answer && answer.status !== 503) odd.push(answer);
    await new Promise((again) => setTimeout(again, 50));
  }
  throw new Error('never posted');
}

test.each(['SIGTERM', 'SIGKILL', 'SIGABRT'] as const)(
  'F-02, F-25: ended by %s in the middle of posts and begun again, each of them is posted once',
  async (signal) => {
    const before = (await numbers()).length;
    const odd: unknown[] = [];
    let answered = 0;
    const all = Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        await new Promise((turn) => setTimeout(turn, n * 15));
        return insist(randomUUID(), odd, () => {
          answered += 1;
        });
      }),
    );
    await expect.poll(() => answered, { interval: 5, timeout: 20_000 }).toBeGreaterThan(2);
    const leaving = program;
    const dead = ended(leaving);
    const began = performance.now();
    leaving?.kill(signal);
    await dead;
    // requests before the signal to stop are answered, and it does not take long
    if (signal === 'SIGTERM') expect([leaving?.exitCode, performance.now() - began < 10_000]).toEqual([0, true]);
    await start();
    expect(new Set(await all).size).toBe(24);
    expect(odd).toEqual([]);
    expect((await numbers()).length).toBe(before + 24);
    await whole();
  },
  90_000,
);

/** Lines of the statement that is killed; 100,000 take some minutes. */
const LINES = Number(process.env['BAHI_LINES'] ?? 3000);
const p95 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

/** Posts steadily, up to twenty times a second, until `goesOn` ends: the time of each answer. */
async function posted(goesOn: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (goesOn()) {
    const began = performance.now();
    expect((await ask('1', randomUUID())).status).toBe(200);
    times.push(performance.now() - began);
    await new Promise((then) => setTimeout(then, Math.max(0, 50 - (performance.now() - began))));
  }
  return times;
}

test(`F-24: killed at three, six and nine tenths of a statement, each time the import resumes; two reads at once import it once, and others go on posting (BAHI_LINES=100000 for the whole)`, async () => {
  const ledger = await shop.ledger('1121');
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '10000', rate: '60' }] });
  const file = (way: string) =>
    Array.from({ length: LINES }, (_, n) => `02/04/2026,${way} ${n},N${n},,1.00,${n + 1}.00`);
  const format = {
    ...{ date: 'Date', order: 'dmy', text: 'Narration', reference: 'Ref' },
    ...{ moneyIn: 'Deposit', moneyOut: 'Withdrawal', balance: 'Balance' },
  };
  const load = async (way = 'NEFT') => {
    const content = ['Date,Narration,Ref,Withdrawal,Deposit,Balance', ...file(way)].join('\n');
    const answer = await send('accounts/ImportBankStatement', { ledger, content, format });
    const { details } = (await answer.json()) as { details: { added: number; known: number } };
    return { status: answer.status, ...details };
  };
  const { owner } = server.database;
  const standing = async () =>
    (await owner.query<{ n: number }>('select count(*)::int as n from bank_lines')).rows[0]?.n ?? 0;
  for (const tenths of [3, 6, 9]) {
    const dead = ended(program);
    const lost = load().catch(() => undefined);
    await expect.poll(standing, { timeout: 300_000, interval: 5 }).toBeGreaterThanOrEqual((LINES * tenths) / 10);
    kill();
    await dead;
    // the answer was lost, and what was written stays
    expect(await lost).toBe(undefined);
    expect(await standing()).toBeLessThan(LINES);
    await start();
  }
  const before = await standing();
  const both = await Promise.all([load(), load()]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  // what was added and what was known make the file, in each answer and over all of them
  expect(both.map(({ added, known }) => added + known)).toEqual([LINES, LINES]);
  expect(both.reduce((sum, { added }) => sum + added, 0)).toBe(LINES - before);
  expect(await load()).toEqual({ status: 200, added: 0, known: LINES });
  const { rows: there } = await owner.query(
    `select count(*)::int as lines, count(distinct reference)::int as once, count(distinct place)::int as places from bank_lines`,
  );
  expect(there).toEqual([{ lines: LINES, once: LINES, places: LINES }]);

  // while another file is read one posts as ever
  const isLong = LINES >= 50_000;
  let left = isLong ? 400 : 0;
  const alone = await posted(() => left-- > 0);
  let reading = true;
  const beside = posted(() => reading);
  expect(await load('RTGS')).toEqual({ status: 200, added: LINES, known: 0 });
  reading = false;
  const times = await beside;
  expect(times.length).toBeGreaterThan(1);
  // a short file says nothing of how long one waits beside it
  if (isLong) {
    process.stderr.write(`p95 of ${times.length} posts ${p95(times)} ms, alone ${p95(alone)} ms\n`);
    expect(p95(times)).toBeLessThan(2 * p95(alone));
  }
  await whole();
}, 900_000);

const TROUBLE = ['--import', path.join(root(), 'tools/testing/trouble.mjs'), '--max-old-space-size=300'];
test('F-07: held for longer than a transaction may rest it is not healthy, and goes on; out of memory it ends: each post is there once, ' +
  'none by halves', async () => {
  const dead = ended(program);
  kill();
  await dead;
  await start('pipe', TROUBLE);
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '500', rate: '60' }] });
  const before = (await numbers()).length;
  const odd: unknown[] = [];
  const many = () => Promise.all(Array.from({ length: 12 }, () => insist(randomUUID(), odd)));
  const healthy = () =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const held = many();
  await expect.poll(async () => (await numbers()).length, { interval: 5 }).toBeGreaterThan(before);
  program?.kill('SIGUSR2');
  await new Promise((then) => setTimeout(then, 300));
  expect(await healthy()).toBe(false);
  expect(new Set(await held).size).toBe(12);
  await expect.poll(healthy).toBe(true);
  const full = program;
  const over = ended(full);
  const posted = many();
  full?.kill('SIGHUP');
  await over;
  expect(full?.signalCode ?? full?.exitCode).toSatisfy((how) => ['SIGABRT', 'SIGTRAP', 134].includes(how as string));
  await start();
  expect(new Set(await posted).size).toBe(12);
  expect(odd).toEqual([]);
  expect((await numbers()).length).toBe(before + 24);
  await whole();
}, 120_000);

test.runIf(fs.existsSync(FULL))(
  'F-16: with a full disk for its log the program starts, posts and goes on',
  async () => {
    const dead = ended(program);
    kill();
    await dead;
    const full = fs.openSync(FULL, 'w');
    await start(full);
    fs.closeSync(full);
    const before = (await numbers()).length;
    for (let n = 0; n < 3; n++) expect((await ask('1', randomUUID())).status).toBe(200);
    // what goes wrong is to be logged, and cannot be
    expect((await ask('1', 'no key')).status).toBe(422);
    link.cut();
    const again = randomUUID();
    await expect
      .poll(async () => (await ask('1', again).catch(() => undefined))?.status, { timeout: 20_000 })
      .toBe(200);
    expect((await numbers()).length).toBe(before + 4);
    expect(program?.exitCode).toBe(null);
    await whole();
  },
  60_000,
);
