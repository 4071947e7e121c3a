import { sql, type Transaction } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import type { lookupCalls } from '../../contract/session.ts';
import { addDays } from '../../domain/base/dates.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../kit/database/sql.ts';
import { Problems } from '../kit/problems.ts';
import { subscriptionOf } from '../subscription/index.ts';

type Trx = Transaction<Tables>;
type Place = Answer<(typeof lookupCalls)['GetLocationListByUserId']>[number];
type Profile = Answer<(typeof lookupCalls)['GetOrgDetails']>;

/** Whom a call is about: who asks, or another user for who may see users. */
export async function userChosen(trx: Trx, context: Context, name: string | undefined): Promise<Id> {
  const asked = name?.toLowerCase() ?? '';
  const { rows } = await sql<{ id: Id }>`
    select u.id
      from users u
     where u.organisation = ${context.organisation}
       and ${asked} in (lower(u.email), lower(u.name), u.id::text, u.person::text)
     order by lower(u.email) = ${asked} desc, u.id
     limit 1`.execute(trx);
  const user = asked === '' ? context.user : rows[0]?.id;
  if (user === context.user) return user;
  context.require('otherUser');
  if (!user) throw new Problems([{ field: 'UserName', ...say('There is no user {{name}}', { name }) }]);
  return user;
}

interface Row {
  readonly id: Id;
  readonly code: string;
  readonly name: string;
  readonly isTax: boolean;
  readonly isPhysical: boolean;
  readonly registration: Id;
  readonly gstin: string | null;
  readonly state: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Locations with their addresses, as pickers and forms want them; none named: all. */
export async function locationsOf(trx: Trx, { organisation }: Context, own: readonly Id[]): Promise<Place[]> {
  const { rows } = await sql<Row>`
    select l.id, l.code, l.name, l.is_tax as "isTax", l.is_physical as "isPhysical", l.registration, r.gstin, r.state, l.body
      from locations l
      join registrations r on r.organisation = l.organisation and r.id = l.registration
     where l.organisation = ${organisation}
       and l.active
       and not l.is_transit
       and (${own.length === 0} or l.id = any(${[...own]}::uuid[]))
     order by l.code`.execute(trx);
  return rows.map(({ state, body, ...row }) => {
    const address = addressOf({ ...row, state, body });
    const { code, addressType } = address;
    return {
      ...row,
      addresses: [address],
      text: row.name,
      key: row.id,
      DataObj: { addresses: [{ code, addressType }] },
    };
  });
}

/** 1 billing (tax), 2 physical, 3 both. */
function addressOf({
  id,
  code,
  name,
  isTax,
  isPhysical,
  state,
  body,
}: Omit<Row, 'registration' | 'gstin'>): Place['addresses'][number] {
  const of = (key: string): string => String(body[key] ?? '');
  return {
    id,
    name,
    code,
    addressType: isTax && isPhysical ? 3 : isTax ? 1 : 2,
    addressLine1: of('line1'),
    addressLine2: of('line2'),
    addressLine3: '',
    street: of('line2'),
    city: of('city'),
    state,
    pinCode: of('pincode'),
    country: 'IN',
  };
}

/** How long before the end of a subscription the shell warns. */
const WARNING_DAYS = 14;

/** What the profile tells beside its own fields: where the organisation is, and how its subscription stands. */
export async function organisationParts(
  trx: Trx,
  context: Context,
): Promise<Pick<Profile, 'addresses' | 'subscriptionTo' | 'subscriptionExpireWarning' | 'requestStatus'>> {
  const { organisation, today, settings } = context;
  const { rows } = await sql<{ status: number }>`
    select status
      from subscription_requests
     where organisation = ${organisation}
     order by asked_at desc
     limit 1`.execute(trx);
  const { endsOn } = await subscriptionOf(trx, organisation, today, settings);
  const places = await locationsOf(trx, context, context.locations);
  return {
    addresses: places.flatMap(({ addresses }) => addresses),
    subscriptionTo: endsOn,
    subscriptionExpireWarning: endsOn !== null && endsOn <= addDays(today, WARNING_DAYS),
    requestStatus: rows[0]?.status ?? null,
  };
}

/** Who saved the general configuration first and last, from the edit log. */
export async function savedBy(
  trx: Trx,
  { organisation }: Context,
): Promise<{
  createdBy: string | null;
  createdDate: string | null;
  modifiedBy: string | null;
  modifiedDate: string | null;
}> {
  const { rows } = await sql<{ at: Date; who: string | null }>`
    select l.at, u.name as who
      from edit_log l
      left join users u on u.organisation = l.organisation and u.id = l.who
     where l.organisation = ${organisation}
       and l.relation = 'organisations'
       and (l.before is null or l.before -> 'settings' is distinct from l.after -> 'settings')
     order by l.id`.execute(trx);
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    createdBy: first?.who ?? null,
    createdDate: first?.at.toISOString() ?? null,
    modifiedBy: last?.who ?? null,
    modifiedDate: last?.at.toISOString() ?? null,
  };
}
