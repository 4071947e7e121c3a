import { describe, expect, test } from 'vitest';
import { percentage } from '../../../base/decimal.ts';
import {
  financialRatesOn,
  hasCess,
  hasChanged,
  hasEnded,
  isLawfulRate,
  isPortalRate,
  isUnder,
  ratesOn,
} from './rates.ts';

const TOBACCO = '24022010';

describe('rates in force on a day, for a code', () => {
  test.each<[string, string, string, boolean]>([
    // notification 9/2025-CT(R), from 22-09-2025
    ['12', '2017-06-30', '', false],
    ['12', '2017-07-01', '', true],
    ['12', '2025-09-21', '', true],
    ['12', '2025-09-22', '', false],
    ['40', '2025-09-21', '', false],
    ['40', '2025-09-22', '', true],
    ['28', '2025-09-21', '84713010', true],
    ['28', '2025-09-22', '84713010', false],
    ['28', '2025-09-22', TOBACCO, true],
    // notification 19/2025-CT(R), from 01-02-2026
    ['28', '2026-01-31', TOBACCO, true],
    ['28', '2026-02-01', TOBACCO, false],
    // a rate of which no day is known is lawful on each
    ['0.75', '2026-11-20', '', false],
    ['7.5', '2017-07-01', '', true],
    ['18', '2026-11-20', TOBACCO, true],
  ])('%s %% on %s for %s', (rate, day, hsn, is) => expect(isLawfulRate(percentage(rate), day, hsn)).toBe(is));

  test('the choices are these, ascending, each once', () => {
    const on = (day: string, hsn?: string) => ratesOn(day, hsn).map((rate) => rate / 10_000);
    expect(on('2017-07-01')).toEqual([0, 0.25, 1, 1.5, 3, 5, 6, 7.5, 12, 18, 28]);
    expect(on('2025-12-10')).toEqual([0, 0.1, 0.25, 1, 1.5, 3, 5, 6, 7.5, 18, 40]);
    expect(on('2025-12-10', TOBACCO)).toEqual([0, 0.1, 0.25, 1, 1.5, 3, 5, 6, 7.5, 18, 28, 40]);
  });
});

test('a code typed short stands for what begins with it, from four digits on', () => {
  expect(isUnder('2402', '24022010')).toBe(true);
  expect(isUnder('24022010', '2402')).toBe(true);
  expect(isUnder('2403', '24022010')).toBe(false);
  expect(isUnder('24', '2402')).toBe(false);
  expect(isUnder('240', '2402')).toBe(false);
  expect(isUnder('', '2402')).toBe(false);
});

test('the portals take what the law has had, and nothing else', () => {
  expect(isPortalRate(percentage('18'))).toBe(true);
  expect(isPortalRate(percentage('12'))).toBe(true);
  expect(isPortalRate(percentage('17'))).toBe(false);
});

test('a rate has ended on the day after its last', () => {
  expect(hasEnded(percentage('12'), '2025-09-21')).toBe(false);
  expect(hasEnded(percentage('12'), '2025-09-22')).toBe(true);
  // the general rate of 28 % had ended while tobacco still bore it
  expect(hasEnded(percentage('28'), '2025-09-22')).toBe(true);
  expect(hasEnded(percentage('18'), '2099-12-31')).toBe(false);
});

test('rates have changed after one day and up to another', () => {
  expect(hasChanged('2025-09-21', '2025-09-22')).toBe(true);
  expect(hasChanged('2025-09-22', '2025-09-23')).toBe(false);
  expect(hasChanged('2025-09-20', '2025-09-21')).toBe(false);
  expect(hasChanged('2017-07-01', '2017-10-22')).toBe(false);
  expect(hasChanged('2017-07-01', '2017-10-23')).toBe(true);
  expect(hasChanged('2017-06-30', '2017-07-01')).toBe(true);
});

describe('compensation cess on a day, for a code', () => {
  test.each<[string, string, boolean]>([
    ['2017-06-30', '8703', false],
    ['2017-07-01', '8703', true],
    ['2025-09-21', '8703', true],
    ['2025-09-22', '8703', false],
    ['2025-09-22', TOBACCO, true],
    ['2026-01-31', '2106', true],
    ['2026-02-01', TOBACCO, false],
    ['2025-12-10', '', false],
  ])('on %s for %s', (day, hsn, is) => expect(hasCess(day, hsn)).toBe(is));
});

test('financial services have had one rate since GST began', () => {
  expect(financialRatesOn('2017-06-30')).toEqual([]);
  expect(financialRatesOn('2017-07-01')).toEqual([percentage('18')]);
  expect(financialRatesOn('2026-11-20')).toEqual([percentage('18')]);
});
