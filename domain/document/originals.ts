import { isDay } from '../base/dates.ts';
import type { Day, Draft } from './document.ts';
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
