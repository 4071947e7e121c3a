/** Fewer characters than this are guessed, more than that are nobody's password. */
export const LEAST_PASSWORD = 12;
const MOST = 128;

/** What is wrong with a new password of somebody with this e-mail, or undefined. Any characters will do: length is what counts. */
export function passwordProblem(password: string, email: string): string | undefined {
  const characters = [...password];
  if (characters.length < LEAST_PASSWORD) return `A password has at least ${LEAST_PASSWORD} characters`;
  if (characters.length > MOST) return `A password has at most ${MOST} characters`;
  const [name = ''] = email.toLowerCase().split('@');
  const typed = password.toLowerCase().trim();
  if (
    typed === email.toLowerCase() ||
    (name.length >= 4 && typed.replace(/[^a-z]/g, '') === name.replace(/[^a-z]/g, ''))
  )
    return 'A password is not the e-mail address';
  if (new Set(characters).size < 5) return 'A password needs at least five different characters';
  return undefined;
}
