import { createHmac, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Shop } from '../../e2e/kit/shop.ts';
import { openShop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { isPublic } from './address.ts';
import { sendOnce } from './send.ts';
import { dueWebhooks } from './task.ts';

interface Got {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}
let server: TestServer;
let shop: Shop;
let receiver: http.Server;
let address: string;
let got: Got[] = [];
/** What the receiver answers; 0: nothing at all. */
let answers = 200;
let location: string | undefined;

beforeAll(async () => {
  server = await testServer({}, { jobs: true });
  shop = await openShop(server);
  receiver = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      if (answers === 0) return;
      response.writeHead(answers, location ? { location } : {});
      response.end('x'.repeat(100_000));
    });
  });
  await new Promise<void>((up) => receiver.listen(0, '127.0.0.1', up));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/bahi`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  expect(server.failures).toEqual([]);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});
beforeEach(() => {
  got = [];
  answers = 200;
  location = undefined;
});
afterEach(async () => {
  for (const { id } of (await shop.owner.ask('ListWebhooks', {})) as { id: string }[])
    await shop.owner.ask('DeleteWebhook', { webhook: id });
});

interface Made {
  readonly id: string;
  readonly secret: string;
}
const make = async (values: object = {}): Promise<Made> =>
  shop.owner.ask('MakeWebhook', { name: 'Shop', address, events: ['documentPosted'], kinds: [], ...values });
const invoice = async (kind: 'saleInvoice' | 'quotation' = 'saleInvoice') => {
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const document = {
    ...{ kind, date: today, ...shop.place, party: shop.customer },
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  };
  return (await shop.owner.ask('PostTransactionCalls', { document }, randomUUID())) as {
    readonly TransactionId: string;
    readonly TransactionNumber: string;
  };
};
const deliveries = async (
  webhook: string,
): Promise<{ id: string; event: string; about: string; state: string; attempts: number; error: string | null }[]> =>
  shop.owner.ask('ListWebhookDeliveries', { webhook });
/** What waits is due now: as if the pause were over. */
const dueNow = async () => {
  await server.database.owner.query(`update webhook_deliveries set next_at = now() where state = 'waiting'`);
  await server.database.owner.query(dueWebhooks);
};
const soon = { timeout: 15_000, interval: 50 };
const bodies = () => got.map(({ body }) => JSON.parse(body));

test('a posted document is sent, signed over time and body, without amounts', async () => {
  const { id, secret } = await make();
  const { TransactionId, TransactionNumber } = await invoice();
  await expect.poll(() => got.length, soon).toBe(1);
  const [{ headers, body } = { headers: {}, body: '' }] = got;
  const signed = createHmac('sha256', secret).update(`${headers['bahi-timestamp']}.${body}`).digest('hex');
  expect(headers['bahi-signature']).toBe(`v1=${signed}`);
  expect(Math.abs(Number(headers['bahi-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  const { date, ...document } = JSON.parse(body).document;
  expect(document).toEqual({ id: TransactionId, kind: 'saleInvoice', number: TransactionNumber });
  expect(Object.keys(JSON.parse(body)).sort()).toEqual(['document', 'event', 'id', 'organisation', 'time']);
  expect(JSON.parse(body)).toMatchObject({ id: headers['bahi-delivery'], event: 'documentPosted' });
  await expect.poll(async () => (await deliveries(id))[0]?.state, soon).toBe('sent');
});

test('it is sent again after a 500, in the order in which it happened, with the same id', async () => {
  const { id } = await make({ events: ['documentPosted', 'documentCancelled'] });
  answers = 500;
  const { TransactionId } = await invoice();
  await expect
    .poll(async () => (await deliveries(id))[0], soon)
    .toMatchObject({
      ...{ state: 'waiting', attempts: 1, status: 500, error: 'The receiver answered with the status 500' },
    });
  const cancel = { TransactionIds: [TransactionId], TransactionType: 'saleInvoice', reason: 'twice' };
  // while it is on its way to the portal it is not cancelled
  await expect
    .poll(async () => (await shop.owner.call('CancelTransaction', cancel, randomUUID())).status, soon)
    .toBe(200);
  answers = 204;
  await dueNow();
  await expect.poll(async () => (await deliveries(id)).map(({ state }) => state), soon).toEqual(['sent', 'sent']);
  expect(bodies().map(({ event }) => event)).toEqual(['documentPosted', 'documentPosted', 'documentCancelled']);
  expect(bodies()[0].id).toBe(bodies()[1].id);
});

test('no connection is tried again, and after a day it is given up and said', async () => {
  const { id } = await make({ address: 'http://127.0.0.1:9/', name: 'Gone' });
  await invoice();
  await expect
    .poll(async () => (await deliveries(id))[0], soon)
    .toMatchObject({
      ...{ state: 'waiting', attempts: 1, status: null, error: 'The receiver could not be reached (ECONNREFUSED)' },
    });
  await server.database.owner.query(`update webhook_deliveries set until = now() - interval '1 second'`);
  await dueNow();
  await expect.poll(async () => (await deliveries(id))[0]?.state, soon).toBe('failed');
  const { rows } = await server.database.owner.query(`select message from notifications where message like '%Gone%'`);
  expect(rows).toHaveLength(1);
  const [failed] = await deliveries(id);
  await shop.owner.ask('SendWebhookAgain', { delivery: failed?.id ?? '' });
  await expect.poll(async () => (await deliveries(id))[0], soon).toMatchObject({ state: 'waiting', attempts: 3 });
});

test('exactly the chosen events and kinds are sent', async () => {
  const { id } = await make({ events: ['documentPosted', 'masterSaved'], kinds: ['quotation'] });
  await invoice();
  const { TransactionId } = await invoice('quotation');
  await shop.owner.ask('SaveMaster', {
    master: 'customer',
    values: { name: 'Told', category: 'unregistered', state: '29' },
  });
  await expect
    .poll(async () => (await deliveries(id)).map(({ event }) => event), soon)
    .toEqual(['masterSaved', 'documentPosted']);
  expect((await deliveries(id))[1]?.about).toBe(TransactionId);
});

test('a paused webhook is sent nothing, and goes on', async () => {
  const { id } = await make();
  await shop.owner.ask('PauseWebhook', { webhook: id, active: false });
  await invoice();
  expect(await deliveries(id)).toEqual([]);
  // what would only wait is refused
  expect(await shop.owner.call('TestWebhook', { webhook: id })).toMatchObject({
    ...{ status: 409, details: { code: 'webhookPaused' } },
  });
  expect(await deliveries(id)).toEqual([]);
  await shop.owner.ask('PauseWebhook', { webhook: id, active: true });
  const { TransactionId } = await invoice();
  await expect.poll(() => bodies().map(({ document }) => document.id), soon).toEqual([TransactionId]);
});

test('a test is sent; a new secret signs from then on; neither is readable again', async () => {
  const { id, secret } = await make();
  const rolled: { secret: string } = await shop.owner.ask('RollWebhookSecret', { webhook: id });
  await shop.owner.ask('TestWebhook', { webhook: id });
  await expect.poll(() => got.length, soon).toBe(1);
  const [{ headers, body } = { headers: {}, body: '' }] = got;
  const signed = createHmac('sha256', rolled.secret).update(`${headers['bahi-timestamp']}.${body}`).digest('hex');
  expect(headers['bahi-signature']).toBe(`v1=${signed}`);
  expect(headers['bahi-event']).toBe('test');
  expect(rolled.secret).not.toBe(secret);
  const { rows } = await server.database.owner.query<{ kept: string }>(
    `select to_jsonb(w)::text as kept from webhooks w union all select to_jsonb(l)::text from edit_log l`,
  );
  const kept = rows.map((row) => row.kept).join() + JSON.stringify(await shop.owner.ask('ListWebhooks', {}));
  for (const text of [secret, rolled.secret]) {
    expect(kept).not.toContain(text);
    expect(kept).not.toContain(Buffer.from(text).toString('hex'));
  }
});

test('no redirect is followed, and a receiver that does not answer is left', async () => {
  const letter = { address, secret: 's', id: randomUUID(), event: 'test', body: '{}', at: 1, trial: true };
  answers = 302;
  location = address;
  expect(await sendOnce(letter)).toEqual({ status: 302, error: 'The receiver answered with the status 302' });
  expect(got).toHaveLength(1);
  answers = 0;
  expect(await sendOnce({ ...letter, patience: 200 })).toEqual({
    ...{ status: null, error: 'The receiver did not answer within 0.2 seconds' },
  });
});

test.each([
  'http://203.0.114.9/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://2130706433/',
  'https://user:word@8.8.8.8/',
  'ftp://8.8.8.8/',
  'nothing',
])('%s is refused when it is saved', async (bad) => {
  expect(
    await shop.owner.call('MakeWebhook', { name: 'Bad', address: bad, events: ['documentPosted'], kinds: [] }),
  ).toMatchObject({ status: 422 });
});

test('a private address is refused when it is sent to, and without a trial so is the own machine', async () => {
  const letter = { secret: 's', id: randomUUID(), event: 'test', body: '{}', at: 1 };
  for (const [to, trial] of [
    ['https://10.0.0.1/', true],
    [address, false],
    [address.replace('http:', 'https:'), true],
  ] as const)
    expect(await sendOnce({ ...letter, address: to, trial })).toMatchObject({
      status: null,
      error: expect.any(String),
    });
  expect(got).toEqual([]);
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1', true],
  ['100.64.0.1', false],
  ['172.31.255.255', false],
  ['0.0.0.0', false],
  ['fe80::1', false],
  ['fc00::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
])('%s is public: %s', (ip, expected) => {
  expect(isPublic(ip)).toBe(expected);
});

test('another organisation sees and changes nothing of it, and is notified of its own only', async () => {
  const { id } = await make();
  await invoice();
  await expect.poll(async () => (await deliveries(id))[0]?.state, soon).toBe('sent');
  const [delivery] = await deliveries(id);
  const other: Visitor = await server.signIn('owner@nova.demo');
  expect(await other.ask('ListWebhooks', {})).toEqual([]);
  expect(await other.ask('ListWebhookDeliveries', { webhook: id })).toEqual([]);
  for (const [call, input] of [
    ['PauseWebhook', { webhook: id, active: false }],
    ['RollWebhookSecret', { webhook: id }],
    ['DeleteWebhook', { webhook: id }],
    ['TestWebhook', { webhook: id }],
    ['SendWebhookAgain', { delivery: delivery?.id ?? '' }],
  ] as const)
    expect(await other.call(call, input as never)).toMatchObject({ status: 404 });
});

test('there are five at most', async () => {
  for (let n = 0; n < 5; n += 1) await make({ name: `Shop ${n}` });
  expect(
    await shop.owner.call('MakeWebhook', { name: 'Sixth', address, events: ['documentPosted'], kinds: [] }),
  ).toMatchObject({ status: 409 });
});

test('many events are sent one after the other, more than one job sends', async () => {
  const { id } = await make({ events: ['masterSaved'] });
  const { rowCount } = await server.database.owner.query(
    `update items set name = name where organisation = (select organisation from webhooks where id = $1)`,
    [id],
  );
  const MANY = 120;
  await server.database.owner.query(
    `insert into webhook_deliveries (organisation, webhook, event, body)
     select organisation, id, 'masterSaved', '{}' from webhooks, generate_series(1, $2::int) where id = $1`,
    [id, MANY],
  );
  await server.database.owner.query(dueWebhooks);
  await expect.poll(() => got.length, soon).toBe(MANY + (rowCount ?? 0));
});
