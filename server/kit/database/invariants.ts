import type pg from 'pg';
import { effectNames } from '../../../domain/books/effects.ts';
import { effectUses } from '../../../domain/books/ledger-uses.ts';
import { postsAsWritten } from '../../../domain/books/legs.ts';
import { registersOf } from '../../../domain/books/registers.ts';
import { hasCustomsNumber, hasOthersDate, hasSuppliersNumber } from '../../../domain/document/checks/check.ts';
import {
  correctsSource,
  isForSupplier,
  type Kind,
  kindFor,
  kindNames,
  kindOf,
  lessens,
} from '../../../domain/document/kinds/index.ts';
import { bearsTaxOf } from '../../../domain/document/sources.ts';
import { firstSign } from '../../../domain/stock/stock.ts';
import { heldLayers } from '../../../domain/stock/valuation.ts';
import { usesAdvance } from '../../../domain/tax/advances.ts';
import { brokenCheckpoints } from '../secrets/checkpoints.ts';
import { LOGGED, loggedCheck } from '../secrets/logged.ts';
import { madeCatalogue } from './catalogue.ts';
import type { Check, KindLists } from './invariants/check.ts';
import { checks } from './invariants/checks.ts';
import { beingRevalued, itemsMoved, valued } from './stock-replayed.ts';

export interface Broken {
  readonly id: string;
  /** Null: of the database as a whole. */
  readonly organisation: number | null;
  readonly what: string;
}
export interface Swept {
  readonly id: string;
  readonly says: string;
  readonly broken: readonly Broken[];
  /** How many more there are than `broken` names. */
  readonly more: number;
  readonly milliseconds: number;
}

/** The most rows that are reported of one check, unless more are asked for. */
const MOST_TOLD = 20;

export const REPLAY = {
  id: 'INV-24a',
  says:
    'Valuing all movements again from nothing, from location to location, gives each the same cost, and each stock balance the ' +
    'same layers and last day',
} as const;

export const SIGNED = {
  id: 'INV-45',
  says: 'The seals hold what was signed of them once a day, outside the database',
} as const;

type Shown = Kind['gst']['gstr1'];
const returnedMore: readonly Shown[] = ['invoice', 'debitNote', 'advance'];
const returnedLess: readonly Shown[] = ['creditNote', 'advanceAdjusted', 'advanceRefunded'];

