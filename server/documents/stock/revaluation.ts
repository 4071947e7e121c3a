import type pg from 'pg';
import { z } from 'zod';
import { Refusal } from '../../../contract/errors.ts';
import { quantityText } from '../../../domain/base/decimal.ts';
import type { Id } from '../../../domain/document/document.ts';
import { heldLayers } from '../../../domain/stock/valuation.ts';
import { Later } from '../../kit/later.ts';
import type { Loaded } from '../posting/load.ts';
import { bookSettings, type OrganisationSnapshot, readSnapshot } from '../posting/snapshot.ts';
import type { CheckedRequest, Decided } from '../posting/types.ts';
import { moveLater, type Revised, type StockBalances, shortLater } from './balances.ts';
import { NO_DAY, openBalances, type Point } from './open-balances.ts';
import { costRevision, differenceOf, writeRevision } from './revision.ts';

/** Whether one of these items waits to be valued again: what else is back-dated on it waits with it. */
export async function beingRevalued(
  client: pg.PoolClient,
  organisation: number,
  points: readonly Point[],
): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from revaluations where organisation = $1 and item = any($2::uuid[]) limit 1',
    [organisation, points.map((p) => p.item)],
  );
  return (rowCount ?? 0) > 0;
}

/** Refuses what would leave a stock balance negative on any day: quantities only, so that nothing has to be valued for it. */
export async function refuseShort(client: pg.PoolClient, { request, movements }: Decided): Promise<void> {
  if (request.settings.allowNegative) return;
  const changes = new Map<string, { readonly item: Id; readonly location: Id; readonly quantity: number }>();
  for (const { item, location, quantity } of movements) {
    const key = `${item}/${location}`;
    changes.set(key, { item, location, quantity: (changes.get(key)?.quantity ?? 0) + quantity });
  }
  for (const { item, location, quantity } of changes.values()) {
    if (quantity >= 0) continue;
    const { rows } = await client.query<{ date: string; held: string }>(
      'select date, held from first_short($1, $2, $3, $4, $5)',
      [request.organisation, item, location, request.draft.date, quantity],
    );
    const [first] = rows;
    const cause = movements.find((m) => m.item === item && m.location === location && m.quantity < 0);
    if (first)
      throw new Refusal(
        'stockShort',
        {
          item: request.names.item(item),
          location: request.names.location(location),
          quantity: quantityText(-Number(first.held)),
          date: first.date,
        },
        cause && !request.mirrorOf ? shortLater(request, cause, -Number(first.held), first.date) : [],
      );
  }
}

/** Marks the items as being revalued and leaves the rest to the job, in the transaction that posts. */
export async function markRevalued(
  client: pg.PoolClient,
  { organisation, id, draft }: CheckedRequest,
  points: readonly Point[],
): Promise<void> {
  await client.query(
    `
      insert into revaluations (organisation, item, document, since)
      select distinct $1::int, item, $2::uuid, $3::date
      from unnest($4::uuid[]) item
    `,
    [organisation, id, draft.date, points.map((p) => p.item)],
  );
  await client.query(`insert into outbox (organisation, task, payload, key) values ($1, 'revalueStock', $2, $3)`, [
    organisation,
    JSON.stringify({ organisation, document: id }),
    id,
  ]);
}

/**
 * Puts back into the outbox what still waits to be valued again after a minute: its process died. For the owner, over
 * all organisations.
 */
export const abandonedRevaluations = `
  insert into outbox (organisation, task, payload, key)
  select distinct
    r.organisation, 'revalueStock',
    jsonb_build_object('organisation', r.organisation, 'document', r.document), r.document::text
  from revaluations r
  where r.at < now() - interval '1 minute'
    and not exists (
      select from outbox o
      where o.task = 'revalueStock'
        and o.key = r.document::text
        and (o.handed_at is null or o.handed_at > now() - interval '1 minute')
    )
`;

export interface RevaluationWorks {
  readonly pool: pg.Pool;
  /** Tells the open pages of an organisation that figures changed. */
  readonly changed: (organisation: number) => void;
}

const job = z.object({ organisation: z.int(), document: z.uuid() });

/**
 * Values again the movements after a back-dated document, in one transaction under the locks of its items' stock balances, and writes one
 * cost revision. Documents that wait for the same items are done together: their revision names each. Done twice it does nothing.
 */
