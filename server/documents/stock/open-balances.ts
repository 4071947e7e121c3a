import type pg from 'pg';
import { millionths } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import type { Id } from '../../../domain/document/document.ts';
import { kindCalled } from '../../../domain/document/kinds/index.ts';
import type { Span } from '../../../domain/stock/cost-spans.ts';
import { runThrough } from '../../../domain/stock/revalue.ts';
import { emptyStockState, type LateCost, type StockState } from '../../../domain/stock/valuation.ts';
import type { Loaded } from '../posting/load.ts';
import type { BookSettings, CheckedRequest } from '../posting/types.ts';
import { balanceKeyOf, type Later, movementKey, type Revised, type StockBalances } from './balances.ts';

/** A point in the order of the movements of an item at a location, by date and sequence. All movements after it are valued again. */
export interface Point {
  readonly item: Id;
  readonly location: Id;
  readonly date: string;
  readonly sequence: number;
}

/** The new costs reach a stock balance that is not locked: the transaction starts again and locks it with the others, in order. */
export class LockSetGrew extends Error {
  readonly points: readonly Point[];
  constructor(points: readonly Point[]) {
    super('more stock balances are reached');
    this.points = points;
  }
}

/** More movements follow a back-dated document than its posting may value again: a job values them (ADR 12). */
export class RevaluationTooLarge extends Error {
  constructor() {
    super('a job values these again');
  }
}

/** Beyond this many movements a back-dated posting would hold its locks too long. */
export const MOST_REVALUED = 2000;
const LAST = Number.MAX_SAFE_INTEGER;

/** Stock balances that a batch moves on a day before their last movement, or on several days: their later movements are valued again. */
export const backDated = (loaded: Loaded): Point[] =>
  (loaded.balances ?? []).flatMap((b) =>
    b.first_date !== NO_DAY && (b.first_date < b.final_date || (b.last_date !== null && b.first_date < b.last_date))
      ? [{ item: b.item, location: b.location, date: b.first_date, sequence: LAST }]
      : [],
  );
/** Stands for the day of the movement where a batch moves nothing, and the balance is locked only because it may be valued again. */
export const NO_DAY = '9999-12-31';

export interface Opened {
  readonly stockBalances: StockBalances;
  readonly later: readonly Later[];
}

/**
 * The stock balances before the batch is posted. A balance with a point is taken back to that point, and the movements after it
 * are returned as `later`. More than `most` of those are refused; null is no limit. `lots` says how much has to be found out
 * about the lots of a balance, because the table of balances does not hold it.
 */
export async function openBalances(
  client: pg.PoolClient,
  organisation: number,
  loaded: Pick<Loaded, 'balances'>,
  settings: BookSettings,
  points: readonly Point[],
  most: number | null,
  lots: Lots,
): Promise<Opened> {
  const stockBalances: StockBalances = new Map();
  const later: Later[] = [];
  for (const b of loaded.balances ?? []) {
    const balanceKey = balanceKeyOf(b.item, b.location);
    const point = points.find((p) => balanceKeyOf(p.item, p.location) === balanceKey);
    const following = point
      ? await movements(
          client,
          organisation,
          point,
          { date: 'infinity', sequence: LAST },
          most === null ? null : most + 1,
        )
      : [];
    for (const one of following) later.push(one);
    if (most !== null && later.length > most) throw new RevaluationTooLarge();
    const layers = [];
    for (let i = 0; i < b.layers.length; i += 2)
      layers.push({ quantity: millionths(b.layers[i] ?? 0), value: paise(b.layers[i + 1] ?? 0) });
    const held = following.reduce((t, m) => t - m.quantity, b.quantity);
    const worth = following.reduce((t, m) => t - m.cost, b.value);
    const now: StockState = {
      balance: { quantity: millionths(held), value: paise(worth), layers },
      lastRate: paise(0),
    };
    const isLast = !point || following.length === 0;
    const found =
      !isLast || (lots !== 'plain' && settings.method === 'fifo')
        ? await stateAt(
            client,
            organisation,
            settings,
            isLast ? endOf(b) : point,
            now,
            lots === 'ever' || following.some(isLateCost),
          )
        : held <= 0 && settings.allowNegative && b.last_date !== null
          ? {
              ...now,
              lastRate: (await before(client, organisation, endOf(b), now, false)).lastRate,
            }
          : now;
    // what waits to be valued again is worth what it was until the job is done: its lots are found then
    const state = isLast && found.balance.value !== now.balance.value ? now : found;
    stockBalances.set(balanceKey, {
      item: b.item,
      location: b.location,
      quantity: state.balance.quantity,
      value: state.balance.value,
      layers: [...state.balance.layers],
      lastRate: state.lastRate,
      issued: state.issued,
      lastDate: b.last_date,
      touched: false,
    });
  }
  return {
    stockBalances,
    later: later.sort((a, b) => (a.date === b.date ? a.sequence - b.sequence : a.date < b.date ? -1 : 1)),
  };
}

