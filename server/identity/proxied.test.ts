import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

const PASSWORD = 'Demo-Bahi-2026';
let server: TestServer;
let direct: TestServer;
beforeAll(async () => {
  [server, direct] = await Promise.all([testServer({}, { trustProxy: ['loopback'] }), testServer()]);
});
afterAll(() => Promise.all([server.stop(), direct.stop()]));

/** Types a password into the sign-in page, from behind a proxy; answers the status: 303 when it was right. */
async function signIn({ url }: TestServer, from: string, email: string, password = PASSWORD): Promise<number> {
  const jar = new Map<string, string>();
  const go = async (path: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(new URL(path, url), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), 'x-forwarded-for': from },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return response;
  };
  let path = '/api/session/SignIn';
  for (let hop = 0; hop < 6; hop++) {
    const next = (await go(path)).headers.get('location');
    if (!next) return (await go(path, { email, password })).status;
    path = next;
  }
  throw new Error('there is no sign-in page');
}

test('forty people of one office sign in within a minute', async () => {
  const people = ['owner', 'accountant', 'approver', 'viewer', 'none'].map((name) => `${name}@sharma.demo`);
  for (let round = 0; round < 8; round++)
    expect(await Promise.all(people.map((email) => signIn(server, '203.0.113.20', email)))).toEqual(
      people.map(() => 303),
    );
}, 60_000);

test('wrong passwords from elsewhere lock out nobody but their own address, and the log says where they came from', async () => {
  for (let n = 1; n <= 5; n++)
    expect(await signIn(server, '198.51.100.1', 'viewer@sharma.demo', `wrong password ${n}`)).toBe(401);
  expect(await signIn(server, '198.51.100.1', 'viewer@sharma.demo')).toBe(401);
  expect(await signIn(server, '203.0.113.9', 'viewer@sharma.demo')).toBe(303);
  const { rows } = await server.database.owner.query<{ from: string }>(
    `select distinct after ->> 'from' as "from" from edit_log where relation = 'security' and action = 'signInFailed'`,
  );
  expect(rows).toEqual([{ from: '198.51.100.1' }]);
}, 60_000);

test('wrong passwords from ten addresses keep the right one out from no other', async () => {
  for (let n = 0; n < 50; n++)
    await signIn(server, `192.0.2.${10 + (n % 10)}`, 'accountant@sharma.demo', `wrong password ${n}`);
  expect(await signIn(server, '203.0.113.77', 'accountant@sharma.demo')).toBe(303);
  const { rows } = await server.database.owner.query(
    `select distinct action from edit_log where relation = 'security' and action = 'guessed'`,
  );
  expect(rows).toHaveLength(1);
}, 120_000);

test('where no proxy is trusted, nobody gives themselves another address', async () => {
  for (let n = 1; n <= 5; n++) await signIn(direct, `198.51.100.${n}`, 'viewer@sharma.demo', `wrong password ${n}`);
  expect(await signIn(direct, '198.51.100.200', 'viewer@sharma.demo')).toBe(401);
}, 60_000);

test('metrics are for this machine, and where a proxy may stand for nobody without the token', async () => {
  const status = async ({ url }: TestServer, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/metrics`, { headers })).status;
  expect(await status(direct)).toBe(200);
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host'])
    expect([name, await status(direct, { [name]: '203.0.113.9' })]).toEqual([name, 404]);
  expect(await status(server)).toBe(404);
  // https is spoken by a proxy, whichever is trusted: one that adds no header of its own looks like a program of this machine
  const secure = await testServer({}, { publicUrl: 'https://books.example', trustProxy: [] });
  expect(await status(secure)).toBe(404);
  await secure.stop();
  const behindProxy = await testServer({}, { metricsToken: 'a token of the operator', trustProxy: ['loopback'] });
  expect(await status(behindProxy)).toBe(404);
  expect(await status(behindProxy, { authorization: 'Bearer another token' })).toBe(404);
  expect(await status(behindProxy, { authorization: 'Bearer a token of the operator' })).toBe(200);
  await behindProxy.stop();
});

test('the issuer offers the code flow and nothing else', async () => {
  const answer = await fetch(`${direct.url}/identity/.well-known/openid-configuration`);
  const discovery = (await answer.json()) as { response_types_supported: string[]; grant_types_supported: string[] };
  expect(discovery.response_types_supported).toEqual(['code']);
  expect(discovery.grant_types_supported).not.toContain('implicit');
});
