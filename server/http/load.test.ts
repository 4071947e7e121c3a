import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '../../contract/calls.ts';
import type { Operation } from '../../contract/contract.ts';
import { openShop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { limits, pacer } from './load.ts';

let server: TestServer;
let owner: Visitor;
let accountant: Visitor;
beforeAll(async () => {
  server = await testServer(
    {},
    {
      limits: {
        report: { atOnce: 1, patience: 5000 },
        export: { atOnce: 1, patience: 1 },
        search: { of: 'user', burst: 3, perSecond: 1 },
        portal: { of: 'organisation', burst: 1, perSecond: 1 },
        file: { atOnce: 1, patience: 100 },
        paper: { atOnce: 1, patience: 1 },
      },
    },
  );
  owner = await server.signIn('owner@sharma.demo');
  accountant = await server.signIn('accountant@sharma.demo');
}, 60_000);
afterAll(() => server.stop());

const who = { organisation: 1, user: 'a' };

test('S-50: so many at once, the others in their order; who waits in vain is refused and holds no place', async () => {
  const paced = pacer({ ...limits, report: { atOnce: 2, patience: 60 } }, () => 0);
  let [running, most] = [0, 0];
  const order: number[] = [];
  const work = (n: number, milliseconds: number) => () =>
    new Promise<number>((done) => {
      running += 1;
      most = Math.max(most, running);
      order.push(n);
      setTimeout(() => {
        running -= 1;
        done(n);
      }, milliseconds);
    });
  const all = await Promise.all([1, 2, 3, 4, 5].map((n) => paced('report', who, work(n, 10))));
  expect([all, order, most]).toEqual([[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], 2]);
  const long = [work(6, 150), work(7, 150)].map((each) => paced('report', who, each));
  await expect(paced('report', who, work(8, 1))).rejects.toMatchObject({ code: 'tooManyAtOnce' });
  // another organisation does not wait for this one, nor does what is no report
  expect(await paced('report', { organisation: 2, user: 'b' }, work(9, 1))).toBe(9);
  expect(await paced(undefined, who, work(10, 1))).toBe(10);
  await Promise.all(long);
  await expect(paced('report', who, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await Promise.all([11, 12].map((n) => paced('report', who, work(n, 1))))).toEqual([11, 12]);
});

test('of files one is read at a time of an organisation, four wait in their order, the next is refused; two in all', async () => {
  const paced = pacer(limits, () => 0);
  const order: number[] = [];
  let [running, most] = [0, 0];
  const read = (organisation: number, n: number) =>
    paced('file', { organisation, user: 'a' }, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setTimeout(done, 20));
      running -= 1;
      order.push(n);
    });
  const own = [1, 2, 3, 4, 5].map((n) => read(1, n));
  await expect(read(1, 6)).rejects.toMatchObject({ code: 'tooManyAtOnce' });
  await Promise.all([...own, ...[2, 3, 4].map((organisation) => read(organisation, organisation * 10))]);
  expect(order.filter((n) => n < 10)).toEqual([1, 2, 3, 4, 5]);
  expect([order.length, most]).toEqual([8, 2]);
  // who was refused has used up nothing
  await read(1, 7);
  expect(order.at(-1)).toBe(7);
});

test('S-50: a pace is filled again second by second, of each user or of the organisation', async () => {
  let now = 0;
  const paced = pacer({ ...limits, search: { of: 'user', burst: 2, perSecond: 2 } }, () => now);
  const ask = (user = 'a') => paced('search', { organisation: 1, user }, async () => user);
  await ask();
  await ask();
  await expect(ask()).rejects.toMatchObject({ code: 'tooMany' });
  expect(await ask('b')).toBe('b');
  now += 500;
  expect(await ask()).toBe('a');
  await expect(ask()).rejects.toMatchObject({ code: 'tooMany' });
});

test('S-50: the browser gets a plain sentence and when to try again; others are not kept out', async () => {
  const pick = (visitor: Visitor) => visitor.call('Pick', { master: 'customer', search: 'a' });
  const heard = [await pick(owner), await pick(owner), await pick(owner), await pick(owner)];
  expect(heard.map((h) => h.status)).toEqual([200, 200, 200, 429]);
  expect(heard[3]?.message).toBe('Too many attempts, please wait a moment');
  const raw = await fetch(`${server.url}/api/masters/Pick?master=customer&search=a`, {
    headers: { cookie: owner.cookie },
  });
  expect([raw.status, raw.headers.get('retry-after')]).toEqual([429, '5']);
  expect((await pick(accountant)).status).toBe(200);
  const filters = { from: '2026-04-01', to: '2027-03-31' };
  const reports = await Promise.all(
    Array.from({ length: 20 }, () => owner.call('RunReport', { report: 'trialBalance', filters })),
  );
  expect(reports.map((r) => r.status)).toEqual(reports.map(() => 200));
  const files = await Promise.all(
    Array.from({ length: 6 }, () => owner.call('ExportReport', { report: 'trialBalance', filters, format: 'xlsx' })),
  );
  expect(files.filter((f) => f.status === 200).length).toBeGreaterThan(0);
  expect(files.filter((f) => f.status === 503 && f.message.includes('please try again')).length).toBeGreaterThan(0);
});

test('every call that prints has a limit of how many papers are made at a time', async () => {
  const free = Object.entries(calls as Readonly<Record<string, Operation>>).filter(
    ([, { details, load }]) => 'content' in ((details as { shape?: object }).shape ?? {}) && !load,
  );
  // texts of help, and files that are kept as they are
  expect(free.map(([name]) => name).toSorted()).toEqual([
    ...['GetAttachment', 'GetHelpContent', 'GetMailedPaper', 'GetRecordFile'],
  ]);
  const shop = await openShop(server);
  const { TransactionId: id } = await shop.post({
    ...{ kind: 'saleInvoice', party: shop.customer },
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const papers = await Promise.all(Array.from({ length: 6 }, () => shop.owner.call('PrintDocument', { id })));
  expect(papers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(papers.filter(({ status, message }) => status === 503 && message.includes('please try again'))).not.toEqual(
    [],
  );
});
