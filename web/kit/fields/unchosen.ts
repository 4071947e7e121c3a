import { t } from '../text.ts';
/** Characters that are searched for at most, as the calls of the contract have it. */
export const MOST_SEARCHED = 100;
export const tooLongFor = `At most ${MOST_SEARCHED} characters`;

/** What is said at a field whose text is the name of no record. */
export const nothingChosen = (text: string): string =>
  text.length > MOST_SEARCHED
    ? t('{{tooLongFor}}: {{text}} are typed', { tooLongFor, text: text.length })
    : t('No choice made for “{{text}}”', { text });
