import { Refusal } from '../../../contract/errors.ts';
import { dayInWords } from '../../../domain/base/dates.ts';
import { millionths, quantityText } from '../../../domain/base/decimal.ts';
import { type Paise, paise } from '../../../domain/base/money.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import type { Id, Movement, Problem } from '../../../domain/document/document.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { type Placed, runThrough } from '../../../domain/stock/revalue.ts';
import { advance, type Stand, type Step } from '../../../domain/stock/valuation.ts';
import type { CheckedRequest, Shelf } from '../posting/types.ts';

/** The shelves a batch moves at, as they stand while it is decided. */
export type Shelves = Map<string, Shelf>;

/** A movement that a back-dated one finds behind it. */
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

export const shelfKey = (item: Id, location: Id): string => `${item}/${location}`;
export const movementKey = (document: Id, number: number): string => `${document}/${number}`;

type Moving = Movement & { readonly number: number };

/** Moves stock on its shelf and says what it costs, with the sign of the movement; refuses what would be less than nothing. */
export function moveOn(
  shelves: Shelves,
  request: CheckedRequest,
  movement: Moving,
  value: Paise | undefined,
  { undone, back, from }: Pick<Step, 'undone' | 'back' | 'from'> = {},
): Paise {
  const shelf = shelves.get(shelfKey(movement.item, movement.location));
  if (!shelf) throw new Error(`shelf of ${movement.item} was not locked`);
  const { method, allowNegative } = request.settings;
  const { quantity: held } = shelf;
  if (shelf.lastDate === null || request.draft.date > shelf.lastDate) shelf.lastDate = request.draft.date;
  const { stand, cost } = advance(method, standOf(shelf), {
    key: movementKey(request.id, movement.number),
    quantity: movement.quantity,
    ...(value !== undefined && { value }),
    ...(back && { back }),
    ...(from && { from }),
    ...(movement.behind && { behind: movement.behind }),
    ...(undone !== undefined && { undoes: true, undone }),
  });
  if (stand.balance.quantity < 0 && movement.quantity < 0 && !allowNegative)
    throw short(
      request,
      movement.item,
      movement.location,
      stand.balance.quantity,
      request.draft.date,
      undone === undefined ? shortAt(request, movement, held) : [],
    );
  keep(shelf, stand);
  return cost;
}

export interface Revised extends Later {
  /** What it costs now. */
  readonly now: Paise;
}

/**
 * Behind what was moved just now, everything later is valued again in date order, from shelf to shelf. Gives the movements
 * that cost something else now; refuses what would leave a shelf with less than nothing on any later day.
 */
export function moveLater(
  shelves: Shelves,
  later: readonly Later[],
  request: Pick<CheckedRequest, 'settings' | 'names'> & Partial<Pick<CheckedRequest, 'kind' | 'mirrorOf'>>,
  moved: readonly Moving[],
): Revised[] {
  if (later.length === 0) return [];
  const { method, allowNegative } = request.settings;
  const changes = new Map<string, number>();
  for (const m of moved) {
    const key = shelfKey(m.item, m.location);
    changes.set(key, (changes.get(key) ?? 0) + m.quantity);
  }
  const touched = new Set(later.map((l) => l.shelf));
  const stands = new Map(
    [...touched].flatMap((key) => [shelves.get(key)]).flatMap((s) => (s ? [[keyOf(s), standOf(s)]] : [])),
  );
  const revised: Revised[] = [];
  runThrough(method, stands, later, new Map(), (one, now, { balance }) => {
    if (!allowNegative && balance.quantity < 0 && (changes.get(one.shelf) ?? 0) < 0) {
      const cause = moved.find((m) => m.quantity < 0 && shelfKey(m.item, m.location) === one.shelf);
      const problems = cause && !request.mirrorOf ? shortLater(request, cause, -balance.quantity, one.date) : [];
      throw short(request, one.item, one.at, balance.quantity, one.date, problems);
    }
    if (now !== one.cost) revised.push({ ...one, now });
  });
  for (const [key, stand] of stands) {
    const shelf = shelves.get(key);
    if (!shelf) throw new Error(`shelf ${key} was not locked`);
    keep(shelf, stand);
  }
  return revised;
}

const keyOf = (shelf: Shelf): string => shelfKey(shelf.item, shelf.location);

const standOf = (shelf: Shelf): Stand => ({
  balance: {
    quantity: millionths(shelf.quantity),
    value: paise(shelf.value),
    layers: shelf.layers,
  },
  lastRate: paise(shelf.lastRate),
  ...(shelf.gone && { gone: shelf.gone }),
});
const keep = (shelf: Shelf, { balance, lastRate, gone }: Stand): void => {
  shelf.quantity = balance.quantity;
  shelf.value = balance.value;
  shelf.layers = [...balance.layers];
  shelf.lastRate = lastRate;
  shelf.gone = gone;
  shelf.touched = true;
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
  kind !== undefined && kindOf(kind).stock === 'adjust' ? 'lines.delta' : 'lines.quantity';
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
