import { expect } from 'vitest';
import { inEnglish, type Text } from '../../domain/base/say.ts';

/*
 * What domain and server say comes with its text for catalogues (ADR 82). A test that names only the message of a problem compares
 * the rest of it; the text must say the same as the message, or the two are not equal.
 */

type Plain = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'message' in value;
const textOf = (said: Plain): Text | undefined => {
  const text = said['text'] as Partial<Text> | undefined;
  return typeof text?.key === 'string' && typeof text.values === 'object' ? (text as Text) : undefined;
};

function sameButText(this: { equals(a: unknown, b: unknown, testers?: unknown[]): boolean }, a: unknown, b: unknown) {
  if (!isPlain(a) || !isPlain(b)) return undefined;
  const [said, other] = textOf(a) ? [a, b] : [b, a];
  const text = textOf(said);
  if (!text || 'text' in other) return undefined;
  const { text: _, ...rest } = said;
  if (inEnglish(text) !== said['message']) return false;
  // where the rest differs, the matcher decides: what is compared in part may have less
  return this.equals(rest, other, [sameButText]) || undefined;
}

/** Files of a worker share one `expect`: the tester is added once. */
const ADDED = Symbol.for('bahi.said');
const shared = globalThis as { [ADDED]?: true };
if (!shared[ADDED]) {
  expect.addEqualityTesters([sameButText as never]);
  shared[ADDED] = true;
}
