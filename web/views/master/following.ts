import type { Master } from '../../../contract/masters.ts';
import { inLatin } from '../../../domain/base/latin.ts';
import { textOf, type Values } from './values.ts';

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

/**
 * What follows from what is typed, for fields that nobody has filled otherwise: a code from the name, the state and the
 * GST category from the GSTIN.
 */
export const following = ({ fields }: Pick<Master, 'fields'>, before: Values, patch: Values): Values => {
  const follows: Record<string, unknown> = {};
  const gstin = Object.keys(patch).find((key) => fields[key]?.type === 'gstin');
  const typed = gstin === undefined ? undefined : textOf(patch[gstin]);
  for (const [key, { type, proposedFrom, byGstin }] of Object.entries(fields)) {
    if (key in patch) continue;
    const own = textOf(before[key]);
    if (
      proposedFrom !== undefined &&
      proposedFrom in patch &&
      [codeFrom(textOf(before[proposedFrom])), ''].includes(own)
    )
      follows[key] = codeFrom(textOf(patch[proposedFrom]));
    if (typed === undefined) continue;
    if (type === 'state' && /^\d\d/.test(typed)) follows[key] = typed.slice(0, 2);
    const [withOne, without] = byGstin ?? [];
    if (withOne !== undefined && own === (typed === '' ? withOne : without))
      follows[key] = typed === '' ? without : withOne;
  }
  return follows;
};
