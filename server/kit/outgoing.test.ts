import http from 'node:http';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../tools/testing/ports.ts';
import { fetchLimited } from './outgoing.ts';

const MB = 1024 * 1024;
let url: string;
let sent = 0;
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://here');
  if (pathname === '/elsewhere') {
    response.writeHead(302, { location: '/small' }).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (pathname === '/small') response.end('{"ok":true}');
  if (pathname === '/slow') response.write('{');
  if (pathname !== '/huge') return;
  const piece = Buffer.alloc(MB, 32);
  const more = () => {
    while (sent < 200 && !response.destroyed) {
      sent += 1;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
});
beforeAll(async () => {
  const port = await freePort();
  await new Promise<void>((up) => server.listen(port, '127.0.0.1', up));
  url = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('an answer within the limits is read as ever', async () => {
  const answer = await fetchLimited(`${url}/small`);
  expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
    ...[200, 'application/json', { ok: true }],
  ]);
});

test('an answer of 200 MB is given up after the limit, and does not pile up in memory', async () => {
  const before = process.memoryUsage().rss;
  const answer = await fetchLimited(`${url}/huge`);
  await expect(answer.text()).rejects.toThrow('more than');
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * MB);
  expect(sent).toBeLessThan(100);
});

test('an answer that does not end is given up in time, and no redirect is followed', async () => {
  const begun = Date.now();
  const answer = await fetchLimited(`${url}/slow`, {}, { patience: 300 });
  await expect(answer.text()).rejects.toThrow();
  expect(Date.now() - begun).toBeLessThan(5_000);
  await expect(fetchLimited(`${url}/elsewhere`)).rejects.toThrow();
});

test('the limit of time holds when memory is collected while the answer comes', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fetchLimited(`${url}/slow`, {}, { patience: 400 })),
  );
  const texts = answers.map((answer) => answer.text());
  const ends = Promise.allSettled(texts);
  for (let n = 0; n < 5; n++) {
    collect();
    await new Promise((done) => setTimeout(done, 20));
  }
  expect((await ends).map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
});
