import type { z } from 'zod';
import type { mailCalls } from '../../../contract/mail.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { inSentence, rupees } from '../../kit/format.ts';
import type { Shown } from '../DocumentView.tsx';

export type Mails = z.output<(typeof mailCalls)['ListMails']['details']>;
export type Mail = Mails['mails'][number];

/** A mail as it is typed; `again` is the mail it repeats or replaces. */
export interface Letter {
  readonly to: string;
  readonly cc: string;
  readonly subject: string;
  readonly message: string;
  readonly again?: string | undefined;
}

/** The first wording of a mail: who it goes to, what it is, a short polite text. */
export const firstLetter = (
  document: Pick<Shown, 'number' | 'date' | 'party' | 'priced' | 'body'>,
  kind: Kind,
  organisation: string,
  to: readonly string[],
  show: (day: string) => string,
): Letter => {
  const total = document.body['currency'] === 'INR' ? document.priced?.total : undefined;
  const amount = total && !/^-?0(\.0+)?$/.test(total) ? ` for ${rupees(total)}` : '';
  return {
    to: to.join(', '),
    cc: '',
    subject: `${kind.label} ${document.number} from ${organisation}`.slice(0, 200),
    message: [
      `Dear ${document.party?.name ?? 'Sir or Madam'},`,
      `Please find attached ${inSentence(kind.label)} ${document.number} of ${show(document.date)}${amount}.`,
      `Regards,\n${organisation}`,
    ].join('\n\n'),
  };
};

/** A mail once more, as it was. */
export const sameLetter = ({ id, to, cc, subject, message }: Mail): Letter => ({
  to: to.join(', '),
  cc: cc.join(', '),
  subject,
  message,
  again: id,
});

/** Addresses are parted by commas, semicolons or spaces. */
export const addressesOf = (typed: string): readonly string[] => typed.split(/[,;\s]+/).filter(Boolean);

/** The addresses with one put in at the end, or taken out; what else was typed stays. */
export const toggledAddress = (typed: string, email: string, on: boolean): string => {
  const others = addressesOf(typed).filter((each) => each.toLowerCase() !== email.toLowerCase());
  return [...others, ...(on ? [email] : [])].join(', ');
};

const place = (person: string, document: string) => `bahi.letter.${person}.${document}`;

/** What somebody has typed for a document and not sent yet: closing the dialog or signing in again does not lose it. */
export const keptLetter = (person: string, document: string): Letter | undefined => {
  const kept = sessionStorage.getItem(place(person, document));
  return kept === null ? undefined : (JSON.parse(kept) as Letter);
};
export const keepLetter = (person: string, document: string, letter: Letter): void =>
  sessionStorage.setItem(place(person, document), JSON.stringify(letter));
export const forgetLetter = (person: string, document: string): void =>
  sessionStorage.removeItem(place(person, document));
