import { expect, test } from 'vitest';
import { noteReasons, reasonInWords } from './reasons.ts';

test('the reason of a note is shown in words, also where it came as a code', () => {
  expect(reasonInWords('04')).toBe('Correction in invoice');
  expect(reasonInWords('Damaged on the way')).toBe('Damaged on the way');
  for (const reason of noteReasons) expect(reasonInWords(reason)).toBe(reason);
});
