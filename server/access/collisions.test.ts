import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MasterName } from '../../contract/masters.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let sharma: Shop;
let nova: Shop;
let date: string;
beforeAll(async () => {
  server = await testServer();
  sharma = await openShop(server);
  nova = await openShop(server, { email: 'owner@nova.demo', organisation: 1, registration: 'TN', location: 'CHN' });
  date = ((await nova.owner.ask('GetSession', {})) as { today: string }).today;
});
afterAll(() => server.stop());

const party = { name: 'Same Traders', category: 'registered', state: '29', addresses: [] };
const gstin = (first: string): string => `${first}${gstinCheckDigit(first)}`;
const same: Readonly<Partial<Record<MasterName, (shop: Shop) => object>>> = {
  customer: () => ({ ...party, code: 'SAME', gstin: gstin('29AAACZ1111A1Z') }),
  supplier: () => ({ ...party, code: 'SAME-S', gstin: gstin('29AAACZ2222A1Z') }),
  item: () => ({
    sku: 'SAME',
    name: 'Same',
    barcode: '8901234567890',
    type: 'stock',
    unit: 'NOS',
    hsn: '8539',
    treatment: 'taxable',
    gstRate: '18',
  }),
  category: () => ({ code: 'SAME', name: 'Same' }),
  attribute: () => ({ code: 'SAME', name: 'Same' }),
  role: () => ({ name: 'Same' }),
  warehouse: ({ place }) => ({ code: 'SAME', name: 'Same', location: place.location }),
  location: ({ place }) => ({
    code: 'SAME',
    name: 'Same',
    registration: place.registration,
    line1: 'a',
    city: 'b',
    pincode: place.registration === nova.place.registration ? '600001' : '560001',
  }),
  user: () => ({ name: 'Same', email: 'same@person.test', roles: [], locations: [] }),
};

test.each(Object.entries(same))(
  'S-14: two organisations have a %s of the same code, name and number',
  async (master, values) => {
    for (const shop of [sharma, nova]) {
      const made = { master, values: { ...values(shop) } };
      expect(await shop.owner.call('SaveMaster', made)).toMatchObject({ status: 200 });
      // the second of the same organisation is refused, and says nothing but that
      expect(await shop.owner.call('SaveMaster', made)).toMatchObject({
        status: 422,
        details: { problems: [{ message: expect.stringMatching(/already used$/) }] },
      });
    }
  },
);

const sale = (shop: Shop) => ({
  kind: 'cashSale',
  date,
  ...shop.place,
  lines: [{ item: shop.item, quantity: '1', rate: '95' }],
});
type Posted = { TransactionId: string; TransactionNumber: string };

test('two organisations post under the same key and number, each its own document', async () => {
  const key = randomUUID();
  const post = (shop: Shop): Promise<Posted> => shop.owner.ask('PostTransactionCalls', { document: sale(shop) }, key);
  const [one, two] = [await post(sharma), await post(nova)];
  expect(one.TransactionNumber).toBe(two.TransactionNumber);
  expect(one.TransactionId).not.toBe(two.TransactionId);
  expect(await post(nova)).toEqual(two);
  const number = one.TransactionNumber;
  for (const [shop, id] of [
    [sharma, one],
    [nova, two],
  ] as const)
    expect(
      await shop.owner.ask('GetTransactionDetails', { InvoiceNo: number, TransactionType: 'cashSale' }),
    ).toMatchObject({ id: id.TransactionId });
  expect((await nova.owner.call('GetTransactionDetailForInvoice', { TransactionId: one.TransactionId })).status).toBe(
    404,
  );
});

test('a draft that names records of another organisation shows none of them', async () => {
  const kept = {
    kind: 'saleInvoice',
    date,
    ...sharma.place,
    party: sharma.customer,
    lines: [{ item: sharma.item, quantity: '1', rate: '1' }],
  };
  const { TransactionId, version } = (await nova.owner.ask('AddTransactionDetails', {
    kind: 'saleInvoice',
    body: kept,
  })) as Posted & { version: number };
  const [view, paper, list, posted] = [
    await nova.owner.call('GetTransactionDetailForInvoice', { TransactionId }),
    await nova.owner.call('PrintDocument', { id: TransactionId }),
    await nova.owner.call('GetTransationsList', { Type: 'saleInvoice', Search: 'Asha' }),
    await nova.owner.call('PostTransactionCalls', { TransactionId, version }),
  ] as const;
  const seen = [view, list, posted];
  expect(paper.status).toBe(200);
  expect(view.details).toMatchObject({ party: null, location: { name: '' } });
  expect(list.details).toMatchObject({ rows: [] });
  expect(posted.status).toBe(404);
  expect(JSON.stringify(seen)).not.toMatch(/sharma|Peenya|29AAGCS4821F1ZB/i);
});

test('S-15: requests of two organisations on the same connections, some given up half-way, never meet', async () => {
  const [a, b] = [sharma, nova] as const;
  const codes = [
    ['SHARMA', a],
    ['NOVA', b],
  ] as const;
  const wrong: string[] = [];
  const ask = async (n: number): Promise<void> => {
    const [code, { owner, item }] = codes[n % 2] as (typeof codes)[number];
    if (n % 7 === 0) return giveUp(owner);
    const details = JSON.stringify(
      n % 3 === 0
        ? await owner.ask('GetOrgDetails', {})
        : n % 3 === 1
          ? await owner.ask('Pick', { master: 'item', search: 'LED' })
          : await owner.ask('GetTransationsList', { Type: 'cashSale' }),
    );
    if (n % 3 === 0 ? !details.includes(`"${code}"`) : n % 3 === 1 && !details.includes(item))
      wrong.push(`${code}: ${details.slice(0, 200)}`);
    const other = n % 2 === 0 ? b : a;
    if (details.includes(other.item) || details.includes(n % 2 === 0 ? '"NOVA"' : '"SHARMA"'))
      wrong.push(`${code} saw the other: ${details.slice(0, 200)}`);
  };
  for (let from = 0; from < 1500; from += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => ask(from + i)));
  expect(wrong).toEqual([]);
  expect(server.failures).toEqual([]);
}, 60_000);

/** Closes the connection before the answer is there. */
async function giveUp({ cookie }: Visitor): Promise<void> {
  const stop = new AbortController();
  const asked = fetch(`${server.url}/api/transactions/GetTransationsList?Type=saleInvoice`, {
    headers: { cookie },
    signal: stop.signal,
  }).catch(() => undefined);
  setTimeout(() => stop.abort(), 2);
  await asked;
}

test('the books of both are whole', async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
});
