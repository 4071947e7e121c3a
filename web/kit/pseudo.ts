/** A language made by code from the English sentences: what is drawn without the catalogue stays plain and is seen. */
export const PSEUDO_LANGUAGE = 'en-XA';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'àƀćđéƒğĥíĵķĺɱñóþɋŕšţúṽŵẋýžÀƁĆĐÉƑĞĤÍĴĶĹṀÑÓÞɊŔŠŢÚṼŴẊÝŽ';
const LONGER = 0.3;
/** The names of places and of markup stay as they are. */
const NAMES = /(\{\{\w+\}\}|<\/?\w+>)/;

/** Accents on every letter, and 30 % longer, as translations are. */
export const pseudoText = (text: string): string => {
  const pieces = text.split(NAMES);
  const letters = pieces.filter((piece) => !NAMES.test(piece)).join('').length;
  const shown = pieces.map((piece) =>
    NAMES.test(piece) ? piece : [...piece].map((letter) => accented[plain.indexOf(letter)] ?? letter).join(''),
  );
  return `${shown.join('')}${'·'.repeat(Math.ceil(letters * LONGER))}`;
};

export const pseudoCatalogue = (sentences: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(sentences).map(([key, text]) => [key, pseudoText(text)]));
