import { expect, test } from 'vitest';
import { draftBody } from './documents.ts';
import { unitRate } from './wire.ts';

const problem = (text: string): string | undefined => unitRate.safeParse(text).error?.issues[0]?.message;

test('a unit price goes up to the most a document may come to, and what is wrong with another one is said', () => {
  expect(unitRate.parse('9007199254.75')).toBe(9_007_199_254_750_000);
  expect(unitRate.parse('99999999999.99')).toBe(99_999_999_999_990_000);
  expect(problem('99999999999.995')).toBe('A rate above ₹9,00,71,99,254.74 has at most 2 decimals');
  expect(problem('9007199254.740999')).toBe('A rate above ₹9,00,71,99,254.74 has at most 2 decimals');
  expect(problem('100000000000')).toBe('A document is at most ₹99,99,99,99,999.99, and so is a rate');
  expect(problem('99999999999999.99')).toBe('A document is at most ₹99,99,99,99,999.99, and so is a rate');
  expect(problem(`1${'0'.repeat(40)}`)).toBe('A document is at most ₹99,99,99,99,999.99, and so is a rate');
  expect(problem('1.0000001')).toBe('A rate is a number with at most 6 decimals');
  expect(problem('ten')).toBe('A rate is a number with at most 6 decimals');
  expect(problem('-1')).toBe('A rate is not negative');
});

test('a rate of exchange of nothing is a problem at its field, and one that is left out is filled later', () => {
  const head = {
    kind: 'invoice',
    date: '2026-11-21',
    registration: NOBODY,
    location: NOBODY,
    currency: 'USD',
    lines: [],
  };
  const at = (more: object) => {
    const read = draftBody.safeParse({ ...head, ...more });
    return read.success ? read.data.exchangeRate : read.error.issues.map(({ path }) => path.join('.'));
  };
  expect(at({})).toBe(0);
  expect(at({ exchangeRate: '88.15' })).toBe(88_150_000);
  expect(['0', '0.00', '-1'].map((rate) => at({ exchangeRate: rate }))).toEqual([
    ...[['exchangeRate'], ['exchangeRate'], ['exchangeRate']],
  ]);
  expect(at({ customs: { rate: '0' } })).toContain('customs.rate');
});
const NOBODY = '00000000-0000-0000-0000-000000000000';
