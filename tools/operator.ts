import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { root } from '../server/kit/migrate.ts';

// npm run operator -- somebody@example.com: makes somebody who signs in here an operator, when no operator is left who could.
// The database is the one of DATABASE_OWNER_URL. The security log of every organisation of the person tells of it.

async function main(): Promise<number> {
  const env = path.join(root(), '.env');
  if (fs.existsSync(env)) process.loadEnvFile(env);
  const [email] = process.argv.slice(2);
  const url = process.env.DATABASE_OWNER_URL;
  if (!email || !url) {
    process.stderr.write('Set DATABASE_OWNER_URL, and name the e-mail: npm run operator -- somebody@example.com\n');
    return 2;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; told: string | null }>(
      `with made as (
         update people p set operator = true
          where lower(p.email) = lower($1)
            and exists (select from users u where u.person = p.id and u.active and u.accepted_at is not null)
         returning p.id, p.name)
       select made.name, log_security_of(made.id, 'operatorGiven', '{"by": "the emergency command"}')::text as told from made`,
      [email],
    );
    const [made] = rows;
    process.stdout.write(
      made
        ? `${made.name} is an operator of this installation now.\n`
        : `Nobody signs in here as ${email}: invite the person first.\n`,
    );
    return made ? 0 : 1;
  } finally {
    await client.end();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
