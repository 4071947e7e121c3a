import { randomInt } from 'node:crypto';
import net from 'node:net';

const EACH = 4000;
/**
 * Each worker looks in a range of its own, and all of them lie below the ports that systems hand out by themselves: what was
 * found free is not given to a connection, or to another worker, before a server listens there, nor while it is started anew.
 */
const first = 12_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 5) * EACH;
let last = randomInt(EACH);

/** A port of this machine that nobody listens on, another one each time. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < EACH; tries += 1) {
    last = (last + 1) % EACH;
    if (await isFree(first + last)) return first + last;
  }
  throw new Error(`no port from ${first} on is free`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((found, failed) => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? found(false) : failed(error)));
    probe.listen(port, '127.0.0.1', () => probe.close(() => found(true)));
  });
