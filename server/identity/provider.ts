/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type Provider from 'oidc-provider';
import type pg from 'pg';
import { say } from '../../domain/base/say.ts';
import { asMarkup, html } from '../kit/html.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { page, sentencePage } from './pages.ts';
import { issuerStore } from './store.ts';

export const CLIENT = 'bahi';
/** Seconds that a sign-in lasts, here as in the sessions that stand on it. */
const DAY_OF_WORK = 12 * 3600;

interface Keys {
  readonly signing: JsonWebKey;
  readonly cookies: string;
  readonly secret: string;
}

/** A new key for signing, as JSON. It takes a tenth of a second or three, on a thread of its own. */
export async function newSigningKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return JSON.stringify({
    ...privateKey.export({ format: 'jwk' }),
    alg: 'RS256',
    use: 'sig',
    kid: randomBytes(8).toString('hex'),
  });
}

/**
 * Keys live in the database, encrypted, so that every process and every start has the same. `makeSigning` is asked
 * when there is none yet.
 */
export async function issuerKeys(
  pool: pg.Pool,
  vault: Vault,
  makeSigning: () => Promise<string> = newSigningKey,
): Promise<Keys> {
  const kept = async (id: string, make: () => Promise<string>): Promise<string> => {
    const read = async () =>
      (await pool.query<{ secret: Buffer }>('select secret from issuer_keys where id = $1', [id])).rows[0];
    const before = await read();
    if (before) return vault.open(before.secret, `issuer ${id}`);
    await pool.query('insert into issuer_keys (id, kind, secret) values ($1, $1, $2) on conflict do nothing', [
      id,
      vault.seal(await make(), `issuer ${id}`),
    ]);
    const after = await read();
    if (!after) throw new Error('the issuer key was not kept');
    return vault.open(after.secret, `issuer ${id}`);
  };
  const random = async () => randomBytes(32).toString('base64url');
  const [signing, cookies, secret] = await Promise.all([
    kept('signing', makeSigning),
    kept('cookies', random),
    kept('client', random),
  ]);
  return { signing: JSON.parse(signing) as JsonWebKey, cookies, secret };
}

/**
 * The embedded OpenID Connect issuer. Mounted at /identity; its sign-in page is ours. Its library is loaded when it is first
 * asked: it is a fifth of a second of a start and of the memory at rest, and who has another issuer never needs it. What it
 * could not do is logged.
 */
export async function issuer(
  pool: pg.Pool,
  publicUrl: string,
  keys: Keys,
  log: (message: string, details: object) => void,
): Promise<Provider> {
  const [{ default: OpenIdProvider, errors }, { default: requestAnswered }] = await Promise.all([
    import('oidc-provider'),
    import('oidc-provider/lib/helpers/als.js'),
  ]);
  // Which request it answers is kept by the library in an asynchronous context that only features we leave off ask for. Once one
  // was opened, Node tells it of every promise of the process for good: 4 % of the time of a posting (docs/speed.md).
  requestAnswered.run = (_request, answer) => answer();
  const make = issuerStore(pool, () => new errors.InvalidRequest('a parameter holds NUL'));
  const provider = new OpenIdProvider(`${publicUrl}/identity`, {
    adapter: make as never,
    clients: [
      {
        client_id: CLIENT,
        client_secret: keys.secret,
        redirect_uris: [`${publicUrl}/callback`],
        post_logout_redirect_uris: [`${publicUrl}/`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    cookies: { keys: [keys.cookies], short: { path: '/', sameSite: 'lax' }, long: { path: '/', sameSite: 'lax' } },
    jwks: { keys: [keys.signing as never] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          const nonce = randomBytes(16).toString('base64');
          ctx.set('Content-Security-Policy', `default-src 'none'; script-src 'nonce-${nonce}'; form-action 'self'`);
          ctx.body = page(
            say('Signing out'),
            html`
${asMarkup(form.replace('</form>', '<input type="hidden" name="logout" value="yes"></form>'))}
<p>${say('Signing out …')}</p>
<button type="submit" form="op.logoutForm">${say('Sign out')}</button>
<script nonce="${nonce}">document.forms[0].submit()</script>`,
            '',
          );
        },
        postLogoutSuccessSource: async (ctx) => {
          ctx.body = sentencePage(say('Signed out'), say('You are signed out.'), ['/', say('Sign in again')], '');
        },
      },
    },
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
    findAccount: async (_ctx, id) => {
      const { rows } = await pool.query<{ id: string; email: string; name: string }>(
        'select id, email, name from people where id::text = $1',
        [id],
      );
      const [person] = rows;
      return (
        person && {
          accountId: person.id,
          claims: () => ({ sub: person.id, email: person.email, email_verified: true, name: person.name }),
        }
      );
    },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // our own client needs no consent page: the grant is made when it is missing
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      if (!client || !session?.accountId) return undefined;
      const known = ctx.oidc.result?.consent?.grantId ?? session.grantIdFor(client.clientId);
      const grant = known ? await ctx.oidc.provider.Grant.find(known) : undefined;
      if (grant) return grant;
      const made = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      made.addOIDCScope('openid profile email');
      await made.save();
      return made;
    },
    ttl: {
      AccessToken: 600,
      IdToken: 3600,
      RefreshToken: DAY_OF_WORK,
      Session: DAY_OF_WORK,
      Grant: DAY_OF_WORK,
      Interaction: 3600,
      AuthorizationCode: 60,
    },
    renderError: async (ctx, out) => {
      ctx.type = 'html';
      ctx.body = sentencePage(
        say('Sign-in did not work'),
        out.error === 'invalid_request'
          ? say('The sign-in page was open too long.')
          : say('The sign-in could not be finished.'),
        ['/', say('Start again')],
        '',
      );
    },
  });
  provider.proxy = true;
  provider.on('server_error', (ctx, error) =>
    log('the issuer failed', { path: ctx.path, error: error.stack ?? String(error) }),
  );
  return provider;
}
