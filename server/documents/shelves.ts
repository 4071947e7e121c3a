import type pg from 'pg';
import { Refusal } from '../../contract/errors.ts';
import { type Millionths, millionths, quantityText } from '../../domain/decimal.ts';
import type { Id, Movement } from '../../domain/document.ts';
import { type Paise, paise, scale } from '../../domain/money.ts';
import { apply, type Balance, emptyBalance, replay, type Step } from '../../domain/valuation.ts';
import type { Loaded } from './load.ts';
import type { PostRequest, Revision, Shelf } from './types.ts';

/** A movement that a back-dated one finds behind it. */
export interface Later {
  readonly document: Id;
  readonly number: number;
  readonly date: string;
  readonly quantity: number;
  readonly statedValue: number | null;
  readonly cost: number;
  readonly revision: number;
  readonly kind: string;
  readonly reversed: boolean;
}

/** The shelves a batch moves at, as they stand while it is decided. */
export type Shelves = Map<string, Shelf & { readonly history: readonly Later[] | undefined }>;

const shelfKey = (item: Id, location: Id): string => `${item}/${location}`;

/** Beyond this many movements a back-dated posting would hold its locks too long. */
const MOST_REPLAYED = 20_000;

/** Shelves from what was loaded; those that get a back-dated movement with their whole history. */
export async function openShelves(client: pg.PoolClient, organisation: number, loaded: Loaded): Promise<Shelves> {
  const shelves: Shelves = new Map();
  for (const b of loaded.balances ?? []) {
    // behind what is there already, or behind another of the same batch
    const backDated = b.first_date < b.final_date || (b.last_date !== null && b.first_date < b.last_date);
    const layers = [];
    for (let i = 0; i < b.layers.length; i += 2)
      layers.push({ quantity: b.layers[i] ?? 0, value: b.layers[i + 1] ?? 0 });
    const history = backDated ? await historyOf(client, organisation, b.item, b.location) : undefined;
    shelves.set(shelfKey(b.item, b.location), {
      item: b.item,
      location: b.location,
      quantity: b.quantity,
      value: b.value,
      layers,
      lastDate: b.last_date,
      touched: false,
      history,
    });
  }
  return shelves;
}

async function historyOf(client: pg.PoolClient, organisation: number, item: Id, location: Id): Promise<Later[]> {
  const { rows } = await client.query<{
    document: Id;
    number: number;
    date: string;
    quantity: string;
    stated_value: string | null;
    cost: string;
    revision: number;
    kind: string;
    reversed: boolean;
  }>({
    name: 'history',
    text: `select document, number, date::text as date, quantity, stated_value, cost, revision, kind, reversed from movements_since($1, $2, $3, '-infinity')`,
    values: [organisation, item, location],
  });
  if (rows.length > MOST_REPLAYED)
    throw new Refusal('cannotChange', {
      name: 'A movement of this item',
      reason: `it would be dated before ${rows.length} others`,
    });
  return rows.map((r) => ({
    document: r.document,
    number: r.number,
    date: r.date,
    quantity: Number(r.quantity),
    statedValue: r.stated_value === null ? null : Number(r.stated_value),
    cost: Number(r.cost),
    revision: r.revision,
    kind: r.kind,
    reversed: r.reversed,
  }));
}

export interface Moved {
  /** With the sign of the movement. */
  readonly cost: Paise;
  readonly revisions: readonly (Revision & {
    readonly difference: number;
    readonly kind: string;
    readonly quantity: number;
  })[];
}

/** Moves stock on its shelf and says what it costs; refuses what would ever be less than nothing, in date order. */
export function moveOn(
  shelves: Shelves,
  request: PostRequest,
  movement: Movement & { readonly number: number },
  value: Paise | undefined,
): Moved {
  const shelf = shelves.get(shelfKey(movement.item, movement.location));
  if (!shelf) throw new Error(`shelf of ${movement.item} was not locked`);
  const { method, allowNegative } = request.settings;
  shelf.touched = true;
  if (shelf.lastDate === null || request.draft.date > shelf.lastDate) shelf.lastDate = request.draft.date;
  const step: Step = { quantity: movement.quantity, ...(value !== undefined && { value }) };
  if (shelf.history) return moveBack(shelves, shelf, request, movement, step);
  const change = apply(method, balanceOf(shelf), step, lastRate(shelf));
  if (change.balance.quantity < 0 && movement.quantity < 0 && !allowNegative)
    throw short(request, movement, change.balance.quantity);
  keep(shelf, change.balance);
  return { cost: change.cost, revisions: [] };
}

