import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../../tools/testing/server.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { setupLink } from './setup.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, { empty: true });
});
afterAll(() => server.stop());

const post = async (form: Record<string, string>) => {
  const answer = await fetch(`${server.url}/setup`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: answer.status, text: await answer.text() };
};
const form = {
  name: 'Kaveri Traders',
  code: 'kaveri',
  gstin: '29aagcs4821f1zb',
  kind: 'regular',
  einvoice: '1',
  line1: '12 Residency Road',
  city: 'Bengaluru',
  pincode: '560025',
  person: 'Anita Rao',
  email: 'anita@kaveri.example',
  password: 'a long pass phrase',
  again: 'a long pass phrase',
};

test('with no organisation a one-time link makes the first one, its registration and its owner', async () => {
  const older = (await setupLink(server.database.ownerUrl, server.url)) ?? '';
  const link = (await setupLink(server.database.ownerUrl, server.url)) ?? '';
  expect(link).toMatch(/\/setup#[\w-]{40,}$/);
  const token = link.split('#')[1] ?? '';
  expect((await post({ token: older.split('#')[1] ?? '' })).status).toBe(404);
  const opening = await fetch(`${server.url}/setup`);
  expect(opening.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await post({ token })).text).toContain('Name of the business');

  // each problem at its field; what was typed stays, but the passwords
  const wrong = await post({
    ...form,
    token,
    gstin: '29AAGCS4821F1ZX',
    pincode: '12',
    code: 'a b',
    password: 'short',
    again: 'short',
  });
  expect(wrong.status).toBe(422);
  for (const field of ['gstin', 'pincode', 'code', 'password']) expect(wrong.text).toContain(`id="${field}-wrong"`);
  expect(wrong.text).toContain('value="Kaveri Traders"');
  expect(wrong.text).not.toContain('value="short"');
  expect((await post({ ...form, token, gstin: '', state: '' })).text).toContain('id="state-wrong"');
  expect((await post({ ...form, token, name: '<script>alert(1)</script>', pincode: '' })).text).not.toContain(
    '<script>a',
  );

  const made = await Promise.all([post({ ...form, token }), post({ ...form, token, code: 'OTHER' })]);
  expect(made.map((m) => m.status).sort()).toEqual([200, 404]);
  const winner = made[0]?.status === 200 ? 'KAVERI' : 'OTHER';
  expect((await post({ ...form, token })).status).toBe(404);
  expect(await setupLink(server.database.ownerUrl, server.url)).toBeUndefined();

  const anita = await server.signIn('anita@kaveri.example', 'a long pass phrase');
  expect(await anita.ask('GetSession', {})).toMatchObject({
    name: 'Anita Rao',
    organisation: { code: winner, name: 'Kaveri Traders' },
    registrations: [{ gstin: '29AAGCS4821F1ZB', state: '29' }],
    locations: [{ code: 'HO' }],
  });
  const { rows } = await server.database.owner.query('select operator from people');
  expect(rows).toEqual([{ operator: true }]);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
});
