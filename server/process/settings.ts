import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly dataDir: string;
  readonly dataDirGiven: boolean;
  readonly databaseUrl: string | undefined;
  readonly ownerUrl: string | undefined;
  readonly demo: boolean;
  readonly masterKey: Buffer | undefined;
  readonly masterKeyFile: string | undefined;
  /** Another folder than the data's for what is signed of the edit log: one that is written once, or on another machine. */
  readonly checkpointFolder: string | undefined;
  readonly checkpointKeyFile: string | undefined;
  /** What was the master key before, the newest first: secrets kept under them are sealed anew at the start. */
  readonly formerKeys: readonly Buffer[];
  readonly oidc: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly organisationClaim: string;
  readonly smtpUrl: string | undefined;
  /** Mail leaves this machine no further than to /dev/mail, where it is shown. */
  readonly catchMail: boolean;
  /** Where the process above this worker shows the mails it caught. */
  readonly caughtAt: string | undefined;
  /** Another invoice portal than the sandbox, with the files of its public keys. */
  readonly irp:
    | {
        readonly url: string;
        readonly loginKeyFile: string;
        readonly signingKeysFile: string;
        /** The e-way-bill portal; without an address or key of its own it is found where the other is. */
        readonly way: { readonly url: string; readonly loginKeyFile: string };
        /** What a provider in between (GSP) wants with every call, besides the portal's own protocol. */
        readonly headers: Readonly<Record<string, string>>;
      }
    | undefined;
  /** Whether the demo organisations are here, whoever made them. */
  readonly demoHere: boolean;
  /** Tried out: the embedded database, under an address that only this machine has. */
  readonly triedOut: boolean;
  /** Other machines reach it, through a proxy under PUBLIC_URL or at the address of HOST: the published demo password opens nothing. */
  readonly reachable: boolean;
  /** Portals and payments are the stand-ins. */
  readonly sandbox: boolean;
  /** Who may found an organisation. */
  readonly signUp: SignUp;
  /** Addresses and networks whose X-Forwarded-For counts. */
  readonly trustProxy: readonly string[];
  /** What a reader of /metrics proves itself by. */
  readonly metricsToken: string | undefined;
  /** How long the server still answers after the signal to stop, while /readyz says that it is stopping. */
  readonly drainSeconds: number;
  /** Whether postings use the cache (ADR 8). */
  readonly postingCache: boolean;
  readonly workers: number;
  readonly logLevel: LogLevel;
}

export const signUps = ['open', 'members', 'operator', 'closed'] as const;
export type SignUp = (typeof signUps)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What is wrong with a value, or undefined. */
type Check = (value: string) => string | undefined;
type Given = Readonly<Record<string, string | undefined>>;

const text: Check = () => undefined;
const wholeBetween =
  (least: number, most: number): Check =>
  (value) =>
    /^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}`;
const oneOf =
  (...choices: readonly string[]): Check =>
  (value) =>
    choices.includes(value) ? undefined : `must be one of ${choices.join(', ')}`;
const hexKey: Check = (value) => (/^[0-9a-f]{64}$/i.test(value) ? undefined : 'must be 64 hexadecimal digits');

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);
const urlOf =
  (protocols: readonly string[], more: (url: URL) => string | undefined = () => undefined): Check =>
  (value) => {
    if (!URL.canParse(value)) return `must be an address that begins with ${protocols.join('// or ')}//`;
    const url = new URL(value);
    return protocols.includes(url.protocol) ? more(url) : `must begin with ${protocols.join('// or ')}//`;
  };
/** Passwords and cookies cross no network in the open. */
const closed = (url: URL): string | undefined =>
  url.protocol === 'http:' && !isLoopback(url.hostname)
    ? 'must begin with https://: plain http is only for this machine (put a TLS proxy before it)'
    : undefined;
const bare = (url: URL): string | undefined =>
  url.pathname !== '/' || url.search !== '' || url.hash !== '' ? 'must be an address without a path' : closed(url);
const web = ['https:', 'http:'];
const postgres = urlOf(['postgresql:', 'postgres:']);

