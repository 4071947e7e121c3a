import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** The checkout's root, from the source tree (server/kit) and from the bundle (dist) alike. */
export function root(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}

/** Applies the numbered migrations that are missing, each in a transaction, as the owner. A migration that was applied must not change. */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return await migrateOn(client);
  } finally {
    await client.end();
  }
}

/**
 * The same on a session that may be somebody else's afterwards: a pooler stands between. Nothing that is set here
 * outlives its transaction.
 */
export async function migrateOn(client: pg.ClientBase): Promise<string[]> {
  const folder = path.join(root(), 'db/migrations');
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const applied: string[] = [];
  await client.query('select pg_advisory_lock(62613)');
  try {
    await client.query(
      'create table if not exists migrations (name text primary key, digest text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from migrations');
    const known = new Map(rows.map((row) => [row.name, row.digest]));
    const [newer] = rows.filter(({ name }) => !files.includes(name));
    if (newer)
      throw new Error(
        `This database was made by a newer version: it has the migration ${newer.name}, which this one lacks. Start the newer version, or restore the back-up from before it.`,
      );
    for (const name of files) {
      const text = fs.readFileSync(path.join(folder, name), 'utf8');
      const digest = createHash('sha256').update(text).digest('hex');
      const before = known.get(name);
      if (before === digest) continue;
      if (before)
        throw new Error(`The migration ${name} was changed after it was applied: restore it and write a new one.`);
      try {
        const row = [name, digest].map(pg.escapeLiteral).join(', ');
        // a crash then loses the last migrations whole, and the next start applies them: nothing is worth a wait for the disk here
        await client.query(
          `begin;set local synchronous_commit = off;\n${text}\n;insert into migrations (name, digest) values (${row}); commit`,
        );
      } catch (error) {
        throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      applied.push(name);
    }
  } finally {
    await client.query('select pg_advisory_unlock(62613)');
  }
  return applied;
}
