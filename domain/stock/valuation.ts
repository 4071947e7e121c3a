import { type Millionths, millionths, ONE } from '../base/decimal.ts';
import { apportion, type Paise, paise, scale, sum, zero } from '../base/money.ts';
import type { Span } from './cost-spans.ts';

export type Method = 'average' | 'fifo';

/** A lot that came in together and is used up together (first in, first out). */
export interface CostLayer {
  readonly quantity: Millionths;
  readonly value: Paise;
  /** Key of the movement that brought it in, where movements have keys. */
  readonly of?: string;
  /** Keys of the movements that gave goods of it back to where they came from: when one is undone, it goes back in here. */
  readonly gaveBack?: readonly string[];
  /** Its goods in the order in which they leave, where they are not simply those that came in with it. */
  readonly goods?: readonly Goods[];
}

/** Goods of one receipt. They may have left and come back since, so that they are in another layer than at first. */
export interface Goods {
  /** Key of the movement that brought them in first; none where nothing says it. */
  readonly of?: string;
  readonly quantity: Millionths;
  /** What late costs have added to their value. */
  readonly added?: readonly Added[];
}

/** A cost that came after its goods: so much on so many of them. */
export interface Added {
  /** Key of its movement. */
  readonly by: string;
  readonly value: Paise;
  readonly quantity: Millionths;
}

/** Stock of an item at a location. Quantity nothing means value nothing. Layers are kept for first in, first out only. */
export interface Balance {
  readonly quantity: Millionths;
  readonly value: Paise;
  readonly layers: readonly CostLayer[];
}

export const emptyBalance: Balance = { quantity: millionths(0), value: zero, layers: [] };

/** A lot that was given back whole keeps its place in the order for as long as the stock balance holds anything. */
const balanceOf = (layers: readonly CostLayer[]): Balance => {
  const quantity = millionths(layers.reduce((t, l) => t + l.quantity, 0));
  const value = paise(layers.reduce((t, l) => t + l.value, 0));
  return { quantity, value, layers: quantity > 0 ? layers : layers.filter((l) => l.quantity !== 0) };
};

/** What is kept of lots: those that hold something. */
export const heldLayers = <T extends { readonly quantity: number }>(layers: readonly T[]): T[] =>
  layers.filter((l) => l.quantity !== 0);

export interface Change {
  readonly balance: Balance;
  /** Value with the sign of the movement: what the books take for it. */
  readonly cost: Paise;
  /** Which goods left, where layers are kept and know it. */
  readonly left?: readonly Goods[];
}

/** The goods of a layer: those that came in with it, unless it says otherwise. */
const goodsOf = (layer: CostLayer): readonly Goods[] =>
  layer.goods ?? [{ quantity: layer.quantity, ...(layer.of !== undefined && { of: layer.of }) }];

/** So many of the goods, from the first on, and the rest of them. */
function divided(all: readonly Goods[], quantity: number): { readonly first: Goods[]; readonly rest: Goods[] } {
  const [first, rest]: [Goods[], Goods[]] = [[], []];
  let wanted = quantity;
  for (const one of all) {
    const part = Math.min(wanted, one.quantity);
    wanted -= part;
    if (part > 0) first.push(part === one.quantity ? one : { ...one, quantity: millionths(part) });
    if (part < one.quantity) rest.push(part === 0 ? one : { ...one, quantity: millionths(one.quantity - part) });
  }
  return { first, rest };
}
const quantityOf = (all: readonly Goods[]): number => all.reduce((t, { quantity }) => t + quantity, 0);

/** So many goods, the last of which nothing says where they came from. */
function withUnknown(known: readonly Goods[], quantity: number): readonly Goods[] {
  const unknown = quantity - quantityOf(known);
  return unknown > 0 ? [...known, { quantity: millionths(unknown) }] : known;
}

