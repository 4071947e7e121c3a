import type pg from 'pg';
import type { Handlers, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { foundingCalls } from '../../contract/founding.ts';
import { say } from '../../domain/base/say.ts';
import type { Context } from '../context.ts';
import { linkAt, newLink } from '../identity/links.ts';
import { Problems } from '../kit/problems.ts';
import { foundAnother } from '../organisation/index.ts';
import type { SignUp } from '../process/settings.ts';

export interface Founding {
  /** The owner's rights: a new organisation has no members yet. */
  readonly owner: pg.Pool;
  readonly signUp: SignUp;
  readonly publicUrl: string;
  /** What is known of the session is asked anew: there is another organisation to go to. */
  readonly memberOf: (context: Context) => Promise<{ readonly operator: boolean; readonly email: string }>;
}

/** Who may found a further organisation, being signed in. */
export const mayFound = (signUp: SignUp, operator: boolean): boolean =>
  signUp === 'operator' ? operator : signUp !== 'closed';

type Typed = Input<(typeof foundingCalls)['FoundOrganisation']>;

/** Somebody else is made the owner by an operator alone, with name and address. */
function ownerOf({ ownerName, ownerEmail }: Typed, operator: boolean): { name: string; email: string } | undefined {
  const [name, email] = [ownerName.trim(), ownerEmail];
  if (name === '' && email === '') return undefined;
  if (!operator) throw new Refusal('noAccess');
  if (name === '') throw new Problems([{ field: 'ownerName', ...say('The name of the owner is required') }]);
  if (email === '') throw new Problems([{ field: 'ownerEmail', ...say('The address of the owner is required') }]);
  return { name, email };
}

/** Further organisations, and who runs the installation. */
export const foundingHandlers = ({
  owner,
  signUp,
  publicUrl,
  memberOf,
}: Founding): Handlers<typeof foundingCalls, Context> => ({
  FoundOrganisation: async (typed, context) => {
    const member = await memberOf(context);
    if (!mayFound(signUp, member.operator)) throw new Refusal('noFounding');
    if (typed.gstin === '' && typed.state === '')
      throw new Problems([{ field: 'state', ...say('Choose the state, or enter the GSTIN') }]);
    const other = ownerOf(typed, member.operator);
    const isOther = other !== undefined && other.email.toLowerCase() !== member.email.toLowerCase();
    const made = await foundAnother(
      owner,
      typed,
      isOther ? { ...other, accepted: false } : { name: context.name, email: member.email, accepted: true },
    );
    if (!made) throw new Problems([{ field: 'code', ...say('This code is taken: choose another') }]);
    await memberOf(context);
    if (!isOther) return { code: typed.code, name: typed.name, link: null };
    const whose = { organisation: made.organisation, user: made.user, person: made.person, by: context.user };
    const { token } = await newLink(context.books.kysely, 'invitation', whose);
    return { code: typed.code, name: typed.name, link: linkAt(publicUrl, token) };
  },
  ListOrganisations: async () =>
    (
      await owner.query<{ code: string; name: string; users: number }>(`
        select o.code, o.name, (select count(*)::int from users u where u.organisation = o.organisation and u.active) as users
          from organisations o
         order by o.name, o.code`)
    ).rows,
  ListOperators: async (_, context) =>
    (
      await context.books.pool.query<{ person: string; name: string; email: string }>(
        'select id as person, name, email from people where operator order by name, email',
      )
    ).rows,
  GiveOperator: async ({ email }, context) => {
    const { rows } = await context.books.pool.query<{ given: string | null }>('select give_operator($1, $2) as given', [
      context.person,
      email,
    ]);
    if (!rows[0]?.given)
      throw new Problems([
        { field: 'email', ...say('Nobody signs in here with this address: invite the person first') },
      ]);
    return {};
  },
  TakeOperator: async ({ person }, context) => {
    const { rows } = await context.books.pool.query<{ taken: boolean }>('select take_operator($1, $2) as taken', [
      context.person,
      person,
    ]);
    if (!rows[0]?.taken) throw new Refusal('lastOperator');
    return {};
  },
});
