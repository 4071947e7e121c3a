import { financialYearOf } from './dates.ts';
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

/** Prefix and suffix with their tokens filled, and the key of the counter the date falls into. */
export const numberParts = (
  pattern: Pattern,
  facts: NumberFacts,
): { readonly prefix: string; readonly suffix: string; readonly period: string } => ({
  prefix: fill(pattern.prefix, facts),
  suffix: fill(pattern.suffix, facts),
  period:
    pattern.reset === 'year'
      ? financialYearOf(facts.date).label
      : pattern.reset === 'month'
        ? facts.date.slice(0, 7)
        : 'all',
});

export const numberText = (pattern: Pattern, facts: NumberFacts, n: number): string => {
  const { prefix, suffix } = numberParts(pattern, facts);
  return `${prefix}${String(n).padStart(pattern.padding, '0')}${suffix}`;
};

/** Rule 46(b): at most sixteen characters, letters, digits, - and /; the portal takes no number that begins with 0, / or -. */
export const numberProblem = (text: string, gst: boolean): string | undefined => {
  if (!gst) return text.length > 32 ? 'A number has at most 32 characters' : undefined;
  if (text.length > 16) return `${text} has ${text.length} characters: at most 16 are allowed (rule 46)`;
  return /^[A-Z1-9][A-Z0-9/-]*$/.test(text)
    ? undefined
    : `${text} may hold only letters, digits, - and /, and may not begin with 0, - or /`;
};

/** What the next three numbers look like. */
export const previewNumbers = (pattern: Pattern, facts: NumberFacts, next: number): string[] =>
  [0, 1, 2].map((i) => numberText(pattern, facts, next + i));

/** Whether two patterns could ever give the same number: then one of them must change. */
export const mayMeet = (a: Pattern, b: Pattern): boolean =>
  shape(a) === shape(b) || loose(a).test(sample(b)) || loose(b).test(sample(a));
const shape = (p: Pattern): string => `${p.prefix.toUpperCase()}#${p.suffix.toUpperCase()}`;
const sampleFacts: NumberFacts = { date: '2026-11-21', location: 'LOC1', channel: 'CH1' };
const sample = (p: Pattern): string => numberText(p, sampleFacts, 1111);
const loose = (p: Pattern): RegExp => {
  const { prefix, suffix } = numberParts(p, sampleFacts);
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`^${literal(prefix)}\\d+${literal(suffix)}$`);
};