const lists = (): KindLists => {
  const locked = kindNames.flatMap((kind) =>
    kindOf(kind).life.system && kind !== kindFor('costRevision')
      ? []
      : registersOf(kind).map((register) => ({ kind, register })),
  );
  const valued = kindNames.filter((name) => kindOf(name).stock.valued !== undefined);
  const made = kindNames.flatMap((kind) =>
    [
      ...new Set([
        ...kindOf(kind).source.kinds,
        ...[kindOf(kind).source.mayReverse ?? [], kindOf(kind).source.reverses ?? []].flat(),
      ]),
    ].map((from) => ({ kind, from })),
  );
  const registered = kindNames.filter((name) => kindOf(name).gst.irp !== undefined);
  const { rowSecurity, guards, tables } = madeCatalogue();
  return {
    pricedFromSource: kindNames.filter((name) => kindOf(name).source.givesPrice),
    transfers: kindNames.filter(
      (name) => kindOf(name).stock.effect === 'transferOut' || kindOf(name).stock.effect === 'transferIn',
    ),
    sales: kindNames.filter((name) => kindOf(name).stock.effect === 'out' && kindOf(name).party.side === 'customer'),
    reserving: kindNames.filter((name) => kindOf(name).stock.effect === 'reserve'),
    supplierNumbered: kindNames.filter((name) => hasSuppliersNumber(kindOf(name))),
    customsNumbered: kindNames.filter((name) => hasCustomsNumber(kindOf(name))),
    othersDated: kindNames.filter((name) => hasOthersDate(kindOf(name))),
    forSupplier: kindNames.filter((name) => isForSupplier(kindOf(name))),
    gstNumbered: kindNames.filter((name) => kindOf(name).numbering.gst),
    returned: kindNames.filter((name) => returnedMore.includes(kindOf(name).gst.gstr1)),
    financial: kindNames.filter((name) => kindOf(name).fields.includes('withoutTax')),
    returnedLess: kindNames.filter((name) => returnedLess.includes(kindOf(name).gst.gstr1)),
    advances: kindNames.filter((name) => kindOf(name).gst.gstr1 === 'advance'),
    advanceUsers: kindNames.filter((name) => usesAdvance(kindOf(name)) && kindOf(name).gst.tax !== 'none'),
    written: kindNames.filter((name) => postsAsWritten(kindOf(name))),
    revisions: [kindFor('costRevision')],
    made: made.map(({ kind }) => kind),
    madeFrom: made.map(({ from }) => from),
    correcting: kindNames.filter((name) => correctsSource(kindOf(name))),
    lessening: kindNames.filter((name) => correctsSource(kindOf(name)) && lessens(kindOf(name))),
    taxedAsSource: kindNames.filter((name) => bearsTaxOf(kindOf(name))),
    repricing: kindNames.filter((name) => kindOf(name).stock.effect === 'worth'),
    receiving: kindNames.filter((name) => kindOf(name).stock.effect === 'transferIn'),
    partied: kindNames.filter((name) => kindOf(name).party.side !== 'none'),
    valued,
    valuedSigns: valued.map((name) => String(firstSign(kindOf(name)))),
    registered,
    lockedKinds: locked.map(({ kind }) => kind),
    lockedRegisters: locked.map(({ register }) => register),
    effects: effectNames,
    effectNatures: effectNames.map((name) => effectUses[name].natures?.join(' ') ?? ''),
    effectRoles: effectNames.map((name) => effectUses[name].roles?.join(' ') ?? ''),
    effectKeeps: effectNames.map((name) => effectUses[name].keeps ?? ''),
    registeredTypes: registered.map((name) => kindOf(name).gst.irp ?? ''),
    rowSecurity: Object.keys(rowSecurity),
    rowSecurityMade: Object.values(rowSecurity),
    guards: Object.keys(guards),
    guardsMade: Object.values(guards),
    tables: Object.keys(tables),
    tablesMade: Object.values(tables),
  };
};

/**
 * Runs every check as the owner, in one snapshot, and tells how each went. Throws when the role could not see all rows:
 * a sweep that sees nothing finds nothing. `checkpoints`: the folder of what was signed; without one that is not checked.
 */
export async function sweep(pool: pg.Pool, checkpoints?: string): Promise<readonly Swept[]> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await sweepWithin(client, { ...(checkpoints !== undefined && { checkpoints }) });
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** A check whose text may depend on the database. */
interface Checking extends Omit<Check, 'sql'> {
  readonly sql: string | ((client: pg.ClientBase) => Promise<string>);
}

export interface SweptWith {
  readonly checkpoints?: string;
  /** Ids of the checks that run; every one when it is left out. */
  readonly only?: readonly string[];
  /** The most rows that are reported of one check. */
  readonly most?: number;
}

