import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.stop());

test('signing in, asking who is there, choosing a colour, signing out', async () => {
  const owner = await server.signIn('owner@sharma.demo');
  const session = (await owner.ask('GetSession', {})) as {
    name: string;
    organisation: { code: string };
    grants: Record<string, number>;
    registrations: unknown[];
  };
  expect(session).toMatchObject({
    name: 'Ravi Sharma',
    organisation: { code: 'SHARMA' },
    grants: { 'Sale Invoice': 5003 },
  });
  expect(session.registrations).toHaveLength(2);
  await owner.ask('SavePreferences', { mode: 'dark', colour: '#0f766e', font: 'Roboto' });
  expect(await owner.ask('GetSession', {})).toMatchObject({ preferences: { mode: 'dark', colour: '#0f766e' } });
  const out = (await owner.ask('SignOut', {})) as { redirect: string };
  expect(out.redirect).toContain('/identity/session/end');
  expect((await owner.call('GetSession', {})).status).toBe(401);
});

test('a sign-in leaves no asynchronous context behind, which Node would inform of every promise of the process', async () => {
  await server.signIn('owner@sharma.demo');
  const { default: context } = await import('oidc-provider/lib/helpers/als.js');
  expect(Reflect.get(context, 'enabled')).toBeFalsy();
  expect(context.run('a request', () => context.getStore())).toBeUndefined();
});

test('a wrong password is refused, five lock out even the right one', async () => {
  for (let n = 0; n < 5; n++)
    await expect(server.signIn('approver@sharma.demo', 'wrong')).rejects.toThrow('sign-in refused');
  await expect(server.signIn('approver@sharma.demo')).rejects.toThrow('sign-in refused');
  await server.database.owner.query('delete from sign_in_failures');
  await expect(server.signIn('approver@sharma.demo')).resolves.toBeDefined();
});

test('S-38: a write without the proof of origin is refused, from a foreign page too', async () => {
  const owner = await server.signIn('owner@sharma.demo');
  const post = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/session/SavePreferences`, {
      method: 'POST',
      headers: { cookie: owner.cookie, 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  expect((await post({})).status).toBe(403);
  expect((await post({ 'x-requested-by': 'bahi', origin: 'https://evil.example' })).status).toBe(403);
  expect((await post({ 'x-requested-by': 'bahi', origin: server.url })).status).toBe(200);
});

test.each([
  ['half an hour without a call', `update sessions set seen_at = now() - interval '31 minutes'`],
  ['twelve hours of work', `update sessions set expires_at = now()`],
])('S-07: %s end a session, and signing in again asks for the password', async (_, passing) => {
  const { owner: database } = server.database;
  await database.query('delete from sessions');
  await database.query(`delete from issuer_records where model = 'Session'`);
  const accountant = await server.signIn('accountant@sharma.demo');
  await accountant.ask('GetSession', {});
  const lives = `select count(*)::int as count, bool_and(expires_at <= now() + interval '12 hours') as ends from`;
  expect((await database.query(`${lives} sessions`)).rows).toEqual([{ count: 1, ends: true }]);
  const issuers = `${lives} issuer_records where model = 'Session'`;
  expect((await database.query(issuers)).rows).toEqual([{ count: 1, ends: true }]);
  await database.query(passing);
  await expect
    .poll(async () => (await accountant.call('GetStates', {})).status, { timeout: 5000, interval: 250 })
    .toBe(401);
  expect((await database.query(issuers)).rows).toEqual([{ count: 0, ends: null }]);
});

test('S-07: a call a minute keeps a session', async () => {
  const accountant = await server.signIn('accountant@sharma.demo');
  await server.database.owner.query(`update sessions set seen_at = now() - interval '29 minutes'`);
  await accountant.ask('GetSession', {});
  const { rows } = await server.database.owner.query(
    `
      select bool_and(seen_at > now() - interval '1 minute') as seen
      from sessions s
      join people p on p.id = s.person
      where email = 'accountant@sharma.demo' and s.created_at = (select max(created_at) from sessions)
    `,
  );
  expect(rows).toEqual([{ seen: true }]);
  await server.database.owner.query(
    `delete from sessions where person = (select id from people where email = 'accountant@sharma.demo')`,
  );
  await server.database.owner.query(`delete from issuer_records where model = 'Session'`);
});

test('INV-48: who is disabled is out within five seconds', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  await viewer.ask('GetSession', {});
  await server.database.owner.query(`update users set active = false where email = 'viewer@sharma.demo'`);
  await expect
    .poll(async () => (await viewer.call('GetStates', {})).status, { timeout: 5000, interval: 250 })
    .toBe(401);
});

test('the page comes with a content policy and a nonce, the description lists every call', async () => {
  const description = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
    paths: Record<string, unknown>;
  };
  expect(Object.keys(description.paths)).toContain('/api/transactions/PostTransactionCalls');
  const health = await fetch(`${server.url}/healthz`);
  expect(health.status).toBe(200);
});

test('a person sees where they are signed in and ends one of the other sessions, at the issuer too', async () => {
  const here = await server.signIn('accountant@sharma.demo');
  const there = await server.signIn('accountant@sharma.demo');
  const all = (await here.ask('ListSessions', {})) as { id: string; current: boolean }[];
  expect(all.map((s) => s.current).sort()).toEqual([false, true]);
  const [other] = all.filter((s) => !s.current);
  const owner = await server.signIn('owner@sharma.demo');
  expect((await owner.call('EndSession', { id: other?.id ?? '' })).status).toBe(404);
  const atIssuer = async () =>
    (
      await server.database.owner.query(
        `
          select from issuer_records
          where model = 'Session'
            and payload ->> 'accountId' = (select id::text from people where email = 'accountant@sharma.demo')
        `,
      )
    ).rowCount;
  expect(await atIssuer()).toBe(2);
  await here.ask('EndSession', { id: other?.id ?? '' });
  expect((await there.call('GetStates', {})).status).toBe(401);
  expect((await here.call('GetStates', {})).status).toBe(200);
  expect(await atIssuer()).toBe(1);
});