/** A layer without some of its first goods. */
const reduced = (layer: CostLayer, quantity: number, value: Paise): CostLayer => ({
  ...layer,
  quantity: millionths(layer.quantity - quantity),
  value: paise(layer.value - value),
  ...(layer.goods && { goods: divided(layer.goods, quantity).rest }),
});

/**
 * Goods come in at a stated value. Into negative stock (a shortfall) that part takes the shortfall's own value. `goods` says which they
 * are, where they were here before.
 */
export function receive(
  method: Method,
  balance: Balance,
  quantity: Millionths,
  value: Paise,
  key?: string,
  goods?: readonly Goods[],
): Change {
  if (method === 'fifo') return receiveLayer(balance, quantity, value, key, goods);
  // as one lot: after a filled shortfall the average is the rate of what came in last, not a mixture with what was never there
  const change = receiveLayer({ ...balance, layers: [balance] }, quantity, value);
  return { balance: { ...change.balance, layers: [] }, cost: change.cost };
}

function receiveLayer(
  balance: Balance,
  quantity: Millionths,
  value: Paise,
  key?: string,
  goods?: readonly Goods[],
): Change {
  const shortfall = balance.layers[0];
  const own = { ...(key !== undefined && { of: key }), ...(goods && { goods }) };
  if (!shortfall || balance.quantity > 0)
    return { balance: balanceOf([...balance.layers, { quantity, value, ...own }]), cost: value };
  if (quantity < -shortfall.quantity) {
    const share = scale(shortfall.value, quantity, shortfall.quantity); // positive: both are negative
    return {
      balance: balanceOf([
        { quantity: millionths(shortfall.quantity + quantity), value: paise(shortfall.value + share) },
      ]),
      cost: share,
    };
  }
  const left = quantity + shortfall.quantity;
  const filled = paise(-shortfall.value);
  if (left === 0) return { balance: emptyBalance, cost: filled };
  const rest = scale(value, left, quantity);
  const whole: CostLayer = { quantity, value, ...own };
  return { balance: balanceOf([reduced(whole, quantity - left, paise(value - rest))]), cost: paise(filled + rest) };
}

/**
 * Goods leave; the cost is negative. The average is kept as value and quantity, only the issue is rounded, and the last
 * issue takes what value remains. `lastRate` (paise for a whole unit) values what leaves an empty stock balance.
 */
export function issue(method: Method, balance: Balance, quantity: Millionths, lastRate: Paise = zero): Change {
  if (method === 'fifo') return issueLayers(balance, quantity, lastRate);
  const value =
    balance.quantity === 0 ? scale(lastRate, quantity, ONE) : scale(balance.value, quantity, balance.quantity);
  return {
    balance: { quantity: millionths(balance.quantity - quantity), value: paise(balance.value - value), layers: [] },
    cost: paise(-value),
  };
}

/** The oldest lot first. Negative stock is one layer. An issue adds to it at its own rate. */
function issueLayers(balance: Balance, quantity: Millionths, lastRate: Paise): Change {
  let left: number = quantity;
  let cost = 0;
  const layers: CostLayer[] = [];
  const issued: Goods[] = [];
  let rate: { readonly value: number; readonly quantity: number } = { value: lastRate, quantity: ONE };
  for (const layer of balance.layers) {
    if (layer.quantity === 0) {
      layers.push(layer);
      continue;
    }
    const taken = Math.min(left, layer.quantity);
    const value = scale(layer.value, taken, layer.quantity);
    cost += value;
    left -= taken;
    rate = layer;
    if (taken > 0) issued.push(...divided(goodsOf(layer), taken).first);
    if (taken < layer.quantity) layers.push(taken === 0 ? layer : reduced(layer, taken, value));
  }
  if (left > 0) {
    const value = scale(rate.value, left, rate.quantity);
    cost += value;
    layers.push({ quantity: millionths(-left), value: paise(-value) });
  }
  const change = { balance: balanceOf(layers), cost: paise(-cost) };
  return issued.some(({ of }) => of !== undefined) ? { ...change, left: withUnknown(issued, quantity) } : change;
}

