import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import { say } from '../../../domain/base/say.ts';
import { BrokenFile } from './broken.ts';

/** Bytes that a file may have when it is unpacked. */
export const MOST_UNPACKED = 2 * 1024 * 1024 * 1024;
/** Files that an archive may have: a workbook has some dozens. */
const MOST_FILES = 5000;
/** Bytes of its list of files, which is read whole. */
const MOST_LISTED = 4 * 1024 * 1024;
const END = 22;
const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const LOCAL = 30;
const LONGEST_COMMENT = 65_535;

interface Entry {
  readonly method: number;
  readonly size: number;
  readonly at: number;
  readonly isLocked: boolean;
}

export interface Archive {
  has(name: string): boolean;
  /** The bytes of a file in it, unpacked as they are read. All of them together are at most so many. */
  read(name: string): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

const broken = () => new BrokenFile(say('This workbook is damaged: open it in a spreadsheet, save it and try again'));

/** Opens a zip archive on disk. What it says of its own sizes is not believed: bytes are counted as they are unpacked. */
export async function openArchive(path: string, most = MOST_UNPACKED): Promise<Archive> {
  const file = await fs.open(path, 'r');
  try {
    const entries = await directoryOf(file);
    const left = { bytes: most };
    return {
      has: (name) => entries.has(name),
      read: (name) => unpacked({ path, file }, entries.get(name), left, most),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function bytesAt(file: fs.FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead !== length) throw broken();
  return buffer;
}

async function directoryOf(file: fs.FileHandle): Promise<ReadonlyMap<string, Entry>> {
  const { size } = await file.stat();
  const tailLength = Math.min(size, END + LONGEST_COMMENT);
  const tail = await bytesAt(file, size - tailLength, tailLength);
  let end = tail.length - END;
  while (end >= 0 && tail.readUInt32LE(end) !== END_MARK) end -= 1;
  if (end < 0) throw broken();
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count > MOST_FILES || length > MOST_LISTED || start + length > size) throw broken();
  const directory = await bytesAt(file, start, length);
  const entries = new Map<string, Entry>();
  for (let at = 0, n = 0; n < count; n += 1) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_MARK) throw broken();
    const name = directory.readUInt16LE(at + 28);
    entries.set(directory.toString('utf8', at + 46, at + 46 + name), {
      isLocked: (directory.readUInt16LE(at + 8) & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      size: directory.readUInt32LE(at + 20),
      at: directory.readUInt32LE(at + 42),
    });
    at += 46 + name + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function* unpacked(
  { path, file }: { readonly path: string; readonly file: fs.FileHandle },
  entry: Entry | undefined,
  left: { bytes: number },
  most: number,
): AsyncGenerator<Buffer> {
  if (!entry) throw broken();
  if (entry.isLocked)
    throw new BrokenFile(say('This workbook is protected by a password: save it without one and try again'));
  if (entry.method !== 0 && entry.method !== 8) throw broken();
  if (entry.size === 0) return;
  const head = await bytesAt(file, entry.at, LOCAL);
  const start = entry.at + LOCAL + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = createReadStream(path, { start, end: start + entry.size - 1 });
  const plain = entry.method === 8 ? packed.pipe(createInflateRaw()) : packed;
  packed.on('error', (error) => plain.destroy(error));
  try {
    for await (const part of plain as AsyncIterable<Buffer>) {
      left.bytes -= part.length;
      if (left.bytes < 0)
        throw new BrokenFile(
          say('This workbook comes to more than {{most}} MB when it is unpacked', {
            most: Math.floor(most / 1024 / 1024),
          }),
        );
      yield part;
    }
  } catch (error) {
    throw error instanceof BrokenFile ? error : broken();
  } finally {
    packed.destroy();
    plain.destroy();
  }
}
