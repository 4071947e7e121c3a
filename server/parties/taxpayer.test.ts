import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer({}, { portal: true });
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());
beforeEach(async () => {
  await fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });
});

interface TaxpayerAnswer {
  legalName: string;
  status: string;
  category: string;
  askedOn: string;
  portalAway: boolean;
  warnings: string[];
  cancelledOn: string | null;
  address: { city: string; pincode: string };
}
const ask = (gstin: string, more: object = {}) =>
  owner.ask('GetTaxpayer', { gstin, ...more }) as unknown as Promise<TaxpayerAnswer>;
/** A made-up taxpayer in Karnataka: the four digits of its PAN make it an odd one. */
const pretended = (digits: string): string => {
  const first = `29AABCX${digits}L1Z`;
  return first + gstinCheckDigit(first);
};
const asked = async (): Promise<number> => {
  const seen = (await fetch(`${server.url}/sandbox/control`).then((r) => r.json())) as {
    counts: Record<string, number>;
  };
  return seen.counts['gstin'] ?? 0;
};
const away = (mode: string) =>
  fetch(`${server.url}/sandbox/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode, times: 9, operations: ['gstin', 'syncGstin'] }),
  });

test('the portal gives names, address and type, and is asked once a day unless the user asks again', async () => {
  const taxpayer = await ask('27AABCS4821K1Z9');
  expect(taxpayer).toMatchObject({
    legalName: 'Sahyadri Components Private Limited',
    status: 'active',
    category: 'registered',
    portalAway: false,
    warnings: [],
    address: { city: 'Pune', pincode: '411019' },
  });
  await ask('27AABCS4821K1Z9');
  expect(await asked()).toBe(1);
  await ask('27AABCS4821K1Z9', { fresh: true });
  expect(await asked()).toBe(2);
  server.clock.at = Date.now() + 25 * 3_600_000;
  await ask('27AABCS4821K1Z9');
  server.clock.at = undefined;
  expect(await asked()).toBe(3);
});

test('a cancelled and a suspended registration are warned of, an unknown one is refused', async () => {
  expect(await ask(pretended('9992'))).toMatchObject({ status: 'cancelled', cancelledOn: '2025-03-31' });
  expect((await ask(pretended('9991'))).warnings).toEqual([expect.stringContaining('suspended')]);
  const unknown = await owner.call('GetTaxpayer', { gstin: pretended('9999') });
  expect(unknown).toMatchObject({ status: 409, details: { code: 'gstinUnknown' } });
  expect((await owner.call('GetTaxpayer', { gstin: '27AABCS4821K1Z8' })).status).toBe(422);
});

test('what the copy of the portal lacks is fetched from the register', async () => {
  expect(await ask(pretended('9996'))).toMatchObject({ status: 'active' });
});

test.each(['serverError', 'garbage', 'dropBeforeAccepting'])(
  'while the portal is away (%s) the last word stands, with its day',
  async (mode) => {
    const known = await ask('29AAGCN5567P1ZI', { fresh: true });
    await away(mode);
    expect(await ask('29AAGCN5567P1ZI', { fresh: true })).toEqual({ ...known, portalAway: true });
    const never = await owner.call('GetTaxpayer', { gstin: '33AAECP9044D1ZM' });
    expect(never).toMatchObject({ status: 503, details: { code: 'registerAway' } });
  },
);

test('without credentials of the portal it says where they are entered', async () => {
  const nova = await server.signIn('owner@nova.demo');
  expect(await nova.call('GetTaxpayer', { gstin: '27AABCS4821K1Z9' })).toMatchObject({
    status: 409,
    details: { code: 'noCredentials' },
  });
});