/** Addresses and networks of a proxy: 10.0.0.7, 10.0.0.0/8, loopback; or none. */
const networks: Check = (value) =>
  value.split(',').some((each) => /\/0+$/.test(each.trim()))
    ? 'would believe what every address says of itself: name the addresses of the proxies'
    : value === 'none' || value.split(',').every((each) => isNetwork(each.trim()))
      ? undefined
      : 'must be addresses or networks, written "10.0.0.7, 10.1.0.0/16", or loopback, or none';
const isNetwork = (text: string): boolean => {
  if (text === 'loopback') return true;
  const [address = '', bits, more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return most > 0 && more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
};
const longEnough: Check = (value) => (value.length >= 16 ? undefined : 'must have at least 16 characters');

/** Headers as "name: value; name: value". */
const headers: Check = (value) =>
  value.split(';').every((each) => /^\s*[A-Za-z0-9_-]+\s*:\s*\S/.test(each))
    ? undefined
    : 'must be headers, written "name: value; name: value"';
const headersOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(';')
      .filter((each) => each.includes(':'))
      .map((each) => [each.slice(0, each.indexOf(':')).trim(), each.slice(each.indexOf(':') + 1).trim()]),
  );

/** Every setting by its name, with the check of its value. */
const known: Readonly<Record<string, Check>> = {
  PORT: wholeBetween(0, 65_535),
  HOST: text,
  PUBLIC_URL: urlOf(web, bare),
  DATA_DIR: text,
  DATABASE_URL: postgres,
  DATABASE_OWNER_URL: postgres,
  BAHI_DEMO: oneOf('0', '1'),
  MASTER_KEY: hexKey,
  MASTER_KEY_FILE: text,
  MASTER_KEY_FORMER: (value) =>
    value
      .split(',')
      .map((key) => hexKey(key.trim()))
      .find((problem) => problem),
  CHECKPOINT_DIR: text,
  CHECKPOINT_KEY_FILE: text,
  OIDC_ISSUER: urlOf(web, closed),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_ORG_CLAIM: text,
  SMTP_URL: urlOf(['smtp:', 'smtps:']),
  IRP_URL: urlOf(web),
  IRP_LOGIN_KEY: text,
  IRP_SIGNING_KEYS: text,
  EWB_URL: urlOf(web),
  EWB_LOGIN_KEY: text,
  GSP_HEADERS: headers,
  SANDBOX: oneOf('0', '1'),
  SIGN_UP: oneOf(...signUps),
  TRUST_PROXY: networks,
  METRICS_TOKEN: longEnough,
  DRAIN_SECONDS: wholeBetween(0, 300),
  POSTING_CACHE: oneOf('0', '1'),
  WORKERS: wholeBetween(1, 64),
  LOG_LEVEL: oneOf(...logLevels),
};
/** Of the tools around the product, which hand their surroundings on to it, and of the process above a worker. */
const ofTools = [
  'BAHI_SERVER',
  'BAHI_ALL',
  'BAHI_CAUGHT_AT',
  'BAHI_TRIED_OUT',
  'BAHI_DEMO_HERE',
  'BAHI_UNSAFE_DATABASE',
];
/** In the environment of a machine, only names that begin like ours can be a mistake of ours. */
const looksLikeOurs =
  /^(BAHI|OIDC|MASTER_KEY|DATABASE|SMTP|IRP|EWB|GSP|PUBLIC_URL|DATA_DIR|CHECKPOINT|SANDBOX|SIGN_UP|TRUST_|METRICS_|DRAIN_SECONDS|POSTING_)/;
/** A name of ours with its underscores left out or put elsewhere. Names of one word are those of anybody. */
const bareNames = new Set(
  Object.keys(known)
    .filter((name) => name.includes('_'))
    .map((name) => name.replaceAll('_', '')),
);
const isNearlyOurs = (name: string): boolean => bareNames.has(name.replaceAll('_', ''));
const isKnown = (name: string): boolean => Object.hasOwn(known, name) || ofTools.includes(name);

/** The lines of a `.env` file: NAME=value, quotes around the value fall away, # begins a comment line. */
export function dotEnv(content: string): Given {
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value = ''] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`The line "${line.trim()}" of .env is no setting: write NAME=value.`);
      return [name, /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value];
    }),
  );
}

