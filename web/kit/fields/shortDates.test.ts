import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addDays, parseDate } from '../format.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-24T06:00:00Z') }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['5', '2026-11-05'],
  ['05', '2026-11-05'],
  ['30', '2026-11-30'],
  ['31', null],
  ['0', null],
  ['5-4', '2026-04-05'],
  ['5/4', '2026-04-05'],
  ['5.4', '2026-04-05'],
  ['5 4', '2026-04-05'],
  ['31-3', '2027-03-31'],
  ['1/1', '2027-01-01'],
  ['0504', '2026-04-05'],
  ['5-4-27', '2027-04-05'],
  ['5-4-2027', '2027-04-05'],
  ['31-12-19044', null],
  ['5-4-190', null],
  ['5-', null],
  ['-1', '2026-11-23'],
  ['+3', '2026-11-27'],
])('“%s” on 24 November 2026 is %s', (typed, day) => {
  expect(parseDate(typed)).toBe(day);
});

test('in January a month from April on lies in the year before', () => {
  vi.setSystemTime(Date.parse('2027-01-10T06:00:00Z'));
  expect(['5', '5-4', '5-3'].map((typed) => parseDate(typed))).toEqual(['2027-01-05', '2026-04-05', '2027-03-05']);
});

test('where the month stands first it does so in a short date too', () => {
  expect(['5', '4-5', '4/5'].map((typed) => parseDate(typed, 1))).toEqual(['2026-11-05', '2026-04-05', '2026-04-05']);
});

test('a step from what is no date leads nowhere', () => {
  expect(['5', '5-4', '31-12-19044'].map((text) => addDays(text, -1))).toEqual(['5', '5-4', '31-12-19044']);
});
