import { sql } from 'kysely';
import type { Query, Row } from './report.ts';

type Listed = Readonly<Record<'id' | 'place' | 'name' | 'email' | 'roles' | 'groups' | 'locations' | 'state', string>>;

/** Users of the organisation, with roles, groups and the locations each may use. */
export const userDirectory: Query = async (db, { organisation, filters, after, limit }) => {
  // a page begins after a name and an id; whatever else is sent begins at the beginning
  const [place, last] = after?.includes('\u001f') ? after.split('\u001f') : ['', ''];
  const { rows } = await sql<Listed>`
    select
      u.id, lower(u.name) as place, u.name, u.email,
      coalesce(
        (
          select string_agg(distinct r.name, ', ')
          from (
            select role
            from user_roles x
            where x.organisation = u.organisation and x."user" = u.id
            union
            select g.role
            from group_members m
            join group_roles g on g.organisation = m.organisation and g."group" = m."group"
            where m.organisation = u.organisation and m."user" = u.id
          ) has
          join roles r on r.organisation = u.organisation and r.id = has.role
        ),
        ''
      ) as roles,
      coalesce(
        (
          select string_agg(g.name, ', ' order by lower(g.name))
          from group_members m
          join groups g on g.organisation = m.organisation and g.id = m."group"
          where m.organisation = u.organisation and m."user" = u.id
        ),
        ''
      ) as groups,
      coalesce(
        (
          select string_agg(l.name, ', ' order by l.code)
          from locations l
          where l.organisation = u.organisation
            and l.id in (
              select x.location from user_places x where x.organisation = u.organisation and x."user" = u.id
            )
        ),
        'All'
      ) as locations,
      case when not u.active then 'Inactive' when u.accepted_at is null then 'Invited' else 'Active' end as state
    from users u
    where u.organisation = ${organisation}
      and (lower(u.name), u.id::text) > (${place}, ${last})
      and (
        ${filters.group ?? null}::uuid is null
          or exists (
            select from group_members m
            where m.organisation = u.organisation and m."user" = u.id and m."group" = ${filters.group ?? null}::uuid
          )
      )
      and (
        ${filters.role ?? null}::uuid is null
          or exists (
            select from user_roles x
            where x.organisation = u.organisation and x."user" = u.id and x.role = ${filters.role ?? null}::uuid
          )
          or exists (
            select from group_members m
            join group_roles g on g.organisation = m.organisation and g."group" = m."group"
            where m.organisation = u.organisation and m."user" = u.id and g.role = ${filters.role ?? null}::uuid
          )
      )
    order by lower(u.name), u.id::text
    limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const end = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map(({ id: _, place: __, ...row }): Row => row),
    totals: {},
    after: end ? `${end.place}\u001f${end.id}` : null,
    notes: [],
  };
};
