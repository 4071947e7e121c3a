import { sql } from 'kysely';
import { generalConfiguration } from '../../contract/session.ts';
import { todayIn } from '../../domain/base/dates.ts';
import {
  grantsOf,
  importNeeds,
  type LimitRow,
  limitRows,
  limitsOf,
  may,
  parentsOfKind,
  seen,
} from '../access/index.ts';
import type { Context } from '../context.ts';
import type { Clock } from '../kit/clock.ts';
import type { Books } from '../kit/database/sql.ts';

export interface ImportWorks {
  readonly books: Books;
  readonly clock: Clock;
  readonly changed: (organisation: number) => void;
}

interface Who {
  readonly code: string;
  readonly name: string;
  readonly person: string;
  readonly settings: unknown;
  readonly active: boolean;
  readonly limits: LimitRow[] | null;
  readonly grants: { readonly screen: number; readonly level: number }[] | null;
  readonly locations: string[] | null;
}

/** In the name of who imports, with the rights that they have now. Undefined: they may not write what is imported any more. */
export async function contextOf(
  { books, clock }: ImportWorks,
  organisation: number,
  user: string,
  master: string,
): Promise<Context | undefined> {
  const { rows } = await books.inTransaction({ organisation, user }, (trx) =>
    sql<Who>`
      select
        o.code, o.settings, u.name, u.person, u.active, ${limitRows(sql`u.organisation`, sql`u.id`)} as limits,
        (
          select jsonb_agg(jsonb_build_object('screen', g.screen, 'level', g.level))
          from user_grants g
          where g.organisation = u.organisation and g."user" = u.id
        ) as grants,
        (
          select array_agg(distinct l.location)
          from user_places l
          where l.organisation = u.organisation and l."user" = u.id
        ) as locations
      from users u
      join organisations o on o.organisation = u.organisation
      where u.organisation = ${organisation} and u.id = ${user}::uuid
    `.execute(trx),
  );
  const [who] = rows;
  const grants = grantsOf(who?.grants ?? []);
  const { action, screens } = importNeeds(master);
  if (!who?.active || !may(grants, action, screens)) return undefined;
  return {
    books,
    organisation,
    organisationCode: who.code,
    person: who.person,
    user,
    name: who.name,
    grants,
    limits: limitsOf(who.limits, grants),
    locations: who.locations ?? [],
    settings: generalConfiguration.parse(who.settings),
    today: todayIn(clock.now()),
    now: clock.now(),
    key: undefined,
    digest: undefined,
    session: Buffer.alloc(0),
    may: (action, kind) => may(grants, action, parentsOfKind(kind)),
    still: () => undefined,
    require: () => undefined,
    sees: (what) => seen(grants, what),
    inTransaction: (work) => books.inTransaction({ organisation, user }, work),
  };
}
