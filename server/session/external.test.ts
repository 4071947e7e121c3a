import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../tools/testing/ports.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { policy } from '../http/pages/page-policy.ts';

let server: TestServer;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let port: number;

/** Who the issuer says is there; it asks nobody for a password. */
const people = new Map([
  ['u-1', { email: 'owner@sharma.demo', email_verified: true, tenant: 'SHARMA' }],
  ['u-2', { email: 'viewer@sharma.demo', email_verified: false, tenant: 'SHARMA' }],
  ['u-3', { email: 'stranger@else.example', email_verified: true, tenant: 'SHARMA' }],
  ['u-4', { email: 'OWNER@sharma.demo', email_verified: true, tenant: 'SHARMA' }],
]);
let present = 'u-1';
const refused = { invalidGrant: false };

/** An issuer unlike the embedded one: the secret in the form, ES256, claims only at userinfo, the organisation under another name. */
async function startIssuer(at: number, product: string) {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = new Provider(`http://127.0.0.1:${at}`, {
    clients: [
      {
        client_id: 'bahi at corp',
        client_secret: 's3cret & more',
        redirect_uris: [`${product}/callback`],
        post_logout_redirect_uris: [`${product}/`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    clientAuthMethods: ['client_secret_post'],
    cookies: { keys: ['of the test'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'test' } as never] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    claims: { openid: ['sub'], profile: ['tenant'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    issueRefreshToken: async () => true,
    findAccount: async (_ctx, id) =>
      refused.invalidGrant ? undefined : { accountId: id, claims: () => ({ sub: id, ...people.get(id) }) as never },
    interactions: { url: (_ctx, interaction) => `/login/${interaction.uid}` },
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email offline_access');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  const web = http.createServer((request, response) => {
    if (request.url?.startsWith('/login/'))
      void provider.interactionFinished(request, response, { login: { accountId: present } });
    else void handle(request, response);
  });
  const start = () => new Promise<void>((ready) => web.listen(at, '127.0.0.1', ready));
  const stop = () =>
    new Promise<void>((ended) => {
      web.closeAllConnections();
      web.close(() => ended());
    });
  await start();
  return { start, stop };
}

beforeAll(async () => {
  port = await freePort();
  const oidc = { issuer: `http://127.0.0.1:${port}`, clientId: 'bahi at corp', clientSecret: 's3cret & more' };
  server = await testServer({}, { oidc, organisationClaim: 'tenant' });
  issuer = await startIssuer(port, server.url);
});
afterAll(async () => {
  await issuer?.stop();
  await server?.stop();
});

/** A fresh browser that follows every redirect of a sign-in, with the cookies of each place. */
async function signIn(subject: string): Promise<{ cookie: string; last: Response }> {
  present = subject;
  const jars = new Map<string, Map<string, string>>();
  let url = new URL('/api/session/SignIn', server.url);
  for (let hop = 0; ; hop++) {
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    const last = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; ') },
    });
    for (const line of last.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const next = last.headers.get('location');
    if (!next || next === '/layout/Home' || hop > 12)
      return { cookie: `bahi_session=${jars.get(server.url)?.get('bahi_session') ?? ''}`, last };
    url = new URL(next, url);
  }
}
const call = async (cookie: string, name = 'session/GetSession', body?: object) => {
  const headers = { cookie, 'x-requested-by': 'bahi', 'content-type': 'application/json' };
  const answer = await fetch(
    `${server.url}/api/${name}`,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  return { status: answer.status, details: ((await answer.json()) as { details: Record<string, unknown> }).details };
};
const bound = async (email: string) =>
  (await server.database.owner.query('select issuer, subject from people where lower(email) = $1', [email])).rows[0];

test('the first sign-in with a verified e-mail binds issuer and subject; another subject with that e-mail is nobody', async () => {
  const { cookie, last } = await signIn('u-1');
  expect(last.headers.get('location')).toBe('/layout/Home');
  expect((await call(cookie)).details).toMatchObject({
    name: 'Ravi Sharma',
    organisation: { code: 'SHARMA' },
    passwords: false,
  });
  expect(await bound('owner@sharma.demo')).toEqual({ issuer: `http://127.0.0.1:${port}`, subject: 'u-1' });
  const other = await signIn('u-4');
  expect(other.last.status).toBe(403);
  expect(await other.last.text()).toContain('No organisation has invited you yet');
  expect(await bound('owner@sharma.demo')).toMatchObject({ subject: 'u-1' });
});

test('an e-mail that nobody has verified, or nobody invited, opens nothing', async () => {
  for (const subject of ['u-2', 'u-3']) expect((await signIn(subject)).last.status).toBe(403);
  expect(await bound('viewer@sharma.demo')).toEqual({ issuer: null, subject: null });
});

test('a person invited by an administrator is in with their next sign-in, and has no password here', async () => {
  const { cookie } = await signIn('u-1');
  const values = { name: 'Stranger', email: 'stranger@else.example', roles: [], locations: [] };
  const made = await call(cookie, 'masters/SaveMaster', { master: 'user', values });
  expect(await call(cookie, 'organisation/MakeSignInLink', { user: made.details.id })).toMatchObject({
    status: 409,
    details: { code: 'signInElsewhere' },
  });
  expect(await call(cookie, 'session/ChangePassword', { current: 'x', next: randomUUID() })).toMatchObject({
    status: 409,
  });
  const stranger = await signIn('u-3');
  expect((await call(stranger.cookie)).details).toMatchObject({ name: 'Stranger' });
});

test('F-26: while the issuer is away a session lives on, and refreshes when it is back; its word alone ends it', async () => {
  const { cookie } = await signIn('u-1');
  const tokens = async () =>
    (await server.database.owner.query('select tokens from sessions order by created_at desc limit 1')).rows[0]
      .tokens as Buffer;
  const before = await tokens();
  await issuer.stop();
  server.clock.at = Date.now() + 4_000_000;
  expect((await call(cookie)).status).toBe(200);
  expect((await tokens()).equals(before)).toBe(true);
  await issuer.start();
  server.clock.at += 60_000;
  await server.database.owner.query('update sessions set refreshing_until = null');
  expect((await call(cookie)).status).toBe(200);
  expect((await tokens()).equals(before)).toBe(false);
  refused.invalidGrant = true;
  server.clock.at += 4_000_000;
  expect((await call(cookie)).status).toBe(401);
  refused.invalidGrant = false;
  server.clock.at = undefined;
});

test('a sign-in that the issuer refuses, or that comes back changed, is explained on a page', async () => {
  const begun = await fetch(`${server.url}/api/session/SignIn`, { redirect: 'manual' });
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
  for (const [query, kept] of [
    [`error=access_denied&state=${state}`, cookie],
    ['code=x&state=other', cookie],
    ['code=x', 'bahi_flow=nonsense'],
  ] as const) {
    const back = await fetch(`${server.url}/callback?${query}`, { headers: { cookie: kept } });
    expect([back.status, back.headers.get('content-type')]).toEqual([403, expect.stringContaining('text/html')]);
  }
});

test('forms may lead here, and to the issuer when it is another place', () => {
  expect(policy('n', '')).toContain("form-action 'self';");
  expect(policy('n', 'https://login.example/realms/one')).toContain("form-action 'self' https://login.example;");
});

test('over https the cookies are bound to the host and secure, and the browser keeps to https', async () => {
  const at = await freePort();
  const publicUrl = 'https://bahi.example';
  const proxied = await testServer(
    {},
    { publicUrl, oidc: { issuer: `http://127.0.0.1:${at}`, clientId: 'bahi at corp', clientSecret: 's3cret & more' } },
  );
  const other = await startIssuer(at, publicUrl);
  try {
    const begun = await fetch(`${proxied.url}/api/session/SignIn`, { redirect: 'manual' });
    expect(begun.headers.get('strict-transport-security')).toContain('max-age=31536000');
    const [flow = ''] = begun.headers.getSetCookie();
    expect(flow).toMatch(/^__Host-bahi_flow=.*Path=\/.*HttpOnly.*Secure.*SameSite=Lax/);
    expect(flow).not.toContain('Domain');
    present = 'u-1';
    let url = new URL(begun.headers.get('location') ?? '');
    const jar = new Map<string, string>();
    while (url.port === String(at)) {
      const step = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; ') },
      });
      for (const line of step.headers.getSetCookie())
        jar.set(line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).split(';')[0] ?? '');
      url = new URL(step.headers.get('location') ?? '', url);
    }
    const back = await fetch(`${proxied.url}${url.pathname}${url.search}`, {
      redirect: 'manual',
      headers: { cookie: flow.split(';')[0] ?? '' },
    });
    const session = back.headers.getSetCookie().find((line) => line.startsWith('__Host-bahi_session=')) ?? '';
    expect(session).toMatch(/HttpOnly.*Secure.*SameSite=Lax/);
    const headers = { cookie: session.split(';')[0] ?? '' };
    expect((await fetch(`${proxied.url}/api/session/GetSession`, { headers })).status).toBe(200);
    expect(
      (
        await fetch(`${proxied.url}/api/session/GetSession`, {
          headers: { cookie: headers.cookie.replace('__Host-', '') },
        })
      ).status,
    ).toBe(401);
  } finally {
    await other.stop();
    await proxied.stop();
  }
});