export const revalueStock =
  ({ pool, changed }: RevaluationWorks) =>
  async (payload: unknown): Promise<void> => {
    const { organisation, document } = job.parse(payload);
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('app.organisation', $1, true)`, [String(organisation)]);
      const { rows } = await client.query<{ locked_through: string | null }>(
        'select locked_through from locks where organisation = $1 for share',
        [organisation],
      );
      const snapshot = await readSnapshot(client, organisation);
      const done = await revalue(client, snapshot, rows[0]?.locked_through ?? null, document);
      await client.query('commit');
      if (done) changed(organisation);
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  };

async function revalue(
  client: pg.PoolClient,
  snapshot: OrganisationSnapshot,
  lockedThrough: string | null,
  document: Id,
): Promise<boolean> {
  const { organisation } = snapshot;
  const asked = await together(client, organisation, document);
  const balances = await lockBalances(client, organisation, asked.items);
  // read again under the lock: another worker may have done it, another document may have come to wait
  const waiting = await together(client, organisation, document);
  if (waiting.items.length === 0) return false;
  if (waiting.items.some((item) => !asked.items.includes(item))) throw new Later('more items wait than were locked');
  const [cause] = waiting.causes;
  if (!cause) throw new Error(`${document} is not there`);
  await client.query(`select set_config('app.user', $1, true)`, [cause.author]);
  const settings = bookSettings(snapshot);
  const { stockBalances, later } = await openBalances(
    client,
    organisation,
    { balances },
    settings,
    balances.map(({ item, location }) => ({ item, location, date: waiting.since, sequence: 0 })),
    null,
    'plain',
  );
  const name = () => '';
  const revised = moveLater(stockBalances, later, { settings, names: { item: name, location: name } }, []);
  const revision = costRevision(
    { settings, ledgers: snapshot.ledgers, locks: snapshot.locks, lockedThrough },
    revised.map(differenceOf),
  );
  if (revision) {
    await writeRevision(client, snapshot, { organisation, user: cause.author, draft: cause }, revision);
    await client.query(
      `insert into document_links (organisation, source, target, role) select $1, $2, target, 'revision' from unnest($3::uuid[]) target`,
      [organisation, revision.id, waiting.causes.map((c) => c.id)],
    );
  }
  await keepCosts(client, organisation, cause.id, revised);
  await keepBalances(client, organisation, stockBalances);
  await client.query('delete from revaluations where organisation = $1 and document = any($2::uuid[])', [
    organisation,
    waiting.causes.map((c) => c.id),
  ]);
  return true;
}

interface Waiting {
  /** In the order of their days. */
  readonly causes: readonly {
    readonly id: Id;
    readonly author: Id;
    readonly registration: Id;
    readonly location: Id;
  }[];
  readonly items: readonly Id[];
  readonly since: string;
}

/** All that waits together with a document: by an item of its own, or through other documents that share one. */
async function together(client: pg.PoolClient, organisation: number, document: Id): Promise<Waiting> {
  const { rows } = await client.query<{
    id: Id;
    author: Id;
    registration: Id;
    location: Id;
    items: Id[];
    since: string;
  }>(
    `
      with recursive reached(document) as (
        select document
        from revaluations
        where organisation = $1 and document = $2
        union
        select b.document
        from reached
        join revaluations a on a.organisation = $1 and a.document = reached.document
        join revaluations b on b.organisation = $1 and b.item = a.item
      )
      select d.id, d.author, d.registration, d.location, array_agg(r.item) as items, min(r.since)::text as since
      from reached
      join revaluations r on r.organisation = $1 and r.document = reached.document
      join documents d on d.organisation = $1 and d.id = r.document
      group by d.organisation, d.id
      order by min(r.since), d.id
    `,
    [organisation, document],
  );
  return { causes: rows, items: [...new Set(rows.flatMap((r) => r.items))], since: rows[0]?.since ?? '' };
}

/** All stock balances of the items, in the order of every posting. */
async function lockBalances(
  client: pg.PoolClient,
  organisation: number,
  items: readonly Id[],
): Promise<NonNullable<Loaded['balances']>> {
  const { rows } = await client.query<{
    item: Id;
    location: Id;
    quantity: string;
    value: string;
    layers: string[];
    last_date: string | null;
  }>(
    `
      select item, location, quantity, value, layers, last_date
      from item_balances
      where organisation = $1 and item = any($2::uuid[])
      order by item, location
      for update
    `,
    [organisation, items],
  );
  return rows.map((r) => ({
    ...r,
    quantity: Number(r.quantity),
    value: Number(r.value),
    layers: r.layers.map(Number),
    first_date: NO_DAY,
    final_date: NO_DAY,
  }));
}

/** Costs are rows that are added, the latest counts. */
async function keepCosts(
  client: pg.PoolClient,
  organisation: number,
  cause: Id,
  revised: readonly Revised[],
): Promise<void> {
  await client.query(
    `
      insert into movement_costs (organisation, document, number, revision, cost, cause)
      select $1::int, t.document, t.number, t.revision, t.cost, $2::uuid
      from unnest($3::uuid[], $4::int[], $5::int[], $6::bigint[]) t(document, number, revision, cost)
    `,
    [
      organisation,
      cause,
      revised.map((r) => r.document),
      revised.map((r) => r.number),
      revised.map((r) => r.revision + 1),
      revised.map((r) => r.now),
    ],
  );
}

async function keepBalances(client: pg.PoolClient, organisation: number, stockBalances: StockBalances): Promise<void> {
  for (const { item, location, quantity, value, layers } of stockBalances.values())
    await client.query(
      'update item_balances set quantity = $4, value = $5, layers = $6 where organisation = $1 and item = $2 and location = $3',
      [organisation, item, location, quantity, value, heldLayers(layers).flatMap((l) => [l.quantity, l.value])],
    );
}
