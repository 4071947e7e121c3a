import type { Millionths } from '../base/decimal.ts';
import { millionths } from '../base/decimal.ts';
import { apportion, type Paise, paise, scale, sum, zero } from '../base/money.ts';
import type { Draft, Id, Movement } from '../document/document.ts';

/** A line of a bill with what came in through it; without item and quantity nothing of it went on a shelf. */
export interface ReceivedLine {
  readonly line: number;
  readonly taxable: Paise;
  readonly received?: { readonly item: Id; readonly location: Id; readonly quantity: Millionths };
}

/** What a cost that arrives behind its goods does to the shelves, and how much of it belongs to each line of goods kept in stock. */
export interface Landed {
  /** They move no quantity: their value is added to the stock at the location. */
  readonly movements: readonly Movement[];
  /** By line of the bill; what is left of the cost belongs to no stock. */
  readonly shares: ReadonlyMap<number, Paise>;
}

/** What customs asks for that no credit comes back for: it is part of what the goods cost (AS 2). */
export const dutyOf = ({ customs }: Pick<Draft, 'customs'>, withCredit: boolean): Paise =>
  sum([customs?.basic ?? zero, customs?.surcharge ?? zero, withCredit ? zero : (customs?.igst ?? zero)]);

/**
 * Shares a cost over the lines of the bill that it belongs to, by their value. Of each share so much goes on the shelf as
 * there is still of the goods (a shelf never holds more of a bill than it received); the rest was sold and is their cost.
 */
export function land(
  cost: Paise,
  lines: readonly ReceivedLine[],
  held: (item: Id, location: Id) => Millionths,
): Landed {
  const shares = apportion(
    cost,
    lines.map((l) => l.taxable),
  );
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
    const { item, location } = received;
    const all = whole.get(placeOf(received)) ?? 0;
    const left = Math.min(Math.max(held(item, location), 0), all);
    const value = all === 0 ? zero : scale(share, left, all);
    if (value !== 0) movements.push({ line, item, location, quantity: millionths(0), value: paise(value) });
  }
  return { movements, shares: landed };
}
