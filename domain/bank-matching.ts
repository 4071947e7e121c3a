import { daysBetween } from './dates.ts';
import { moneyText } from './decimal.ts';
import type { Day, Id } from './document.ts';
import { type KindName, kindCalled } from './kinds/index.ts';
import type { Paise } from './money.ts';

/** A line of a statement that nothing answers yet; above nothing: money came in. */
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

/** What a line that the books do not have can become: by which way the money went, and what stands on the other side. */
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

/** The way as it is gone: as asked, or round the rounding. */
export const wayTaken = (way: WayName, amount: number, isRounding: boolean): WayName =>
  (isRounding && amount % 100 !== 0 && (ways[way] as Way).unrounded) || way;

/** What a way writes, as it goes over the wire: the fields of a draft besides its day, its place and what it is called. */
export function draftOf(way: WayName, bank: Id, amount: Paise, other: { readonly party?: Id; readonly ledger?: Id }) {
  const { kind } = ways[way];
  const size = moneyText(amount < 0 ? -amount : amount);
  const shape = kindCalled(kind)?.lines;
  if (shape === 'none')
    return { kind, moneyLedger: bank, amount: size, ...(other.party && { party: other.party }), lines: [] };
  const { ledger } = other;
  const own = ledger === undefined ? {} : { ledger };
  if (shape === 'expenses')
    return { kind, moneyLedger: bank, lines: [{ ...own, rate: size, gstRate: '0', treatment: 'nonGst' as const }] };
  const [onBank, onOther] = amount > 0 ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const);
  return {
    kind,
    lines: [
      { ledger: bank, [onBank]: size },
      { ...own, [onOther]: size },
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
}

/** The rule for a line: of those whose text it holds and that go its way, the one that says most. */
export const ruleFor = <R extends BankRule>(rules: readonly R[], bank: Id, line: OpenLine): R | undefined => {
  const said = plain(`${line.text} ${line.reference}`);
  const open = waysFor(line.amount);
  return rules
    .filter((r) => (r.ledger === null || r.ledger === bank) && open.includes(r.way))
    .filter((r) => plain(r.holds) !== '' && said.includes(plain(r.holds)))
    .toSorted((a, b) => plain(b.holds).length - plain(a.holds).length || (a.ledger === null ? 1 : -1))[0];
};
