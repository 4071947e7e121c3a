import { createRequire } from 'node:module';
import path from 'node:path';
import { layoutLabels } from '../../paper/labels.ts';
import { layoutPaper, layoutSheet } from '../../paper/layout.ts';
import type { Labels, Paper, Sheet, TableRow, Workbook } from '../../paper/paper.ts';
import { type ScriptName, scripts, scriptsIn, withScripts } from '../../paper/scripts.ts';
import { writeWorkbook } from '../../paper/workbook.ts';
import { needsShaping, shapeByHarfBuzz } from './shaping.ts';

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
const folderOf = (name: string): string => path.dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
// one font file with Latin, Devanagari and the rupee sign; every other script has its own, which has no italics
const latin = folderOf('noto-sans');
const font = (name: string) => path.join(latin, name.replace(/^NotoSans_|\.ttf$/g, ''), name);
const folders = [latin];
/** A font is read from its file when a text names it, not before. */
const ofScript = (script: ScriptName | 'Arabic') => {
  const folder = folderOf(`noto-sans-${script.toLowerCase()}`);
  folders.push(folder);
  const [normal, bold] = ['400Regular', '700Bold'].map((weight) =>
    path.join(folder, weight, `NotoSans${script}_${weight}.ttf`),
  ) as [string, string];
  return { normal, bold, italics: normal, bolditalics: bold };
};
const scriptFonts = Object.fromEntries(Object.keys(scripts).map((name) => [name, ofScript(name as ScriptName)]));
library.setFonts({
  Noto: {
    normal: font('NotoSans_400Regular.ttf'),
    bold: font('NotoSans_700Bold.ttf'),
    italics: font('NotoSans_400Regular_Italic.ttf'),
    bolditalics: font('NotoSans_700Bold_Italic.ttf'),
  },
  Arabic: ofScript('Arabic'),
  ...scriptFonts,
});
library.setUrlAccessPolicy(() => false); // nothing a user typed may make the printer fetch or read
library.setLocalAccessPolicy((file) => folders.some((own) => path.resolve(file).startsWith(own + path.sep)));

const begun = new Map<number, { readonly task: PrinterTask; readonly rows: TableRow[] }>();

process.on('message', ({ id, task, rows }: PrinterMessage) => {
  if (task) begun.set(id, { task, rows: [] });
  else if (rows) for (const row of rows) begun.get(id)?.rows.push(row);
  else void answer(id);
});
process.on('disconnect', () => process.exit()); // the server has died
// an interrupt meets all processes of a terminal: the server still finishes what it was asked, and then ends this one
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

/** A server that has died meanwhile gets no answer: this process ends with it. */
const tell = (answer: PrinterAnswer): unknown => process.send?.(answer, undefined, undefined, () => undefined);

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

async function printed(task: PrinterTask, rows: readonly TableRow[]): Promise<Uint8Array> {
  if ('book' in task) return writeWorkbook(task.book, rows);
  const says = JSON.stringify([task, rows]);
  if (needsShaping(says)) await shapeByHarfBuzz(font('NotoSans_400Regular.ttf'));
  // most papers are in the letters of one font and stay as they are
  const layout = layoutOf(task, rows);
  return library.createPdf(scriptsIn(says).size > 0 ? withScripts(layout) : layout).getBuffer();
}

const layoutOf = (task: Exclude<PrinterTask, { readonly book: Workbook }>, rows: readonly TableRow[]): unknown => {
  if ('labels' in task) return layoutLabels(task.labels);
  return 'paper' in task ? layoutPaper(task.paper) : layoutSheet(task.sheet, rows);
};
