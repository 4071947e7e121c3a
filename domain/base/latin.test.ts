import { expect, test } from 'vitest';
import { inLatin } from './latin.ts';

test.each([
  ['पंखा', 'pankhaa'],
  ['बल्ब', 'balb'],
  ['गेहूँ का आटा', 'gehuun kaa aataa'],
  ['ফ্যান', 'phyaan'],
  ['மின்விசிறி', 'minvichiri'],
  ['ఫ్యాను', 'phyaanu'],
  ['Café crème 5 L', 'Cafe creme 5 L'],
  ['LED बल्ब 9W', 'LED balb 9W'],
])('latin letters: %s reads %s', (name, latin) => {
  expect(inLatin(name)).toBe(latin);
});

test('latin letters: nothing is made of signs of other scripts', () => {
  expect(inLatin('電球').trim()).toBe('');
});
