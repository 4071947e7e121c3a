import { expect, test } from 'vitest';
import { base32, codeAt, stepAt, stepOf } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B, in six digits', () => {
  const cases = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const;
  for (const [seconds, code] of cases) expect(codeAt(secret, stepAt(seconds * 1000))).toBe(code);
});

test('base32 is that of RFC 4648, section 10, without padding', () => {
  const cases = [
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const;
  for (const [text, written] of cases) expect(base32(Buffer.from(text))).toBe(written);
});

test('a code of the step before or after counts, one further away does not', () => {
  const now = 1_234_567_890_000;
  for (const [by, found] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const)
    expect(stepOf(secret, codeAt(secret, stepAt(now) + by), now) !== undefined).toBe(found);
  expect(
    stepOf(secret, ` ${codeAt(secret, stepAt(now)).slice(0, 3)} ${codeAt(secret, stepAt(now)).slice(3)}`, now),
  ).toBe(stepAt(now));
});
