import { type PasswordOf, passwordProblem } from '../../../domain/base/password.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import { commonPasswords, commonWords } from './common-passwords.ts';

/** Password of every demo person. It is published. */
export const DEMO_PASSWORD = 'Demo-Bahi-2026';
/** Who tries the demo signs in as its owner. */
export const DEMO_PERSON = 'owner@sharma.demo';

/** Signs that people write for a letter. */
const signs: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  $: 's',
  '5': 's',
};

/**
 * What is wrong with a password that somebody chooses, or undefined: what `passwordProblem` says of it, and whether it is one
 * of the common ones (NIST SP 800-63B, 5.1.1.2) or the published one of the demo. Asked wherever a password is set.
 */
export function newPasswordProblem(password: string, of: PasswordOf): Said | undefined {
  const problem = passwordProblem(password, of);
  if (problem) return problem;
  return isCommon(password)
    ? say('This password is one of the most common ones and is guessed first: choose another')
    : undefined;
}

/** `Password@2026` is `password`, and `welcomewelcome` is `welcome`. */
function isCommon(password: string): boolean {
  const typed = password.normalize('NFKC').toLowerCase().trim();
  if (typed === DEMO_PASSWORD.toLowerCase() || commonPasswords.has(typed)) return true;
  const inner = typed.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const letters = [...inner].map((character) => signs[character] ?? character).join('');
  return [inner, letters].some((word) => commonPasswords.has(word) || commonWords.has(onceOf(word)));
}

/** A word that is written several times is that word. */
function onceOf(word: string): string {
  const size = (word + word).indexOf(word, 1);
  return word.slice(0, size);
}
