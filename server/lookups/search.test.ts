import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  const { organisation } = server.organisations[0] ?? { organisation: 0 };
  await server.database.owner.query(
    `
      insert into items (organisation, id, sku, name, service, stocked, hsn, unit, treatment, gst_rate, search)
      select
        $1, gen_random_uuid(), 'S' || n, 'Thing ' || n, false, true, '8471', 'NOS', 'taxable', 180000,
        lower('s' || n || ' thing ' || n || ' 8471')
      from generate_series(1, 300) n
    `,
    [organisation],
  );
  await server.database.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, gstin, state, search)
      select
        $1, gen_random_uuid(), 'P' || n, 'Firm ' || n, 'both', 'registered',
        '29AABCP' || lpad(n::text, 4, '0') || 'F1Z5', '29',
        lower('firm ' || n || ' p' || n || ' 29aabcp' || lpad(n::text, 4, '0') || 'f1z5')
      from generate_series(1, 300) n
    `,
    [organisation],
  );
});
afterAll(() => server?.stop());

type Found = { rows: { code: string; name: string }[]; total: number };
const items = async (search: string) =>
  (await owner.ask('GetItemListForTransactionsWithPagination', { search })) as Found;
const parties = async (search: string) =>
  (await owner.ask('GetPartyListForTransactions', { search, side: 'customer' })) as Found;
const ledgers = async (search: string) => (await owner.ask('Pick', { master: 'ledger', search })) as Found;

test('the item whose code was typed comes first, though many codes begin with it', async () => {
  const { rows, total } = await items('s2');
  expect(rows[0]?.code).toBe('S2');
  expect(rows).toHaveLength(111);
  expect(total).toBe(111);
});

test('digits inside an HSN or a barcode find nothing; those of a code, or that begin an HSN, do', async () => {
  expect((await items('471')).rows.map(({ name }) => name)).toEqual([]);
  expect((await items('8471')).total).toBe(300);
  expect((await items('299')).rows.map(({ name }) => name)).toEqual(['Thing 299']);
});

test('a party is found first by its code or GSTIN', async () => {
  expect((await parties('p3')).rows[0]?.name).toBe('Firm 3');
  expect((await parties('29AABCP0007F1Z5')).rows[0]?.name).toBe('Firm 7');
});

test('a ledger is found first by its code or whole name, then by how it begins', async () => {
  expect((await ledgers('rent')).rows[0]).toMatchObject({ code: '6410', name: 'Rent' });
  expect((await ledgers('1110')).rows[0]?.name).toBe('Cash in hand');
  expect((await ledgers('cash')).rows[0]?.name).toMatch(/^Cash/);
});
