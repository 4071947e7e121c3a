import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReportName, reportNames, reports } from '../../contract/reports.ts';
import { addDays, addMonths } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type Link, linkTo } from '../../tools/testing/link.ts';
import { freePort } from '../../tools/testing/ports.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { systemClock } from '../kit/clock.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { type Running, startServer } from '../process/server.ts';

let server: TestServer;
let shop: Shop;
/** A second server on the same database, over a line that can be disturbed. */
let far: Running;
let link: Link;
let today = '';
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  link = await linkTo(server.database.url);
  const port = await freePort();
  far = await startServer({
    ...{ url: link.url, ownerUrl: server.database.ownerUrl, masterKey: Buffer.alloc(32, 7) },
    ...{ publicUrl: `http://127.0.0.1:${port}`, host: '127.0.0.1', port, clock: systemClock, oidc: undefined },
    ...{ organisationClaim: 'org_id', irp: 'sandbox', jobs: false, checkAnswers: true, log: () => undefined },
  });
});
afterAll(async () => {
  await far?.stop();
  await link?.close();
  await server?.stop();
});

const headers = () => ({
  ...{ cookie: shop.owner.cookie, 'x-requested-by': 'bahi', 'content-type': 'application/json' },
});
const post = async (
  url: string,
  key: string,
): Promise<{ status: number; code: string | undefined; id: string | undefined }> => {
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const document = { kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer, lines };
  const answer = await fetch(`${url}/api/transactions/PostTransactionCalls`, {
    ...{ method: 'POST', headers: { ...headers(), 'idempotency-key': key } },
    body: JSON.stringify({ document }),
  });
  const { details } = (await answer.json()) as { details: { code?: string; TransactionId?: string } };
  return { status: answer.status, code: details.code, id: details.TransactionId };
};
/** What the server says to these very bytes, and when it hangs up. */
const say = (text: string, wait = 5000): Promise<string> =>
  new Promise((done) => {
    let heard = '';
    const { hostname, port } = new URL(server.url);
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    const end = () => {
      socket.destroy();
      done(heard);
    };
    socket.on('data', (piece) => {
      heard += piece;
    });
    socket.on('close', end).on('error', end);
    setTimeout(end, wait).unref();
  });

test.each([
  [
    'a length and pieces',
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n',
  ],
  ['two lengths', 'Content-Length: 4\r\nContent-Length: 30\r\n\r\nabcd'],
  ['a folded line', 'X-Part: one\r\n two\r\nContent-Length: 0\r\n\r\n'],
  ['a space before the colon', 'Content-Length : 4\r\n\r\nabcd'],
  ['two ways of pieces', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
  ['a length that is no number', 'Content-Length: +4\r\n\r\nabcd'],
  ['a piece without its length', 'Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n'],
  ['a bare line feed in a name', 'X-A\nContent-Length: 4\r\n\r\nabcd'],
])('S-51: what could be read as two requests is refused: %s', async (_, rest) => {
  const heard = await say(`POST /api/session/SavePreferences HTTP/1.1\r\nHost: x\r\n${rest}`, 3000);
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
});

test('S-51: a head of more than 16 KB, and a body of more than 12 MB, are refused at once', async () => {
  const head = await say(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`);
  expect(head).toMatch(/^HTTP\/1\.1 431/);
  const send = (megabytes: number) =>
    fetch(`${server.url}/api/session/SavePreferences`, {
      ...{ method: 'POST', headers: headers() },
      body: JSON.stringify({ colour: 'a'.repeat(megabytes * 1024 * 1024) }),
    });
  const began = performance.now();
  expect((await send(13)).status).toBe(413);
  expect((await send(11)).status).toBe(422);
  expect(performance.now() - began).toBeLessThan(5000);
});

test('F-12: five hundred who send slowly keep nobody waiting, and are hung up on', async () => {
  const began = performance.now();
  const slow = Array.from({ length: 500 }, () => say('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Part: ', 25_000));
  const times: number[] = [];
  for (let n = 0; n < 20; n++) {
    const asked = performance.now();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    times.push(performance.now() - asked);
  }
  expect(times.sort((a, b) => a - b)[18]).toBeLessThan(1000);
  const heard = await Promise.all(slow);
  expect(heard.every((text) => text.startsWith('HTTP/1.1 408'))).toBe(true);
  expect(performance.now() - began).toBeLessThan(20_000);
}, 60_000);

test('F-10: with a slow line to the database, and one that is cut in the middle of an answer, each is posted once', async () => {
  link.slow(200);
  expect((await post(far.url, randomUUID())).status).toBe(200);
  link.slow(0);
  const count = async () => (await server.database.owner.query('select from documents')).rowCount ?? 0;
  const before = await count();
  const keys = Array.from({ length: 20 }, () => randomUUID());
  const cutting = setInterval(() => link.cut(), 40);
  const first = await Promise.all(keys.map((key) => post(far.url, key)));
  clearInterval(cutting);
  for (const { status } of first) expect([200, 503]).toContain(status);
  const again = await Promise.all(keys.map((key) => post(far.url, key)));
  expect(again.map(({ status }) => status)).toEqual(keys.map(() => 200));
  expect(await count()).toBe(before + 20);
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
}, 60_000);

test('S-52: no report reads more than ten years at once; ten years it reads', async () => {
  const dated = reportNames.filter((name) => 'from' in reports[name].filters);
  expect(dated.length).toBeGreaterThan(8);
  const whole = addDays(addMonths(today, -120), 1);
  const fieldsOf = async (report: ReportName, from: string) => {
    const { status, details } = await shop.owner.call('RunReport', { report, filters: { from, to: today } } as never);
    if (status !== 422) return [];
    return (details as { problems: { field: string; message: string }[] }).problems
      .filter(({ field }) => field === 'from' || field === 'to')
      .map(({ field, message }) => `${field}: ${message}`);
  };
  for (const report of dated) {
    expect([report, await fieldsOf(report, addDays(whole, -1))]).toEqual([
      report,
      ['from: Choose a period of at most 10 years'],
    ]);
    expect([report, await fieldsOf(report, whole)]).toEqual([report, []]);
  }
  const filters = { from: '1900-01-01', to: today };
  const file = await shop.owner.call('ExportReport', { report: 'dayBook', filters, format: 'csv' } as never);
  expect(file).toMatchObject({ status: 422, details: { problems: [{ field: 'from' }] } });
});

test('F-10, S-52: a request that takes too long is stopped and refused, a report too; others go on', async () => {
  const blocker = await server.database.owner.connect();
  await blocker.query('begin');
  await blocker.query('lock table documents in access exclusive mode');
  const asked = shop.owner.call('RunReport', { report: 'receivablesAgeing', filters: { asOf: today } } as never);
  const posted = post(server.url, randomUUID());
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const [report, posting] = await Promise.all([asked, posted]);
  // before anything is expected: what stays open would hold back the sealing of every test
  await blocker.query('rollback');
  blocker.release();
  expect(report).toMatchObject({ status: 503, details: { code: 'tooSlow' } });
  expect(posting).toMatchObject({ status: 503, code: 'tooSlow' });
  expect((await post(server.url, randomUUID())).status).toBe(200);
}, 60_000);
