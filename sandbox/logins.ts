import { randomBytes } from 'node:crypto';
import { openRsa, seal } from './cipher.ts';
import { keyFor, type Portal, row } from './portal.ts';
import { taxpayer } from './taxpayers.ts';
import { later } from './times.ts';

export const CLIENT_ID = 'BAHI-CLIENT';
export const CLIENT_SECRET = 'BAHI-SECRET';
export const PASSWORD = 'Sandbox@123';
/** The one user of each GSTIN. */
export const userOf = (gstin: string): string => `bahi_${gstin}`;

const HOURS = 6;
const REFRESH_MINUTES = 10;

export interface Session {
  readonly token: string;
  readonly gstin: string;
  readonly user: string;
  readonly key: Buffer;
  readonly expires: Date;
}

export interface Credentials {
  readonly gstin: string;
  readonly user: string;
  readonly password: string;
  readonly appKey: string;
  readonly force: boolean;
}

/** What can be wrong with a login; each portal has its own code for it. */
export type LoginFault = 'unreadable' | 'user' | 'password' | 'appKey' | 'gstin' | 'inactive';

/** Reads a login: RSA around base64 around JSON, under either portal's names. Undefined when it cannot be read. */
export async function readLogin(portal: Portal, gstin: string, data: string): Promise<Credentials | undefined> {
  const { privateKey } = await keyFor(portal, 'login');
  try {
    const text = openRsa(privateKey, data).toString('utf8');
    const read: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    const fields = new Map(Object.entries(read as object).map(([name, value]) => [name.toLowerCase(), value]));
    const get = (name: string) => String(fields.get(name) ?? '');
    const appKey = get('appkey') || get('app_key');
    const force = fields.get('forcerefreshaccesstoken') === true;
    return { gstin, user: get('username'), password: get('password'), appKey, force };
  } catch {
    return undefined;
  }
}

function faultOf({ gstin, user, password, appKey }: Credentials): LoginFault | undefined {
  const owner = /^bahi_(.{15})$/i.exec(user)?.[1]?.toUpperCase();
  const party = owner && taxpayer(owner);
  if (!party) return 'user';
  if (password !== PASSWORD) return 'password';
  if (owner !== gstin) return 'gstin';
  if (Buffer.from(appKey, 'base64').length !== 32) return 'appKey';
  return party.details.Status === 'CNL' ? 'inactive' : undefined;
}

interface StoredLogin {
  readonly token: string;
  readonly user_name: string;
  readonly gstin: string;
  readonly session_key: Buffer;
  readonly expires_at: Date;
}
const asSession = (stored: StoredLogin): Session => ({
  token: stored.token,
  user: stored.user_name,
  gstin: stored.gstin,
  key: stored.session_key,
  expires: stored.expires_at,
});

/** Logs in. Within the six hours of a token the same token and key come back; force acts in its last ten minutes only. */
export async function logIn(
  portal: Portal,
  credentials: Credentials,
): Promise<{ session: Session; sek: string } | LoginFault> {
  const fault = faultOf(credentials);
  if (fault) return fault;
  const now = portal.clock();
  const renewFrom = credentials.force ? new Date(now.getTime() + REFRESH_MINUTES * 60_000) : now;
  const token = randomBytes(19).toString('base64url').slice(0, 25);
  await portal.database.query(
    `
      insert into sandbox.logins (token, client, user_name, gstin, session_key, expires_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (client, user_name, gstin) do update
      set token = excluded.token, session_key = excluded.session_key, expires_at = excluded.expires_at
      where logins.expires_at <= $7
    `,
    [token, CLIENT_ID, userOf(credentials.gstin), credentials.gstin, randomBytes(32), later(now, HOURS), renewFrom],
  );
  const stored = await row<StoredLogin>(
    portal.database,
    'select * from sandbox.logins where client = $1 and user_name = $2 and gstin = $3',
    [CLIENT_ID, userOf(credentials.gstin), credentials.gstin],
  );
  if (!stored) throw new Error('A login vanished while it was made.');
  return { session: asSession(stored), sek: seal(Buffer.from(credentials.appKey, 'base64'), stored.session_key) };
}

/** The session of a token while it lasts. Tokens hold for both portals. */
export async function findSession(portal: Portal, token: string): Promise<Session | undefined> {
  const stored = await row<StoredLogin>(
    portal.database,
    'select * from sandbox.logins where token = $1 and expires_at > $2',
    [token, portal.clock()],
  );
  return stored && asSession(stored);
}

export async function dropSession(portal: Portal, token: string): Promise<void> {
  await portal.database.query('delete from sandbox.logins where token = $1', [token]);
}
