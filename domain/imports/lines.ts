import { formatDecimal, parseDecimal } from '../base/decimal.ts';
import { divideRound } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import { type AccountTraits, accountEffect } from '../books/accounts.ts';
import type { Ledgers } from '../books/effects.ts';
import type { RowProblem } from './record.ts';

type Values = Readonly<Record<string, unknown>>;
/** A line of a document as the editor sends it, or as it is kept. */
export type Line = Values;
/** What lines are made from. */
export type Lines = 'openingLedgers' | 'openingBills' | 'openingItems';

/** A party as its account is found. */
export interface KnownParty extends AccountTraits {
  readonly side: 'customer' | 'supplier' | 'both';
}
export interface KnownBooks {
  readonly parties: ReadonlyMap<string, KnownParty>;
  readonly ledgers: Ledgers;
}
type Made = { readonly line: Line } | { readonly problem: RowProblem };

const given = (values: Values, ...keys: readonly string[]): Line =>
  Object.fromEntries(keys.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])));
/** An amount without its sign; one of zero says nothing. */
const size = (value: unknown): string | undefined => {
  const text = String(value ?? '').replace(/^-/, '');
  return /[1-9]/.test(text) ? text : undefined;
};
const isNegative = (value: unknown): boolean => String(value ?? '').startsWith('-');
const wrongAt = (target: string, said: Said): Made => ({ problem: { target, ...said } });

/** Debit and credit, of which a program writes one as zero; a negative figure is on the other side. */
function sidesOf({ debit, credit }: Values): { readonly debit?: string; readonly credit?: string } {
  const dr = size(debit);
  const cr = size(credit);
  return {
    ...(dr !== undefined && { [isNegative(debit) ? 'credit' : 'debit']: dr }),
    ...(cr !== undefined && { [isNegative(credit) ? 'debit' : 'credit']: cr }),
  };
}

/** What is due from a customer is a debit, what is due to a supplier a credit; an amount below zero is on the other side. */
function billSides(values: Values, { side }: KnownParty): ReturnType<typeof sidesOf> {
  const amount = size(values['amount']);
  if (amount === undefined) return sidesOf(values);
  const isDebit = (side === 'supplier') === isNegative(values['amount']);
  return isDebit ? { debit: amount } : { credit: amount };
}

function billLine(values: Values, { parties, ledgers }: KnownBooks): Made {
  const party = parties.get(String(values['party'] ?? ''));
  if (!party) return wrongAt('party', say('Choose whose bill this is'));
  const sides = billSides(values, party);
  if (sides.debit === undefined && sides.credit === undefined) return wrongAt('amount', say('Enter the amount'));
  // who buys and sells has an account of each sort: a debit is on that of the customer
  const side = party.side === 'both' ? (sides.debit === undefined ? 'supplier' : 'customer') : party.side;
  return {
    line: {
      ...given(values, 'party', 'reference', 'referenceDate', 'dueDate'),
      ...sides,
      ledger: ledgers[accountEffect(side, party)],
    },
  };
}

/** The rate of a value of a quantity, to the sixth decimal. */
function rateOf(value: unknown, quantity: unknown): string | undefined {
  const worth = parseDecimal(String(value ?? ''), 2);
  const count = parseDecimal(String(quantity ?? ''), 6);
  if (worth === undefined || count === undefined || count <= 0) return undefined;
  // paise by millionths of a unit, in millionths of a rupee
  return formatDecimal(Number(divideRound(BigInt(worth) * 10_000_000_000n, BigInt(count))), 6);
}

const serialsOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/[;,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

function stockLine(values: Values): Made {
  const { rate, value, quantity, batch, serials } = values;
  const own = rate ?? rateOf(value, quantity);
  if (batch === undefined && (values['expiry'] ?? values['manufactured']) !== undefined)
    return wrongAt('batch', say('Enter the batch that has these days'));
  return {
    line: {
      ...given(values, 'item', 'quantity', 'unit', 'room'),
      ...(own !== undefined && { rate: own }),
      ...(batch !== undefined && { batches: [{ batch, quantity, ...given(values, 'expiry', 'manufactured') }] }),
      ...(serials !== undefined && { serials: serialsOf(serials) }),
    },
  };
}

/** The line that a row becomes. */
export const lineOf: Readonly<Record<Lines, (values: Values, known: KnownBooks) => Made>> = {
  openingLedgers: (values) => ({ line: { ...given(values, 'ledger', 'costCentre'), ...sidesOf(values) } }),
  openingBills: billLine,
  openingItems: stockLine,
};

/** The field of a line by which earlier openings of the same are found. */
export const mainField: Readonly<Record<Lines, string>> = {
  openingLedgers: 'ledger',
  openingBills: 'party',
  openingItems: 'item',
};

/** What a line is the opening of, at its place; `once`: two rows of one file cannot both be. */
interface Identity {
  readonly key: string;
  readonly once: boolean;
}
const joined = (...parts: readonly unknown[]): string => JSON.stringify(parts.map((part) => part ?? null));
const isAbove = (value: unknown): boolean => size(value) !== undefined;

export const identityOf: Readonly<Record<Lines, (line: Line) => Identity>> = {
  openingLedgers: ({ ledger, party, costCentre }) => ({ key: joined(ledger, party, costCentre), once: true }),
  openingBills: ({ party, reference, debit }) => {
    const number = String(reference ?? '')
      .trim()
      .toUpperCase();
    return { key: joined(party, number, isAbove(debit)), once: number !== '' };
  },
  // the same goods may have come at several rates
  openingItems: ({ item, room, batches, serials }) => {
    const [part] = (batches ?? []) as readonly Values[];
    return { key: joined(item, room, part?.['batch'], serials), once: false };
  },
};

/** Cells that say what a field of a document holds, the first that the file has; others have the name of their field. */
const cellsOf: Readonly<Record<Lines, Readonly<Record<string, readonly string[]>>>> = {
  openingLedgers: { debit: ['debit', 'credit'] },
  openingBills: { debit: ['amount', 'debit', 'credit'], credit: ['amount', 'credit'], ledger: ['party'] },
  openingItems: { batches: ['batch'], rate: ['rate', 'value'] },
};

/** Where a problem of a document is in the file: `lines.batches.expiry` in the column of the expiry date. */
export function targetOf(name: Lines, field: string, columns: readonly (string | null)[]): string | null {
  const path = field.split('.').filter((part) => part !== 'lines' && !/^\d+$/.test(part));
  const last = path.at(-1) ?? '';
  const cells = [...(cellsOf[name][last] ?? []), last, ...(cellsOf[name][path[0] ?? ''] ?? [])];
  return cells.find((cell) => columns.includes(cell)) ?? null;
}
