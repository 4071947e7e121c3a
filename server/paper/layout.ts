import bwip from 'bwip-js/node';
import { isArabic } from '../../domain/paper/directions.ts';
import type { Block, Paper, PaperColumn, PaperStyle, Sheet, TableRow } from './paper.ts';
import { type Also, both, breakable, LONGEST, type Node, said, second } from './texts.ts';

export type { Node } from './texts.ts';

const line = '#c9ced6';
const grid = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0,
  hLineColor: () => line,
  paddingLeft: () => 4,
  paddingRight: () => 4,
  paddingTop: () => 3,
  paddingBottom: () => 3,
};

const block = ({ heading, lines }: Block, also?: Also): Node => ({
  stack: [
    { text: both(heading, also), style: 'label' },
    ...lines.map((text, index) => ({ text: said(text), bold: index === 0 })),
  ],
});

const cells = (columns: readonly PaperColumn[], row: readonly string[], style?: string, also?: Also): Node[] =>
  columns.map((column, index) => ({
    ...inCell(row[index] ?? '', column.width === '*', also),
    alignment: column.right ? 'right' : 'left',
    // a figure is never broken: the descriptions make room for it
    ...(column.width === 'auto' && { noWrap: true }),
    ...(style && { style }),
  }));

/** Letters that a column of any width has room for. */
const NARROW = LONGEST + 2;
const inCell = (text: string, breaks: boolean, also: Also): object => {
  const words = second(text, also);
  if (words.length > 0) return { stack: [text, { text: words }] };
  return { text: breaks || isArabic(text) ? said(text, NARROW) : text };
};

/** Width of a page between its margins, and of a letter and a figure of the size 9. */
const widths: Readonly<Record<PaperStyle['size'], number>> = { A4: 527, A5: 376, roll: 207 };
const LETTER = 5.3;
/** Amounts in crores take room: a smaller letter before anything is cut off. */
const fontSizeFor = (
  columns: readonly PaperColumn[],
  rows: readonly (readonly string[])[],
  page: number,
  also: Also,
): number => {
  const least = columns.map(({ label, width }, index) =>
    width === 'auto'
      ? Math.max(label.length, also?.[label]?.length ?? 0, ...rows.map((row) => row[index]?.length ?? 0))
      : width === '*'
        ? LONGEST + 4
        : width / LETTER,
  );
  const needed = least.reduce((sum, letters) => sum + letters * LETTER + 8, 0);
  // of a smaller page the letter may be smaller too
  const smallest = page < widths.A4 ? 5 : 6;
  return needed <= page ? 9 : Math.max(smallest, 9 * ((page - 8 * columns.length) / (needed - 8 * columns.length)));
};

const table = (
  columns: readonly PaperColumn[],
  rows: readonly (readonly string[])[],
  totals?: readonly string[],
  page = widths.A4,
  also?: Also,
): Node => ({
  fontSize: fontSizeFor(columns, totals ? [...rows, totals] : rows, page, also),
  table: {
    headerRows: 1,
    dontBreakRows: true,
    widths: columns.map((c) => c.width),
    body: [
      cells(
        columns,
        columns.map((c) => c.label),
        'head',
        also,
      ),
      ...rows.map((row) => cells(columns, row)),
      ...(totals ? [cells(columns, totals, 'strong')] : []),
    ],
  },
  layout: grid,
  margin: [0, 8, 0, 0],
});

/** QR as SVG: the library's own codes do not decode at 200 dpi. At least 40 mm, level L, with a quiet zone. */
const qr = (text: string, side: number): Node => ({
  svg: bwip.toSVG({ bcid: 'qrcode', text, eclevel: 'L', padding: 4 } as Parameters<typeof bwip.toSVG>[0]),
  fit: [side, side],
});

const styles = {
  title: { fontSize: 14, bold: true },
  label: { fontSize: 7.5, color: '#586377' },
  head: { bold: true, color: '#414b5c', fillColor: '#f3f5f8' },
  strong: { bold: true },
  notice: { fontSize: 8.5, bold: true },
};