/** The same inside the transaction that the client has begun: it sees what that one has changed. */
export async function sweepWithin(
  client: pg.ClientBase,
  { checkpoints, only, most = MOST_TOLD }: SweptWith = {},
): Promise<readonly Swept[]> {
  const isAsked = ({ id }: { readonly id: string }) => only === undefined || only.includes(id);
  // each check walks whole tables: of tables that nobody has counted yet the planner thinks that they are small, and would
  // go through all rows of an organisation for each row of another
  await client.query('set local enable_nestloop = off');
  // the catalogue gives names of objects in another schema with that schema
  await client.query('set local search_path to public');
  await proveSight(client);
  const known = lists();
  const results: Swept[] = [];
  const logged: Checking = { ...LOGGED, sql: loggedCheck };
  for (const { id, says, sql, uses = [] } of [...checks, logged].filter(isAsked)) {
    const found = async () => {
      const text = typeof sql === 'string' ? sql : await sql(client);
      // materialized: hoping that the first rows end it early, the planner would merge by the organisation alone
      const { rows } = await client.query<Omit<Broken, 'id'> & { total: number }>(
        `with broken as materialized (${text}) select *, (count(*) over ())::int as total from broken limit ${most}`,
        uses.map((name) => known[name]),
      );
      const broken = rows.map((row) => ({ id, organisation: row.organisation, what: row.what }));
      return { broken, more: (rows[0]?.total ?? 0) - broken.length };
    };
    results.push(await timed(client, { id, says }, found));
  }
  const first = (all: readonly Broken[]) => ({ broken: all.slice(0, most), more: Math.max(0, all.length - most) });
  if (isAsked(REPLAY)) results.push(await timed(client, REPLAY, async () => first(await replayed(client))));
  if (checkpoints !== undefined)
    results.push(
      await timed(client, SIGNED, async () =>
        first((await brokenCheckpoints(client, checkpoints)).map((one) => ({ id: SIGNED.id, ...one }))),
      ),
    );
  return results;
}

/** One check with its time. A check that the database refuses is broken too, and does not stop the others. */
async function timed(
  client: pg.ClientBase,
  { id, says }: Pick<Swept, 'id' | 'says'>,
  check: () => Promise<Pick<Swept, 'broken' | 'more'>>,
): Promise<Swept> {
  const began = performance.now();
  await client.query('savepoint one_check');
  const found = await check().catch(async (error: Error) => {
    await client.query('rollback to savepoint one_check');
    return { broken: [{ id, organisation: null, what: `this could not be checked: ${error.message}` }], more: 0 };
  });
  await client.query('release savepoint one_check');
  return { id, says, ...found, milliseconds: performance.now() - began };
}

/** All that is broken, for tests and the metric. */
export const brokenInvariants = async (pool: pg.Pool, checkpoints?: string): Promise<readonly Broken[]> =>
  (await sweep(pool, checkpoints)).flatMap((s) => s.broken);

async function proveSight(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ role: string; sees: boolean }>(
    `
      select
        current_user::text as role,
        bool_or(rolsuper or rolbypassrls or pg_has_role(current_user, 'bahi_owner', 'usage')) as sees
      from pg_roles
      where rolname = current_user
      group by 1
    `,
  );
  if (!rows[0]?.sees)
    throw new Error(`The role ${rows[0]?.role} sees no organisation: the invariants are swept under the owner's URL.`);
}

/** Each item valued from nothing must give every movement the cost it has, unless a job is about to see to that. */
async function replayed(client: pg.ClientBase): Promise<readonly Broken[]> {
  const broken: Broken[] = [];
  const waiting = await beingRevalued(client);
  const balances = await client.query<{ key: string; layers: string; last_date: string | null }>(
    `
      select concat_ws('/', organisation, item, location) as key, layers::text as layers, last_date::text as last_date
      from item_balances
    `,
  );
  const kept = new Map(balances.rows.map((row) => [row.key, row]));
  for await (const item of itemsMoved(client)) {
    if (waiting.has(item.item)) continue;
    const { organisation, moved } = item;
    const { costOf, stockBalances } = valued(item);
    for (const m of moved)
      if (costOf(m) !== Number(m.cost))
        broken.push({
          id: REPLAY.id,
          organisation,
          what: `document ${m.document} movement ${m.number}: cost ${m.cost}, replay ${costOf(m)}`,
        });
    for (const [location, { balance }] of stockBalances) {
      const stored = kept.get([organisation, item.item, location].join('/'));
      const layers = `{${heldLayers(balance.layers)
        .flatMap((layer) => [layer.quantity, layer.value])
        .join(',')}}`;
      const day = moved.findLast((m) => m.location === location)?.date;
      if (stored && (stored.layers !== layers || stored.last_date !== day))
        broken.push({
          id: REPLAY.id,
          organisation,
          what: `item ${item.item} at ${location}: layers ${stored.layers} until ${stored.last_date}, replay ${layers} until ${day}`,
        });
    }
  }
  return broken;
}
