import { type Millionths, millionths, ONE, quantityText } from '../base/decimal.ts';
import { type Said, say } from '../base/say.ts';
import type { BatchPart, Day, Draft, DraftLine, Id, Movement, Problem } from '../document/document.ts';
import { movesGoods } from '../document/kinds/index.ts';
import type { Kind } from '../document/kinds/kind.ts';
import type { Facts, ItemFacts } from '../document/resolve.ts';
import { isShort, type Keeps } from './shelf-life.ts';
import { inBase, itself } from './units.ts';

/** Names are compared without case, as people read them from a label. */
export const partName = (typed: string): string => typed.trim().toUpperCase();

/** What is wrong with the batches and serial numbers of the lines of a document that moves goods; to mend in the editor. */
export function partProblems(kind: Kind, draft: Draft, facts: Facts): Problem[] {
  if (!movesGoods(kind)) return [];
  const seen = new Set<string>();
  return draft.lines.flatMap((line, row) => {
    const item = line.item === undefined ? undefined : facts.items.get(line.item);
    if (!item) return [];
    return [
      ...batchProblems(line, item).map((message) => ({ field: 'lines.batches', row, ...message })),
      ...serialProblems(line, item, seen).map((message) => ({ field: 'lines.serials', row, ...message })),
    ];
  });
}

/** All of a line, with what is free, in the unit that was typed. */
const wholeOf = (line: DraftLine): number =>
  line.delta === undefined ? (line.quantity ?? 0) + (line.freeQuantity ?? 0) : Math.abs(line.delta);

function batchProblems(line: DraftLine, item: ItemFacts): Said[] {
  const { batches = [] } = line;
  if (!item.batched) return batches.length > 0 ? [say('{{sku}} is not kept in batches', { sku: item.sku })] : [];
  if (batches.length === 0)
    return wholeOf(line) === 0 ? [] : [say('Enter the batches: B1 = 10 exp 2027-03-31; B2 = 5')];
  const names = new Set(batches.map((b) => partName(b.batch)));
  if (names.size < batches.length) return [say('A batch is listed twice')];
  if (batches.some((b) => b.quantity <= 0)) return [say('Enter how much of each batch')];
  const wrongDays = batches.find((b) => b.expiry && b.manufactured && b.expiry <= b.manufactured);
  if (wrongDays) return [say('Batch {{batch}} expires after it is made', { batch: wrongDays.batch })];
  const sum = batches.reduce((t, b) => t + b.quantity, 0);
  return sum === wholeOf(line)
    ? []
    : [say('The batches add up to {{sum}} of {{line}}', { sum: quantityText(sum), line: quantityText(wholeOf(line)) })];
}

function serialProblems(line: DraftLine, item: ItemFacts, seen: Set<string>): Said[] {
  const { serials = [] } = line;
  if (!item.serialised) return serials.length > 0 ? [say('{{sku}} has no serial numbers', { sku: item.sku })] : [];
  const wanted = BigInt(inBase(wholeOf(line), item.units[line.unit ?? item.unit] ?? itself));
  if (wanted % BigInt(ONE) !== 0n) return [say('A {{unit}} with a serial number is not split', { unit: item.unit })];
  for (const serial of serials) {
    const name = `${item.id}/${partName(serial)}`;
    if (seen.has(name)) return [say('Serial number {{serial}} is listed twice', { serial })];
    seen.add(name);
  }
  const count = wanted / BigInt(ONE);
  return BigInt(serials.length) === count
    ? []
    : [
        say('{{count}} serial numbers for {{wanted}}: A01, A02 or A01..A02', {
          count: serials.length,
          wanted: String(count),
        }),
      ];
}

/** The batches of a line in the item's base unit: they add up to what moves, the last one takes what rounding leaves. */
export function batchesInBase(batches: readonly BatchPart[], whole: number, base: number): BatchPart[] {
  let left = base;
  return batches.map((part, at) => {
    const own =
      at === batches.length - 1 || whole === 0
        ? left
        : Number((BigInt(part.quantity) * BigInt(base) * 2n + BigInt(whole)) / (2n * BigInt(whole)));
    left -= own;
    return { ...part, batch: partName(part.batch), quantity: millionths(own) };
  });
}

/** A batch with what is left of it, in the order in which it is to go. */
export interface HeldBatch {
  readonly batch: string;
  readonly expiry?: Day;
  readonly quantity: Millionths;
}

