import type { Labels, Paper, Sheet, TableRow, Workbook } from './paper.ts';
import { begin } from './printer.ts';

export type { Block, Fact, Labels, Paper, PaperColumn, PaperStyle, Sheet, TableRow, Workbook } from './paper.ts';
export { stopPrinter } from './printer.ts';

/** The PDF of a document's paper. */
export const printPaper = (paper: Paper): Promise<Uint8Array> => begin({ paper }).finish();

/** The PDF of labels. */
export const printLabels = (labels: Labels): Promise<Uint8Array> => begin({ labels }).finish();

/** The PDF of a report. */
export const printSheet = (sheet: Sheet, rows: Iterable<TableRow>): Promise<Uint8Array> => long({ sheet }, rows);

/** The XLSX of a report. */
export const printWorkbook = (book: Workbook, rows: Iterable<TableRow>): Promise<Uint8Array> => long({ book }, rows);

/** Rows that go over in one message. */
const TOGETHER = 1000;

/** Rows are made as they are handed over: a report of a year is not held here a second time as text. */
async function long(
  task: { readonly sheet: Sheet } | { readonly book: Workbook },
  rows: Iterable<TableRow>,
): Promise<Uint8Array> {
  const job = begin(task);
  let some: TableRow[] = [];
  for (const row of rows) {
    if (some.push(row) < TOGETHER) continue;
    await job.add(some);
    some = [];
  }
  await job.add(some);
  return job.finish();
}
