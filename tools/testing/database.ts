import pg from 'pg';
import { inject } from 'vitest';

/** What the set-up of a run hands to its tests. */
declare module 'vitest' {
  interface ProvidedContext {
    ownerUrl: string;
    appUrl: string;
  }
}

export interface TestDatabase {
  readonly url: string;
  readonly ownerUrl: string;
  readonly owner: pg.Pool;
  readonly app: pg.Pool;
  drop(): Promise<void>;
}
/** One among those of a run. */
export interface ClonedDatabase extends TestDatabase {
  readonly name: string;
  /** Ends the connections and waits until they are gone. */
  leave(): Promise<void>;
}

let count = 0;

/** Asks as the owner, beside all databases of tests. */
export async function administer<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: inject('ownerUrl').replace('/bahi?', '/template1?') });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * A database of its own for a test file: a clone of the migrated template, or of another, with pools of both roles.
 * Call `drop` at the end.
 */
export async function testDatabase(template = 'template_bahi'): Promise<ClonedDatabase> {
  count += 1;
  const name = `test_${process.pid}_${Date.now().toString(36)}_${count}`;
  const ownerUrl = inject('ownerUrl').replace('/bahi?', `/${name}?`);
  const url = inject('appUrl').replace('/bahi?', `/${name}?`);
  await administer(`create database ${name} template ${template} strategy wal_log`);
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 4 });
  const app = new pg.Pool({ connectionString: url, max: 8 });
  const leave = async () => {
    await Promise.all([owner.end(), app.end()]);
    // a pool has ended before its connections have: one that is cut off meanwhile fails the test that runs next
    const present = `select from pg_stat_activity where datname = '${name}' and usename in ('bahi_owner', 'bahi_app')`;
    for (let turn = 0; turn < 100 && (await administer(present)).length; turn++)
      await new Promise((again) => setTimeout(again, 20));
  };
  return {
    ...{ name, url, ownerUrl, owner, app, leave },
    drop: async () => {
      await leave();
      await patiently(() => administer(`drop database if exists ${name} with (force)`));
    },
  };
}

/** Makes who signs in by this e-mail an operator of the installation, and tells the log, as the product does. */
export async function makeOperator({ owner }: TestDatabase, email: string): Promise<void> {
  await owner.query(
    `with made as (update people set operator = true where email = $1 returning id)
     select log_security_of(id, 'operatorGiven', '{"by": "a test"}') from made`,
    [email],
  );
}

/** The owner may not end a process of the superuser: one that vacuums by itself is waited for, up to ten seconds. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (const patience = Date.now() + 10_000; ; ) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '42501' || Date.now() > patience) throw error;
      await new Promise((again) => setTimeout(again, 100));
    }
  }
}
