import bwip from 'bwip-js/node';
import type { Block, Paper, PaperColumn, Sheet, TableRow } from './paper.ts';

/** A node of the PDF library's document tree; its own types do not cover SVG and layouts. */
export type Node = string | { readonly [key: string]: unknown };

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

/** A run longer than this that has no place to break gets some, or it would push what stands beside it off the page. */
const LONGEST = 16;
const breakable = (text: string): string =>
  text.replace(new RegExp(`[^\\s-]{${LONGEST + 1},}`, 'g'), (run) => run.replace(/.{8}(?=.)/gu, '$&\u200b'));

const block = ({ heading, lines }: Block): Node => ({
  stack: [
    { text: heading, style: 'label' },
    ...lines.map((text, index) => ({ text: breakable(text), bold: index === 0 })),
  ],
});

const cells = (columns: readonly PaperColumn[], row: readonly string[], style?: string): Node[] =>
  columns.map((column, index) => ({
    text: column.width === '*' ? breakable(row[index] ?? '') : (row[index] ?? ''),
    alignment: column.right ? 'right' : 'left',
    // a figure is never broken: the descriptions make room for it
    ...(column.width === 'auto' && { noWrap: true }),
    ...(style && { style }),
  }));

/** Width of the page between its margins, and of a letter and a figure of the size 9. */
const PAGE = 527;
const LETTER = 5.3;
/** Amounts in crores take room: a smaller letter before anything is cut off. */
const fontSizeFor = (columns: readonly PaperColumn[], rows: readonly (readonly string[])[]): number => {
  const least = columns.map(({ label, width }, index) =>
    width === 'auto'
      ? Math.max(label.length, ...rows.map((row) => row[index]?.length ?? 0))
      : width === '*'
        ? LONGEST + 4
        : width / LETTER,
  );
  const needed = least.reduce((sum, letters) => sum + letters * LETTER + 8, 0);
  return needed <= PAGE ? 9 : Math.max(6, 9 * ((PAGE - 8 * columns.length) / (needed - 8 * columns.length)));
};

const table = (
  columns: readonly PaperColumn[],
  rows: readonly (readonly string[])[],
  totals?: readonly string[],
): Node => ({
  fontSize: fontSizeFor(columns, totals ? [...rows, totals] : rows),
  table: {
    headerRows: 1,
    dontBreakRows: true,
    widths: columns.map((c) => c.width),
    body: [
      cells(
        columns,
        columns.map((c) => c.label),
        'head',
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

const pageFooter =
  (left: string) =>
  (page: number, pages: number): Node => ({
    columns: [
      { text: left, style: 'label' },
      { text: `Page ${page} of ${pages}`, style: 'label', alignment: 'right' },
    ],
    margin: [34, 8, 34, 0],
  });

/** The paper of a document: rule 46 content in rule 46 order, the signed QR at the top right. */
export function layoutPaper(paper: Paper): Node {
  const { einvoice, code, upi } = paper;
  return {
    pageSize: 'A4',
    pageMargins: [34, 34, 34, 40],
    defaultStyle: { font: 'Noto', fontSize: 9, lineHeight: 1.15 },
    styles,
    info: { title: `${paper.title} ${paper.facts[0]?.value ?? ''}`, author: paper.seller.lines[0] ?? '' },
    ...(paper.watermark && { watermark: { text: paper.watermark, color: '#9b1c1c', opacity: 0.12, bold: true } }),
    footer: pageFooter(`${paper.seller.lines[0] ?? ''}`),
    content: [
      {
        columns: [
          {
            width: '*',
            stack: [
              { text: paper.title, style: 'title' },
              { text: paper.copy ?? '', style: 'label' },
              ...paper.notices.map((text) => ({ text, style: 'notice', margin: [0, 2, 0, 0] })),
              { ...(block(paper.seller) as object), margin: [0, 8, 0, 0] },
            ],
          },
          ...(einvoice ? [{ width: 124, stack: [qr(einvoice.qr, 120)] }] : []),
          ...(code ? [{ width: 124, stack: [qr(code.text, 100), { text: code.says, style: 'label' }] }] : []),
        ],
        columnGap: 12,
      },
      ...(einvoice
        ? [
            {
              text: `IRN ${einvoice.irn}\nAck ${einvoice.ackNo} of ${einvoice.ackDate}`,
              fontSize: 7.5,
              margin: [0, 4, 0, 0],
            },
          ]
        : []),
      {
        columns: [
          ...paper.parties.map((party) => ({ ...(block(party) as object), width: '*' })),
          {
            width: '*',
            table: {
              widths: ['auto', '*'],
              body: paper.facts.map((f) => [
                { text: f.label, style: 'label' },
                { text: breakable(f.value), bold: true },
              ]),
            },
            layout: 'noBorders',
          },
        ],
        columnGap: 12,
        margin: [0, 10, 0, 0],
      },
      ...(paper.table ? [table(paper.table.columns, paper.table.rows, paper.table.totals)] : []),
      {
        unbreakable: true,
        margin: [0, 8, 0, 0],
        columnGap: 16,
        columns: [
          {
            width: '*',
            stack: [
              ...(paper.words
                ? [
                    { text: 'Amount in words', style: 'label' },
                    { text: paper.words, bold: true, margin: [0, 0, 0, 6] },
                  ]
                : []),
              ...(paper.bank ? [block(paper.bank)] : []),
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
          },
          // a draft that is not priced has no sums, and no table may be without rows
          ...(paper.sums.length > 0
            ? [
                {
                  width: 210,
                  table: {
                    widths: ['*', 'auto'],
                    body: paper.sums.map((s) => [
                      { text: s.label, bold: !!s.strong },
                      { text: s.amount, alignment: 'right', bold: !!s.strong, fontSize: s.strong ? 11 : 9 },
                    ]),
                  },
                  layout: grid,
                },
              ]
            : []),
        ],
      },
      ...(paper.taxes ? [table(paper.taxes.columns, paper.taxes.rows, paper.taxes.totals)] : []),
      ...(paper.narration ? [{ text: paper.narration, margin: [0, 8, 0, 0] }] : []),
      ...(paper.terms
        ? [
            { text: 'Terms and conditions', style: 'label', margin: [0, 8, 0, 0] },
            { text: paper.terms, fontSize: 8 },
          ]
        : []),
      ...(paper.signatory
        ? [
            {
              text: `For ${paper.signatory}\n\n\nAuthorised signatory`,
              alignment: 'right',
              margin: [0, 18, 0, 0],
              unbreakable: true,
            },
          ]
        : []),
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
