import { brokenInto, inDrawnOrder, isArabic } from '../../domain/paper/directions.ts';

/** A node of the PDF library's document tree; its own types do not cover SVG and layouts. */
export type Node = string | { readonly [key: string]: unknown };
/** The words of a second language, by those of the first. */
export type Also = Readonly<Record<string, string>> | undefined;

/** A run longer than this that has no place to break gets some, or it would push its neighbours off the page. */
export const LONGEST = 16;
export const breakable = (text: string): string =>
  text.replace(new RegExp(`[^\\s-]{${LONGEST + 1},}`, 'g'), (run) =>
    /\p{M}/u.test(run) ? brokenAtSyllables(run) : run.replace(/.{8}(?=.)/gu, '$&\u200b'),
  );

/** Signs of India's scripts that join a consonant to the next one: a line is not broken after them. */
const JOINS = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u200d]$/;
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const brokenAtSyllables = (run: string): string => {
  let line = 0;
  return [...letters.segment(run)]
    .map(({ segment }, at, all) => {
      line += 1;
      if (line < 8 || JOINS.test(segment) || at === all.length - 1) return segment;
      line = 0;
      return `${segment}\u200b`;
    })
    .join('');
};

/** Of the Arabic font, whose lines are taller than those of the Latin one. */
const LINE = 0.8;
/**
 * One line in the order in which it is drawn, each piece in the font that has its letters. It is not broken again: its
 * end would come first.
 */
const line = (text: string): Node[] =>
  inDrawnOrder(text).map(({ text: said, arabic }) => ({
    text: said.replace(/\s/g, '\u00a0'),
    ...(arabic && { font: 'Arabic', lineHeight: LINE }),
  }));

/** A text of whatever a user typed: Arabic has its own font and order, and lines of at most so many letters. */
export function said(text: string, letters = 28): string | Node[] {
  if (!isArabic(text)) return breakable(text);
  const lines = text.split('\n').flatMap((typed) => (isArabic(typed) ? brokenInto(typed, letters) : [typed]));
  return lines.flatMap((one, at) => [...(at > 0 ? ['\n'] : []), ...(isArabic(one) ? line(one) : [breakable(one)])]);
}

/** The second language of a label; nothing where it has none. */
export const second = (label: string, also: Also): Node[] => {
  const words = also?.[label];
  return words === undefined ? [] : line(words);
};

/** A label with its second language behind it, or on the line below. */
export const both = (label: string, also: Also, between = '   '): string | Node[] => {
  const words = second(label, also);
  return words.length === 0 ? label : [label, between, ...words];
};
