/** Text in, text out: figures and dates as people in India write them. No floating point anywhere. */

import { type DateFormat, isDay, shownDay } from '../../domain/base/dates.ts';

export type { DateFormat };

const decimal = /^-?\d+(\.\d+)?$/;

/**
 * Groups decimal text the Indian way ("1234567.5" -> "12,34,567.50"); `places` pads or, when given, never cuts. As fields show
 * it: with the hyphen that is typed for a minus.
 */
export const groupDecimal = (text: string | null | undefined, places = 2): string => {
  if (text == null || text === '') return '–';
  if (!decimal.test(text)) return text;
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const head = whole.slice(0, -3).replace(/\B(?=(\d{2})+(?!\d))/g, ',');
  const grouped = head ? `${head},${whole.slice(-3)}` : whole;
  const padded = fraction.padEnd(places, '0');
  return `${negative ? '-' : ''}${grouped}${padded ? `.${padded}` : ''}`;
};

/** The minus sign of typography, as wide as the figures beside it. What is copied bears a hyphen again (`copyPlainly`). */
export const MINUS = '\u2212';

/** The same as it is shown to be read. */
const shown = (text: string | null | undefined, places: number): string =>
  groupDecimal(text, places).replace(/^-(?=\d)/, MINUS);

export const money = (text: string | null | undefined): string => shown(text, 2);
export const rupees = (text: string | null | undefined): string =>
  text == null || text === '' ? '–' : `₹\u00a0${shown(text, 2)}`;

/** An amount with the sign or code of its currency: "₹ 1,200.00", "USD 1,200.00". */
export const inCurrency = (text: string | null | undefined, currency: string): string =>
  currency === 'INR' || text == null || text === '' ? rupees(text) : `${currency}\u00a0${shown(text, 2)}`;

/** Quantity or percent: grouped, without padding zeros ("18.0000" -> "18"), but for the `places` that are usual. */
export const plainNumber = (text: string | null | undefined, places = 0): string => {
  if (text == null || text === '') return '–';
  const short = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  return shown(short, places);
};

/**
 * Reads a typed or pasted amount: "₹ 1,234.50", "Rs 1,234.50", "1234.5", "(12)", "−12" as it is shown. Null when it is
 * not a number of at most `places`.
 */
export const parseAmount = (typed: string, places = 2): string | null => {
  const bare = typed
    .trim()
    .replace(/^(rs\.?|inr)(?=[\s\d.(-])/i, '')
    .replace(/[₹\s,\u00a0]/g, '')
    .replace(/^\((.*)\)$/, '-$1')
    .replace(MINUS, '-')
    .replace(/^\+/, '');
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(bare);
  if (!match || (match[2] === '' && (match[3] ?? '') === '')) return null;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > places) return null;
  const whole = (match[2] ?? '').replace(/^0+(?=\d)/, '') || '0';
  return `${match[1]}${whole}${fraction ? `.${fraction.padEnd(places === 2 ? 2 : 0, '0')}` : ''}`;
};

const two = (n: number) => String(n).padStart(2, '0');
const iso = (year: number, month: number, day: number): string | null => {
  const made = new Date(Date.UTC(year, month - 1, day));
  const same = made.getUTCFullYear() === year && made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
  return same && year >= 1900 && year <= 2200 ? `${year}-${two(month)}-${two(day)}` : null;
};

/** The day in India of a moment, as YYYY-MM-DD. */
export const dayIn = (moment: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(moment).slice(0, 10);
export const today = (): string => dayIn(new Date());

/** The date that lies `days` after an ISO date; what is no date stays as it is. */
export const addDays = (date: string, days: number): string => {
  if (!isDay(date)) return date;
  const [y = 0, m = 1, d = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(y, m - 1, d + days)).toISOString().slice(0, 10);
};

/** Shows an ISO date as DD-MM-YYYY (2) or MM-DD-YYYY (1); the rest of a timestamp is dropped. */
export const showDate = (date: string | null | undefined, format: DateFormat = 2): string => {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date ?? '');
  return day ? shownDay(day[0], format) : date || '–';
};

const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Kolkata',
  hourCycle: 'h23',
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
});

/** Shows a moment to the minute in India; what the portal writes without a zone ("2026-11-21 10:05:00") is Indian time already. */
export const showMoment = (moment: string | null | undefined, format: DateFormat = 2): string => {
  const text = moment ?? '';
  const local = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::\d{2})?(?:\.\d+)?$/.exec(text);
  if (local) return `${showDate(local[1], format)} ${local[2]}`;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return showDate(text, format);
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${showDate(`${part['year']}-${part['month']}-${part['day']}`, format)} ${part['hour']}:${part['minute']}`;
};

/**
 * Reads a typed date: 5, 5-4, 20112026, 201126, 20/11, 20-11-2026, 2026-11-20, "t", "+3", "-1" (days from `from`).
 * A date without a year lies in the financial year of today, a day alone in its month. Null when it is no date.
 */
export const parseDate = (typed: string, format: DateFormat = 2, from: string = today()): string | null => {
  const text = typed.trim().toLowerCase();
  if (text === 't' || text === 'today') return today();
  const step = /^([+-])(\d{1,4})?$/.exec(text);
  if (step) return addDays(from, (step[1] === '-' ? -1 : 1) * Number(step[2] ?? 1));
  const whole = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (whole) return iso(Number(whole[1]), Number(whole[2]), Number(whole[3]));
  const run = /^(\d{2})(\d{2})(\d{2}|\d{4})?$/.exec(text);
  const parts = run ? [run[1], run[2], run[3]] : text.split(/[/\-. ]+/);
  if (parts.length > 3 || !parts.every((part) => part === undefined || /^\d{1,4}$/.test(part))) return null;
  const [first, second, year] = parts.map((part) => (part === undefined ? undefined : Number(part)));
  // a day alone lies in the month of today
  if (first && parts.length === 1 && first < 32) {
    const [y = 0, m = 1] = today().split('-').map(Number);
    return iso(y, m, first);
  }
  if (!first || !second) return null;
  const [day, month] = format === 1 ? [second, first] : [first, second];
  return iso(year === undefined ? yearOf(month) : year < 100 ? 2000 + year : year, month, day);
};

const yearOf = (month: number): number => {
  const [y = 0, m = 1] = today().split('-').map(Number);
  const start = m >= 4 ? y : y - 1;
  return month >= 4 ? start : start + 1;
};

/** The financial year (April to March) an ISO date lies in, as [from, to]. */
export const financialYear = (date: string): readonly [string, string] => {
  const [y = 0, m = 1] = date.split('-').map(Number);
  const start = m >= 4 ? y : y - 1;
  return [`${start}-04-01`, `${start + 1}-03-31`];
};

/** Cuts a name after `length` characters and adds an ellipsis. */
export const cut = (name: string, length: number): string =>
  name.length > length ? `${name.slice(0, length).trimEnd()}…` : name;

/** A label inside a sentence or behind a verb: "sale invoice", but "B2C invoice" and "invoice to Saudi Arabia". */
export const inSentence = (label: string): string => label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
