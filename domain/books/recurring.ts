import { addDays, addMonths, isDay, monthEnd } from '../base/dates.ts';
import { type Said, say } from '../base/say.ts';
import type { Day, Problem } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';

/** How often a bill comes again. */
export const rhythmUnits = [
  ['day', 'Days'],
  ['week', 'Weeks'],
  ['month', 'Months'],
  ['quarter', 'Quarters'],
  ['year', 'Years'],
] as const;
export type RhythmUnit = (typeof rhythmUnits)[number][0];

export interface Rhythm {
  readonly first: Day;
  /** Every so many units. */
  readonly every: number;
  readonly unit: RhythmUnit;
  /** Always the last day of its month, whatever day the first one is; only for units of months. */
  readonly monthEnd: boolean;
  /** The last day on which one may be made. */
  readonly until?: Day;
  /** How many are made in all. */
  readonly times?: number;
}

const months: Readonly<Partial<Record<RhythmUnit, number>>> = { month: 1, quarter: 3, year: 12 };
const days: Readonly<Partial<Record<RhythmUnit, number>>> = { day: 1, week: 7 };

/**
 * The day of a turn, the first being 0. Months are counted from the first day, so that what begins on the 31st comes on the
 * last day of shorter months and on the 31st again.
 */
export function turnDay({ first, every, unit, monthEnd: atEnd }: Rhythm, turn: number): Day {
  const perMonth = months[unit];
  if (perMonth === undefined) return addDays(first, turn * every * (days[unit] ?? 1));
  const day = addMonths(first, turn * every * perMonth);
  return atEnd ? monthEnd(day) : day;
}

/** The day of a turn when so many were made before it; undefined when all are made, or its day is after the last one. */
export function nextDay(rhythm: Rhythm, turn: number, made: number): Day | undefined {
  if (rhythm.times !== undefined && made >= rhythm.times) return undefined;
  const day = turnDay(rhythm, turn);
  return rhythm.until !== undefined && day > rhythm.until ? undefined : day;
}

/** The next days, as many as are asked for and still to come. */
export function comingDays(rhythm: Rhythm, turn: number, made: number, most: number): Day[] {
  const coming: Day[] = [];
  for (let ahead = 0; ahead < most; ahead++) {
    const day = nextDay(rhythm, turn + ahead, made + ahead);
    if (day === undefined) break;
    coming.push(day);
  }
  return coming;
}

/** The most units between two of them. */
const MOST_EVERY = 365;

/** What a person can mend in a rhythm. */
export function rhythmProblems(rhythm: Rhythm): Problem[] {
  const { first, every, until, times, unit, monthEnd: atEnd } = rhythm;
  const problems: Problem[] = [];
  const wrong = (field: string, message: Said) => problems.push({ field, ...message });
  if (!isDay(first)) wrong('first', say('Enter the day of the first one'));
  if (!Number.isInteger(every) || every < 1 || every > MOST_EVERY)
    wrong('every', say('Between 1 and {{mostEvery}}', { mostEvery: MOST_EVERY }));
  if (until !== undefined && !isDay(until)) wrong('until', say('Enter a date'));
  else if (until !== undefined && until < first) wrong('until', say('The last day is not before the first'));
  if (times !== undefined && (!Number.isInteger(times) || times < 1)) wrong('times', say('At least one'));
  if (atEnd && months[unit] === undefined)
    wrong('monthEnd', say('Only monthly schedules can use the end of the month'));
  return problems;
}

/** Bills that may come again: owed to or by a party, and made from nothing else; what is sold at a till is not. */
export const mayRecur = ({ books, lines, source, fields, life }: Kind): boolean =>
  (books.opens === 'receivable' || books.opens === 'payable') &&
  (lines.of === 'items' || lines.of === 'expenses') &&
  !source.givesPrice &&
  !fields.includes('against') &&
  !life.till &&
  !life.system;

/** A text of the bill with its day filled in: {DD}, {MM}, {YYYY}, {YY}. */
export const dayFilled = (text: string, day: Day): string =>
  text.replace(/\{(DD|MM|YYYY|YY)\}/g, (_, token: string) => {
    const parts: Readonly<Record<string, string>> = {
      DD: day.slice(8),
      MM: day.slice(5, 7),
      YYYY: day.slice(0, 4),
      YY: day.slice(2, 4),
    };
    return parts[token] ?? '';
  });
