import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { say } from '../../../domain/base/say.ts';
import { BrokenFile, type FileRow } from './broken.ts';
import type { Wanted } from './tally.ts';
import { type Pieces, readText } from './text.ts';
import { readWorkbook } from './xlsx.ts';

export { BrokenFile, type FileRow } from './broken.ts';
export type { Wanted } from './tally.ts';
export type { Pieces } from './text.ts';

const begins = (head: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);

/** Files by how they begin that are no sheets, with what to do instead. */
const others: readonly (readonly [bytes: readonly number[], why: ReturnType<typeof say>])[] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    say('This is an old XLS file, or a workbook with a password: save it as XLSX without a password'),
  ],
  [[0x25, 0x50, 0x44, 0x46], say('This is a PDF: a file of kind XLSX or CSV can be imported')],
  [[0x1f, 0x8b], say('This file is packed: unpack it and import what is in it')],
];

/**
 * The rows of a file, whatever sort of sheet it is; what it is follows from its bytes, not from its name. Of a file that holds
 * several sorts of records, as those of Tally do, the rows of what is wanted.
 */
export async function* readFile(pieces: Pieces, wanted: Wanted): AsyncGenerator<FileRow> {
  const head = await headOf(pieces);
  if (head.length === 0) throw new BrokenFile(say('The file is empty'));
  const other = others.find(([bytes]) => begins(head, bytes));
  if (other) throw new BrokenFile(other[1]);
  if (begins(head, [0x50, 0x4b])) yield* onDisk(pieces, readWorkbook);
  else yield* readText(pieces, head, wanted);
}

const HEAD = 64 * 1024;
async function headOf(pieces: Pieces): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of pieces()) {
    parts.push(part);
    length += part.length;
    if (length >= HEAD) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD);
}

/** An archive is read from its end: it lies on the disk meanwhile. */
async function* onDisk(pieces: Pieces, read: (file: string) => AsyncGenerator<FileRow>): AsyncGenerator<FileRow> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-import-'));
  try {
    const file = path.join(folder, 'sheet');
    await pipeline(pieces(), fs.createWriteStream(file, { mode: 0o600 }));
    yield* read(file);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
