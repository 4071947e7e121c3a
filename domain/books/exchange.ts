import { isDay } from '../base/dates.ts';
import { type Millionths, millionths, ONE, parseDecimal } from '../base/decimal.ts';
import { minus, type Paise, paise, scale, zero } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import type { Allocation, Day } from '../document/document.ts';

/** What a rate is for: the books' own, or what customs notified (section 14 of the Customs Act). */
export const ratePurposes = [
  ['book', 'Books'],
  ['customs', 'Customs'],
] as const;
export type RatePurpose = (typeof ratePurposes)[number][0];

/** An open balance in a foreign currency; `owed` to us, else by us. */
export interface ForeignBalance extends OpenWorth {
  readonly owed: boolean;
  /** It stands against what the side owes: money on account, a note. */
  readonly credit: boolean;
}

/**
 * What a balance wins (positive) or loses at a rate of the day: AS 11 restates what will be settled in money. What is
 * owed to us wins when the currency rises, what we owe loses; a credit on either side does the opposite.
 */
export const restated = ({ open, worth, owed, credit }: ForeignBalance, rate: Millionths): Paise => {
  const more = paise(scale(open, rate, ONE) - worth);
  return owed === credit ? minus(more) : more;
};

/** A rate as a file or a person gives it. */
export interface TypedRate {
  readonly currency: string;
  readonly date: Day;
  readonly purpose: RatePurpose;
  readonly rate: Millionths;
  readonly source: string;
}
export interface ReadRates {
  readonly rates: readonly TypedRate[];
  /** What is wrong, by the row of the file, the first being 1. Nothing is taken from a file with problems. */
  readonly problems: readonly (Said & { readonly row: number })[];
}

const headings = {
  date: /date/i,
  currency: /currency/i,
  purpose: /purpose|type/i,
  rate: /rate|value/i,
  source: /source|reference|notification/i,
};

/** A day as files write it: year first, or day first. */
const dayOf = (text: string): Day | undefined => {
  const [, d = '', m = '', y = ''] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  const day = y ? `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}` : text;
  return isDay(day) ? day : undefined;
};

/** Reads rows of a file: a heading names each column, date, currency and rate at least. A rate is rupees for one. */
export function readRates(rows: readonly (readonly string[])[], source: string): ReadRates {
  const [head = [], ...rest] = rows.filter((row) => row.some(Boolean));
  const at = (name: keyof typeof headings) => head.findIndex((cell) => headings[name].test(cell));
  const columns = {
    date: at('date'),
    currency: at('currency'),
    purpose: at('purpose'),
    rate: at('rate'),
    source: at('source'),
  };
  if (columns.date < 0 || columns.currency < 0 || columns.rate < 0)
    return { rates: [], problems: [{ row: 1, ...say('The first row names the columns: date, currency and rate') }] };
  const rates: TypedRate[] = [];
  const problems: ReadRates['problems'][number][] = [];
  const seen = new Set<string>();
  for (const [index, row] of rest.entries()) {
    const cell = (name: keyof typeof headings) => (row[columns[name]] ?? '').trim();
    const [date, currency] = [dayOf(cell('date')), cell('currency').toUpperCase()];
    const purpose = /^c/i.test(cell('purpose')) ? 'customs' : 'book';
    const rate = parseDecimal(cell('rate').replaceAll(',', ''), 6) ?? 0;
    const wrong = (message: Said) => problems.push({ row: index + 2, ...message });
    if (!date) wrong(say('The date is written 31-03-2026 or 2026-03-31'));
    else if (!/^[A-Z]{3}$/.test(currency) || currency === 'INR')
      wrong(say('A currency has three letters, and is not the rupee'));
    else if (rate <= 0) wrong(say('The rate is the rupees for one unit, a number greater than 0'));
    else if (seen.has(`${date} ${currency} ${purpose}`))
      wrong(say('{{currency}} of this day is listed twice', { currency }));
    else rates.push({ currency, date, purpose, rate: millionths(rate), source: cell('source') || source });
    seen.add(`${date} ${currency} ${purpose}`);
  }
  return { rates, problems };
}

/** What is left of a document to settle: in its own currency, and the rupees that still stand on the account for that. */
export interface OpenWorth {
  readonly open: number;
  readonly worth: number;
}

/**
 * What each allocation takes off the account of the party, in rupees: its share of what still stands there. What settles the
 * last of a document takes all that is left, so that an account settled in its own currency is settled in rupees too.
 */
export function worthOf(
  allocations: readonly Pick<Allocation, 'amount'>[],
  openOf: (index: number) => { readonly name: string } & OpenWorth,
): Paise[] {
  const left = new Map<string, OpenWorth>();
  return allocations.map(({ amount }, index) => {
    const { name, ...whole } = openOf(index);
    const { open, worth } = left.get(name) ?? whole;
    const taken = open === amount ? paise(worth) : open === 0 ? zero : scale(worth, amount, open);
    left.set(name, { open: open - amount, worth: worth - taken });
    return taken;
  });
}
