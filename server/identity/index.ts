import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { namedCalls } from '../../contract/named.ts';
import type { peopleCalls } from '../../contract/people.ts';
import { say, verbatim } from '../../domain/base/say.ts';
import { grantsOf, type LimitRow, limitRows, limitsOf, mayGrant, withinLimits, worksWithin } from '../access/index.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { newPasswordProblem } from '../kit/secrets/new-password.ts';
import { NotSent, type PostOffice } from '../mail/index.ts';
import { signInLetter } from './letters.ts';
import { digestOf, linkAt, newLink } from './links.ts';
import { checkPassword, hashPassword } from './password.ts';
import { forgetSecondFactor } from './second-factor.ts';

export { forgottenPassword } from './forgotten.ts';
export { type SecondFactors, secondFactorHandlers } from './second-factor.ts';

export interface Identities {
  readonly publicUrl: string;
  /** Passwords are ours only with the embedded issuer. */
  readonly embedded: boolean;
  /** The way out for mail, when there is one. */
  readonly post: PostOffice | undefined;
  /** Ends all sessions of the person but the one of this context. */
  readonly endOthers: (context: Context) => Promise<void>;
}

interface Made {
  readonly token: string;
  readonly url: string;
  readonly purpose: 'invitation' | 'password';
  readonly expiresAt: string;
  readonly email: string;
  readonly name: string;
}

interface Reached {
  readonly person: string;
  readonly name: string;
  readonly email: string;
  readonly active: boolean;
  readonly accepted: boolean;
  readonly guarded: boolean;
}

/** A user whose sign-in the caller may change; `guarded`: the user works elsewhere too, or for the installation. */
async function userWithin(
  trx: Parameters<Parameters<Context['inTransaction']>[0]>[0],
  context: Context,
  user: string,
  embedded: boolean,
): Promise<Reached> {
  const { rows } = await sql<{
    person: string;
    name: string;
    email: string;
    active: boolean;
    accepted: boolean;
    guarded: boolean;
    grants: { screen: number; level: number }[] | null;
    limits: LimitRow[] | null;
    places: string[];
  }>`
    select
      u.person, u.name, u.email, u.active, u.accepted_at is not null as accepted,
      p.operator or works_elsewhere(p.id, u.organisation) as guarded,
      (
        select jsonb_agg(jsonb_build_object('screen', g.screen, 'level', g.level))
        from user_grants g
        where g.organisation = u.organisation and g."user" = u.id
      ) as grants,
      ${limitRows(sql`u.organisation`, sql`u.id`)} as limits,
      array(
        select distinct x.location from user_places x where x.organisation = u.organisation and x."user" = u.id
      ) as places
    from users u
    join people p on p.id = u.person
    where u.organisation = ${context.organisation} and u.id = ${user}::uuid
  `.execute(trx);
  const [who] = rows;
  if (!who) throw new Refusal('notFound');
  if (!embedded) throw new Refusal('signInElsewhere', { email: who.email });
  if (!who.active) throw new Refusal('cannotChange', { name: who.name, reason: say('this user is inactive') });
  // a sign-in gives the rights of its user: nobody makes a link for a user with more rights than their own
  for (const [screen, level] of grantsOf(who.grants ?? []))
    if (!mayGrant(context.grants.get(screen), level)) throw new Refusal('ownLevel');
  if (who.limits && !withinLimits(context.limits, limitsOf(who.limits, grantsOf(who.grants ?? []))))
    throw new Refusal('ownLevel');
  if (!worksWithin(context, who.places)) throw new Refusal('noAccess');
  return who;
}

/** A one-time link for a user of this organisation, as far as whoever asks may make one. */
const linkFor = (
  context: Context,
  user: string,
  { publicUrl, embedded }: Pick<Identities, 'publicUrl' | 'embedded'>,
): Promise<Made> =>
  context.inTransaction(async (trx) => {
    const who = await userWithin(trx, context, user, embedded);
    if (who.accepted && (who.guarded || user === context.user))
      throw new Refusal('ownPasswordOnly', { name: who.name });
    const purpose = who.accepted ? 'password' : 'invitation';
    const { token, expiresAt } = await newLink(trx, purpose, {
      organisation: context.organisation,
      user,
      person: who.person,
      by: context.user,
    });
    return { token, url: linkAt(publicUrl, token), purpose, expiresAt, email: who.email, name: who.name };
  });

