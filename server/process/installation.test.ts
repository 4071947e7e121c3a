import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { pretended } from './run.ts';
import { readSettings } from './settings.ts';

/** Asks as a program of this machine, or as a proxy on it. */
const asked = (url: string, method: string, headers: http.OutgoingHttpHeaders = {}): Promise<number> =>
  new Promise((answered, failed) => {
    const request = http.request(url, { method, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => answered(answer.statusCode ?? 0));
    });
    request.on('error', failed);
    request.end();
  });

const controls = [
  ['GET', '/sandbox/control'],
  ['POST', '/sandbox/control'],
  ['DELETE', '/sandbox/control'],
  ['POST', '/sandbox/control/reset'],
  ['GET', '/sandbox/keys'],
  ['GET', '/sandbox/keys/login.pem'],
  ['GET', '/sandbox/keys/jwks.json'],
  ['POST', '/sandbox/keys/rotate'],
] as const;

/** An invoice for which the law asks for an IRN. */
const sell = async (shop: Shop): Promise<string> =>
  (
    await shop.post({
      kind: 'saleInvoice',
      party: shop.customer,
      lines: [{ item: shop.item, quantity: '2', rate: '95' }],
    })
  ).TransactionId;
const einvoiceOf = async (shop: Shop, TransactionId: string): Promise<Einvoice> =>
  ((await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId })) as { einvoice: Einvoice }).einvoice;
interface Einvoice {
  readonly state: string;
  readonly pretended: boolean;
  readonly error: string | null;
}

let near: TestServer;
beforeAll(async () => {
  near = await testServer({}, { portal: true });
});
afterAll(() => near.stop());

test('where it is tried out, programs of this machine may order the stand-in about, and nobody else may', async () => {
  expect(await asked(`${near.url}/sandbox/control`, 'GET')).toBe(200);
  for (const [method, path] of controls)
    for (const brought of [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '' },
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-port': '443' },
      { forwarded: 'for=203.0.113.9' },
      { via: '1.1 proxy' },
      { host: 'books.example' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect([method, path, brought, await asked(near.url + path, method, brought)]).toEqual([
        method,
        path,
        brought,
        404,
      ]);
});

test('an invoice that the stand-in has registered says so on screen and paper', async () => {
  const shop = await openShop(near);
  const id = await sell(shop);
  await expect.poll(async () => (await einvoiceOf(shop, id)).state, { timeout: 15_000 }).toBe('registered');
  expect((await einvoiceOf(shop, id)).pretended).toBe(true);
  const { content }: { content: string } = await shop.owner.ask('PrintDocument', { id, copy: 'original' });
  expect(textOfPdf(Buffer.from(content, 'base64'))).toContain('This is not a valid e-invoice.');
  expect(await shop.owner.ask('GetSession', {})).toMatchObject({ installation: { portal: 'standIn' } });
});

test('asked for elsewhere, the stand-in opens its keys and controls to nobody, and still works', async () => {
  const server = await testServer({}, { portal: true, sandboxControls: false });
  for (const [method, path] of controls)
    expect([method, path, await asked(server.url + path, method)]).toEqual([method, path, 404]);
  const owner = await server.signIn('owner@sharma.demo');
  const [kept]: { registration: string }[] = await owner.ask('GetEInvoiceClientCredentails', {});
  expect(await owner.ask('TestEInvoiceCredentials', { registration: kept?.registration ?? '' })).toMatchObject({
    ok: true,
  });
  await server.stop();
});

test('without a portal nothing is mounted, and what needs one is refused with what is missing', async () => {
  const server = await testServer({}, { irp: undefined, jobs: true });
  for (const [method, path] of controls) expect(await asked(server.url + path, method)).toBe(404);
  expect(await asked(`${server.url}/sandbox/payments/account`, 'GET')).toBe(404);
  const shop = await openShop(server);
  expect(await shop.owner.ask('GetSession', {})).toMatchObject({ installation: { portal: 'none' } });
  // nor a gateway that only pretends to take money
  expect(await shop.owner.ask('GetPaymentGateway', {})).toMatchObject({ providers: [] });
  const gateway = {
    ...{ provider: 'sandbox', live: false, keyId: 'key', secret: 'secret', webhookSecret: 'secret' },
    settlementLedger: await shop.ledger('1121'),
  };
  expect(await shop.owner.call('SavePaymentGateway', gateway)).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'provider' }] },
  });
  const id = await sell(shop);
  await expect.poll(async () => (await einvoiceOf(shop, id)).state, { timeout: 15_000 }).toBe('failed');
  expect((await einvoiceOf(shop, id)).error).toContain('its operator sets IRP_URL');
  for (const [name, input] of [
    ['GenerateIRNNumber', { ids: [id] }],
    ['CancelIRNNumber', { id, reason: '1', remark: 'Wrong' }],
    ['GenerateEWayBill', { id, transport: { distance: 0, mode: '1', vehicle: 'KA 01 AB 1234' } }],
    ['CancelEwayBills', { ids: [id], reason: '2', remark: 'Wrong' }],
  ] as const)
    expect(await shop.owner.call(name, input as never), name).toMatchObject({
      status: 409,
      details: { code: 'noPortal' },
    });
  expect(server.failures).toEqual([]);
  await server.stop();
});

test('the start says what is pretended, who can read the mail that is caught, and what is lacking', () => {
  const said = (given: Record<string, string>) => pretended(readSettings(given)).join('\n');
  const database = { DATABASE_URL: 'postgresql://app@db/bahi', DATABASE_OWNER_URL: 'postgresql://owner@db/bahi' };
  const standIn = /stand-ins: no IRN, e-way bill or payment made here is real/;
  const caught = /every account of this machine can read it, links for passwords too/;
  expect(said({})).toMatch(standIn);
  expect(said({})).toMatch(caught);
  const served = { ...database, MASTER_KEY: 'a'.repeat(64), PUBLIC_URL: 'https://books.example' };
  expect(said(served)).not.toMatch(standIn);
  expect(said(served)).not.toMatch(caught);
  expect(said(served)).toContain('no invoice portal (IRP_URL): invoices get no IRN');
  expect(said({ ...served, SANDBOX: '1' })).toMatch(standIn);
  expect(said({ ...served, SIGN_UP: 'open' })).toContain('Anybody with a confirmed e-mail address');
});
