/** A piece of a line as it is drawn from left to right; `arabic` pieces are shaped, and turned round, by their own font. */
export interface Piece {
  readonly text: string;
  readonly arabic: boolean;
}

type Sort = 'arabic' | 'latin' | 'number' | 'space' | 'mark';
interface Token {
  readonly text: string;
  readonly sort: Sort;
}

/** Whether a text holds a letter that is written from right to left. */
export const isArabic = (text: string): boolean => ARABIC.test(text);
const ARABIC = /\p{Script=Arabic}/u;
const sorts: readonly (readonly [RegExp, Sort])[] = [
  [/^[\p{Script=Arabic}\p{M}]*\p{Script=Arabic}[\p{Script=Arabic}\p{M}]*/u, 'arabic'],
  // an amount, a date, a rate: a sign between two figures belongs to them
  [/^\p{Nd}+(?:[.,:/-]\p{Nd}+)*/u, 'number'],
  [/^\p{L}[\p{L}\p{M}\p{Nd}]*/u, 'latin'],
  [/^\s+/u, 'space'],
];

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let rest = text; rest !== ''; ) {
    let token: Token | undefined;
    for (const [shape, sort] of sorts) {
      const found = shape.exec(rest)?.[0];
      if (found) token = { text: found, sort };
      if (token) break;
    }
    token ??= { text: String.fromCodePoint(rest.codePointAt(0) ?? 0), sort: 'mark' };
    tokens.push(token);
    rest = rest.slice(token.text.length);
  }
  return tokens;
}

/** 0 runs to the right in a line that does; 1 to the left; 2 to the right inside what runs to the left. */
type Level = 0 | 1 | 2;

/**
 * The levels of the Unicode bidirectional algorithm (UAX 9) for a line without marks of direction: letters and numbers have
 * their own, signs between two of a kind go with them, else with the line, whose first letter decides.
 */
function levelsOf(tokens: readonly Token[]): Level[] {
  const first = tokens.find(({ sort }) => sort === 'arabic' || sort === 'latin');
  const line: Level = first?.sort === 'arabic' ? 1 : 0;
  let letter: Sort = line === 1 ? 'arabic' : 'latin';
  const own = tokens.map(({ sort }): Level | undefined => {
    if (sort === 'arabic' || sort === 'latin') letter = sort;
    if (sort === 'arabic') return 1;
    if (sort === 'latin') return line === 1 ? 2 : 0;
    // a number after Arabic letters is part of what they say
    if (sort === 'number') return letter === 'arabic' || line === 1 ? 2 : 0;
    return undefined;
  });
  // beside what is undecided a number counts as what it stands in
  const side = (at: number, step: 1 | -1): 'arabic' | 'latin' => {
    for (let i = at + step; i >= 0 && i < tokens.length; i += step) {
      const sort = tokens[i]?.sort;
      if (sort === 'arabic' || sort === 'latin') return sort;
      if (sort === 'number') return own[i] === 2 ? 'arabic' : 'latin';
    }
    return line === 1 ? 'arabic' : 'latin';
  };
  return own.map((level, at) => {
    if (level !== undefined) return level;
    const [before, after] = [side(at, -1), side(at, 1)];
    if (before !== after) return line;
    return before === 'arabic' ? 1 : line === 1 ? 2 : 0;
  });
}

const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};

/**
 * A line in the order in which it is drawn. The library places word after word from left to right, and its shaper turns the
 * letters of each Arabic word round; so the words of what is read from the right change their places here.
 */
export function inDrawnOrder(text: string): Piece[] {
  const tokens = tokensOf(text.normalize('NFC'));
  const levels = levelsOf(tokens);
  const order = [...tokens.keys()];
  for (const level of [2, 1] as const)
    for (let from = 0; from < order.length; from++) {
      let end = from;
      while (end < order.length && (levels[order[end] ?? 0] ?? 0) >= level) end++;
      if (end > from) order.splice(from, end - from, ...order.slice(from, end).reverse());
      from = Math.max(from, end);
    }
  return order.map((at) => {
    const { text: said = '', sort } = tokens[at] ?? {};
    const turned = levels[at] === 1 && sort === 'mark' ? (mirrored[said] ?? said) : said;
    return { text: turned, arabic: sort === 'arabic' || isArabic(turned) || /[،؛؟\u0660-\u0669]/u.test(turned) };
  });
}

/**
 * A text in lines of at most so many letters, broken between words as it is read: a line that runs to the left cannot
 * be broken after it was put in order.
 */
export function brokenInto(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
