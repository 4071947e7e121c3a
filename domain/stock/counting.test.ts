import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millionths, ONE } from '../base/decimal.ts';
import { adjusting, type Counted, outcomeOf } from './counting.ts';

const pieces = (n: number) => millionths(n * ONE);
const count = (quantity: number, more: Partial<Counted> = {}): Counted => ({
  ...{ round: 1, at: '2026-04-01T10:00', quantity: pieces(quantity), book: pieces(10) },
  ...more,
});

test('what several people count is added; who counts again counts alone', () => {
  expect(outcomeOf([])).toBeUndefined();
  expect(outcomeOf([count(6), count(3)])).toMatchObject({ counted: pieces(9), difference: pieces(-1), moved: false });
  expect(outcomeOf([count(6), count(3), count(10, { round: 2 })])).toMatchObject({ difference: 0 });
});

test('the books count as they were when it was counted last', () => {
  const first = count(10, { at: '2026-04-01T09:00' });
  const second = count(0, { at: '2026-04-01T11:00', book: pieces(8) });
  expect(outcomeOf([second, first])).toMatchObject({ book: pieces(8), difference: pieces(2), moved: true });
});

test('serial numbers are compared one by one', () => {
  const seen = count(2, { book: pieces(2), bookSerials: ['A1', 'A2'], serials: ['a1', 'B7'] });
  const outcome = outcomeOf([seen]);
  expect(outcome).toMatchObject({ missing: ['A2'], found: ['B7'], difference: 0 });
  const line = { item: 'phone', unit: 'NOS', serialised: true, rate: pieces(5) };
  expect(outcome && adjusting(line, outcome)).toEqual([
    { item: 'phone', unit: 'NOS', delta: pieces(-1), serials: ['A2'] },
    { item: 'phone', unit: 'NOS', delta: pieces(1), rate: pieces(5), serials: ['B7'] },
  ]);
});

test('whoever counted what, the books and the adjustment together are what was counted', () => {
  const someCount = fc.record({
    round: fc.integer({ min: 1, max: 3 }),
    at: fc.integer({ min: 0, max: 99 }).map(String),
    quantity: fc.nat(1_000_000_000).map(millionths),
    book: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map(millionths),
  });
  fc.assert(
    fc.property(fc.array(someCount, { minLength: 1, maxLength: 8 }), (counts) => {
      const outcome = outcomeOf(counts);
      if (!outcome) throw new Error('it was counted');
      const lines = adjusting({ item: 'i', unit: 'NOS', batch: 'B', serialised: false, rate: pieces(1) }, outcome);
      const delta = lines.reduce((sum, line) => sum + (line.delta ?? 0), 0);
      expect(outcome.book + delta).toBe(outcome.counted);
      expect(lines.length).toBe(outcome.difference === 0 ? 0 : 1);
      for (const { batches, delta, rate } of lines) {
        expect(batches?.[0]?.quantity).toBe(Math.abs(delta ?? 0));
        expect(rate === undefined).toBe((delta ?? 0) < 0);
      }
    }),
  );
});
