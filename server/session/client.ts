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
  /** `person`: the e-mail address that the issuer may propose. */
  begin(person?: string): Promise<{ readonly url: string; readonly flow: Flow }>;
  finish(url: URL, flow: Flow): Promise<{ readonly identity: Identity; readonly tokens: Tokens }>;
  /** New tokens; undefined when the issuer has ended the session. Throws when it cannot be asked. */
  refresh(tokens: Tokens): Promise<Tokens | undefined>;
  endUrl(tokens: Tokens): Promise<string>;
}

export interface ClientOptions {
  readonly issuer: string;
  /** Where this server asks its issuer when that is another address than the browser's: the embedded one is this very server. */
  readonly askedAt?: string | undefined;
  readonly clientId: string;
  /** Asked for at the first sign-in: the embedded issuer keeps it in the database. */
  readonly clientSecret: () => string;
  readonly publicUrl: string;
  readonly claim: string;
  readonly now: () => number;
}

/**
 * The product as a client of its issuer, embedded or external. The library that speaks with it is loaded with the first
 * sign-in: it is a twentieth of the memory of a server at rest, which has no use for it.
 */
export function signInClient(options: ClientOptions): SignInClient {
  let opened: Promise<SignInClient> | undefined;
  const client = () => {
    opened ??= import('./oidc.ts').then(({ issuerClient }) => issuerClient(options));
    return opened;
  };
  return {
    begin: async (person) => (await client()).begin(person),
    finish: async (url, flow) => (await client()).finish(url, flow),
    refresh: async (tokens) => (await client()).refresh(tokens),
    endUrl: async (tokens) => (await client()).endUrl(tokens),
  };
}
