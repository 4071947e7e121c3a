import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Held } from '../../contract/levels.ts';
import { type GeneralConfiguration, generalConfiguration } from '../../contract/session.ts';
import { todayIn } from '../../domain/base/dates.ts';
import { grantsOf, type LimitRow, limitRows, limitsOf, type RoleLimits } from '../access/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Books } from '../kit/database/sql.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import { tellOfPerson } from '../kit/secrets/security-log.ts';
import { type Subscription, subscriptionOf } from '../subscription/index.ts';
import type { Identity, SignInClient, Tokens } from './client.ts';

export interface Member {
  readonly digest: Buffer;
  readonly person: string;
  readonly organisation: number;
  readonly organisationCode: string;
  readonly organisationName: string;
  readonly user: string;
  readonly name: string;
  readonly email: string;
  readonly grants: ReadonlyMap<string, Held>;
  readonly limits: RoleLimits;
  readonly locations: readonly string[];
  readonly settings: GeneralConfiguration;
  readonly organisations: readonly { readonly organisation: number; readonly code: string; readonly name: string }[];
  readonly secondFactor: { readonly on: boolean; readonly required: boolean };
  /** He runs this installation. */
  readonly operator: boolean;
  readonly subscription: Subscription;
  readonly preferences: unknown;
  readonly taxLocation: string | null;
  readonly physicalLocation: string | null;
  readonly expiresAt: string;
}