/** The batches for so much: what expires first goes first, what does not expire last. Less than was asked when not enough is left. */
export function firstExpiryFirstOut(held: readonly HeldBatch[], wanted: number): BatchPart[] {
  const order = [...held].sort(
    (a, b) => compareText(a.expiry ?? NEVER, b.expiry ?? NEVER) || compareText(a.batch, b.batch),
  );
  let left = wanted;
  return order.flatMap((part) => {
    const taken = Math.min(left, part.quantity);
    left -= taken;
    return taken > 0 ? [{ ...part, quantity: millionths(taken) }] : [];
  });
}
const NEVER = '9999-12-31';
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export type PartSort = 'batch' | 'serial';

/** So much of a batch, or one serial number, into a place or out of it. */
export interface PartMove {
  readonly sort: PartSort;
  readonly part: string;
  readonly item: Id;
  readonly location: Id;
  readonly line: number;
  readonly quantity: Millionths;
  readonly expiry?: Day;
  /** It comes back from there. */
  readonly returned?: Id;
}

/** A movement batch by batch and number by number. */
export function partsMoved({
  item,
  location,
  line,
  quantity,
  batches = [],
  serials = [],
  costOf,
}: Movement): PartMove[] {
  const sign = Math.sign(quantity);
  const at = { item, location, line, ...(costOf && { returned: costOf.document }) };
  return [
    ...batches.map(
      (b): PartMove => ({
        ...at,
        sort: 'batch',
        part: b.batch,
        quantity: millionths(sign * b.quantity),
        ...(b.expiry && { expiry: b.expiry }),
      }),
    ),
    ...serials.map((part): PartMove => ({ ...at, sort: 'serial', part, quantity: millionths(sign * ONE) })),
  ];
}

/** How a part stands at a place from a day on: the least that is ever there, the most that is ever anywhere. */
export interface PartStand {
  readonly item: Id;
  readonly sort: PartSort;
  readonly part: string;
  readonly location: Id;
  readonly least: number;
  readonly most: number;
  readonly expiry: Day | null;
  /** How much of it went out with the document that it comes back from. */
  readonly source: number;
}

export interface PartFault {
  readonly move: PartMove;
  readonly what: 'short' | 'twice' | 'expired' | 'tooOld' | 'undated' | 'otherExpiry' | 'notSold';
  /** What is short, or the day that it expires. */
  readonly quantity: number;
  readonly expiry: Day | null;
}

/** The first movement that a batch or serial number does not bear, after those of the same transaction; undefined when all do. */
export function partFault(
  stands: readonly PartStand[],
  before: readonly PartMove[],
  moves: readonly PartMove[],
  day: Day,
  isSale: boolean,
  keeping?: { readonly keeps: Keeps; readonly isReceipt: boolean },
): PartFault | undefined {
  const places = new Map<string, number>();
  const anywhere = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, first: number, n: number): number => {
    const now = (map.get(key) ?? first) + n;
    map.set(key, now);
    return now;
  };
  const judged = (move: PartMove): PartFault | undefined => {
    const { item, sort, part, location, quantity, expiry: stated } = move;
    const own = stands.filter((s) => s.item === item && s.sort === sort && s.part === part);
    const here = own.find((s) => s.location === location);
    const least = add(places, [item, sort, part, location].join('/'), here?.least ?? 0, quantity);
    const most = add(anywhere, [item, sort, part].join('/'), own[0]?.most ?? 0, quantity);
    const expiry = own[0]?.expiry ?? null;
    const fault = (what: PartFault['what']): PartFault => ({ move, what, quantity: -least, expiry });
    if (quantity < 0 && least < 0) return fault('short');
    if (sort === 'serial' && quantity > 0 && most > ONE) return fault('twice');
    if (stated && expiry && stated !== expiry) return fault('otherExpiry');
    if (isSale && quantity < 0 && expiry !== null && expiry < day) return fault('expired');
    const life = keeping && sort === 'batch' ? keeping.keeps(item) : undefined;
    if (life && isSale && quantity < 0 && expiry !== null && isShort(expiry, day, life)) return fault('tooOld');
    if (life && keeping?.isReceipt && quantity > 0 && !stated && expiry === null) return fault('undated');
    return move.returned && quantity > 0 && (own[0]?.source ?? 0) < quantity ? fault('notSold') : undefined;
  };
  for (const move of before) judged(move);
  for (const move of moves) {
    const fault = judged(move);
    if (fault) return fault;
  }
  return undefined;
}
