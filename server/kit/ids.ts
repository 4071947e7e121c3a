import { randomBytes } from 'node:crypto';

let last = 0;
let count = 0;

/** A UUID v7: its first 48 bits are the time, so that rows made together lie together; a counter keeps the order within a millisecond. */
export function newId(now = Date.now()): string {
  if (now <= last) count += 1;
  else {
    last = now;
    count = 0;
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(last + Math.floor(count / 4096), 0, 6);
  bytes.writeUInt16BE(0x7000 | (count % 4096), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