export interface Sessions {
  /** The identity's person signs in: bound at the first sign-in by a verified e-mail. Undefined: nobody invited him. */
  begin(
    identity: Identity,
    tokens: Tokens,
    embedded: boolean,
    agent: string,
    from?: string,
  ): Promise<string | undefined>;
  /** Who a cookie stands for, in the session's organisation or in another of the person's own; at most two seconds old. */
  find(cookie: string, code?: string): Promise<Member | undefined>;
  /** The same by the cookie's digest, straight from the database. */
  again(digest: Buffer, code?: string): Promise<Member | undefined>;
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
/** Seconds until an issuer that did not answer is asked again. */
const AGAIN = 30;
const digestOf = (cookie: string): Buffer => createHash('sha256').update(cookie).digest();

export function sessions(books: Books, vault: Vault, client: SignInClient, clock: Clock): Sessions {
  /** By cookie, then by the organisation asked for. */
  const cache = new Map<string, Map<string, { readonly at: number; readonly member: Promise<Member | undefined> }>>();
  const refreshing = new Map<string, Promise<boolean>>();

  const load = async (digest: Buffer, code?: string, used = false): Promise<Member | undefined> => {
    const { rows } = await books.pool.query<{
      person: string;
      organisation: number;
      tokens: Buffer;
      expires_at: Date;
      over: boolean;
      email: string;
      preferences: unknown;
      factor: boolean;
      operator: boolean;
    }>(
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
    const [session] = rows;
    if (!session) return undefined;
    if (session.over) {
      await endAtIssuer(session.person, (JSON.parse(vault.open(session.tokens, 'session')) as Tokens).refresh);
      await books.pool.query('delete from sessions where digest = $1', [digest]);
      return undefined;
    }
    if (used)
      await books.pool.query(
        `update sessions set seen_at = now() where digest = $1 and seen_at < now() - interval '1 minute'`,
        [digest],
      );
    const tokens = JSON.parse(vault.open(session.tokens, 'session')) as Tokens;
    if (tokens.expires * 1000 < clock.now() && !(await refresh(digest))) return undefined;
    const memberships = (
      await books.pool.query<{ organisation: number; code: string; name: string; user: string }>(
        'select organisation, code, name, "user" from memberships_of($1)',
        [session.person],
      )
    ).rows;
    const own =
      code === undefined
        ? (memberships.find((m) => m.organisation === session.organisation) ?? memberships[0])
        : memberships.find((m) => m.code === code);
    if (!own) return undefined;
    return books.inTransaction({ organisation: own.organisation, user: own.user }, async (trx) => {
      const found = await sql<{
        settings: unknown;
        name: string;
        grants: { screen: number; level: number }[] | null;
        limits: LimitRow[] | null;
        locations: string[] | null;
        asked: boolean;
        tax_location: string | null;
        physical_location: string | null;
      }>`
        select
          o.settings, u.name, c.tax_location, c.physical_location,
          (
            select jsonb_agg(jsonb_build_object('screen', g.screen, 'level', g.level))
            from user_grants g
            where g.organisation = u.organisation and g."user" = u.id
          ) as grants,
          ${limitRows(sql`u.organisation`, sql`u.id`)} as limits,
          (
            select array_agg(distinct l.location)
            from user_places l
            where l.organisation = u.organisation and l."user" = u.id
          ) as locations,
          exists (
            select from roles r
            where r.organisation = u.organisation
              and r.second_factor
              and r.active
              and (
                exists (
                  select from user_roles x
                  where x.organisation = r.organisation and x.role = r.id and x."user" = u.id
                )
                  or exists (
                    select from group_roles y
                    join group_members m on m.organisation = y.organisation and m."group" = y."group"
                    where y.organisation = r.organisation and y.role = r.id and m."user" = u.id
                  )
              )
          ) as asked
        from users u
        join organisations o on o.organisation = u.organisation
        left join chosen_places c on c.organisation = u.organisation and c."user" = u.id
        where u.organisation = ${own.organisation} and u.id = ${own.user}
      `.execute(trx);
      const [row] = found.rows;
      if (!row) return undefined;
      const settings = generalConfiguration.parse(row.settings);
      const grants = grantsOf(row.grants ?? []);
      const subscription = await subscriptionOf(trx, own.organisation, todayIn(clock.now()), settings);
      return {
        digest,
        person: session.person,
        organisation: own.organisation,
        organisationCode: own.code,
        organisationName: own.name,
        user: own.user,
        name: row.name,
        email: session.email,
        grants,
        limits: limitsOf(row.limits, grants),
        locations: row.locations ?? [],
        settings,
        operator: session.operator,
        subscription,
        secondFactor: { on: session.factor, required: settings.requireSecondFactor || row.asked },
        organisations: memberships,
        preferences: hasChosen(session.preferences) ? session.preferences : (settings.theme ?? {}),
        taxLocation: row.tax_location,
        physicalLocation: row.physical_location,
        expiresAt: session.expires_at.toISOString(),
      };
    });
  };

  let quietUntil = 0;
  /**
   * Rotates the tokens once, however many calls and processes found them old. Only the issuer's word ends the session; while
   * it cannot be asked, the session lives on till its own end.
   */
  const refresh = (digest: Buffer): Promise<boolean> => {
    const name = digest.toString('hex');
    const running = refreshing.get(name);
    if (running) return running;
    if (clock.now() < quietUntil) return Promise.resolve(true);
    const run = refreshed(digest).finally(() => refreshing.delete(name));
    refreshing.set(name, run);
    return run;
  };
  const refreshed = async (digest: Buffer): Promise<boolean> => {
    const { rows } = await books.pool.query<{ tokens: Buffer }>(
      `
        update sessions
        set refreshing_until = now() + interval '${AGAIN} seconds'
        where digest = $1 and (refreshing_until is null or refreshing_until < now())
        returning tokens
      `,
      [digest],
    );
    if (!rows[0]) return true; // another process is at it
    const tokens = JSON.parse(vault.open(rows[0].tokens, 'session')) as Tokens;
    if (tokens.expires * 1000 >= clock.now()) return true;
    try {
      const next = await client.refresh(tokens);
      if (next)
        await books.pool.query(
          'update sessions set tokens = $2, seen_at = now(), refreshing_until = null where digest = $1',
          [digest, vault.seal(JSON.stringify(next), 'session')],
        );
      else await books.pool.query('delete from sessions where digest = $1', [digest]);
      return next !== undefined;
    } catch {
      quietUntil = clock.now() + AGAIN * 1000;
      return true;
    }
  };

  const refreshOf = async (digest: Buffer, person: string): Promise<string | undefined> => {
    const { rows } = await books.pool.query<{ tokens: Buffer }>(
      'select tokens from sessions where digest = $1 and person = $2',
      [digest, person],
    );
    return rows[0] && (JSON.parse(vault.open(rows[0].tokens, 'session')) as Tokens).refresh;
  };
  /** The embedded issuer's own session behind a refresh token: while it lives, its browser signs in without a password. */
  const behind = (parameter: string) =>
    `(select r.payload ->> 'sessionUid' from issuer_records r where r.model = 'RefreshToken' and r.id = ${parameter})`;

  /** The issuer's session behind a refresh token ends too, or signing in again would ask for nothing; not the one behind `kept`. */
  const endAtIssuer = async (person: string, refresh: string | undefined, kept?: string): Promise<void> => {
    if (refresh !== undefined)
      await books.pool.query(
        `
          delete from issuer_records
          where model = 'Session'
            and payload ->> 'accountId' = $1
            and payload ->> 'uid' = ${behind('$2')}
            and payload ->> 'uid' is distinct from ${behind('$3')}
        `,
        [person, refresh, kept ?? ''],
      );
  };

  return {
    begin: async (identity, tokens, embedded, agent, from) => {
      const person = await personOf(books, identity, embedded);
      if (!person) return undefined;
      // what was offered to this e-mail the issuer has verified: nothing more is asked of him
      if (!embedded && identity.email)
        await books.pool.query('select accept_memberships(id) from people where id = $1 and lower(email) = lower($2)', [
          person,
          identity.email,
        ]);
      const memberships = (
        await books.pool.query<{ organisation: number; code: string; user: string }>(
          'select organisation, code, "user" from memberships_of($1)',
          [person],
        )
      ).rows;
      const own = memberships.find((m) => m.code === identity.organisation) ?? memberships[0];
      if (!own) return undefined;
      const cookie = randomBytes(32).toString('base64url');
      await books.pool.query(
        `
          insert into sessions (digest, person, organisation, tokens, expires_at, agent)
          values ($1, $2, $3, $4, now() + interval '${LIFE}', $5)
        `,
        [
          digestOf(cookie),
          person,
          own.organisation,
          vault.seal(JSON.stringify(tokens), 'session'),
          agent.slice(0, 200),
        ],
      );
      await books.inTransaction(own, (trx) =>
        sql`update users set last_sign_in = now() where organisation = ${own.organisation} and id = ${own.user}`.execute(
          trx,
        ),
      );
      await tellOfPerson(books.pool, person, 'signedIn', { from, agent: agent.slice(0, 200) });
      return cookie;
    },
    find: (cookie, code) => {
      const digest = digestOf(cookie);
      const name = digest.toString('hex');
      const own =
        cache.get(name) ?? new Map<string, { readonly at: number; readonly member: Promise<Member | undefined> }>();
      const known = own.get(code ?? '');
      if (known && clock.now() - known.at < FRESH) return known.member;
      const member = load(digest, code, true);
      own.set(code ?? '', { at: clock.now(), member });
      member.catch(() => own.delete(code ?? ''));
      if (cache.size > 10_000) cache.clear();
      cache.set(name, own);
      return member;
    },
    again: load,
    end: async (digest) => {
      cache.delete(digest.toString('hex'));
      const { rows } = await books.pool.query<{ tokens: Buffer }>(
        'delete from sessions where digest = $1 returning tokens',
        [digest],
      );
      return rows[0] && (JSON.parse(vault.open(rows[0].tokens, 'session')) as Tokens);
    },
    endOther: async (digest, person, other) => {
      if (digest.equals(other)) return false;
      const kept = await refreshOf(digest, person);
      const ended = await refreshOf(other, person);
      const { rowCount } = await books.pool.query('delete from sessions where person = $1 and digest = $2', [
        person,
        other,
      ]);
      await endAtIssuer(person, ended, kept);
      cache.delete(other.toString('hex'));
      return rowCount === 1;
    },
    endOthers: async (digest, person) => {
      const kept = await refreshOf(digest, person);
      await books.pool.query('delete from sessions where person = $1 and digest <> $2', [person, digest]);
      await books.pool.query(
        `
          delete from issuer_records
          where model = 'Session'
            and payload ->> 'accountId' = $1
            and payload ->> 'uid' is distinct from ${behind('$2')}
        `,
        [person, kept ?? ''],
      );
      cache.clear();
    },
    forget: (digest) => void cache.delete(digest.toString('hex')),
    forgetEveryone: () => cache.clear(),
    switchTo: async (digest, organisation) => {
      await books.pool.query('update sessions set organisation = $2 where digest = $1', [digest, organisation]);
      cache.delete(digest.toString('hex'));
    },
  };
}

/** Who has never chosen a theme sees the organisation's. */
const hasChosen = (own: unknown): boolean => own !== null && typeof own === 'object' && Object.keys(own).length > 0;

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
