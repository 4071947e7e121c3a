import { daysBetween } from '../base/dates.ts';
import { type Millionths, moneyText, ONE, rateText } from '../base/decimal.ts';
import { type Paise, paise, scale } from '../base/money.ts';
import type { Day, Id } from '../document/document.ts';
import { type KindName, kindCalled } from '../document/kinds/index.ts';

/** A line of a statement that is not matched yet; a positive amount came in. */
export interface OpenLine {
  readonly id: Id;
  readonly date: Day;
  readonly amount: Paise;
  readonly text: string;
  readonly reference: string;
}

/** An entry on the bank's ledger that no statement has shown yet. */
export interface OpenEntry {
  /** Its document and leg. */
  readonly key: string;
  readonly date: Day;
  readonly amount: Paise;
  /** Words that a bank may repeat: the number, the reference, the cheque, the party. */
  readonly marks: readonly string[];
}

export interface Suggestion {
  readonly line: Id;
  readonly entry: string;
  /** What makes it likely: a word of the entry in the line, or the amount alone. */
  readonly by: 'reference' | 'amount';
}

/** A cheque may be presented for three months; a bank may value a payment a few days early. */
const LATEST = 92;
const EARLIEST = -7;
/**
 * Whether the bank may have cleared on a day what is booked on another: a line of its statement may be valued a few days early, a day
 * that somebody types is not before the entry.
 */
export const mayClear = (booked: Day, day: Day, isOfStatement: boolean): boolean =>
  daysBetween(booked, day) >= (isOfStatement ? EARLIEST : 0);
/** With nothing but the amount, the days are to be near. */
const NEAR = 10;
/** Shorter words stand in too many lines. */
const SHORTEST = 4;

const plain = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/**
 * Which entry each line is likely to be: of the same amount, first by a word that the bank repeats, then by the amount alone
 * where line and entry are the only ones for each other. Each line and each entry is used once; what is in doubt is left.
 */
export function suggest(lines: readonly OpenLine[], entries: readonly OpenEntry[]): readonly Suggestion[] {
  const byAmount = new Map<number, OpenEntry[]>();
  for (const entry of entries) byAmount.set(entry.amount, [...(byAmount.get(entry.amount) ?? []), entry]);
  const marks = new Map(
    entries.map((entry) => [entry.key, entry.marks.map(plain).filter((mark) => mark.length >= SHORTEST)]),
  );
  const used = new Set<string>();
  const found: Suggestion[] = [];
  const within = (line: OpenLine, from: number, to: number) =>
    (byAmount.get(line.amount) ?? []).filter((entry) => {
      const days = daysBetween(entry.date, line.date);
      return !used.has(entry.key) && days >= from && days <= to;
    });
  const left = lines.filter((line) => {
    const said = plain(`${line.text} ${line.reference}`);
    const scored = within(line, EARLIEST, LATEST)
      .map((entry) => ({
        entry,
        length: Math.max(0, ...(marks.get(entry.key) ?? []).filter((m) => said.includes(m)).map((m) => m.length)),
        days: Math.abs(daysBetween(entry.date, line.date)),
      }))
      .filter(({ length }) => length > 0)
      .toSorted((a, b) => b.length - a.length || a.days - b.days);
    const [best, second] = scored;
    if (!best || (second && second.length === best.length && second.days === best.days)) return true;
    used.add(best.entry.key);
    found.push({ line: line.id, entry: best.entry.key, by: 'reference' });
    return false;
  });
  const near = (line: OpenLine) => within(line, EARLIEST, NEAR);
  const rivals = new Map<string, number>();
  for (const line of left) for (const { key } of near(line)) rivals.set(key, (rivals.get(key) ?? 0) + 1);
  const lone = left.flatMap((line) => {
    const [only, ...others] = near(line);
    return only && others.length === 0 && rivals.get(only.key) === 1 ? [{ line: line.id, entry: only.key }] : [];
  });
  return [...found, ...lone.map((pair) => ({ ...pair, by: 'amount' as const }))];
}

