import type pg from 'pg';
import { Refusal } from '../../../contract/errors.ts';
import type { Day, Id } from '../../../domain/document/document.ts';
import type { ItemFacts, PartyFacts } from '../../../domain/document/resolve.ts';
import { partsMoved } from '../../../domain/stock/parts.ts';
import { Problems } from '../../kit/problems.ts';
import { type Shelves, shelfKey } from '../stock/shelves.ts';
import { isUnapproved } from './approve.ts';
import { asksBooks } from './booked.ts';
import { checkRequest } from './check.ts';
import { decide } from './decide.ts';
import { itemsIn, partiesIn } from './facts.ts';
import { type Loaded, ledgersOf, shelvesOf, sourcesOf } from './load.ts';
import { type OrganisationSnapshot, readSnapshot } from './snapshot.ts';
import { payeeAt } from './tds-before.ts';
import type { Decided, Outcomes, PostingRequest, Shelf } from './types.ts';
import { writeIfUnchanged } from './write.ts';

/**
 * What a process remembers between postings, behind one interface. Nothing of it is trusted: the statement that writes
 * compares the version of the snapshot, the lock of the period and every stock balance it moves, and writes nothing when
 * one of them differs. No refusal is ever given from the cache. `withoutCache` is the same interface without a memory.
 */
export interface PostingCache {
  /** The snapshot of an organisation; `load` says whether it is still valid. */
  snapshot(client: pg.PoolClient, organisation: number): Promise<OrganisationSnapshot>;
  /** Forgets an organisation, because something in it has changed. */
  drop(organisation: number): void;
  /** Keeps what was loaded under lock, and the stock balances as the posting has left them. */
  keep(snapshot: OrganisationSnapshot, loaded: Loaded, shelves: Shelves): void;
  /** Whether all that a document needs is remembered. */
  has(request: PostingRequest): boolean;
  /**
   * Posts a batch in one statement, decided from what is remembered. Undefined, at once or later: nothing was written, and
   * the batch is to be posted by `postBatch`. Throws what is a bug, before anything is written.
   */
  post(client: pg.PoolClient, requests: readonly PostingRequest[]): Promise<Outcomes | undefined> | undefined;
}

/** Remembers nothing: every posting loads all that it needs. */
export const withoutCache: PostingCache = {
  snapshot: readSnapshot,
  drop: () => undefined,
  keep: () => undefined,
  has: () => false,
  post: () => undefined,
};

const MAX_ORGANISATIONS = 500;

export function postingCache(): PostingCache {
  const known = new Map<number, CachedOrganisation>();
  return {
    async snapshot(client, organisation) {
      const cached = known.get(organisation) ?? emptyCache(await readSnapshot(client, organisation));
      if (known.size > MAX_ORGANISATIONS) known.clear();
      known.set(organisation, cached);
      return cached.snapshot;
    },
    drop: (organisation) => void known.delete(organisation),
    keep(snapshot, loaded, shelves) {
      const cached = known.get(snapshot.organisation);
      if (cached?.snapshot === snapshot) remember(cached, loaded, shelves);
    },
    has(request) {
      const cached = known.get(request.organisation);
      return cached !== undefined && isKnown(cached, request);
    },
    post(client, requests) {
      const cached = known.get(requests[0]?.organisation ?? 0);
      return cached && requests.length > 0 ? postFromCache(client, cached, requests) : undefined;
    },
  };
}

function postFromCache(
  client: pg.PoolClient,
  cache: CachedOrganisation,
  requests: readonly PostingRequest[],
): Promise<Outcomes | undefined> | undefined {
  const recalled = recall(cache, requests);
  if (!recalled) return undefined;
  const { loaded, shelves, was } = recalled;
  let decided: Decided[];
  try {
    decided = requests.map((one) => decide(checkRequest(one, cache.snapshot, loaded), loaded, { shelves, later: [] }));
  } catch (error) {
    // what would be refused is loaded first, and refused there; a bug is thrown
    if (error instanceof Refusal || error instanceof Problems) return undefined;
    throw error;
  }
  const needsMore = (one: Decided) => one.movements.some(hasParts) || isUnapproved(one, cache.snapshot.approvals);
  if (decided.some(needsMore)) return undefined;
  keepShelves(cache, shelves);
  return writeIfUnchanged(client, decided, shelves, { version: cache.snapshot.version, ...cache }, was).then(
    (written) => {
      if (written.length < requests.length) {
        forget(cache, shelves);
        return undefined;
      }
      proved(cache);
      return new Map(written.map((posted) => [posted.id, { posted }]));
    },
    (error) => {
      forget(cache, shelves);
      if (error.code === 'BR409') return undefined; // a stock balance differs: nothing was written
      throw error;
    },
  );
}

/** Goods kept by batch or serial number: their batches are loaded for each posting. */
const hasParts = (movement: Decided['movements'][number]): boolean => partsMoved(movement).length > 0;

