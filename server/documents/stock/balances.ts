import { Refusal } from '../../../contract/errors.ts';
import { dayInWords } from '../../../domain/base/dates.ts';
import { millionths, quantityText } from '../../../domain/base/decimal.ts';
import { type Paise, paise } from '../../../domain/base/money.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import type { Id, Movement, Problem } from '../../../domain/document/document.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { type Placed, runThrough } from '../../../domain/stock/revalue.ts';
import { advance, type Step, type StockState } from '../../../domain/stock/valuation.ts';
import type { CheckedRequest, StockBalance } from '../posting/types.ts';

/** The stock balances that a batch changes, as they are while it is decided. */
export type StockBalances = Map<string, StockBalance>;

/** A movement that comes after a back-dated one. */
export interface Later extends Placed {
  readonly document: Id;
  readonly number: number;
  readonly item: Id;
  /** Where the goods are; the entries of its document stand elsewhere when they are on their way. */
  readonly at: Id;
  readonly date: string;
  readonly sequence: number;
  readonly cost: number;
  readonly revision: number;
  /** Kind of its document; of the cancelled one, when it cancels. */
  readonly kind: string;
  readonly registration: Id;
  readonly location: Id;
  readonly costCentre: Id | null;
}

export const balanceKeyOf = (item: Id, location: Id): string => `${item}/${location}`;
export const movementKey = (document: Id, number: number): string => `${document}/${number}`;

type Moving = Movement & { readonly number: number };

/** Changes the stock balance of a movement. Returns its cost, with the sign of the movement; refuses a balance below zero. */
export function moveOn(
  stockBalances: StockBalances,
  request: CheckedRequest,
  movement: Moving,
  value: Paise | undefined,
  { undone, back, from }: Pick<Step, 'undone' | 'back' | 'from'> = {},
): Paise {
  const stockBalance = stockBalances.get(balanceKeyOf(movement.item, movement.location));
  if (!stockBalance) throw new Error(`stock balance of ${movement.item} was not locked`);
  const { method, allowNegative } = request.settings;
  const { quantity: held } = stockBalance;
  if (stockBalance.lastDate === null || request.draft.date > stockBalance.lastDate)
    stockBalance.lastDate = request.draft.date;
  const { state, cost } = advance(method, stateOf(stockBalance), {
    key: movementKey(request.id, movement.number),
    quantity: movement.quantity,
    ...(value !== undefined && { value }),
    ...(back && { back }),
    ...(from && { from }),
    ...(movement.lateCost && { lateCost: movement.lateCost }),
    ...(undone !== undefined && { undoes: true, undone }),
  });
  if (state.balance.quantity < 0 && movement.quantity < 0 && !allowNegative)
    throw short(
      request,
      movement.item,
      movement.location,
      state.balance.quantity,
      request.draft.date,
      undone === undefined ? shortAt(request, movement, held) : [],
    );
  keep(stockBalance, state);
  return cost;
}

export interface Revised extends Later {
  /** What it costs now. */
  readonly now: Paise;
}

/**
 * Values everything later than the movements of now again, in date order, from one stock balance to the next. Returns the
 * movements whose cost has changed; refuses a balance below zero on any later day.
 */
export function moveLater(
  stockBalances: StockBalances,
  later: readonly Later[],
  request: Pick<CheckedRequest, 'settings' | 'names'> & Partial<Pick<CheckedRequest, 'kind' | 'mirrorOf'>>,
  moved: readonly Moving[],
): Revised[] {
  if (later.length === 0) return [];
  const { method, allowNegative } = request.settings;
  const changes = new Map<string, number>();
  for (const m of moved) {
    const key = balanceKeyOf(m.item, m.location);
    changes.set(key, (changes.get(key) ?? 0) + m.quantity);
  }
  const touched = new Set(later.map((l) => l.balanceKey));
  const states = new Map(
    [...touched].flatMap((key) => [stockBalances.get(key)]).flatMap((s) => (s ? [[keyOf(s), stateOf(s)]] : [])),
  );
  const revised: Revised[] = [];
  runThrough(method, states, later, new Map(), (one, now, { balance }) => {
    if (!allowNegative && balance.quantity < 0 && (changes.get(one.balanceKey) ?? 0) < 0) {
      const cause = moved.find((m) => m.quantity < 0 && balanceKeyOf(m.item, m.location) === one.balanceKey);
      const problems = cause && !request.mirrorOf ? shortLater(request, cause, -balance.quantity, one.date) : [];
      throw short(request, one.item, one.at, balance.quantity, one.date, problems);
    }
    if (now !== one.cost) revised.push({ ...one, now });
  });
  for (const [key, state] of states) {
    const stockBalance = stockBalances.get(key);
    if (!stockBalance) throw new Error(`stock balance ${key} was not locked`);
    keep(stockBalance, state);
  }
  return revised;
}

const keyOf = (stockBalance: StockBalance): string => balanceKeyOf(stockBalance.item, stockBalance.location);

const stateOf = (stockBalance: StockBalance): StockState => ({
  balance: {
    quantity: millionths(stockBalance.quantity),
    value: paise(stockBalance.value),
    layers: stockBalance.layers,
  },
  lastRate: paise(stockBalance.lastRate),
  ...(stockBalance.issued && { issued: stockBalance.issued }),
});
const keep = (stockBalance: StockBalance, { balance, lastRate, issued }: StockState): void => {
  stockBalance.quantity = balance.quantity;
  stockBalance.value = balance.value;
  stockBalance.layers = [...balance.layers];
  stockBalance.lastRate = lastRate;
  stockBalance.issued = issued;
  stockBalance.touched = true;
};

const short = (
  request: Pick<CheckedRequest, 'names'>,
  item: Id,
  location: Id,
  quantity: number,
  date: string,
  problems: readonly Problem[],
): Refusal =>
  new Refusal(
    'stockShort',
    {
      item: request.names.item(item),
      location: request.names.location(location),
      quantity: quantityText(-quantity),
      date,
    },
    problems,
  );

type Naming = Pick<CheckedRequest, 'names'> & Partial<Pick<CheckedRequest, 'kind'>>;
/** The cell that says how much goes out. */
const quantityField = ({ kind }: Naming): string =>
  kind !== undefined && kindOf(kind).stock.effect === 'adjust' ? 'lines.delta' : 'lines.quantity';
const atLine = (request: Naming, { line }: Movement, message: Said): readonly Problem[] => [
  { field: quantityField(request), row: line - 1, ...message },
];

/** What the line finds in stock, in the item's own unit; lines above it have taken theirs. */
const shortAt = (request: Naming, movement: Movement, held: number): readonly Problem[] => {
  const at = request.names.location(movement.location);
  const message =
    held > 0
      ? say('Only {{held}} in stock at {{at}}', { held: quantityText(held), at })
      : say('None in stock at {{at}}', { at });
  return atLine(request, movement, message);
};

/** A later document finds too little because of the line. */
export const shortLater = (request: Naming, movement: Movement, quantity: number, date: string): readonly Problem[] => {
  const at = request.names.location(movement.location);
  const message = say('With this, {{quantity}} would be short at {{at}} on {{date}}', {
    quantity: quantityText(quantity),
    at,
    date: dayInWords(date),
  });
  return atLine(request, movement, message);
};
