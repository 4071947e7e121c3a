import { sql } from 'kysely';
import { allows, type Held, levels } from '../../contract/levels.ts';
import { type Screen, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import { percent } from '../../domain/base/decimal.ts';
import { isWithin, noLimits, widest } from '../../domain/document/checks/limits.ts';
import type { Cost, RoleLimits } from '../context.ts';

export type { Cost, RoleLimits };

/** From the narrowest to the widest. */
const costs: readonly Cost[] = ['none', 'own', 'all'];

/** Of who has no limit, and of what is no person. */
export const unlimited: RoleLimits = { ...noLimits, cost: 'all' };

/** Where it is shown what is in stock and what it is worth. */
const stockScreen = 'Manage Inventory' satisfies ScreenName;
export const STOCK = screens[stockScreen].id;

/** What a role says of cost; nothing: who holds a grant on the screen of the stock sees it. */
export type CostSaid = 'yes' | 'no' | null;

/** A role that reaches a user, as `limitRows` finds it. */
export interface LimitRow {
  readonly discount: number | null;
  readonly days: number | null;
  readonly cost: CostSaid;
  /** It grants a level on the screen of the stock. */
  readonly stock: boolean;
}

const costOf = ({ cost, stock }: LimitRow): Cost =>
  cost === 'yes' || (cost === null && stock) ? 'all' : cost === 'no' ? 'none' : 'own';

const parents: readonly ScreenName[] = screenNames.filter(
  (name) => screens[name].parent === name && !(screens[name] as Screen).always,
);
/** Who can give every right back has no limit. */
const isOwner = (grants: ReadonlyMap<string, Held>): boolean =>
  parents.every((name) => grants.get(name) === levels.full);

/** Of several roles the widest limit counts. A role without levels sets no limit, and lifts none. */
export function limitsOf(rows: readonly LimitRow[] | null, grants: ReadonlyMap<string, Held>): RoleLimits {
  if (isOwner(grants)) return unlimited;
  const own = (rows ?? []).map(costOf);
  return {
    ...widest(
      (rows ?? []).map(({ discount, days }) => ({ discount: discount === null ? null : percent(discount), days })),
    ),
    cost: costs.findLast((each) => own.includes(each)) ?? (allows(grants.get(stockScreen), 'view') ? 'all' : 'own'),
  };
}

/** Nobody gives, keeps or takes away limits that are wider than their own; who has no role has none. */
export const withinLimits = (own: RoleLimits, given: RoleLimits | undefined): boolean =>
  !given || (isWithin(own, given) && costs.indexOf(given.cost) <= costs.indexOf(own.cost));

type Expression = ReturnType<typeof sql>;

/** What roles say of limits, as an expression; `chosen` is a condition on the role r. A role without levels gives nothing to limit. */
export const limitRowsOf = (organisation: Expression, chosen: Expression) => sql<LimitRow[] | null>`(
  select jsonb_agg(
    jsonb_build_object(
      'discount', r.discount_limit, 'days', r.back_days, 'cost', r.sees_cost,
      'stock', exists (
        select from role_grants g where g.organisation = r.organisation and g.role = r.id and g.screen = ${STOCK}
      )
    )
    order by r.id
  )
  from roles r
  where r.organisation = ${organisation}
    and exists (select from role_grants g where g.organisation = r.organisation and g.role = r.id)
    and ${chosen}
)`;

/** The same of the roles that reach a user. */
export const limitRows = (organisation: Expression, user: Expression) =>
  limitRowsOf(
    organisation,
    sql`r.id in (select g.role from user_grants g where g.organisation = ${organisation} and g."user" = ${user})`,
  );
