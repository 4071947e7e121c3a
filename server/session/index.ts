import { sql } from 'kysely';
import type { Answer, Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { CREATE_AND_APPROVE, shownLevel } from '../../contract/levels.ts';
import { moduleOf } from '../../contract/modules.ts';
import type { peopleCalls } from '../../contract/people.ts';
import { screenCalled } from '../../contract/screens.ts';
import { preferences as preferencesShape, type sessionCalls } from '../../contract/session.ts';
import { percentText } from '../../domain/base/decimal.ts';
import { kindNames } from '../../domain/document/kinds/index.ts';
import { businessOf } from '../../domain/facts/businesses.ts';
import { boundBy, type Turnover } from '../../domain/tax/gst/registration/turnover.ts';
import type { Context } from '../context.ts';
import type { Executor } from '../kit/database/sql.ts';
import { logoOf } from '../kit/paper/logo.ts';
import { broadcastNow } from '../subscription/index.ts';
import type { SignInClient } from './client.ts';
import type { Member } from './member.ts';
import type { Sessions } from './sessions.ts';

export { tokenHandlers } from './access-tokens.ts';
export { type Flow, type SignInClient, signInClient } from './client.ts';
export type { Member } from './member.ts';
export { type Sessions, sessions } from './sessions.ts';

type View = Answer<(typeof sessionCalls)['GetSession']>;

interface Wiring {
  readonly sessions: Sessions;
  readonly client: SignInClient;
  /** The member of a context, or the same person in another of their organisations; read again after a change. */
  readonly memberOf: (context: Context, code?: string) => Promise<Member>;
  readonly embedded: boolean;
  readonly canMail: boolean;
  readonly installed: View['installation'];
  readonly mayFound: (operator: boolean) => boolean;
  readonly now: () => number;
}

type Calls = Handlers<typeof sessionCalls & Pick<typeof peopleCalls, 'ListSessions' | 'EndSession'>, Context>;

const switchOrganisation =
  ({ sessions, memberOf, ...installation }: Wiring): Calls['SwitchOrganisation'] =>
  async ({ OrgCode }, context) => {
    const member = await memberOf(context);
    const chosen = member.organisations.find((o) => o.code === OrgCode);
    if (!chosen) throw new Refusal('notFound');
    await sessions.switchTo(context.session, chosen.organisation);
    const next = await memberOf(context, OrgCode);
    return view(
      {
        ...context,
        organisation: next.organisation,
        user: next.user,
        inTransaction: (work) => context.books.inTransaction(next, work),
      },
      next,
      installation,
    );
  };

const chooseLocations =
  ({ sessions }: Wiring): Calls['ChooseLocations'] =>
  async ({ taxLocation, physicalLocation }, context) => {
    await context.inTransaction(async (trx) => {
      const wanted = [taxLocation, physicalLocation].filter((id): id is string => typeof id === 'string');
      const { rows } = await sql<{ id: string }>`
        select id
        from locations
        where organisation = ${context.organisation}
          and id = any(${wanted}::uuid[])
          and active
          and not is_transit
          and (${context.locations.length === 0} or id = any(${[...context.locations]}::uuid[]))
      `.execute(trx);
      if (rows.length !== new Set(wanted).size) throw new Refusal('notFound');
      await sql`
        insert into chosen_places as c (organisation, "user", tax_location, physical_location)
        values (
          ${context.organisation}, ${context.user}, ${taxLocation ?? null}::uuid, ${physicalLocation ?? null}::uuid
        )
        on conflict (organisation, "user") do update
        set
          tax_location = case when ${taxLocation === undefined} then c.tax_location else excluded.tax_location end,
          physical_location = case
            when ${physicalLocation === undefined} then c.physical_location
            else excluded.physical_location
          end
      `.execute(trx);
    });
    sessions.forget(context.session);
    return {};
  };

const listSessions: Calls['ListSessions'] = async (_, context) => {
  const { rows } = await context.books.pool.query<{ digest: Buffer; agent: string; created_at: Date; seen_at: Date }>(
    'select digest, agent, created_at, seen_at from sessions where person = $1 and expires_at > now() order by created_at desc limit 100',
    [context.person],
  );
  return rows.map((s) => ({
    id: s.digest.toString('hex'),
    agent: s.agent,
    startedAt: s.created_at.toISOString(),
    seenAt: s.seen_at.toISOString(),
    current: s.digest.equals(context.session),
  }));
};

const endSession =
  ({ sessions }: Wiring): Calls['EndSession'] =>
  async ({ id }, { session, person }) => {
    const isEnded = /^[0-9a-f]{64}$/.test(id) && (await sessions.endOther(session, person, Buffer.from(id, 'hex')));
    if (!isEnded) throw new Refusal('notFound');
    return { ended: true };
  };

/** The list of saved views that holds the screens pinned in the menu, one a row. */
const PINS = 'menu';

/** A screen is pinned for the person in this organisation; as the session, whatever the menu shows is asked for again. */
const pinScreen =
  (sessions: Sessions): Calls['PinScreen'] =>
  async ({ screen, pinned }, context) => {
    const { organisation, user } = context;
    if (!screenCalled(screen)?.inMenu) throw new Refusal('notFound');
    const pins = await context.inTransaction(async (trx) => {
      await (pinned
        ? sql`
            insert into saved_views (organisation, "user", list, name, query)
            values (${organisation}, ${user}, ${PINS}, ${screen}, '{}')
            on conflict do nothing
          `.execute(trx)
        : sql`
            delete from saved_views
            where organisation = ${organisation} and "user" = ${user} and list = ${PINS} and name = ${screen}
          `.execute(trx));
      return (await organisationNow(trx, context))?.pins ?? [];
    });
    sessions.forget(context.session);
    return { pins };
  };

/** The calls about the session itself. */
export const sessionHandlers = (wiring: Wiring): Calls => {
  const { sessions, client, memberOf } = wiring;
  return {
    GetSession: async (_, context) => view(context, await memberOf(context), wiring),
    SwitchOrganisation: switchOrganisation(wiring),
    ChooseLocations: chooseLocations(wiring),
    PinScreen: pinScreen(sessions),
    SavePreferences: async (wanted, context) => {
      await context.books.pool.query('update people set preferences = $2 where id = $1', [context.person, wanted]);
      sessions.forget(context.session);
      return wanted;
    },
    ListSessions: listSessions,
    EndSession: endSession(wiring),
    SignOut: async (_, context) => {
      const tokens = await sessions.end(context.session);
      return { redirect: tokens ? await client.endUrl(tokens) : '/' };
    },
  };
};

/** The active registrations, each with what its turnover binds it to. */
async function registrationsOf(trx: Executor, organisation: number): Promise<View['registrations']> {
  const { rows } = await sql<Omit<View['registrations'][number], 'bound'>>`
    select
      id, gstin, state, legal_name as "legalName", own_address(body) as address, kind,
      status_changes(organisation, id) as statuses,
      coalesce(annual_returns(organisation) -> id::text, '{}') as "annualReturns",
      coalesce(body -> 'filing', '[]') as filing, coalesce(body -> 'stops', '[]') as stops,
      case
        when (body ->> 'einvoice')::boolean then coalesce(nullif(body ->> 'einvoiceFrom', ''), '2017-07-01')
      end as "einvoiceFrom"
    from registrations
    where organisation = ${organisation} and active
    order by gstin
  `.execute(trx);
  const turnovers =
    (await sql<{ all: readonly Turnover[] }>`select turnovers(${organisation}) as "all"`.execute(trx)).rows[0]?.all ??
    [];
  return rows.map((own) => {
    const { sixDigits, deductsOnGoods, ...bound } = boundBy(turnovers, own.gstin?.slice(2, 12));
    return { ...own, bound: { ...bound, sixDigits: [...sixDigits], deductsOnGoods: [...deductsOnGoods] } };
  });
}

/** The active locations where the member works. */
async function locationsOf(trx: Executor, { organisation, locations }: Member): Promise<View['locations']> {
  const { rows } = await sql<View['locations'][number]>`
    select
      id, code, name, is_tax as "isTax", is_physical as "isPhysical", registration, own_address(body) as address
    from locations
    where organisation = ${organisation}
      and active
      and not is_transit
      and (${locations.length === 0} or id = any(${[...locations]}::uuid[]))
    order by code
  `.execute(trx);
  return rows;
}

/** What of the organisation changes while the session lasts: its name, its lock, and notifications that the user has not dismissed. */
async function organisationNow(trx: Executor, { organisation, user }: Pick<Member, 'organisation' | 'user'>) {
  const { rows } = await sql<{
    locked: string | null;
    unread: string;
    name: string;
    business: string;
    centres: boolean;
    used: string[];
    pins: string[];
  }>`
    select
      o.name,
      coalesce(o.body ->> 'businessType', '') as business,
      array(
        select k
        from unnest(${kindNames}::text[]) k
        where exists (select from documents d where d.organisation = o.organisation and d.kind = k)
      ) as used,
      array(
        select v.name
        from saved_views v
        where v.organisation = o.organisation and v."user" = ${user} and v.list = ${PINS}
        order by v.name
      ) as pins,
      exists (select from cost_centres c where c.organisation = o.organisation and c.active) as centres,
      (select locked_through from locks l where l.organisation = o.organisation) as locked,
      (
        select count(*)
        from notifications n
        where n.organisation = o.organisation
          and n.dismissed_at is null
          and coalesce(n."user", ${user}) = ${user}
          and not exists (
            select from notification_dismissals x
            where x.organisation = n.organisation and x.notification = n.id and x."user" = ${user}
          )
      ) as unread
    from organisations o
    where o.organisation = ${organisation}
  `.execute(trx);
  return rows[0];
}

/** What the member may do. */
const rightsOf = ({ grants, limits }: Member): Pick<View, 'grants' | 'both' | 'limits'> => ({
  grants: Object.fromEntries([...grants].map(([screen, level]) => [screen, shownLevel(level)])),
  both: [...grants].flatMap(([screen, level]) => (level === CREATE_AND_APPROVE ? [screen] : [])),
  limits: {
    discount: limits.discount === null ? null : percentText(limits.discount),
    days: limits.days,
    cost: limits.cost,
  },
});

/** The session as the browser has it. */
async function view(
  context: Context,
  member: Member,
  {
    embedded,
    canMail,
    installed,
    mayFound,
    now,
  }: Pick<Wiring, 'embedded' | 'canMail' | 'installed' | 'mayFound' | 'now'>,
): Promise<View> {
  return context.inTransaction(async (trx) => {
    const org = context.organisation;
    const registrations = await registrationsOf(trx, org);
    const locations = await locationsOf(trx, member);
    const organisation = await organisationNow(trx, member);
    const { logo } = await logoOf(trx, org);
    const broadcast = await broadcastNow(context.books.pool, now());
    const kept = preferencesShape.safeParse(member.preferences);
    const chosen = (id: string | null) => locations.find((location) => location.id === id)?.id ?? null;
    return {
      subject: member.person,
      name: member.name,
      email: member.email,
      organisation: {
        code: member.organisationCode,
        name: organisation?.name ?? member.organisationName,
        logo,
        business: businessOf(organisation?.business ?? '') ?? null,
      },
      organisations: member.organisations.map(({ code, name }) => ({ code, name })),
      registrations,
      locations,
      ...rightsOf(member),
      preferences: kept.success ? kept.data : preferencesShape.parse({}),
      settings: member.settings,
      taxLocation: chosen(member.taxLocation),
      physicalLocation: chosen(member.physicalLocation),
      notifications: Number(organisation?.unread ?? 0),
      subscription: { ...member.subscription, lapsed: member.subscription.lapsed.map((name) => moduleOf(name).name) },
      broadcast,
      operator: member.operator,
      passwords: embedded,
      secondFactor: { on: member.secondFactor.on, required: embedded && member.secondFactor.required },
      mails: canMail,
      used: organisation?.used ?? [],
      pins: organisation?.pins ?? [],
      costCentres: organisation?.centres === true,
      installation: installed,
      mayFound: mayFound(member.operator),
      today: context.today,
      expiresAt: member.expiresAt,
      lockedThrough: organisation?.locked ?? null,
    };
  });
}
