import { expect, test } from 'vitest';
import { keepApart, kindOf } from '../../domain/document/kinds/index.ts';
import { mayMeet, numberProblem, numberText } from '../../domain/document/number.ts';
import { firstSeries, markFor } from './series.ts';

const prefixes = (marks: readonly string[]) => marks.flatMap((mark) => firstSeries(mark).map((s) => s.prefix));

test('a mark is a letter of the state while one is free; forty registrations never look alike', () => {
  expect(markFor('29', [])).toBe('');
  expect(markFor('33', prefixes(['', 'M']))).toBe('T');
  expect(markFor('36', prefixes(['', 'M', 'T']))).toBe('E');
  const marks: string[] = [];
  for (let n = 0; n < 40; n++) marks.push(markFor('27', prefixes(marks)));
  const all = prefixes(marks);
  expect(new Set(all).size).toBe(all.length);
});

test('rule 46: with any mark the numbers have at most sixteen characters', () => {
  const facts = { date: '2026-11-21', location: 'BLR' };
  for (const [mark, n] of [
    ['M', 99_999],
    ['9', 9999],
    ['AB', 99_999],
  ] as const)
    for (const { kind, prefix, padding } of firstSeries(mark)) {
      const pattern = { prefix, suffix: '', padding, start: 1, reset: 'year' as const };
      const { numbering } = kindOf(kind as Parameters<typeof kindOf>[0]);
      expect(numberProblem(numberText(pattern, facts, n), numbering.gst)?.message, prefix).toBeUndefined();
    }
});

test('rules 46(b), 53 and 55: no two first series of a registration meet, with any mark', () => {
  for (const mark of ['', 'M', '9', 'AB']) {
    const all = firstSeries(mark).map(({ kind, prefix, padding }) => ({
      kind: kindOf(kind as Parameters<typeof kindOf>[0]),
      pattern: { prefix, suffix: '', padding, start: 1, reset: 'year' as const },
    }));
    const met = all.flatMap((a, at) =>
      all
        .slice(at + 1)
        .filter((b) => keepApart(a.kind, b.kind) && mayMeet(a.pattern, b.pattern))
        .map((b) => [a.pattern.prefix, b.pattern.prefix]),
    );
    expect(met).toEqual([]);
  }
});
