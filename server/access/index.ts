import type { Action } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { importableOf } from '../../contract/importable.ts';
import { allows, type Held, type Level, together } from '../../contract/levels.ts';
import { reportOf } from '../../contract/reports.ts';
import { type Screen, type ScreenName, screenCalled, screenNames, screenOf, screens } from '../../contract/screens.ts';
import { isKind, type KindName, kindCalled } from '../../domain/document/kinds/index.ts';
import { saysCost } from '../../domain/stock/at-cost.ts';
import type { Context, Shown } from '../context.ts';

export { levelsFor, mayGrant } from '../../contract/levels.ts';
export { isAtPlace, mayDecide, mayKeep } from './drafts.ts';
export { type LimitRow, limitRows, limitRowsOf, limitsOf, type RoleLimits, unlimited, withinLimits } from './limits.ts';
export { ownRegistrations, wholeOrganisation, wholeRegistration, worksWithin } from './whole.ts';

/** What a person holds, by parent screen. */
export type Grants = ReadonlyMap<string, Held>;

/** Whether grants on any of these parent screens allow an action. Everyone signed in may read what a screen of level 0 shows. */
export function may(grants: Grants, action: Action, parents: readonly string[]): boolean {
  if (action === 'open') return true;
  return parents.some(
    (parent) => (action === 'read' && screenCalled(parent)?.level === 0) || allows(grants.get(parent), action),
  );
}

export function allow(grants: Grants, action: Action, parents: readonly string[]): void {
  if (!may(grants, action, parents)) throw new Refusal('noAccess');
}

/** Kinds without a screen of their own that belong to one. */
const ruledBy: Readonly<Partial<Record<KindName, ScreenName>>> = { gstAdjustment: 'GstReturns' };

const ruling = new Map<string, readonly string[]>();

/**
 * Parent screens of a kind; a kind without screens of its own is ruled by those of its side. Every call about a
 * document asks: found once.
 */
export function parentsOfKind(name: string): readonly string[] {
  const parents = ruling.get(name) ?? findParents(name);
  if (isKind(name)) ruling.set(name, parents);
  return parents;
}

function findParents(name: string): readonly string[] {
  const own = (['documentList', 'documentEditor', 'documentView'] as const).flatMap((how) => {
    const screen = screenOf({ kind: name }, how);
    return screen ? [screens[screen].parent] : [];
  });
  if (own.length > 0) return [...new Set(own)];
  const belongsTo = isKind(name) ? ruledBy[name] : undefined;
  if (belongsTo) return [belongsTo];
  const side = kindCalled(name)?.party.side ?? 'none';
  return { customer: ['Sale Receipt'], supplier: ['Payments'], none: ['JournalVouchers'] }[side];
}

/** Parent screens of a master; those without a screen belong to the general configuration. */
export function parentsOfMaster(name: string): readonly string[] {
  const found = (['masterList', 'masterForm'] as const).flatMap((how) => {
    const screen = screenOf({ master: name }, how);
    return screen ? [screens[screen].parent] : [];
  });
  return found.length > 0 ? [...new Set(found)] : ['General Configuration'];
}

/** What somebody needs to write what a file may be of: records of a master, or documents with its rows as their lines. */
export function importNeeds(name: string): { readonly action: Action; readonly screens: readonly string[] } {
  const { kind, rowsOf } = importableOf(name) ?? {};
  return kind
    ? { action: 'write', screens: parentsOfKind(kind) }
    : { action: 'settings', screens: parentsOfMaster(rowsOf?.master ?? name) };
}

/** Parent screens of a report: of every screen that shows it. */
const parentsOfReport = (name: string): readonly string[] => [
  ...new Set(
    screenNames.flatMap((screen) => {
      const { show, parent } = screens[screen] as Screen;
      return show.view === 'report' && show.report === name ? [parent] : [];
    }),
  ),
];

