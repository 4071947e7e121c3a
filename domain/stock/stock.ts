import { type Millionths, millionths } from '../base/decimal.ts';
import { type Paise, paise } from '../base/money.ts';
import { lineCost } from '../books/posting.ts';
import { takesAway } from '../document/adjusting.ts';
import type { Draft, Id, Movement, PricedLine } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';
import { batchesInBase, partName } from './parts.ts';

/** Where a movement goes, and whose cost it takes. */
interface Step {
  readonly place: 'location' | 'toLocation' | 'transit';
  readonly sign: 1 | -1;
  /** What a receipt is worth: its line's cost, or the cost at which its source left. */
  readonly worth: 'issue' | 'line' | 'source' | 'sameLine';
}

const out: Step = { place: 'location', sign: -1, worth: 'issue' };
const steps: Readonly<Record<Kind['stock']['effect'], readonly Step[]>> = {
  out: [out],
  in: [{ place: 'location', sign: 1, worth: 'line' }],
  transferOut: [out, { place: 'transit', sign: 1, worth: 'sameLine' }],
  transferIn: [
    { place: 'transit', sign: -1, worth: 'issue' },
    { place: 'toLocation', sign: 1, worth: 'sameLine' },
  ],
  adjust: [{ place: 'location', sign: 1, worth: 'line' }],
  reserve: [],
  worth: [],
  none: [],
};

export interface Places {
  readonly location: Id;
  readonly toLocation: Id | undefined;
  readonly transit: Id | undefined;
}

/** The movements of a document's stocked lines. Quantity in millionths of the base unit, positive into a location. */
export function move(kind: Kind, lines: readonly PricedLine[], draft: Draft, places: Places): Movement[] {
  return lines.flatMap((line, index) => {
    const { item } = line;
    if (item === undefined || !line.stocked || line.baseQuantity === 0) return [];
    const decreases = takesAway(draft.lines[index]?.delta);
    return steps[kind.stock.effect].flatMap((step): Movement[] => {
      const location = places[step.place];
      if (location === undefined) return [];
      const sign = decreases ? -step.sign : step.sign;
      const quantity: Millionths = millionths(sign * line.baseQuantity);
      const returned =
        line.source && kind.source.givesPrice && step.worth !== 'sameLine'
          ? { costOf: { document: line.source.document, line: line.source.line } }
          : {};
      // what it was sold for is not what it cost
      const isBack = kind.source.givesPrice === true && !line.source;
      const stated =
        step.worth === 'line' && !decreases && !isBack && !('costOf' in returned) ? { value: lineCost(line) } : {};
      return [
        {
          line: line.number,
          item,
          location,
          quantity,
          ...stated,
          ...returned,
          ...(isBack && { asHeld: true as const }),
          ...(line.batches?.length && {
            batches: batchesInBase(line.batches, line.quantity + line.freeQuantity, line.baseQuantity),
          }),
          ...(line.serials?.length && { serials: line.serials.map(partName) }),
          // goods on their way are in no room
          ...(line.room !== undefined && step.place !== 'transit' && { room: line.room }),
        },
      ];
    });
  });
}

/** Cost of each line from the costs of its movements: what left, or what came in when nothing left. */
export function costsByLine(
  movements: readonly Movement[],
  costs: readonly number[],
): Map<number, ReturnType<typeof paise>> {
  const byLine = new Map<number, ReturnType<typeof paise>>();
  movements.forEach((movement, index) => {
    if (!byLine.has(movement.line)) byLine.set(movement.line, paise(Math.abs(costs[index] ?? 0)));
  });
  return byLine;
}

/** Which way the goods of a line go first: 1 into a place, -1 out of it. Times the cost of that movement it is what the line is worth. */
export const firstSign = (kind: Kind): 1 | -1 => steps[kind.stock.effect][0]?.sign ?? 1;

/**
 * What the goods of each line are worth by what their first movement cost, in paise: negative where stock is taken away.
 * `costs` have the signs of the movements, and their order.
 */
export function worthByLine(
  kind: Kind,
  movements: readonly { readonly line: number }[],
  costs: readonly number[],
): Map<number, Paise> {
  const byLine = new Map<number, Paise>();
  movements.forEach(({ line }, index) => {
    if (!byLine.has(line)) byLine.set(line, paise(firstSign(kind) * (costs[index] ?? 0)));
  });
  return byLine;
}

/** Whether the goods of a line leave stock, which says what they cost; else their own line or source does. */
export const takesFromStock = (kind: Kind, delta: Millionths | undefined): boolean =>
  !kind.source.givesPrice && takesAway(delta) === (firstSign(kind) === 1);
