import { createRequire } from 'node:module';
import path from 'node:path';
import { layoutLabels } from '../paper/labels.ts';
import { layoutPaper, layoutSheet } from '../paper/layout.ts';
import type { Labels, Paper, Sheet, TableRow, Workbook } from '../paper/paper.ts';
import { writeWorkbook } from '../paper/workbook.ts';

/** What is to be printed: a document's paper, labels, or the head of a report as PDF or spreadsheet, whose rows come after it. */
export type PrinterTask =
  | { readonly paper: Paper }
  | { readonly labels: Labels }
  | { readonly sheet: Sheet }
  | { readonly book: Workbook };
/** First the task, then its rows in as many messages as they need; one with neither says that it is complete. */
export interface PrinterMessage {
  readonly id: number;
  readonly task?: PrinterTask;
  readonly rows?: readonly TableRow[];
}
export type PrinterAnswer = { readonly id: number } & ({ readonly bytes: Uint8Array } | { readonly error: string });

interface PdfLibrary {
  setFonts(fonts: Record<string, Record<string, string>>): void;
  setUrlAccessPolicy(allow: (url: string) => boolean): void;
  setLocalAccessPolicy(allow: (path: string) => boolean): void;
  createPdf(definition: unknown): { getBuffer(): Promise<Uint8Array> };
}

const require = createRequire(import.meta.url);
const library = require('pdfmake') as PdfLibrary;
// one font file with Latin, Devanagari and the rupee sign; Arabic has its own, which has no italics
const [latin, arabic] = ['noto-sans', 'noto-sans-arabic'].map((name) =>
  path.dirname(require.resolve(`@expo-google-fonts/${name}/package.json`)),
) as [string, string];
const font = (name: string, folder = latin) =>
  path.join(folder, name.replace(/^NotoSans(?:Arabic)?_|\.ttf$/g, ''), name);
const [plain, bold] = ['400Regular', '700Bold'].map((weight) => font(`NotoSansArabic_${weight}.ttf`, arabic)) as [
  string,
  string,
];
library.setFonts({
  Noto: {
    normal: font('NotoSans_400Regular.ttf'),
    bold: font('NotoSans_700Bold.ttf'),
    italics: font('NotoSans_400Regular_Italic.ttf'),
    bolditalics: font('NotoSans_700Bold_Italic.ttf'),
  },
  Arabic: { normal: plain, bold, italics: plain, bolditalics: bold },
});
library.setUrlAccessPolicy(() => false); // nothing a user typed may make the printer fetch or read
library.setLocalAccessPolicy((file) => [latin, arabic].some((own) => path.resolve(file).startsWith(own + path.sep)));

const begun = new Map<number, { readonly task: PrinterTask; readonly rows: TableRow[] }>();

process.on('message', ({ id, task, rows }: PrinterMessage) => {
  if (task) begun.set(id, { task, rows: [] });
  else if (rows) for (const row of rows) begun.get(id)?.rows.push(row);
  else void answer(id);
});
process.on('disconnect', () => process.exit()); // the server has died
// an interrupt meets all processes of a terminal: the server still finishes what it was asked, and then ends this one
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

/** A server that has died meanwhile is told nothing: this process ends with it. */
const tell = (told: PrinterAnswer): unknown => process.send?.(told, undefined, undefined, () => undefined);

async function answer(id: number): Promise<void> {
  const asked = begun.get(id);
  begun.delete(id);
  if (!asked) return;
  try {
    const bytes = await printed(asked.task, asked.rows);
    tell({ id, bytes: new Uint8Array(bytes) });
  } catch (error) {
    tell({ id, error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) });
  }
}

function printed(task: PrinterTask, rows: readonly TableRow[]): Promise<Uint8Array> {
  if ('book' in task) return writeWorkbook(task.book, rows);
  if ('labels' in task) return library.createPdf(layoutLabels(task.labels)).getBuffer();
  return library.createPdf('paper' in task ? layoutPaper(task.paper) : layoutSheet(task.sheet, rows)).getBuffer();
}
