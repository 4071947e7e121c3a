import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { DEMO_PASSWORD } from '../organisation/demo.ts';

/** A name of a domain that is reserved, so that nobody resolves it (RFC 6761): this server cannot reach it, a browser can. */
const publicUrl = 'https://books.invalid';
let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, { publicUrl, trustProxy: ['loopback'] });
});
afterAll(() => server.stop());

/** A browser that reaches the server under that name, by way of a proxy. */
function browser() {
  const jar = new Map<string, string>();
  return async (path: string, form?: Record<string, string>): Promise<Response> => {
    const { pathname, search } = new URL(path, publicUrl);
    const response = await fetch(`${server.url}${pathname}${search}`, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
      },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return response;
  };
}

test('signing in, and going on when the token has ended, need no way from the server to its public address', async () => {
  const go = browser();
  let path = '/api/session/SignIn';
  for (let hop = 0; path !== '/layout/Home' && hop < 12; hop++) {
    const answer = await go(path);
    const next =
      answer.headers.get('location') ??
      (await go(path, { email: 'owner@sharma.demo', password: DEMO_PASSWORD })).headers.get('location');
    if (!next) throw new Error(`${path}: ${answer.status} ${await answer.text()} ${server.failures.join('\n')}`);
    path = next;
  }
  expect(path).toBe('/layout/Home');
  expect((await go('/api/session/GetSession')).status).toBe(200);
  const tokens = async () =>
    (await server.database.owner.query<{ tokens: Buffer }>('select tokens from sessions')).rows.map((row) =>
      row.tokens.toString('hex'),
    );
  const before = await tokens();
  server.clock.at = Date.now() + 700_000;
  expect((await go('/api/session/GetSession')).status).toBe(200);
  expect(await tokens()).not.toEqual(before);
  expect(server.failures).toEqual([]);
});