/** One movement for a replay: with a stated value it comes in (or leaves) at that value, without one it is valued by the method. */
export interface Step {
  readonly quantity: Millionths;
  readonly value?: Paise;
  /** Takes another movement back: what it did to the layers is undone as far as they still stand. */
  readonly undoes?: true;
  /** Key of this movement: by it a lot is found again. */
  readonly key?: string;
  /** Goods that go back to where they came from: what those cost that go (positive), and the key of what brought them in. */
  readonly back?: { readonly value: Paise; readonly of: string };
  /** Key of the movement that it undoes. */
  readonly undone?: string;
  /** Goods that come back: the movement with which they left, and which stretches of it they are. */
  readonly from?: { readonly of: string; readonly spans?: readonly Span[] };
  /** Value without goods: a cost that came after them. */
  readonly lateCost?: LateCost;
}

/** A late cost of goods: on so many that came in with a movement, so much. What left of them bears its share. */
export interface LateCost {
  readonly of: string;
  readonly value: Paise;
  readonly quantity: Millionths;
}

/** Applies one movement. A movement out with a stated (negative) value leaves at it: a cancelled receipt. */
export function apply(
  method: Method,
  balance: Balance,
  step: Step,
  lastRate: Paise = zero,
  goods?: readonly Goods[],
): Change {
  if (step.quantity > 0) {
    const value = step.value ?? valueAt(balance, step.quantity, lastRate);
    return step.undoes && method === 'fifo' && balance.quantity > 0
      ? {
          balance: putBack(balance, { quantity: step.quantity, value, ...(goods && { goods }) }, step.undone),
          cost: value,
        }
      : receive(method, balance, step.quantity, value, step.key, goods);
  }
  if (step.quantity === 0)
    return step.lateCost && method === 'fifo'
      ? step.undoes
        ? withoutCost(balance, step.undone)
        : addCost(balance, step.lateCost, step.key)
      : revalue(balance, step.value ?? zero);
  const quantity = millionths(-step.quantity);
  if (step.back)
    return method === 'fifo'
      ? giveBackLayer(balance, quantity, step, step.back.of, lastRate)
      : giveBack(balance, quantity, step.back.value);
  if (step.value === undefined) return issue(method, balance, quantity, lastRate);
  return method === 'fifo'
    ? (takeLayer(balance, quantity, paise(-step.value)) ?? issue(method, balance, quantity, lastRate))
    : takeBack(balance, quantity, paise(-step.value));
}

/**
 * Value without goods: the stock at the location is worth so much more, each lot by its quantity (or so much less, by its value,
 * never negative). An empty stock balance is worth zero.
 */
function revalue(balance: Balance, value: Paise): Change {
  if (balance.quantity <= 0) return { balance, cost: zero };
  const added = paise(Math.max(value, -balance.value));
  const shares = apportion(
    added,
    balance.layers.map((l) => (added < 0 ? Math.max(l.value, 0) : l.quantity)),
  );
  const layers = balance.layers.map((l, at) => ({ ...l, value: paise(l.value + (shares[at] ?? 0)) }));
  return { balance: { quantity: balance.quantity, value: paise(balance.value + added), layers }, cost: added };
}

/**
 * A late cost goes on the layers that still hold some of them, by their quantity: its share by how many these are.
 * No layer is ever worth less than zero.
 */
function addCost(balance: Balance, { of, value, quantity }: LateCost, key: string | undefined): Change {
  const parts = balance.layers.map((layer) =>
    layer.quantity > 0 ? quantityOf(goodsOf(layer).filter((goods) => goods.of === of)) : 0,
  );
  const held = parts.reduce((t, part) => t + part, 0);
  if (held === 0 || quantity <= 0) return { balance, cost: zero };
  const shares = apportion(scale(value, Math.min(held, quantity), quantity), parts);
  return changed(balance, (layer, at) => {
    const part = parts[at] ?? 0;
    if (part === 0) return layer;
    const share = paise(Math.max(shares[at] ?? 0, -layer.value));
    const added: Added | undefined =
      key === undefined ? undefined : { by: key, value: share, quantity: millionths(part) };
    const goods = goodsOf(layer).map((one) =>
      one.of === of && added ? { ...one, added: [...(one.added ?? []), added] } : one,
    );
    return { ...layer, value: paise(layer.value + share), goods };
  });
}

