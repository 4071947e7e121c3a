import net from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../contract/calls.ts';
import type { Operation } from '../../contract/contract.ts';
import { MOST_BYTES } from '../../contract/size.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { mountBodies, STRANGERS } from './bodies.ts';
import { mountRefusals } from './handle.ts';

let server: TestServer;
let owner: Visitor;
let bank = '';
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  const banks: { ledger: string }[] = await owner.ask('GetBankLedgers', {});
  bank = banks[0]?.ledger ?? '';
});
afterAll(() => server.stop());

/** Sends a body as it is; answers what comes back, or that the line was cut. */
const post = (length: number): Promise<string> =>
  new Promise((done) => {
    const { port } = new URL(server.url);
    let heard = '';
    const line = net.connect(Number(port), '127.0.0.1', () => {
      line.write(
        `POST /api/accounts/ReadBankStatement HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${owner.cookie}\r\nX-Requested-By: bahi\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
      );
      const part = Buffer.alloc(256 * 1024, 'a');
      let left = length;
      const more = () => {
        while (left > 0) {
          left -= part.length;
          if (!line.write(left < 0 ? part.subarray(0, part.length + left) : part)) return void line.once('drain', more);
        }
      };
      more();
    });
    line.on('data', (text) => {
      heard += text;
      if (heard.includes('\r\n\r\n')) line.end();
    });
    line.on('error', (error) => done(String(error)));
    line.on('close', () => done(heard.split('\r\n')[0] ?? ''));
  });

test('a client that sends too much gets the refusal, and is not cut off in the middle of it', async () => {
  for (const length of [MOST_BYTES + 1, 40 * 1024 * 1024]) expect(await post(length)).toContain(' 413 ');
});

test('a path with NUL is refused, and so is a form', async () => {
  for (const path of ['/%00', '/layout/%00', '/api/session/%00', '/assets/%00.js', '/webhooks/payments/a%00b'])
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 400]);
  const body = new URLSearchParams({ email: 'a\0b@sharma.demo' });
  expect((await fetch(`${server.url}/forgotten`, { method: 'POST', body })).status).toBe(400);
  expect(server.failures).toEqual([]);
});

test('outside the calls no text with NUL gets further, by address, form or JSON', async () => {
  const b64 = Buffer.from('a\0b:secret').toString('base64');
  const form = 'application/x-www-form-urlencoded';
  const asked: (readonly [string, RequestInit?])[] = [
    '/callback?code=a%00b',
    '/callback?error=a%00b',
    '/forgotten?email=a%00b',
    '/identity/auth?client_id=a%00b',
    '/identity/auth?client_id=bahi&response_type=code&scope=openid&state=a%00b',
    '/identity/auth/a%00b',
    '/identity/session/end?id_token_hint=a%00b',
    '/identity/session/end?post_logout_redirect_uri=a%00b',
    '/identity/%00',
  ].map((path) => [path] as const);
  for (const path of ['/identity/token', '/identity/auth'])
    for (const field of ['client_id', 'state', 'code', 'redirect_uri', 'refresh_token']) {
      const body = `${field}=a%00b${field === 'client_id' ? '' : '&client_id=bahi'}&grant_type=authorization_code`;
      asked.push([path, { method: 'POST', headers: { 'content-type': form }, body }]);
    }
  const basic = { 'content-type': form, authorization: `Basic ${b64}` };
  asked.push(['/identity/token', { method: 'POST', headers: basic, body: 'grant_type=authorization_code&code=x' }]);
  const typed = ['email', 'password', 'proof', 'code', 'token', 'again', 'link', 'name'];
  for (const path of [
    '/forgotten',
    '/invitation',
    '/setup',
    '/sign-up',
    '/sign-up/open',
    '/pay',
    '/pay/now',
    '/sign-in/x',
  ])
    for (const [field] of path === '/forgotten' ? [['email']] : typed.map((one) => [one])) {
      const body = { [field ?? '']: 'a\0b' };
      asked.push([
        path,
        { method: 'POST', headers: { 'content-type': form }, body: new URLSearchParams(body).toString() },
      ]);
      const json = { 'content-type': 'application/json' };
      asked.push([path, { method: 'POST', headers: json, body: JSON.stringify(body) }]);
      if (field === 'email')
        for (const odd of ['null', '[]', '7', '{"email":{}}'])
          asked.push([path, { method: 'POST', headers: json, body: odd }]);
    }
  const wrong: string[] = [];
  for (const [path, init] of asked) {
    const { status } = await fetch(server.url + path, { ...init, redirect: 'manual' });
    // the token endpoint says 401 of a client that it does not know by its secret; limits of pages come before their bodies
    const refused = path === '/identity/token' ? [400, 401] : path.startsWith('/identity/') ? [400, 404] : [400, 429];
    if (!refused.includes(status)) wrong.push(`${path} ${String(init?.body ?? '')}: ${status}`);
  }
  expect(wrong).toEqual([]);
  expect(server.failures).toEqual([]);
});

test('what the issuer cannot do is logged', async () => {
  const { owner: database } = server.database;
  await database.query('alter table issuer_records rename to issuer_records_away');
  const answer = await fetch(`${server.url}/identity/auth?client_id=unknown`);
  await database.query('alter table issuer_records_away rename to issuer_records');
  expect(answer.status).toBe(500);
  const failures = server.failures as string[];
  expect(failures.splice(0).join()).toContain('the issuer failed');
});

describe('bodies that are held', () => {
  const open = async (most: number, known = true) => {
    const app = Fastify({ bodyLimit: MOST_BYTES });
    mountRefusals(app, { log: () => undefined, troubled: () => undefined });
    mountBodies(app, { most, isKnown: async () => known });
    let go: () => void = () => undefined;
    const gone = new Promise<void>((over) => {
      go = over;
    });
    let inside = 0;
    app.post('/api/held', async () => {
      inside += 1;
      await gone;
      return {};
    });
    app.post('/page', async () => ({}));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as net.AddressInfo;
    const send = (length: number, path = '/api/held', headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: `"${'a'.repeat(length - 2)}"`,
      });
    const chunked = (length: number) =>
      fetch(`http://127.0.0.1:${port}/api/held`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, duplex: 'half' },
        body: new Blob([`"${'a'.repeat(length - 2)}"`]).stream(),
      } as RequestInit);
    return { app, send, chunked, go, held: (count: number) => expect.poll(() => inside).toBe(count) };
  };
  const MB = 1024 * 1024;

  test('are counted over all requests: what is too much is refused with when to come again, and small ones still come in', async () => {
    const { app, send, go, held } = await open(4 * MB);
    const first = [send(MB), send(MB)];
    await held(2);
    const late = await send(1.5 * MB);
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await late.json()).toMatchObject({ details: { code: 'bodiesFull' } });
    const small = [send(30_000), send(30_000)];
    await held(4);
    go();
    for (const one of [...first, ...small]) expect((await one).status).toBe(200);
    // what is answered is held no longer
    expect((await send(1.5 * MB)).status).toBe(200);
    expect((await send(2.5 * MB)).status).toBe(200);
    await app.close();
  });

  test('of whom nobody knows are small, said beforehand or not', async () => {
    const { app, send, chunked, go } = await open(4 * MB, false);
    go();
    expect((await send(STRANGERS + 1)).status).toBe(401);
    expect((await chunked(STRANGERS + 1)).status).toBe(401);
    expect((await send(STRANGERS)).status).toBe(200);
    expect((await send(STRANGERS + 1, '/page')).status).toBe(413);
    await app.close();
  });

  test('that are cut off are held no longer', async () => {
    const { app, send, go } = await open(4 * MB);
    go();
    const { port } = app.server.address() as net.AddressInfo;
    const cut = net.connect(port, '127.0.0.1');
    cut.write(
      `POST /api/held HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${3 * MB}\r\n\r\n${'a'.repeat(2.5 * MB)}`,
    );
    await expect.poll(async () => (await send(MB)).status).toBe(503);
    cut.destroy();
    await expect.poll(async () => (await send(2.5 * MB)).status).toBe(200);
    await app.close();
  });
});

