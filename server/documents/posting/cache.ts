import type pg from 'pg';
import { Refusal } from '../../../contract/errors.ts';
import type { Day, Id } from '../../../domain/document/document.ts';
import type { ItemFacts, PartyFacts } from '../../../domain/document/resolve.ts';
import { partsMoved } from '../../../domain/stock/parts.ts';
import { Problems } from '../../kit/problems.ts';
import { balanceKeyOf, type StockBalances } from '../stock/balances.ts';
import { checkRequest } from './check.ts';
import { isUnapproved } from './checks/approve.ts';
import { asksBooks } from './checks/booked.ts';
import { decide } from './decide.ts';
import { itemsIn, partiesIn } from './facts/facts.ts';
import { payeeAt } from './facts/tds-before.ts';
import { balancesMovedBy, type Loaded, ledgersOf, sourcesOf } from './load.ts';
import { type OrganisationSnapshot, readSnapshot } from './snapshot.ts';
import type { Decided, Outcomes, PostingRequest, StockBalance } from './types.ts';
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
  keep(snapshot: OrganisationSnapshot, loaded: Loaded, stockBalances: StockBalances): void;
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
    keep(snapshot, loaded, stockBalances) {
      const cached = known.get(snapshot.organisation);
      if (cached?.snapshot === snapshot) remember(cached, loaded, stockBalances);
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
  const { loaded, stockBalances, was } = recalled;
  let decided: Decided[];
  try {
    decided = requests.map((one) =>
      decide(checkRequest(one, cache.snapshot, loaded), loaded, { stockBalances, later: [] }),
    );
  } catch (error) {
    // what would be refused is loaded first, and refused there; a bug is thrown
    if (error instanceof Refusal || error instanceof Problems) return undefined;
    throw error;
  }
  const needsMore = (one: Decided) => one.movements.some(hasParts) || isUnapproved(one, cache.snapshot.approvals);
  if (decided.some(needsMore)) return undefined;
  keepBalances(cache, stockBalances);
  return writeIfUnchanged(client, decided, stockBalances, { version: cache.snapshot.version, ...cache }, was).then(
    (written) => {
      if (written.length < requests.length) {
        forget(cache, stockBalances);
        return undefined;
      }
      proved(cache);
      return new Map(written.map((posted) => [posted.id, { posted }]));
    },
    (error) => {
      forget(cache, stockBalances);
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
  readonly stockBalances: Map<string, StockBalance>;
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
  stockBalances: new Map(),
  lockedThrough: undefined,
  pause: 0,
  misses: 0,
});

/** What a batch is decided from, and its stock balances as they are taken to be. */
interface CachedFacts {
  readonly loaded: Loaded;
  readonly stockBalances: StockBalances;
  readonly was: StockBalances;
}

/** All that the batch needs, or undefined when some of it has to be asked for. */
function recall(cache: CachedOrganisation, all: readonly PostingRequest[]): CachedFacts | undefined {
  const { lockedThrough } = cache;
  if (cache.pause > 0) {
    cache.pause -= 1;
    return undefined;
  }
  if (lockedThrough === undefined || !all.every((asked) => isKnown(cache, asked))) return undefined;
  const [was, stockBalances, days]: [StockBalances, StockBalances, Map<string, Day>] = [
    new Map(),
    new Map(),
    new Map(),
  ];
  for (const { item, location, date } of all.flatMap((asked) => balancesMovedBy(asked, cache.snapshot))) {
    if (!cache.items.get(item)?.stocked) continue;
    const key = balanceKeyOf(item, location);
    const stockBalance = cache.stockBalances.get(key);
    const isBackDated = (stockBalance?.lastDate ?? date) > date || (days.get(key) ?? date) !== date;
    if (!stockBalance || isBackDated) return undefined;
    days.set(key, date);
    was.set(key, stockBalance);
    stockBalances.set(key, { ...stockBalance, lastRate: 0, touched: false });
  }
  const { parties, items, takes } = cache;
  return {
    loaded: { keys: [], lockedThrough, found: { parties, items, takes, retiredLedgers: new Map() } },
    stockBalances,
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
function remember(cache: CachedOrganisation, loaded: Loaded, stockBalances: StockBalances): void {
  const { parties, items, takes } = loaded.found;
  if (cache.parties.size + cache.items.size + cache.stockBalances.size > MOST_REMEMBERED)
    for (const kept of [cache.parties, cache.items, cache.takes, cache.stockBalances]) kept.clear();
  const limited = new Set((loaded.owed ?? []).map((o) => o.party));
  for (const [id, party] of parties) if (!limited.has(id)) cache.parties.set(id, party);
  for (const [id, item] of items) cache.items.set(id, item);
  for (const id of takes) cache.takes.add(id);
  cache.lockedThrough = loaded.lockedThrough;
  keepBalances(cache, stockBalances);
}

/** An empty stock balance is asked for again: what leaves it costs what it held last. */
function keepBalances(cache: CachedOrganisation, stockBalances: StockBalances): void {
  for (const [key, stockBalance] of stockBalances) {
    // which goods its layers hold was found for one batch: only quantity and value of a layer are kept
    const layers = stockBalance.layers.map(({ quantity, value }) => ({ quantity, value }));
    if (stockBalance.quantity > 0) cache.stockBalances.set(key, { ...stockBalance, layers, issued: undefined });
    else cache.stockBalances.delete(key);
  }
}

/** What was remembered was still so. */
function proved(cache: CachedOrganisation): void {
  cache.misses = 0;
}

/** Another process has changed these stock balances, or they were not written: they are not known any more. */
function forget(cache: CachedOrganisation, stockBalances: StockBalances): void {
  for (const key of stockBalances.keys()) cache.stockBalances.delete(key);
  cache.pause = Math.min(2 ** cache.misses, LONGEST_PAUSE);
  cache.misses += 1;
}
