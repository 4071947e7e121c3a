import { financialYearOf } from '../base/dates.ts';
import { type Said, say } from '../base/say.ts';
import type { Day } from './document.ts';

/** How a series writes its numbers. Prefix and suffix may hold tokens: {FY} 26-27, {FY2} 2627, {LOC}, {MM}, {YY}, {CH}. */
export interface Pattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly padding: number;
  readonly start: number;
  readonly reset: 'year' | 'month' | 'never';
}

export interface NumberFacts {
  readonly date: Day;
  readonly location: string;
  readonly channel?: string;
}

const fill = (text: string, { date, location, channel = '' }: NumberFacts): string => {
  const year = financialYearOf(date).short;
  const tokens: Readonly<Record<string, string>> = {
    FY: year,
    FY2: year.replace('-', ''),
    LOC: location,
    MM: date.slice(5, 7),
    YY: date.slice(2, 4),
    CH: channel,
  };
  return text.replace(/\{(\w+)\}/g, (whole, token: string) => tokens[token] ?? whole).toUpperCase();
};

/** The counter a day belongs to: '2026-27', '2026-11', or 'all' where numbers never start again. */
export const periodKey = (pattern: Pick<Pattern, 'reset'>, date: Day): string => {
  if (pattern.reset === 'never') return 'all';
  return pattern.reset === 'year' ? financialYearOf(date).label : date.slice(0, 7);
};

/** Prefix and suffix with their tokens filled, and the key of the counter the date falls into. */
export const numberParts = (
  pattern: Pattern,
  facts: NumberFacts,
): { readonly prefix: string; readonly suffix: string; readonly period: string } => ({
  prefix: fill(pattern.prefix, facts),
  suffix: fill(pattern.suffix, facts),
  period: periodKey(pattern, facts.date),
});

export const numberText = (pattern: Pattern, facts: NumberFacts, n: number): string => {
  const { prefix, suffix } = numberParts(pattern, facts);
  return `${prefix}${String(n).padStart(pattern.padding, '0')}${suffix}`;
};

/** Rule 46(b): at most sixteen characters, letters, digits, - and /; the portal takes no number that begins with 0, / or -. */
export const numberProblem = (text: string, gst: boolean): Said | undefined => {
  if (!gst) return text.length > 32 ? say('A number has at most 32 characters') : undefined;
  if (text.length > 16)
    return say('{{text}} has {{count}} characters: at most 16 are allowed (rule 46)', { text, count: text.length });
  return /^[A-Z1-9][A-Z0-9/-]*$/.test(text)
    ? undefined
    : say('{{text}} may hold only letters, digits, - and /, and may not begin with 0, - or /', { text });
};

const tokens = ['FY', 'FY2', 'LOC', 'MM', 'YY', 'CH'];

/** How many numbers a series is to have room for before its counter starts again; without that, in a year. */
const mostGiven: Readonly<Record<Pattern['reset'], number>> = { year: 99_999, month: 9_999, never: 99_999 };

/**
 * What is wrong with a pattern itself: an unknown token, numbers that would come twice in a year, or numbers that break the
 * rules somewhere. `locations` are the codes of all places the series may serve; `next` is the number it stands at.
 */
export function patternProblem(
  pattern: Pattern,
  {
    gst,
    date,
    locations,
    next,
  }: { readonly gst: boolean; readonly date: Day; readonly locations: readonly string[]; readonly next: number },
): Said | undefined {
  const typed = `${pattern.prefix}${pattern.suffix}`;
  const rest = tokens.reduce((text, token) => text.replaceAll(`{${token}}`, ''), typed);
  const [unknown] = /\{\w*\}?|\}/.exec(rest) ?? [];
  if (unknown !== undefined)
    return say('{{unknown}} is not known: there are {{tokens}}', {
      unknown,
      tokens: tokens.map((token) => `{${token}}`).join(' '),
    });
  // a number is unique in its financial year
  if (pattern.reset === 'month' && !typed.includes('{MM}'))
    return say('Numbers that start again every month need {MM}, or the same number would come twice');
  // as far as it may come within its year: it never becomes longer than the rule allows on the way
  const most = Math.max(next + 2, mostGiven[pattern.reset] + (pattern.reset === 'never' ? next : 0));
  for (const location of locations.length > 0 ? locations : ['']) {
    for (const n of [next, most]) {
      const wrong = numberProblem(numberText(pattern, { date, location }, n), gst);
      if (wrong) return wrong;
    }
  }
  return undefined;
}

/** What the next three numbers look like. */
export const previewNumbers = (pattern: Pattern, facts: NumberFacts, next: number): string[] =>
  [0, 1, 2].map((i) => numberText(pattern, facts, next + i));

/** One place of a number: a character, any digit or anything at all, there once or as often as wanted. */
interface Place {
  readonly holds: string | 'digit' | 'any';
  readonly many: boolean;
}

const digit: Place = { holds: 'digit', many: false };
const anything: Place = { holds: 'any', many: true };
const literal = (text: string): Place[] => [...text.toUpperCase()].map((holds) => ({ holds, many: false }));
const places: Readonly<Record<string, readonly Place[]>> = {
  '{FY}': [digit, digit, ...literal('-'), digit, digit],
  '{FY2}': [digit, digit, digit, digit],
  '{MM}': [digit, digit],
  '{YY}': [digit, digit],
  '{LOC}': [anything],
  '{CH}': [anything],
};
/** A series of one location or channel always uses the code of that one. */
export interface BoundPattern extends Pattern {
  readonly location?: string;
  readonly channel?: string;
}

const placesOf = (text: string, { location, channel }: BoundPattern): Place[] =>
  text.split(/(\{\w+\})/).flatMap((part): readonly Place[] => {
    const bound = part === '{LOC}' ? location : part === '{CH}' ? channel : undefined;
    return bound === undefined ? (places[part] ?? literal(part)) : literal(bound);
  });
const shapeOf = (pattern: BoundPattern): Place[] => [
  ...placesOf(pattern.prefix, pattern),
  ...Array.from({ length: Math.max(1, pattern.padding) }, () => digit),
  { holds: 'digit', many: true },
  ...placesOf(pattern.suffix, pattern),
];

const agree = (a: Place, b: Place): boolean => {
  if (a.holds === 'any' || b.holds === 'any' || a.holds === b.holds) return true;
  if (a.holds === 'digit') return /^\d$/.test(b.holds);
  return b.holds === 'digit' && /^\d$/.test(a.holds);
};

/** Whether two patterns could ever give the same number, in any year, month or location: then one of them must change. */
export function mayMeet(a: BoundPattern, b: BoundPattern): boolean {
  const [first, second] = [shapeOf(a), shapeOf(b)];
  const seen = new Set<string>();
  const walk = (i: number, j: number): boolean => {
    if (seen.has(`${i},${j}`)) return false;
    seen.add(`${i},${j}`);
    const [x, y] = [first[i], second[j]];
    if (!x && !y) return true;
    if (x?.many && walk(i + 1, j)) return true;
    if (y?.many && walk(i, j + 1)) return true;
    return x !== undefined && y !== undefined && agree(x, y) && walk(x.many ? i : i + 1, y.many ? j : j + 1);
  };
  return walk(0, 0);
}
