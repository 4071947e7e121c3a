import type pg from 'pg';
import type { Migration } from './migrate.ts';

// Before the schema was one file it was the sum of 106 migrations. A database that has all of them has the tables of
// the schema, row for row and column for column; only the text of its functions is written otherwise (ADR 66).

/** What the first line of migrations left: names with the digests of their files, as `sha256sum` writes them. */
export const earlierMigrations = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [digest = '', name = ''] = line.split('  ');
        return [name, digest];
      }),
  );

/** The functions of the schema, each to take the place of the one that is there; their rights stay. */
const functionsOf = (schema: string): string =>
  (schema.match(/^create function [\s\S]*?^\$\$;$/gm) ?? [])
    .map((text) => text.replace('create function', 'create or replace function'))
    .join('\n');

/** Why a database of the earlier migrations cannot be taken over; undefined when it can. */
function obstacle(known: ReadonlyMap<string, string>, earlier: ReadonlyMap<string, string>): string | undefined {
  const strange = [...known].find(([name, digest]) => earlier.get(name) !== digest);
  if (strange) {
    return `The database has a migration ${strange[0]} that no version of Bahi has released in this form. It is not taken over, and nothing was changed.`;
  }
  const missing = [...earlier.keys()].filter((name) => !known.has(name));
  if (missing.length === 0) return undefined;
  const last = [...earlier.keys()].at(-1);
  return [
    `This database was made by an earlier version of Bahi and lacks ${missing.length} of its migrations, the first of them ${missing[0]}. Nothing was changed.`,
    `Start it once with the last version that had them (the commit before the one that \`git log -1 -- db/migrations/${last}\` names), and then with this one.`,
  ].join(' ');
}

/** Makes a database with all earlier migrations one of the schema: as if it had been made by the first migration. */
export async function takeOver(
  client: pg.ClientBase,
  known: ReadonlyMap<string, string>,
  schema: Migration,
  earlier: ReadonlyMap<string, string>,
): Promise<void> {
  const why = obstacle(known, earlier);
  if (why) throw new Error(why);
  await client.query('begin');
  try {
    await client.query('set local check_function_bodies = off');
    await client.query(functionsOf(schema.text));
    await client.query('delete from migrations');
    await client.query('insert into migrations (name, digest) values ($1, $2)', [schema.name, schema.digest]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`The database could not be taken over: ${(error as Error).message}`, { cause: error });
  }
}