/** Whether somebody may read a report: on its own screen, with the action that its row asks for. */
export function mayReadReport(grants: Grants, name: string): boolean {
  const report = reportOf(name);
  return report !== undefined && may(grants, report.action ?? 'read', [screens[report.screen].parent]);
}

/** Who asks what goods cost. */
export type Asking = Pick<Context, 'grants' | 'limits'>;

/**
 * Whether somebody may see what goods cost: their roles say so (`server/access/limits.ts`). `own`: parent screens of what is there
 * to say it, as documents at cost: a grant on one of them is enough, unless the roles show no cost at all.
 */
export const seesCost = ({ grants, limits: { cost } }: Asking, own: readonly string[] = []): boolean =>
  cost === 'all' || (cost === 'own' && own.some((parent) => allows(grants.get(parent), 'view')));

/** Whether the roles of somebody show what goods cost nowhere, whatever their levels are. */
export const isCostHidden = ({ limits: { cost } }: Pick<Asking, 'limits'>): boolean => cost === 'none';

/** Whether a document of this kind says what goods cost to somebody who sees that nowhere. */
export const hidesCostOf = (asking: Pick<Asking, 'limits'>, kind: string): boolean => {
  const known = kindCalled(kind);
  return known !== undefined && isCostHidden(asking) && saysCost(known);
};

/** Refuses what says what goods cost and cannot leave it out: a paper, a file, a statement of the accounts. */
export function allowCost(asking: Pick<Asking, 'limits'>, kind?: string): void {
  if (kind === undefined ? isCostHidden(asking) : hidesCostOf(asking, kind)) throw new Refusal('costHidden');
}

/**
 * Whether entries of a document of this kind say to somebody what its goods cost: customers' do not; those of suppliers say what was
 * agreed with them to whoever may view them, also where roles show no cost.
 */
export const tellsCost = (asking: Asking, kind: string): boolean => {
  const side = kindCalled(kind)?.party.side;
  if (side === 'customer') return false;
  const parents = parentsOfKind(kind);
  return side === 'supplier'
    ? seesCost(asking) || parents.some((parent) => allows(asking.grants.get(parent), 'view'))
    : seesCost(asking, parents);
};

/**
 * The total of a document as lists show it; null where it is what goods cost, which whoever may neither see the stock nor view the
 * document is not shown. Every list that shows totals asks: it is open to more people than its documents.
 */
export const totalShown = (asking: Asking, kind: string, total: string): string | null =>
  hidesCostOf(asking, kind) || (kindCalled(kind)?.stock.valued !== undefined && !seesCost(asking, parentsOfKind(kind)))
    ? null
    : total;

/** Screens that everyone may open, but that show somebody without a grant only their structure and their own rows. */
const structureOnly: readonly string[] = [
  'General Ledger',
  'Opening Balance',
  'Users List',
  'NIC Configuration',
  'Manage Role',
] satisfies readonly ScreenName[];

/** Whether a user sees all rows of what a screen shows, or only their own. */
export function seen(grants: Grants, what: Shown): 'all' | 'own' {
  const parents =
    'kind' in what
      ? parentsOfKind(what.kind)
      : 'master' in what
        ? parentsOfMaster(what.master)
        : 'report' in what
          ? parentsOfReport(what.report)
          : [screens[what.screen].parent];
  return parents.some((p) => structureOnly.includes(p)) && !parents.some((p) => grants.has(p)) ? 'own' : 'all';
}

/** All grants together, by parent screen; those of parent 17 grant nothing. */
export function grantsOf(rows: readonly { readonly screen: number; readonly level: number }[]): Map<string, Held> {
  const byId = new Map(screenNames.map((name) => [(screens[name] as Screen).id, name]));
  const grants = new Map<string, Held>();
  for (const { screen, level } of rows) {
    const name = screen === 17 || level === 0 ? undefined : byId.get(screen);
    if (name) grants.set(name, together(grants.get(name) ?? 0, level as Level));
  }
  return grants;
}
