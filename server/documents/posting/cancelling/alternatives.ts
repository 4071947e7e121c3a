import { Refusal } from '../../../../contract/errors.ts';
import { type Said, say, verbatim } from '../../../../domain/base/say.ts';
import { correctedBy, kindLabel } from '../../../../domain/document/kinds/index.ts';

/**
 * What corrects a document on a later day, in words; undefined where it is reversed. `isReturned`: its return of
 * outward supplies shows it.
 */
export const correction = (kind: string, isReturned: boolean): Said | undefined => {
  const made = correctedBy(kind, isReturned).map((name) =>
    name === kind
      ? say('{{kind}} back', { kind: kindLabel(name).toLowerCase() })
      : verbatim(kindLabel(name).toLowerCase()),
  );
  return made.length > 0 ? made.reduce((one, other) => say('{{one}} or {{other}}', { one, other })) : undefined;
};

/**
 * What is done where a document is not cancelled on its own day; the end of a sentence. Without `hasNotes` nothing new
 * refers to it: its IRN is cancelled.
 */
export const insteadOfCancelling = (
  kind: string,
  isReturned: boolean,
  { hasNotes }: { readonly hasNotes: boolean } = { hasNotes: true },
): Said => {
  const made = hasNotes ? correction(kind, isReturned) : undefined;
  return made
    ? say(': make a {{made}} dated today instead', { made })
    : say(': reverse it with a document dated today instead');
};

/** An IFF that is filed holds the document. */
export const inIff = (number: string, kind: string, period: string): Refusal =>
  new Refusal('returnFiled', {
    number,
    form: 'IFF',
    period: `${period.slice(5)}-${period.slice(0, 4)}`,
    instead: insteadOfCancelling(kind, true),
  });