/** The point after all movements of a stock balance. */
const endOf = ({ item, location }: { readonly item: Id; readonly location: Id }): Point => ({
  item,
  location,
  date: 'infinity',
  sequence: LAST,
});

/**
 * How far back the movements of a balance are read to find its lots. `since`: since it was last empty; goods that go back to their
 * supplier, or come back when that is cancelled, need the receipt that brought each lot in. `ever`: from the first movement; a cost
 * that is booked after its goods came in also needs the goods that left earlier and may have come back. `plain`: not at all.
 */
export type Lots = 'plain' | 'since' | 'ever';
const lotsOf = ({ kind, mirrorOf }: Pick<CheckedRequest, 'kind' | 'mirrorOf'>): Lots => {
  const moving = kindCalled(mirrorOf?.kind ?? kind);
  if (moving?.stock.effect === 'worth') return 'ever';
  return moving?.stock.effect === 'out' && moving.source.givesPrice === true ? 'since' : 'plain';
};
/** How far back the movements are read for all documents of a batch. */
export function asksLots(all: readonly Pick<CheckedRequest, 'kind' | 'mirrorOf'>[]): Lots {
  const asked = new Set(all.map(lotsOf));
  return (['ever', 'since'] as const).find((lots) => asked.has(lots)) ?? 'plain';
}
const isLateCost = ({ lateCost }: Later): boolean => lateCost !== undefined;

/**
 * A stock balance at a point. With average cost that is quantity and value. With FIFO its layers are found by repeating the
 * movements since it was last empty; from the first movement on where a cost that was booked after its goods needs all lots.
 */
async function stateAt(
  client: pg.PoolClient,
  organisation: number,
  settings: BookSettings,
  point: Point,
  { balance, lastRate }: StockState,
  ever: boolean,
): Promise<StockState> {
  const plain = { balance: { ...balance, layers: [] }, lastRate: paise(0) };
  if (settings.method === 'average' && balance.quantity > 0) return plain;
  const isFifo = settings.method === 'fifo';
  const found = isFifo && ever ? fromFirst : await before(client, organisation, point, plain, isFifo);
  if (!isFifo) return { ...plain, lastRate: found.lastRate };
  const since = await movements(client, organisation, { ...point, ...found.empty }, point, null);
  if (!ever && since.some(isLateCost))
    return stateAt(client, organisation, settings, point, { balance, lastRate }, true);
  const balanceKey = balanceKeyOf(point.item, point.location);
  const states = new Map([[balanceKey, { ...emptyStockState, lastRate: found.lastRate }]]);
  runThrough(settings.method, states, since);
  return states.get(balanceKey) ?? emptyStockState;
}
const fromFirst = { empty: { date: '-infinity', sequence: 0 }, lastRate: paise(0) };

