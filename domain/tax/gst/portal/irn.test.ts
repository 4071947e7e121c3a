import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { irnText, irnTextOn } from './irn.ts';

const facts = JSON.parse(
  readFileSync(new URL('../../../facts/samples/crypto-vectors.json', import.meta.url), 'utf8'),
) as {
  irn: { input: string; irn?: string; sha256?: string }[];
};
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

describe('published pairs of text and IRN', () => {
  const pairs = facts.irn.flatMap(({ input, irn }) => {
    const parts = /^([0-9A-Z]{15})(\d{4}-\d{2})(INV|CRN|DBN)(.+)$/.exec(input);
    // before June 2025 small letters were hashed as they stood
    return parts && irn && parts[4] === parts[4]?.toUpperCase() ? [{ parts, irn }] : [];
  });
  test('there are some', () => expect(pairs.length).toBeGreaterThan(1));
  test.each(pairs)('$irn', ({ parts: [, gstin, year, type, number], irn }) =>
    expect(sha(irnText(gstin ?? '', year ?? '', type as 'INV', number ?? ''))).toBe(irn),
  );
});

test('small letters count as capitals', () =>
  expect(irnText('01AAAAA9999A19N', '2019-20', 'INV', 'abc01234')).toBe('01AAAAA9999A19N2019-20INVABC01234'));
test('the year is the financial year of the document', () =>
  expect(irnTextOn('01AAAAA9999A19N', '2020-01-03', 'CRN', 'A1')).toBe('01AAAAA9999A19N2019-20CRNA1'));
