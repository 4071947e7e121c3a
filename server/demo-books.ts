// biome-ignore-all format: rows
import pg from 'pg';
import { seedDemo } from './demo/index.ts';
import { hashPassword } from './identity/password.ts';
import type { Vault } from './kit/secrets.ts';
import { DEMO_PASSWORD, demoFoundings } from './organisation/demo.ts';
import { foundOrganisation } from './organisation/found.ts';

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
    await client.query('update people set password_hash = $1 where email = any($2)', [await hashPassword(DEMO_PASSWORD), emails]);
  } finally {
    await client.end();
  }
}

const codes = demoFoundings(null).map(({ code }) => code).sort();
const emails = demoFoundings(null).flatMap(({ people }) => people.map(({ email }) => email)).sort();

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
