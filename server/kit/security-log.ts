import { sql } from 'kysely';
import type pg from 'pg';
import type { SecurityEvent } from '../../contract/security.ts';
import type { Actor, Books } from './sql.ts';

type Details = Readonly<Record<string, string | undefined>>;

/** What came from outside stands in one line of the log, whatever it holds: control characters and halves of letters are left out. */
const told = (details: Details): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, value?.replace(/\p{C}/gu, '').slice(0, 200)]),
    ),
  );

/** What happened at the door to a person, told in every organisation that he works in. */
export async function tellOfPerson(pool: pg.Pool, person: string, what: SecurityEvent, details: Details = {}) {
  await pool.query('select log_security_of($1, $2, $3)', [person, what, told(details)]);
}

/** Tells what a member did or was refused. */
export type Tell = (actor: Actor, what: SecurityEvent, about: string, details?: Details) => Promise<void>;

const MINUTE = 60_000;
/** Beyond so many different things in a minute the oldest may be told twice. */
const MOST_REMEMBERED = 10_000;

/**
 * The same of the same user is told once a minute: a storm of refusals must not fill the log. It never fails what it tells
 * of: that it could not be told is logged instead.
 */
export function securityLog(books: Books, now: () => number, failed: (message: string, details: object) => void): Tell {
  const lately = new Map<string, number>();
  return async (actor, what, about, details = {}) => {
    const same = JSON.stringify([actor.organisation, actor.user, what, about, details]);
    if (now() - (lately.get(same) ?? Number.NEGATIVE_INFINITY) < MINUTE) return;
    if (lately.size >= MOST_REMEMBERED) lately.clear();
    lately.set(same, now());
    try {
      await books.inTransaction(actor, (trx) =>
        sql`select log_security(${what}, ${about}, ${told(details)}::jsonb)`.execute(trx),
      );
    } catch (error) {
      lately.delete(same);
      failed(`the security log could not be told: ${what}`, { error: String(error) });
    }
  };
}
