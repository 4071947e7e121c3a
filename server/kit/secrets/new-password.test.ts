import { expect, test } from 'vitest';
import { newPasswordProblem } from './new-password.ts';

const of = { email: 'asha@kaveri.example', names: ['Asha Rao', 'Kaveri Traders'] };

test.each([
  'password1234',
  'Password@2026',
  'P@ssw0rd@2026',
  '2026password!',
  'welcomewelcome',
  'Qwertyuiop123',
  '1qaz2wsx3edc',
  'administrator',
  'Demo-Bahi-2026',
])('a common password is refused: %s', (password) => {
  expect(newPasswordProblem(password, of)?.message).toContain('most common');
});

test.each(['password123', '12345678', '123456789012', 'asharao-2026', 'KaveriTraders1'])('so is %s', (password) => {
  expect(newPasswordProblem(password, of)?.message).toBeDefined();
});

test.each(['a long pass phrase', 'welcome to my password', 'correct horse battery'])(
  'words that are common one by one may be chosen together: %s',
  (password) => {
    expect(newPasswordProblem(password, of)?.message).toBeUndefined();
  },
);
