import { inflateSync } from 'node:zlib';

/**
 * The text of a PDF as our printer writes it, without line breaks: pages draw glyphs by number, and each
 * font has a table of the letters they stand for. Enough to see that a number or a name is on the paper.
 */
export function textOfPdf(pdf: Buffer): string {
  const objects = objectsOf(pdf);
  const everything = [...objects.values()];
  const fonts = new Map<string, readonly string[]>();
  for (const { head } of everything)
    for (const [, name = '', font = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? '')?.[1];
      fonts.set(name, lettersOf(objects.get(table ?? '')?.stream ?? ''));
    }
  return everything
    .filter(({ stream }) => stream.includes('TJ'))
    .flatMap(({ stream }) => {
      // a font holds until the next one is named: letters with marks are drawn in several pieces
      let now = '';
      return [...stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\]\s*TJ/g)].flatMap(([, named, drawn]) => {
        now = named ?? now;
        return drawn === undefined ? [] : [{ font: now, drawn }];
      });
    })
    .map(({ font, drawn }) =>
      [...drawn.matchAll(/<([0-9a-f]+)>/g)]
        .flatMap(([, glyphs = '']) => glyphs.match(/.{4}/g) ?? [])
        .map((glyph) => fonts.get(font)?.[Number.parseInt(glyph, 16)] ?? '')
        .join(''),
    )
    .join('');
}

/** How far to the right the texts of a PDF reach, in points, by letters of half their height: beyond the page they are cut off. */
export function reachOfPdf(pdf: Buffer): number {
  const drawn = /1 0 0 1 ([\d.]+) [\d.]+ Tm\s+\/F\d+ ([\d.]+) Tf\s+\[([^\]]*)\]\s*TJ/g;
  const ends = [...objectsOf(pdf).values()].flatMap(({ stream }) =>
    [...stream.matchAll(drawn)].map(([, x, size, text = '']) => {
      const letters = [...text.matchAll(/<([0-9a-f]+)>/g)].reduce((sum, [, glyphs = '']) => sum + glyphs.length / 4, 0);
      return Number(x) + letters * Number(size) * 0.5;
    }),
  );
  return Math.max(...ends);
}

interface Part {
  readonly head: string;
  readonly stream: string;
}

/** Every numbered object with its dictionary and its unpacked stream. */
function objectsOf(pdf: Buffer): ReadonlyMap<string, Part> {
  const text = pdf.toString('latin1');
  const objects = new Map<string, Part>();
  for (const { index, 0: mark, 1: number = '' } of text.matchAll(/(?:^|\n)(\d+) 0 obj\s/g)) {
    const from = index + mark.length;
    const body = text.slice(from, text.indexOf('\nendobj', from));
    const start = /\bstream\r?\n/.exec(body);
    const head = start ? body.slice(0, start.index) : body;
    const bytes = start && pdf.subarray(from + start.index + start[0].length, from + body.lastIndexOf('endstream'));
    objects.set(number, { head, stream: bytes && /FlateDecode/.test(head) ? unpacked(bytes) : '' });
  }
  return objects;
}

function unpacked(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString('latin1');
  } catch {
    return ''; // a picture or a font may be packed otherwise
  }
}

/** A table's one range: the letters of glyph 0, 1, 2 … */
const lettersOf = (table: string): readonly string[] =>
  [...(/beginbfrange\s([\s\S]*?)endbfrange/.exec(table)?.[1] ?? '').matchAll(/\[([^\]]*)\]/g)]
    .flatMap(([, row = '']) => row.match(/<([0-9a-f ]+)>/g) ?? [])
    .map((hex) => Buffer.from(hex.replace(/[<> ]/g, ''), 'hex').swap16().toString('utf16le'));
