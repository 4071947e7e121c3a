import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { PrinterAnswer, PrinterMessage, PrinterTask } from '../kit/paper/printer.ts';
import type { TableRow } from './paper.ts';

/** The printer ends after this long without work, so that a server at rest holds no fonts in memory. */
const IDLE = 20_000;

/** One paper on its way through the printer: first its rows, if there are rows, then `finish`, which gives the file. */
export interface Job {
  /** Resolves when they are on their way, so that whoever makes many waits for the printer. */
  add(rows: readonly TableRow[]): Promise<void>;
  finish(): Promise<Uint8Array>;
}

interface Waiting {
  readonly done: (bytes: Uint8Array) => void;
  readonly failed: (error: Error) => void;
}

let printer: ChildProcess | undefined;
let idle: NodeJS.Timeout | undefined;
let last = 0;
const waiting = new Map<number, Waiting & { readonly by: ChildProcess }>();

/**
 * Begins to print. Layout takes the processor for seconds, and for a report of a year gigabytes. It runs in a process of
 * its own and not in a thread: what a thread has taken stays with the server after the thread has ended.
 */
export function begin(task: PrinterTask): Job {
  clearTimeout(idle);
  printer ??= start();
  const by = printer;
  const id = ++last;
  const printed = new Promise<Uint8Array>((done, failed) => waiting.set(id, { done, failed, by }));
  printed.catch(() => undefined); // a printer may end while rows are still handed over: finish() tells
  // a message that does not arrive has no answer of its own: then the printer has ended, and that is reported
  const send = (message: PrinterMessage): Promise<void> => new Promise((sent) => void by.send(message, () => sent()));
  void send({ id, task });
  return {
    add: (rows) => send({ id, rows }),
    finish: async () => {
      await send({ id });
      return printed;
    },
  };
}

function start(): ChildProcess {
  const started = isSource() ? fromSource() : fork(new URL('./printer.mjs', import.meta.url), options([]));
  started.on('message', ({ id, ...answer }: PrinterAnswer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if ('bytes' in answer) asked?.done(answer.bytes);
    else asked?.failed(new Error(answer.error));
    if (waiting.size === 0) idle = setTimeout(stopPrinter, IDLE).unref();
  });
  const ended = (why: string) => {
    if (printer === started) printer = undefined;
    for (const [id, { by, failed }] of waiting) {
      if (by !== started) continue;
      waiting.delete(id);
      failed(new Error(`The printer ended: ${why}`));
    }
  };
  started.on('error', ({ message }) => ended(message));
  started.on('exit', (code, signal) => ended(`${signal ?? code}`));
  started.unref();
  started.channel?.unref();
  return started;
}

/** It prints what users typed: it gets none of the server's secrets, and nothing of its standard output. */
const options = (execArgv: readonly string[]) => ({
  execArgv: [...execArgv, '--enable-source-maps'],
  env: { PATH: process.env.PATH },
  serialization: 'advanced' as const,
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[],
});

const isSource = (): boolean => import.meta.url.endsWith('.ts');

/** In tests and development the printer is TypeScript: its loader comes first. */
function fromSource(): ChildProcess {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return fork(new URL('../kit/paper/printer.ts', import.meta.url), options(['--import', loader]));
}

/** Ends the printer; the next paper starts it again. */
export function stopPrinter(): void {
  printer?.kill('SIGKILL'); // it keeps nothing
  printer = undefined;
}
