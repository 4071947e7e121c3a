import type { Column, Report } from '../../contract/reports.ts';
import { csvCell } from '../../domain/base/csv.ts';
import { printSheet, printWorkbook, type Sheet, type TableRow, type Workbook } from '../paper/index.ts';
import type { Answer, Row } from './report.ts';

/** Rows of a report, or entries of a journal, in one file. */
export const MOST_ROWS = 100_000;

export interface Exported {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** The head of an exported report. */
export interface Head {
  readonly organisation: string;
  readonly subtitle: string;
  readonly file: string;
}

type Writer = (report: Report, answer: Answer, head: Head) => Promise<Exported>;

const textOf = (row: Row, column: Column): string => String(row[column.key] ?? '');
const isNumber = (column: Column): boolean =>
  column.format === 'money' || column.format === 'quantity' || column.format === 'whole';

const csv: Writer = async (report, answer, head) => {
  const lines = [
    report.columns.map((c) => csvCell(c.label)),
    ...answer.rows.map((row) =>
      report.columns.map((c) => csvCell(textOf(row, c), isNumber(c) || c.format === 'percent')),
    ),
    ...totalsOf(report, answer).map((cells) => cells.map((cell) => csvCell(cell, true))),
  ];
  const text = `\uFEFF${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
  return { name: `${head.file}.csv`, type: 'text/csv', content: Buffer.from(text).toString('base64') };
};

const totalsOf = (report: Report, answer: Answer): string[][] =>
  Object.keys(answer.totals).length
    ? [report.columns.map((c, index) => answer.totals[c.key] ?? (index === 0 ? 'Total' : ''))]
    : [];

/** Made one by one as they are printed. */
function* tableOf(report: Report, answer: Answer): Generator<TableRow> {
  for (const row of answer.rows)
    yield {
      cells: report.columns.map((c) => textOf(row, c)),
      depth: Number(row.depth ?? 0),
      strong: row.heading === true || row.total === true,
    };
  for (const cells of totalsOf(report, answer)) yield { cells, strong: true };
}

const xlsx: Writer = async (report, answer, head) => {
  const book: Workbook = {
    title: report.title,
    organisation: head.organisation,
    subtitle: head.subtitle,
    columns: report.columns.map((c) => ({
      label: c.label,
      ...(isNumber(c) && { format: c.format === 'money' ? '#,##0.00' : '#,##0.######' }),
    })),
  };
  const bytes = await printWorkbook(book, tableOf(report, answer));
  return {
    name: `${head.file}.xlsx`,
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: Buffer.from(bytes).toString('base64'),
  };
};

const pdf: Writer = async (report, answer, head) => {
  const sheet: Sheet = {
    title: report.title,
    organisation: head.organisation,
    subtitle: head.subtitle,
    columns: report.columns.map((c) => ({
      label: c.label,
      width: isNumber(c) ? 'auto' : '*',
      ...(isNumber(c) && { right: true as const }),
    })),
  };
  const bytes = await printSheet(sheet, tableOf(report, answer));
  return { name: `${head.file}.pdf`, type: 'application/pdf', content: Buffer.from(bytes).toString('base64') };
};

/** One writer per format; `json` is written by the report that has a file of its own (a return). */
export const writers = { csv, xlsx, pdf } as const satisfies Record<string, Writer>;