/** A document of which something is still to be paid, in rupees. */
export interface Due {
  readonly document: Id;
  readonly line: number;
  readonly party: Id;
  readonly name: string;
  readonly owed: boolean;
  readonly date: Day;
  readonly due: Day;
  readonly open: Paise;
  /** What it is called: its number, and that of the supplier. */
  readonly marks: readonly string[];
  readonly number: string;
}

export interface Settles {
  readonly line: Id;
  readonly way: 'receipt' | 'payment';
  readonly party: Id;
  readonly name: string;
  /** What makes it likely: a number in the text, the name of the party, or the amount alone. */
  readonly by: 'number' | 'party' | 'amount';
  readonly dues: readonly {
    readonly document: Id;
    readonly line: number;
    readonly number: string;
    readonly amount: Paise;
  }[];
}

/** The first words of a name, as banks write them: what kind of company it is comes last. */
const nameOf = (name: string): string => plain(name.split(/\s+/).slice(0, 2).join(' '));

/**
 * Which open documents each line is likely to settle: those whose number stands in its text, else those of the party whose
 * name does, else the only one of just this amount. Nothing of a document is given twice; what is in doubt is left.
 */
export function settles(lines: readonly OpenLine[], dues: readonly Due[]): readonly Settles[] {
  const left = new Map(dues.map((due) => [due, due.open as number]));
  const sizes = new Map<number, number>();
  for (const { amount } of lines) sizes.set(amount, (sizes.get(amount) ?? 0) + 1);
  return lines.flatMap((line): Settles[] => {
    const said = plain(`${line.text} ${line.reference}`);
    const size = Math.abs(line.amount);
    const open = dues.filter((d) => d.owed === line.amount > 0 && d.date <= line.date && (left.get(d) ?? 0) > 0);
    const named = open.filter((d) => d.marks.map(plain).some((mark) => mark.length >= SHORTEST && said.includes(mark)));
    const whose = open.filter((d) => nameOf(d.name).length > SHORTEST && said.includes(nameOf(d.name)));
    const equal = open.filter((d) => left.get(d) === size);
    const of = (found: readonly Due[], by: Settles['by']): Settles | undefined => {
      const [first] = found;
      if (!first || found.some(({ party }) => party !== first.party)) return undefined;
      const exact = found.filter((d) => left.get(d) === size);
      const wanted =
        exact.length === 1 ? exact : found.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0));
      let rest = size;
      const shares = wanted.flatMap((d) => {
        const amount = Math.min(rest, left.get(d) ?? 0);
        if (amount <= 0) return [];
        rest -= amount;
        left.set(d, (left.get(d) ?? 0) - amount);
        return [{ document: d.document, line: d.line, number: d.number, amount: paise(amount) }];
      });
      return {
        line: line.id,
        way: line.amount > 0 ? 'receipt' : 'payment',
        party: first.party,
        name: first.name,
        by,
        dues: shares,
      };
    };
    const lone = equal.length === 1 && sizes.get(line.amount) === 1 ? equal : [];
    const found = of(named, 'number') ?? of(whose, 'party') ?? of(lone, 'amount');
    return found ? [found] : [];
  });
}

/** What a line that the books do not have can become: by the direction of the money, and the ledger or party on the other side. */
export interface Way {
  readonly label: string;
  readonly kind: KindName;
  readonly money: 'in' | 'out' | 'either';
  readonly other: 'party' | 'money' | 'ledger';
  /** Where totals are rounded to the rupee, an amount with paise goes this way instead: the bank moved just that. */
  readonly unrounded?: 'journal';
}

export const ways = {
  receipt: { label: 'Receipt from a customer', kind: 'saleReceipt', money: 'in', other: 'party' },
  payment: { label: 'Payment to a supplier', kind: 'payment', money: 'out', other: 'party' },
  expense: { label: 'Expense without GST', kind: 'expense', money: 'out', other: 'ledger', unrounded: 'journal' },
  contra: { label: 'To or from another bank, or cash', kind: 'contra', money: 'either', other: 'money' },
  journal: { label: 'Journal against a ledger', kind: 'manualJournal', money: 'either', other: 'ledger' },
} as const satisfies Record<string, Way>;

