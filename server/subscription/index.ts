import { sql } from 'kysely';
import type pg from 'pg';
import type { Answer, Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { type ModuleName, moduleNames, moduleOf } from '../../contract/modules.ts';
import type { GeneralConfiguration } from '../../contract/session.ts';
import type { subscriptionCalls } from '../../contract/subscription.ts';
import { moneyText, parseDecimal } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import type { Context } from '../context.ts';
import type { Executor } from '../kit/database/sql.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';

/** Until when the subscription runs: null where nothing ends it, or nothing is subscribed to but the free core. */
export interface Subscription {
  readonly endsOn: string | null;
  readonly expired: boolean;
  /** Modules that are on and no longer subscribed to: what they hold is read and no longer written. The core is free. */
  readonly lapsed: readonly ModuleName[];
}

/** The state of an organisation's subscription on a day. */
export async function subscriptionOf(
  trx: Executor,
  organisation: number,
  today: string,
  settings: GeneralConfiguration,
): Promise<Subscription> {
  const { rows } = await sql<{
    ends_on: string | null;
    endless: boolean;
    modules: string[] | null;
  }>`
    select
      max(ends_on) as ends_on, bool_or(ends_on is null) as endless,
      (
        select array_agg(distinct m)
        from subscriptions s, unnest(s.modules) m
        where s.organisation = ${organisation}
          and s.starts_on <= ${today}::date
          and coalesce(s.ends_on >= ${today}::date, true)
      ) as modules
    from subscriptions
    where organisation = ${organisation} and starts_on <= ${today}::date
  `.execute(trx);
  const endsOn = rows[0]?.endless ? null : (rows[0]?.ends_on ?? null);
  const own = rows[0]?.modules ?? [];
  const lapsed = moduleNames.filter(
    (name) => !own.includes(name) && moduleOf(name).switches.some((key) => settings[key] === true),
  );
  return { endsOn, expired: endsOn !== null && endsOn < today, lapsed };
}

/** The modules that are subscribed to on a day, each with its last day. */
async function modulesOn(
  trx: Executor,
  organisation: number,
  today: string,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{
    module: string;
    ends_on: string | null;
    endless: boolean;
  }>`
    select m as module, max(s.ends_on) as ends_on, bool_or(s.ends_on is null) as endless
    from subscriptions s, unnest(s.modules) m
    where s.organisation = ${organisation}
      and s.starts_on <= ${today}::date
      and coalesce(s.ends_on >= ${today}::date, true)
    group by m
  `.execute(trx);
  return new Map(rows.map((r) => [r.module, r.endless ? null : r.ends_on]));
}

/** Switches that are off and need a module that is not subscribed to, each with its name. */
export async function lockedSwitches(
  trx: Executor,
  { organisation, today }: Context,
  settings: GeneralConfiguration,
): Promise<Record<string, string>> {
  const own = await modulesOn(trx, organisation, today);
  return Object.fromEntries(
    moduleNames
      .filter((name) => !own.has(name))
      .flatMap((name) =>
        moduleOf(name)
          .switches.filter((key) => settings[key] !== true)
          .map((key) => [key, moduleOf(name).name]),
      ),
  );
}

/** Refuses to turn on what belongs to a module that is not subscribed to; what is on stays on, and turning off is free. */
export async function mayTurnOn(
  trx: Executor,
  { organisation, today }: Context,
  before: GeneralConfiguration,
  after: GeneralConfiguration,
): Promise<void> {
  const asked = moduleNames.filter((name) =>
    moduleOf(name).switches.some((key) => after[key] === true && before[key] !== true),
  );
  if (asked.length === 0) return;
  const own = await modulesOn(trx, organisation, today);
  const missing = asked.find((name) => !own.has(name));
  if (missing) throw new Refusal('moduleOff', { module: moduleOf(missing).name });
}

/** What the operator tells everybody now: the latest that is still valid. */
export async function broadcastNow(
  pool: pg.Pool,
  now: number,
): Promise<Answer<(typeof subscriptionCalls)['GetBroadcastDetails']>> {
  const { rows } = await pool.query<{ title: string; message: string; valid_to: Date }>(
    'select title, message, valid_to from broadcasts where valid_to > to_timestamp($1) order by made_at desc limit 1',
    [now / 1000],
  );
  return rows[0]
    ? { title: rows[0].title, floatingMessage: rows[0].message, validTo: rows[0].valid_to.toISOString() }
    : null;
}

interface Row {
  readonly id: string;
  readonly modules: string[];
  readonly months: number;
  readonly monthly: string;
  readonly status: number;
  readonly refused: boolean;
  readonly asked_by: string;
  readonly asked_at: Date;
  readonly version: number;
}
const requestOf = (r: Row) => ({
  id: r.id,
  modules: r.modules.map((name) => moduleOf(name as ModuleName).name),
  months: r.months as 1 | 3 | 6 | 12,
  monthly: moneyText(Number(r.monthly)),
  requestStatus: r.status,
  refused: r.refused,
  askedBy: r.asked_by,
  askedAt: r.asked_at.toISOString(),
  version: r.version,
});

type Calls = Handlers<typeof subscriptionCalls, Context>;

const modulesWithCost: Calls['GetModulesListWithCost'] = (_, context) =>
  context.inTransaction(async (trx) => {
    const own = await modulesOn(trx, context.organisation, context.today);
    return moduleNames.map((name) => ({
      id: moduleOf(name).id,
      moduleName: moduleOf(name).name,
      cost: moduleOf(name).monthly,
      says: moduleOf(name).says,
      subscribed: own.has(name),
      endsOn: own.get(name) ?? null,
    }));
  });

const requestModules: Calls['AddModulesForOrganisation'] = ({ RequestedDuration: months, ModuleIds }, context) =>
  context.inTransaction(async (trx) => {
    const org = context.organisation;
    const wanted = moduleNames.filter((name) => ModuleIds.includes(moduleOf(name).id));
    if (wanted.length !== new Set(ModuleIds).size)
      throw new Problems([{ field: 'ModuleIds', ...say('Choose modules of the list') }]);
    const open = await sql<{
      day: string;
    }>`
      select to_char(asked_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as day
      from subscription_requests
      where organisation = ${org} and status < 7 and not refused
    `.execute(trx);
    if (open.rows[0]) throw new Refusal('requestOpen', { date: open.rows[0].day });
    const monthly = wanted.reduce((total, name) => total + (parseDecimal(moduleOf(name).monthly, 2) ?? 0), 0);
    await sql`
      insert into subscription_requests (organisation, id, modules, months, monthly, asked_by)
      values (${org}, ${newId()}, ${wanted}, ${months}, ${monthly}, ${context.user})
    `.execute(trx);
    return { requestStatus: 1, message: 'Request sent to finance team, will get back shortly' };
  });

const subscriptionAndRequest: Calls['GetSubscription'] = (_, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<Row>`
      select
        r.id, r.modules, r.months, r.monthly, r.status, r.refused, u.name as asked_by, r.asked_at, r.version
      from subscription_requests r
      join users u on u.organisation = r.organisation and u.id = r.asked_by
      where r.organisation = ${context.organisation}
      order by r.asked_at desc
      limit 1
    `.execute(trx);
    const { endsOn, expired } = await subscriptionOf(trx, context.organisation, context.today, context.settings);
    return { endsOn, expired, request: rows[0] ? requestOf(rows[0]) : null };
  });

