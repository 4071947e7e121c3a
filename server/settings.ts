import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
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
  readonly oidc: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly organisationClaim: string;
  readonly smtpUrl: string | undefined;
  /** Another invoice portal than the sandbox, with the files of its public keys. */
  readonly irp: { readonly url: string; readonly loginKeyFile: string; readonly signingKeysFile: string } | undefined;
  readonly logLevel: string;
}

/** Names the product reads; a name that begins like ours and is not here is a mistake worth a sentence. */
const known = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'BAHI_DEMO',
  'MASTER_KEY',
  'MASTER_KEY_FILE',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ORG_CLAIM',
  'SMTP_URL',
  'IRP_URL',
  'IRP_LOGIN_KEY',
  'IRP_SIGNING_KEYS',
  'EWB_URL',
  'WORKERS',
  'LOG_LEVEL',
  'BAHI_ALL',
];

/** Settings from the environment; what is wrong is said in one sentence. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const strange = Object.keys(environment).filter(
    (name) => /^(BAHI_|OIDC_|MASTER_KEY)/.test(name) && !known.includes(name),
  );
  if (strange.length > 0) throw new Error(`Unknown setting ${strange.join(', ')}: known are ${known.join(', ')}.`);
  const get = (name: string) => environment[name]?.trim() || undefined;
  const port = Number(get('PORT') ?? '3000');
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`PORT is ${get('PORT')}: it must be a number up to 65535.`);
  const host = get('HOST') ?? '127.0.0.1';
  const databaseUrl = get('DATABASE_URL');
  const ownerUrl = get('DATABASE_OWNER_URL');
  if (Boolean(databaseUrl) !== Boolean(ownerUrl))
    throw new Error('DATABASE_URL and DATABASE_OWNER_URL belong together: set both or none.');
  const key = get('MASTER_KEY');
  if (databaseUrl && !key && !get('MASTER_KEY_FILE'))
    throw new Error('With DATABASE_URL a MASTER_KEY (or MASTER_KEY_FILE) is required: 64 hexadecimal digits.');
  if (key && !/^[0-9a-f]{64}$/i.test(key)) throw new Error('MASTER_KEY must be 64 hexadecimal digits.');
  const issuer = get('OIDC_ISSUER');
  if (issuer && !get('OIDC_CLIENT_ID')) throw new Error('OIDC_ISSUER needs OIDC_CLIENT_ID.');
  const irpUrl = get('IRP_URL');
  if (irpUrl && !(get('IRP_LOGIN_KEY') && get('IRP_SIGNING_KEYS')))
    throw new Error("IRP_URL needs IRP_LOGIN_KEY (the portal's PEM file) and IRP_SIGNING_KEYS (a JWKS file).");
  return {
    port,
    host,
    publicUrl: (get('PUBLIC_URL') ?? `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`).replace(/\/$/, ''),
    dataDir: path.resolve(get('DATA_DIR') ?? '.data'),
    dataDirGiven: get('DATA_DIR') !== undefined,
    databaseUrl,
    ownerUrl,
    demo: (get('BAHI_DEMO') ?? (databaseUrl ? '0' : '1')) === '1',
    masterKey: key ? Buffer.from(key, 'hex') : undefined,
    masterKeyFile: get('MASTER_KEY_FILE'),
    oidc: issuer
      ? { issuer, clientId: get('OIDC_CLIENT_ID') ?? '', clientSecret: get('OIDC_CLIENT_SECRET') ?? '' }
      : undefined,
    organisationClaim: get('OIDC_ORG_CLAIM') ?? 'org_id',
    smtpUrl: get('SMTP_URL'),
    irp: irpUrl
      ? {
          url: irpUrl.replace(/\/$/, ''),
          loginKeyFile: get('IRP_LOGIN_KEY') ?? '',
          signingKeysFile: get('IRP_SIGNING_KEYS') ?? '',
        }
      : undefined,
    logLevel: get('LOG_LEVEL') ?? 'warn',
  };
}

/** The key that encrypts secrets at rest: given, or made on the first start and kept beside the data. */
export function masterKey(settings: Settings, folder: string): Buffer {
  if (settings.masterKey) return settings.masterKey;
  const file = settings.masterKeyFile ?? path.join(folder, 'master.key');
  if (!fs.existsSync(file)) {
    if (settings.masterKeyFile) throw new Error(`MASTER_KEY_FILE ${file} does not exist.`);
    fs.writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  }
  return Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'hex');
}
