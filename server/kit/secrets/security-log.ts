import { sql } from 'kysely';
import type pg from 'pg';
import { levelsFor } from '../../../contract/levels.ts';
import { screens } from '../../../contract/screens.ts';
import type { SecurityEvent } from '../../../contract/security.ts';
import { say } from '../../../domain/base/say.ts';
import type { Actor, Books } from '../database/sql.ts';
import { noticeOf } from '../notify.ts';

type Details = Readonly<Record<string, string | undefined>>;

/** What came from outside stands in one line of the log, whatever it holds: control characters and halves of letters are left out. */
const asJson = (details: Details): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, value?.replace(/\p{C}/gu, '').slice(0, 200)]),
    ),
  );

/** Sign-ins of a person and their failures, logged in every organisation that the person works in. */
export async function tellOfPerson(pool: pg.Pool, person: string, what: SecurityEvent, details: Details = {}) {
  await pool.query('select log_security_of($1, $2, $3)', [person, what, asJson(details)]);
}

/** Tells what a member did or was refused. */
export type Tell = (actor: Actor, what: SecurityEvent, about: string, details?: Details) => Promise<void>;

const MINUTE = 60_000;
/** So many refusals of one organisation in a minute are an alert: somebody tries doors. */
const MANY = 50;
/** Beyond so many different events in a minute the oldest may be logged twice. */
const MOST_REMEMBERED = 10_000;

/**
 * The same event of the same user is logged once a minute: a storm of refusals must not fill the log. It never throws: a failure to
 * write is put into the server's log instead.
 */
export function securityLog(books: Books, now: () => number, failed: (message: string, details: object) => void): Tell {
  const lately = new Map<string, number>();
  const tried = new Map<number, number[]>();
  /** Whether this refusal makes them many; then it is counted anew. */
  const makesMany = (organisation: number): boolean => {
    const times = [...(tried.get(organisation) ?? []).filter((at) => now() - at < MINUTE), now()];
    const isMany = times.length >= MANY;
    if (isMany) tried.delete(organisation);
    else tried.set(organisation, times);
    return isMany;
  };
  const alarm = async (actor: Actor, details: Details) => {
    failed(`${MANY} refusals in a minute`, { organisation: actor.organisation, user: actor.user });
    const { message, text } = noticeOf(
      say('{{count}} requests were refused in a minute: see the security log', { count: MANY }),
    );
    await books.inTransaction(actor, async (trx) => {
      await sql`select log_security('manyRefused', ${actor.user}, ${asJson(details)}::jsonb)`.execute(trx);
      await sql`
        insert into notifications (organisation, id, "user", message, text, link)
        select distinct on (u."user")
          ${actor.organisation}::int, gen_random_uuid(), u."user", ${message}, ${text}::jsonb,
          '/layout/ClientUsers?report=securityLog'
        from (
          select "user", role
          from user_roles
          where organisation = ${actor.organisation}
          union
          select m."user", r.role
          from group_members m
          join group_roles r on r.organisation = m.organisation and r."group" = m."group"
          where m.organisation = ${actor.organisation}
        ) u
        join role_grants g on g.organisation = ${actor.organisation} and g.role = u.role
        where g.screen = ${screens['Manage Role'].id} and g.level = any(${[...levelsFor('settings')]}::int[])
      `.execute(trx);
    });
  };
  return async (actor, what, about, details = {}) => {
    if (what === 'refused' && makesMany(actor.organisation))
      await alarm(actor, details).catch((error: unknown) =>
        failed('an alert could not be written', { error: String(error) }),
      );
    const same = JSON.stringify([actor.organisation, actor.user, what, about, details]);
    if (now() - (lately.get(same) ?? Number.NEGATIVE_INFINITY) < MINUTE) return;
    if (lately.size >= MOST_REMEMBERED) lately.clear();
    lately.set(same, now());
    try {
      await books.inTransaction(actor, (trx) =>
        sql`select log_security(${what}, ${about}, ${asJson(details)}::jsonb)`.execute(trx),
      );
    } catch (error) {
      lately.delete(same);
      failed(`the security log could not be written: ${what}`, { error: String(error) });
    }
  };
}
