import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { todayIn } from '../../domain/base/dates.ts';
import type { Clock } from '../kit/clock.ts';
import type { Books } from '../kit/database/sql.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { tellOfPerson } from '../kit/secrets/security-log.ts';
import { digestOfToken, memberOfToken } from './access-tokens.ts';
import type { Identity, SignInClient, Tokens } from './client.ts';
import { endAtIssuer, endOthersAtIssuer } from './issuer-sessions.ts';
import { type Member, memberIn, membershipsOf, type SessionRow } from './member.ts';
import { areOld, openTokens, sealTokens, tokenRotation } from './token-rotation.ts';

export interface Sessions {
  /** The identity's person signs in: bound at the first sign-in by a verified e-mail. Undefined: nobody invited them. */
  begin(
    identity: Identity,
    tokens: Tokens,
    embedded: boolean,
    agent: string,
    from?: string,
  ): Promise<string | undefined>;
  /** Who a cookie stands for, in the session's organisation or in another of the person's own; at most two seconds old. */
  find(cookie: string, code?: string): Promise<Member | undefined>;
  /** The same by the digest of the cookie or of an access token, straight from the database. */
  again(digest: Buffer, code?: string): Promise<Member | undefined>;
  /** Who an access token stands for at this moment. */
  ofToken(secret: string, from: string): Promise<Member | undefined>;
  end(digest: Buffer): Promise<Tokens | undefined>;
  /** Ends one other session of the person, at the embedded issuer too. False: there is none. */
  endOther(digest: Buffer, person: string, other: Buffer): Promise<boolean>;
  /** Ends every session of the person but this one, at the embedded issuer too. */
  endOthers(digest: Buffer, person: string): Promise<void>;
  forget(digest: Buffer): void;
  /** Rights, places or settings have changed: whoever asks next is read anew. */
  forgetEveryone(): void;
  switchTo(digest: Buffer, organisation: number): Promise<void>;
}

const FRESH = 2_000;
/** A day of work, however busy. */
const LIFE = '12 hours';
/** Who does nothing for so long has gone away. */
const IDLE = '30 minutes';
const digestOf = (cookie: string): Buffer => createHash('sha256').update(cookie).digest();

export function sessions(books: Books, vault: Vault, client: SignInClient, clock: Clock): Sessions {
  const { pool } = books;
  const rotate = tokenRotation(books, vault, client, clock);
  const load = async (digest: Buffer, code?: string, used = false): Promise<Member | undefined> => {
    const session = await sessionOf(books, digest);
    if (!session) return undefined;
    const tokens = openTokens(vault, session.tokens);
    if (session.over) {
      await endAtIssuer(pool, session.person, tokens.refresh);
      await pool.query('delete from sessions where digest = $1', [digest]);
      return undefined;
    }
    if (used) await markUsed(books, digest);
    if (areOld(tokens, clock.now()) && !(await rotate(digest))) return undefined;
    const memberships = await membershipsOf(books, session.person);
    const own =
      code === undefined
        ? (memberships.find((m) => m.organisation === session.organisation) ?? memberships[0])
        : memberships.find((m) => m.code === code);
    return own && memberIn(books, digest, session, { own, memberships }, todayIn(clock.now()));
  };
  const cache = memberCache(clock, (digest, code) => load(digest, code, true));
  const refreshTokenOf = async (digest: Buffer, person: string): Promise<string | undefined> => {
    const { rows } = await pool.query<{ tokens: Buffer }>(
      'select tokens from sessions where digest = $1 and person = $2',
      [digest, person],
    );
    return rows[0] && openTokens(vault, rows[0].tokens).refresh;
  };
  return {
    begin: (identity, tokens, embedded, agent, from) =>
      beginSession(books, vault, { identity, tokens, embedded, agent: agent.slice(0, 200), from }),
    find: (cookie, code) => cache.find(digestOf(cookie), code),
    again: async (digest, code) =>
      (await load(digest, code)) ?? (await memberOfToken(books, digest, todayIn(clock.now()))),
    ofToken: (secret, from) => memberOfToken(books, digestOfToken(secret), todayIn(clock.now()), from),
    end: async (digest) => {
      cache.forget(digest);
      const { rows } = await pool.query<{ tokens: Buffer }>('delete from sessions where digest = $1 returning tokens', [
        digest,
      ]);
      return rows[0] && openTokens(vault, rows[0].tokens);
    },
    endOther: async (digest, person, other) => {
      if (digest.equals(other)) return false;
      const kept = await refreshTokenOf(digest, person);
      const ended = await refreshTokenOf(other, person);
      const { rowCount } = await pool.query('delete from sessions where person = $1 and digest = $2', [person, other]);
      await endAtIssuer(pool, person, ended, kept);
      cache.forget(other);
      return rowCount === 1;
    },
    endOthers: async (digest, person) => {
      const kept = await refreshTokenOf(digest, person);
      await pool.query('delete from sessions where person = $1 and digest <> $2', [person, digest]);
      await endOthersAtIssuer(pool, person, kept);
      cache.clear();
    },
    forget: cache.forget,
    forgetEveryone: cache.clear,
    switchTo: async (digest, organisation) => {
      await pool.query('update sessions set organisation = $2 where digest = $1', [digest, organisation]);
      cache.forget(digest);
    },
  };
}

