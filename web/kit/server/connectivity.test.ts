import { afterEach, expect, test, vi } from 'vitest';
import { Refused, send } from './api.ts';
import { isReached, onReach, tryToReach } from './connectivity.ts';

afterEach(() => vi.unstubAllGlobals());
const answering = (work: () => Promise<Response>) => vi.stubGlobal('fetch', work);
const envelope = (status: number) => async () => Response.json({ success: status === 200, details: {} }, { status });

test('a request without an answer means that the server is unreachable, any answer that it is reachable', async () => {
  const heard: boolean[] = [];
  const stop = onReach(() => heard.push(isReached()));
  answering(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(send('GET', '/api/x/Y')).rejects.toThrow(Refused);
  await expect(send('GET', '/api/x/Y')).rejects.toThrow(Refused);
  await tryToReach();
  expect(isReached()).toBe(false);
  answering(envelope(503));
  await expect(send('GET', '/api/x/Y')).rejects.toThrow(Refused);
  expect(isReached()).toBe(true);
  expect(heard).toEqual([false, true]);
  stop();
});

test('one call that is dropped while the server answers others is no lost connection', async () => {
  const heard: boolean[] = [];
  const stop = onReach(() => heard.push(isReached()));
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/healthz') return Response.json({ ok: true });
    throw new TypeError('Failed to fetch');
  });
  await expect(send('GET', '/api/x/Y')).rejects.toThrow(Refused);
  await tryToReach();
  expect(heard).toEqual([]);
  stop();
});

test('a question that was taken back says nothing of it', async () => {
  const away = new AbortController();
  answering(async () => {
    away.abort();
    throw new DOMException('', 'AbortError');
  });
  await expect(send('GET', '/api/x/Y', {}, { signal: away.signal })).rejects.toThrow();
  expect(isReached()).toBe(true);
});
