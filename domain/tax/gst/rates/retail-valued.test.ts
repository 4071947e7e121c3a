import { expect, test } from 'vitest';
import { isRetailValued, mayHaveRetailPrice } from './retail-valued.ts';

test.each([
  ['21069020', true],
  ['24011010', true],
  ['24022010', true],
  ['24039910', true],
  ['24041100', true],
  ['24041900', true],
  // biris are left out
  ['24031921', false],
  ['24031929', false],
  ['24031990', true],
  // a code typed short may be other tobacco
  ['2403', true],
  ['240319', true],
  ['24049100', false],
  ['21069099', false],
])('goods of %s are taxed on their retail price from February 2026: %s', (hsn, valued) => {
  expect(isRetailValued(hsn, '2026-02-01')).toBe(valued);
  expect(mayHaveRetailPrice(hsn)).toBe(valued);
  expect(isRetailValued(hsn, '2026-01-31')).toBe(false);
});
