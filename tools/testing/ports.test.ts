import net from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './ports.ts';

test('a port is found that is listened on by nobody, below those that connections are given, and another one each time', async () => {
  const port = await freePort();
  expect(port).toBeLessThan(32_768);
  const taken = net.createServer();
  // somebody else may listen there: that is as good
  await new Promise((ready) => taken.once('error', ready).listen(port + 1, '127.0.0.1', () => ready(undefined)));
  try {
    expect([port, port + 1]).not.toContain(await freePort());
  } finally {
    await new Promise((closed) => taken.close(closed));
  }
});
