import type { Day, Id } from '../../../domain/document/document.ts';
import type { ItemFacts, PartyFacts } from '../../../domain/document/resolve.ts';
import { type Shelves, shelfKey } from '../stock/shelves.ts';
import { asksBooks } from './booked.ts';
import { itemsIn, partiesIn } from './facts.ts';
import { type Loaded, ledgersOf, shelvesOf, sourcesOf } from './load.ts';
import type { OrganisationSnapshot } from './snapshot.ts';
import { payeeOf } from './tds-before.ts';
import type { PostingRequest, Shelf } from './types.ts';

/**
 * What this process remembers of an organisation: masters, for as long as the version of the snapshot stays, and shelves as the
 * last posting left them. An everyday posting is decided from it without asking. Nothing of it is trusted: the statement that
 * writes compares the version, the lock of the period and every shelf it moves at, and writes nothing when one of them
 * differs. No refusal is ever given from cache.
 */
export interface PostingCache {
  readonly snapshot: OrganisationSnapshot;
  readonly parties: Map<Id, PartyFacts>;
  readonly items: Map<Id, ItemFacts>;
  /** Ledgers that take entries. */
  readonly takes: Set<Id>;
  readonly shelves: Map<string, Shelf>;
  /** Undefined until the first posting has asked. */
  lockedThrough: Day | null | undefined;
  /** Another process works with the same shelves: for so many batches it is not tried. */
  pause: number;
  misses: number;
}

const MOST_REMEMBERED = 50_000;
const LONGEST_PAUSE = 64;

export const emptyCache = (snapshot: OrganisationSnapshot): PostingCache => ({
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
export interface CachedFacts {
  readonly loaded: Loaded;
  readonly shelves: Shelves;
  readonly was: Shelves;
}

/** All that the batch needs, or undefined when some of it has to be asked for. */
export function recall(cache: PostingCache, all: readonly PostingRequest[]): CachedFacts | undefined {
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
const isEveryday = (asked: PostingRequest): boolean =>
  !asksBooks(asked) &&
  asked.mirrorOf === undefined &&
  asked.approves === undefined &&
  payeeOf(asked) === undefined &&
  sourcesOf(asked).length === 0 &&
  (asked.draft.allocations ?? []).length === 0 &&
  (asked.frees ?? []).length === 0 &&
  asked.draft.lines.every((l) => !l.batches?.length && !l.serials?.length && l.room === undefined);

/** An everyday posting whose party, items and ledgers are all remembered. */
export const isKnown = ({ parties, items, takes }: PostingCache, asked: PostingRequest): boolean =>
  isEveryday(asked) &&
  partiesIn(asked.draft).every((id) => parties.has(id)) &&
  itemsIn(asked.draft).every((id) => items.has(id)) &&
  ledgersOf(asked.draft).every((id) => takes.has(id));

/** Keeps what was loaded under lock. Parties with a limit are asked for each time, for what they owe. */
export function remember(cache: PostingCache, loaded: Loaded, shelves: Shelves): void {
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
export function keepShelves(cache: PostingCache, shelves: Shelves): void {
  for (const [key, shelf] of shelves) {
    if (shelf.quantity > 0) cache.shelves.set(key, shelf);
    else cache.shelves.delete(key);
  }
}

/** What was remembered was so. */
export function proved(cache: PostingCache): void {
  cache.misses = 0;
}

/** Something has changed behind our back, or was not written: these shelves are not known any more. */
export function forget(cache: PostingCache, shelves: Shelves): void {
  for (const key of shelves.keys()) cache.shelves.delete(key);
  cache.pause = Math.min(2 ** cache.misses, LONGEST_PAUSE);
  cache.misses += 1;
}