const decideSubscriptionRequest: Calls['DecideSubscriptionRequest'] = async (
  { organisation, request, version, approve },
  context,
) => {
  const { rows } = await context.books.pool.query<{ next: number | null }>(
    'select decide_request($1, $2, $3, $4, $5, $6::date) as next',
    [context.person, organisation, request, version, approve, context.today],
  );
  const next = rows[0]?.next ?? null;
  if (next === null) throw new Refusal('notFound');
  return { requestStatus: next };
};

const saveBroadcast =
  (now: () => number): Calls['SaveBroadcast'] =>
  async ({ title, floatingMessage, validTo }, context) => {
    if (Date.parse(validTo) <= now()) throw new Problems([{ field: 'validTo', ...say('Choose a moment to come') }]);
    const id = newId();
    await context.books.pool.query(
      'insert into broadcasts (id, title, message, valid_to, made_by) values ($1, $2, $3, $4, $5)',
      [id, title, floatingMessage, validTo, context.person],
    );
    return { id };
  };

export const subscriptionHandlers = (now: () => number): Calls => ({
  GetModulesListWithCost: modulesWithCost,
  AddModulesForOrganisation: requestModules,
  GetSubscription: subscriptionAndRequest,
  GetSupportDetails: async (_, context) =>
    (
      await context.books.pool.query<{ name: string; email: string }>(
        'select name, email from people where operator order by name',
      )
    ).rows,
  GetBroadcastDetails: (_, context) => broadcastNow(context.books.pool, now()),

  ListSubscriptionRequests: async (_, context) =>
    (
      await context.books.pool.query<Row & { organisation: number; code: string; name: string }>(
        'select * from requests_of_all($1)',
        [context.person],
      )
    ).rows.map((r) => ({ ...requestOf(r), organisation: r.organisation, code: r.code, name: r.name })),
  DecideSubscriptionRequest: decideSubscriptionRequest,
  ListBroadcasts: async (_, context) =>
    (
      await context.books.pool.query<{ id: string; title: string; message: string; valid_to: Date }>(
        'select id, title, message, valid_to from broadcasts order by made_at desc limit 50',
      )
    ).rows.map((b) => ({ id: b.id, title: b.title, floatingMessage: b.message, validTo: b.valid_to.toISOString() })),
  SaveBroadcast: saveBroadcast(now),
  EndBroadcast: async ({ id }, context) => {
    if ((await context.books.pool.query('delete from broadcasts where id = $1', [id])).rowCount !== 1)
      throw new Refusal('notFound');
    return {};
  },
});
