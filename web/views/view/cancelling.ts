import { dayInWords, monthInWords } from '../../../domain/dates.ts';
import { rupees } from '../../kit/format.ts';

interface Cancelled {
  readonly number: string;
  readonly date: string;
  readonly entries: readonly unknown[];
  readonly movements: readonly unknown[];
  readonly links: readonly { readonly role: string; readonly number: string; readonly amount: string | null }[];
}

export interface Consequences {
  /** Sentences, in the order in which they matter. */
  readonly says: readonly string[];
  /** What it settles or is settled with, each with its amount: it is refused unless they are freed. */
  readonly settled: readonly string[];
}

const counted = (many: number, one: string, more: string): string =>
  many === 1 ? `Its ${one} is` : `Its ${many} ${more} are`;

/** What cancelling a document does, before anybody says why; `isReturned`: a GST return shows it. */
export const consequencesOf = (document: Cancelled, isReturned: boolean): Consequences => {
  const { number, date, entries, movements, links } = document;
  const day = dayInWords(date);
  const settled = links
    .filter(({ role }) => role === 'allocation')
    .map(({ number: other, amount }) => (amount === null ? other : `${other} (${rupees(amount)})`));
  const says = [
    `The number ${number} stays used, and is shown as cancelled.`,
    ...(entries.length > 0 ? [`${counted(entries.length, 'entry', 'entries')} reversed on ${day}.`] : []),
    ...(movements.length > 0
      ? [`${counted(movements.length, 'stock movement', 'stock movements')} taken back on ${day}.`]
      : []),
    ...(entries.length + movements.length === 0
      ? ['It has moved neither money nor goods. What it held or waited for is free again.']
      : []),
    ...(isReturned
      ? [`It is no longer in the GST return of ${monthInWords(date)}, unless that is filed already.`]
      : []),
  ];
  return { says, settled };
};
