import { sql } from 'kysely';
import { levelWords } from '../../contract/levels.ts';
import { type Screen, screenNames, screens } from '../../contract/screens.ts';
import { type SecurityEvent, securityEvents } from '../../contract/security.ts';
import { whoFrom } from '../kit/by-token.ts';
import type { Query, Row } from './report.ts';

/** Records whose change is a matter of trust; the words begin what the log says of them. */
const records: Readonly<Record<string, string>> = {
  users: 'User',
  roles: 'Role',
  role_grants: 'Right of a role',
  user_roles: 'Role of a user',
  user_locations: 'Location of a user',
  groups: 'Group',
  group_roles: 'Role of a group',
  group_members: 'Member of a group',
  group_locations: 'Location of a group',
  credentials: 'Portal credentials',
  people: 'Sign-in of a person',
  locks: 'Period lock',
  organisations: 'Organisation and its settings',
};
const happened: Readonly<Record<string, string>> = { insert: 'added', update: 'changed', delete: 'taken away' };
const door = [
  'signedIn',
  'signInFailed',
  'lockedOut',
  'guessed',
  'signedOut',
  'sessionEnded',
  'passwordChanged',
  'demoLocked',
  'secondFactorOn',
  'secondFactorOff',
  'secondFactorReset',
  'recoveryCodesRenewed',
  'linkMade',
  'tokenMade',
  'tokenUsed',
  'tokenRevoked',
  'tokenRefused',
] satisfies readonly SecurityEvent[];
const screenLabel = new Map(
  screenNames.map((name) => [String((screens[name] as Screen).id), (screens[name] as Screen).label]),
);

/**
 * Without a person: what acted, or the account of the database that wrote without one (the founding, the demo books,
 * or a hand at the database itself).
 */
const byWhom = (who: string | null, origin: string): string =>
  who === null ? (origin.startsWith('bahi_') ? `Database: ${origin}` : origin) : whoFrom(who, origin);

interface Found {
  readonly id: string;
  readonly at: string;
  readonly who: string | null;
  readonly origin: string;
  readonly action: string;
  readonly relation: string;
  readonly row_id: string;
  readonly named: string;
  readonly changed: string | null;
  readonly one: Readonly<Record<string, unknown>> | null;
  readonly was: Readonly<Record<string, unknown>> | null;
}

/**
 * Who signed in, who was refused, what was exported, and what changed of rights and settings, the newest first. Of a record
 * only the names of changed fields are shown, never their values; nothing in the log itself is a secret.
 */
export const securityLog: Query = async (db, { organisation, filters, after, limit }) => {
  const before = /^\d{1,18}$/.test(after ?? '') ? after : null;
  const what = filters.what ?? '';
  const { rows } = await sql<Found>`
    select
      l.id, to_char(l.at at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI:SS') as at, u.name as who,
      l.origin, l.action, l.relation, l.row_id, l.after as one, l.before as was,
      concat_ws(
        ', ', coalesce(o.one ->> 'name', o.one ->> 'email'),
        (
          select x.name
          from users x
          where x.organisation = l.organisation
            and x.id::text = coalesce(o.one ->> 'user', case when l.relation = 'security' then l.row_id end)
        ),
        (select g.name from groups g where g.organisation = l.organisation and g.id::text = o.one ->> 'group'),
        (select r.name from roles r where r.organisation = l.organisation and r.id::text = o.one ->> 'role'),
        (
          select p.name from locations p where p.organisation = l.organisation and p.id::text = o.one ->> 'location'
        ),
        (
          select r.gstin
          from registrations r
          where r.organisation = l.organisation and r.id::text = o.one ->> 'registration'
        )
      ) as named,
      c.changed
    from edit_log l
    cross join lateral (select coalesce(l.after, l.before) as one) o
    left join users u on u.organisation = l.organisation and u.id = l.who
    left join lateral (
      select string_agg(distinct replace(regexp_replace(key, '_digest$', ''), '_', ' '), ', ') as changed
      from (
        select key
        from jsonb_each(coalesce(l.before, '{}')) b
        full join jsonb_each(coalesce(l.after, '{}')) a using (key)
        where a.value is distinct from b.value and key not in ('last_sign_in', 'version', 'settings')
        union all
        select key
        from jsonb_each(case when l.relation = 'organisations' then l.before -> 'settings' end) b
        full join jsonb_each(case when l.relation = 'organisations' then l.after -> 'settings' end) a using (key)
        where a.value is distinct from b.value
      ) k
    ) c on l.action = 'update'
    where l.organisation = ${organisation}
      and l.relation in (
        'security', 'users', 'roles', 'role_grants', 'user_roles', 'user_locations', 'groups',
        'group_roles', 'group_members', 'group_locations', 'credentials', 'locks', 'organisations', 'people'
      )
      and (${before}::bigint is null or l.id < ${before}::bigint)
      and l.at >= ${filters.from}::date::timestamp at time zone 'Asia/Kolkata'
      and l.at < (${filters.to}::date + 1)::timestamp at time zone 'Asia/Kolkata'
      and (
        ${filters.user ?? null}::uuid is null
          or l.who = ${filters.user ?? null}::uuid
          or l.row_id = ${filters.user ?? ''}
      )
      and (
        ${what} = ''
          or (${what} = 'rights' and l.relation <> 'security')
          or (
            l.relation = 'security'
              and (l.action = ${what} or (${what} = 'door' and l.action = any(${door}::text[])))
          )
      )
      and (l.action <> 'update' or c.changed is not null)
      -- a person who was added is reported with the user
      and (l.relation <> 'people' or l.action = 'update')
    order by l.id desc
    limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  return {
    rows: page.map(rowOf),
    totals: {},
    after: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    notes: [],
  };
};

function rowOf({ at, who, origin, action, relation, row_id, named, changed, one, was }: Found): Row {
  const text = (name: string): string => String(one?.[name] ?? was?.[name] ?? '');
  if (relation !== 'security') {
    const right =
      relation === 'role_grants' &&
      `${screenLabel.get(text('screen')) ?? text('screen')}: ${levelWords[Number(text('level'))] ?? text('level')}`;
    return {
      at,
      who: byWhom(who, origin),
      what: `${records[relation] ?? relation} ${happened[action] ?? action}`,
      about: named,
      details: right || (changed ?? ''),
      origin: '',
    };
  }
  const isCall = action === 'refused' || action === 'exported';
  const details = [isCall ? row_id : '', text('report'), text('format'), text('master'), text('kind'), text('agent')]
    .filter(Boolean)
    .join(', ');
  return {
    at,
    who: byWhom(who, origin),
    what: securityEvents[action as SecurityEvent] ?? action,
    about: named,
    details,
    origin: text('from'),
  };
}
