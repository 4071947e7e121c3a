import type { Day, Id } from '../../../domain/document/document.ts';
import type { ItemFacts, PartyFacts } from '../../../domain/document/resolve.ts';
import { type Shelves, shelfKey } from '../stock/shelves.ts';
import { asksBooks } from './booked.ts';
import { itemsIn, partiesIn } from './facts.ts';
import type { House } from './house.ts';
import { type Loaded, ledgersOf, shelvesOf, sourcesOf } from './load.ts';
import { payeeOf } from './tds-before.ts';
import type { Asked, Shelf } from './types.ts';

/**
 * What this process remembers of an organisation: masters, for as long as the version of the house stays, and shelves as the
 * last posting left them. An everyday posting is decided from it without asking. Nothing of it is trusted: the statement that
 * writes compares the version, the lock of the period and every shelf it moves at, and writes nothing when one of them
 * differs. No refusal is ever given from memory.
 */
export interface Memory {
  readonly house: House;
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

export const emptyMemory = (house: House): Memory => ({
  house,
  parties: new Map(),
  items: new Map(),
  takes: new Set(),
  shelves: new Map(),
  lockedThrough: undefined,
  pause: 0,
  misses: 0,
});

/** What a batch is decided from, and its shelves as they are taken to be. */
export interface Recalled {
  readonly loaded: Loaded;
  readonly shelves: Shelves;
  readonly was: Shelves;
}

/** All that the batch needs, or undefined when some of it has to be asked for. */
export function recall(memory: Memory, all: readonly Asked[]): Recalled | undefined {
  const { lockedThrough } = memory;
  if (memory.pause > 0) {
    memory.pause -= 1;
    return undefined;
  }
  if (lockedThrough === undefined || !all.every((asked) => isKnown(memory, asked))) return undefined;
  const [was, shelves, days]: [Shelves, Shelves, Map<string, Day>] = [new Map(), new Map(), new Map()];
  for (const { item, location, date } of all.flatMap((asked) => shelvesOf(asked, memory.house))) {
    if (!memory.items.get(item)?.stocked) continue;
    const key = shelfKey(item, location);
    const shelf = memory.shelves.get(key);
    const isBackDated = (shelf?.lastDate ?? date) > date || (days.get(key) ?? date) !== date;
    if (!shelf || isBackDated) return undefined;
    days.set(key, date);
    was.set(key, shelf);
    shelves.set(key, { ...shelf, lastRate: 0, touched: false });
  }
  const { parties, items, takes } = memory;
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
const isEveryday = (asked: Asked): boolean =>
  !asksBooks(asked) &&
  asked.mirrorOf === undefined &&
  asked.approves === undefined &&
  payeeOf(asked) === undefined &&
  sourcesOf(asked).length === 0 &&
  (asked.draft.allocations ?? []).length === 0 &&
  (asked.frees ?? []).length === 0 &&
  asked.draft.lines.every((l) => !l.batches?.length && !l.serials?.length && l.room === undefined);

/** An everyday posting whose party, items and ledgers are all remembered. */
export const isKnown = ({ parties, items, takes }: Memory, asked: Asked): boolean =>
  isEveryday(asked) &&
  partiesIn(asked.draft).every((id) => parties.has(id)) &&
  itemsIn(asked.draft).every((id) => items.has(id)) &&
  ledgersOf(asked.draft).every((id) => takes.has(id));

/** Keeps what was loaded under lock. Parties with a limit are asked for each time, for what they owe. */
export function remember(memory: Memory, loaded: Loaded, shelves: Shelves): void {
  const { parties, items, takes } = loaded.found;
  if (memory.parties.size + memory.items.size + memory.shelves.size > MOST_REMEMBERED)
    for (const kept of [memory.parties, memory.items, memory.takes, memory.shelves]) kept.clear();
  const limited = new Set((loaded.owed ?? []).map((o) => o.party));
  for (const [id, party] of parties) if (!limited.has(id)) memory.parties.set(id, party);
  for (const [id, item] of items) memory.items.set(id, item);
  for (const id of takes) memory.takes.add(id);
  memory.lockedThrough = loaded.lockedThrough;
  keepShelves(memory, shelves);
}

/** An empty shelf is asked for again: what leaves it costs what it held last. */
export function keepShelves(memory: Memory, shelves: Shelves): void {
  for (const [key, shelf] of shelves) {
    if (shelf.quantity > 0) memory.shelves.set(key, shelf);
    else memory.shelves.delete(key);
  }
}

/** What was remembered was so. */
export function proved(memory: Memory): void {
  memory.misses = 0;
}

/** Something has changed behind our back, or was not written: these shelves are not known any more. */
export function forget(memory: Memory, shelves: Shelves): void {
  for (const key of shelves.keys()) memory.shelves.delete(key);
  memory.pause = Math.min(2 ** memory.misses, LONGEST_PAUSE);
  memory.misses += 1;
}
