import { expect, test } from 'vitest';
import { money, percentage } from '../base/decimal.ts';
import { assess } from './customs.ts';

test('the worked case: ₹8,85,000 at a duty of ten percent and IGST of eighteen', () => {
  const lines = [{ taxable: money('880000'), gstRate: percentage('18') }];
  expect(assess('2026-09-12', money('885000'), money('88500'), lines)).toEqual({
    surcharge: money('8850'),
    igst: money('176823'),
  });
});

test('each line has its share at its own rate, and before there was a surcharge there was none', () => {
  const lines = [
    { taxable: money('100'), gstRate: percentage('5') },
    { taxable: money('300'), gstRate: percentage('18') },
  ];
  expect(assess('2018-02-01', money('400'), money('40'), lines)).toEqual({
    surcharge: money('0'),
    // 110 at 5 %, 330 at 18 %
    igst: money('64.90'),
  });
  expect(assess('2026-09-12', money('400'), money('40'), [])).toEqual({ surcharge: money('4'), igst: money('0') });
});
