import { say } from '../../base/say.ts';
import type { Checking, Finding, TypedCheck } from './check.ts';

/** Letters for which papers have a font: those of India, Latin, Greek and Cyrillic ones, Arabic, and what belongs to no script. */
const printed =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]/u;
/** Pictures of the common script, which no font of ours draws; digits and signs such as © are letters as well. */
const pictured = /[\p{Emoji_Presentation}\u{1f000}-\u{1faff}]/u;

/** Texts that are usual are judged at once. */
const usual = /^[\u0020-\u024f\u0900-\u0d7f\u2010-\u201f₹]*$/;

/** The letters of a text that a paper prints as empty boxes, each once. */
export const unprinted = (text: string): readonly string[] =>
  usual.test(text) ? [] : [...new Set([...text].filter((letter) => !printed.test(letter) || pictured.test(letter)))];

/** A paper with empty boxes for a name is no invoice: the warning comes before it goes out. */
export const lettersWithoutFont: TypedCheck = {
  code: 'lettersWithoutFont',
  weight: 'warning',
  source:
    'rule 46: an invoice shows names and descriptions; papers have the fonts of Indian, European and Arabic scripts',
  find: ({ kind, draft, facts }: Checking): Finding[] => {
    if (kind.paper.form === 'none') return [];
    const lettersIn = (field: string, text: string | undefined, row?: number): Finding[] => {
      const letters = unprinted(text ?? '');
      return letters.length === 0
        ? []
        : [
            {
              ...{ field, ...(row !== undefined && { row }) },
              ...say('The paper has no letters for “{{letters}}”: it prints empty boxes there', {
                letters: letters.slice(0, 5).join(''),
              }),
            },
          ];
    };
    return [
      ...lettersIn('party', draft.partyName ?? facts.party?.name),
      ...lettersIn('narration', draft.narration),
      ...lettersIn('reference', draft.reference),
      ...draft.lines.flatMap((line, row) =>
        lettersIn('lines.description', line.description ?? (line.item && facts.items.get(line.item)?.name), row),
      ),
    ];
  },
};
