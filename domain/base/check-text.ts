import { type Said, say } from './say.ts';
/** What is said when a name holds a character it may not; the field is emptied with it. */
export const SPECIAL_CHARACTERS = say('Script Tags or Special characters are not allowed');

/** What is said beside such a name while it holds none. */
export const ALLOWED_CHARACTERS = 'characters are allowed';

const refused = new Set('%<>+;,.|\\=-?:_~`[]$\'")/{}@!()&^#*');

/** What is wrong with a short name of our own making (category, group, role, unit ...), or undefined. */
export const plainTextProblem = (text: string): Said | undefined =>
  [...text].some((character) => refused.has(character)) ? SPECIAL_CHARACTERS : undefined;
