import { type Millionths, millionths, ONE, parseDecimal } from '../base/decimal.ts';
import { divideRound } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';

/** So many (`per`) of a unit are so many (`base`) of the item's own: whole numbers without a common divisor, so nothing is rounded. */
export interface UnitRatio {
  readonly base: number;
  readonly per: number;
}

/** One of `from` is `factor` of `to`, as decimal text. `own`: it holds for one item and goes before what holds for all. */
export interface Conversion {
  readonly from: string;
  readonly to: string;
  readonly factor: string;
  readonly own?: boolean;
}

export const itself: UnitRatio = { base: 1, per: 1 };

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));

/** A ratio of whole numbers that a plain number holds; undefined where a chain of conversions has grown beyond them. */
const ratioOf = (base: bigint, per: bigint): UnitRatio | undefined => {
  if (base <= 0n || per <= 0n) return undefined;
  const by = divisor(base, per);
  const [top, bottom] = [Number(base / by), Number(per / by)];
  return Number.isSafeInteger(top) && Number.isSafeInteger(bottom) ? { base: top, per: bottom } : undefined;
};

const factorOf = ({ factor }: Conversion): bigint => BigInt(parseDecimal(factor, 6) ?? 0);

/**
 * The units an item can be counted in with what each is of its own unit, along chains of conversions both ways. What holds
 * for the item alone goes first; among conversions of one sort the shorter chain goes before the longer.
 */
export function unitRatios(own: string, conversions: readonly Conversion[]): Record<string, UnitRatio> {
  const found: Record<string, UnitRatio> = { [own]: itself };
  if (conversions.length === 0) return found;
  for (const edges of [conversions.filter((each) => each.own), conversions.filter((each) => !each.own)]) {
    let reached = Object.keys(found);
    while (reached.length > 0) {
      const next: string[] = [];
      for (const unit of reached) {
        const known = found[unit] ?? itself;
        for (const edge of edges) {
          const other = edge.from === unit ? edge.to : edge.to === unit ? edge.from : undefined;
          if (other === undefined || found[other] !== undefined) continue;
          const factor = factorOf(edge);
          // one of the other is `factor` of this one, or so many of the other are one of this
          const ratio =
            edge.to === unit
              ? ratioOf(BigInt(known.base) * factor, BigInt(known.per) * BigInt(ONE))
              : ratioOf(BigInt(known.base) * BigInt(ONE), BigInt(known.per) * factor);
          if (!ratio) continue;
          found[other] = ratio;
          next.push(other);
        }
      }
      reached = next;
    }
  }
  return found;
}

/** A quantity in the item's own unit, rounded once to millionths, halves up. */
export const inBase = (quantity: number, { base, per }: UnitRatio): Millionths =>
  base === per ? millionths(quantity) : millionths(Number(divideRound(BigInt(quantity) * BigInt(base), BigInt(per))));

/** What one of a unit costs when one of the item's own costs `each`, rounded once. */
export const priceIn = (each: number, { base, per }: UnitRatio): number =>
  base === per ? each : Number(divideRound(BigInt(each) * BigInt(base), BigInt(per)));

/** The same price for another unit. */
export const priceFrom = (each: number, from: UnitRatio, to: UnitRatio): number =>
  Number(divideRound(BigInt(each) * BigInt(to.base) * BigInt(from.per), BigInt(to.per) * BigInt(from.base)));

/** How a ratio goes over the wire. */
export const ratioText = ({ base, per }: UnitRatio): string => `${base}/${per}`;
export const ratioFrom = (text: string): UnitRatio => {
  const [base, per] = text.split('/').map(Number);
  return base && per && Number.isSafeInteger(base) && Number.isSafeInteger(per) ? { base, per } : itself;
};

/** Why a conversion cannot be added to others of its sort: two ways from one unit to another could tell different things. */
export function conversionProblem(added: Conversion, others: readonly Conversion[]): Said | undefined {
  if (added.from === added.to) return say('A unit is not converted into itself');
  if (factorOf(added) <= 0n) return say('The factor is greater than 0');
  const known = unitRatios(added.to, others)[added.from];
  return known === undefined
    ? undefined
    : say('{{per}} {{from}} are {{base}} {{to}} already: change that conversion instead', {
        per: known.per,
        from: added.from,
        base: known.base,
        to: added.to,
      });
}

/** How a unit is counted: so many decimals, and its code at the portals. */
export interface Measure {
  readonly decimals: number;
  readonly uqc: string;
}

/** What is wrong with a quantity (in millionths) of a unit that has so many decimals; undefined when it fits. */
export const decimalsProblem = (quantity: number, unit: string, decimals: number): Said | undefined => {
  if (decimals >= 6 || quantity % 10 ** (6 - decimals) === 0) return undefined;
  return decimals <= 0
    ? say('{{unit}} is counted in whole numbers', { unit })
    : say('{{unit}} has at most {{decimals}} decimals', { unit, decimals });
};