const usualStyle: PaperStyle = { size: 'A4', colour: '#1a2230', signatory: 'Authorised signatory', footer: '' };
const stylesOf = ({ colour }: PaperStyle) => ({
  ...styles,
  title: { ...styles.title, color: colour },
  head: { ...styles.head, color: colour },
});

const pageFooter =
  (left: string, margin = 34) =>
  (page: number, pages: number): Node => ({
    columns: [
      { text: left, style: 'label' },
      { text: `Page ${page} of ${pages}`, style: 'label', alignment: 'right' },
    ],
    margin: [margin, 8, margin, 0],
  });

/** The paper of a document: rule 46 content in rule 46 order, the signed QR at the top right. */
export function layoutPaper(paper: Paper): Node {
  const { style = usualStyle, also } = paper;
  if (style.size === 'roll') return layoutRoll(paper, style);
  const width = widths[style.size];
  const margin = style.size === 'A4' ? 34 : 22;
  const tableOf = ({ columns, rows, totals }: NonNullable<Paper['table']>) => table(columns, rows, totals, width, also);
  return {
    pageSize: style.size,
    pageMargins: [margin, margin, margin, 40],
    defaultStyle: { font: 'Noto', fontSize: style.size === 'A4' ? 9 : 8, lineHeight: 1.15 },
    styles: stylesOf(style),
    info: { title: `${paper.title} ${paper.facts[0]?.value ?? ''}`, author: paper.seller.lines[0] ?? '' },
    ...(paper.watermark && { watermark: { text: paper.watermark, color: '#9b1c1c', opacity: 0.12, bold: true } }),
    footer: pageFooter(style.footer || (paper.seller.lines[0] ?? ''), margin),
    content: [
      titleAndSeller(paper, style),
      ...registration(paper),
      partiesAndFacts(paper, style),
      ...(paper.table ? [tableOf(paper.table)] : []),
      { unbreakable: true, margin: [0, 8, 0, 0], columnGap: 16, columns: [payment(paper), ...sums(paper, style)] },
      ...(paper.taxes ? [tableOf(paper.taxes)] : []),
      ...closing(paper, style),
    ],
  };
}

/** The logo, on the side that the style says and at most as wide. */
const picture = ({ logo }: PaperStyle, side: 'left' | 'right', most: number): Node[] =>
  logo?.place === side ? [{ image: logo.picture, fit: [most, 48], margin: [0, 0, 0, 6], alignment: side }] : [];

/** Title, notices and seller at the left; logo and codes at the right. */
function titleAndSeller({ title, copy, notices, seller, einvoice, code, also }: Paper, style: PaperStyle): Node {
  const right = (stack: Node[]): Node => ({ width: 124, stack });
  return {
    columns: [
      {
        width: '*',
        stack: [
          ...picture(style, 'left', 160),
          { text: both(title, also), style: 'title' },
          { text: both(copy ?? '', also), style: 'label' },
          ...notices.map((text) => ({ text: both(text, also, '\n'), style: 'notice', margin: [0, 2, 0, 0] })),
          { ...(block(seller, also) as object), margin: [0, 8, 0, 0] },
        ],
      },
      ...(style.logo?.place === 'right' ? [right(picture(style, 'right', 124))] : []),
      ...(einvoice?.qr ? [right([qr(einvoice.qr, 120)])] : []),
      ...(code ? [right([qr(code.text, 100), { text: both(code.says, also, '\n'), style: 'label' }])] : []),
    ],
    columnGap: 12,
  };
}

/** IRN and acknowledgement of the e-invoice. */
const registration = ({ einvoice }: Paper): Node[] =>
  einvoice
    ? [
        {
          text: `IRN ${einvoice.irn}\nAck ${einvoice.ackNo} of ${einvoice.ackDate}`,
          fontSize: 7.5,
          margin: [0, 4, 0, 0],
        },
      ]
    : [];

