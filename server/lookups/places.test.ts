import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

type Kept = { id: string; version: number; values: Record<string, unknown> };
type Rows = { rows: { id: string; name: string; note: string }[] };

let server: TestServer;
let owner: Visitor;
let clerk: Visitor;
let places: { id: string; code: string; registration: string }[];
let item: string;
const place = (code: string) => places.find((l) => l.code === code)?.id ?? '';
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-21T10:00:00+05:30');
  owner = await server.signIn('owner@sharma.demo');
  places = ((await owner.ask('GetSession', {})) as { locations: typeof places }).locations;
  const values = {
    name: 'Fan',
    sku: 'FAN',
    type: 'stock',
    unit: 'NOS',
    hsn: '8414',
    gstRate: '18',
    treatment: 'taxable',
  };
  item = ((await owner.ask('SaveMaster', { master: 'item', values })) as Kept).id;
  for (const [code, quantity] of [
    ['BLR', '7'],
    ['PUN', '30'],
  ] as const) {
    const lines = [{ item, quantity, rate: '60' }];
    const registration = places.find((l) => l.code === code)?.registration ?? '';
    const document = { kind: 'openingStock', date: '2026-11-20', registration, location: place(code), lines };
    await owner.ask('PostTransactionCalls', { document });
    const room = { code: `R-${code}`, name: `Room ${code}`, location: place(code) };
    await owner.ask('SaveMaster', { master: 'warehouse', values: room });
  }
  const { rows } = (await owner.ask('ListMasters', { master: 'user' })) as { rows: Kept[] };
  const kept = rows.find((u) => u.values.email === 'accountant@sharma.demo') as Kept;
  await owner.ask('SaveMaster', {
    master: 'user',
    id: kept.id,
    version: kept.version,
    values: { ...kept.values, locations: [place('BLR')] },
  });
  clerk = await server.signIn('accountant@sharma.demo');
});
afterAll(() => server.stop());

const names = async (by: Visitor, master: string) =>
  ((await by.ask('Pick', { master })) as Rows).rows.map((r) => r.name).sort();

test('a user with assigned locations picks only those and what is in them', async () => {
  expect(await names(owner, 'location')).toHaveLength(3);
  expect(await names(clerk, 'location')).toEqual(['Bengaluru head office']);
  expect(await names(owner, 'warehouse')).toEqual(['Room BLR', 'Room PUN']);
  expect(await names(clerk, 'warehouse')).toEqual(['Room BLR']);
  expect(await clerk.call('ChooseLocations', { physicalLocation: place('PUN') })).toMatchObject({ status: 404 });
  expect(await clerk.call('ChooseLocations', { physicalLocation: place('BLR') })).toMatchObject({ status: 200 });
});

test('the stock shown at an item is that of the permitted locations', async () => {
  const note = async (by: Visitor, location?: string) =>
    (
      (await by.ask('GetItemListForTransactionsWithPagination', {
        search: 'fan',
        ...(location && { location }),
      })) as Rows
    ).rows[0]?.note;
  expect(await note(owner)).toContain('37 NOS in stock');
  expect(await note(clerk)).toContain('7 NOS in stock');
  expect(await note(owner, place('PUN'))).toContain('30 NOS in stock');
  expect(await note(clerk, place('PUN'))).toContain('0 NOS in stock');
});
