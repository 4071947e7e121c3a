import type pg from 'pg';
import { linkAt, newLink } from '../server/identity/links.ts';
import { type Books, openBooks } from '../server/kit/database/sql.ts';
import { openDatabase } from './open-database.ts';

// npm run operator -- somebody@example.com: makes somebody who signs in here an operator, when no operator is left who could.
// npm run operator -- --password-link somebody@example.com: prints a link that sets a new password, once, within a day.
// The database is the one of DATABASE_OWNER_URL, else the one of this checkout, running or not. The security log of every
// organisation of the person tells of it.

const USAGE = `Name the e-mail:
  npm run operator -- somebody@example.com                   makes an operator of this installation
  npm run operator -- --password-link somebody@example.com   prints a link that sets a new password
`;

/** Makes an operator; answers what is said, and whether it was done. */
async function makeOperator(pool: pg.Pool, email: string): Promise<readonly [string, boolean]> {
  const { rows } = await pool.query<{ name: string }>(
    `with made as (
       update people p set operator = true
        where lower(p.email) = lower($1)
          and exists (select from users u where u.person = p.id and u.active and u.accepted_at is not null)
       returning p.id, p.name)
     select made.name, log_security_of(made.id, 'operatorGiven', '{"by": "the emergency command"}')::text from made`,
    [email],
  );
  const [made] = rows;
  if (!made) return [`Nobody signs in here as ${email}: invite the person first.`, false];
  return [`${made.name} is an operator of this installation now.`, true];
}

/** Makes a link for whoever holds the database: it opens as one that the person has asked for. */
async function passwordLink(books: Books, email: string): Promise<readonly [string, boolean]> {
  if (process.env.OIDC_ISSUER) return ['Passwords are kept by the issuer of OIDC_ISSUER: set a new one there.', false];
  const { rows } = await books.pool.query<{ organisation: number; user: string; person: string; name: string }>(
    `select u.organisation, u.id as "user", p.id as person, p.name
         from people p
         join users u on u.person = p.id
        where lower(p.email) = lower($1)
          and u.active
          and u.accepted_at is not null
        order by u.organisation
        limit 1`,
    [email],
  );
  const [who] = rows;
  if (!who) return [`Nobody signs in here as ${email}.`, false];
  const { token } = await newLink(books.kysely, 'password', { ...who, by: undefined });
  await books.pool.query(`select log_security_of($1, 'linkMade', '{"by": "the emergency command"}')`, [who.person]);
  const address = new URL(process.env.PUBLIC_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`).origin;
  return [`This link sets a new password for ${who.name}, once, within 24 hours:\n${linkAt(address, token)}`, true];
}

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const wantsLink = words[0] === '--password-link';
  const [email, more] = wantsLink ? words.slice(1) : words;
  if (!email || more !== undefined || email.startsWith('-')) {
    process.stderr.write(USAGE);
    return 2;
  }
  const opened = await openDatabase();
  const books = openBooks(opened.url, 1);
  try {
    const [said, done] = await (wantsLink ? passwordLink(books, email) : makeOperator(books.pool, email));
    process.stdout.write(`${said}\n`);
    return done ? 0 : 1;
  } finally {
    await books.end();
    await opened.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
