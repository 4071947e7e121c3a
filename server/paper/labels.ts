import bwip from 'bwip-js/node';
import { type LabelFormat, labelPlaces } from '../../domain/items/labels.ts';
import type { Node } from './layout.ts';
import type { Labels } from './paper.ts';

/** Points of a millimetre. */
const MM = 72 / 25.4;
/** Millimetres that stay white at the edges of a label: cutters and printers are off by that much. */
const EDGE = 1.5;
const pt = (millimetres: number): number => millimetres * MM;

/** Labels on their sheets: what is on a label is as large as the label lets it be, its bars keep their quiet zone. */
export function layoutLabels({ format, labels, skip }: Labels): { readonly [key: string]: unknown } {
  const places = labelPlaces(format, labels.length, skip);
  // the same code is drawn once however many labels bear it
  const drawn = new Map<string, string>();
  const bars = (barcode: string, symbology: string): string => {
    const known = drawn.get(barcode);
    if (known !== undefined) return known;
    const made = bwip.toSVG({ bcid: symbology, text: barcode, height: 8, includetext: false, paddingwidth: 0 });
    drawn.set(barcode, made);
    return made;
  };
  let page = 0;
  const content: Node[] = labels.flatMap((label, n) => {
    const place = places[n];
    if (!place) return [];
    const turned = place.page !== page;
    page = place.page;
    // an empty line begins the next page: what is placed by itself does not
    return [...(turned ? [{ text: ' ', fontSize: 1, pageBreak: 'before' }] : []), ...one(format, label, place, bars)];
  });
  return {
    pageSize: { width: pt(format.page[0]), height: pt(format.page[1]) },
    pageMargins: [0, 0, 0, 0],
    defaultStyle: { font: 'Noto', fontSize: 7, lineHeight: 1 },
    content: content.length > 0 ? content : [{ text: ' ' }],
  };
}

function one(
  { size: [width, height] }: LabelFormat,
  { name, barcode, symbology, lines }: Labels['labels'][number],
  { x, y }: { readonly x: number; readonly y: number },
  bars: (barcode: string, symbology: string) => string,
): Node[] {
  const inner = width - 2 * EDGE;
  const letter = height < 24 ? 5.5 : height < 40 ? 6.5 : 9;
  const row = (letter * 1.25) / MM;
  const rows = (name ? 1 : 0) + 1 + lines.length;
  const at = (down: number) => ({ x: pt(x + EDGE), y: pt(y + EDGE + down) });
  const text = (words: string, down: number, more: object = {}): Node => ({
    absolutePosition: at(down),
    columns: [
      {
        width: pt(inner),
        text: fitted(words, inner, letter),
        fontSize: letter,
        alignment: 'center',
        noWrap: true,
        ...more,
      },
    ],
  });
  const high = Math.max(4, height - 2 * EDGE - rows * row - 0.5);
  const under = (name ? row : 0) + high + 0.3;
  // GS1 asks for ten modules of white beside the bars; a tenth of the width is at least as much
  const wide = inner * 0.84;
  return [
    ...(name ? [text(name, 0, { bold: true })] : []),
    {
      absolutePosition: { x: pt(x + EDGE + (inner - wide) / 2), y: pt(y + EDGE + (name ? row : 0)) },
      svg: stretched(bars(barcode, symbology)),
      width: pt(wide),
      height: pt(high),
    },
    text(barcode, under),
    ...lines.map((words, n) => text(words, under + (n + 1) * row, n === lines.length - 1 ? { bold: true } : {})),
  ];
}

/** Bars keep their proportions to each other, whatever the height they are given. */
const stretched = (svg: string): string => svg.replace('<svg ', '<svg preserveAspectRatio="none" ');

/** What does not fit on its line is cut, with a mark: half a letter's height is about its width. */
function fitted(words: string, millimetres: number, letter: number): string {
  const most = Math.floor((millimetres * MM) / (letter * 0.56));
  return words.length <= most ? words : `${words.slice(0, most - 1)}…`;
}
