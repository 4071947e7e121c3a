import * as oidc from 'openid-client';

export interface Tokens {
  readonly refresh: string | undefined;
  readonly id: string | undefined;
  /** Seconds since 1970. */
  readonly expires: number;
}

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly organisation: string | undefined;
}

/** What must come back unchanged between leaving for the issuer and returning. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignInClient {
  begin(): Promise<{ readonly url: string; readonly flow: Flow }>;
  finish(url: URL, flow: Flow): Promise<{ readonly identity: Identity; readonly tokens: Tokens }>;
  refresh(tokens: Tokens): Promise<Tokens>;
  endUrl(tokens: Tokens): Promise<string>;
}

/** The product as a client of its issuer, embedded or external: authorization code with PKCE, tokens never reach the browser. */
export function signInClient(options: {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly publicUrl: string;
  readonly claim: string;
  readonly now: () => number;
}): SignInClient {
  let found: Promise<oidc.Configuration> | undefined;
  // asked for at the first sign-in: the embedded issuer is this very process and listens only later
  const configuration = (): Promise<oidc.Configuration> => {
    found ??= oidc
      .discovery(
        new URL(options.issuer),
        options.clientId,
        options.clientSecret,
        oidc.ClientSecretBasic(options.clientSecret),
        { execute: options.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [] },
      )
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
    begin: async () => {
      const flow = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: `${options.publicUrl}/callback`,
        scope: 'openid profile email offline_access',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
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
      let email = claims.email_verified === false ? undefined : claims.email;
      if (email === undefined) {
        const more = await oidc.fetchUserInfo(config, answer.access_token, claims.sub);
        email = more.email_verified === false ? undefined : more.email;
      }
      const organisation = claims[options.claim];
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
      if (!tokens.refresh) throw new Error('no refresh token');
      return kept(await oidc.refreshTokenGrant(await configuration(), tokens.refresh), tokens);
    },
    endUrl: async (tokens) =>
      oidc.buildEndSessionUrl(await configuration(), {
        post_logout_redirect_uri: `${options.publicUrl}/`,
        ...(tokens.id && { id_token_hint: tokens.id }),
      }).href,
  };
}
