import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { type Held, levels, mayGrant } from '../../contract/levels.ts';
import type { MasterName } from '../../contract/masters.ts';
import { type Screen, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import { say } from '../../domain/base/say.ts';
import type { Problem } from '../../domain/document/document.ts';
import {
  type Grants,
  grantsOf,
  type LimitRow,
  limitRows,
  limitRowsOf,
  limitsOf,
  type RoleLimits,
  withinLimits,
  worksWithin,
} from '../access/index.ts';
import type { Context } from '../context.ts';
import type { Trx } from './records.ts';

/** Screens that a role grants levels on: parents, each for all screens under it. */
const grantable: readonly ScreenName[] = screenNames.filter((name) => screens[name].parent === name);
/** What somebody holds who can give every right back. */
const everything = grantable.filter((name) => !(screens[name] as Screen).always);

/** Levels of a role name screens that grants stand on; a level on anything else would grant nothing. */
export const grantProblems = (granted: object): Problem[] =>
  Object.keys(granted)
    .filter((name) => !(grantable as readonly string[]).includes(name))
    .map((name) => ({ field: 'levels', ...say('“{{name}}” is not a screen that levels are granted on', { name }) }));

interface User {
  readonly grants: Grants;
  /** Undefined: no role reaches the user. */
  readonly limits: RoleLimits | undefined;
  /** Where the user works, own locations and those of groups; none: everywhere. */
  readonly places: readonly string[];
  /** One of their roles asks for a second factor. */
  readonly secondFactor: boolean;
  readonly active: boolean;
}
interface Rights {
  readonly users: ReadonlyMap<string, User>;
  /** What the record itself grants or holds. */
  readonly own: Grants;
  readonly ownLimits: RoleLimits | undefined;
  /** The user that the record is, or the members of the group. */
  readonly members: readonly string[];
  /** Where the group lets its members work. */
  readonly ownPlaces: readonly string[];
}
type Rows = { readonly screen: number; readonly level: number }[] | null;

/** What the record holds or gives, for each master that gives rights. */
const ownGrants: Readonly<Partial<Record<MasterName, (organisation: number, id: string) => ReturnType<typeof sql>>>> = {
  user: (org, id) => sql`
    select g.screen, g.level
      from user_grants g
     where g.organisation = ${org}
       and g."user" = ${id}::uuid`,
  role: (org, id) => sql`
    select g.screen, g.level
      from role_grants g
     where g.organisation = ${org}
       and g.role = ${id}::uuid`,
  group: (org, id) => sql`
    select g.screen, g.level
      from role_grants g
      join group_roles r on r.organisation = g.organisation and r.role = g.role
     where r.organisation = ${org}
       and r."group" = ${id}::uuid`,
};

/** The roles that the record is, holds or gives, as a condition on the role r. */
const ownRoles: Readonly<Partial<Record<MasterName, (id: string) => ReturnType<typeof sql>>>> = {
  user: (id) =>
    sql`r.id in (select g.role from user_grants g where g.organisation = r.organisation and g."user" = ${id}::uuid)`,
  role: (id) => sql`r.id = ${id}::uuid`,
  group: (id) =>
    sql`r.id in (select x.role from group_roles x where x.organisation = r.organisation and x."group" = ${id}::uuid)`,
};

/** Members and places of a group; a user is the only member of their own record. */
async function membersOf(
  trx: Trx,
  { organisation }: Context,
  master: MasterName,
  id: string,
): Promise<Pick<Rights, 'members' | 'ownPlaces'>> {
  if (master !== 'group') return { members: master === 'user' ? [id] : [], ownPlaces: [] };
  const { rows } = await sql<{ members: string[]; places: string[] }>`
    select array(select m."user"
                   from group_members m
                  where m.organisation = ${organisation}
                    and m."group" = ${id}::uuid) as members,
           array(select l.location
                   from group_locations l
                  where l.organisation = ${organisation}
                    and l."group" = ${id}::uuid) as places`.execute(trx);
  return { members: rows[0]?.members ?? [], ownPlaces: rows[0]?.places ?? [] };
}

async function rightsOf(trx: Trx, context: Context, master: MasterName, id: string): Promise<Rights> {
  const { organisation } = context;
  const { rows } = await sql<{
    id: string;
    active: boolean;
    grants: Rows;
    limits: LimitRow[] | null;
    places: string[] | null;
    secondFactor: boolean;
  }>`
    select u.id,
           u.active and u.accepted_at is not null as active,
           (select jsonb_agg(distinct jsonb_build_object('screen', g.screen, 'level', g.level))
              from user_grants g
             where g.organisation = u.organisation
               and g."user" = u.id) as grants,
           ${limitRows(sql`u.organisation`, sql`u.id`)} as limits,
           (select array_agg(distinct p.location order by p.location)
              from user_places p
             where p.organisation = u.organisation
               and p."user" = u.id) as places,
           exists (select
              from roles r
             where r.organisation = u.organisation
               and r.second_factor
               and r.active
               and (exists (select
                      from user_roles x
                     where x.organisation = r.organisation
                       and x.role = r.id
                       and x."user" = u.id)
                 or exists (select
                      from group_roles y
                      join group_members m on m.organisation = y.organisation and m."group" = y."group"
                     where y.organisation = r.organisation
                       and y.role = r.id
                       and m."user" = u.id))) as "secondFactor"
      from users u
     where u.organisation = ${organisation}`.execute(trx);
  const own = (await ownGrants[master]?.(organisation, id).execute(trx)) as { readonly rows: NonNullable<Rows> };
  const said = await sql<{
    limits: LimitRow[] | null;
  }>`select ${limitRowsOf(sql`${organisation}::int`, ownRoles[master]?.(id) ?? sql`false`)} as limits`.execute(trx);
  const held = grantsOf(own.rows);
  const limits = said.rows[0]?.limits;
  return {
    users: new Map(
      rows.map(({ id: user, active, grants: given, limits, places, secondFactor }) => {
        const grants = grantsOf(given ?? []);
        return [
          user,
          { active, grants, limits: limits ? limitsOf(limits, grants) : undefined, places: places ?? [], secondFactor },
        ];
      }),
    ),
    own: held,
    ownLimits: limits ? limitsOf(limits, held) : undefined,
    ...(await membersOf(trx, context, master, id)),
  };
}

/** How much the strongest administrator can put right again. */
function strongest({ users }: Rights): number {
  const strength = ({ active, grants, places }: User): number => {
    if (!active || grants.get('Manage Role') !== levels.full) return 0;
    if (!everything.every((screen) => grants.get(screen) === levels.full)) return 1;
    return places.length > 0 ? 2 : 3;
  };
  return Math.max(0, ...[...users.values()].map(strength));
}

/** Nobody gives, keeps or takes away a level above their own, or a limit that is wider. */
const within = ({ grants: own, limits }: Context, grants: Grants, given: RoleLimits | undefined): boolean =>
  withinLimits(limits, given) &&
  [...grants].every(([screen, held]: readonly [string, Held]) => mayGrant(own.get(screen), held));

/** People limited to places have to do with users and groups of these places only: nobody of elsewhere is moved, limited or let in. */
function withinPlaces(context: Context, { users, members, ownPlaces }: Rights): boolean {
  const isOwn = (places: readonly string[]) => worksWithin(context, places);
  return (ownPlaces.length === 0 || isOwn(ownPlaces)) && members.every((user) => isOwn(users.get(user)?.places ?? []));
}

const asText = ({ grants, limits, places, secondFactor }: User): string =>
  JSON.stringify([[...grants].toSorted(), limits, places, secondFactor]);

/**
 * Asked before a record that gives rights is written; what it answers is asked behind it. Whoever is touched, by whatever way,
 * stands within the rights of who does it, before and after; and the strongest administrator stays.
 */
export async function guardRights(
  trx: Trx,
  context: Context,
  master: MasterName,
  id: string,
): Promise<() => Promise<void>> {
  if (!ownGrants[master]) return async () => undefined;
  // two who take each other's rights at once wait for each other here, before either looks
  await sql`select from organisations where organisation = ${context.organisation} for update`.execute(trx);
  const before = await rightsOf(trx, context, master, id);
  if (!within(context, before.own, before.ownLimits)) throw new Refusal('ownLevel');
  const isKnown = master !== 'user' || before.users.has(id);
  if (isKnown && !withinPlaces(context, before)) throw new Refusal('noAccess');
  return async () => {
    const after = await rightsOf(trx, context, master, id);
    if (!within(context, after.own, after.ownLimits)) throw new Refusal('ownLevel');
    // who comes into a group stands within the places before it as well
    const come = { ...before, members: after.members.filter((user) => before.users.has(user)), ownPlaces: [] };
    if (!withinPlaces(context, come)) throw new Refusal('noAccess');
    if (!withinPlaces(context, after)) throw new Refusal('ownLevel');
    for (const [user, now] of after.users) {
      const was = before.users.get(user);
      if (was && asText(was) === asText(now)) continue;
      if (!within(context, now.grants, now.limits) || (was && !within(context, was.grants, was.limits)))
        throw new Refusal('ownLevel');
    }
    if (strongest(after) < Math.max(1, strongest(before))) throw new Refusal('lastAdministrator');
  };
}
