import { randomUUID } from 'node:crypto';

let last = 0;
let count = 0;

/** A UUID v7: its first 48 bits are the time, so that rows made together lie together; a counter keeps the order within a millisecond. */
export function newId(now = Date.now()): string {
  if (now <= last) count += 1;
  else {
    last = now;
    count = 0;
  }
  const time = (last + Math.floor(count / 4096)).toString(16).padStart(12, '0');
  const order = (count % 4096).toString(16).padStart(3, '0');
  // variant and what is left to chance are as in any UUID; Node draws those many at a time
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomUUID().slice(19)}`;
}
