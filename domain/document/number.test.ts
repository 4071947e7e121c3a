import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kindNames, kindOf } from './kinds/index.ts';
import {
  mayMeet,
  numberProblem,
  numberText,
  type Pattern,
  patternProblem,
  periodKey,
  previewNumbers,
} from './number.ts';

const pattern = (part: Partial<Pattern> = {}): Pattern => ({
  prefix: 'INV/{FY}/',
  suffix: '',
  padding: 4,
  start: 1,
  reset: 'year',
  ...part,
});
const facts = { date: '2026-11-21', location: 'MUM', channel: 'WEB' };

describe('numberText', () => {
  test.each([
    [{}, 'INV/26-27/0007'],
    [{ prefix: '{LOC}{FY2}-' }, 'MUM2627-0007'],
    [{ prefix: '{YY}{MM}/', padding: 1 }, '2611/7'],
    [{ prefix: 'a/', suffix: '/{CH}' }, 'A/0007/WEB'],
    [{ prefix: '{NO}' }, '{NO}0007'],
  ] as const)('%j', (part, text) => expect(numberText(pattern(part), facts, 7)).toBe(text));

  test('March still belongs to the year before', () =>
    expect(numberText(pattern(), { ...facts, date: '2027-03-31' }, 1)).toBe('INV/26-27/0001'));
  test('a number longer than its padding is written whole', () =>
    expect(numberText(pattern({ padding: 2 }), facts, 12345)).toBe('INV/26-27/12345'));
  test('the next three', () =>
    expect(previewNumbers(pattern(), facts, 9)).toEqual(['INV/26-27/0009', 'INV/26-27/0010', 'INV/26-27/0011']));
});

test('periodKey names the counter', () => {
  expect(periodKey(pattern(), '2027-01-02')).toBe('2026-27');
  expect(periodKey(pattern({ reset: 'month' }), '2027-01-02')).toBe('2027-01');
  expect(periodKey(pattern({ reset: 'never' }), '2027-01-02')).toBe('all');
});

describe('numberProblem', () => {
  test.each(['A', '1', 'INV/26-27/000001', 'SC-1', 'ABCDEFGHIJKLMNOP'])('%s is good', (text) =>
    expect(numberProblem(text, true)?.message).toBeUndefined(),
  );
  test.each(['', '0001', '-1', '/1', 'inv1', 'A 1', 'A_1', 'ABCDEFGHIJKLMNOPQ'])('%s is refused', (text) =>
    expect(numberProblem(text, true)?.message).toBeTypeOf('string'),
  );
  test('without GST up to 32 characters of any kind', () => {
    expect(numberProblem('Journal no. 1', false)?.message).toBeUndefined();
    expect(numberProblem('x'.repeat(33), false)?.message).toBeTypeOf('string');
  });
});

describe('mayMeet', () => {
  test('the same pattern, whatever its case', () =>
    expect(mayMeet(pattern(), pattern({ prefix: 'inv/{FY}/', padding: 1 }))).toBe(true));
  test('a literal year meets the year token', () =>
    expect(mayMeet(pattern(), pattern({ prefix: 'INV/27-28/' }))).toBe(true));
  test('a prefix that ends in digits meets the longer numbers of another', () =>
    expect(mayMeet(pattern({ prefix: 'A1', padding: 3 }), pattern({ prefix: 'A', padding: 1 }))).toBe(true));
  test('a location token can be any text', () =>
    expect(mayMeet(pattern({ prefix: '{LOC}/' }), pattern({ prefix: 'PUNE/' }))).toBe(true));
  test.each([
    ['A/', 'B/'],
    ['INV/{FY}/', 'CRN/{FY}/'],
    ['S{FY2}-', 'SR{FY2}-'],
  ])('%s and %s never do', (a, b) => expect(mayMeet(pattern({ prefix: a }), pattern({ prefix: b }))).toBe(false));

  test('two locations, each with its own series', () => {
    const at = (location: string) => ({ ...pattern({ prefix: '{LOC}/' }), location });
    expect(mayMeet(at('MUM'), at('PUNE'))).toBe(false);
    expect(mayMeet(at('MUM'), at('MUM'))).toBe(true);
  });
  test('the series every registration begins with never meet', () => {
    const kinds = kindNames.map((name) => ({ ...kindOf(name), name }));
    const meeting = kinds.flatMap((a, i) =>
      kinds
        .slice(i + 1)
        .filter(
          (b) =>
            a.numbering.family === b.numbering.family &&
            mayMeet(pattern({ prefix: a.numbering.prefix }), pattern({ prefix: b.numbering.prefix })),
        )
        .map((b) => `${a.name} ${b.name}`),
    );
    expect(meeting).toEqual([]);
  });

  const prefix = fc.constantFrom('A', 'A1', 'A11', 'A/', '{FY2}', '2627', '{MM}', '11', '{LOC}', 'MUM', 'MUM1', '');
  const suffix = fc.constantFrom('', '1', '/{YY}', '/26', 'X', '{MM}');
  const some = fc.record({ prefix, suffix, padding: fc.integer({ min: 1, max: 4 }) }).map(pattern);
  test('patterns that never meet never give the same number', () =>
    fc.assert(
      fc.property(some, some, fc.nat(3000), fc.nat(3000), (a, b, n, m) => {
        fc.pre(!mayMeet(a, b));
        expect(numberText(a, facts, n + 1)).not.toBe(numberText(b, facts, m + 1));
      }),
      { numRuns: 2000 },
    ));
});

test('a pattern is held to its rules at every place it serves and as far as it has come', () => {
  const wrong = (more: Partial<Pattern>, locations: readonly string[] = ['BLR'], next = 1, gst = true) =>
    patternProblem(pattern(more), { gst, date: '2026-11-21', locations, next })?.message;
  expect(wrong({})).toBeUndefined();
  expect(wrong({ prefix: 'INV/{FX}/' })).toMatch(/^\{FX\} is not known/);
  expect(wrong({ prefix: 'INV/{FY/' }, [], 1, false)).toBeDefined();
  expect(wrong({ prefix: '{LOC}/{FY}/' }, ['BLR', 'BENGALURU'])).toMatch(/BENGALURU\/26-27\/0001 has 20 characters/);
  expect(wrong({ prefix: '{LOC}/' }, ['BLR', '0LD'])).toMatch(/0LD\/0001 may hold only/);
  expect(wrong({ prefix: 'INVO/{FY}/' }, ['BLR'], 999_999)).toMatch(/17 characters/);
  // four digits fit, five do not: it would end within the year
  expect(wrong({ prefix: 'HOQWE/{FY}/' })).toMatch(/HOQWE\/26-27\/99999 has 17 characters/);
  expect(wrong({ prefix: 'HOQW/{FY}/' })).toBeUndefined();
  expect(wrong({ reset: 'month' })).toMatch(/need \{MM\}/);
  expect(wrong({ prefix: 'IN/{YY}{MM}/', reset: 'month' })).toBeUndefined();
  expect(wrong({ prefix: 'a long name for a paper/{FY}/' }, ['BLR'], 1, false)).toMatch(/at most 32/);
});
