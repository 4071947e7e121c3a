import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Said, say } from '../../domain/base/say.ts';
import type { Books, Executor } from '../kit/database/sql.ts';
import { newPasswordProblem } from '../kit/secrets/new-password.ts';
import { accountOf } from './failures.ts';
import { checkPassword, hashPassword } from './password.ts';

export type Purpose = 'invitation' | 'password' | 'setup';
/** How long a link opens, in the database's words. */
const lives: Readonly<Record<Purpose, string>> = { invitation: '7 days', password: '1 day', setup: '1 day' };

/** What is kept of a token: a copy of the table opens nothing. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The address of a link. The token stands behind the number sign: a browser sends it to no server, so that it stands in no log. */
export const linkAt = (publicUrl: string, token: string): string => `${publicUrl}/invitation#${token}`;

/** Whose link; `by` is undefined when the person asked for it, which only goes to the person's own mail box. */
export interface Whose {
  readonly organisation: number;
  readonly user: string;
  readonly person: string;
  readonly by: string | undefined;
}

/** Makes a one-time link; earlier ones of the same user open nothing any more. Answers the token, which is kept nowhere. */
export async function newLink(
  executor: Executor,
  purpose: Purpose,
  whose: Whose | undefined,
): Promise<{ readonly token: string; readonly expiresAt: string }> {
  const token = randomBytes(32).toString('base64url');
  if (whose)
    await sql`delete from sign_in_links where organisation = ${whose.organisation} and "user" = ${whose.user} and used_at is null`.execute(
      executor,
    );
  const { rows } = await sql<{
    expires_at: Date;
  }>`
    insert into sign_in_links (digest, purpose, organisation, "user", person, made_by, expires_at)
    values (
      ${digestOf(token)}, ${purpose}, ${whose?.organisation ?? null}, ${whose?.user ?? null},
      ${whose?.person ?? null}, ${whose?.by ?? null}, now() + ${lives[purpose]}::interval
    )
    returning expires_at
  `.execute(executor);
  return { token, expiresAt: rows[0]?.expires_at.toISOString() ?? '' };
}

/** What a link opens: which user of which organisation, and whether it asks for a new password or for the present one. */
export interface OpenLink {
  readonly purpose: 'invitation' | 'password';
  readonly organisation: number;
  readonly user: string;
  readonly person: string;
  readonly email: string;
  readonly organisationName: string;
  /** Names that are known of the person, of which no password is made. */
  readonly names: readonly string[];
  readonly asks: 'new' | 'known';
}

/** Undefined for whatever opens nothing: unknown, used, too old, made for somebody who is inactive or another person by now. */
export async function openLink(books: Books, token: string): Promise<OpenLink | undefined> {
  const { rows } = await books.pool.query<{
    purpose: 'invitation' | 'password';
    organisation: number;
    user: string;
    person: string;
    own: boolean;
  }>(
    `
      select purpose, organisation, "user", person, made_by is null as own
      from sign_in_links
      where digest = $1 and purpose in ('invitation', 'password') and used_at is null and expires_at > now()
    `,
    [digestOf(token)],
  );
  if (!rows[0]) return undefined;
  const { own, ...link } = rows[0];
  return books.inTransaction({ organisation: link.organisation, user: link.user }, async (trx) => {
    const found = await sql<{
      email: string;
      name: string;
      names: string[];
      has: boolean;
      elsewhere: boolean;
    }>`
      select
        p.email, o.name, array[p.name, u.name, o.name, o.code] as names, p.password_hash is not null as has,
        works_elsewhere(p.id, o.organisation) as elsewhere
      from users u
      join people p on p.id = u.person
      join organisations o on o.organisation = u.organisation
      where u.organisation = ${link.organisation} and u.id = ${link.user} and u.person = ${link.person} and u.active
    `.execute(trx);
    const [who] = found.rows;
    const asks = link.purpose === 'invitation' && who?.has ? 'known' : 'new';
    // a person who has joined another organisation since keeps their password
    if (!who || (asks === 'new' && who.elsewhere && !own)) return undefined;
    return { ...link, email: who.email, organisationName: who.name, names: who.names, asks };
  });
}

/** Takes up what the link opens with the password typed; answers what is wrong, or nothing when it is done. */
export async function takeUpLink(
  books: Books,
  token: string,
  link: OpenLink,
  password: string,
  again: string,
): Promise<Said | undefined> {
  if (link.asks === 'known') {
    const known = await checkPassword(books.pool, link.email, password);
    if ('wrong' in known) return known.wrong;
  } else {
    const problem =
      newPasswordProblem(password, link) ?? (password === again ? undefined : say('The two passwords differ'));
    if (problem) return problem;
  }
  const hash = link.asks === 'new' ? await hashPassword(password) : undefined;
  return books.inTransaction({ organisation: link.organisation, user: link.user }, async (trx) => {
    const used = await sql`
      update sign_in_links
      set used_at = now()
      where digest = ${digestOf(token)} and used_at is null and expires_at > now()
    `.execute(trx);
    if (used.numAffectedRows !== 1n) return say('This link was used already');
    if (hash !== undefined) {
      await sql`update people set password_hash = ${hash} where id = ${link.person}`.execute(trx);
      await sql`delete from sign_in_links where person = ${link.person} and purpose = 'password' and used_at is null`.execute(
        trx,
      );
      await sql`delete from sign_in_failures where account = ${accountOf(link.email).digest}`.execute(trx);
      await endEverywhere(trx, link.person);
    }
    await sql`
      update users
      set accepted_at = now()
      where organisation = ${link.organisation} and id = ${link.user} and accepted_at is null
    `.execute(trx);
    return undefined;
  });
}

/** A new password ends what the old one had opened: sessions here, and at the embedded issuer. */
async function endEverywhere(executor: Executor, person: string): Promise<void> {
  await sql`delete from sessions where person = ${person}`.execute(executor);
  await sql`delete from issuer_records where payload ->> 'accountId' = ${person}`.execute(executor);
}