/** When the balance was last empty before a point (the beginning, if never), and the last rate at which it held goods before. */
async function before(
  client: pg.PoolClient,
  organisation: number,
  { item, location, date, sequence }: Point,
  { balance }: StockState,
  findEmpty: boolean,
): Promise<{
  readonly empty: { readonly date: string; readonly sequence: number };
  readonly lastRate: ReturnType<typeof paise>;
}> {
  const { rows } = await client.query<{ empty_day: string | null; empty_sequence: string | null; last_rate: string }>({
    name: 'balance-before',
    text: 'select empty_day::text as empty_day, empty_sequence, last_rate from balance_before($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [organisation, item, location, date, sequence, balance.quantity, balance.value, findEmpty],
  });
  return {
    empty: { date: rows[0]?.empty_day ?? '-infinity', sequence: Number(rows[0]?.empty_sequence ?? 0) },
    lastRate: paise(Number(rows[0]?.last_rate ?? 0)),
  };
}

interface Row {
  document: Id;
  number: number;
  date: string;
  sequence: string;
  quantity: string;
  stated_value: string | null;
  cost: string;
  revision: number;
  kind: string;
  registration: Id;
  location: Id;
  cost_centre: Id | null;
  source_document: Id | null;
  source_number: number | null;
  source_quantity: string | null;
  source_cost: string | null;
  source_landed: string | null;
  source_spans: Span[] | null;
  late_cost: LateCost | null;
  undoes: boolean | null;
}

async function movements(
  client: pg.PoolClient,
  organisation: number,
  after: Point,
  until: Pick<Point, 'date' | 'sequence'>,
  most: number | null,
): Promise<Later[]> {
  const { item, location: at } = after;
  const { rows } = await client.query<Row>({
    name: 'stock-between',
    text: 'select *, date::text as date from stock_between($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [organisation, item, at, after.date, after.sequence, until.date, until.sequence, most],
  });
  return rows.map((r) => ({
    key: movementKey(r.document, r.number),
    balanceKey: balanceKeyOf(item, at),
    document: r.document,
    number: r.number,
    item,
    at,
    date: r.date,
    sequence: Number(r.sequence),
    quantity: millionths(Number(r.quantity)),
    cost: Number(r.cost),
    revision: r.revision,
    kind: r.kind,
    registration: r.registration,
    location: r.location,
    costCentre: r.cost_centre,
    ...(r.stated_value !== null && { stated: paise(Number(r.stated_value)) }),
    ...(r.late_cost && { lateCost: r.late_cost }),
    ...(r.source_document !== null &&
      r.source_number !== null && {
        taken: {
          from: movementKey(r.source_document, r.source_number),
          quantity: millionths(Number(r.source_quantity)),
          cost: paise(Number(r.source_cost)),
          undoes: r.undoes === true,
          ...(r.source_spans !== null && { spans: r.source_spans }),
          ...(r.source_landed !== null && { landed: paise(Number(r.source_landed)) }),
        },
      }),
  }));
}

/** Points of stock balances that the revised costs are carried on to and that are not reached yet. */
export async function further(
  client: pg.PoolClient,
  organisation: number,
  revised: readonly Revised[],
  points: readonly Point[],
  stockBalances: StockBalances,
): Promise<Point[]> {
  if (revised.length === 0) return [];
  const { rows } = await client.query<{ item: Id; location: Id; date: string; sequence: string }>({
    name: 'stock-followers',
    text: 'select item, location, date::text as date, sequence from stock_followers($1, $2, $3) order by date, sequence',
    values: [organisation, revised.map((r) => r.document), revised.map((r) => r.number)],
  });
  const reached = new Map(points.map((p) => [balanceKeyOf(p.item, p.location), p]));
  let more = false;
  for (const { item, location, date, sequence } of rows) {
    const key = balanceKeyOf(item, location);
    const known = reached.get(key);
    if (known && (known.date < date || (known.date === date && known.sequence < Number(sequence)))) continue;
    reached.set(key, { item, location, date, sequence: Number(sequence) - 1 });
    more = true;
  }
  if (!more) return [];
  const all = [...reached.values()];
  if (all.some((p) => !stockBalances.has(balanceKeyOf(p.item, p.location)))) throw new LockSetGrew(all);
  return all;
}
