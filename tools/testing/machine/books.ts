import type { Day, Id } from '../../../domain/document/document.ts';

/** Small books in memory: all that the machine expects the real ones to say. Quantities are whole units, amounts paise. */
export interface SmallBooks {
  /** Of which organisation, and the other one, whose ids are as good as unknown. */
  readonly name: 'ours' | 'theirs';
  other: SmallBooks | undefined;
  /** Stock may go negative. */
  readonly negative: boolean;
  readonly docs: Doc[];
  readonly moves: Move[];
  readonly drafts: Kept[];
  readonly sheets: Sheet[];
  /** How much of a credit settles a due. */
  readonly pairs: Map<string, Pair>;
  /** How many numbers of each kind were given. */
  readonly counters: Map<string, number>;
  lockedThrough: Day | undefined;
  /** The year in which the books begin, once it has ended. */
  readonly year: YearEnd;
  /** What changes of exchange rates have gained so far, in paise. */
  exchange: number;
  /** What was posted last, to be asked again with its key. */
  last: { readonly input: object; readonly key: string; readonly id: Id } | undefined;
}

/** How the year of the first days ends. */
export interface YearEnd {
  /** The profit that closing it was last said to post, in paise. */
  shown: number;
  /** While it is closed: with which profit, and the lock as it was before. */
  closed: { readonly profit: number; readonly lockedBefore: Day | undefined } | undefined;
  /** Whether it was ever closed. */
  ever: boolean;
}

export type Side = 'receivable' | 'payable' | 'customerCredit' | 'supplierCredit';
/** With whom: the two that all steps share, and those whose documents only their own steps choose. */
export type Who = 'main' | 'abroad' | 'early' | 'trader';
export type Place = 'shop' | 'store' | 'transit';

export interface Line {
  readonly item: number;
  readonly quantity: number;
  readonly rate: number;
  readonly source?: { readonly doc: Doc; readonly line: number };
}

export interface Doc {
  readonly id: Id;
  readonly kind: string;
  readonly date: Day;
  readonly place: Place;
  readonly lines: readonly Line[];
  readonly moves: readonly Move[];
  readonly total: number;
  /** What of it the party owes. */
  readonly owed: number;
  readonly side: Side | undefined;
  readonly who: Who;
  /** Rupees for one of its currency, in paise for a unit, and what it gained by settling. */
  readonly rate: number;
  exchange: number;
  /** What it made of an advance. */
  used: Pair | undefined;
  open: number;
  cancelled: boolean;
  /** The order that it was said to carry out. */
  order: Doc | undefined;
  /** Its number in the books, its party and its tax, where the step that made it foresaw them. */
  readonly number: string;
  readonly party: Id | undefined;
  readonly supplied: Supplied | undefined;
  /** What it took off the price of a line; negative, what it added. */
  readonly cut: Cut | undefined;
  /** The document that it corrects, without its lines naming one. */
  readonly on: Doc | undefined;
  /** Income-tax that it withheld. */
  readonly tax: Withheld | undefined;
  /** What it pays the government, when it is a challan. */
  readonly challan: Challan | undefined;
  /** Where it stands with the invoice portal, and whether that has it: only looked at where there is one. */
  irn: 'queued' | 'unclear' | 'registered' | 'cancelled' | 'void';
  atPortal: boolean;
}

/** How a document is taxed under GST, as its law says. Amounts in paise. */
export interface Supplied {
  readonly direction: 'sold' | 'bought';
  readonly place: string;
  readonly inter: boolean;
  readonly cgst: number;
  readonly sgst: number;
  readonly igst: number;
  /** The tax is part of the total. */
  readonly charged: boolean;
  readonly total: number;
  /** As GSTR-1 calls it. */
  readonly type: string;
  readonly reverse: boolean;
  /** Zero rated with payment of tax. */
  readonly payment: boolean;
  /** The government gives the tax back, and the buyer does not pay it. */
  readonly refunded: boolean;
  /** The tax is credit here. */
  readonly credit: boolean;
  readonly isNote?: true;
  /** It takes a supply back, or a part of its price. */
  readonly back?: boolean;
}

export interface Cut {
  readonly doc: Doc;
  readonly line: number;
  readonly amount: number;
}

/** Tax that a document deducted from what is paid, or collected on top, under a section as the law calls it. */
export interface Withheld {
  readonly of: 'tds' | 'tcs';
  readonly section: string;
  readonly amount: number;
}

/** How much of the tax of which document is paid, and by which serial number; '': the bank has not sent it yet. */
export interface Challan {
  readonly serial: string;
  readonly parts: readonly { readonly doc: Doc; readonly amount: number }[];
}

export interface Move {
  readonly item: number;
  readonly place: Place;
  readonly date: Day;
  readonly quantity: number;
  /** Which of them: a batch, a serial number or a stock room. */
  readonly part?: string;
}

export interface Kept {
  readonly id: Id;
  version: number;
  sale: { readonly date: Day; readonly place: Place; readonly lines: readonly Line[] };
  gone: 'posted' | 'deleted' | undefined;
}

/** A count of the store: what was counted of which item, and what the books had at that moment. */
export interface Sheet {
  readonly id: Id;
  version: number;
  /** Its line of each item, once it was looked at. */
  lines: ReadonlyMap<number, number> | undefined;
  priced: boolean;
  readonly counted: Map<number, { readonly quantity: number; readonly book: number }>;
  gone: boolean;
}

export interface Pair {
  readonly credit: Doc;
  readonly due: Doc;
  amount: number;
}

