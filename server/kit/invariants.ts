import type pg from 'pg';
import { millionths } from '../../domain/decimal.ts';
import { kindNames, kindOf } from '../../domain/kinds/index.ts';
import { paise } from '../../domain/money.ts';
import { emptyBalance, type Method, replay } from '../../domain/valuation.ts';
import { checks, type KindLists } from './invariant-checks.ts';

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
  readonly milliseconds: number;
}

/** Most rows that are told of one check. */
const MOST_TOLD = 20;

const REPLAY = {
  id: 'INV-24a',
  says: 'Valuing all movements again from nothing gives every issue the same cost',
} as const;

const lists = (): KindLists => {
  const registered = kindNames.filter((name) => kindOf(name).gst.irp !== undefined);
  return {
    pricedFromSource: kindNames.filter((name) => kindOf(name).pricedFromSource),
    transfers: kindNames.filter((name) => kindOf(name).stock === 'transferOut' || kindOf(name).stock === 'transferIn'),
    gstNumbered: kindNames.filter((name) => kindOf(name).gstNumber),
    registered,
    registeredTypes: registered.map((name) => kindOf(name).gst.irp ?? ''),
  };
};

/**
 * Runs every check as the owner, in one snapshot, and tells how each went. Throws when the role could not see all rows:
 * a sweep that sees nothing finds nothing.
 */
export async function sweep(pool: pg.Pool): Promise<readonly Swept[]> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await proveSight(client);
    const known = lists();
    const results: Swept[] = [];
    for (const { id, says, sql, uses = [] } of checks) {
      const began = performance.now();
      const { rows } = await client.query<Omit<Broken, 'id'>>(
        `select * from (${sql}) broken limit ${MOST_TOLD}`,
        uses.map((name) => known[name]),
      );
      results.push({
        id,
        says,
        broken: rows.map((row) => ({ id, organisation: row.organisation, what: row.what })),
        milliseconds: performance.now() - began,
      });
    }
    const began = performance.now();
    const broken = await replayed(client);
    return [...results, { ...REPLAY, broken, milliseconds: performance.now() - began }];
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** All that is broken, for tests and the metric. */
export const brokenInvariants = async (pool: pg.Pool): Promise<readonly Broken[]> =>
  (await sweep(pool)).flatMap((s) => s.broken);

async function proveSight(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ role: string; sees: boolean }>(
    `select current_user::text as role, bool_or(rolsuper or rolbypassrls or pg_has_role(current_user, 'bahi_owner', 'usage')) as sees from pg_roles where rolname = current_user group by 1`,
  );
  if (!rows[0]?.sees)
    throw new Error(`The role ${rows[0]?.role} sees no organisation: the invariants are swept under the owner's URL.`);
}

interface MovementRow {
  organisation: number;
  method: Method;
  item: string;
  location: string;
  document: string;
  number: number;
  quantity: string;
  stated_value: string | null;
  cost: string;
}

/** Movements come shelf by shelf in date order, a portion at a time; each shelf is valued from nothing. */
async function replayed(client: pg.PoolClient): Promise<readonly Broken[]> {
  await client.query(`declare moved no scroll cursor for
    select m.organisation, coalesce(o.settings ->> 'valuation', 'average') as method, m.item, m.location, m.document, m.number, m.quantity, m.stated_value, c.cost
      from movements m join organisations o on o.organisation = m.organisation
      join lateral (select cost from movement_costs k where k.organisation = m.organisation and k.document = m.document and k.number = m.number order by revision desc limit 1) c on true
     order by m.organisation, m.item, m.location, m.date, m.sequence`);
  const broken: Broken[] = [];
  let shelf: MovementRow[] = [];
  for (;;) {
    const { rows } = await client.query<MovementRow>('fetch 5000 from moved');
    for (const row of rows) {
      const [first] = shelf;
      const same =
        first?.organisation === row.organisation && first.item === row.item && first.location === row.location;
      if (!same) {
        broken.push(...differences(shelf));
        shelf = [];
      }
      shelf.push(row);
    }
    if (rows.length === 0) break;
  }
  await client.query('close moved');
  return [...broken, ...differences(shelf)].slice(0, MOST_TOLD);
}

function differences(shelf: readonly MovementRow[]): Broken[] {
  const [first] = shelf;
  if (!first) return [];
  const { costs } = replay(
    first.method,
    emptyBalance,
    shelf.map((m) => ({
      quantity: millionths(Number(m.quantity)),
      // as in posting: a receipt keeps what it was stated at, a return or an arrival the cost it came with
      ...(m.stated_value !== null
        ? { value: paise(Number(m.stated_value)) }
        : Number(m.quantity) > 0
          ? { value: paise(Number(m.cost)) }
          : {}),
    })),
  );
  return shelf.flatMap((m, i) =>
    costs[i] === Number(m.cost)
      ? []
      : [
          {
            id: REPLAY.id,
            organisation: m.organisation,
            what: `document ${m.document} movement ${m.number}: cost ${m.cost}, replay ${costs[i]}`,
          },
        ],
  );
}
