import type { CallName } from '../../../contract/calls.ts';
import type { Level } from '../../../contract/screens.ts';
import { addDays, financialYearOf } from '../../../domain/base/dates.ts';
import type { Day, Id } from '../../../domain/document/document.ts';
import {
  type Challan,
  type Cut,
  type Doc,
  isLocked,
  type Line,
  type Move,
  type Place,
  type Side,
  type SmallBooks,
  type Supplied,
  shortOf,
  totalOf,
  type Who,
  type Withheld,
} from './books.ts';
import type { Trader } from './categories.ts';

/** The real records that stand for those of the small books. */
export interface World {
  readonly registration: Id;
  readonly places: Readonly<Record<Exclude<Place, 'transit'>, Id>>;
  readonly customer: Id;
  readonly supplier: Id;
  /** A customer in another country, and one who pays in advance. */
  readonly abroad: Id;
  readonly early: Id;
  /** Parties of every category. */
  readonly traders: readonly Trader[];
  /** Stock rooms of the shop. */
  readonly rooms: Readonly<Record<'front' | 'back', Id>>;
  readonly items: readonly Id[];
  readonly ledgers: Readonly<Record<'bank' | 'cash' | 'power' | 'sales' | 'output' | 'input', Id>>;
  /** A cost centre, and one of each sort of record that is retired. */
  readonly centre: Id;
  readonly retired: Readonly<Record<'party' | 'item' | 'ledger' | 'place' | 'centre', Id>>;
  /** The invoice portal, where there is one: how it answers the next call. */
  readonly portal?: { next: readonly [mode: string, operation: 'generate' | 'cancel'] | undefined };
  /** The clock of this organisation's machine. */
  today: Day;
}

/** One operation: a call, why it may be refused (nothing: it must succeed), and what it changes in the small books. */
export interface Step {
  readonly call: CallName;
  readonly input: object;
  /** Asked with this key again; otherwise with a new one. */
  readonly key?: string;
  /** The level of who asks, on every screen; the owner's when it is not said. */
  readonly level?: Level;
  /** Codes of refusals, or 'problems'. */
  readonly refused: readonly string[];
  /** Says what is wrong with the answer, if anything. */
  apply(answer: Answered, key: string): string | undefined;
}
export type Answered = Readonly<Record<string, unknown>>;
export type Numbers = readonly [number, number, number, number];
export type Plan = (books: SmallBooks, world: World, n: Numbers) => Step | undefined;

/** The first are plain; then one kept in batches, one by serial numbers, one in stock rooms. */
export const ITEMS = 3;
export const KEPT = { batch: 3, serial: 4, room: 5 } as const;
export const ALL_ITEMS = 7;
/** Days that documents are dated: the last so many up to today. */
export const DAYS = 9;

export const pick = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];
export const dayOf = ({ today }: World, n: number): Day => addDays(today, -(n % DAYS));
export const placeOf = (n: number): 'shop' | 'store' => (n % 4 === 0 ? 'store' : 'shop');
export const some = (n: number, m: number): Line[] =>
  [n, m].slice(0, 1 + (m % 2)).map((x) => ({ item: x % ITEMS, quantity: 1 + (x % 5), rate: 50 + (x % 37) }));
/** What every posting may be refused for. */
export const because = (reasons: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(reasons).filter((code) => reasons[code]);
export const all = ({ docs }: SmallBooks, ...kinds: readonly string[]): Doc[] =>
  docs.filter((d) => d.who === 'main' && kinds.includes(d.kind));

export interface Made {
  readonly kind: string;
  readonly date: Day;
  readonly place: 'shop' | 'store';
  readonly lines: readonly Line[];
  readonly moves?: readonly Move[];
  readonly total?: number;
  readonly side?: Side;
  readonly who?: Who;
  readonly rate?: number;
  readonly tax?: Withheld;
  readonly challan?: Challan;
  /** What the party owes of the total, where it is not all. */
  readonly owed?: number;
  readonly party?: Id | undefined;
  readonly supplied?: Supplied;
  readonly cut?: Cut;
  readonly on?: Doc;
}

export const wireLines = ({ items }: World, lines: readonly Line[]) =>
  lines.map((l) => ({
    item: items[l.item] ?? '',
    quantity: String(l.quantity),
    rate: String(l.rate),
    ...(l.source && { source: { document: l.source.doc.id, line: l.source.line } }),
  }));
export const headOf = (world: World, { kind, date, place }: Pick<Made, 'kind' | 'date' | 'place'>) => ({
  kind,
  date,
  registration: world.registration,
  location: world.places[place],
  lines: [],
});
export const moved = (lines: readonly Line[], place: Place, date: Day, sign: number): Move[] =>
  lines.map((l) => ({ item: l.item, place, date, quantity: sign * l.quantity }));

/** Takes what was posted into the small books, and compares number and total. */
export function enter(books: SmallBooks, made: Made, answer: Answered): string | undefined {
  const {
    kind,
    date,
    place,
    lines,
    moves = [],
    side,
    who = 'main',
    rate = 0,
    total = totalOf(lines),
    tax,
    challan,
    owed = total,
  } = made;
  const series = `${kind} ${financialYearOf(date).start}`;
  const { TransactionId: id, TransactionNumber: number } = answer as { TransactionId: Id; TransactionNumber: string };
  const count = (books.counters.get(series) ?? 0) + 1;
  books.counters.set(series, count);
  // what is deducted is not owed to the supplier
  const open = side ? owed - (tax?.of === 'tds' ? tax.amount : 0) : 0;
  books.docs.push({
    id,
    kind,
    date,
    place,
    lines,
    moves,
    total,
    owed,
    side,
    who,
    rate,
    exchange: 0,
    used: undefined,
    number,
    party: made.party,
    supplied: made.supplied,
    cut: made.cut,
    on: made.on,
    open,
    cancelled: false,
    order: undefined,
    tax,
    challan,
    irn: 'queued',
    atPortal: false,
  });
  books.moves.push(...moves);
  if (Number(number.split('/').at(-1)) !== count) return `the number ${number} is not the ${count}th`;
  return side !== undefined && answer['total'] !== ((total * (rate || 1)) / 100).toFixed(2)
    ? `the total ${answer['total']} is not ${total} paise`
    : undefined;
}

/** A step that posts a whole document. */
export function posting(
  books: SmallBooks,
  world: World,
  made: Made,
  more: object,
  refused: Readonly<Record<string, boolean>>,
  after: (doc: Doc) => void = () => undefined,
): Step {
  const input = { document: { ...headOf(world, made), lines: wireLines(world, made.lines), ...more } };
  return {
    call: 'PostTransactionCalls',
    input,
    refused: because({ periodLocked: isLocked(books, made.date), ...shortOf(books, made.moves ?? []), ...refused }),
    apply: (answer, key) => {
      const wrong = enter(books, made, answer);
      books.last = { input, key, id: String(answer['TransactionId']) };
      const doc = books.docs.at(-1);
      if (doc) after(doc);
      return wrong;
    },
  };
}