function partiesAndFacts({ parties, facts, also }: Paper, { size }: PaperStyle): Node {
  // a narrow column has the second language under the first
  const beside = also !== undefined && size === 'A4' && parties.length < 2;
  return {
    columns: [
      ...parties.map((party) => ({ ...(block(party, also) as object), width: '*' })),
      {
        width: '*',
        table: {
          widths: beside ? ['auto', '*', 'auto'] : ['auto', '*'],
          body: facts.map((f) => [
            { text: beside ? f.label : both(f.label, also, '\n'), style: 'label' },
            { text: said(f.value), bold: true },
            ...(beside ? [{ text: second(f.label, also), style: 'label', alignment: 'right' }] : []),
          ]),
        },
        layout: 'noBorders',
      },
    ],
    columnGap: 12,
    margin: [0, 10, 0, 0],
  };
}

/** The amount in words, and how it is paid. */
const payment = ({ words, bank, upi, also }: Paper): Node => ({
  width: '*',
  stack: [
    ...(words
      ? [
          { text: both('Amount in words', also), style: 'label' },
          { text: words, bold: true, margin: [0, 0, 0, 6] },
        ]
      : []),
    ...(bank ? [block(bank, also)] : []),
    ...(upi
      ? [
          {
            columns: [
              { width: 92, stack: [qr(upi.link, 88)] },
              { text: `Pay by UPI\n${upi.id}`, margin: [0, 24, 0, 0] },
            ],
          },
        ]
      : []),
  ],
});

/** The sums at the right. A draft that is not priced has none, and no table may be without rows. */
const sums = ({ sums: rows, also }: Paper, { size }: PaperStyle): Node[] =>
  rows.length === 0
    ? []
    : [
        {
          width: (size === 'A4' ? 210 : 160) + (also ? 90 : 0),
          table: {
            widths: ['*', 'auto', ...(also ? ['auto'] : [])],
            body: rows.map((s) => [
              { text: s.label, bold: !!s.strong },
              { text: s.amount, alignment: 'right', bold: !!s.strong, fontSize: s.strong ? 11 : 9 },
              ...(also ? [{ text: second(s.label, also), alignment: 'right', bold: !!s.strong }] : []),
            ]),
          },
          layout: grid,
        },
      ];

/** Narration, terms and signature. */
const closing = ({ narration, terms, signatory, also }: Paper, style: PaperStyle): Node[] => [
  ...(narration ? [{ text: said(narration, 90), margin: [0, 8, 0, 0] }] : []),
  ...(terms
    ? [
        { text: both('Terms and conditions', also), style: 'label', margin: [0, 8, 0, 0] },
        { text: said(terms, 90), fontSize: 8 },
      ]
    : []),
  ...(signatory
    ? [
        {
          text: [`For ${signatory}\n\n\n`, ...[both(style.signatory, also)].flat()],
          alignment: 'right',
          margin: [0, 18, 0, 0],
          unbreakable: true,
        },
      ]
    : []),
];

