import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type FontFile, needsShaping, shapeByHarfBuzz } from './shaping.ts';

interface Drawn {
  readonly bbox: { readonly minX: number; readonly maxX: number };
}
const require = createRequire(import.meta.url);
const { openSync } = require('fontkit') as { openSync(file: string): FontFile };
const fileOf = (script: string) => {
  const folder = path.dirname(require.resolve(`@expo-google-fonts/noto-sans-${script.toLowerCase()}/package.json`));
  return path.join(folder, '400Regular', `NotoSans${script}_400Regular.ttf`);
};

beforeAll(() => shapeByHarfBuzz(fileOf('Bengali')));

const BELOW_RA = '\u09cd\u09b0';
/** Where the ink of each letter begins, and its middle; a ra below has its own. */
const inkOf = (word: string) => {
  const { glyphs, positions } = openSync(fileOf('Bengali')).layout(word);
  let x = 0;
  return glyphs.map((glyph, at) => {
    const { xAdvance = 0, xOffset = 0 } = positions[at] ?? {};
    const { minX, maxX } = (glyph as unknown as Drawn).bbox;
    const from = x + xOffset;
    x += xAdvance;
    const letters = String.fromCodePoint(...glyph.codePoints);
    return { letters, begins: from + minX, middle: from + (minX + maxX) / 2, isInk: maxX > minX };
  });
};

test.each([
  ['ট্রেডার্স', 'ড'],
  ['ট্রাক', 'ক'],
  ['ড্রাম', 'ম'],
  ['দ্রব', 'ব'],
  ['চন্দ্রক', 'ক'],
])('%s: what is below its letter is drawn left of the next one', (word, next) => {
  const ink = inkOf(word).filter(({ isInk }) => isInk);
  const after = ink.find(({ letters }) => letters === next);
  const before = ink.slice(0, ink.indexOf(after as (typeof ink)[number]));
  expect(before.length).toBeGreaterThan(0);
  for (const { middle } of before) expect(middle).toBeLessThan(after?.begins ?? 0);
  // all letters of the word are there once, to be searched and copied
  const said = inkOf(word).map(({ letters }) => letters);
  expect([...said.join('')].toSorted()).toEqual([...word].toSorted());
  expect(word).toContain(BELOW_RA);
});

test('only letters that change beside others are shaped so', () => {
  expect(['गणेश', 'গণেশ', 'ਗਣੇਸ਼', 'கணேஷ்', 'گنیش'].map(needsShaping)).toEqual(Array(5).fill(true));
  expect(['Ganesh ₹ 5', 'é'].map(needsShaping)).toEqual([false, false]);
});

test.each([
  ['Bengali', 'শ্রী গণেশ ট্রেডার্স'],
  ['Gujarati', 'શ્રી ગણેશ ટ્રેડર્સ'],
  ['Gurmukhi', 'ਸ਼੍ਰੀ ਗਣੇਸ਼ ਟ੍ਰੇਡਰਜ਼'],
  ['Kannada', 'ಶ್ರೀ ಗಣೇಶ್ ಟ್ರೇಡರ್ಸ್'],
  ['Malayalam', 'ശ്രീ ഗണേഷ് ട്രേഡേഴ്സ്'],
  ['Oriya', 'ଶ୍ରୀ ଗଣେଶ ଟ୍ରେଡର୍ସ'],
  ['Tamil', 'ஸ்ரீ கணேஷ் டிரேடர்ஸ்'],
  ['Telugu', 'శ్రీ గణేష్ ట్రేడర్స్'],
])(
  '%s: its font has every letter of a name, joined as the script joins them, and each is there once',
  async (script, name) => {
    await shapeByHarfBuzz(fileOf(script));
    const font = openSync(fileOf(script));
    for (const word of name.split(' ')) {
      // a glyph of a font keeps the letters that it stood for first: each word has its own
      const { glyphs } = openSync(fileOf(script)).layout(word);
      const ids = (all: typeof glyphs) => all.map(({ id }) => id);
      expect(ids(glyphs)).not.toContain(0);
      const said = glyphs.flatMap(({ codePoints }) => String.fromCodePoint(...codePoints));
      expect([...said.join('')].toSorted()).toEqual([...word].toSorted());
    }
    const whole = font.layout(name.replaceAll(' ', '')).glyphs.map(({ id }) => id);
    const apart = [...name.replaceAll(' ', '')].flatMap((letter) => font.layout(letter).glyphs.map(({ id }) => id));
    expect(whole).not.toEqual(apart);
  },
);
