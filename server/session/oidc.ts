import * as oidc from 'openid-client';
import { fetchLimited } from '../kit/outgoing.ts';
import type { ClientOptions, SignInClient, Tokens } from './client.ts';

/** Seconds that a call waits for an issuer that does not answer. */
const PATIENCE = 5;
/** Bytes of an answer: tokens and keys are small. */
const MOST = 1024 * 1024;

/** Shows who asks in the way the issuer takes: most take the header, some only the form, a public client has no secret. */
const authentication =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const basic = ways.includes('client_secret_basic') || !ways.includes('client_secret_post');
    const show = !secret ? oidc.None() : basic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
    return show(server, client, body, headers);
  };

/**
 * The address at which the server asks for a page of its issuer. The embedded issuer is asked on this machine: PUBLIC_URL need not
 * lead back from here (NAT without hairpin, split DNS, a certificate that this machine does not trust).
 */
function askedAddress({ issuer, askedAt }: ClientOptions, url: string): string {
  const [own, { href }] = [new URL(issuer).href, new URL(url)];
  return askedAt !== undefined && href.startsWith(`${own}/`) ? askedAt + href.slice(own.length) : href;
}

/** The product as a client of its issuer, embedded or external: authorization code with PKCE, tokens never reach the browser. */
export function issuerClient(options: ClientOptions): SignInClient {
  let found: Promise<oidc.Configuration> | undefined;
  // asked for at the first sign-in: the embedded issuer is this very process and listens only later
  const configuration = (): Promise<oidc.Configuration> => {
    const secret = options.clientSecret();
    found ??= oidc
      .discovery(new URL(options.issuer), options.clientId, secret || undefined, authentication(secret), {
        // the signature is checked although the token came straight from the issuer: a proxy between may be another's
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(options.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        ],
        [oidc.customFetch]: (url, init) =>
          fetchLimited(askedAddress(options, url), init as RequestInit, { most: MOST }),
        timeout: PATIENCE,
      })
      .catch((error) => {
        found = undefined;
        throw error;
      });
    return found;
  };
  const kept = (answer: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers, before?: Tokens): Tokens => ({
    refresh: answer.refresh_token ?? before?.refresh,
    id: answer.id_token ?? before?.id,
    expires: Math.floor(options.now() / 1000) + (answer.expiresIn() ?? 600),
  });
  return {
    begin: async (person) => {
      const flow = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: `${options.publicUrl}/callback`,
        scope: 'openid profile email offline_access',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        ...(person !== undefined && { login_hint: person }),
      });
      return { url: url.href, flow };
    },
    finish: async (url, flow) => {
      const config = await configuration();
      const answer = await oidc.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: flow.verifier,
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      });
      const claims = answer.claims();
      if (!claims) throw new Error('the issuer gave no identity token');
      // an identity token may leave out what the issuer tells on a second question
      const whole = claims.email !== undefined && claims[options.claim] !== undefined;
      const asked = !whole && config.serverMetadata().userinfo_endpoint !== undefined;
      const profile = { ...(asked && (await oidc.fetchUserInfo(config, answer.access_token, claims.sub))), ...claims };
      // an address that nobody has verified is a claim and no proof
      const email = profile.email_verified === true ? profile.email : undefined;
      const organisation = profile[options.claim];
      return {
        identity: {
          issuer: options.issuer,
          subject: claims.sub,
          email: typeof email === 'string' ? email : undefined,
          organisation: typeof organisation === 'string' ? organisation : undefined,
        },
        tokens: kept(answer),
      };
    },
    refresh: async (tokens) => {
      // an issuer that gives none wants to be asked again when the access token ends
      if (!tokens.refresh) return undefined;
      try {
        return kept(await oidc.refreshTokenGrant(await configuration(), tokens.refresh), tokens);
      } catch (error) {
        if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return undefined;
        throw error;
      }
    },
    endUrl: async (tokens) => {
      // an issuer that is away, or has no such page, keeps nobody from leaving here
      const config = await configuration().catch(() => undefined);
      if (!config?.serverMetadata().end_session_endpoint) return '/';
      return oidc.buildEndSessionUrl(config, {
        post_logout_redirect_uri: `${options.publicUrl}/`,
        ...(tokens.id && { id_token_hint: tokens.id }),
      }).href;
    },
  };
}
