import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a pixel by colour type (PNG specification, section 11.2.1): grey, colour, each with alpha. Palettes are not taken. */
const bytesOfPixel: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
const MOST_PIXELS = 1024;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The chunks of a PNG, each with its check sum right, up to the very last byte; undefined: it is no such file. */
function chunksOf(bytes: Buffer): Chunk[] | undefined {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length; ) {
    if (bytes.length - at < 12) return undefined;
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined;
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) });
    at = end + 4;
    // bytes after the end could be another file
    if (chunks.at(-1)?.type === 'IEND') return at === bytes.length ? chunks : undefined;
  }
  return undefined;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/**
 * A PNG written anew from its pixels: nothing else of the file remains, neither texts nor profiles nor places. Takes eight
 * bits a channel, not interlaced, at most 1024 × 1024: what a canvas makes. Undefined: this is no such picture.
 */
export function pngAnew(bytes: Buffer): Buffer | undefined {
  const read = readPlain(bytes);
  return read && written(read.head, read.lines);
}

const written = (head: Buffer, lines: Buffer): Buffer =>
  Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);

interface Plain {
  readonly head: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Each line with its filter before it. */
  readonly lines: Buffer;
}

function readPlain(bytes: Buffer): Plain | undefined {
  const chunks = chunksOf(bytes);
  const [head] = chunks ?? [];
  if (!chunks || head?.type !== 'IHDR' || head.data.length !== 13) return undefined;
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const [depth, colour = 0, compression, filter, interlace] = head.data.subarray(8);
  const pixel = bytesOfPixel[colour];
  const isPlain = depth === 8 && compression === 0 && filter === 0 && interlace === 0;
  if (!isPlain || pixel === undefined || !width || !height || width > MOST_PIXELS || height > MOST_PIXELS)
    return undefined;
  const line = 1 + width * pixel;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const lines = unpacked(packed, line * height);
  if (!lines) return undefined;
  for (let at = 0; at < lines.length; at += line) if ((lines[at] ?? 9) > 4) return undefined;
  return { head: head.data, width, height, channels: pixel, lines };
}

/** A picture as it is seen: eight bits a channel, line by line. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 1 grey, 2 grey with alpha, 3 colour, 4 colour with alpha. */
  readonly channels: number;
  readonly data: Buffer;
}

const colourOf: Readonly<Record<number, number>> = { 1: 0, 2: 4, 3: 2, 4: 6 };

/** The pixels of a PNG that `pngAnew` takes. */
export function pixelsOf(bytes: Buffer): Pixels | undefined {
  const read = readPlain(bytes);
  if (!read) return undefined;
  const { width, height, channels, lines } = read;
  const line = width * channels;
  const data = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (line + 1)] ?? 0;
    for (let x = 0; x < line; x += 1) {
      const raw = lines[y * (line + 1) + 1 + x] ?? 0;
      const left = x < channels ? 0 : (data[y * line + x - channels] ?? 0);
      const above = y === 0 ? 0 : (data[(y - 1) * line + x] ?? 0);
      const corner = y === 0 || x < channels ? 0 : (data[(y - 1) * line + x - channels] ?? 0);
      data[y * line + x] = (raw + guessed(filter, left, above, corner)) & 0xff;
    }
  }
  return { width, height, channels, data };
}

/** What a line's filter foretells of a byte (PNG specification, section 9). */
function guessed(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toAbove, toCorner] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** A PNG of pixels. */
export function pngOf({ width, height, channels, data }: Pixels): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  head[9] = colourOf[channels] ?? 6;
  const line = width * channels;
  const lines = Buffer.alloc((line + 1) * height);
  for (let y = 0; y < height; y += 1) data.copy(lines, y * (line + 1) + 1, y * line, (y + 1) * line);
  return written(head, lines);
}

/** Exactly so many bytes: more is never unpacked. */
function unpacked(packed: Buffer, length: number): Buffer | undefined {
  try {
    const all = inflateSync(packed, { maxOutputLength: length });
    return all.length === length ? all : undefined;
  } catch {
    return undefined;
  }
}
