import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

type Kept = { id: string; version: number; values: Record<string, unknown>; names: Record<string, string> };
type Entry = {
  at: string;
  who: string;
  action: string;
  changes: { field: string; label: string; before: string; after: string }[];
};

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

const save = async (master: string, values: Record<string, unknown>, kept?: Kept): Promise<Kept> =>
  owner.ask('SaveMaster', { master, values, ...(kept && { id: kept.id, version: kept.version }) });
const history = async (master: string, id: string): Promise<Entry[]> => owner.ask('GetHistory', { master, id });
/** A change as one line. */
const changesOf = (entry: Entry | undefined) => entry?.changes.map((c) => `${c.label}: ${c.before} → ${c.after}`);

test('the history of a record is in words: names, yes and no, rupees, Indian time', async () => {
  const light = await save('category', { code: 'LIGHT', name: 'Lighting' });
  const made = await save('item', {
    sku: 'LAMP',
    name: 'Lamp',
    type: 'stock',
    unit: 'NOS',
    hsn: '9405',
    gstRate: '18',
    treatment: 'taxable',
    saleRate: '100',
  });
  const changed = await save(
    'item',
    { ...made.values, category: light.id, saleRate: '120.5', scrap: true, type: 'nonStock', treatment: 'exempt' },
    made,
  );
  await owner.ask('RetireMaster', { master: 'item', id: made.id, version: changed.version, active: false });
  const [retired, second, first] = await history('item', made.id);
  expect(retired).toMatchObject({ who: 'Ravi Sharma', action: 'deactivated it', changes: [] });
  expect(changesOf(second)).toEqual([
    'Type: Goods, stocked → Goods, not stocked',
    'Category:  → Lighting',
    'Treatment: Taxable → Exempt',
    'Sale rate (₹): 100.00 → 120.50',
    'Scrap: No → Yes',
  ]);
  expect(first?.action).toBe('added it');
  expect(changesOf(first)).toContain('GST %:  → 18');
  expect(first?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30$/);
  expect(Math.abs(Date.parse(first?.at ?? '') - Date.now())).toBeLessThan(60_000);
});

test('roles and locations of a user and levels of a role are part of their history; signing in is not', async () => {
  const clerk = await save('role', { name: 'Clerk', levels: { 'Sale Invoice': 5000 } });
  await save('role', { ...clerk.values, levels: { 'Sale Invoice': 5001, Payments: 5000 } }, clerk);
  expect(changesOf((await history('role', clerk.id))[0])).toEqual([
    'Levels: Sale invoices View → Payments View; Sale invoices Edit',
  ]);
  const { rows } = (await owner.ask('ListMasters', { master: 'user' })) as { rows: Kept[] };
  const viewer = rows.find((u) => u.values.email === 'viewer@sharma.demo') as Kept;
  expect(viewer.names[`roles.${(viewer.values.roles as string[])[0]}`]).toBe('Viewer');
  const before = (await history('user', viewer.id)).length;
  await save('user', { ...viewer.values, roles: [clerk.id] }, viewer);
  await server.signIn('viewer@sharma.demo');
  const entries = await history('user', viewer.id);
  expect(entries).toHaveLength(before + 1);
  expect(changesOf(entries[0])).toEqual(['Roles: Viewer → Clerk']);
  const shown = (await owner.ask('ListMasters', { master: 'user' })) as { rows: Kept[] };
  expect(shown.rows.find((u) => u.id === viewer.id)?.values.lastSignIn).toMatch(/^\d\d \w{3} \d{4}, \d\d:\d\d$/);
});
