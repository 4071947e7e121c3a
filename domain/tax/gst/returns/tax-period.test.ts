import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, periodOf } from '../../../base/dates.ts';
import { taxPeriodProblem } from './tax-period.ts';

test('a tax period is a month since GST began, up to the one that runs', () => {
  const said = (period: string) => taxPeriodProblem(period, '2026-11-30')?.message;
  expect(['072017', '122025', '102026', '112026'].map(said)).toEqual([undefined, undefined, undefined, undefined]);
  for (const none of ['062017', '122016', '011000'])
    expect([none, said(none)]).toEqual([none, 'GST began in July 2017']);
  for (const none of ['122026', '019999']) expect([none, said(none)]).toEqual([none, 'This month has not begun']);
  for (const none of ['', '2026-11', '132026', '002026', '112', '1120260'])
    expect([none, said(none)]).toEqual([none, 'A month is written MMYYYY']);
});

test('law: of all months exactly those from July 2017 to today are periods', () => {
  fc.assert(
    fc.property(fc.integer({ min: -300, max: 300 }), fc.integer({ min: 0, max: 200 }), (month, now) => {
      const today = addMonths('2017-07-28', now);
      const said = taxPeriodProblem(periodOf(addMonths('2017-07-01', month)), today)?.message;
      expect(said === undefined).toBe(0 <= month && month <= now);
    }),
  );
});