/** A back-dated movement: everything behind it is valued again, and what changed becomes a revision of its cost. */
function moveBack(
  shelves: Shelves,
  shelf: Shelf & { readonly history: readonly Later[] | undefined },
  request: PostRequest,
  movement: Movement & { readonly number: number },
  step: Step,
): Moved {
  const history = shelf.history ?? [];
  const { method, allowNegative } = request.settings;
  const at = history.findIndex((h) => h.date > request.draft.date);
  const position = at < 0 ? history.length : at;
  const steps = history.map(stepOf);
  const before = replay(method, emptyBalance, steps);
  const after = replay(method, emptyBalance, [...steps.slice(0, position), step, ...steps.slice(position)]);
  if (after.lowest < 0 && after.lowest < before.lowest && !allowNegative) throw short(request, movement, after.lowest);
  const cost = after.costs[position] ?? paise(0);
  const revisions = history.flatMap((h, index) => {
    const now = after.costs[index < position ? index : index + 1] ?? paise(0);
    return now === h.cost
      ? []
      : [
          {
            document: h.document,
            number: h.number,
            revision: h.revision + 1,
            cost: now,
            difference: now - h.cost,
            kind: h.kind,
            quantity: h.quantity,
          },
        ];
  });
  keep(shelf, after.balance);
  const inserted: Later = {
    document: request.id,
    number: movement.number,
    date: request.draft.date,
    quantity: movement.quantity,
    statedValue: step.value ?? null,
    cost,
    revision: 0,
    kind: request.kind,
    reversed: false,
  };
  const revised = new Map(revisions.map((r) => [`${r.document}/${r.number}`, r]));
  const next = history.map((h) => {
    const changed = revised.get(`${h.document}/${h.number}`);
    return changed ? { ...h, cost: changed.cost, revision: changed.revision } : h;
  });
  shelves.set(shelfKey(shelf.item, shelf.location), {
    ...shelf,
    history: [...next.slice(0, position), inserted, ...next.slice(position)],
  });
  return { cost, revisions };
}

/** A receipt keeps the value it was stated at; a return or a transfer keeps the cost it came in with. */
const stepOf = (h: Later): Step => ({
  quantity: millionths(h.quantity),
  ...(h.statedValue !== null ? { value: paise(h.statedValue) } : h.quantity > 0 ? { value: paise(h.cost) } : {}),
});

const balanceOf = (shelf: Shelf): Balance => ({
  quantity: millionths(shelf.quantity),
  value: paise(shelf.value),
  layers: shelf.layers.map((l) => ({ quantity: millionths(l.quantity), value: paise(l.value) })),
});
const keep = (shelf: Shelf, balance: Balance): void => {
  shelf.quantity = balance.quantity;
  shelf.value = balance.value;
  shelf.layers = [...balance.layers];
};
const lastRate = (shelf: Shelf): Paise =>
  shelf.quantity > 0 ? scale(paise(shelf.value), 1_000_000, shelf.quantity) : paise(0);

const short = (request: PostRequest, movement: Movement, quantity: number): Refusal =>
  new Refusal('stockShort', {
    item: request.names.item(movement.item),
    location: request.names.location(movement.location),
    quantity: quantityText(-quantity),
    date: request.draft.date,
  });

/** Value at which a share of a movement comes back: its cost in proportion, in millionths of quantity. */
export const shareOf = (cost: number, part: Millionths, whole: number): Paise =>
  whole === 0 ? paise(0) : scale(Math.abs(cost), Math.abs(part), Math.abs(whole));
