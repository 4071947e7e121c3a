import http from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/testing/ports.ts';
import { systemClock } from '../../kit/clock.ts';
import { type Catcher, catchMail, postOffice } from '../../mail/index.ts';
import { mountCaughtMail, relayCaughtMail, serveCaughtMail } from './caught-mail.ts';

let app: FastifyInstance;
let catcher: Catcher;
let url = '';
/** The page before any mail. */
let empty = '';

beforeAll(async () => {
  catcher = await catchMail(systemClock);
  app = Fastify();
  url = `http://127.0.0.1:${await freePort()}`;
  mountCaughtMail(app, catcher, url);
  await app.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
  empty = await (await fetch(`${url}/dev/mail`)).text();
});
afterAll(async () => {
  await app?.close();
  await catcher?.stop();
});

const drop = (subject: string, name = 'INV-1.pdf') =>
  postOffice(catcher.url, url).send({
    id: '0199-1',
    senderName: 'Sharma & Sons <b>',
    replyTo: undefined,
    to: ['asha@example.com'],
    cc: [],
    subject,
    message: '<script>document.title = "run"</script>\nRegards',
    papers: [{ name, bytes: Buffer.from('%PDF-1.7 paper') }],
  });
/** Status of a page asked for under another name of this machine, as a site would that points its own name here. */
const statusUnder = (host: string, path: string, at = url, headers: http.OutgoingHttpHeaders = {}) =>
  new Promise<number>((answered) => {
    http.get(new URL(path, at), { headers: { ...headers, host } }, (response) => {
      response.resume();
      answered(response.statusCode ?? 0);
    });
  });

test('text of a mail stays text on the pages', async () => {
  expect(empty).toContain('No mail yet');
  await drop('<img src=x onerror=alert(1)> Invoice');
  const [list, mail] = await Promise.all(
    ['', `/${catcher.mails()[0]?.number}`].map(async (path) => (await fetch(`${url}/dev/mail${path}`)).text()),
  );
  expect(list).toContain('&#60;img src=x onerror=alert(1)&#62; Invoice</a>');
  expect(mail).toContain('&#60;script&#62;document.title');
  expect(`${list}${mail}`).not.toMatch(/<img|<script/);
});

test('no script may run, files are only downloaded, and what is missing is a 404', async () => {
  await drop('Second', '../"x".pdf');
  const [newest] = catcher.mails();
  const mail = await fetch(`${url}/dev/mail/${newest?.number}`);
  expect(mail.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-[^']+'; base-uri/);
  const file = await fetch(`${url}/dev/mail/${newest?.number}/1`);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; /);
  expect(await file.text()).toBe('%PDF-1.7 paper');
  for (const path of ['/dev/mail/99', '/dev/mail/x', `/dev/mail/${newest?.number}/2`, '/dev/mail/1/0'])
    expect((await fetch(`${url}${path}`)).status, path).toBe(404);
});

test('under another name this machine shows no mail: a site cannot point its own name here and read', async () => {
  expect(await statusUnder(new URL(url).host, '/dev/mail')).toBe(200);
  for (const path of ['/dev/mail', '/dev/mail/1', '/dev/mail/1/1'])
    expect(await statusUnder('evil.example', path), path).toBe(404);
});

/** What a proxy of this machine adds. */
const added = [
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-port': '443' },
  { 'x-forwarded-server': 'proxy' },
  { 'x-real-ip': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 proxy' },
];

test('what a proxy passes on shows no mail, and neither does a page of another site, at each process', async () => {
  await drop('A link for a password');
  const pages = await serveCaughtMail(catcher, url);
  const worker = Fastify({ trustProxy: ['loopback'] });
  relayCaughtMail(worker, pages.url);
  const relayed = await worker.listen({ host: '127.0.0.1', port: 0 });
  const { host } = new URL(url);
  for (const at of [url, relayed]) {
    expect(await statusUnder(host, '/dev/mail', at)).toBe(200);
    for (const headers of [...added, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      for (const path of ['/dev/mail', '/dev/mail/1', '/dev/mail/1/1'])
        expect([headers, await statusUnder(host, path, at, headers)]).toEqual([headers, 404]);
  }
  await worker.close();
  await pages.stop();
});

test('what one process caught is shown by the others, under the same name only', async () => {
  await drop('For all workers');
  const pages = await serveCaughtMail(catcher, url);
  const worker = Fastify();
  relayCaughtMail(worker, pages.url);
  const at = await worker.listen({ host: '127.0.0.1', port: 0 });
  const get = (path: string, host: string) =>
    new Promise<{ status: number; text: string; policy: string }>((answered) => {
      http.get(new URL(path, at), { headers: { host } }, async (answer) => {
        let text = '';
        for await (const piece of answer) text += piece;
        const policy = String(answer.headers['content-security-policy']);
        answered({ status: answer.statusCode ?? 0, text, policy });
      });
    });
  const { host } = new URL(url);
  const list = await get('/dev/mail', host);
  expect(list.text).toContain('For all workers');
  expect(list.policy).toContain("default-src 'none'");
  const number = catcher.mails()[0]?.number;
  expect((await get(`/dev/mail/${number}/1`, host)).text).toBe('%PDF-1.7 paper');
  expect((await get('/dev/mail', 'evil.example')).status).toBe(404);
  await worker.close();
  await pages.stop();
  expect(await statusUnder(host, '/dev/mail')).toBe(200);
});

test('only the last 200 are kept', async () => {
  await Promise.all(Array.from({ length: 205 }, (_, n) => drop(`Mail ${n}`)));
  await drop('The last');
  expect(catcher.mails()).toHaveLength(200);
  expect(catcher.mails()[0]?.message.header('subject')).toBe('The last');
});
