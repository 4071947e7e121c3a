import { createRequire } from 'node:module';
import type { Font, Buffer as ShapingBuffer } from 'harfbuzzjs';

interface Glyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}
/** Glyphs in the order in which they are drawn, and where, in units of the font. */
export interface Shaped {
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly Readonly<Record<'xAdvance' | 'yAdvance' | 'xOffset' | 'yOffset', number>>[];
  readonly advanceWidth: number;
}
/** What the PDF library uses of a font that its font library has read. */
export interface FontFile {
  readonly stream: { readonly buffer: Uint8Array };
  getGlyph(id: number, codePoints: readonly number[]): Glyph;
  layout(text: string, ...more: unknown[]): Shaped;
}

/** Letters that change their form and their order beside others. */
const SCRIPTS = [
  ...['Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada'],
  ...['Malayalam', 'Oriya', 'Tamil', 'Telugu'],
];
const complex = new RegExp(`[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u');

/** Whether a text has letters that are shaped by HarfBuzz. */
export const needsShaping = (text: string): boolean => complex.test(text);

// the PDF library requires it: an import would be another copy of the same classes
const { openSync } = createRequire(import.meta.url)('fontkit') as { openSync(file: string): FontFile };
let isReady = false;

/**
 * Lets HarfBuzz shape the scripts of India and the Arabic one, in every font that the PDF library reads from now on. Its
 * own font library draws the ra below some Bengali letters under the next one, and throws where a letter has no place for
 * a class of marks. HarfBuzz is loaded with the first such text. `fontFile` is any font: its class is what is changed.
 */
export async function shapeByHarfBuzz(fontFile: string): Promise<void> {
  if (isReady) return;
  const { Blob, Buffer, ClusterLevel, Face, Font, shape } = await import('harfbuzzjs');
  if (isReady) return; // another paper has done it meanwhile
  const own = classOf(openSync(fontFile));
  const { layout } = own;
  const fonts = new WeakMap<FontFile, Font>();
  const fontOf = (file: FontFile): Font => {
    const known = fonts.get(file);
    if (known) return known;
    const font = new Font(new Face(new Blob(new Uint8Array(file.stream.buffer))));
    fonts.set(file, font);
    return font;
  };
  const buffer = new Buffer();
  own.layout = function (text, ...more) {
    if (!needsShaping(text)) return layout.call(this, text, ...more);
    buffer.reset();
    buffer.addText(text);
    buffer.setClusterLevel(ClusterLevel.CHARACTERS);
    buffer.guessSegmentProperties();
    shape(fontOf(this), buffer);
    return shaped(this, text, buffer);
  };
  isReady = true;
}

/** The class that has `layout`. Throws when the font library is no longer made like that. */
function classOf(font: FontFile): FontFile {
  for (let own = Object.getPrototypeOf(font); own !== null; own = Object.getPrototypeOf(own))
    if (Object.hasOwn(own, 'layout')) return own;
  throw new Error('the font library lays text out in another way now');
}

/** What HarfBuzz answered, as the PDF library wants it. Each glyph knows its letters, so that the paper can be searched and copied. */
function shaped(file: FontFile, text: string, buffer: ShapingBuffer): Shaped {
  const infos = buffer.getGlyphInfos();
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].toSorted((a, b) => a - b);
  const said = new Set<number>();
  const glyphs = infos.map(({ codepoint: id, cluster }) => {
    const letters = said.has(cluster) ? '' : text.slice(cluster, starts[starts.indexOf(cluster) + 1]);
    said.add(cluster);
    return file.getGlyph(
      id,
      Array.from(letters, (letter) => letter.codePointAt(0) ?? 0),
    );
  });
  const positions = buffer.getGlyphPositions().map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
    ...{ xAdvance, yAdvance, xOffset, yOffset },
  }));
  return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
}
