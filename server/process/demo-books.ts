import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { seedDemo } from '../demo/index.ts';
import { hashPassword, isPassword } from '../identity/password.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { DEMO_PASSWORD, demoFoundings } from '../organisation/demo.ts';
import { foundOrganisation } from '../organisation/found.ts';

export interface DemoBooks {
  readonly url: string;
  readonly ownerUrl: string;
  readonly vault: Vault;
  readonly progress: (done: string) => void;
  /** Of so many months; tests ask for fewer. */
  readonly months?: number;
}

/**
 * The demo organisations with their books, on the first start of an empty database: whole, or begun anew. Their people get
 * their password last: who finds the demo without passwords finds what an interrupted start has left of it.
 */
export async function makeDemoBooks({ url, ownerUrl, vault, progress, months }: DemoBooks): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // who starts at the same time waits here and finds them made; with the process the lock goes too
    await client.query('select pg_advisory_lock(62617)');
    const standing = await standingOf(client);
    if (standing === 'taken') return;
    await client.query('begin');
    if (standing === 'half') await clear(client);
    for (const founding of demoFoundings(null)) await foundOrganisation(client, founding);
    await client.query('commit');
    await seedDemo(url, vault, progress, months);
    await client.query('update people set password_hash = $1 where email = any($2)', [
      await hashPassword(DEMO_PASSWORD),
      emails,
    ]);
  } finally {
    await client.end();
  }
}

/** The demo accounts that the published password opens, in the order of the demo. */
export async function openDemoAccounts(ownerUrl: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return (await opened(client)).map(({ email }) => email);
  } finally {
    await client.end();
  }
}

interface Account {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
}

async function opened(client: pg.ClientBase): Promise<readonly Account[]> {
  const { rows } = await client.query<Account>(
    `select id, email, password_hash
       from people
      where lower(email) = any($1::text[])
        and password_hash is not null
      order by array_position($1::text[], lower(email))`,
    [listed],
  );
  const open = await Promise.all(rows.map(({ password_hash: hash }) => isPassword(hash, DEMO_PASSWORD)));
  return rows.filter((_, n) => open[n]);
}

/**
 * Where other machines reach the server, the published password opens nothing: each demo account that still has it gets one that
 * nobody knows, and what it had opened ends. Their books stay as they are. Answers the addresses of these accounts.
 */
export async function lockDemoAccounts(ownerUrl: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const accounts = await opened(client);
    // not null: who finds the demo without passwords takes it for half made, and begins it anew
    for (const { id } of accounts) {
      const hash = await hashPassword(randomBytes(32).toString('base64url'));
      await client.query('begin');
      await client.query('update people set password_hash = $2 where id = $1', [id, hash]);
      await client.query('delete from sessions where person = $1', [id]);
      await client.query(`delete from issuer_records where payload ->> 'accountId' = $1`, [id]);
      await client.query(`select log_security_of($1, 'demoLocked', '{}')`, [id]);
      await client.query('commit');
    }
    return accounts.map(({ email }) => email);
  } finally {
    await client.end();
  }
}

const listed = demoFoundings(null).flatMap(({ people }) => people.map(({ email }) => email));
const codes = demoFoundings(null)
  .map(({ code }) => code)
  .sort();
const emails = [...listed].sort();

/** Empty; half a demo and nothing else; or anything else, which is left alone. */
async function standingOf(client: pg.ClientBase): Promise<'empty' | 'half' | 'taken'> {
  const { rows } = await client.query<{ codes: string[]; emails: string[]; open: boolean }>(`
    select (select coalesce(array_agg(code order by code), '{}') from organisations) as codes,
           (select coalesce(array_agg(email order by email), '{}') from people) as emails,
           exists (select from people where password_hash is not null) as open`);
  const [there] = rows;
  if (there?.codes.length === 0) return 'empty';
  const isDemo = String(there?.codes) === String(codes) && String(there?.emails) === String(emails);
  return isDemo && there?.open === false ? 'half' : 'taken';
}

/** Nobody has worked with what is cleared, for nobody could sign in: what is written once is made once more. */
async function clear(client: pg.ClientBase): Promise<void> {
  await client.query(`
    do $$
    declare names text; guard record;
    begin
      for guard in select tgrelid::regclass as relation, tgname as name from pg_trigger where tgname = 'written_once' loop
        execute format('alter table %s disable trigger %I', guard.relation, guard.name);
      end loop;
      select string_agg(format('%I', table_name), ', ') into names from information_schema.columns c
       where table_schema = 'public' and (column_name = 'organisation' or table_name = 'people')
         and exists (select from pg_class where relname = table_name and relnamespace = 'public'::regnamespace and relkind in ('r', 'p'));
      execute format('truncate %s restart identity cascade', names);
      for guard in select tgrelid::regclass as relation, tgname as name from pg_trigger where tgname = 'written_once' loop
        execute format('alter table %s enable trigger %I', guard.relation, guard.name);
      end loop;
    end $$`);
}
