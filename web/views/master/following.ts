import type { Master } from '../../../contract/masters.ts';
import { codeFrom } from '../../../domain/base/code.ts';
import { textOf, type Values } from './values.ts';

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
