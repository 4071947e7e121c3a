import { parse } from 'csv-parse';
import { MOST_CELLS } from '../../../contract/import-steps.ts';
import { say } from '../../../domain/base/say.ts';
import { BrokenFile, type FileRow } from './broken.ts';
import { readTally, type Wanted } from './tally.ts';

/** The pieces of a file from its first byte, as often as it is read. */
export type Pieces = () => AsyncIterable<Buffer>;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Bytes at the beginning that tell how a text is written. */
const LOOKED_AT = 64 * 1024;

const byMark = (head: Buffer): Encoding | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 'utf-8' : undefined;
};

/** UTF-16 without its mark has a zero in every other byte of what is in Latin letters. */
const byZeros = (head: Buffer): Encoding | undefined => {
  const looked = head.subarray(0, 4096);
  const zeros = [0, 0];
  looked.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return undefined;
  const half = looked.length / 2;
  if (odd > half * 0.6 && even < half * 0.05) return 'utf-16le';
  if (even > half * 0.6 && odd < half * 0.05) return 'utf-16be';
  throw new BrokenFile(say('This is no sheet: a file of kind XLSX or CSV can be imported'));
};

async function isUtf8(pieces: Pieces): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of pieces()) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** How the letters of a file are written. Old programs on Windows write Windows-1252, which has no mark. */
const encodingOf = async (head: Buffer, pieces: Pieces): Promise<Encoding> =>
  byMark(head) ?? byZeros(head) ?? ((await isUtf8(pieces)) ? 'utf-8' : 'windows-1252');

const DELIMITERS = ['\t', ';', '|', ','] as const;
/** What parts the cells: the sign that most lines at the beginning have equally often, outside of quotation marks. */
export function delimiterOf(text: string): string {
  const lines = text
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  const worth = (sign: string): number => {
    const counts = lines.map((line) => line.split(sign).length - 1).filter((count) => count > 0);
    const most = counts.filter((count) => count === counts.at(-1)).length;
    return counts.length === 0 ? 0 : counts.length + most + (counts.at(-1) ?? 0) / 1000;
  };
  return [...DELIMITERS].sort((a, b) => worth(b) - worth(a))[0] ?? ',';
}

async function* decoded(pieces: Pieces, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of pieces()) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** An export of Tally begins with its envelope, whatever stands before that. */
const isTally = (start: string): boolean => /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<envelope[\s>]/i.test(start);

/** Letters that one row may have. */
const LONGEST_ROW = 1_000_000;
const wrong: Readonly<Record<string, (line: string, row: number) => BrokenFile>> = {
  CSV_QUOTE_NOT_CLOSED: (_, row) =>
    new BrokenFile(say('The quotation mark that is opened in row {{row}} is not closed', { row })),
  CSV_INVALID_CLOSING_QUOTE: (line) =>
    new BrokenFile(say('Line {{line}} has a quotation mark in the middle of a quoted cell: double it', { line })),
  CSV_MAX_RECORD_SIZE: (line) =>
    new BrokenFile(say('The row at line {{line}} is too long: is a quotation mark not closed?', { line })),
};
const lineOf = ({ message = '' }: { readonly message?: string }): string => /at line (\d+)/.exec(message)?.[1] ?? '';

/** The rows of a file of text, in whatever letters and with whatever sign between cells it is written. */
export async function* readText(pieces: Pieces, head: Buffer, wanted: Wanted): AsyncGenerator<FileRow> {
  const encoding = await encodingOf(head, pieces);
  const start = new TextDecoder(encoding).decode(head.subarray(0, LOOKED_AT));
  if (isTally(start)) {
    yield* readTally(() => decoded(pieces, encoding), wanted);
    return;
  }
  if (/^\s*<(!doctype|html|table|\?xml|envelope)/i.test(start))
    throw new BrokenFile(say('This is a web page or XML under the name of a sheet: save it as XLSX or CSV'));
  const parser = parse({
    delimiter: delimiterOf(start),
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_ROW,
  });
  let row = 0;
  // what fails here is thrown by the parser as it is read
  const fed = feed(parser, decoded(pieces, encoding)).catch((error: unknown) => void parser.destroy(error as Error));
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      if (cells.length > MOST_CELLS)
        throw new BrokenFile(say('Row {{row}} has more than {{most}} cells', { row, most: MOST_CELLS }));
      yield { row, cells: cells.map((cell) => cell.replaceAll('\0', '')) };
    }
  } catch (error) {
    const { code = '', records = 0 } = error as { readonly code?: string; readonly records?: number };
    throw wrong[code]?.(lineOf(error as Error), records + 1) ?? error;
  } finally {
    parser.destroy();
    await fed;
  }
}

async function feed(parser: ReturnType<typeof parse>, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    if (parser.destroyed) return;
    if (!parser.write(text))
      await new Promise<void>((go) => {
        const on = () => {
          parser.off('drain', on).off('close', on);
          go();
        };
        parser.on('drain', on).on('close', on);
      });
  }
  if (!parser.destroyed) parser.end();
}
