import type pg from 'pg';
import { isKind, kindOf, raisesPrice } from '../../../domain/document/kinds/index.ts';
import {
  asksLots,
  backDated,
  further,
  LockSetGrew,
  MOST_REVALUED,
  type Opened,
  openBalances,
  type Point,
  RevaluationTooLarge,
} from '../stock/open-balances.ts';
import { holdParts, loadParts } from '../stock/parts.ts';
import { beingRevalued, markRevalued, refuseShort } from '../stock/revaluation.ts';
import { writeRevision } from '../stock/revision.ts';
import { holdRooms } from '../stock/rooms.ts';
import type { PostingCache } from './cache.ts';
import { checkRequest } from './check.ts';
import { approve, approved, isUnapproved, unapproved } from './checks/approve.ts';
import { bookedIn, sharesDuplicates } from './checks/booked.ts';
import { refuseOverLimit } from './checks/credit-limit.ts';
import { explained } from './database-errors.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { firstAnswer } from './idempotency.ts';
import { type Loaded, load } from './load.ts';
import { refuseSettled } from './settling/settled-by.ts';
import type { OrganisationSnapshot } from './snapshot.ts';
import { bookSettings } from './snapshot.ts';
import type { CheckedRequest, Decided, Outcomes, Posted, PostingRequest } from './types.ts';
import { write } from './write.ts';

/*
 * The posting of documents, from top to bottom. A batch is one transaction on one connection:
 *
 *   open    lock and load all that the documents name: period, stock balances, open items, masters, keys
 *   check   each document with what it names; the problems of one do not stop the others
 *   value   open the stock balances that are moved, with the later movements of a back-dated document
 *   decide  tax, totals, stock, cost, entries, what is opened and settled
 *   limits  approval, credit limit, batches and stock rooms
 *   write   everything in one statement, which takes the numbers last; commit
 *   answer  id, number, total and warnings of each document
 *
 * Most documents do not come here: queue.ts tries cache.ts first, which decides from cached values and writes in one statement.
 * What it cannot post comes here. The cache can be switched off and changes no result.
 */

/** A connection that a queue holds for as long as it has something to do. */
export interface Lease {
  readonly client: pg.PoolClient;
  broken: boolean;
  isBack: boolean;
  /** Stops listening for errors of the connection. */
  unheard(): void;
}

const RETRIES = 5;
/** A race was lost: the next attempt sees what the other transaction did, and whether it used the same key. */
const isRetryable = (error: unknown): boolean => {
  const { code = '', constraint } = error as { code?: string; constraint?: string };
  return ['40001', '40P01'].includes(code) || (code === '23505' && constraint === 'idempotency_keys_pkey');
};

/** Thrown when a batch holds a document that must be posted in a transaction of its own. */
class MustPostAlone extends Error {
  constructor() {
    super('must be posted alone');
  }
}

/** How the movements after a back-dated document are valued again. */
interface Revaluing {
  /** Most movements that the posting values itself; more are left to a job. */
  readonly most: number;
  /** They are left to a job. */
  readonly deferred: boolean;
  /** Stock balances that have to be locked beside those of the documents. */
  readonly alsoLocked: readonly Point[];
}

/**
 * Posts the documents of one organisation in one transaction, and tries again when a race was lost. Two round trips when the
 * snapshot is still valid: begin and load, write and commit. Throws what stops the whole batch; a document with problems of
 * its own has them in its outcome.
 */
