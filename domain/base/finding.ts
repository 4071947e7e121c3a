/** What somebody means by the text of a search. The browser marks by the same rules what the server has found by them. */

/** The words of a text, in small letters and without signs: as `search_words` of the database. */
export const searchWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s!-/:-@[-`{-~]+/)
    .filter((word) => word !== '');

/** Letters and digits alone, as numbers, GSTINs and codes are compared. */
export const bareText = (text: string): string => searchWords(text).join('');

/** The last ten digits of a telephone number, with the code of the country or without; undefined when there are too few. */
export const phoneDigits = (text: string): string | undefined => {
  const digits = text.replace(/\D/g, '');
  return digits.length < 8 ? undefined : digits.slice(-10);
};

/**
 * How many typing errors make one word of the other: letters too many, too few or wrong, two neighbours exchanged. Counts up to
 * `most`; more are answered as `most + 1`.
 */
export function errorsBetween(one: string, other: string, most: number): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = b.map((_, n) => n).concat(b.length);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(before, j - 2) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return Math.min(at(last, b.length), most + 1);
}
const at = (row: readonly number[], n: number): number => row[n] ?? Number.POSITIVE_INFINITY;

/** Errors that are forgiven in a word: none in numbers and the shortest words, two in long ones. */
const forgiven = (word: string): number => {
  const letters = Array.from(word).length;
  return letters < 3 || /\d/.test(word) ? 0 : letters < 8 ? 1 : 2;
};

/** Errors with which a typed word means one of these: 0 when it begins one of them; undefined when it means none. */
const errorsIn = (typed: string, words: readonly string[]): number | undefined => {
  if (words.some((word) => word.startsWith(typed))) return 0;
  const most = forgiven(typed);
  const least = most === 0 ? 1 : Math.min(...words.map((word) => errorsBetween(typed, word, most)));
  return least <= most ? least : undefined;
};

/** How well a record is meant, the best first. Each typing error in its words makes it worse by one. */
const EXACT = 0;
const BEGINS = 1;
const WORDS = 2;
const INSIDE = 20;

/**
 * How well a text means a record with these names and codes: the smaller, the better; undefined when it does not. Words of a
 * single letter ("M/s") decide nothing beside others.
 */
export function fitOf(typed: string, names: readonly string[]): number | undefined {
  const text = searchWords(typed).join(' ');
  const all = names.map((name) => searchWords(name).join(' '));
  const bare = bareText(typed);
  if (bare === '') return undefined;
  if (names.some((name) => bareText(name) === bare)) return EXACT;
  if (all.some((name) => name.startsWith(text))) return BEGINS;
  const words = all.flatMap((name) => name.split(' '));
  const longer = text.split(' ').filter((word) => word.length > 1);
  const errors = (longer.length > 0 ? longer : [text]).map((word) => errorsIn(word, words));
  if (!errors.includes(undefined)) {
    return errors.reduce<number>((sum, each) => sum + (each ?? 0), WORDS);
  }
  return all.some((name) => name.includes(text)) ? INSIDE : undefined;
}

/** Whether this is the very record that was named, and not one of several that may be meant. */
export const isNamed = (fit: number): boolean => fit === EXACT;

export interface Amount {
  /** In paise. What was typed without decimals means the whole rupee, with one decimal ten paise. */
  readonly least: number;
  readonly most: number;
  /** It can be nothing but an amount: it has a sign of currency, commas or decimals. */
  readonly isSure: boolean;
}

/** The amount that a text means: "12,345.50", "12345.5", "₹12,345". Zero is none. */
export function amountMeant(text: string): Amount | undefined {
  const [, sign, rupees = '', point, paise = ''] =
    /^\s*(₹|rs\.?|inr)?\s*(\d[\d,]*)(\.(\d{0,2}))?\s*$/i.exec(text) ?? [];
  const digits = rupees.replaceAll(',', '');
  if (digits === '' || digits.length > 11) return undefined;
  const least = Number(digits) * 100 + Number(paise.padEnd(2, '0'));
  if (least === 0) return undefined;
  const most = least + (paise.length === 0 ? 99 : paise.length === 1 ? 9 : 0);
  return { least, most, isSure: sign !== undefined || rupees.includes(',') || point !== undefined };
}

export interface Part {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A name or number in parts, those marked that were typed: the text itself, or what each typed word means of it. */
export function markedParts(text: string, typed: string): readonly Part[] {
  const [small, wanted] = [text.toLowerCase(), typed.trim().toLowerCase()];
  if (wanted === '' || small.length !== text.length) return [{ text, isMarked: false }];
  // of a number its end is meant, as people say it
  const from = /^\d+$/.test(wanted) ? small.lastIndexOf(wanted) : small.indexOf(wanted);
  if (from >= 0) return partsOf(text, [{ from, to: from + wanted.length }]);
  const words = searchWords(typed);
  const ranges = [...small.matchAll(/[^\s!-/:-@[-`{-~]+/g)].flatMap(({ 0: word, index }) => {
    const marked = markedLetters(word, words);
    return marked === 0 ? [] : [{ from: index, to: index + marked }];
  });
  return partsOf(text, ranges);
}

/** How many letters of a word are marked: those that were typed of it, or all where it was typed with an error. */
const markedLetters = (word: string, typed: readonly string[]): number => {
  const begun = typed.filter((each) => word.startsWith(each)).map(({ length }) => length);
  if (begun.length > 0) return Math.max(...begun);
  const isNear = typed.some((each) => errorsIn(each, [word]) !== undefined);
  return isNear ? word.length : 0;
};

const partsOf = (text: string, ranges: readonly { readonly from: number; readonly to: number }[]): readonly Part[] => {
  const parts: Part[] = [];
  let end = 0;
  for (const { from, to } of ranges) {
    parts.push({ text: text.slice(end, from), isMarked: false }, { text: text.slice(from, to), isMarked: true });
    end = to;
  }
  parts.push({ text: text.slice(end), isMarked: false });
  return parts.filter((part) => part.text !== '');
};
