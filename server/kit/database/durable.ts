import pg from 'pg';
import { weakRole } from './application-role.ts';

/**
 * What a database must have so that what was acknowledged is there after a crash, a broken page is found, and the triggers
 * that guard the books run.
 */
const SAFE = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  data_sync_retry: 'off',
  session_replication_role: 'origin',
} as const;
type Setting = keyof typeof SAFE;

/** Minor releases that carry the last security fixes, as of 14 May 2026 (postgresql.org/support/security). */
const LEAST: Readonly<Record<number, number>> = { 15: 18, 16: 14, 17: 10, 18: 4 };

async function inSession<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // the query that fails reports it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Settings that may lose what was acknowledged or switch guards off, in a new session of a role: its own settings count there too.
 * Also guards that are switched off in the database itself, each with the statement that switches it on.
 */
export const unsafeSettings = (url: string): Promise<readonly string[]> =>
  inSession(url, async (client) => [...(await weakSettings(client)), ...(await guardsOff(client))]);

async function weakSettings(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: Setting; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(SAFE)],
  );
  const isSafe = ({ name, setting }: (typeof rows)[number]) =>
    setting === SAFE[name] || (name === 'synchronous_commit' && ['remote_write', 'remote_apply'].includes(setting));
  return rows
    .filter((row) => !isSafe(row))
    .map(({ name, setting }) => `${name} is ${setting}, not ${SAFE[name]}`)
    .toSorted();
}

/** The most triggers of a table that are named. */
const NAMED = 3;

/** Triggers and row-level security that are switched off. The product switches none off, in any version. */
async function guardsOff(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{
    name: string;
    off: string[] | null;
    keys: boolean;
    isOpen: boolean;
    isLoose: boolean;
  }>(`
    select
      c.relname as name, t.off, t.keys, p.walled and not c.relrowsecurity as "isOpen",
      p.walled and c.relrowsecurity and not c.relforcerowsecurity as "isLoose"
    from pg_class c
    cross join lateral (
      select array_agg(t.tgname::text order by t.tgisinternal, t.tgname) as off, bool_or(t.tgisinternal) as keys
      from pg_trigger t
      where t.tgrelid = c.oid and t.tgenabled not in ('O', 'A')
    ) t
    cross join lateral (select exists (select from pg_policy p where p.polrelid = c.oid) as walled) p
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and (t.off is not null or p.walled and not (c.relrowsecurity and c.relforcerowsecurity))
    order by 1
  `);
  const triggers = (off: readonly string[]) =>
    `${off.slice(0, NAMED).join(', ')}${off.length > NAMED ? ` and ${off.length - NAMED} more` : ''}`;
  return rows.flatMap(({ name, off, keys, isOpen, isLoose }) => [
    ...(off
      ? [
          `triggers of ${name} are switched off (${triggers(off)}: ` +
            `alter table ${name} enable trigger ${keys ? 'all' : 'user'})`,
        ]
      : []),
    ...(isOpen
      ? [`row-level security of ${name} is switched off (alter table ${name} enable row level security)`]
      : []),
    ...(isLoose ? [`row-level security of ${name} is not forced (alter table ${name} force row level security)`] : []),
  ]);
}

/** A database that may lose what it has acknowledged, or that writes without its guards, is refused. */
export async function refuseUnsafeDatabase(...urls: readonly string[]): Promise<void> {
  const wrong = new Set((await Promise.all(urls.map(unsafeSettings))).flat());
  if (wrong.size > 0)
    throw new Error(
      `The database of DATABASE_URL may lose what it has acknowledged, or writes without its guards: ${[...wrong].join(', ')}. Correct the settings of the database and of its roles, and switch the guards on again; then look with npm run invariants what was changed meanwhile.`,
    );
}

/** Texts are kept as UTF-8, and a database of another encoding would refuse some of them later on. */
export async function refuseOtherEncoding(ownerUrl: string): Promise<void> {
  const encoding = await inSession(
    ownerUrl,
    async (client) =>
      (await client.query<{ server_encoding: string }>('show server_encoding')).rows[0]?.server_encoding,
  );
  if (encoding !== 'UTF8')
    throw new Error(
      `The database of DATABASE_URL has the encoding ${encoding}: make it anew with the encoding UTF8 (create database … encoding 'UTF8' template template0).`,
    );
}

const unreachable = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENOENT',
  '57P03',
  '28P01',
  '28000',
  '3D000',
];
/** The error of a database that cannot be asked, as a sentence; undefined of any other. */
export function unreachableDatabase(error: unknown): string | undefined {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: readonly Error[] };
  const isTimeout = /timeout expired/.test(message ?? '');
  return isTimeout || (code !== undefined && unreachable.includes(code))
    ? `The database of DATABASE_URL or DATABASE_OWNER_URL cannot be reached: ${message || errors?.map((e) => e.message).join(', ')}. Start it, or correct these settings.`
    : undefined;
}

export interface Found {
  /** As 180004. */
  readonly version: number;
  readonly said: string;
  readonly checksums: string;
  readonly archive: string;
  readonly standbys: number;
}

/** What is no fault of a database, and still has to be reported to its operator. */
export function lacking({ version, said, checksums, archive, standbys }: Found): readonly string[] {
  const major = Math.floor(version / 10_000);
  const least = LEAST[major];
  const newest = Math.max(...Object.keys(LEAST).map(Number));
  return [
    ...(major < newest && least === undefined ? [`PostgreSQL ${said} gets no security fixes any more`] : []),
    ...(least !== undefined && version % 10_000 < least
      ? [`PostgreSQL ${said} lacks security fixes: ${major}.${least} or later has them`]
      : []),
    ...(checksums === 'on'
      ? []
      : ['The database has no data checksums: nobody notices a page that the disk has spoilt (pg_checksums)']),
    ...(archive === 'off' && standbys === 0
      ? ['The database has neither a WAL archive nor a standby: what follows the last back-up is lost with its disk']
      : []),
  ];
}

export const warningsOf = (ownerUrl: string): Promise<readonly string[]> =>
  inSession(ownerUrl, async (client) => {
    const { rows } = await client.query<Found>(`
      select current_setting('server_version_num')::int as version,
             current_setting('server_version') as said,
             current_setting('data_checksums') as checksums,
             current_setting('archive_mode') as archive,
             (select count(*)::int from pg_stat_replication) as standbys`);
    return rows.flatMap(lacking);
  });

export interface Watch {
  /** False from when the database was seen to be unsafe until it is seen to be safe again. */
  isSafe(): boolean;
  stop(): void;
}

/** Looks now and then whether somebody has weakened the database meanwhile; one that cannot be asked is another trouble. */
export function watchDatabase(
  { url, ownerUrl }: { readonly url: string; readonly ownerUrl: string },
  log: (message: string, details: object) => void,
  every = 30_000,
): Watch {
  let safe = true;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = async () => {
    const wrong = await Promise.all([unsafeSettings(url), unsafeSettings(ownerUrl), weakRole(url)]).then(
      ([own, owner, weak]) => [...new Set([...own, ...owner, ...weak])],
      () => undefined,
    );
    if (wrong && safe !== (wrong.length === 0)) {
      safe = wrong.length === 0;
      log(safe ? 'the database is safe again' : 'the database is not safe: nothing is written', {
        wrong,
      });
    }
    if (!ended) timer = setTimeout(() => void turn(), every);
    timer?.unref();
  };
  void turn();
  return {
    isSafe: () => safe,
    stop: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}