describe('what cannot be kept as it is', () => {
  test.each([
    [
      'a field of a draft',
      'AddTransactionDetails',
      { kind: 'saleInvoice', body: { narration: 'a\0b' } },
      'body.narration',
    ],
    ['a name in a draft', 'AddTransactionDetails', { kind: 'saleInvoice', body: { 'a\0b': '1' } }, 'body'],
    [
      'half a letter in a draft',
      'AddTransactionDetails',
      { kind: 'saleInvoice', body: { narration: 'A\ud800B' } },
      'body.narration',
    ],
    ['a setting', 'SaveGeneralConfigDetails', { values: { labelFormat: 'a\0b' } }, 'values.labelFormat'],
    ['a name', 'SaveMaster', { master: 'customer', values: { name: 'A\ud800B' } }, 'values.name'],
    [
      'a line',
      'AddTransactionDetails',
      { kind: 'saleInvoice', body: { lines: [{}, { description: '\udc00' }] } },
      'body.lines.description',
    ],
    ['a search', 'Pick', { master: 'customer', search: 'a\0b' }, 'search'],
  ] as const)('%s is a problem at its field', async (_, name, input, field) => {
    const answer = await owner.call(name, input as never);
    expect(answer).toMatchObject({ status: 422, details: { code: 'problems', problems: [{ field }] } });
  });

  test('what is nested without end is refused, and does not break the server', async () => {
    const deep = `{"kind":"saleInvoice","body":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    const answer = await fetch(`${server.url}/api/transactions/AddTransactionDetails`, {
      method: 'POST',
      headers: { cookie: owner.cookie, 'x-requested-by': 'bahi', 'content-type': 'application/json' },
      body: deep,
    });
    expect(answer.status).toBe(400);
    expect(server.failures).toEqual([]);
  });
});

describe('statements of banks', () => {
  const head = 'Date,Narration,Amount\n';
  const read = async (content: string) => {
    const format = { date: 'Date', order: 'dmy', text: 'Narration', amount: 'Amount' } as const;
    const before = process.memoryUsage().rss;
    const began = performance.now();
    const { problems }: { problems: { message: string }[] } = await owner.ask('ReadBankStatement', {
      ledger: bank,
      content,
      format,
    });
    return {
      said: problems[0]?.message ?? '',
      took: performance.now() - began,
      more: process.memoryUsage().rss - before,
    };
  };

  test.each([
    ['too many rows', head + '01-04-2026,a,1\n'.repeat(600_000), 'divide it by months'],
    ['very many empty lines', head + '\n'.repeat(4_000_000), 'divide it by months'],
    ['a quote that never ends', `${head}01-04-2026,"${'a b '.repeat(2_000_000)}`, 'a quote that opens here never ends'],
  ])('%s are refused at once, and hold nothing', async (_, content, said) => {
    const result = await read(content);
    expect(result.said).toContain(said);
    expect(result.took).toBeLessThan(5000);
    expect(result.more).toBeLessThan(200 * 1024 ** 2);
  });

  test('of many at a time the process reads a few, and others are answered meanwhile', async () => {
    const content = head + '01-04-2026,a,1\n'.repeat(90_000);
    const reading = Array.from({ length: 8 }, () => owner.call('ReadBankStatement', { ledger: bank, content }));
    const waits: number[] = [];
    let over = false;
    const all = Promise.all(reading).finally(() => {
      over = true;
    });
    while (!over) {
      const began = performance.now();
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      waits.push(performance.now() - began);
      await new Promise((again) => setTimeout(again, 20));
    }
    const statuses = (await all).map(({ status }) => status);
    expect(statuses).toContain(200);
    // one reads and four wait; who comes then is asked to come again
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(3);
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)]).toBeLessThan(1500);
  }, 120_000);
});

test('every call that takes a file has a limit of how many are read at a time', () => {
  const free = Object.entries(calls as Readonly<Record<string, Operation>>).filter(
    ([, { input, load }]) =>
      JSON.stringify(Object.keys((input as { shape?: object }).shape ?? {})).includes('"content"') && !load,
  );
  // texts of help, a comment, which are no files
  expect(free.map(([name]) => name).toSorted()).toEqual(['SaveDefaultHelp', 'SaveHelpContent']);
});
