import { Refusal } from '../../contract/errors.ts';
import { kindLabel, notesOn } from '../../domain/kinds/index.ts';

/** What is done where a document is not cancelled on its own day; the end of a sentence. */
export const insteadOfCancelling = (kind: string): string => {
  const notes = notesOn(kind).map((name) => kindLabel(name).toLowerCase());
  return notes.length > 0
    ? `: make a ${notes.join(' or ')} dated today instead`
    : ': reverse it with a document dated today instead';
};

/** An IFF that is filed holds the document. */
export const inIff = (number: string, kind: string, period: string): Refusal =>
  new Refusal('returnFiled', {
    number,
    form: 'IFF',
    period: `${period.slice(5)}-${period.slice(0, 4)}`,
    instead: insteadOfCancelling(kind),
  });
