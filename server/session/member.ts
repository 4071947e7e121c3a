import { sql } from 'kysely';
import type { Held } from '../../contract/levels.ts';
import { type GeneralConfiguration, generalConfiguration } from '../../contract/session.ts';
import type { TokenScope } from '../../contract/token-facts.ts';
import { grantsOf, type LimitRow, limitRows, limitsOf, type RoleLimits } from '../access/index.ts';
import type { Books, Executor } from '../kit/database/sql.ts';
import { type Subscription, subscriptionOf } from '../subscription/index.ts';

export interface Member {
  readonly digest: Buffer;
  readonly person: string;
  readonly organisation: number;
  readonly organisationCode: string;
  readonly organisationName: string;
  readonly user: string;
  readonly name: string;
  readonly email: string;
  readonly grants: ReadonlyMap<string, Held>;
  readonly limits: RoleLimits;
  readonly locations: readonly string[];
  readonly settings: GeneralConfiguration;
  readonly organisations: readonly { readonly organisation: number; readonly code: string; readonly name: string }[];
  readonly secondFactor: { readonly on: boolean; readonly required: boolean };
  /** They run this installation. */
  readonly operator: boolean;
  readonly subscription: Subscription;
  readonly preferences: unknown;
  readonly taxLocation: string | null;
  readonly physicalLocation: string | null;
  readonly expiresAt: string;
  /** The call comes from a program with this access token. */
  readonly token?: { readonly id: string; readonly name: string; readonly scope: TokenScope };
  /** What the edit log says of where their changes come from, when it is a program. */
  readonly origin?: string;
}

/** A session and its person, as the database has them. */
export interface SessionRow {
  readonly person: string;
  readonly organisation: number;
  readonly tokens: Buffer;
  readonly expires_at: Date;
  /** It has ended, by its age or because nobody used it. */
  readonly over: boolean;
  readonly email: string;
  readonly preferences: unknown;
  /** The person has a second factor. */
  readonly factor: boolean;
  readonly operator: boolean;
}

export interface Membership {
  readonly organisation: number;
  readonly code: string;
  readonly name: string;
  readonly user: string;
}

export const membershipsOf = async ({ pool }: Books, person: string): Promise<readonly Membership[]> =>
  (await pool.query<Membership>('select organisation, code, name, "user" from memberships_of($1)', [person])).rows;

interface MemberRow {
  readonly settings: unknown;
  readonly name: string;
  readonly grants: { screen: number; level: number }[] | null;
  readonly limits: LimitRow[] | null;
  readonly locations: string[] | null;
  /** A role of theirs asks for a second factor. */
  readonly asked: boolean;
  readonly tax_location: string | null;
  readonly physical_location: string | null;
}

async function memberRow(trx: Executor, { organisation, user }: Membership): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select
      o.settings, u.name, c.tax_location, c.physical_location,
      (
        select jsonb_agg(jsonb_build_object('screen', g.screen, 'level', g.level))
        from user_grants g
        where g.organisation = u.organisation and g."user" = u.id
      ) as grants,
      ${limitRows(sql`u.organisation`, sql`u.id`)} as limits,
      (
        select array_agg(distinct l.location)
        from user_places l
        where l.organisation = u.organisation and l."user" = u.id
      ) as locations,
      exists (
        select from roles r
        where r.organisation = u.organisation
          and r.second_factor
          and r.active
          and (
            exists (
              select from user_roles x
              where x.organisation = r.organisation and x.role = r.id and x."user" = u.id
            )
              or exists (
                select from group_roles y
                join group_members m on m.organisation = y.organisation and m."group" = y."group"
                where y.organisation = r.organisation and y.role = r.id and m."user" = u.id
              )
          )
      ) as asked
    from users u
    join organisations o on o.organisation = u.organisation
    left join chosen_places c on c.organisation = u.organisation and c."user" = u.id
    where u.organisation = ${organisation} and u.id = ${user}
  `.execute(trx);
  return rows[0];
}

/** A session's person as a user of one of their organisations, with their rights. Undefined: there is no such user any more. */
export const memberIn = (
  books: Books,
  digest: Buffer,
  session: SessionRow,
  { own, memberships }: { readonly own: Membership; readonly memberships: readonly Membership[] },
  today: string,
): Promise<Member | undefined> =>
  books.inTransaction(own, async (trx) => {
    const row = await memberRow(trx, own);
    if (!row) return undefined;
    const settings = generalConfiguration.parse(row.settings);
    const grants = grantsOf(row.grants ?? []);
    const subscription = await subscriptionOf(trx, own.organisation, today, settings);
    return {
      digest,
      person: session.person,
      organisation: own.organisation,
      organisationCode: own.code,
      organisationName: own.name,
      user: own.user,
      name: row.name,
      email: session.email,
      grants,
      limits: limitsOf(row.limits, grants),
      locations: row.locations ?? [],
      settings,
      operator: session.operator,
      subscription,
      secondFactor: { on: session.factor, required: settings.requireSecondFactor || row.asked },
      organisations: memberships,
      preferences: hasChosen(session.preferences) ? session.preferences : (settings.theme ?? {}),
      taxLocation: row.tax_location,
      physicalLocation: row.physical_location,
      expiresAt: session.expires_at.toISOString(),
    };
  });

/** Who has never chosen a theme sees the organisation's. */
const hasChosen = (own: unknown): boolean => own !== null && typeof own === 'object' && Object.keys(own).length > 0;
