import { sql } from 'kysely';
import { type Level, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import { say } from '../../domain/base/say.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import type { Trx, Values } from './records.ts';

const screenById = new Map<number, ScreenName>(screenNames.map((name) => [screens[name].id, name]));
const ids = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : []);

/** What a user, a role and a group show beside their own row. */
export const peopleReaders = {
  user: async (trx: Trx, context: Context, row: Values): Promise<Values> => {
    const org = context.organisation;
    const { rows } = await sql<{
      roles: string[] | null;
      locations: string[] | null;
      groups: string | null;
      seen: string | null;
    }>`
      select
        to_char(
          (
            select last_sign_in from users where organisation = ${org} and id = ${row.id}
          ) at time zone 'Asia/Kolkata',
          'DD Mon YYYY, HH24:MI'
        ) as seen,
        (select array_agg(role) from user_roles where organisation = ${org} and "user" = ${row.id}) as roles,
        (
          select array_agg(location) from user_locations where organisation = ${org} and "user" = ${row.id}
        ) as locations,
        (
          select string_agg(g.name, ', ' order by lower(g.name))
          from group_members m
          join groups g on g.organisation = m.organisation and g.id = m."group"
          where m.organisation = ${org} and m."user" = ${row.id}
        ) as groups
    `.execute(trx);
    return {
      roles: rows[0]?.roles ?? [],
      locations: rows[0]?.locations ?? [],
      groups: rows[0]?.groups ?? '',
      lastSignIn: rows[0]?.seen ?? '',
      access: row.accepted_at ? 'Taken up' : 'Invited, not taken up yet',
    };
  },
  role: async (trx: Trx, context: Context, row: Values): Promise<Values> => {
    const org = context.organisation;
    const grants = await sql<{
      screen: number;
      level: number;
    }>`select screen, level from role_grants where organisation = ${org} and role = ${row.id}`.execute(trx);
    const users = await sql<{
      n: number;
    }>`
      select count(*)::int as n
      from (
        select "user"
        from user_roles
        where organisation = ${org} and role = ${row.id}
        union
        select m."user"
        from group_members m
        join group_roles g on g.organisation = m.organisation and g."group" = m."group"
        where m.organisation = ${org} and g.role = ${row.id}
      ) have
    `.execute(trx);
    return {
      levels: Object.fromEntries(
        grants.rows.flatMap((g) => {
          const name = screenById.get(g.screen);
          return name && screens[name].parent === name ? [[name, g.level]] : [];
        }),
      ),
      users: users.rows[0]?.n ?? 0,
    };
  },
  group: async (trx: Trx, context: Context, row: Values): Promise<Values> => {
    const org = context.organisation;
    const { rows } = await sql<{
      roles: string[] | null;
      locations: string[] | null;
      users: string[] | null;
    }>`
      select
        (select array_agg(role) from group_roles where organisation = ${org} and "group" = ${row.id}) as roles,
        (
          select array_agg(location) from group_locations where organisation = ${org} and "group" = ${row.id}
        ) as locations,
        (select array_agg("user") from group_members where organisation = ${org} and "group" = ${row.id}) as users
    `.execute(trx);
    // whom the list of users does not show, a group does not show either
    const users = ids(rows[0]?.users).filter(
      (user) => user === context.user || context.sees({ master: 'user' }) === 'all',
    );
    return {
      roles: context.sees({ master: 'role' }) === 'all' ? ids(rows[0]?.roles) : [],
      locations: ids(rows[0]?.locations),
      users,
    };
  },
} as const;

/** A user is a person in this organisation; a user whose person changes has to accept an invitation again. */
export async function personOf(
  trx: Trx,
  context: Context,
  values: Values,
  id: string | undefined,
): Promise<{ readonly columns: Values }> {
  const email = String(values.email);
  const known = await sql<{ id: string }>`select id from people where lower(email) = lower(${email})`.execute(trx);
  const person = known.rows[0]?.id ?? newId();
  if (!known.rows[0])
    await sql`insert into people (id, email, name) values (${person}, ${email}, ${values.name})`.execute(trx);
  const before = await sql<{
    person: string;
  }>`select person from users where organisation = ${context.organisation} and id = ${id ?? null}::uuid`.execute(trx);
  return { columns: before.rows[0]?.person === person ? {} : { person, accepted_at: null } };
}

