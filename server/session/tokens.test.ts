import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { base64url, CompactSign, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../tools/testing/ports.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

// An issuer that answers with whatever token the test wants: a sign-in succeeds only when all of it is right.
type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let server: TestServer;
let issuer: string;
let web: http.Server;
let own: Pair;
let stranger: Pair;
let asked: URLSearchParams;
let token: (nonce: string) => Promise<string>;

const CLIENT = 'bahi';
const KID = 'known';
const claims = (nonce: string, more: object = {}) => {
  const now = Math.floor(Date.now() / 1000);
  const whole = { iss: issuer, sub: 'u-1', aud: CLIENT, iat: now, exp: now + 300, nonce };
  return { ...whole, email: 'owner@sharma.demo', email_verified: true, org_id: 'SHARMA', ...more };
};
const signed = (payload: object, { pair = own, kid = KID, header = {} } = {}) =>
  new SignJWT(payload as never).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(pair.privateKey);

beforeAll(async () => {
  own = await generateKeyPair('RS256', { extractable: true });
  stranger = await generateKeyPair('RS256', { extractable: true });
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  const key: JWK = { ...(await exportJWK(own.publicKey)), kid: KID, alg: 'RS256', use: 'sig' };
  const pages: Record<string, () => Promise<object>> = {
    '/.well-known/openid-configuration': async () => ({
      ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'], subject_types_supported: ['public'] },
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': async () => ({ keys: [key] }),
    '/token': async () => ({
      ...{ access_token: randomUUID(), token_type: 'Bearer', expires_in: 600 },
      id_token: await token(asked.get('nonce') ?? ''),
    }),
  };
  web = http.createServer((request, response) => {
    void (async () => {
      const answer = await pages[request.url ?? '']?.();
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((ready) => web.listen(port, '127.0.0.1', ready));
  server = await testServer({}, { oidc: { issuer, clientId: CLIENT, clientSecret: 'a secret of the client' } });
});
afterAll(async () => {
  web?.closeAllConnections();
  web?.close();
  await server?.stop();
});

/** Begins a sign-in and comes back with a code, as the browser would; answers what the server says. */
async function comeBack(answer: Record<string, string | undefined> = {}, cookie?: string): Promise<Response> {
  const begun = await fetch(`${server.url}/api/session/SignIn`, { redirect: 'manual' });
  asked = new URL(begun.headers.get('location') ?? '').searchParams;
  const kept = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const back = { code: 'a code', state: asked.get('state') ?? '', ...answer };
  const query = new URLSearchParams(
    Object.entries(back).flatMap(([k, v]) => (v === undefined ? [] : [[k, v] as [string, string]])),
  );
  return fetch(`${server.url}/callback?${query}`, { redirect: 'manual', headers: { cookie: cookie ?? kept } });
}
const isIn = (answer: Response) => answer.headers.getSetCookie().some((line) => /^bahi_session=[\w-]{20}/.test(line));

test('S-01: what goes out asks for a code with PKCE S256, a state and a nonce', async () => {
  token = (nonce) => signed(claims(nonce));
  const answer = await comeBack();
  expect(isIn(answer)).toBe(true);
  expect(answer.headers.get('location')).toBe('/layout/Home');
  expect(Object.fromEntries(asked)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
  expect(asked.get('redirect_uri')).toBe(`${server.url}/callback`);
});

const now = () => Math.floor(Date.now() / 1000);
const publicText = async () => new TextEncoder().encode(await exportSPKI(own.publicKey));
const vectors: readonly (readonly [what: string, make: (nonce: string) => Promise<string>])[] = [
  [
    'without a signature',
    async (n) => `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(claims(n)))}.`,
  ],
  [
    'signed with the public key as if it were a secret',
    async (n) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claims(n))))
        .setProtectedHeader({ alg: 'HS256', kid: KID })
        .sign(await publicText()),
  ],
  ['signed by a stranger under the known name of a key', (n) => signed(claims(n), { pair: stranger })],
  ['signed by a stranger under another key id', (n) => signed(claims(n), { pair: stranger, kid: 'strange' })],
  [
    'that brings its own key',
    async (n) => signed(claims(n), { pair: stranger, header: { jwk: await exportJWK(stranger.publicKey) } }),
  ],
  [
    'that says where its key lies',
    (n) => signed(claims(n), { pair: stranger, kid: 'strange', header: { jku: 'http://127.0.0.1:1/keys' } }),
  ],
  ['of another issuer', (n) => signed(claims(n, { iss: 'https://else.example' }))],
  ['for another product', (n) => signed(claims(n, { aud: 'another' }))],
  ['that has ended', (n) => signed(claims(n, { exp: now() - 3600, iat: now() - 7200 }))],
  ['that begins later', (n) => signed(claims(n, { nbf: now() + 3600 }))],
  ['of another sign-in', () => signed(claims('another nonce'))],
  [
    'changed after it was signed',
    async (n) =>
      (await signed(claims(n))).replace(
        /\.([\w-]+)\./,
        (_, body: string) =>
          `.${base64url.encode(new TextDecoder().decode(base64url.decode(body)).replace('owner@', 'viewer@'))}.`,
      ),
  ],
];
test.each(vectors)('S-02: a token %s opens nothing', async (_, make) => {
  token = make;
  const answer = await comeBack();
  expect(answer.status).toBe(403);
  expect(isIn(answer)).toBe(false);
});

test.each([
  ['no state', { state: undefined }],
  ['the state of another', { state: 'x'.repeat(43) }],
  ['an answer of another issuer', { iss: 'https://else.example' }],
  ['an error', { code: undefined, error: 'access_denied' }],
])('S-02: %s opens nothing', async (_, answer) => {
  token = (nonce) => signed(claims(nonce));
  expect(isIn(await comeBack(answer))).toBe(false);
});

test('S-02: what another browser began is not finished here, nor is one begun nowhere', async () => {
  token = (nonce) => signed(claims(nonce));
  const other = await fetch(`${server.url}/api/session/SignIn`, { redirect: 'manual' });
  expect(isIn(await comeBack({}, other.headers.getSetCookie()[0]?.split(';')[0]))).toBe(false);
  expect(isIn(await comeBack({}, ''))).toBe(false);
});
