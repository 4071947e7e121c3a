import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/gst/gstin.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

type Kept = { id: string; version: number; values: Record<string, unknown> };
const gstinOf = (start: string) => `${start}${gstinCheckDigit(start)}`;
const address = { line1: '88 Mount Road', city: 'Chennai', pincode: '600002' };
const chennai = {
  legalName: 'Sharma Traders Private Limited',
  gstin: gstinOf('33AAGCS4821F1Z'),
  state: '33',
  kind: 'regular',
  ...address,
};

test('a new registration numbers its documents at once, and not like another one', async () => {
  const made = (await owner.ask('SaveMaster', { master: 'registration', values: chennai })) as Kept;
  await owner.ask('SaveMaster', {
    master: 'location',
    values: { code: 'CHN', name: 'Chennai', registration: made.id, isTax: true, isPhysical: true, ...address },
  });
  const next = async (registration: string) =>
    (
      (await owner.ask('DocSeriesValidations', { Type: 'saleInvoice', registration, date: '2026-11-21' })) as {
        next: string | null;
      }
    ).next;
  expect(await next(made.id)).toBe('TINV/26-27/0001');
  const { registrations } = (await owner.ask('GetSession', {})) as { registrations: { id: string }[] };
  const numbers = await Promise.all(registrations.map((r) => next(r.id)));
  expect(new Set(numbers).size).toBe(3);
  // saving it again adds none
  const count = async () =>
    (
      await server.database.owner.query('select count(*)::int as n from number_series where registration = $1', [
        made.id,
      ])
    ).rows[0].n;
  const before = await count();
  await owner.ask('SaveMaster', {
    master: 'registration',
    id: made.id,
    version: made.version,
    values: { ...made.values, tradeName: 'Sharma' },
  });
  expect(await count()).toBe(before);
});

test('without GSTIN there is one registration, and its type says so', async () => {
  const { gstin: _, ...without } = chennai;
  const fields = async (values: Record<string, unknown>) => {
    const answer = await owner.call('SaveMaster', { master: 'registration', values });
    return answer.status === 200
      ? []
      : (answer.details as { problems: { field: string }[] }).problems.map((p) => p.field);
  };
  expect(await fields(without)).toEqual(['gstin']);
  expect(await fields({ ...chennai, kind: 'unregistered' })).toEqual(['kind']);
  expect(await fields({ ...without, kind: 'unregistered' })).toEqual([]);
  expect(await fields({ ...without, kind: 'unregistered' })).toEqual(['gstin']);
});