/** What is kept beside the rows: roles and locations of a user, levels of a role, roles and members of a group. */
export const peopleLinkers = {
  user: async (trx: Trx, context: Context, id: string, values: Values): Promise<void> => {
    const org = context.organisation;
    await sql`delete from user_roles where organisation = ${org} and "user" = ${id}`.execute(trx);
    await sql`
      insert into user_roles (organisation, "user", role)
      select ${org}, ${id}, r.id
      from roles r
      where r.organisation = ${org} and r.id = any(${ids(values.roles)}::uuid[])
    `.execute(trx);
    await sql`delete from user_locations where organisation = ${org} and "user" = ${id}`.execute(trx);
    await sql`
      insert into user_locations (organisation, "user", location)
      select ${org}, ${id}, l.id
      from locations l
      where l.organisation = ${org} and l.id = any(${ids(values.locations)}::uuid[])
    `.execute(trx);
  },
  role: async (trx: Trx, context: Context, id: string, values: Values): Promise<void> => {
    const levels = Object.entries((values.levels ?? {}) as Record<string, Level>).filter(([, level]) => level > 0);
    await sql`delete from role_grants where organisation = ${context.organisation} and role = ${id}`.execute(trx);
    for (const [name, level] of levels)
      await sql`
        insert into role_grants (organisation, role, screen, level)
        values (${context.organisation}, ${id}, ${screens[name as ScreenName].id}, ${level})
      `.execute(trx);
  },
  group: async (trx: Trx, context: Context, id: string, values: Values): Promise<void> => {
    const org = context.organisation;
    const touched = [
      ...ids(values.users),
      ...(
        await sql<{
          user: string;
        }>`select "user" from group_members where organisation = ${org} and "group" = ${id}`.execute(trx)
      ).rows.map(({ user }) => user),
    ];
    const before = await placesOf(trx, context, touched);
    await sql`delete from group_roles where organisation = ${org} and "group" = ${id}`.execute(trx);
    await sql`
      insert into group_roles (organisation, "group", role)
      select ${org}, ${id}, r.id
      from roles r
      where r.organisation = ${org} and r.id = any(${ids(values.roles)}::uuid[])
    `.execute(trx);
    await sql`delete from group_locations where organisation = ${org} and "group" = ${id}`.execute(trx);
    await sql`
      insert into group_locations (organisation, "group", location)
      select ${org}, ${id}, l.id
      from locations l
      where l.organisation = ${org} and l.id = any(${ids(values.locations)}::uuid[])
    `.execute(trx);
    await sql`delete from group_members where organisation = ${org} and "group" = ${id}`.execute(trx);
    await sql`
      insert into group_members (organisation, "group", "user")
      select ${org}, ${id}, u.id
      from users u
      where u.organisation = ${org} and u.id = any(${ids(values.users)}::uuid[])
    `.execute(trx);
    const after = await placesOf(trx, context, touched);
    const freed = [...after].find(
      ([user, { places }]) => places.length === 0 && (before.get(user)?.places.length ?? 0) > 0,
    )?.[1];
    if (freed)
      throw new Problems([
        {
          field: values.locations && ids(values.locations).length > 0 ? 'users' : 'locations',
          ...say('{{freed}} could then work at every location: assign locations to this user first', {
            freed: freed.name,
          }),
        },
      ]);
  },
} as const;

interface Placed {
  readonly name: string;
  readonly places: readonly string[];
}

/** Where users work, own locations and those of groups together; none: everywhere. */
async function placesOf(
  trx: Trx,
  { organisation }: Context,
  users: readonly string[],
): Promise<ReadonlyMap<string, Placed>> {
  const { rows } = await sql<Placed & { id: string }>`
    select
      u.id, u.name,
      coalesce(array_agg(p.location) filter (where p.location is not null), '{}') as places
    from users u
    left join user_places p on p.organisation = u.organisation and p."user" = u.id
    where u.organisation = ${organisation} and u.id = any(${[...users]}::uuid[])
    group by u.id, u.name
  `.execute(trx);
  return new Map(rows.map(({ id, ...placed }) => [id, placed]));
}
