import type { Millionths } from '../base/decimal.ts';
import { millionths } from '../base/decimal.ts';
import { apportion, type Paise, paise, scale, sum, zero } from '../base/money.ts';
import type { Draft, DraftLine, Id, Movement, PricedLine } from '../document/document.ts';
import type { Method } from './valuation.ts';

/** A line of a bill with what came in through it; without item and quantity nothing of it went into stock. */
export interface ReceivedLine {
  readonly line: number;
  readonly taxable: Paise;
  readonly received?: Received;
}

interface Received {
  readonly item: Id;
  readonly location: Id;
  readonly quantity: Millionths;
  /** Key of the movement that brought it in. */
  readonly of: string;
}

/** How the stock is kept that a cost comes to. */
export interface Holding {
  readonly method: Method;
  readonly held: (item: Id, location: Id) => Millionths;
}

/** What a cost that arrives after its goods does to stock, and how much of it belongs to each line of goods kept in stock. */
export interface Landed {
  /** They move no quantity: their value is added to the stock at the location, or to the layers that hold the goods. */
  readonly movements: readonly Movement[];
  /** By line of the bill; what is left of the cost belongs to no stock. */
  readonly shares: ReadonlyMap<number, Paise>;
}

/** What customs asks for that no credit comes back for: it is part of what the goods cost (AS 2). */
export const dutyOf = ({ customs }: Pick<Draft, 'customs'>, withCredit: boolean): Paise =>
  sum([customs?.basic ?? zero, customs?.surcharge ?? zero, withCredit ? zero : (customs?.igst ?? zero)]);

/**
 * Shares a cost over the lines of the bill that it belongs to, by their value. Of each share so much goes into stock as
 * there is still of the goods (a stock balance never holds more of a bill than it received); the rest was sold and is their cost.
 * Where layers are kept, valuation says how much that is: it knows which goods are still there.
 */
export function land(cost: Paise, lines: readonly ReceivedLine[], holding: Holding): Landed {
  return landShares(
    apportion(
      cost,
      lines.map((l) => l.taxable),
    ),
    lines,
    holding,
  );
}

/** Goods of a bill line, as far as they did not go back to their supplier. */
export interface Bought {
  /** Key of the movement that brought them in. */
  readonly of: string;
  readonly item: Id;
  readonly location: Id;
  readonly quantity: Millionths;
  readonly back: Millionths;
}

/**
 * What a note does that changes the price of a bill: rebates and price cuts are taken off the cost of purchase (AS 2, Ind AS 2).
 * `boughtBy` finds the goods of the line that a line of the note corrects in the end; what names none, or no stock, changes no stock.
 */
export function reprice(
  lessens: boolean,
  lines: readonly PricedLine[],
  draftLines: readonly DraftLine[],
  boughtBy: (source: NonNullable<DraftLine['source']>) => Bought | undefined,
  costOf: (line: PricedLine) => Paise,
  holding: Holding,
): Landed & {
  /** By line of the note: what it would change if nothing of its source had gone back. */
  readonly onAll: ReadonlyMap<number, Paise>;
} {
  const seen = new Set<string>();
  const found = lines.map((line) => {
    const source = draftLines[line.number - 1]?.source;
    const bought = source && line.stocked ? boughtBy(source) : undefined;
    const cost = paise(lessens ? 0 - costOf(line) : costOf(line));
    if (!bought) return { line: line.number, cost };
    const left = Math.max(bought.quantity - bought.back, 0);
    const { item, location, of } = bought;
    // two lines about the same goods: in the stock at a location these are counted once
    const isCounted = holding.method === 'average' && seen.has(of);
    seen.add(of);
    const onAll = left === 0 ? zero : scale(cost, bought.quantity, left);
    const received: Received = { item, location, of, quantity: millionths(isCounted ? 0 : left) };
    return { line: line.number, cost, onAll, received };
  });
  const landed = landShares(
    found.map(({ cost }) => cost),
    found.map(({ line, cost, received }) => ({ line, taxable: cost, ...(received && { received }) })),
    holding,
  );
  return { ...landed, onAll: new Map(found.flatMap(({ line, onAll }) => (onAll ? [[line, onAll]] : []))) };
}

function landShares(shares: readonly Paise[], lines: readonly ReceivedLine[], { method, held }: Holding): Landed {
  const whole = new Map<string, number>();
  const placeOf = ({ item, location }: { readonly item: Id; readonly location: Id }) => `${item}/${location}`;
  for (const { received } of lines)
    if (received) whole.set(placeOf(received), (whole.get(placeOf(received)) ?? 0) + received.quantity);
  const movements: Movement[] = [];
  const landed = new Map<number, Paise>();
  for (const [index, { line, received }] of lines.entries()) {
    const share = shares[index] ?? zero;
    if (!received || share === 0) continue;
    landed.set(line, share);
    const { item, location, of, quantity } = received;
    if (method === 'fifo') {
      // also where none of them is there: a document of an earlier day may change that later
      const lateCost = { of, value: share, quantity };
      if (quantity > 0) movements.push({ line, item, location, quantity: millionths(0), lateCost });
      continue;
    }
    const all = whole.get(placeOf(received)) ?? 0;
    const left = Math.min(Math.max(held(item, location), 0), all);
    const value = all === 0 ? zero : scale(share, left, all);
    if (value !== 0) movements.push({ line, item, location, quantity: millionths(0), value: paise(value) });
  }
  return { movements, shares: landed };
}
