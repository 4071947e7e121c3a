import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isDay, monthEnd } from '../base/dates.ts';
import { kindNames, kindOf } from '../document/kinds/index.ts';
import { comingDays, dayFilled, mayRecur, type Rhythm, rhythmProblems, rhythmUnits, turnDay } from './recurring.ts';

const monthly: Rhythm = { first: '2026-01-31', every: 1, unit: 'month', monthEnd: false };

test('what begins on the 31st comes at the end of short months and on the 31st again', () => {
  expect(comingDays(monthly, 0, 0, 5)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
  const yearly: Rhythm = { first: '2024-02-29', every: 1, unit: 'year', monthEnd: false };
  expect(comingDays(yearly, 0, 0, 5)).toEqual(['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']);
});

test('the last day of the month, by the quarter; every two weeks', () => {
  const quarterly: Rhythm = { first: '2026-06-30', every: 1, unit: 'quarter', monthEnd: true };
  expect(comingDays(quarterly, 0, 0, 4)).toEqual(['2026-06-30', '2026-09-30', '2026-12-31', '2027-03-31']);
  const fortnight: Rhythm = { first: '2026-12-25', every: 2, unit: 'week', monthEnd: false };
  expect(comingDays(fortnight, 0, 0, 2)).toEqual(['2026-12-25', '2027-01-08']);
});

test('it ends after its last day, or after so many; one that was skipped does not count', () => {
  expect(comingDays({ ...monthly, until: '2026-03-30' }, 0, 0, 9)).toHaveLength(2);
  expect(comingDays({ ...monthly, times: 3 }, 0, 0, 9)).toHaveLength(3);
  expect(comingDays({ ...monthly, times: 3 }, 2, 1, 9)).toEqual(['2026-03-31', '2026-04-30']);
});

test('law: the days rise, no month of a monthly bill is left out, and at the end means the end', () => {
  const rhythm = fc.record({
    first: fc.nat(4000).map((n) => addDays('2024-01-01', n)),
    every: fc.integer({ min: 1, max: 40 }),
    unit: fc.constantFrom(...rhythmUnits.map(([unit]) => unit)),
    monthEnd: fc.boolean(),
  });
  const law = fc.property(rhythm, fc.nat(60), (one, turn) => {
    const [day, after] = [turnDay(one, turn), turnDay(one, turn + 1)];
    expect(isDay(day)).toBe(true);
    expect(after > day).toBe(true);
    const perMonth = { day: 0, week: 0, month: 1, quarter: 3, year: 12 }[one.unit];
    if (perMonth === 0) return;
    const count = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
    expect(count(after) - count(day)).toBe(perMonth * one.every);
    if (one.monthEnd) expect(day).toBe(monthEnd(day));
    else expect(Number(day.slice(8))).toBe(Math.min(Number(one.first.slice(8)), Number(monthEnd(day).slice(8))));
  });
  fc.assert(law, { numRuns: 500 });
});

test('what is wrong is a problem at its field', () => {
  expect(rhythmProblems(monthly)).toEqual([]);
  const wrong: Rhythm = { first: '2026-02-30', every: 0, unit: 'week', monthEnd: true, until: '2026-01-01', times: 0 };
  expect(rhythmProblems(wrong).map((p) => p.field)).toEqual(['first', 'every', 'until', 'times', 'monthEnd']);
});

test('bills of either side come again; what is made from others does not', () => {
  const found = kindNames.filter((name) => mayRecur(kindOf(name)));
  expect(found).toEqual(expect.arrayContaining(['saleInvoice', 'purchaseBill', 'expense', 'overseasPurchase']));
  for (const name of ['saleReturn', 'saleDebitNote', 'quotation', 'payment', 'advanceRefund', 'cashSale', 'posSale'])
    expect(found).not.toContain(name);
});

test('the day stands where the text asks for it', () => {
  expect(dayFilled('RENT/{MM}-{YYYY} of {DD}.{YY} {no}', '2026-11-05')).toBe('RENT/11-2026 of 05.26 {no}');
});