export const smallBooks = (name: SmallBooks['name'], negative: boolean): SmallBooks => ({
  name,
  other: undefined,
  negative,
  docs: [],
  moves: [],
  drafts: [],
  sheets: [],
  pairs: new Map(),
  counters: new Map(),
  lockedThrough: undefined,
  year: { shown: 0, closed: undefined, ever: false },
  exchange: 0,
  last: undefined,
});

/** Eighteen per cent on whole rupees is whole paise, so that nothing is rounded. */
export const totalOf = (lines: readonly Line[]): number => lines.reduce((t, l) => t + l.quantity * l.rate * 118, 0);

export const isLocked = ({ lockedThrough }: SmallBooks, date: Day): boolean =>
  lockedThrough !== undefined && date <= lockedThrough;

/** Whether stock would never be negative, on that day or any later, were these moved last on their day, one after the other. */
export function isThere({ moves, negative }: SmallBooks, wanted: readonly Move[]): boolean {
  if (negative) return true;
  const all = [...moves];
  return wanted.every((one) => {
    all.push(one);
    if (one.quantity > 0) return true;
    const movesThere = all.filter((m) => m.item === one.item && m.place === one.place);
    let held = movesThere.reduce((t, m) => (m.date <= one.date ? t + m.quantity : t), 0);
    if (held < 0) return false;
    return movesThere
      .filter((m) => m.date > one.date)
      .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
      .every((m) => {
        held += m.quantity;
        return held >= 0;
      });
  });
}

/** Refusals that goods of these batches, serial numbers and rooms would meet, were these moved last on their day. */
export function partFault({ moves, negative }: SmallBooks, wanted: readonly Move[]): Readonly<Record<string, boolean>> {
  const all = [...moves];
  const found: Record<string, boolean> = {};
  for (const one of wanted) {
    all.push(one);
    const { part } = one;
    if (part === undefined) continue;
    const serial = part.startsWith('serial');
    // a serial number is one piece in all locations
    const of = all.filter(
      (m) => m.part === part && m.item === one.item && ((serial && one.quantity > 0) || m.place === one.place),
    );
    const there = of.reduce((t, m) => (m.date <= one.date ? t + m.quantity : t), 0);
    let held = there;
    // at every moment in date order, also between what left and what came on one day
    const moments = of
      .filter((m) => m.date > one.date)
      .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
      .map((m) => {
        held += m.quantity;
        return held;
      });
    // a room is a place: it may owe where a place may
    const mayOwe = negative && part.startsWith('room');
    if (one.quantity < 0 && !mayOwe && [there, ...moments].some((n) => n < 0))
      found[short[part.split(' ')[0] as keyof typeof short]] = true;
    // it may not be there twice
    if (serial && one.quantity > 0 && [there, ...moments].some((n) => n > 1)) found['serialTwice'] = true;
  }
  return found;
}
/** All that is short, were these moved. */
export const shortOf = (books: SmallBooks, wanted: readonly Move[]): Readonly<Record<string, boolean>> => ({
  stockShort: !isThere(books, wanted),
  ...partFault(books, wanted),
});
const short = { batch: 'batchShort', serial: 'serialAway', room: 'problems' } as const;

export const onHand = ({ moves }: SmallBooks, item: number, place: Place): number =>
  moves.reduce((t, m) => (m.item === item && m.place === place ? t + m.quantity : t), 0);

/** Documents that stand and were made from lines of another. */
export const madeFrom = ({ docs }: SmallBooks, source: Doc): Doc[] =>
  docs.filter((d) => !d.cancelled && (d.on === source || d.lines.some((l) => l.source?.doc === source)));

/** What nothing was made of yet of a line. */
export function leftOf(books: SmallBooks, doc: Doc, line: number): number {
  const taken = madeFrom(books, doc)
    .flatMap((d) => d.lines)
    .reduce((t, l) => (l.source?.doc === doc && l.source.line === line ? t + l.quantity : t), 0);
  return (doc.lines[line - 1]?.quantity ?? 0) - taken;
}

/** How much of an order was carried out, by what was made from its lines and by what was named afterwards. */
export function carriedOut(books: SmallBooks, order: Doc): number {
  const linked = books.docs.filter((d) => d.order === order && !d.cancelled).flatMap((d) => d.lines);
  return [...new Set(order.lines.map((l) => l.item))].reduce((sum, item) => {
    const own = order.lines.map((l, i) => ({ ...l, taken: l.quantity - leftOf(books, order, i + 1) }));
    const of = own.filter((l) => l.item === item);
    const wanted = of.reduce((t, l) => t + l.quantity, 0);
    const named = of.reduce((t, l) => t + Math.min(l.quantity, l.taken), 0);
    const done = linked.reduce((t, l) => (l.item === item && l.source?.doc !== order ? t + l.quantity : t), 0);
    return sum + Math.min(wanted, named + done);
  }, 0);
}

const pairName = (credit: Doc, due: Doc): string => `${credit.id}/${due.id}`;
export const paired = ({ pairs }: SmallBooks, credit: Doc, due: Doc): number =>
  pairs.get(pairName(credit, due))?.amount ?? 0;

/** Brings a pair to an amount; both sides are open by so much less or more. */
export function settle({ pairs }: SmallBooks, credit: Doc, due: Doc, amount: number): void {
  const name = pairName(credit, due);
  const change = amount - (pairs.get(name)?.amount ?? 0);
  pairs.set(name, { credit, due, amount });
  credit.open -= change;
  due.open -= change;
}

/** What settled or was settled by a document is free again, and nothing of the document is open. */
export function free({ pairs }: SmallBooks, doc: Doc): void {
  for (const pair of pairs.values()) {
    if (pair.credit !== doc && pair.due !== doc) continue;
    pair.credit.open += pair.amount;
    pair.due.open += pair.amount;
    pair.amount = 0;
  }
  doc.open = 0;
}
