import { describe, expect, test } from 'vitest';
import { ratedDays } from './time-of-supply.ts';

/** The change of 22 September 2025: the day before it and the day of it. */
const before = '2025-09-10';
const after = '2025-10-05';
const change = '2025-09-22';
const side = (day: string | undefined) => (day !== undefined && day < change ? 'old' : 'new');

describe('section 14: two of three events decide', () => {
  // supply, invoice, payment, the rate of a service, the other rate that goods may bear
  test.each([
    [before, after, after, 'new', 'old'],
    [before, before, after, 'old', 'old'],
    [before, after, before, 'old', 'old'],
    [after, before, after, 'new', 'old'],
    [after, before, before, 'old', 'old'],
    [after, after, before, 'new', 'new'],
    [before, before, before, 'old', 'old'],
    [after, after, after, 'new', 'new'],
    // not paid yet
    [before, after, undefined, 'new', 'old'],
    [after, before, undefined, 'new', 'old'],
    [before, before, undefined, 'old', 'old'],
  ])('supplied %s, invoiced %s, paid %s: %s', (supplied, invoiced, paid, rate, goods) => {
    expect(ratedDays({ supplied, invoiced, paid }, true).map(side)).toEqual([rate]);
    expect(new Set(ratedDays({ supplied, invoiced, paid }, false).map(side))).toEqual(new Set([rate, goods]));
  });
});
