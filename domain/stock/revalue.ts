import type { Millionths } from '../base/decimal.ts';
import { type Paise, paise, scale } from '../base/money.ts';
import { costOfSpans, type Span } from './cost-spans.ts';
import { advance, emptyStockState, type LateCost, type Method, type Step, type StockState } from './valuation.ts';

/**
 * What a movement takes its cost from: a transfer's arrival from its departure, a return from its sale or its purchase, a
 * cancellation from what it cancels.
 */
export interface Taken {
  /** Key of that movement. */
  readonly from: string;
  /** All of that movement's quantity; a return takes its share. */
  readonly quantity: Millionths;
  /** What that movement cost when this was read. */
  readonly cost: Paise;
  readonly undoes: boolean;
  /** Which stretches of that movement a return is. A return that was posted before these were kept has none. */
  readonly spans?: readonly Span[];
  /** What customs duty added to the goods of that movement before these went back (all of its quantity), in paise. */
  readonly landed?: Paise;
}

/** A movement as valuation sees it, among the others of its item. */
export interface Placed {
  readonly key: string;
  /** Item and location. */
  readonly balanceKey: string;
  readonly quantity: Millionths;
  /** What its own document says that it is worth: a bill, opening stock, an increase. */
  readonly stated?: Paise;
  readonly taken?: Taken;
  /** A late cost, or what such a cost is undone of, where layers are kept. */
  readonly lateCost?: LateCost;
}

/** The share of a movement's cost that a part of its quantity takes; positive. */
export const shareOf = (cost: number, part: number, whole: number): Paise =>
  whole === 0 ? paise(0) : scale(Math.abs(cost), Math.abs(part), Math.abs(whole));

/** A movement as a step of valuation: `costs` are those already known anew. Nothing says what it is worth: it comes in for nothing. */
export function stepOf({ key, quantity, stated, taken, lateCost }: Placed, costs: ReadonlyMap<string, Paise>): Step {
  const source = taken && (costs.get(taken.from) ?? taken.cost);
  const later = lateCost ? { lateCost } : {};
  if (taken?.undoes) return { key, quantity, value: paise(-(source ?? 0)), undoes: true, undone: taken.from, ...later };
  if (quantity < 0) return { key, quantity, ...(taken && { back: backAt(taken, source ?? paise(0), quantity) }) };
  if (quantity === 0) return { key, quantity, value: stated ?? paise(0), ...later };
  if (taken)
    return {
      ...{ key, quantity, value: returnedCost(taken, source ?? 0, quantity) },
      from: { of: taken.from, ...(taken.spans && { spans: taken.spans }) },
    };
  return { key, quantity, value: stated ?? paise(0) };
}

/** What so much of a movement costs that comes or goes back: its stretches, so that all returns cost the whole; else its share. */
export const returnedCost = (
  { quantity: whole, spans }: Pick<Taken, 'quantity' | 'spans'>,
  cost: number,
  quantity: Millionths,
): Paise => (spans ? costOfSpans(cost, whole, spans) : shareOf(cost, quantity, whole));

/** Goods that go back at their share of what their source cost by now, with the duty on it. */
export const backAt = (
  { landed = paise(0), ...taken }: Pick<Taken, 'from' | 'quantity' | 'landed' | 'spans'>,
  cost: Paise,
  quantity: Millionths,
): NonNullable<Step['back']> => ({ of: taken.from, value: returnedCost(taken, cost + landed, quantity) });

/**
 * Moves goods in the order of the movements, over as many locations as they go, and gives each its cost. The stock balances end as
 * they are after the last movement. A cost that is carried on to another stock balance is carried on in the same run.
 */
export function runThrough<T extends Placed>(
  method: Method,
  stockBalances: Map<string, StockState>,
  movements: readonly T[],
  costs: Map<string, Paise> = new Map(),
  seen: (movement: T, cost: Paise, state: StockState) => void = () => undefined,
): Map<string, Paise> {
  for (const movement of movements) {
    const { state, cost } = advance(
      method,
      stockBalances.get(movement.balanceKey) ?? emptyStockState,
      stepOf(movement, costs),
    );
    stockBalances.set(movement.balanceKey, state);
    costs.set(movement.key, cost);
    seen(movement, cost, state);
  }
  return costs;
}
