import { expect, test } from 'vitest';
import { paise } from '../../../base/money.ts';
import { boundBy, limitsOn, quarterlyProblems, turnoverLimits, turnoverProblems } from './turnover.ts';

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
  [[of('2025-26', 10.01)], { hsnDigits: 6, portalDays: true, deductsOnGoods: true }],
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

test('a browser knows what binds, without the amounts, on every day as the server does', () => {
  const turnovers = [
    of('2019-20', 12),
    of('2024-25', 6),
    of('2025-26', 4),
    { ...of('2025-26', 50), pan: 'AAACA1111A' },
  ];
  const bound = boundBy(turnovers, pan);
  expect(bound).toEqual({
    sixDigits: ['2020-21', '2025-26'],
    portalDaysFrom: '2025-04-01',
    deductsOnGoods: ['2020-21'],
  });
  expect(boundBy([of('2025-26', 10)], pan).portalDaysFrom).toBe('2026-04-01');
  expect(boundBy([], pan)).toEqual({ sixDigits: [], portalDaysFrom: null, deductsOnGoods: [] });
  expect(['2020-05-01', '2025-03-31', '2025-04-01', '2026-04-01'].map((at) => limitsOn(bound, at))).toEqual([
    { hsnDigits: 6, deductsOnGoods: true },
    { hsnDigits: 4 },
    { hsnDigits: 6, portalDays: true },
    { hsnDigits: 4, portalDays: true },
  ]);
});

test('above ₹5 crore in the year before nobody files quarterly', () => {
  const asked = (from: string, every: 'month' | 'quarter') =>
    quarterlyProblems([{ from, every }], [of('2024-25', 5.01), of('2025-26', 5)], pan).length;
  expect([asked('2025-04-01', 'quarter'), asked('2026-01-01', 'quarter')]).toEqual([1, 1]);
  expect([asked('2025-04-01', 'month'), asked('2026-04-01', 'quarter'), asked('2024-04-01', 'quarter')]).toEqual([
    0, 0, 0,
  ]);
});
