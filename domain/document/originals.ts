import { isDay } from '../base/dates.ts';
import type { Day, Draft } from './document.ts';
import { isNote, type KindName, kindCalled, kindNames, kindOf, raisesPrice } from './kinds/index.ts';
import type { Kind } from './kinds/kind.ts';
import { sourceIds } from './sources.ts';

/** The document that a note corrects and that is not in the books: an invoice or bill from before them. */
export interface Original {
  /** As typed, trimmed; empty where nothing was. */
  readonly number: string;
  /** As typed, trimmed: not a day until the checks have passed. */
  readonly date: Day;
}

/** What somebody typed of the original; undefined where they typed nothing. */
export function typedOriginal({ fields = {} }: Pick<Draft, 'fields'>): Original | undefined {
  const number = fields['originalNumber']?.trim() ?? '';
  const date = fields['originalDate']?.trim() ?? '';
  return number === '' && date === '' ? undefined : { number, date };
}

/** The day of an original that is not in the books, where one was typed. */
export const dayOfOriginal = (draft: Pick<Draft, 'fields'>): Day | undefined => {
  const { date = '' } = typedOriginal(draft) ?? {};
  return isDay(date) ? date : undefined;
};

/** Whether a document says itself what it corrects, for it names nothing in the books. */
export const isWithoutSource = (draft: Draft): boolean => sourceIds(draft).length === 0;

/** Whether documents of a kind can say themselves what they correct. */
export const givesOriginal = (kind: Kind): boolean => kind.fields.includes('originalNumber');

/** What a document says of an original in words, with a day to look for it in the books. */
export function originalToFind(kind: Kind, draft: Draft): Original | undefined {
  const original = givesOriginal(kind) && isWithoutSource(draft) ? typedOriginal(draft) : undefined;
  return original && original.number !== '' && isDay(original.date) ? original : undefined;
}

/** The families of numbers of what a kind corrects and of the notes about that: among them an original in the books has its number. */
export const numberingsOfOriginals = ({ source, gst }: Kind): readonly string[] => [
  ...new Set([
    ...source.kinds.flatMap((name) => {
      const kind = kindCalled(name);
      return kind?.life.cycle === 'posted' ? [kind.numbering.family] : [];
    }),
    ...kindNames.flatMap((name) =>
      isNote(kindOf(name)) && kindOf(name).gst.tax === gst.tax ? [kindOf(name).numbering.family] : [],
    ),
  ]),
];

/** The kinds of suppliers' bills, booked as goods or as an expense, and of their debit notes: each has the number of the supplier. */
export const billsOfSuppliers: readonly KindName[] = kindNames.filter((name) => {
  const { gst, fields, paper, books } = kindOf(name);
  return (
    gst.tax === 'input' &&
    (paper.form !== 'note' || raisesPrice(kindOf(name))) &&
    fields.includes('reference') &&
    books.opens === 'payable'
  );
});
