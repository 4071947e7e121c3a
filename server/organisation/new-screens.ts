import type pg from 'pg';
import { levels } from '../../contract/levels.ts';
import { screenNames, screens } from '../../contract/screens.ts';

/**
 * Gives full rights on the screens of a new release to every role that has it on all that anybody of its organisation may open, once:
 * who takes it away afterwards is not given it again. Runs as the owner after the migrations, in a statement; two processes
 * that start together do it once. Answers how many grants it has made.
 */
export async function offerNewScreens(client: pg.ClientBase): Promise<number> {
  const parents = screenNames.filter((name) => screens[name].parent === name).map((name) => screens[name].id);
  const { rowCount } = await client.query(
    `with fresh as (
       insert into offered_screens (screen)
       select unnest($1::int[])
       on conflict do nothing
       returning screen)
     insert into role_grants (organisation, role, screen, level)
     select r.organisation, r.id, f.screen, $2
       from roles r
      cross join fresh f
      where r.active
        and exists (select from role_grants g where g.organisation = r.organisation and g.role = r.id)
        and not exists (
          select
            from role_grants other
           where other.organisation = r.organisation
             and not exists (
               select
                 from role_grants own
                where own.organisation = r.organisation
                  and own.role = r.id
                  and own.screen = other.screen
                  and own.level = $2))
     on conflict do nothing`,
    [parents, levels.full],
  );
  return rowCount ?? 0;
}
