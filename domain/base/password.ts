import { type Said, say } from './say.ts';

/** Fewer characters than this are guessed, more than that is not a password. */
export const LEAST_PASSWORD = 12;
const MOST = 128;

/** What others know of the person who chooses a password. */
export interface PasswordOf {
  readonly email: string;
  /** The person's name and the names of their organisation. */
  readonly names?: readonly string[];
}

/**
 * What is wrong with a new password, or undefined. Any characters will do: length is what counts. The server also refuses
 * common passwords (`server/kit/secrets/new-password.ts`), whose list is too long for the browser.
 */
export function passwordProblem(password: string, { email, names = [] }: PasswordOf): Said | undefined {
  const characters = [...password];
  if (characters.length < LEAST_PASSWORD)
    return say('A password has at least {{leastPassword}} characters', { leastPassword: LEAST_PASSWORD });
  if (characters.length > MOST) return say('A password has at most {{most}} characters', { most: MOST });
  if (isMadeOf(password, [email, ...names]))
    return say(
      'A password is not made of your e-mail address, your name or the name of your organisation: choose other words',
    );
  if (new Set(characters).size < 5) return say('A password needs at least five different characters');
  if (breaksOf(characters) <= 2)
    return say('A password is not a row of neighbouring characters, like 123456 or abcdef');
  return undefined;
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();
const notLetters = /[^\p{L}\p{M}]+/gu;
/** What may stand around words that are known without making a password of them. */
const FEW = 4;

/** Whether the letters of a password are words of these texts, but for fewer than four others. */
function isMadeOf(password: string, texts: readonly string[]): boolean {
  const all = plain(password).replaceAll(notLetters, '');
  const words = texts.flatMap((text) => [plain(text).replaceAll(notLetters, ''), ...plain(text).split(notLetters)]);
  // the longest first: a short word may be a part of a long one
  const known = words.filter((word) => [...word].length >= 3).sort((a, b) => b.length - a.length);
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), all);
  return rest !== all && [...rest].length < FEW;
}

/** How often a character is neither the same as the one before it nor its neighbour in the alphabet or among the digits. */
const breaksOf = (characters: readonly string[]): number => {
  const points = characters.map((character) => plain(character).codePointAt(0) ?? 0);
  return points.filter((point, n) => n > 0 && Math.abs(point - (points[n - 1] ?? 0)) > 1).length;
};
