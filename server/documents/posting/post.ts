import type pg from 'pg';
import { Refusal } from '../../../contract/errors.ts';
import { moneyText, ONE } from '../../../domain/base/decimal.ts';
import { scale } from '../../../domain/base/money.ts';
import { registers } from '../../../domain/books/registers.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
import type { Booked } from '../../../domain/document/resolve.ts';
import { partsMoved } from '../../../domain/stock/parts.ts';
import { Problems } from '../../kit/problems.ts';
import { holdParts, loadParts } from '../stock/parts.ts';
import {
  asksLots,
  backDated,
  further,
  LockSetGrew,
  type Opened,
  openShelves,
  type Point,
  RevaluationTooLarge,
} from '../stock/reach.ts';
import { beingRevalued, markRevalued, refuseShort } from '../stock/revaluation.ts';
import { writeRevision } from '../stock/revision.ts';
import { holdRooms } from '../stock/rooms.ts';
import { answeredWith, type KeptWarning } from './again.ts';
import { approve, approved, isUnapproved, unapproved } from './approve.ts';
import { asksBooks, bookedIn, sharesDuplicates } from './booked.ts';
import { emptyCache, forget, isKnown, keepShelves, type PostingCache, proved, recall, remember } from './cache.ts';
import { taxDeposited, throughBank } from './cancel.ts';
import { type Decision, decide } from './decide.ts';
import { chosen } from './facts.ts';
import { inIff } from './instead.ts';
import { type Loaded, load } from './load.ts';
import { bookSettings, ready } from './prepare.ts';
import { settledBy } from './settled-by.ts';
import { type OrganisationSnapshot, readSnapshot, seriesAt } from './snapshot.ts';
import type { CheckedRequest, Decided, Posted, PostingRequest } from './types.ts';
import { write, writeFromCache } from './write.ts';

/** By id of the document asked for. */
export type Outcomes = ReadonlyMap<string, { readonly posted?: Posted; readonly error?: unknown }>;

/** A connection that a queue holds for as long as it has something to do. */
export interface Lease {
  readonly client: pg.PoolClient;
  broken: boolean;
  isBack: boolean;
  /** Nobody listens any more whether it breaks. */
  unheard(): void;
}

/** What this process remembers of organisations; every posting proves that it is still so. */
export type PostingCaches = Map<number, PostingCache>;
const MAX_CACHES = 500;

const RETRIES = 5;
/** Lost a race: the next attempt sees what the other one did, a key used meanwhile included. */
const isRetryable = (error: unknown): boolean => {
  const { code = '', constraint } = error as { code?: string; constraint?: string };
  return ['40001', '40P01'].includes(code) || (code === '23505' && constraint === 'idempotency_keys_pkey');
};

/** All that it needs is remembered; whether it can be decided from that is seen then. */
export function isCached(caches: PostingCaches, asked: PostingRequest): boolean {
  const cache = caches.get(asked.organisation);
  return cache !== undefined && isKnown(cache, asked);
}

/** One round trip: decided from cache and written by a statement that proves it. Undefined when something has to be asked for first. */
export function postFromCache(
  { client }: Lease,
  caches: PostingCaches,
  all: readonly PostingRequest[],
): Promise<Outcomes | undefined> | undefined {
  const cache = caches.get(all[0]?.organisation ?? 0);
  const recalled = cache && all.length > 0 ? recall(cache, all) : undefined;
  if (!cache || !recalled) return undefined;
  const { loaded, shelves, was } = recalled;
  let decided: Decided[];
  try {
    decided = all.map((asked) => decide(ready(asked, cache.snapshot, loaded), loaded, { shelves, later: [] }));
  } catch {
    return undefined; // what is to be refused is asked for first
  }
  // what waits for a word is refused where it was asked for
  if (decided.some((one) => one.movements.some(hasParts) || isUnapproved(one, cache.snapshot.approvals)))
    return undefined;
  keepShelves(cache, shelves);
  return writeFromCache(client, decided, shelves, cache, was).then(
    (written) => {
      if (written.length < all.length) {
        forget(cache, shelves);
        return undefined;
      }
      proved(cache);
      return new Map(written.map((posted) => [posted.id, { posted }]));
    },
    (error) => {
      forget(cache, shelves);
      if (error.code === 'BR409') return undefined; // a shelf is not as it was remembered: nothing was written
      throw error;
    },
  );
}

/** Items that are kept by batch or serial number are asked for with their parts. */
const hasParts = (movement: Decided['movements'][number]): boolean => partsMoved(movement).length > 0;

/**
 * Two round trips, when nothing has changed in the snapshot: begin and load, write and commit. `most` is how many later movements
 * a back-dated posting values again itself; what has more behind it is left to a job.
 */
