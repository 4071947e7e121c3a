import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millionths } from '../base/decimal.ts';
import { costOfSpans, nextSpans, type Span } from './cost-spans.ts';

const whole = fc.integer({ min: 1, max: 5_000_000_000 });
const cost = fc.integer({ min: 0, max: 99_999_999_99 });

/** Returns so much again and again, takes some of the returns back, and returns what is left in the end. */
function returnedInPieces(size: number, acts: readonly (readonly [share: number, cancels: boolean])[]): Span[][] {
  const standing: Span[][] = [];
  const left = () => standing.flat().reduce((t, [from, upTo]) => t - (upTo - from), size);
  const giveBack = (quantity: number) =>
    standing.push(nextSpans(millionths(size), standing.flat(), 0, millionths(quantity)));
  for (const [share, cancels] of acts) {
    if (cancels && standing.length > 0) standing.splice(share % standing.length, 1);
    else if (left() > 0) giveBack(1 + (share % left()));
  }
  if (left() > 0) giveBack(left());
  return standing;
}
const acts = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 30 });

describe('stretches of a movement that come back', () => {
  test('three pieces for 100.00: one of them costs a paisa more', () => {
    const size = millionths(3_000_000);
    const pieces = returnedInPieces(size, [
      [999_999, false],
      [999_999, false],
    ]);
    expect(pieces).toEqual([[[0, 1_000_000]], [[1_000_000, 2_000_000]], [[2_000_000, 3_000_000]]]);
    expect(pieces.map((spans) => costOfSpans(-10000, size, spans))).toEqual([3333, 3334, 3333]);
  });

  test('whatever is returned and cancelled: each piece is once in what came back, and all cost the whole', () => {
    fc.assert(
      fc.property(whole, cost, cost, acts, (size, then, now, all) => {
        const pieces = returnedInPieces(size, all);
        const sorted = pieces.flat().sort(([a], [b]) => a - b);
        expect(sorted[0]?.[0]).toBe(0);
        expect(sorted.at(-1)?.[1]).toBe(size);
        for (const [at, [from]] of sorted.entries()) if (at > 0) expect(from).toBe(sorted[at - 1]?.[1]);
        // also after the movement is revalued
        for (const worth of [then, now])
          expect(pieces.reduce((t, spans) => t + costOfSpans(worth, millionths(size), spans), 0)).toBe(worth);
      }),
    );
  });

  test('a piece costs its share, give or take a paisa for each of its stretches', () => {
    fc.assert(
      fc.property(whole, cost, acts, (size, worth, all) => {
        for (const spans of returnedInPieces(size, all)) {
          const quantity = spans.reduce((t, [from, upTo]) => t + upTo - from, 0);
          const apart = costOfSpans(worth, millionths(size), spans) - (worth * quantity) / size;
          expect(Math.abs(apart)).toBeLessThanOrEqual(spans.length + 0.01);
        }
      }),
    );
  });

  test('what came back without stretches is the first of what is free', () => {
    const size = millionths(10);
    expect(nextSpans(size, [], 4, millionths(3))).toEqual([[4, 7]]);
    expect(nextSpans(size, [[2, 5]], 4, millionths(-4))).toEqual([[7, 11]]);
    expect(nextSpans(size, [[2, 5]], 1, millionths(3))).toEqual([
      [1, 2],
      [5, 7],
    ]);
  });
});
