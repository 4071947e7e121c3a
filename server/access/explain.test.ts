import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import { rights } from '../../tools/testing/rights.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { isRowNeed, type Rule } from './rule.ts';
import { rules } from './rules.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

interface Explained {
  readonly screen: { readonly opens: boolean; readonly needs: number };
  readonly level: number;
  readonly ways: readonly { readonly role: string; readonly group: string | null; readonly level: number }[];
  readonly calls: readonly { readonly call: CallName; readonly allowed: boolean; readonly everyone: boolean }[];
  readonly locations: readonly object[];
  readonly limits: readonly string[];
}
const people = async () => {
  const { rows } = (await owner.ask('ListMasters', { master: 'user' })) as {
    rows: { id: string; version: number; values: { email: string; name: string; locations: string[] } }[];
  };
  return new Map(rows.map((row) => [row.values.email, row]));
};
const explain = async (email: string, screen: string): Promise<Explained> =>
  owner.ask('ExplainAccess', { user: (await people()).get(email)?.id ?? '', screen });

test('a call about a row: what is needed on the screens of its kind is what the written table says', () => {
  const byRow = (Object.keys(calls) as CallName[]).flatMap((name) => {
    const [need] = (rules[name] as Rule).needs;
    // a row that is found by a number alone is one that may be viewed
    return need && isRowNeed(need) && !need.mayBeAbsent && rights[name] !== 'everyone' ? [{ name, need }] : [];
  });
  expect(byRow.length).toBeGreaterThan(30);
  for (const { name, need } of byRow) expect([name, rights[name]]).toEqual([name, [need.action, 'kind']]);
});

test('the explanation says what the server then does', async () => {
  const asked = [
    ['accountant@sharma.demo', 'Create Invoice', true],
    ['accountant@sharma.demo', 'EInvoiceListView', true],
    ['accountant@sharma.demo', 'E-Way Bill', true],
    ['accountant@sharma.demo', 'saleEWayBill', true],
    ['accountant@sharma.demo', 'gstr1', true],
    ['accountant@sharma.demo', 'subscriptions', false],
    ['viewer@sharma.demo', 'gstr1', false],
    ['viewer@sharma.demo', 'Create Invoice', false],
    ['none@sharma.demo', 'Sale Invoice', true],
    ['none@sharma.demo', 'TrialBalance', false],
    ['approver@sharma.demo', 'Create Invoice', false],
  ] as const;
  for (const [email, screen, opens] of asked) {
    const found = await explain(email, screen);
    expect([email, screen, found.screen.opens]).toEqual([email, screen, opens]);
  }
  const approver = await explain('approver@sharma.demo', 'Create Invoice');
  expect(approver.ways).toEqual([{ role: 'Approver', group: null, level: 5002 }]);
  const can = new Map(approver.calls.map((row) => [row.call, row.allowed]));
  expect(can.get('CancelTransaction')).toBe(true);
  expect(can.get('PostTransactionCalls')).toBe(false);
  expect(can.get('AddTransactionDetails')).toBe(false);
  expect(can.get('GetTransationsList')).toBe(true);
  // a call of another screen does not stand here
  expect(can.has('SaveLock')).toBe(false);
  const visitor = await server.signIn('approver@sharma.demo');
  expect((await visitor.call('AddTransactionDetails', { kind: 'saleInvoice', body: {} })).status).toBe(403);
  expect((await visitor.call('GetTransationsList', { Type: 'saleInvoice' })).status).toBe(200);
});

test('groups, locations, locks, modules and the account are named', async () => {
  const all = await people();
  const arun = all.get('none@sharma.demo');
  const roles = (await owner.ask('ListMasters', { master: 'role' })) as {
    rows: { id: string; values: { name: string } }[];
  };
  const viewer = roles.rows.find((row) => row.values.name === 'Viewer')?.id;
  await owner.ask('AddGroups', { values: { name: 'Desk', roles: [viewer], users: [arun?.id] } });
  const places = (await owner.ask('ListMasters', { master: 'location' })) as { rows: { id: string }[] };
  const place = places.rows[0]?.id;
  await owner.ask('UpdateUser', {
    id: arun?.id ?? '',
    version: arun?.version ?? 0,
    values: { ...arun?.values, roles: [], locations: [place] },
  });
  await owner.ask('SaveLock', { through: '2025-03-31', reason: 'filed' });
  const found = await explain('none@sharma.demo', 'saleview');
  expect(found).toMatchObject({
    screen: { opens: true },
    level: 5000,
    ways: [{ role: 'Viewer', group: 'Desk', level: 5000 }],
  });
  expect(found.locations).toHaveLength(1);
  expect(found.limits).toEqual([expect.stringContaining('locked up to 31 Mar 2025')]);
  expect((await explain('none@sharma.demo', 'BarcodeList')).limits).toEqual([
    expect.stringContaining('module Barcode'),
  ]);
  const { version } = (await owner.ask('GetUserDetails', { Id: arun?.id ?? '' })) as { version: number };
  await owner.ask('DeleteUser', { Id: arun?.id ?? '', version });
  const gone: Explained = await owner.ask('ExplainAccess', { user: arun?.id ?? '', screen: 'Home' });
  expect(gone.limits).toEqual([expect.stringContaining('inactive')]);
});

test('without a grant a user gets only the reasons for their own access', async () => {
  const all = await people();
  const viewer = all.get('viewer@sharma.demo');
  await owner.ask('UpdateUser', {
    id: viewer?.id ?? '',
    version: viewer?.version ?? 0,
    values: { ...viewer?.values, roles: [] },
  });
  const bare = await server.signIn('viewer@sharma.demo');
  expect((await bare.call('ExplainAccess', { user: viewer?.id ?? '', screen: 'Home' })).status).toBe(200);
  const other = await bare.call('ExplainAccess', { user: all.get('owner@sharma.demo')?.id ?? '', screen: 'Home' });
  expect(other.status).toBe(404);
  expect((await owner.call('ExplainAccess', { user: viewer?.id ?? '', screen: 'NoSuchScreen' })).status).toBe(404);
});
