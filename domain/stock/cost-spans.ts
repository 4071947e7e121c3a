import type { Millionths } from '../base/decimal.ts';
import { type Paise, paise, scale } from '../base/money.ts';

/**
 * A stretch of the quantity of a movement, from and up to so many millionths. Returns of the same line never overlap, so that
 * together they are that line, and their costs add up to its cost.
 */
export type Span = readonly [from: number, upTo: number];

/**
 * The first stretches of a movement that no return has yet, for so much that comes back now. `untracked` is what came back by
 * returns that keep no stretches: it is taken to be the first of what is free.
 */
export function nextSpans(whole: Millionths, taken: readonly Span[], untracked: number, quantity: Millionths): Span[] {
  const spans: Span[] = [];
  let skipped = untracked;
  let wanted = Math.abs(quantity);
  const add = (from: number, upTo: number): void => {
    const start = from + Math.min(skipped, upTo - from);
    skipped -= start - from;
    const end = Math.min(upTo, start + wanted);
    if (end > start) spans.push([start, end]);
    wanted -= end - start;
  };
  let free = 0;
  for (const [from, upTo] of [...taken].sort(([a], [b]) => a - b)) {
    if (from > free) add(free, from);
    free = Math.max(free, upTo);
  }
  // more than there is of the line is refused elsewhere; here it only stands behind its end
  add(free, Math.max(free, Math.abs(whole)) + skipped + wanted);
  return spans;
}

/**
 * What these stretches of a movement cost, positive: each the difference of the shares up to its two ends. So stretches that
 * cover the movement cost what it cost, to the paisa, whatever it costs by now.
 */
export const costOfSpans = (cost: number, whole: Millionths, spans: readonly Span[]): Paise =>
  whole === 0
    ? paise(0)
    : paise(spans.reduce((t, [from, upTo]) => t + shareUpTo(cost, whole, upTo) - shareUpTo(cost, whole, from), 0));

const shareUpTo = (cost: number, whole: Millionths, quantity: number): Paise =>
  scale(Math.abs(cost), quantity, Math.abs(whole));