/** What such a cost has added to goods that are still here is taken off them again. */
function withoutCost(balance: Balance, undone: string | undefined): Change {
  return changed(balance, (layer) => {
    const before = goodsOf(layer);
    const bearing = new Map<Added, number>();
    for (const { added = [], quantity } of before)
      for (const one of added) if (one.by === undone) bearing.set(one, (bearing.get(one) ?? 0) + quantity);
    if (bearing.size === 0) return layer;
    const share = sum([...bearing].map(([one, quantity]) => scale(one.value, quantity, one.quantity)));
    const goods = before.map(({ added = [], ...one }): Goods => {
      const others = added.filter(({ by }) => by !== undone);
      return others.length > 0 ? { ...one, added: others } : one;
    });
    return { ...layer, value: paise(Math.max(layer.value - share, 0)), goods };
  });
}

/** The balance with other values in its layers; what that adds is the cost. */
function changed(balance: Balance, to: (layer: CostLayer, at: number) => CostLayer): Change {
  const layers = balance.layers.map(to);
  const value = paise(layers.reduce((t, l) => t + l.value, 0));
  return { balance: { quantity: balance.quantity, value, layers }, cost: paise(value - balance.value) };
}

/**
 * Goods go back to their supplier at what those very goods cost, so that the rest is worth what it was without them; but what is
 * left is never worth less than zero, and the last ones take all that is left. Negative stock is never worth more than zero.
 */
function giveBack(balance: Balance, quantity: Millionths, own: Paise): Change {
  const left = balance.quantity - quantity;
  const without = balance.value - own;
  const after = left > 0 ? Math.max(without, 0) : left < 0 ? Math.min(without, 0) : 0;
  return {
    balance: { quantity: millionths(left), value: paise(after), layers: [] },
    cost: paise(after - balance.value),
  };
}

/** The lot that they came in with first, as far as it is still there; the rest like any issue. */
function giveBackLayer(balance: Balance, quantity: Millionths, { key }: Step, of: string, lastRate: Paise): Change {
  const own = balance.layers.find((l) => l.of === of && l.quantity > 0);
  const taken = millionths(Math.min(quantity, own?.quantity ?? 0));
  if (!own || taken === 0) return issueLayers(balance, quantity, lastRate);
  const value = scale(own.value, taken, own.quantity);
  const left = divided(goodsOf(own), taken).first;
  const rest: CostLayer = {
    ...reduced(own, taken, value),
    ...(key !== undefined && { gaveBack: [...(own.gaveBack ?? []), key] }),
  };
  const without = balanceOf(balance.layers.map((l) => (l === own ? rest : l)));
  if (taken === quantity) return { balance: without, cost: paise(-value), left };
  const rate = without.quantity > 0 ? lastRate : scale(own.value, ONE, own.quantity);
  const more = issueLayers(without, millionths(quantity - taken), rate);
  return {
    balance: more.balance,
    cost: paise(more.cost - value),
    left: withUnknown([...left, ...(more.left ?? [])], quantity),
  };
}

/** What an undone issue took: into the lot that it was given back from, else before all others, where an issue takes from. */
function putBack(balance: Balance, lot: CostLayer, undone: string | undefined): Balance {
  const own = undone === undefined ? undefined : balance.layers.find((l) => l.gaveBack?.includes(undone));
  if (!own) return balanceOf([lot, ...balance.layers]);
  const whole: CostLayer = {
    ...own,
    quantity: millionths(own.quantity + lot.quantity),
    value: paise(own.value + lot.value),
    ...((own.goods || lot.goods) && { goods: [...goodsOf(lot), ...goodsOf(own)] }),
  };
  return balanceOf(balance.layers.map((l) => (l === own ? whole : l)));
}

