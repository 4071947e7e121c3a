import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gstinCheckDigit, gstinForm, gstinProblem, isPan, panOfGstin, stateOfGstin } from './gstin.ts';

test.each(['27AAPFU0939F1ZV', '29AAPFU0939F1ZR', '27AABCS4821K1Z9', '27AAFCM7310R1ZZ'])('%s is right', (gstin) => {
  expect(gstinProblem(gstin)?.message).toBeUndefined();
  expect(gstinForm(gstin)).toBe('taxpayer');
});

test.each([
  ['24AAACB1234C12', 'taxpayer'],
  ['07DELA00123A1Z', 'government'],
  ['29AAACB1234C1B', 'taxpayer'],
] as const)('%s and its check digit: a valid form', (start, form) => {
  const gstin = `${start}${gstinCheckDigit(start)}`;
  expect(gstinProblem(gstin)?.message).toBeUndefined();
  expect(gstinForm(gstin)).toBe(form);
});

describe('wrong ones', () => {
  test.each([
    ['27AAPFU0939F1ZW', 'The check digit of this GSTIN is wrong'],
    ['27aapfu0939f1zv', 'This is not a GSTIN'],
    ['27AAPFU0939F1Z', 'This is not a GSTIN'],
    ['27AAPFU0939F1ZVX', 'This is not a GSTIN'],
    ['', 'This is not a GSTIN'],
  ])('%s', (gstin, problem) => expect(gstinProblem(gstin)?.message).toBe(problem));
  test('no such state', () => {
    const start = '55AAPFU0939F1Z';
    expect(gstinProblem(`${start}${gstinCheckDigit(start)}`)?.message).toBe('GSTIN does not start with a state code');
  });
});

test('the parts of a GSTIN', () => {
  expect(stateOfGstin('27AAPFU0939F1ZV')).toBe('27');
  expect(panOfGstin('27AAPFU0939F1ZV')).toBe('AAPFU0939F');
  expect(panOfGstin('9917USA00001OSB')).toBeUndefined();
  expect(isPan('AAPFU0939F')).toBe(true);
  expect(isPan('AAPFU0939')).toBe(false);
});

test('one wrong character never passes the check digit', () => {
  const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const good = '27AAPFU0939F1ZV';
  fc.assert(
    fc.property(fc.nat(14), fc.constantFrom(...characters), (at, character) => {
      fc.pre(good.charAt(at) !== character);
      expect(gstinProblem(good.slice(0, at) + character + good.slice(at + 1))?.message).toBeTypeOf('string');
    }),
    { numRuns: 300 },
  );
});
