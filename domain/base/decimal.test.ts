import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDecimal, MOST_PAISE, millionths, parseDecimal, rateText } from './decimal.ts';
import { scale } from './money.ts';

test('a unit price of whole paise is exact up to the most a document may come to', () => {
  expect(parseDecimal('9007199254.740991', 6)).toBe(Number.MAX_SAFE_INTEGER);
  expect(parseDecimal('9007199254.740992', 6)).toBeUndefined();
  expect(rateText(millionths(parseDecimal('9007199254.75', 6) ?? 0))).toBe('9007199254.75');
  expect(rateText(millionths(parseDecimal('99999999999.99', 6) ?? 0))).toBe('99999999999.99');
  expect(parseDecimal('99999999999.990001', 6)).toBeUndefined();
  expect(parseDecimal('100000000000.00', 6)).toBeUndefined();
  expect(parseDecimal('-99999999999.99', 6)).toBe(-99_999_999_999_990_000);
  // amounts are safe integers of paise
  expect(parseDecimal('999999999999900.00', 2)).toBeUndefined();
  expect(() => millionths(99_999_999_999_990_016)).toThrow(RangeError);
  expect(() => millionths(100_000_000_000_000_000)).toThrow(RangeError);
  expect(() => millionths(0.5)).toThrow(RangeError);
});

test('prices of whole paise come back as they went, and a quantity of them is exact', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MOST_PAISE }), (paise) => {
      const text = formatDecimal(paise, 2);
      const rate = parseDecimal(text, 6) ?? 0;
      expect(BigInt(rate)).toBe(BigInt(paise) * 10_000n);
      expect(formatDecimal(rate, 6, 2)).toBe(text);
      expect(Number(String(rate))).toBe(rate);
      expect(scale(1_000_000, rate, 10_000_000_000)).toBe(paise);
    }),
  );
});
