import { expect, test } from 'vitest';
import { plainTextProblem, SPECIAL_CHARACTERS } from './check-text.ts';

test.each([...'%<>+;,.|\\=-?:_~`[]$\'")/{}@!()&^#*'])('%s is refused wherever it stands', (character) => {
  for (const text of [character, `a${character}`, `${character}b`, `a${character}b`])
    expect(plainTextProblem(text)).toBe(SPECIAL_CHARACTERS);
});
test('a script tag is refused', () => expect(plainTextProblem('<script>')).toBe(SPECIAL_CHARACTERS));
test.each(['', 'Dairy products', 'घी', 'Size 42', 'Café', 'A\tB', '₹ items'])('%j is allowed', (text) =>
  expect(plainTextProblem(text)).toBeUndefined(),
);