export async function postBatch(
  lease: Lease,
  cache: PostingCache,
  requests: readonly PostingRequest[],
  most: number,
): Promise<Outcomes> {
  const { client } = lease;
  const organisation = requests[0]?.organisation ?? 0;
  let revaluing: Revaluing = { most, deferred: false, alsoLocked: [] };
  let snapshot: OrganisationSnapshot | undefined;
  for (let attempt = 1; ; ) {
    try {
      const begun = client.query('begin');
      begun.catch(() => undefined); // the statements behind it on the same connection report its error
      snapshot = await cache.snapshot(client, organisation);
      const [, loaded] = await Promise.all([begun, load(client, requests, snapshot, revaluing.alsoLocked)]);
      if (loaded) return await checkDecideAndWrite(client, snapshot, requests, loaded, revaluing, alone(client, cache));
      cache.drop(organisation); // a master or a setting has changed
      await client.query('rollback');
    } catch (error) {
      await client.query('rollback').catch(() => {
        lease.broken = true;
      });
      // each time more balances are locked than before, and there are only so many
      if (error instanceof LockSetGrew)
        revaluing = { ...revaluing, alsoLocked: [...revaluing.alsoLocked, ...error.points] };
      else if (error instanceof RevaluationTooLarge && !revaluing.deferred)
        revaluing = { ...revaluing, deferred: true };
      else if (lease.broken) throw error;
      else if (attempt >= RETRIES || !isRetryable(error)) throw await explained(client, requests, snapshot, error);
      else attempt += 1;
    }
  }
}

/**
 * Posts a document inside a transaction that somebody else begins and ends: an import writes it with how far it is, and its dry
 * run takes all of it back. The steps and the checks are the same. Where it is refused, nothing of it stays, and the transaction
 * goes on.
 */
export async function postInside(
  client: pg.PoolClient,
  request: PostingRequest,
  snapshotNow: () => Promise<OrganisationSnapshot>,
  most: number = MOST_REVALUED,
): Promise<Posted> {
  let revaluing: Revaluing = { most, deferred: false, alsoLocked: [] };
  for (;;) {
    await client.query('savepoint posting');
    try {
      const snapshot = await snapshotNow();
      const loaded = await load(client, [request], snapshot, revaluing.alsoLocked);
      if (!loaded) {
        await client.query('release savepoint posting'); // a master or a setting has changed
        continue;
      }
      const outcomes = await checkDecideAndWrite(client, snapshot, [request], loaded, revaluing, inside(client));
      const { posted, error } = outcomes.get(request.id) ?? {};
      if (posted) return posted;
      throw error ?? new Error('posted without an answer');
    } catch (error) {
      await client.query('rollback to savepoint posting');
      if (error instanceof LockSetGrew)
        revaluing = { ...revaluing, alsoLocked: [...revaluing.alsoLocked, ...error.points] };
      else if (error instanceof RevaluationTooLarge && !revaluing.deferred)
        revaluing = { ...revaluing, deferred: true };
      else throw error;
    }
  }
}

/** How a posting ends: what was written stays, or nothing of it does. */
interface Ending {
  readonly keep: () => Promise<unknown>;
  readonly takeBack: () => Promise<unknown>;
  /** What is known of the stock balances once they stay. */
  readonly remember: PostingCache['keep'];
}
/** A batch has a transaction of its own. */
const alone = (client: pg.PoolClient, cache: PostingCache): Ending => ({
  keep: () => client.query('commit'),
  takeBack: () => client.query('rollback'),
  remember: (...known) => cache.keep(...known),
});
/** Whether what is written inside another transaction stays is not known yet: nothing is remembered of it. */
const inside = (client: pg.PoolClient): Ending => ({
  keep: () => client.query('release savepoint posting'),
  takeBack: () => client.query('rollback to savepoint posting'),
  remember: () => undefined,
});

/** The steps between "open" and "answer", on what was locked and loaded. */
async function checkDecideAndWrite(
  client: pg.PoolClient,
  snapshot: OrganisationSnapshot,
  requests: readonly PostingRequest[],
  loaded: Loaded,
  revaluing: Revaluing,
  { keep, takeBack, remember }: Ending,
): Promise<Outcomes> {
  const { outcomes, checked } = await checkEach(client, snapshot, requests, loaded);
  if (checked.length === 0) {
    await takeBack();
    return outcomes;
  }
  const stock = await openStock(client, snapshot, checked, loaded, revaluing);
  const parts = await loadParts(client, checked);
  const decided: Decided[] = [];
  for (const request of checked) {
    const one = await decideWithStock(client, snapshot, request, loaded, stock);
    await refuseSettled(client, request);
    if (isUnapproved(one, snapshot.approvals)) throw unapproved(one);
    refuseOverLimit(one, decided, loaded.owed ?? []);
    holdParts(one, decided, parts);
    decided.push(one);
  }
  await holdRooms(client, decided);
  for (const { request } of decided) await approve(client, request);
  // sent together: a commit behind a statement that failed takes everything back
  const [posted] = await Promise.all([
    write(client, decided, stock.opened.stockBalances),
    ...decided.flatMap((one) => approved(client, one)),
    keep(),
  ]);
  remember(snapshot, loaded, stock.opened.stockBalances);
  for (const one of posted) outcomes.set(one.id, { posted: one });
  return outcomes;
}

