import { expect, test } from 'vitest';
import { paise } from '../money.ts';
import { turnoverLimits, turnoverProblems } from './turnover.ts';

const pan = 'AAGCS4821F';
const of = (year: string, crores: number) => ({ pan, year, amount: paise(crores * 10_000_000_00) });
const day = '2026-11-23';

test.each([
  [[], { hsnDigits: 4 }],
  [[of('2025-26', 5)], { hsnDigits: 4 }],
  [[of('2025-26', 5.01)], { hsnDigits: 6 }],
  [[of('2024-25', 6)], { hsnDigits: 4 }],
  [[of('2026-27', 50)], { hsnDigits: 4 }],
  [[of('2025-26', 10)], { hsnDigits: 6, portalDays: true }],
  [[of('2019-20', 12), of('2025-26', 1)], { hsnDigits: 4, portalDays: true }],
])('turnover %o: %o', (turnovers, limits) => expect(turnoverLimits(turnovers, pan, day)).toEqual(limits));

test('another PAN, and a day before the limit began', () => {
  expect(turnoverLimits([of('2025-26', 50)], 'AAACA1111A', day)).toEqual({ hsnDigits: 4 });
  expect(turnoverLimits([of('2022-23', 50)], pan, '2025-03-31')).toEqual({ hsnDigits: 4 });
});

test('years as they are typed', () => {
  const said = (...years: string[]) =>
    turnoverProblems(
      years.map((year) => ({ year })),
      day,
    ).map(({ row }) => row);
  expect(said('2025-26', '2026-27', '2019-20')).toEqual([]);
  expect(said('2025', '2025-27', '2027-28')).toEqual([0, 1, 2]);
  expect(said('2025-26', '2025-26')).toEqual([1]);
});
