import { type Millionths, millionths, ONE } from '../base/decimal.ts';
import type { DraftLine, Id } from '../document/document.ts';
import { partName } from './parts.ts';

/** What one of several people counted of a line, with what the books had at that moment. */
export interface Counted {
  readonly round: number;
  /** When, as text that sorts. */
  readonly at: string;
  readonly quantity: Millionths;
  readonly serials?: readonly string[];
  readonly book: Millionths;
  readonly bookSerials?: readonly string[];
}

/** What came of a line: what was counted of it against what the books had when that was done. */
export interface Outcome {
  readonly counted: Millionths;
  readonly book: Millionths;
  readonly difference: Millionths;
  /** Goods came or went between the first and the last who counted it: one of the two did not see them. */
  readonly moved: boolean;
  /** Serial numbers that the books have and nobody saw, and the other way round. */
  readonly missing: readonly string[];
  readonly found: readonly string[];
}

/**
 * Several people count parts of the same shelf: theirs are added. Who counts again does so for all of the line, so the last
 * round counts alone. Undefined when nobody has counted it.
 */
export function outcomeOf(counts: readonly Counted[]): Outcome | undefined {
  const round = Math.max(...counts.map((count) => count.round));
  const mine = counts.filter((count) => count.round === round).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const last = mine.at(-1);
  if (!last) return undefined;
  const counted = millionths(mine.reduce((sum, { quantity }) => sum + quantity, 0));
  const seen = new Set(mine.flatMap(({ serials = [] }) => serials.map(partName)));
  const known = last.bookSerials ?? [];
  return {
    counted,
    book: last.book,
    difference: millionths(counted - last.book),
    moved: mine.some(({ book }) => book !== last.book),
    missing: known.filter((serial) => !seen.has(serial)),
    found: [...seen].filter((serial) => !known.includes(serial)).sort(),
  };
}

/** A line of a sheet as it is put right. */
export interface CountLine {
  readonly item: Id;
  readonly unit: string;
  readonly room?: Id;
  readonly batch?: string;
  readonly expiry?: string;
  readonly serialised: boolean;
  /** What one is worth, for what was found beyond the books. */
  readonly rate: Millionths;
}

/** The lines of an adjustment that bring the books to what was counted: none where they agree. */
export function adjusting(line: CountLine, { difference, missing, found }: Outcome): DraftLine[] {
  const { item, unit, room, batch, expiry, serialised, rate } = line;
  const one = (delta: number, serials?: readonly string[]): DraftLine => ({
    item,
    unit,
    delta: millionths(delta),
    ...(delta > 0 && { rate }),
    ...(room !== undefined && { room }),
    ...(batch !== undefined && {
      batches: [{ batch, quantity: millionths(Math.abs(delta)), ...(expiry && { expiry }) }],
    }),
    ...(serials && { serials: [...serials] }),
  });
  if (!serialised) return difference === 0 ? [] : [one(difference)];
  return [
    ...(missing.length > 0 ? [one(-missing.length * ONE, missing)] : []),
    ...(found.length > 0 ? [one(found.length * ONE, found)] : []),
  ];
}
