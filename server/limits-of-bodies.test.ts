import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../contract/calls.ts';
import type { Operation } from '../contract/contract.ts';
import { MOST_BYTES } from '../contract/size.ts';
import { type TestServer, testServer, type Visitor } from '../tools/testing/server.ts';

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

test('who sends too much is told so, and not cut off in the middle of it', async () => {
  for (const length of [MOST_BYTES + 1, 40 * 1024 * 1024]) expect(await post(length)).toContain(' 413 ');
});

test('a path with NUL is refused, and so is a form', async () => {
  for (const path of ['/%00', '/layout/%00', '/api/session/%00', '/assets/%00.js', '/webhooks/payments/a%00b'])
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 400]);
  const body = new URLSearchParams({ email: 'a\0b@sharma.demo' });
  expect((await fetch(`${server.url}/forgotten`, { method: 'POST', body })).status).toBe(400);
  expect(server.failures).toEqual([]);
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
    const told = await read(content);
    expect(told.said).toContain(said);
    expect(told.took).toBeLessThan(5000);
    expect(told.more).toBeLessThan(200 * 1024 ** 2);
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
