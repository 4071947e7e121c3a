import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { DEMO_PASSWORD } from '../organisation/demo.ts';
import { makeLog } from './log.ts';

let server: TestServer;
const lines: string[] = [];
const destination = { write: (line: string) => void lines.push(line) };
beforeAll(async () => {
  const log = makeLog('info', destination);
  server = await testServer({}, { log: log.failed, answered: log.answered });
});
afterAll(() => server.stop());

test('a request leaves its route and outcome in the log, and nothing of what was typed or who typed it', async () => {
  const owner = await server.signIn('owner@sharma.demo');
  await owner.ask('GetPartyListForTransactions', { search: 'Kaveri Electricals' });
  const values = {
    name: 'Kaveri Electricals',
    gstin: '29AABCA1234F1Z5',
    category: 'registered',
    state: '29',
    phone: '9845012345',
  };
  const made = (await owner.ask('SaveMaster', { master: 'customer', values })) as { id: string };
  await fetch(`${server.url}/callback?code=secret-code&state=secret-state`);
  await expect.poll(() => lines.length).toBeGreaterThan(6);
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records).toContainEqual(
    expect.objectContaining({
      level: 'info',
      msg: 'request',
      method: 'POST',
      route: '/api/masters/SaveMaster',
      status: 200,
      milliseconds: expect.any(Number),
    }),
  );
  const all = lines.join('');
  for (const secret of [
    DEMO_PASSWORD,
    owner.cookie.split('=')[1] ?? '?',
    'Kaveri',
    '9845012345',
    'AABCA1234F',
    'sharma.demo',
    'secret-',
    made.id,
  ])
    expect(all).not.toContain(secret);
});

test('levels: a quiet log keeps requests to itself, a silent one everything', () => {
  const said = (level: 'warn' | 'silent') => {
    const kept: string[] = [];
    const log = makeLog(level, { write: (line: string) => void kept.push(line) });
    log.answered({ method: 'GET', route: '/', status: 200, milliseconds: 1 });
    log.failed('it broke', { reference: 'abcd' });
    return kept.map((line) => (JSON.parse(line) as { msg: string }).msg);
  };
  expect(said('warn')).toEqual(['it broke']);
  expect(said('silent')).toEqual([]);
});
