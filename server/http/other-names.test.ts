import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { otherName } from './app.ts';

// Sign-in goes by PUBLIC_URL: a page that is opened at another name of this machine leads there, before a form could fail.
let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.stop());

/** Asks the server under a name; `fetch` does not let anybody say one. */
const ask = (path: string, host: string, { method = 'GET', accept = 'text/html' } = {}) =>
  new Promise<{ status: number | undefined; location: string | undefined }>((done, failed) => {
    const { hostname, port } = new URL(server.url);
    http
      .request({ hostname, port, path, method, headers: { host, accept } }, (answer) => {
        answer.resume();
        done({ status: answer.statusCode, location: answer.headers.location });
      })
      .on('error', failed)
      .end();
  });

test('a page at another name of this machine leads to the same page at the name of sign-in', async () => {
  const { port, origin } = new URL(server.url);
  for (const path of ['/', '/sales/invoices?page=2', '/api/session/SignIn'])
    expect(await ask(path, `localhost:${port}`), path).toEqual({ status: 302, location: `${origin}${path}` });
  expect((await ask('//evil.example/x', `localhost:${port}`)).location).toBe(`${origin}/evil.example/x`);
});

test('what is no page, at another port or from elsewhere is answered where it is', async () => {
  const { port, host } = new URL(server.url);
  expect((await ask('/', host)).status).toBe(200);
  expect((await ask('/', 'localhost:1')).status).toBe(200);
  expect((await ask('/', `shop.example:${port}`)).status).toBe(200);
  expect((await ask('/', `localhost:${port}`, { accept: '*/*' })).status).toBe(200);
  const page = (publicUrl: string, name: string) =>
    otherName(publicUrl, { method: 'GET', url: '/', headers: { host: name, accept: 'text/html' } });
  expect(page('http://127.0.0.1:3000', 'localhost:3000')).toBe('http://127.0.0.1:3000/');
  expect(page('http://127.0.0.1:3000', '[::1]:3000')).toBe('http://127.0.0.1:3000/');
  expect(page('https://books.example', 'localhost:3000')).toBeUndefined();
  expect(page('http://127.0.0.1:3000', 'not a host')).toBeUndefined();
});