export async function postFromDatabase(
  lease: Lease,
  caches: PostingCaches,
  all: readonly PostingRequest[],
  most: number,
): Promise<Outcomes> {
  const { client } = lease;
  const organisation = all[0]?.organisation ?? 0;
  let wider: readonly Point[] = [];
  let deferred = false;
  for (let attempt = 1; ; ) {
    try {
      const begun = client.query('begin');
      begun.catch(() => undefined); // told by what follows on the same connection
      const cache = caches.get(organisation) ?? emptyCache(await readSnapshot(client, organisation));
      if (caches.size > MAX_CACHES) caches.clear();
      caches.set(organisation, cache);
      const [, loaded] = await Promise.all([begun, load(client, all, cache.snapshot, wider)]);
      if (loaded) return await decideAndWrite(client, all, cache, loaded, { most, deferred });
      caches.delete(organisation);
      await client.query('rollback');
    } catch (error) {
      await client.query('rollback').catch(() => {
        lease.broken = true;
      });
      // each time more shelves than before, of which there are only so many
      if (error instanceof LockSetGrew) wider = [...wider, ...error.points];
      else if (error instanceof RevaluationTooLarge && !deferred) deferred = true;
      else if (lease.broken) throw error;
      else if (attempt >= RETRIES || !isRetryable(error))
        throw await explained(client, all, caches.get(organisation)?.snapshot, error);
      else attempt += 1;
    }
  }
}

/** What was loaded under lock is checked, decided and written. A key that is known gets its answer; what has problems is left out. */
async function decideAndWrite(
  client: pg.PoolClient,
  all: readonly PostingRequest[],
  cache: PostingCache,
  loaded: Loaded,
  { most, deferred }: Revaluing,
): Promise<Outcomes> {
  const { snapshot } = cache;
  const outcomes = new Map<string, { readonly posted?: Posted; readonly error?: unknown }>();
  const requests: CheckedRequest[] = [];
  if (all.length > 1 && sharesDuplicates(all)) throw new MustPostAlone();
  for (const asked of all) {
    try {
      const posted = answered(asked, loaded);
      if (posted) outcomes.set(asked.id, { posted: await withWarnings(client, asked.organisation, posted) });
      else requests.push(ready(asked, snapshot, loaded, await bookedWith(client, asked, snapshot)));
    } catch (error) {
      outcomes.set(asked.id, { error });
    }
  }
  if (requests.length === 0) {
    await client.query('rollback');
    return outcomes;
  }
  const points = backDated(loaded);
  if (requests.length > 1 && (points.length > 0 || requests.some(({ approves }) => approves)))
    throw new MustPostAlone();
  // valued as if it were the last movement; what is wrong with that is put right by the job
  const left = points.length > 0 && (deferred || (await beingRevalued(client, snapshot.organisation, points)));
  const reached = left ? [] : points;
  const opened = await openShelves(
    client,
    snapshot.organisation,
    loaded,
    bookSettings(snapshot),
    reached,
    most,
    requests.some(asksLots),
  );
  const parts = await loadParts(client, requests);
  const decided: Decided[] = [];
  for (const request of requests) {
    const one = await decideThrough(client, snapshot, request, loaded, opened, reached, most);
    await refuseSettled(client, request);
    if (left) {
      await refuseShort(client, one);
      await markRevalued(client, request, points);
    }
    if (isUnapproved(one, snapshot.approvals)) throw unapproved(one);
    creditLimit(one, decided, loaded.owed ?? []);
    holdParts(one, decided, parts);
    decided.push(one);
  }
  await holdRooms(client, decided);
  for (const { request } of decided) await approve(client, request);
  // a commit behind a write that failed takes everything back
  const [written] = await Promise.all([
    write(client, decided, opened.shelves),
    ...decided.flatMap((one) => approved(client, one)),
    client.query('commit'),
  ]);
  remember(cache, loaded, opened.shelves);
  for (const posted of written) outcomes.set(posted.id, { posted });
  return outcomes;
}

/**
 * A settlement that came since the cancellation was prepared is refused under the lock of its open items; where settlements are
 * freed, one with a document that the user may not see.
 */
async function refuseSettled(client: pg.PoolClient, request: CheckedRequest) {
  const { organisation, mirrorOf, draft } = request;
  if (!mirrorOf) return;
  const { rows } = await client.query(
    `select s.document, s.location, s.number, s.amount, d.kind, d.to_location as "toLocation", d.author
       from settlements_of($1, $2) s
       join documents d
         on d.organisation = $1
        and d.id = s.document
      order by s.number`,
    [organisation, mirrorOf.document],
  );
  const barred = mirrorOf.frees ? rows.some((row) => !request.mayName(row)) : rows.length > 0;
  if (barred) throw settledBy(rows, request, draft.reference ?? '');
}