/** What is remembered of an organisation: masters as long as its version stays, and stock balances as its last posting left them. */
interface CachedOrganisation {
  readonly snapshot: OrganisationSnapshot;
  readonly parties: Map<Id, PartyFacts>;
  readonly items: Map<Id, ItemFacts>;
  /** Ledgers that take entries. */
  readonly takes: Set<Id>;
  readonly shelves: Map<string, Shelf>;
  /** Undefined until the first posting has asked. */
  lockedThrough: Day | null | undefined;
  /** Another process moves the same stock: for so many batches the cache is not tried. */
  pause: number;
  misses: number;
}

const MOST_REMEMBERED = 50_000;
const LONGEST_PAUSE = 64;

const emptyCache = (snapshot: OrganisationSnapshot): CachedOrganisation => ({
  snapshot,
  parties: new Map(),
  items: new Map(),
  takes: new Set(),
  shelves: new Map(),
  lockedThrough: undefined,
  pause: 0,
  misses: 0,
});

/** What a batch is decided from, and its shelves as they are taken to be. */
interface CachedFacts {
  readonly loaded: Loaded;
  readonly shelves: Shelves;
  readonly was: Shelves;
}

/** All that the batch needs, or undefined when some of it has to be asked for. */
function recall(cache: CachedOrganisation, all: readonly PostingRequest[]): CachedFacts | undefined {
  const { lockedThrough } = cache;
  if (cache.pause > 0) {
    cache.pause -= 1;
    return undefined;
  }
  if (lockedThrough === undefined || !all.every((asked) => isKnown(cache, asked))) return undefined;
  const [was, shelves, days]: [Shelves, Shelves, Map<string, Day>] = [new Map(), new Map(), new Map()];
  for (const { item, location, date } of all.flatMap((asked) => shelvesOf(asked, cache.snapshot))) {
    if (!cache.items.get(item)?.stocked) continue;
    const key = shelfKey(item, location);
    const shelf = cache.shelves.get(key);
    const isBackDated = (shelf?.lastDate ?? date) > date || (days.get(key) ?? date) !== date;
    if (!shelf || isBackDated) return undefined;
    days.set(key, date);
    was.set(key, shelf);
    shelves.set(key, { ...shelf, lastRate: 0, touched: false });
  }
  const { parties, items, takes } = cache;
  return {
    loaded: { keys: [], lockedThrough, found: { parties, items, takes, retiredLedgers: new Map() } },
    shelves,
    was,
  };
}

/**
 * Waiting for no approval, deducting no tax by what was paid before, made from no other document, settling none,
 * undoing none, without batches, serial numbers and stock rooms, and with nothing to look for in the books.
 */
const isEveryday = (snapshot: OrganisationSnapshot, asked: PostingRequest): boolean =>
  !asksBooks(asked, snapshot) &&
  asked.mirrorOf === undefined &&
  asked.approves === undefined &&
  payeeAt(snapshot, asked) === undefined &&
  sourcesOf(asked).length === 0 &&
  (asked.draft.allocations ?? []).length === 0 &&
  (asked.frees ?? []).length === 0 &&
  asked.draft.lines.every((l) => !l.batches?.length && !l.serials?.length && l.room === undefined);

/** An everyday posting whose party, items and ledgers are all remembered. */
const isKnown = ({ snapshot, parties, items, takes }: CachedOrganisation, asked: PostingRequest): boolean =>
  isEveryday(snapshot, asked) &&
  partiesIn(asked.draft).every((id) => parties.has(id)) &&
  itemsIn(asked.draft).every((id) => items.has(id)) &&
  ledgersOf(asked.draft).every((id) => takes.has(id));

/** Keeps what was loaded under lock. Parties with a limit are asked for each time, for what they owe. */
function remember(cache: CachedOrganisation, loaded: Loaded, shelves: Shelves): void {
  const { parties, items, takes } = loaded.found;
  if (cache.parties.size + cache.items.size + cache.shelves.size > MOST_REMEMBERED)
    for (const kept of [cache.parties, cache.items, cache.takes, cache.shelves]) kept.clear();
  const limited = new Set((loaded.owed ?? []).map((o) => o.party));
  for (const [id, party] of parties) if (!limited.has(id)) cache.parties.set(id, party);
  for (const [id, item] of items) cache.items.set(id, item);
  for (const id of takes) cache.takes.add(id);
  cache.lockedThrough = loaded.lockedThrough;
  keepShelves(cache, shelves);
}

/** An empty shelf is asked for again: what leaves it costs what it held last. */
function keepShelves(cache: CachedOrganisation, shelves: Shelves): void {
  for (const [key, shelf] of shelves) {
    // which goods its layers hold was found for one batch: only quantity and value of a layer are kept
    const layers = shelf.layers.map(({ quantity, value }) => ({ quantity, value }));
    if (shelf.quantity > 0) cache.shelves.set(key, { ...shelf, layers, gone: undefined });
    else cache.shelves.delete(key);
  }
}

/** What was remembered was still so. */
function proved(cache: CachedOrganisation): void {
  cache.misses = 0;
}

/** Another process has changed these stock balances, or they were not written: they are not known any more. */
function forget(cache: CachedOrganisation, shelves: Shelves): void {
  for (const key of shelves.keys()) cache.shelves.delete(key);
  cache.pause = Math.min(2 ** cache.misses, LONGEST_PAUSE);
  cache.misses += 1;
}