/** The own address and names, of which no password is made. */
const ownNames = (context: Context): Promise<{ readonly email: string; readonly names: readonly string[] }> =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      email: string;
      names: string[];
    }>`
      select p.email, array[p.name, u.name, o.name, o.code] as names
      from users u
      join people p on p.id = u.person
      join organisations o on o.organisation = u.organisation
      where u.organisation = ${context.organisation} and u.id = ${context.user}
    `.execute(trx);
    const [own] = rows;
    if (!own) throw new Refusal('notFound');
    return own;
  });

type Calls = Handlers<
  Pick<typeof peopleCalls, 'MakeSignInLink' | 'MailSignInLink' | 'ChangePassword' | 'ResetSecondFactor'> &
    Pick<typeof namedCalls, 'CompareExistingPassword'>,
  Context
>;

// at once and not by a job: a job would have to keep the link, and the user waits for the answer whether it went out
const mailSignInLink =
  ({ post, publicUrl, embedded }: Identities): Calls['MailSignInLink'] =>
  async ({ user }, context) => {
    if (!post) throw new Refusal('noMail');
    const { token, url, purpose, expiresAt, email, name } = await linkFor(context, user, { publicUrl, embedded });
    const from = await context.inTransaction(async (trx) => {
      const { rows } = await sql<{
        name: string;
        email: string;
        organisation: string;
      }>`
        select u.name, u.email, o.name as organisation
        from users u
        join organisations o using (organisation)
        where u.organisation = ${context.organisation} and u.id = ${context.user}
      `.execute(trx);
      return rows[0];
    });
    try {
      await post.send({
        id: newId(),
        senderName: from?.organisation ?? '',
        replyTo: from?.email,
        to: [email],
        cc: [],
        papers: [],
        ...signInLetter({ purpose, name, by: from?.name, organisation: from?.organisation ?? '', url, expiresAt }),
      });
    } catch (error) {
      await context.books.pool.query('delete from sign_in_links where digest = $1', [digestOf(token)]);
      throw error instanceof NotSent ? new Refusal('mailFailed', { reason: verbatim(error.message) }) : error;
    }
    return { email, purpose, expiresAt };
  };

const resetSecondFactor =
  ({ embedded }: Identities): Calls['ResetSecondFactor'] =>
  async ({ user }, context) => {
    const who = await context.inTransaction((trx) => userWithin(trx, context, user, embedded));
    const name = `The second factor of ${who.name}`;
    if (user === context.user)
      throw new Refusal('cannotChange', {
        name,
        reason: say('the own one ends under Password and sessions, by a code'),
      });
    if (who.guarded)
      throw new Refusal('cannotChange', { name, reason: say('{{who}} also works elsewhere', { who: who.name }) });
    await forgetSecondFactor(context.books.pool, who.person);
    return { reset: true };
  };

const compareExistingPassword =
  ({ embedded }: Identities): Calls['CompareExistingPassword'] =>
  async ({ password }, context) => {
    const { rows } = await context.books.pool.query<{ email: string }>('select email from people where id = $1', [
      context.person,
    ]);
    const email = rows[0]?.email ?? '';
    if (!embedded) throw new Refusal('signInElsewhere', { email });
    return { matches: 'person' in (await checkPassword(context.books.pool, email, password)) };
  };

const changePassword =
  ({ embedded, endOthers }: Identities): Calls['ChangePassword'] =>
  async ({ current, next }, context) => {
    const known = await ownNames(context);
    const { email } = known;
    if (!embedded) throw new Refusal('signInElsewhere', { email });
    const problem =
      newPasswordProblem(next, known) ?? (next === current ? say('This is the password you have') : undefined);
    if (problem) throw new Problems([{ field: 'next', ...problem }]);
    const right = await checkPassword(context.books.pool, email, current);
    if ('wrong' in right) throw new Problems([{ field: 'current', ...right.wrong }]);
    await context.books.pool.query('update people set password_hash = $2 where id = $1', [
      context.person,
      await hashPassword(next),
    ]);
    await endOthers(context);
    return {};
  };

/** How people come in: links that an administrator hands over or has mailed, and the own password. */
export const identityHandlers = (identities: Identities): Calls => ({
  MakeSignInLink: async ({ user }, context) => {
    const { url, purpose, expiresAt } = await linkFor(context, user, identities);
    return { url, purpose, expiresAt };
  },
  MailSignInLink: mailSignInLink(identities),
  ResetSecondFactor: resetSecondFactor(identities),
  CompareExistingPassword: compareExistingPassword(identities),
  ChangePassword: changePassword(identities),
});