/** Settings from the environment, then from `.env`. Everything unknown or wrong is named, each in one sentence. */
export function readSettings(environment: Given, file: Given = {}): Settings {
  const get = (name: string) => (environment[name] ?? file[name])?.trim() || undefined;
  const wrong: string[] = [];
  const strange = [
    ...Object.keys(environment).filter((name) => looksLikeOurs.test(name) || isNearlyOurs(name)),
    ...Object.keys(file).filter((name) => !['NODE_ENV', 'NODE_OPTIONS', 'TZ'].includes(name)),
  ].filter((name) => !isKnown(name));
  if (strange.length > 0)
    wrong.push(`Unknown setting ${[...new Set(strange)].join(', ')}: known are ${Object.keys(known).join(', ')}.`);
  for (const [name, check] of Object.entries(known)) {
    const value = get(name);
    const problem = value === undefined ? undefined : check(value);
    // a value may hold a password: only what cannot is said again
    if (problem)
      wrong.push(
        /KEY|SECRET|URL|ISSUER|HEADERS|TOKEN/.test(name)
          ? `${name} ${problem}.`
          : `${name} is ${value}: it ${problem}.`,
      );
  }
  wrong.push(...together(get));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const port = Number(get('PORT') ?? '3000');
  const host = get('HOST') ?? '127.0.0.1';
  const databaseUrl = get('DATABASE_URL');
  const key = get('MASTER_KEY');
  const issuer = get('OIDC_ISSUER');
  const irpUrl = get('IRP_URL');
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const here = ['0.0.0.0', '::'].includes(host) ? 'localhost' : bracketed;
  // as a browser writes it: names in lower case, and no port that goes without saying
  const publicUrl = new URL(get('PUBLIC_URL') ?? `http://${here}:${port}`).origin;
  const smtpUrl = get('SMTP_URL');
  // only where nobody but this machine gets in is anything pretended without being asked for
  const reachable = !isLoopback(bracketed) || !isLoopback(new URL(publicUrl).hostname);
  const triedOut = get('BAHI_TRIED_OUT') === '1' || (!databaseUrl && !reachable);
  const demo = (get('BAHI_DEMO') ?? (triedOut && !reachable ? '1' : '0')) === '1';
  const proxies = get('TRUST_PROXY') ?? (publicUrl.startsWith('https:') ? 'loopback' : 'none');
  return {
    port,
    host,
    publicUrl,
    dataDir: path.resolve(get('DATA_DIR') ?? '.data'),
    dataDirGiven: get('DATA_DIR') !== undefined,
    databaseUrl,
    ownerUrl: get('DATABASE_OWNER_URL'),
    demo,
    masterKey: key ? Buffer.from(key, 'hex') : undefined,
    masterKeyFile: get('MASTER_KEY_FILE'),
    checkpointFolder: get('CHECKPOINT_DIR'),
    checkpointKeyFile: get('CHECKPOINT_KEY_FILE'),
    formerKeys: (get('MASTER_KEY_FORMER') ?? '')
      .split(',')
      .filter(Boolean)
      .map((former) => Buffer.from(former.trim(), 'hex')),
    oidc: issuer
      ? { issuer, clientId: get('OIDC_CLIENT_ID') ?? '', clientSecret: get('OIDC_CLIENT_SECRET') ?? '' }
      : undefined,
    organisationClaim: get('OIDC_ORG_CLAIM') ?? 'org_id',
    smtpUrl,
    catchMail: !smtpUrl && !databaseUrl && !reachable,
    caughtAt: get('BAHI_CAUGHT_AT'),
    irp: irpUrl
      ? {
          url: irpUrl.replace(/\/$/, ''),
          loginKeyFile: get('IRP_LOGIN_KEY') ?? '',
          signingKeysFile: get('IRP_SIGNING_KEYS') ?? '',
          way: {
            url: (get('EWB_URL') ?? irpUrl).replace(/\/$/, ''),
            loginKeyFile: get('EWB_LOGIN_KEY') ?? get('IRP_LOGIN_KEY') ?? '',
          },
          headers: headersOf(get('GSP_HEADERS') ?? ''),
        }
      : undefined,
    demoHere: demo || get('BAHI_DEMO_HERE') === '1',
    triedOut,
    reachable,
    sandbox: (get('SANDBOX') ?? (triedOut && !irpUrl ? '1' : '0')) === '1',
    signUp: (get('SIGN_UP') ?? (triedOut ? 'open' : 'members')) as SignUp,
    trustProxy: proxies === 'none' ? [] : proxies.split(',').map((each) => each.trim()),
    metricsToken: get('METRICS_TOKEN'),
    drainSeconds: Number(get('DRAIN_SECONDS') ?? (triedOut ? '0' : '5')),
    postingCache: get('POSTING_CACHE') !== '0',
    workers: Number(get('WORKERS') ?? '1'),
    logLevel: (get('LOG_LEVEL') ?? 'warn') as LogLevel,
  };
}

