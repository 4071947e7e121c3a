import { type Millionths, millionths } from '../../../domain/base/decimal.ts';
import { type Paise, paise, scale } from '../../../domain/base/money.ts';
import { say } from '../../../domain/base/say.ts';
import type { Movement } from '../../../domain/document/document.ts';
import { nextSpans, type Span } from '../../../domain/stock/cost-spans.ts';
import { backAt, returnedCost } from '../../../domain/stock/revalue.ts';
import { Problems } from '../../kit/problems.ts';
import { isPricedFromSource } from '../posting/kinds.ts';
import type { Loaded, LoadedSource } from '../posting/load.ts';
import type { CheckedRequest } from '../posting/types.ts';
import { balanceKeyOf, movementKey, moveOn } from './balances.ts';
import type { Opened } from './open-balances.ts';

/** The movements of a document with their cost, and what returned goods take with them. */
interface CostedMovements {
  /** The movements with the value that is known before their stock balance is. */
  readonly valued: readonly Movement[];
  /** What each of them costs, with the sign of the movement. */
  readonly costs: readonly Paise[];
  readonly moved: readonly (Movement & { readonly number: number; readonly cost: Paise })[];
  /** By line of goods that go back: the duty that came on them. */
  readonly givenBack: ReadonlyMap<number, Paise>;
  /** By line: the stretches of the movement of its source that it takes. */
  readonly costSpans: ReadonlyMap<number, readonly Span[]>;
}

/** Moves the stock balances by the goods of a document, in the order of its lines, and gives what they cost. */
export function costMovements(
  movements: readonly Movement[],
  request: CheckedRequest,
  loaded: Loaded,
  opened: Opened,
): CostedMovements {
  const valued = movements.map((movement) => {
    if (movement.asHeld) return heldWorth(movement, request, opened);
    return leftAtNoCost(movement, request, loaded) ? heldNow(movement, opened) : movement;
  });
  const costs: Paise[] = [];
  const givenBack = new Map<number, Paise>();
  const costSpans = new Map<number, readonly Span[]>();
  for (const [index, movement] of valued.entries()) {
    const returned = returnedOf(movement, loaded, valued, costSpans);
    const worth = worthOf(movement, valued[index - 1], costs[index - 1], returned);
    const taken = goingBack(movement, request.draft.date, returned);
    if (taken) givenBack.set(movement.line, taken.landed);
    if (returned && (taken || movement.quantity > 0)) costSpans.set(movement.line, returned.spans);
    const back = taken && backAt(taken, taken.cost, movement.quantity);
    const from = returned && {
      of: movementKey(returned.source.document, returned.whole.number),
      spans: returned.spans,
    };
    const how = { ...(back && { back }), ...(from && { from }) };
    costs.push(moveOn(opened.stockBalances, request, { number: index + 1, ...movement }, worth, how));
  }
  const moved = valued.map((movement, index) => {
    const cost = costs[index] ?? paise(0);
    return { number: index + 1, cost, ...movement, ...(movement.lateCost && { value: cost }) };
  });
  return { valued, costs, moved, givenBack, costSpans };
}

/** Goods that come back without a document cost what is held of them costs on average, else what their item is bought for. */
function heldWorth(movement: Movement, { facts }: CheckedRequest, { stockBalances }: Opened): Movement {
  const { item, location, quantity, line } = movement;
  // what leaves is valued by its stock balance
  if (quantity < 0) return movement;
  const held = stockBalances.get(balanceKeyOf(item, location));
  if (held && held.quantity > 0) return { ...movement, value: scale(paise(held.value), quantity, held.quantity) };
  const { purchaseRate = null, name = '' } = facts.items.get(item) ?? {};
  if (purchaseRate !== null) return { ...movement, value: scale(quantity, purchaseRate, 10_000_000_000) };
  const message = say(
    'The cost of {{name}} is unknown: there is no stock here, so enter a purchase price on the item',
    { name },
  );
  throw new Problems([{ field: 'lines.item', row: line - 1, ...message }]);
}

/**
 * Goods that come back after they left as negative stock before anything was known of their cost: it became known with the goods
 * that filled the shortfall, and is a cost of the sale.
 */
function leftAtNoCost({ costOf, quantity }: Movement, { settings }: CheckedRequest, { sources }: Loaded): boolean {
  if (!costOf || quantity <= 0 || !settings.allowNegative) return false;
  const source = sources?.find((s) => s.document === costOf.document && s.line === costOf.line);
  return source?.moved[0]?.cost === 0;
}

/** They come back at what is held of them costs on average; while nothing is held they fill the shortfall, at its own cost. */
function heldNow(movement: Movement, { stockBalances }: Opened): Movement {
  const { costOf: _, ...back } = movement;
  const held = stockBalances.get(balanceKeyOf(movement.item, movement.location));
  return held && held.quantity > 0
    ? { ...back, value: scale(paise(held.value), movement.quantity, held.quantity) }
    : movement;
}

/** The movement that goods of a return left or came with, and which stretches of it they are. */
interface Returned {
  readonly source: LoadedSource;
  readonly whole: LoadedSource['moved'][number];
  readonly quantity: Millionths;
  readonly spans: readonly Span[];
}

/** `own` are the stretches that lines above it take. */
function returnedOf(
  { costOf, quantity }: Movement,
  { sources }: Loaded,
  valued: readonly Movement[],
  own: ReadonlyMap<number, readonly Span[]>,
): Returned | undefined {
  const source = costOf && sources?.find((s) => s.document === costOf.document && s.line === costOf.line);
  const [whole] = source?.moved ?? [];
  if (!source || !whole) return undefined;
  const before = source.spans.flat();
  const back = source.used.reduce((t, u) => (isPricedFromSource(u.kind) ? t + u.base_quantity : t), 0);
  const untracked = Math.max(back - before.reduce((t, [from, upTo]) => t + upTo - from, 0), 0);
  const above = valued.flatMap((m) =>
    m.costOf?.document === source.document && m.costOf.line === source.line ? (own.get(m.line) ?? []) : [],
  );
  const all = millionths(whole.quantity);
  return { source, whole, quantity: all, spans: nextSpans(all, [...before, ...above], untracked, quantity) };
}

/** What a receipt of stock is worth: its line, the cost its source left at, or the cost the same line left with just now. */
function worthOf(
  movement: Movement,
  before: Movement | undefined,
  left: Paise | undefined,
  returned: Returned | undefined,
): Paise | undefined {
  if (movement.value !== undefined) return movement.value;
  if (movement.quantity < 0) return undefined;
  if (returned) return returnedCost(returned, returned.whole.cost, movement.quantity);
  return before && left !== undefined && before.line === movement.line ? paise(-left) : paise(0);
}

/**
 * The movement that brought in what goes back now, with the duty that came on its goods until that day. Goods that meanwhile went
 * to another location lie there at what they left at, like all others of theirs.
 */
function goingBack({ item, location, quantity }: Movement, date: string, returned: Returned | undefined) {
  if (quantity >= 0 || !returned) return undefined;
  const { source, whole, spans } = returned;
  if (whole.quantity <= 0 || whole.item !== item || whole.location !== location) return undefined;
  return {
    from: movementKey(source.document, whole.number),
    quantity: returned.quantity,
    cost: paise(whole.cost),
    spans,
    landed: paise(source.landed.reduce((t, l) => (l.date <= date ? t + l.amount : t), 0)),
  };
}