/**
 * A receipt is taken back at its own value, never more than the stock balance holds; what was sold of it leaves a shortfall at
 * its rate.
 */
function takeBack(balance: Balance, quantity: Millionths, value: Paise): Change {
  const left = balance.quantity - quantity;
  const after =
    left > 0
      ? Math.max(balance.value - value, 0)
      : balance.quantity > 0
        ? scale(value, left, quantity)
        : balance.value - value;
  return {
    balance: { quantity: millionths(left), value: paise(after), layers: [] },
    cost: paise(after - balance.value),
  };
}

/** The layer that came in as this very quantity at this value, the latest one, if it is still whole. */
function takeLayer(balance: Balance, quantity: Millionths, value: Paise): Change | undefined {
  const own = balance.layers.findLast((l) => l.quantity === quantity && l.value === value);
  return own && { balance: balanceOf(balance.layers.filter((l) => l !== own)), cost: paise(-value) };
}

const valueAt = (balance: Balance, quantity: Millionths, lastRate: Paise = zero): Paise =>
  balance.quantity > 0 ? scale(balance.value, quantity, balance.quantity) : scale(lastRate, quantity, ONE);

/** A stock balance as it stands: with the rate (paise for a whole unit) at which it last held goods, for what leaves when it is empty. */
export interface StockState {
  readonly balance: Balance;
  readonly lastRate: Paise;
  /** Which goods left, the latest first, as far as they are known: when they come back they are the same goods. */
  readonly issued?: IssuedGoods;
}

/** Goods that left with a movement, and what left before it. */
export interface IssuedGoods {
  readonly by: string;
  readonly goods: readonly Goods[];
  readonly before: IssuedGoods | undefined;
}
export const emptyStockState: StockState = { balance: emptyBalance, lastRate: zero };

/** The rate at which a stock balance gives away what it does not hold. */
export const rateOf = ({ balance, lastRate }: StockState): Paise =>
  balance.quantity > 0 ? scale(balance.value, ONE, balance.quantity) : lastRate;

/** One movement of a stock balance: what it costs, and the balance after it. */
export function advance(
  method: Method,
  state: StockState,
  step: Step,
): { readonly state: StockState; readonly cost: Paise } {
  const lastRate = rateOf(state);
  const { balance, cost, left } = apply(method, state.balance, step, lastRate, comingBack(state.issued, step));
  const issued = left && step.key !== undefined ? { by: step.key, goods: left, before: state.issued } : state.issued;
  return { state: { balance, lastRate, ...(issued && { issued }) }, cost };
}

/** Which goods come back, where it is known with what movement they left. */
function comingBack(issued: IssuedGoods | undefined, { quantity, from, undone }: Step): readonly Goods[] | undefined {
  const key = from?.of ?? undone;
  if (quantity <= 0 || key === undefined) return undefined;
  let known = issued;
  while (known && known.by !== key) known = known.before;
  if (!known) return undefined;
  const { goods } = known;
  const spans = from?.spans ?? [[0, quantity] as const];
  const back = spans.flatMap(([at, upTo]) => divided(divided(goods, at).rest, upTo - at).first);
  return withUnknown(back, quantity);
}

export interface Replayed {
  readonly costs: readonly Paise[];
  readonly balance: Balance;
  /** The least quantity at any moment, the start included. */
  readonly lowest: Millionths;
}

/** All movements of an item at a location in date order from a known balance: their costs, the balance, the lowest point. */
export function replay(method: Method, start: Balance, steps: readonly Step[]): Replayed {
  let state: StockState = { balance: start, lastRate: zero };
  let lowest: number = start.quantity;
  const costs = steps.map((step) => {
    const moved = advance(method, state, step);
    state = moved.state;
    lowest = Math.min(lowest, state.balance.quantity);
    return moved.cost;
  });
  return { costs, balance: state.balance, lowest: millionths(lowest) };
}
