import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { earlierMigrations, takeOver } from './takeover.ts';

/** The checkout's root, from the source tree (server/kit) and from the bundle (dist) alike. */
export function root(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}

export interface Migration {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal digits. */
  readonly digest: string;
}

/** The numbered migrations in their order; the first is the schema as it was when its line began. */
function allMigrations(): readonly [Migration, ...Migration[]] {
  const folder = path.join(root(), 'db/migrations');
  const [first, ...later] = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = fs.readFileSync(path.join(folder, name), 'utf8');
      return { name, text, digest: createHash('sha256').update(text).digest('hex') };
    });
  if (!first) throw new Error(`There are no migrations in ${folder}.`);
  return [first, ...later];
}

const earlier = () => earlierMigrations(fs.readFileSync(path.join(root(), 'db/takeover/migrations.sha256'), 'utf8'));

/**
 * Applies the numbered migrations that are missing, each in a transaction, as the owner, and answers their names. A
 * migration that was applied must not change. A database of the migrations before the schema was one is taken over.
 */
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
  const migrations = allMigrations();
  const applied: string[] = [];
  await client.query('select pg_advisory_lock(62613)');
  try {
    await client.query(
      'create table if not exists migrations (name text primary key, digest text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from migrations');
    const known = new Map(rows.map((row) => [row.name, row.digest]));
    const [schema] = migrations;
    if (known.size > 0 && !known.has(schema.name)) {
      await takeOver(client, known, schema, earlier());
      known.clear();
      known.set(schema.name, schema.digest);
      applied.push(schema.name);
    }
    const newer = [...known.keys()].find((name) => !migrations.some((migration) => migration.name === name));
    if (newer)
      throw new Error(
        `This database was made by a newer version: it has the migration ${newer}, which this one lacks. Start the newer version, or restore the back-up from before it.`,
      );
    for (const { name, text, digest } of migrations) {
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
        await client.query('rollback');
        throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      applied.push(name);
    }
  } finally {
    await client.query('select pg_advisory_unlock(62613)');
  }
  return applied;
}
