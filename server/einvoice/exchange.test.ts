import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_ANSWERED } from '../kit/outgoing.ts';
import { exchange, Unclear } from './exchange.ts';

let portal: Server;
let elsewhere: Server;
const heard: string[] = [];
const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
let url = '';
beforeAll(async () => {
  elsewhere = createServer((request, answer) => {
    heard.push(String(request.headers['client-secret']));
    answer.end('{"ok":true}');
  });
  const other = await listening(elsewhere);
  portal = createServer((request, answer) => {
    if (request.url === '/long') {
      answer.end(`{"text":"${'x'.repeat(MOST_ANSWERED)}"}`);
      return;
    }
    const status = Number(request.url?.slice(1));
    answer.writeHead(status, status === 200 ? {} : { location: `${other}/` }).end('{"ok":true}');
  });
  url = await listening(portal);
});
afterAll(() => {
  portal.close();
  elsewhere.close();
});

test('a call is answered by the host that was configured', async () => {
  expect(await exchange({ url }, '/200', {})).toEqual({ ok: true });
});

test('an answer that is longer than any answer is given up: whether the portal has acted is not known', async () => {
  const answer = exchange({ url }, '/long', {});
  await expect(answer).rejects.toThrow(Unclear);
  await expect(answer).rejects.toThrow('more than any answer has');
});

test.each([301, 302, 303, 307, 308])(
  'S-42: an answer of %i leads nowhere else, with no secret of ours',
  async (status) => {
    const sent = { headers: { 'client-secret': 'canary' }, url };
    await expect(exchange(sent, `/${status}`, {}, { one: 1 })).rejects.toThrow(Unclear);
    await expect(exchange(sent, `/${status}`, {})).rejects.toThrow(Unclear);
    expect(heard).toEqual([]);
  },
);