/** How a back-dated posting has the movements behind it valued again: itself, up to so many, or by a job. */
interface Revaluing {
  readonly most: number;
  readonly deferred: boolean;
}

/** A first answer that is given again has the warnings that are kept with its document. */
async function withWarnings(client: pg.PoolClient, organisation: number, posted: Posted): Promise<Posted> {
  const { rows } = await client.query<{ warnings: readonly KeptWarning[] | null }>(
    `select body -> 'warnings' as warnings from documents where organisation = $1 and id = $2`,
    [organisation, posted.id],
  );
  return answeredWith(posted, rows[0]?.warnings);
}

/** What the books say of a posting that has to look there. */
const bookedWith = (
  client: pg.PoolClient,
  asked: PostingRequest,
  snapshot: OrganisationSnapshot,
): Promise<Booked | undefined> | undefined =>
  asksBooks(asked)
    ? bookedIn(
        client,
        asked,
        seriesAt(snapshot, asked.kind, asked.draft.registration, asked.draft.location)?.id,
        snapshot.annualReturns[asked.draft.registration],
      )
    : undefined;

/** A back-dated post values others again, and an approval is written in the approver's name: not in a batch with others. */
class MustPostAlone extends Error {
  constructor() {
    super('goes alone');
  }
}

/** Decides, and as long as changed costs are carried on to further shelves, decides again with those. */
async function decideThrough(
  client: pg.PoolClient,
  snapshot: OrganisationSnapshot,
  request: CheckedRequest,
  loaded: Loaded,
  opened: Opened,
  points: readonly Point[],
  most: number,
): Promise<Decided> {
  let one: Decision = decide(request, loaded, opened);
  for (let reached = points; ; ) {
    reached = await further(client, request.organisation, one.revised, reached, opened.shelves);
    if (reached.length === 0) break;
    const wider = await openShelves(
      client,
      request.organisation,
      loaded,
      request.settings,
      reached,
      most,
      asksLots(request),
    );
    one = decide(request, loaded, wider);
    for (const [key, shelf] of wider.shelves) opened.shelves.set(key, shelf);
  }
  if (!one.costRevision) return one;
  await writeRevision(client, snapshot, request, one.costRevision);
  return { ...one, links: [...one.links, { source: one.costRevision.id, role: 'revision' }] };
}

/** The first answer to the same key, when it was asked the same. */
function answered(asked: PostingRequest, { keys }: Loaded): Posted | undefined {
  const known = asked.key ? keys.find((k) => k.key === asked.key) : undefined;
  if (known && known.digest !== asked.digest?.toString('hex')) throw new Refusal('keyReused');
  return known?.answer;
}

/** What a customer owes, with this batch, stays within his limit. */
function creditLimit(
  one: Decided,
  before: readonly Decided[],
  owed: readonly { readonly party: string; readonly name: string; readonly limit: number; readonly owed: number }[],
): void {
  const limited = owed.find((o) => owedBy(one, o.party) > 0);
  if (!limited) return;
  const alongside = before.reduce((t, d) => t + owedBy(d, limited.party), 0);
  const over = limited.owed + alongside + owedBy(one, limited.party) - limited.limit;
  if (over > 0) throw new Refusal('creditExceeded', { party: limited.name, amount: moneyText(over) });
}

/** What a document makes a customer owe more. */
const owedBy = ({ opens, request: { draft } }: Decided, party: Id): number =>
  opens.reduce((t, o) => (o.party === party && o.side === 'receivable' ? t + inRupees(o.original, draft) : t), 0);
const inRupees = (amount: number, { currency, exchangeRate }: Draft): number =>
  currency === 'INR' ? amount : scale(amount, exchangeRate, ONE);

/**
 * Constraints that a user can meet, in words; the rest are bugs. What the words name is read in a transaction of its
 * own: the one that failed is over.
 */
async function explained(
  client: pg.PoolClient,
  all: readonly PostingRequest[],
  snapshot: OrganisationSnapshot | undefined,
  error: unknown,
): Promise<unknown> {
  const { code, constraint } = error as pg.DatabaseError;
  const [asked] = all;
  // of several, each is asked again alone, and named then
  if (!asked || all.length > 1) return error;
  if (code === 'BR130' || (code === '23505' && constraint === 'documents_pkey')) return draftGone(client, asked);
  if (code === '23505' && constraint === 'documents_number' && snapshot)
    return new Refusal('numberTaken', { number: asked.number ?? (await nextNumber(client, asked, snapshot)) });
  return inWords(error, asked);
}

/** Reads for a message, as the organisation that asked. */
async function readFor<R extends pg.QueryResultRow>(
  client: pg.PoolClient,
  { organisation }: PostingRequest,
  text: string,
  values: unknown[],
): Promise<R[]> {
  await client.query('begin read only');
  try {
    await client.query(`select set_config('app.organisation', $1, true)`, [String(organisation)]);
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.query('rollback');
  }
}