export type WayName = keyof typeof ways;
export const wayNames = Object.keys(ways) as readonly WayName[];

/** The ways that are open to a line. */
export const waysFor = (amount: number): readonly WayName[] =>
  wayNames.filter((name) => ways[name].money === 'either' || ways[name].money === (amount > 0 ? 'in' : 'out'));

/**
 * The way as it is gone: as asked, or round the rounding; a bank in another currency takes it too, for only journals
 * and money are in one.
 */
export const wayTaken = (way: WayName, amount: number, isRounding: boolean, currency?: string | null): WayName =>
  ((currency || (isRounding && amount % 100 !== 0)) && (ways[way] as Way).unrounded) || way;

/** The other side of a line, and for money of a party what it is made up of. */
export interface OtherSide {
  readonly party?: Id | undefined;
  readonly ledger?: Id | undefined;
  /** What the bank took for itself: of what came in it is gone, in what went out it is. */
  readonly bankCharges?: Paise | undefined;
}

/** The currency of a bank that is not kept in rupees, with the rate of the line's day, and whether the other side is kept in it too. */
export interface InCurrency {
  readonly currency: string;
  readonly rate: Millionths;
  readonly both: boolean;
}

/** What a way writes, as it goes over the wire: the fields of a draft besides its day, its place and what it is called. */
export function draftOf(way: WayName, bank: Id, amount: Paise, other: OtherSide, abroad?: InCurrency) {
  const { kind } = ways[way];
  const size = moneyText(amount < 0 ? -amount : amount);
  const shape = kindCalled(kind)?.lines.of;
  if (shape === 'none') {
    const { party, bankCharges = 0 } = other;
    const charged = bankCharges > 0 ? { bankCharges: moneyText(bankCharges) } : {};
    const whole = moneyText(amount < 0 ? -amount - bankCharges : amount + bankCharges);
    const rated = abroad && { currency: abroad.currency, exchangeRate: rateText(abroad.rate) };
    return { kind, ...rated, moneyLedger: bank, amount: whole, ...charged, ...(party && { party }), lines: [] };
  }
  const { ledger } = other;
  const own = ledger === undefined ? {} : { ledger };
  if (shape === 'expenses')
    return { kind, moneyLedger: bank, lines: [{ ...own, rate: size, gstRate: '0', treatment: 'nonGst' as const }] };
  const [onBank, onOther] = amount > 0 ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const);
  // journals are in rupees; what moves a ledger of another currency says how much of it beside
  const rupees = abroad ? moneyText(scale(Math.abs(amount), abroad.rate, ONE)) : size;
  return {
    kind,
    lines: [
      { ledger: bank, [onBank]: rupees, ...(abroad && { foreign: size }) },
      { ...own, [onOther]: rupees, ...(abroad?.both && { foreign: size }) },
    ],
  };
}

/** A rule of the organisation: lines that hold this text become that. */
export interface BankRule {
  readonly id: Id;
  /** Only lines of this bank; without it, of every one. */
  readonly ledger: Id | null;
  readonly holds: string;
  readonly way: WayName;
  /** Where it stands in their order. */
  readonly place: number;
}

/** The rule for a line: of those whose text it holds and that go its way, the first in their order. */
export const ruleFor = <R extends BankRule>(rules: readonly R[], bank: Id, line: OpenLine): R | undefined => {
  const said = plain(`${line.text} ${line.reference}`);
  const open = waysFor(line.amount);
  return rules
    .filter((r) => (r.ledger === null || r.ledger === bank) && open.includes(r.way))
    .filter((r) => plain(r.holds) !== '' && said.includes(plain(r.holds)))
    .toSorted((a, b) => a.place - b.place)[0];
};
