import { Worker } from 'node:worker_threads';
import type { PdfAnswer, PdfTask } from '../kit/pdf-worker.ts';
import type { Paper, Sheet, Workbook } from './paper.ts';

export type { Block, Fact, Paper, PaperColumn, Sheet, Workbook } from './paper.ts';

/** The worker ends after this long without work, so that a server at rest holds no fonts in memory. */
const IDLE = 20_000;

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let last = 0;
const waiting = new Map<
  number,
  { readonly done: (bytes: Uint8Array) => void; readonly failed: (error: Error) => void }
>();

/** The PDF of a document's paper. Layout takes the processor, so it runs in a worker thread. */
export const printPaper = (paper: Paper): Promise<Uint8Array> => print({ id: ++last, paper });
/** The PDF of a report. */
export const printSheet = (sheet: Sheet): Promise<Uint8Array> => print({ id: ++last, sheet });

/** The XLSX of a report, made there too: a long one takes seconds and a heap of its own. */
export const printWorkbook = (book: Workbook): Promise<Uint8Array> => print({ id: ++last, book });

const print = (task: PdfTask): Promise<Uint8Array> =>
  new Promise((done, failed) => {
    clearTimeout(idle);
    waiting.set(task.id, { done, failed });
    worker ??= start();
    worker.postMessage(task);
  });

function start(): Worker {
  const started = import.meta.url.endsWith('.ts')
    ? fromSource()
    : new Worker(new URL('./pdf-worker.mjs', import.meta.url));
  started.on('message', (answer: PdfAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('bytes' in answer) asked?.done(answer.bytes);
    else asked?.failed(new Error(answer.error));
    if (waiting.size === 0) idle = setTimeout(stopPrinter, IDLE).unref();
  });
  started.on('error', (error) => {
    for (const { failed } of waiting.values()) failed(error);
    waiting.clear();
    worker = undefined;
  });
  started.unref();
  return started;
}

/** In tests and development the worker is TypeScript: its loader must be registered inside the thread first. */
const fromSource = () =>
  new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(new URL('../kit/pdf-worker.ts', import.meta.url).href)}); });`,
    { eval: true },
  );

/** Ends the worker; the next paper starts it again. */
export function stopPrinter(): void {
  void worker?.terminate();
  worker = undefined;
}
