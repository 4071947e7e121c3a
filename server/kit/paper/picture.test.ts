import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pngAnew } from './picture.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const head = (width: number, height: number, rest = [8, 6, 0, 0, 0]): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set(rest, 8);
  return chunk('IHDR', data);
};
const end = chunk('IEND', Buffer.alloc(0));
const lines = Buffer.concat(Array.from({ length: 2 }, () => Buffer.from([0, ...Array(8).fill(200)])));
const png = (...between: Buffer[]): Buffer =>
  Buffer.concat([signature, head(2, 2), ...between, chunk('IDAT', deflateSync(lines)), end]);

test('a picture is written anew: the pixels stay, texts and places do not', () => {
  const gps = chunk('eXIf', Buffer.from('GPS 12.9716 77.5946'));
  const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
  const anew = pngAnew(png(gps, text));
  expect(anew?.includes('GPS')).toBe(false);
  expect(anew?.includes('script')).toBe(false);
  expect(pngAnew(anew ?? Buffer.alloc(0))).toEqual(anew);
  expect(pngAnew(png())).toEqual(anew);
});

const flood = deflateSync(Buffer.alloc(50_000_000));
const bad: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['a drawing with script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46])],
  ['two files in one', Buffer.concat([png(), Buffer.from('PK\u0003\u0004 and a page <html>')])],
  ['a broken check sum', png().map((byte, at) => (at === 45 ? byte ^ 1 : byte)) as Buffer],
  ['half a file', png().subarray(0, 40)],
  ['a flood of pixels', Buffer.concat([signature, head(60_000, 60_000), chunk('IDAT', flood), end])],
  ['more pixels than it says', Buffer.concat([signature, head(2, 2), chunk('IDAT', flood), end])],
  ['fewer pixels than it says', Buffer.concat([signature, head(900, 900), chunk('IDAT', deflateSync(lines)), end])],
  ['nothing wide', Buffer.concat([signature, head(0, 2), chunk('IDAT', deflateSync(lines)), end])],
  ['interlaced', Buffer.concat([signature, head(2, 2, [8, 6, 0, 0, 1]), chunk('IDAT', deflateSync(lines)), end])],
  [
    'a filter that does not exist',
    Buffer.concat([signature, head(2, 2), chunk('IDAT', deflateSync(Buffer.alloc(18, 9))), end]),
  ],
];
test.each(bad)('%s is refused', (_what, bytes) => {
  expect(pngAnew(bytes)).toBeUndefined();
});
