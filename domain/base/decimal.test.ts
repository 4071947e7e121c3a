import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatDecimal,
  grouped,
  HUNDRED_PERCENT,
  MOST_PAISE,
  millionths,
  money,
  moneyText,
  ONE,
  parseDecimal,
  percent,
  percentage,
  percentText,
  quantity,
  quantityText,
  rateText,
  rupeesText,
} from './decimal.ts';
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

describe('decimal text to a whole number', () => {
  test.each<[string, number, number | undefined]>([
    ['0', 2, 0],
    ['7', 2, 700],
    ['7.5', 2, 750],
    ['7.05', 2, 705],
    ['-7.05', 2, -705],
    // trailing zeros say nothing more, other digits would be lost
    ['7.050', 2, 705],
    ['7.051', 2, undefined],
    ['7.009', 2, undefined],
    ['0.000001', 6, 1],
    ['0.0000001', 6, undefined],
    ['12', 0, 12],
    ['12.0', 0, 12],
    ['12.1', 0, undefined],
    ['999999999999999', 0, 999_999_999_999_999],
    ['1000000000000000', 0, undefined],
    // fine prices end with the safe integers, those of whole paise go on
    ['9007199254.740992', 6, undefined],
    ['9007199254.75', 6, 9_007_199_254_750_000],
    ['9007199254.755', 6, undefined],
    ['9007199254.750001', 6, undefined],
    ['900719925475.0000', 4, undefined],
    ['', 2, undefined],
    ['.5', 2, undefined],
    ['5.', 2, undefined],
    ['1,000', 2, undefined],
    [' 1', 2, undefined],
    ['1e3', 2, undefined],
    ['+1', 2, undefined],
    ['--1', 2, undefined],
    ['9.', 0, undefined],
  ])('%s with %i places: %s', (text, places, n) => expect(parseDecimal(text, places)).toBe(n));
  test('zero is never negative', () => expect(Object.is(parseDecimal('-0.00', 2), 0)).toBe(true));
});

describe('a whole number to decimal text', () => {
  test.each<[number, number, number, string]>([
    [0, 2, 2, '0.00'],
    [5, 2, 2, '0.05'],
    [-5, 2, 2, '-0.05'],
    [123, 2, 2, '1.23'],
    [120, 2, 2, '1.20'],
    [120, 2, 1, '1.2'],
    [100, 2, 1, '1.0'],
    [100, 2, 0, '1'],
    [105, 2, 0, '1.05'],
    [-100, 2, 0, '-1'],
    [7, 0, 0, '7'],
    [1_500_000, 6, 2, '1.50'],
    [1_500_001, 6, 2, '1.500001'],
  ])('%i with %i places, at least %i: %s', (n, places, least, text) =>
    expect(formatDecimal(n, places, least)).toBe(text),
  );
  test('it is read back as it was', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(0, 2, 4, 6), fc.nat(6), (n, places, least) => {
        const text = formatDecimal(n, places, Math.min(least, places));
        // at most fifteen digits stand before the point
        if (Math.abs(n) < 10 ** 15) expect(parseDecimal(text, places)).toBe(n === 0 ? 0 : n);
      }),
    );
  });
  test('each sort of number has its own places', () => {
    expect(moneyText(1_250)).toBe('12.50');
    expect([quantityText(1_250_000), quantityText(ONE)]).toEqual(['1.25', '1']);
    expect([quantity('1'), percentage('100')]).toEqual([ONE, HUNDRED_PERCENT]);
    expect(rateText(1_250_000)).toBe('1.25');
    expect(rateText(1_000_000)).toBe('1.00');
    expect(percentText(180_000)).toBe('18');
    expect(percentText(2_500)).toBe('0.25');
    expect([money('12.5'), quantity('1.25'), percentage('0.25')]).toEqual([1_250, 1_250_000, 2_500]);
    for (const read of [() => money('1.001'), () => quantity('x'), () => percentage('0.00001')])
      expect(read).toThrow('not a decimal of the wanted precision');
  });
});

test('amounts for people are in Indian groups', () => {
  const texts = ['1', '999', '1000', '12345.60', '123456', '1234567.50', '-1234567.50', '1000000000.00'];
  expect(texts.map(grouped)).toEqual([
    ...['1', '999', '1,000', '12,345.60', '1,23,456', '12,34,567.50', '-12,34,567.50', '1,00,00,00,000.00'],
  ]);
  expect(rupeesText(123_456_750)).toBe('₹12,34,567.50');
});

test('numbers in the product are whole, up to the prices of the largest document', () => {
  const largest = MOST_PAISE * 10_000;
  expect(millionths(largest)).toBe(largest);
  expect(millionths(-largest)).toBe(-largest);
  expect(millionths(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
  expect(Object.is(percent(-0), 0)).toBe(true);
  expect(percent(1)).toBe(1);
  for (const n of [0.5, Number.MAX_SAFE_INTEGER + 1, largest + 10_000, -largest - 10_000, Number.NaN])
    expect(() => percent(n)).toThrow(RangeError);
});
