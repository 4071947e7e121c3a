import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { MOST_TOKENS, TOKEN_BEGINS, type TokenScope } from '../../contract/token-facts.ts';
import type { tokenCalls } from '../../contract/tokens.ts';
import type { Context } from '../context.ts';
import { originOfToken } from '../kit/by-token.ts';
import type { Books, Executor } from '../kit/database/sql.ts';
import { type Member, memberIn, membershipsOf } from './member.ts';

type Calls = Handlers<typeof tokenCalls, Context>;

export const digestOfToken = (secret: string): Buffer => createHash('sha256').update(secret).digest();

interface Found {
  readonly organisation: number;
  readonly id: string;
  readonly person: string;
  readonly name: string;
  readonly scope: TokenScope;
  readonly expires_at: Date;
  readonly email: string;
  readonly preferences: unknown;
  readonly factor: boolean;
}

/**
 * Who a token stands for: its maker in its one organisation, with the rights that they have at this moment. Nothing is cached,
 * so a maker who is removed, or whose roles are lowered, takes the rights of the token with them at once.
 */
export async function memberOfToken(
  books: Books,
  digest: Buffer,
  today: string,
  from?: string,
): Promise<Member | undefined> {
  const { rows } = await books.pool.query<Found>(
    'select organisation, id, person, name, scope, expires_at, email, preferences, factor from use_access_token($1, $2)',
    [digest, from],
  );
  const [token] = rows;
  if (!token) return undefined;
  const own = (await membershipsOf(books, token.person)).find((m) => m.organisation === token.organisation);
  if (!own) return undefined;
  // an operator's rights are theirs in person
  const session = { ...token, tokens: Buffer.alloc(0), over: false, operator: false };
  const member = await memberIn(books, digest, session, { own, memberships: [own] }, today);
  const { id, name, scope } = token;
  return member && { ...member, token: { id, name, scope }, origin: originOfToken(name) };
}

/** The security log has it in the same transaction. */
const logged = (trx: Executor, what: 'tokenMade' | 'tokenRevoked', id: string, details: object) =>
  sql`select log_security(${what}, ${id}, ${JSON.stringify(details)}::jsonb)`.execute(trx);

/** Several programs have a token each; more than these are forgotten ones. Two that are made at once wait for each other. */
async function refuseMany(trx: Executor, { organisation, user }: Context): Promise<void> {
  await sql`select from users where organisation = ${organisation} and id = ${user} for update`.execute(trx);
  const { rows } = await sql<{ valid: string }>`
    select count(*) as valid
    from access_tokens
    where organisation = ${organisation} and "user" = ${user} and revoked_at is null and expires_at > now()
  `.execute(trx);
  if (Number(rows[0]?.valid) >= MOST_TOKENS) throw new Refusal('manyTokens');
}

const make: Calls['MakeAccessToken'] = async ({ name, scope, days }, context) => {
  const { organisation, user } = context;
  const id = randomUUID();
  const secret = `${TOKEN_BEGINS}${randomBytes(32).toString('base64url')}`;
  const begins = secret.slice(0, TOKEN_BEGINS.length + 6);
  return context.inTransaction(async (trx) => {
    await refuseMany(trx, context);
    const { rows } = await sql<{ expires_at: Date }>`
      insert into access_tokens (organisation, id, "user", name, scope, digest, begins, expires_at)
      values (
        ${organisation}, ${id}, ${user}, ${name}, ${scope}, ${digestOfToken(secret)}, ${begins},
        now() + ${days} * interval '1 day'
      )
      returning expires_at
    `.execute(trx);
    await logged(trx, 'tokenMade', id, { name, scope, days: String(days) });
    return { id, secret, expiresAt: rows[0]?.expires_at.toISOString() ?? '' };
  });
};

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly begins: string;
  readonly scope: TokenScope;
  readonly user: string;
  readonly own: boolean;
  readonly made_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly used_at: Date | null;
  readonly used_from: string | null;
  readonly state: 'active' | 'expired' | 'revoked';
}

const list: Calls['ListAccessTokens'] = async ({ all = false }, context) => {
  if (all) context.require('otherUser');
  const { organisation, user } = context;
  const { rows } = await context.inTransaction((trx) =>
    sql<Listed>`
      select
        t.id, t.name, t.begins, t.scope, u.name as "user", t."user" = ${user} as own, t.made_at, t.expires_at,
        t.revoked_at, x.used_at, x.used_from,
        case when t.revoked_at is not null then 'revoked' when t.expires_at <= now() then 'expired' else 'active' end
          as state
      from access_tokens t
      join users u on u.organisation = t.organisation and u.id = t."user"
      left join access_token_uses x on x.organisation = t.organisation and x.token = t.id
      where t.organisation = ${organisation} and (${all} or t."user" = ${user})
      order by t.made_at desc, t.id
      limit 500
    `.execute(trx),
  );
  return rows.map(({ made_at, expires_at, revoked_at, used_at, used_from, ...token }) => ({
    ...token,
    madeAt: made_at.toISOString(),
    expiresAt: expires_at.toISOString(),
    revokedAt: revoked_at?.toISOString() ?? null,
    usedAt: used_at?.toISOString() ?? null,
    usedFrom: used_from,
  }));
};

const revoke: Calls['RevokeAccessToken'] = ({ token }, context) =>
  context.inTransaction(async (trx) => {
    const { organisation, user } = context;
    const { rows } = await sql<{ name: string; user: string }>`
      select name, "user"
      from access_tokens
      where organisation = ${organisation} and id = ${token} and revoked_at is null
      for update
    `.execute(trx);
    const [found] = rows;
    if (found?.user !== user) context.require('otherUser');
    if (!found) throw new Refusal('notFound');
    await sql`
      update access_tokens set revoked_at = now(), revoked_by = ${user}
      where organisation = ${organisation} and id = ${token}
    `.execute(trx);
    await logged(trx, 'tokenRevoked', token, { name: found.name });
    return { revoked: true };
  });

export const tokenHandlers: Calls = { ListAccessTokens: list, MakeAccessToken: make, RevokeAccessToken: revoke };
