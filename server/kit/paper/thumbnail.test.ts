import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pixelsOf, pngAnew, pngOf } from './picture.ts';
import { THUMBNAIL, thumbnail } from './thumbnail.ts';

const picture = (width: number, height: number, channels: number, byte: (at: number) => number) =>
  pngOf({
    width,
    height,
    channels,
    data: Buffer.from(Array.from({ length: width * height * channels }, (_, at) => byte(at))),
  });

test('a small picture keeps the shape, is one itself, and is never larger than it may be', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 4 }),
      (width, height, channels) => {
        const small = thumbnail(picture(width, height, channels, (at) => at % 256)) ?? Buffer.alloc(0);
        expect(pngAnew(small)).toBeDefined();
        const pixels = pixelsOf(small);
        expect(Math.max(pixels?.width ?? 0, pixels?.height ?? 0)).toBe(Math.min(THUMBNAIL, Math.max(width, height)));
      },
    ),
    { numRuns: 40 },
  );
});

test('one colour stays that colour; what is not seen gives no colour', () => {
  const red = pixelsOf(thumbnail(picture(96, 96, 3, (at) => [200, 10, 30][at % 3] ?? 0)) ?? Buffer.alloc(0));
  expect([...(red?.data.subarray(0, 3) ?? [])]).toEqual([200, 10, 30]);
  // every second pixel is black and transparent
  const half = pixelsOf(
    thumbnail(picture(96, 96, 4, (at) => ((at >> 2) % 2 === 0 ? ([200, 10, 30, 255][at % 4] ?? 0) : 0))) ??
      Buffer.alloc(0),
  );
  expect([...(half?.data.subarray(0, 4) ?? [])]).toEqual([200, 10, 30, 128]);
  expect(thumbnail(Buffer.from('no picture'))).toBeUndefined();
});

test('every filter of a line is undone: what another program wrote is read as it is seen', () => {
  // 4 × 4 in grey, the lines filtered by each of the four kinds, as a canvas may write them
  const seen = [10, 20, 30, 40, 12, 22, 33, 44, 90, 80, 70, 60, 5, 250, 5, 250];
  const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (seen[y * 4 + x] ?? 0));
  const paeth = (a: number, b: number, c: number) => {
    const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
  };
  const foretold = [
    (x: number, y: number) => at(x - 1, y),
    (x: number, y: number) => at(x, y - 1),
    (x: number, y: number) => (at(x - 1, y) + at(x, y - 1)) >> 1,
    (x: number, y: number) => paeth(at(x - 1, y), at(x, y - 1), at(x - 1, y - 1)),
  ];
  const lines = Buffer.from(
    foretold.flatMap((of, y) => [y + 1, ...[0, 1, 2, 3].map((x) => (at(x, y) - of(x, y)) & 0xff)]),
  );
  const plain = pngOf({ width: 4, height: 4, channels: 1, data: Buffer.alloc(16) });
  expect([...(pixelsOf(withLines(plain, lines))?.data ?? [])]).toEqual(seen);
});

/** The same picture with other lines in it. */
function withLines(png: Buffer, lines: Buffer): Buffer {
  const data = deflateSync(lines);
  const body = Buffer.concat([Buffer.from('IDAT', 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  // signature and head are 33 bytes, the end is 12
  return Buffer.concat([png.subarray(0, 33), length, body, sum, png.subarray(-12)]);
}
