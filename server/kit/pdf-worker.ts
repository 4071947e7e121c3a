import { createRequire } from 'node:module';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { layoutPaper, layoutSheet } from '../paper/layout.ts';
import type { Paper, Sheet, Workbook } from '../paper/paper.ts';
import { writeWorkbook } from '../paper/workbook.ts';

export type PdfTask = { readonly id: number } & (
  | { readonly paper: Paper }
  | { readonly sheet: Sheet }
  | { readonly book: Workbook }
);
export type PdfAnswer = { readonly id: number } & ({ readonly bytes: Uint8Array } | { readonly error: string });

interface PdfLibrary {
  setFonts(fonts: Record<string, Record<string, string>>): void;
  setUrlAccessPolicy(allow: (url: string) => boolean): void;
  setLocalAccessPolicy(allow: (path: string) => boolean): void;
  createPdf(definition: unknown): { getBuffer(): Promise<Uint8Array> };
}

const require = createRequire(import.meta.url);
const library = require('pdfmake') as PdfLibrary;
// one font file with Latin, Devanagari and the rupee sign
const folder = path.dirname(require.resolve('@expo-google-fonts/noto-sans/package.json'));
const font = (name: string) => path.join(folder, name.replace(/^NotoSans_|\.ttf$/g, ''), name);
library.setFonts({
  Noto: {
    normal: font('NotoSans_400Regular.ttf'),
    bold: font('NotoSans_700Bold.ttf'),
    italics: font('NotoSans_400Regular_Italic.ttf'),
    bolditalics: font('NotoSans_700Bold_Italic.ttf'),
  },
});
library.setUrlAccessPolicy(() => false); // nothing a user typed may make the printer fetch or read
library.setLocalAccessPolicy((file) => file.startsWith(folder));

parentPort?.on('message', (task: PdfTask) => void render(task));

const printed = (task: Exclude<PdfTask, { readonly book: Workbook }>): Promise<Uint8Array> =>
  library.createPdf('paper' in task ? layoutPaper(task.paper) : layoutSheet(task.sheet)).getBuffer();

async function render(task: PdfTask): Promise<void> {
  try {
    const bytes = await ('book' in task ? writeWorkbook(task.book) : printed(task));
    parentPort?.postMessage({ id: task.id, bytes: new Uint8Array(bytes) } satisfies PdfAnswer);
  } catch (error) {
    parentPort?.postMessage({
      id: task.id,
      error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
    } satisfies PdfAnswer);
  }
}