/** The same on a roll of 80 mm, as long as it needs: each line of goods takes two. */
function layoutRoll(paper: Paper, style: PaperStyle): Node {
  const { einvoice, code, upi, table: goods } = paper;
  const rule: Node = {
    canvas: [{ type: 'line', x1: 0, y1: 3, x2: widths.roll, y2: 3, lineWidth: 0.5, lineColor: line }],
  };
  const { also } = paper;
  const pair = (left: string, right: string, strong = false): Node => ({
    columns: [
      { text: also ? both(left, also, '\n') : breakable(left), bold: strong },
      { text: right, alignment: 'right', width: 'auto', bold: strong },
    ],
    columnGap: 6,
  });
  const wide = goods?.columns.findIndex(({ width }) => width === '*') ?? -1;
  const lines = (goods?.rows ?? []).flatMap((row): Node[] => [
    { text: said(row[wide] ?? ''), bold: true, margin: [0, 3, 0, 0] },
    {
      text: row
        .flatMap((cell, at) => (at === wide || cell === '' ? [] : [`${goods?.columns[at]?.label ?? ''} ${cell}`]))
        .join('  '),
    },
  ]);
  const small = (texts: readonly (string | undefined)[], alignment = 'left'): Node[] =>
    texts.filter((text) => text).map((text) => ({ text: said(text ?? '', 40), alignment }));
  return {
    pageSize: { width: 227, height: 'auto' },
    pageMargins: [10, 10, 10, 14],
    defaultStyle: { font: 'Noto', fontSize: 8, lineHeight: 1.1 },
    styles: stylesOf(style),
    info: { title: `${paper.title} ${paper.facts[0]?.value ?? ''}`, author: paper.seller.lines[0] ?? '' },
    content: [
      ...(style.logo ? [{ image: style.logo.picture, fit: [140, 40], alignment: 'center', margin: [0, 0, 0, 4] }] : []),
      { text: said(paper.seller.lines[0] ?? ''), bold: true, alignment: 'center' },
      ...small(paper.seller.lines.slice(1), 'center'),
      {
        text: [paper.watermark ? `${paper.watermark}: ` : '', ...[both(paper.title, also)].flat()],
        style: 'title',
        alignment: 'center',
        margin: [0, 4, 0, 0],
      },
      ...(paper.copy ? [{ text: both(paper.copy, also), alignment: 'center' }] : []),
      ...paper.notices.map((text) => ({ text: both(text, also, '\n'), alignment: 'center' })),
      rule,
      ...paper.facts.map(({ label, value }) => pair(label, value)),
      ...paper.parties.flatMap((party) => [{ ...(block(party, also) as object), margin: [0, 3, 0, 0] }]),
      rule,
      ...lines,
      rule,
      ...paper.sums.map(({ label, amount, strong }) => pair(label, amount, strong === true)),
      ...(paper.taxes ? [table(paper.taxes.columns, paper.taxes.rows, paper.taxes.totals, widths.roll)] : []),
      ...small([paper.words]),
      ...(einvoice
        ? [
            ...(einvoice.qr ? [qr(einvoice.qr, 160)] : []),
            { text: breakable(`IRN ${einvoice.irn} Ack ${einvoice.ackNo} of ${einvoice.ackDate}`) },
          ]
        : []),
      ...(code ? [qr(code.text, 120), { text: both(code.says, also) }] : []),
      ...(upi ? [qr(upi.link, 110), { text: `Pay by UPI ${upi.id}` }] : []),
      ...(paper.bank ? [block(paper.bank, also)] : []),
      ...small([paper.narration, paper.terms]),
      ...(paper.signatory
        ? [
            {
              text: [`For ${paper.signatory}\n\n`, ...[both(style.signatory, also)].flat()],
              alignment: 'right',
              margin: [0, 10, 0, 0],
            },
          ]
        : []),
      ...small([style.footer], 'center'),
    ],
  };
}

/** The paper of a report: landscape when it has many columns, table heads repeat on every page. */
export function layoutSheet(sheet: Sheet, rows: readonly TableRow[]): Node {
  const body = [
    cells(
      sheet.columns,
      sheet.columns.map((c) => c.label),
      'head',
    ),
    ...rows.map((row) =>
      cells(sheet.columns, row.cells).map((cell, index) => ({
        ...(cell as object),
        bold: !!row.strong,
        ...(index === 0 && row.depth ? { margin: [row.depth * 10, 0, 0, 0] } : {}),
      })),
    ),
  ];
  return {
    pageSize: 'A4',
    pageOrientation: sheet.columns.length > 6 ? 'landscape' : 'portrait',
    pageMargins: [28, 34, 28, 40],
    defaultStyle: { font: 'Noto', fontSize: 8.5 },
    styles,
    info: { title: sheet.title },
    footer: pageFooter(sheet.organisation),
    content: [
      { text: sheet.organisation, bold: true, fontSize: 11 },
      { text: sheet.title, style: 'title' },
      { text: sheet.subtitle, style: 'label' },
      {
        table: { headerRows: 1, dontBreakRows: true, widths: sheet.columns.map((c) => c.width), body },
        layout: grid,
        margin: [0, 8, 0, 0],
      },
    ],
  };
}
