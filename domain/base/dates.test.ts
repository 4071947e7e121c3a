import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  dayInWords,
  daysBetween,
  financialYearOf,
  indianMoment,
  isDay,
  monthEnd,
  periodOf,
  portalDay,
  shownDay,
  todayIn,
} from './dates.ts';

test.each([
  ['2026-11-21', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['21-11-2026', false],
  ['', false],
  ['2026-04-31', false],
])('%s is a day: %s', (text, real) => expect(isDay(text)).toBe(real));

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2026-03-15', -3, '2025-12-15'],
])('%s and %i months is %s', (day, months, then) => expect(addMonths(day, months)).toBe(then));
test('the end of a month', () => expect(monthEnd('2028-02-10')).toBe('2028-02-29'));

describe('financial year', () => {
  test.each([
    ['2026-03-31', '2025-26', '25-26'],
    ['2026-04-01', '2026-27', '26-27'],
    ['2027-01-01', '2026-27', '26-27'],
    ['1999-12-31', '1999-00', '99-00'],
  ])('%s lies in %s', (day, label, short) => expect(financialYearOf(day)).toMatchObject({ label, short }));
  test('begins in April and ends in March', () =>
    expect(financialYearOf('2026-11-21')).toMatchObject({ start: '2026-04-01', end: '2027-03-31' }));
});

test('as an organisation writes it, and inside a sentence', () => {
  expect([shownDay('2026-11-03', 1), shownDay('2026-11-03', 2)]).toEqual(['11-03-2026', '03-11-2026']);
  expect(['2026-11-03', '2024-02-29'].map(dayInWords)).toEqual(['3 Nov 2026', '29 Feb 2024']);
});

test('as the portals write it', () => {
  expect(portalDay('2026-11-03')).toBe('03-11-2026');
  expect(periodOf('2026-11-03')).toBe('112026');
});

test('the day begins at half past six in the evening of Greenwich', () => {
  expect(todayIn(Date.UTC(2026, 10, 21, 18, 29, 59))).toBe('2026-11-21');
  expect(todayIn(Date.UTC(2026, 10, 21, 18, 30, 0))).toBe('2026-11-22');
});

test('adding days and counting them are each the other backwards', () => {
  const day = fc.integer({ min: 0, max: 40_000 }).map((n) => addDays('1990-01-01', n));
  fc.assert(
    fc.property(day, fc.integer({ min: -9000, max: 9000 }), (from, days) => {
      const to = addDays(from, days);
      expect(isDay(to)).toBe(true);
      expect(daysBetween(from, to)).toBe(days);
      const year = financialYearOf(to);
      expect(year.start <= to && to <= year.end).toBe(true);
    }),
  );
});
test('what is no day is a bug of the caller', () => expect(() => addDays('2026-02-30', 1)).toThrow(RangeError));

test('a moment of the portals is Indian time', () => {
  expect(indianMoment('2026-11-20 05:30:00')).toBe(Date.UTC(2026, 10, 20));
  expect(indianMoment('soon')).toBeUndefined();
});
