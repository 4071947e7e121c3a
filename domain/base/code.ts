import { inLatin } from './latin.ts';

const CODE = 32;
/**
 * A code made of a name: 'Ceiling fan 48"' is CEILING-FAN-48, and पंखा PANKHAA. A name without any letter that can be
 * read so has a number.
 */
export const codeFrom = (name: string): string => {
  const code = inLatin(name)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, CODE)
    .replace(/-$/, '');
  return code || (name.trim() === '' ? '' : `N-${numberOf(name.trim())}`);
};

/** A number of six digits that the same name always has. */
const numberOf = (name: string): string => {
  let mixed = 0;
  for (const sign of name) mixed = (mixed * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_000;
  return String(mixed).padStart(6, '0');
};
