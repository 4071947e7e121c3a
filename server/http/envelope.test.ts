import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

const json = { 'content-type': 'application/json' };
const send = async (path: string, init: RequestInit & { readonly headers?: Record<string, string> } = {}) => {
  const answer = await fetch(`${server.url}${path}`, {
    ...init,
    headers: {
      cookie: owner.cookie,
      'x-requested-by': 'bahi',
      'idempotency-key': randomUUID(),
      ...init.headers,
    },
  });
  return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() };
};
const SAVE = '/api/masters/SaveMaster';
const huge = JSON.stringify({ master: 'category', values: { name: 'x'.repeat(13 * 1024 * 1024) } });

test.each([
  ['unreadable JSON', SAVE, { method: 'POST', headers: json, body: '{"master": ' }, 400, 'unreadable'],
  ['an empty body that says it is JSON', SAVE, { method: 'POST', headers: json, body: '' }, 400, 'unreadable'],
  [
    'JSON that reaches for the prototype',
    SAVE,
    { method: 'POST', headers: json, body: '{"__proto__": {}}' },
    400,
    'unreadable',
  ],
  ['a form', SAVE, { method: 'POST', body: new URLSearchParams({ master: 'category' }) }, 415, 'wrongType'],
  ['plain text', SAVE, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }, 415, 'wrongType'],
  ['XML', SAVE, { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' }, 415, 'wrongType'],
  ['too much', SAVE, { method: 'POST', headers: json, body: huge }, 413, 'tooLarge'],
  ['an unknown call', '/api/masters/DropMaster', { method: 'POST', headers: json, body: '{}' }, 404, 'unknownCall'],
  ['an unknown call by GET', '/api/masters/DropMaster', {}, 404, 'unknownCall'],
  [
    'a call in another service',
    '/api/lookups/SaveMaster',
    { method: 'POST', headers: json, body: '{}' },
    404,
    'unknownCall',
  ],
  ['a call that posts, by GET', SAVE, {}, 404, 'unknownCall'],
  ['an address that is no text', '/api/masters/%ff', {}, 400, 'unreadable'],
  ['an array', SAVE, { method: 'POST', headers: json, body: '[]' }, 422, 'problems'],
  ['a number', SAVE, { method: 'POST', headers: json, body: '7' }, 422, 'problems'],
  ['null', SAVE, { method: 'POST', headers: json, body: 'null' }, 422, 'problems'],
  ['no session', SAVE, { method: 'POST', headers: { ...json, cookie: '' }, body: '{}' }, 401, 'sessionExpired'],
  ['no session for events', '/api/events', { headers: { cookie: '' } }, 401, 'sessionExpired'],
  ['a file that is not there', '/assets/nothing.js', {}, 404, 'nothingHere'],
] as const)('%s is answered in the envelope', async (_, path, init, status, code) => {
  const answer = await send(path, init as RequestInit & { headers?: Record<string, string> });
  expect(answer).toMatchObject({ status, type: expect.stringContaining('application/json') });
  const { success, message, details, result } = JSON.parse(answer.body);
  expect({ success, code: details.code }).toEqual({ success: false, code });
  expect(message).toMatch(/^[A-Z].*[a-z]/);
  expect(result).toEqual({ details });
  expect(details.reference).toMatch(/^[0-9a-f]{8}$/);
  expect(answer.body).not.toMatch(/FST_|stack|node_modules/);
  expect(server.failures).toEqual([]);
});

test('an answer holds its details twice, and a body may say its character set', async () => {
  const answer = await send(SAVE, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ master: 'category', values: { code: 'LIGHT', name: 'Lighting' } }),
  });
  expect(answer.status).toBe(200);
  const { success, details, result } = JSON.parse(answer.body);
  expect(success).toBe(true);
  expect(result.details).toEqual(details);
});

test('an amount beyond all that a document may come to is a problem at the lines', async () => {
  const { today, locations } = (await owner.ask('GetSession', {})) as {
    today: string;
    locations: { id: string; registration: string; isPhysical: boolean }[];
  };
  const place = locations.find(({ isPhysical }) => isPhysical);
  const { rows } = (await owner.ask('Pick', { master: 'item', search: '' })) as { rows: { id: string }[] };
  const line = { item: rows[0]?.id, quantity: '100000000', rate: '99999999999.99' };
  const draft = { kind: 'saleInvoice', date: today, registration: place?.registration, location: place?.id };
  const answer = await send('/api/transactions/GetTaxCalculation', {
    ...{ method: 'POST', headers: json },
    body: JSON.stringify({ draft: { ...draft, lines: [line] } }),
  });
  expect(answer.status).toBe(422);
  expect(JSON.parse(answer.body)).toMatchObject({
    details: {
      code: 'problems',
      problems: [
        { field: 'lines', message: 'The total of a document is at most ₹99,99,99,99,999.99: this one is higher' },
      ],
    },
  });
});
