/** The blocks of nine Indian scripts, Devanagari to Malayalam, have their letters at the same places, 128 in each. */
const FIRST = 0x0900;
const LAST = 0x0d7f;
const BLOCK = 0x80;
const VIRAMA = 0x4d;

const row = (from: number, texts: string): readonly (readonly [number, string])[] =>
  texts.split(' ').map((text, at) => [from + at, text]);
/** The content of a block at a place. */
const letters = new Map([
  ...row(0x05, 'a aa i ii u uu ri li e e e ai o o o au'),
  ...row(0x15, 'k kh g gh ng ch chh j jh ny t th d dh n t th d dh n n p ph b bh m y r r l l l v sh sh s h'),
  ...row(0x3e, 'aa i ii u uu ri ri e e e ai o o o au'),
  ...row(0x58, 'k kh g z r rh f y'),
  ...row(0x66, '0 1 2 3 4 5 6 7 8 9'),
  ...[[0x01, 'n'] as const, [0x02, 'n'] as const, [0x03, 'h'] as const],
]);
const isConsonant = (place: number): boolean => (place >= 0x15 && place <= 0x39) || (place >= 0x58 && place <= 0x5f);
const isVowelSign = (place: number): boolean => place >= 0x3e && place <= 0x4c;

/** The place of a sign in the block of its script; undefined outside the Indian scripts. */
const placeOf = (sign: string): number | undefined => {
  const code = sign.codePointAt(0) ?? 0;
  return code >= FIRST && code <= LAST ? (code - FIRST) % BLOCK : undefined;
};

/**
 * A name in Latin letters, for codes that are proposed: Indian scripts letter by letter, other letters without their accents.
 * Signs of other scripts are left out. It is there to be read at a shelf and follows no standard.
 */
export const inLatin = (text: string): string => {
  const signs = [...text.normalize('NFC')].map((sign) => ({ sign, place: placeOf(sign) }));
  const latin = signs.map(({ sign, place }, at) => {
    if (place === undefined) return sign;
    const letter = letters.get(place) ?? '';
    const next = signs[at + 1]?.place;
    // a consonant has an a of its own, unless another vowel or none follows; at the end of a word it is mostly not spoken
    const hasOwn = isConsonant(place) && next !== undefined && next !== VIRAMA && next !== NUKTA && !isVowelSign(next);
    return hasOwn ? `${letter}a` : letter;
  });
  return latin
    .join('')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{ASCII}]/gu, ' ');
};
const NUKTA = 0x3c;