/** Checks each document. One that was posted under its key already has its first answer, one with problems has them. */
async function checkEach(
  client: pg.PoolClient,
  snapshot: OrganisationSnapshot,
  requests: readonly PostingRequest[],
  loaded: Loaded,
): Promise<{ readonly outcomes: Map<string, Outcome>; readonly checked: readonly CheckedRequest[] }> {
  const outcomes = new Map<string, Outcome>();
  const checked: CheckedRequest[] = [];
  // several notes about one supply share what it has left, whatever note they name
  const sharesSupply =
    (loaded.sources ?? []).some(({ root }) => root) ||
    requests.some(({ mirrorOf }) => mirrorOf && isKind(mirrorOf.kind) && raisesPrice(kindOf(mirrorOf.kind)));
  if (requests.length > 1 && (sharesSupply || sharesDuplicates(requests, snapshot))) throw new MustPostAlone();
  for (const request of requests) {
    try {
      const posted = await firstAnswer(client, request, loaded);
      if (posted) outcomes.set(request.id, { posted });
      else checked.push(checkRequest(request, snapshot, loaded, await bookedIn(client, request, snapshot)));
    } catch (error) {
      outcomes.set(request.id, { error });
    }
  }
  return { outcomes, checked };
}
type Outcome = Outcomes extends ReadonlyMap<string, infer One> ? One : never;

/** The stock balances of a batch, and what a back-dated document does to the movements behind it. */
interface OpenStock {
  readonly opened: Opened;
  /** Where the later movements are valued again in this posting. */
  readonly revalued: readonly Point[];
  /** Where that is left to a job: the document is valued as the last movement until then. */
  readonly left: readonly Point[];
  readonly most: number;
}

async function openStock(
  client: pg.PoolClient,
  snapshot: OrganisationSnapshot,
  checked: readonly CheckedRequest[],
  loaded: Loaded,
  { most, deferred }: Revaluing,
): Promise<OpenStock> {
  const points = backDated(loaded);
  // a back-dated document values others again, and an approval is written in the approver's name
  if (checked.length > 1 && (points.length > 0 || checked.some(({ approves }) => approves))) throw new MustPostAlone();
  const isLeft = points.length > 0 && (deferred || (await beingRevalued(client, snapshot.organisation, points)));
  const [revalued, left] = isLeft ? [[], points] : [points, []];
  const opened = await openBalances(
    client,
    snapshot.organisation,
    loaded,
    bookSettings(snapshot),
    revalued,
    most,
    asksLots(checked),
  );
  return { opened, revalued, left, most };
}

/**
 * Decides one document. Where it changes the cost of goods that went on to other balances, those are opened too, and it is
 * decided again; the changes are written as a cost revision.
 */
async function decideWithStock(
  client: pg.PoolClient,
  snapshot: OrganisationSnapshot,
  request: CheckedRequest,
  loaded: Loaded,
  { opened, revalued, left, most }: OpenStock,
): Promise<Decided> {
  let one: Decision = decide(request, loaded, opened);
  for (let reached = revalued; ; ) {
    reached = await further(client, request.organisation, one.revised, reached, opened.stockBalances);
    if (reached.length === 0) break;
    const wider = await openBalances(
      client,
      request.organisation,
      loaded,
      request.settings,
      reached,
      most,
      asksLots([request]),
    );
    one = decide(request, loaded, wider);
    for (const [key, stockBalance] of wider.stockBalances) opened.stockBalances.set(key, stockBalance);
  }
  if (left.length > 0) {
    await refuseShort(client, one);
    await markRevalued(client, request, left);
  }
  if (!one.costRevision) return one;
  await writeRevision(client, snapshot, request, one.costRevision);
  return { ...one, links: [...one.links, { source: one.costRevision.id, role: 'revision' }] };
}
