import { sql } from 'kysely';
import type { Answer, Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { CREATE_AND_APPROVE, shownLevel } from '../../contract/levels.ts';
import { moduleOf } from '../../contract/modules.ts';
import type { peopleCalls } from '../../contract/people.ts';
import { preferences as preferencesShape, type sessionCalls } from '../../contract/session.ts';
import { percentText } from '../../domain/base/decimal.ts';
import { boundBy, type Turnover } from '../../domain/tax/gst/turnover.ts';
import type { Context } from '../context.ts';
import { logoOf } from '../kit/paper/logo.ts';
import { broadcastNow } from '../subscription/index.ts';
import type { SignInClient } from './client.ts';
import type { Member, Sessions } from './sessions.ts';

export { type Flow, type SignInClient, signInClient } from './client.ts';
export { type Member, type Sessions, sessions } from './sessions.ts';

type View = Answer<(typeof sessionCalls)['GetSession']>;

interface Wiring {
  readonly sessions: Sessions;
  readonly client: SignInClient;
  /** Who a context stands for, or in another of his organisations; fresh after a change. */
  readonly memberOf: (context: Context, code?: string) => Promise<Member>;
  readonly embedded: boolean;
  readonly canMail: boolean;
  readonly installed: View['installation'];
  readonly mayFound: (operator: boolean) => boolean;
  readonly now: () => number;
}

/** The calls about the session itself. */
export const sessionHandlers = ({
  sessions: all,
  client,
  memberOf,
  ...installation
}: Wiring): Handlers<typeof sessionCalls & Pick<typeof peopleCalls, 'ListSessions' | 'EndSession'>, Context> => ({
  GetSession: async (_, context) => view(context, await memberOf(context), installation),
  SwitchOrganisation: async ({ OrgCode }, context) => {
    const member = await memberOf(context);
    const chosen = member.organisations.find((o) => o.code === OrgCode);
    if (!chosen) throw new Refusal('notFound');
    await all.switchTo(context.session, chosen.organisation);
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
  },
  ChooseLocations: async ({ taxLocation, physicalLocation }, context) => {
    await context.inTransaction(async (trx) => {
      const wanted = [taxLocation, physicalLocation].filter((id): id is string => typeof id === 'string');
      const { rows } = await sql<{
        id: string;
      }>`
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
    all.forget(context.session);
    return {};
  },
  SavePreferences: async (wanted, context) => {
    await context.books.pool.query('update people set preferences = $2 where id = $1', [context.person, wanted]);
    all.forget(context.session);
    return wanted;
  },
  ListSessions: async (_, context) => {
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
  },
  EndSession: async ({ id }, context) => {
    if (!/^[0-9a-f]{64}$/.test(id) || !(await all.endOther(context.session, context.person, Buffer.from(id, 'hex'))))
      throw new Refusal('notFound');
    return { ended: true };
  },
  SignOut: async (_, context) => {
    const tokens = await all.end(context.session);
    return { redirect: tokens ? await client.endUrl(tokens) : '/' };
  },
});

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
    const found = await sql<Omit<View['registrations'][number], 'bound'>>`
      select
        id, gstin, state, legal_name as "legalName", own_address(body) as address, kind,
        status_changes(organisation, id) as statuses,
        coalesce(annual_returns(organisation) -> id::text, '{}') as "annualReturns",
        coalesce(body -> 'filing', '[]') as filing, coalesce(body -> 'stops', '[]') as stops,
        case
          when (body ->> 'einvoice')::boolean then coalesce(nullif(body ->> 'einvoiceFrom', ''), '2017-07-01')
        end as "einvoiceFrom"
      from registrations
      where organisation = ${org} and active
      order by gstin
    `.execute(trx);
    const turnovers =
      (await sql<{ all: readonly Turnover[] }>`select turnovers(${org}) as "all"`.execute(trx)).rows[0]?.all ?? [];
    const registrations = found.rows.map((own) => {
      const { sixDigits, deductsOnGoods, ...bound } = boundBy(turnovers, own.gstin?.slice(2, 12));
      return { ...own, bound: { ...bound, sixDigits: [...sixDigits], deductsOnGoods: [...deductsOnGoods] } };
    });
    const locations = await sql<View['locations'][number]>`
      select id, code, name, is_tax as "isTax", is_physical as "isPhysical", registration,
        own_address(body) as address
      from locations
      where organisation = ${org}
        and active
        and not is_transit
        and (${member.locations.length === 0} or id = any(${[...member.locations]}::uuid[]))
      order by code
    `.execute(trx);
    const more = await sql<{
      locked: string | null;
      unread: string;
      name: string;
      centres: boolean;
    }>`
      select
        o.name,
        exists (select from cost_centres c where c.organisation = o.organisation and c.active) as centres,
        (select locked_through from locks l where l.organisation = o.organisation) as locked,
        (
          select count(*)
          from notifications n
          where n.organisation = o.organisation
            and n.dismissed_at is null
            and coalesce(n."user", ${member.user}) = ${member.user}
            and not exists (
              select from notification_dismissals x
              where x.organisation = n.organisation and x.notification = n.id and x."user" = ${member.user}
            )
        ) as unread
      from organisations o
      where o.organisation = ${org}
    `.execute(trx);
    const tax = locations.rows.find((l) => l.id === member.taxLocation);
    const physical = locations.rows.find((l) => l.id === member.physicalLocation);
    const { logo } = await logoOf(trx, org);
    const broadcast = await broadcastNow(context.books.pool, now());
    const kept = preferencesShape.safeParse(member.preferences);
    return {
      subject: member.person,
      name: member.name,
      email: member.email,
      organisation: { code: member.organisationCode, name: more.rows[0]?.name ?? member.organisationName, logo },
      organisations: member.organisations.map(({ code, name }) => ({ code, name })),
      registrations,
      locations: locations.rows,
      grants: Object.fromEntries([...member.grants].map(([screen, level]) => [screen, shownLevel(level)])),
      both: [...member.grants].flatMap(([screen, level]) => (level === CREATE_AND_APPROVE ? [screen] : [])),
      limits: {
        discount: member.limits.discount === null ? null : percentText(member.limits.discount),
        days: member.limits.days,
        cost: member.limits.cost,
      },
      preferences: kept.success ? kept.data : preferencesShape.parse({}),
      settings: member.settings,
      taxLocation: tax?.id ?? null,
      physicalLocation: physical?.id ?? null,
      notifications: Number(more.rows[0]?.unread ?? 0),
      subscription: { ...member.subscription, lapsed: member.subscription.lapsed.map((name) => moduleOf(name).name) },
      broadcast,
      operator: member.operator,
      passwords: embedded,
      secondFactor: { on: member.secondFactor.on, required: embedded && member.secondFactor.required },
      mails: canMail,
      costCentres: more.rows[0]?.centres === true,
      installation: installed,
      mayFound: mayFound(member.operator),
      today: context.today,
      expiresAt: member.expiresAt,
      lockedThrough: more.rows[0]?.locked ?? null,
    };
  });
}
