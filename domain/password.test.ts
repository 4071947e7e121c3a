import { expect, test } from 'vitest';
import { passwordProblem } from './password.ts';

test.each([
  ['Kaveri-2026', 'at least 12'],
  ['kaveri@sharma.demo', 'e-mail'],
  ['KAVERI@sharma.demo ', 'e-mail'],
  ['kaveri.123456789', 'e-mail'],
  ['aaaaaaaaaaaaaaa', 'different'],
  ['x'.repeat(64) + 'abcdefgh'.repeat(10), 'at most 128'],
])('a weak password is refused: %s', (password, reason) => {
  expect(passwordProblem(password, 'kaveri@sharma.demo')).toContain(reason);
});

test.each(['correct horse battery', 'नमस्ते दुनिया मेरी', 'Demo-Bahi-2026', '            spaces count'])(
  'any characters will do: %s',
  (password) => {
    expect(passwordProblem(password, 'kaveri@sharma.demo')).toBeUndefined();
  },
);