interface MemberCache {
  find(digest: Buffer, code?: string): Promise<Member | undefined>;
  forget(digest: Buffer): void;
  clear(): void;
}

/** Who a session stands for, at most two seconds old, by its digest and by the organisation asked for. */
function memberCache(clock: Clock, load: (digest: Buffer, code?: string) => Promise<Member | undefined>): MemberCache {
  type Cached = Map<string, { readonly at: number; readonly member: Promise<Member | undefined> }>;
  const cache = new Map<string, Cached>();
  return {
    find: (digest, code) => {
      const name = digest.toString('hex');
      const own: Cached = cache.get(name) ?? new Map();
      const known = own.get(code ?? '');
      if (known && clock.now() - known.at < FRESH) return known.member;
      const member = load(digest, code);
      own.set(code ?? '', { at: clock.now(), member });
      member.catch(() => own.delete(code ?? ''));
      if (cache.size > 10_000) cache.clear();
      cache.set(name, own);
      return member;
    },
    forget: (digest) => void cache.delete(digest.toString('hex')),
    clear: () => cache.clear(),
  };
}

async function sessionOf({ pool }: Books, digest: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await pool.query<SessionRow>(
    `
      select
        s.person, s.organisation, s.tokens, s.expires_at,
        s.expires_at <= now() or s.seen_at <= now() - interval '${IDLE}' as over, p.email, p.preferences,
        p.totp_secret is not null as factor, p.operator
      from sessions s
      join people p on p.id = s.person
      where s.digest = $1
    `,
    [digest],
  );
  return rows[0];
}

/** Its idle time begins again: written at most once a minute. */
async function markUsed({ pool }: Books, digest: Buffer): Promise<void> {
  await pool.query(`update sessions set seen_at = now() where digest = $1 and seen_at < now() - interval '1 minute'`, [
    digest,
  ]);
}

interface SignIn {
  readonly identity: Identity;
  readonly tokens: Tokens;
  readonly embedded: boolean;
  readonly agent: string;
  readonly from: string | undefined;
}

/** Begins a session in the organisation that the identity names, or the first one. Answers the cookie. */
async function beginSession(
  books: Books,
  vault: Vault,
  { identity, tokens, embedded, agent, from }: SignIn,
): Promise<string | undefined> {
  const { pool } = books;
  const person = await personOf(books, identity, embedded);
  if (!person) return undefined;
  // the issuer has verified the e-mail that a membership was offered to: nothing more is asked
  if (!embedded && identity.email)
    await pool.query('select accept_memberships(id) from people where id = $1 and lower(email) = lower($2)', [
      person,
      identity.email,
    ]);
  const memberships = await membershipsOf(books, person);
  const own = memberships.find((m) => m.code === identity.organisation) ?? memberships[0];
  if (!own) return undefined;
  const cookie = randomBytes(32).toString('base64url');
  await pool.query(
    `
      insert into sessions (digest, person, organisation, tokens, expires_at, agent)
      values ($1, $2, $3, $4, now() + interval '${LIFE}', $5)
    `,
    [digestOf(cookie), person, own.organisation, sealTokens(vault, tokens), agent],
  );
  await books.inTransaction(own, (trx) =>
    sql`update users set last_sign_in = now() where organisation = ${own.organisation} and id = ${own.user}`.execute(
      trx,
    ),
  );
  await tellOfPerson(pool, person, 'signedIn', { from, agent });
  return cookie;
}

/** The embedded issuer's subject is the person; an external one is bound by (issuer, subject), the first time by verified e-mail. */
async function personOf(books: Books, identity: Identity, embedded: boolean): Promise<string | undefined> {
  if (embedded)
    return (await books.pool.query<{ id: string }>('select id from people where id::text = $1', [identity.subject]))
      .rows[0]?.id;
  const bound = (
    await books.pool.query<{ id: string }>('select id from people where issuer = $1 and subject = $2', [
      identity.issuer,
      identity.subject,
    ])
  ).rows[0];
  if (bound || !identity.email) return bound?.id;
  return (
    await books.pool.query<{ id: string }>(
      'update people set issuer = $1, subject = $2 where lower(email) = lower($3) and (subject is null or issuer <> $1) returning id',
      [identity.issuer, identity.subject, identity.email],
    )
  ).rows[0]?.id;
}
