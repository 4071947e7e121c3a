import { expect, test } from 'vitest';
import { passwordProblem } from './password.ts';

const kaveri = { email: 'kaveri@sharma.demo', names: ['Kaveri Menon', 'Sharma Traders Private Limited', 'SHARMA'] };

test.each([
  ['Kaveri-2026', 'at least 12'],
  ['kaveri@sharma.demo', 'e-mail'],
  ['KAVERI@sharma.demo ', 'e-mail'],
  ['kaveri.123456789', 'e-mail'],
  ['Kaveri Menon 1', 'your name'],
  ['menonkaveri@12', 'your name'],
  ['Sharma Traders', 'organisation'],
  ['sharmatraders-abc', 'organisation'],
  ['Sharma@12345678', 'organisation'],
  ['aaaaaaaaaaaaaaa', 'different'],
  ['123456789012', 'neighbouring'],
  ['987654321098', 'neighbouring'],
  ['ABCDEFabcdef', 'neighbouring'],
  ['x'.repeat(64) + 'abcdefgh'.repeat(10), 'at most 128'],
])('a weak password is refused: %s', (password, reason) => {
  expect(passwordProblem(password, kaveri)?.message).toContain(reason);
});

test.each([
  'correct horse battery',
  'नमस्ते दुनिया मेरी',
  'Demo-Bahi-2026',
  '            spaces count',
  'kaveri flows to the sea',
  '9182 7364 5546',
])('any characters will do: %s', (password) => {
  expect(passwordProblem(password, kaveri)?.message).toBeUndefined();
});

test('a name in another script counts too, and one of two letters does not', () => {
  const of = { email: 'a@b.in', names: ['शर्मा ट्रेडर्स', 'Li'] };
  expect(passwordProblem('शर्मा ट्रेडर्स १२३', of)?.message).toContain('organisation');
  expect(passwordProblem('lilies of the field', of)?.message).toBeUndefined();
});