/** Settings that belong together. */
function together(get: (name: string) => string | undefined): string[] {
  const wrong: string[] = [];
  const database = get('DATABASE_URL');
  const host = get('HOST') ?? '127.0.0.1';
  if (Boolean(database) !== Boolean(get('DATABASE_OWNER_URL')))
    wrong.push('DATABASE_URL and DATABASE_OWNER_URL belong together: set both or none.');
  if (database && !get('MASTER_KEY') && !get('MASTER_KEY_FILE'))
    wrong.push('With DATABASE_URL a MASTER_KEY (or MASTER_KEY_FILE) is required: 64 hexadecimal digits.');
  if (get('MASTER_KEY') && get('MASTER_KEY_FILE')) wrong.push('MASTER_KEY and MASTER_KEY_FILE are two keys: set one.');
  if (get('OIDC_ISSUER') && !get('OIDC_CLIENT_ID')) wrong.push('OIDC_ISSUER needs OIDC_CLIENT_ID.');
  if (!get('OIDC_ISSUER') && (get('OIDC_CLIENT_ID') || get('OIDC_CLIENT_SECRET')))
    wrong.push('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need OIDC_ISSUER.');
  if (get('IRP_URL') && !(get('IRP_LOGIN_KEY') && get('IRP_SIGNING_KEYS')))
    wrong.push("IRP_URL needs IRP_LOGIN_KEY (the portal's PEM file) and IRP_SIGNING_KEYS (a JWKS file).");
  const beside = ['EWB_URL', 'EWB_LOGIN_KEY', 'GSP_HEADERS'].filter((name) => get(name));
  if (beside.length > 0 && !get('IRP_URL'))
    wrong.push(`${beside.join(', ')} needs IRP_URL: the stand-in pretends both portals, or none.`);
  if (get('IRP_URL') && get('SANDBOX') === '1') wrong.push('SANDBOX=1 and IRP_URL are two portals: set one.');
  const everywhere = ['0.0.0.0', '::'].includes(host); // in a container; sign-in still goes by PUBLIC_URL
  if (!get('PUBLIC_URL') && !everywhere && !isLoopback(host.includes(':') ? `[${host}]` : host))
    wrong.push(`HOST is ${host}: set PUBLIC_URL to the https address under which a TLS proxy serves it.`);
  if (Number(get('WORKERS') ?? '1') > 1 && get('PORT') === '0') wrong.push('WORKERS share one port: set PORT.');
  return wrong;
}

/**
 * The key that encrypts secrets at rest: given, or made on the first start and kept beside the data. `used`: a database lies
 * there already, whose secrets open under no other key.
 */
export function masterKey(settings: Settings, folder: string, used = false): Buffer {
  if (settings.masterKey) return settings.masterKey;
  const file = settings.masterKeyFile ?? path.join(folder, 'master.key');
  if (!fs.existsSync(file)) {
    if (settings.masterKeyFile) throw new Error(`MASTER_KEY_FILE ${file} does not exist.`);
    if (used)
      throw new Error(
        `The key ${file} is missing, and a database lies beside it whose secrets open under that key alone: copy master.key there from the back-up, or set MASTER_KEY.`,
      );
    fs.writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  }
  const key = fs.readFileSync(file, 'utf8').trim();
  const problem = hexKey(key);
  if (problem) throw new Error(`The content of ${file} ${problem}: restore the key under which the data were kept.`);
  return Buffer.from(key, 'hex');
}

/** What has to be reported of the file that holds the master key: others of this machine may read it. */
export function openKeyFile(settings: Settings, folder: string): string | undefined {
  if (settings.masterKey || process.platform === 'win32') return undefined;
  const file = settings.masterKeyFile ?? path.join(folder, 'master.key');
  return fs.existsSync(file) && (fs.statSync(file).mode & 0o077) !== 0
    ? `Other accounts of this machine may read the master key in ${file}: chmod 600 ${file}`
    : undefined;
}