/** The draft was posted, changed or deleted since it was read. */
async function draftGone(client: pg.PoolClient, asked: PostingRequest): Promise<Refusal> {
  const [found] = await readFor<{ number: string | null; who: string | null }>(
    client,
    asked,
    `select (select number from documents where organisation = $1 and id = $2) as number,
            (select u.name from drafts d join users u on u.organisation = d.organisation and u.id = coalesce(d.rejected_by, d.author)
              where d.organisation = $1 and d.id = $2) as who`,
    [asked.organisation, asked.id],
  );
  if (found?.number) return new Refusal('alreadyPosted', { number: found.number });
  return found?.who ? new Refusal('stale', { who: found.who }) : new Refusal('notFound');
}

/** The number that its series gives next. */
async function nextNumber(
  client: pg.PoolClient,
  asked: PostingRequest,
  snapshot: OrganisationSnapshot,
): Promise<string> {
  const { draft, kind } = asked;
  const place = snapshot.locations.get(draft.location);
  const series = chosen(
    seriesAt(snapshot, kind, draft.registration, draft.location),
    kind,
    place?.code ?? '',
    draft.date,
  );
  const [counter] = await readFor<{ next: number }>(
    client,
    asked,
    'select next from series_counters where organisation = $1 and series = $2 and period = $3',
    [asked.organisation, series.id, series.period],
  );
  return `${series.prefix}${String(counter?.next ?? series.start).padStart(series.padding, '0')}${series.suffix}`;
}

function inWords(error: unknown, asked: PostingRequest): unknown {
  const { code, constraint, column, detail, message } = error as pg.DatabaseError;
  // a reversal refers to the number of what it cancels
  const number = asked.mirrorOf ? (asked.draft.reference ?? '') : 'This document';
  if (code === 'BR046') return new Refusal('numberTooLong', { number: message });
  if (constraint === 'drafts_waiting') return new Refusal('draftSubmitted');
  if (code === 'BR047') return new Refusal('tillClosed');
  if (code === 'BR048') return new Refusal('tillMoved');
  if (code === 'BR049') return new Refusal('notFound');
  // what it frees was freed meanwhile, or more of it was used
  if (code === '23514' && constraint?.startsWith('open_items')) return new Refusal('figuresChanged');
  if (code === 'BR054' || code === 'BR069') return new Refusal('figuresChanged');
  if (code === 'BR070') return new Problems([{ field: 'serial', message: 'This challan is in the books already' }]);
  if (code === '23505' && (constraint === 'documents_reversal' || constraint === 'cancellations_pkey'))
    return new Refusal('alreadyCancelled', { number });
  if (constraint === 'allocations_allowance') return new Refusal('figuresChanged');
  if (constraint === 'allocations_irn') return new Refusal('irnCancelled', { number: message });
  if (constraint === 'allocations_locked')
    return new Refusal('registerLocked', { register: registers.money[1], date: message });
  if (constraint === 'cancellations_furnished') return inIff(number, asked.mirrorOf?.kind ?? '', message);
  if (constraint === 'cancellations_cleared') return new Refusal('notCancellable', { number, reason: throughBank });
  if (constraint === 'workflow_held') {
    const [number = '', stage = ''] = message.split('\n');
    return new Refusal('heldAtStage', { number, stage });
  }
  if (constraint === 'cancellations_irn')
    return new Refusal('notCancellable', { number, reason: 'it is on its way to the invoice portal' });
  if (constraint === 'cancellations_eway')
    return new Refusal('notCancellable', { number, reason: 'its e-way bill must be cancelled first' });
  if (constraint === 'documents_covered')
    return new Problems([{ field: 'customs.covers', message: 'Another bill of entry covers some of these goods' }]);
  if (constraint === 'cancellations_deposited')
    return new Refusal('notCancellable', { number, reason: taxDeposited('a challan that came meanwhile') });
  if (constraint === 'cancellations_landed')
    return new Refusal('notCancellable', { number, reason: 'a document was made from it meanwhile' });
  if (code === '23503') {
    const named = column ?? /Key \(organisation, "?(\w+)/.exec(detail ?? '')?.[1] ?? '';
    return new Problems([{ field: naming[named] ?? '', message: 'What is named here does not exist' }]);
  }
  return error;
}

/** The field of a draft that a foreign key of the books speaks of. */
const naming: Readonly<Record<string, string>> = {
  item: 'lines.item',
  party: 'lines.party',
  source: 'against',
  source_document: 'lines.source',
  ledger: 'lines.ledger',
  location: 'toLocation',
  to_location: 'toLocation',
  room: 'lines.room',
  cost_centre: 'costCentre',
};
