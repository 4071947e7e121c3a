import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../../contract/calls.ts';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../../tools/testing/server.ts';

// What belongs to one document only stays with it when it is copied; what was cancelled is typed anew in its place, with all of it.
let server: TestServer;
let shop: Shop;
let supplier: string;
let cash: string;
let counted: string;
beforeAll(async () => {
  server = await testServer({ enableSerialization: true });
  shop = await openShop(server);
  cash = await shop.ledger('1110');
  supplier = await save('supplier', { name: 'Konkan Lamps', category: 'unregistered', state: '29', addresses: [] });
  const item = { type: 'stock', unit: 'NOS', hsn: '85395000', treatment: 'taxable', gstRate: '18' };
  counted = await save('item', { ...item, sku: 'DRILL', name: 'Drill', serialised: true });
});
afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.stop();
});

const ask = async <T>(name: CallName, input: object) =>
  (await shop.owner.ask(name as 'GetSession', input as never)) as unknown as T;
const save = async (master: string, values: object) => (await ask<{ id: string }>('SaveMaster', { master, values })).id;
type Copied = Record<string, unknown> & { readonly lines: readonly Record<string, unknown>[] };
const copied = async (from: string, kind: string) =>
  (await ask<{ draft: Copied }>('GetConversion', { ...{ from, kind }, copy: true })).draft;
const post = async (kind: string, document: object) => (await shop.post({ kind, ...document })).TransactionId;
const cancel = (id: string, kind: string) =>
  shop.owner.ask(
    'CancelTransaction',
    { TransactionIds: [id], TransactionType: kind, reason: 'typed wrongly', frees: true },
    randomUUID(),
  );
const day = '2026-05-04';

test('the number of the paper that somebody else wrote is that of one document', async () => {
  const bill = { reference: 'A-17', referenceDate: day, narration: 'For the shop' };
  const id = await post('purchaseBill', {
    ...{ ...bill, party: supplier, date: day },
    lines: [{ item: shop.item, quantity: '2', rate: '60' }],
  });
  const { reference, referenceDate, date, narration } = await copied(id, 'purchaseBill');
  const { today } = await ask<{ today: string }>('GetSession', {});
  expect([reference, referenceDate, date, narration]).toEqual([undefined, undefined, today, 'For the shop']);
  await cancel(id, 'purchaseBill');
  expect(await copied(id, 'purchaseBill')).toMatchObject(bill);
});

test('the order number of a customer goes along', async () => {
  const theirs = { reference: 'PO-9', referenceDate: day };
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const id = await post('saleInvoice', { ...theirs, party: shop.customer, lines });
  expect(await copied(id, 'saleInvoice')).toMatchObject(theirs);
});

test('a cheque and a lorry receipt are of one document', async () => {
  const money = { party: shop.customer, moneyLedger: cash, amount: '10' };
  const receipt = await post('saleReceipt', { ...money, fields: { instrument: '402817' } });
  expect((await copied(receipt, 'saleReceipt'))['fields']).toBeUndefined();
  await cancel(receipt, 'saleReceipt');
  expect((await copied(receipt, 'saleReceipt'))['fields']).toEqual({ instrument: '402817' });
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const fields = { transporter: 'VRL', transportDocument: 'LR-5' };
  const invoice = await post('saleInvoice', { party: shop.customer, lines, fields });
  expect((await copied(invoice, 'saleInvoice'))['fields']).toEqual({ transporter: 'VRL' });
});

test('a day that has passed is not offered once more', async () => {
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const quotation = async (validUntil: string) =>
    (await copied(await post('quotation', { party: shop.customer, lines, fields: { validUntil } }), 'quotation'))[
      'fields'
    ];
  expect([await quotation('2026-04-30'), await quotation('2999-12-31')]).toEqual([
    undefined,
    { validUntil: '2999-12-31' },
  ]);
});

test('a serial number is of one unit, which came once and was sold once', async () => {
  const line = { item: counted, quantity: '1', rate: '900', serials: ['D-1'] };
  const bought = await post('purchaseBill', { party: supplier, reference: 'A-18', lines: [line] });
  const sold = await post('saleInvoice', { party: shop.customer, lines: [line] });
  for (const [id, kind] of [
    [bought, 'purchaseBill'],
    [sold, 'saleInvoice'],
  ] as const)
    expect((await copied(id, kind)).lines.map(({ quantity, serials }) => [quantity, serials])).toEqual([
      ['1', undefined],
    ]);
  await cancel(sold, 'saleInvoice');
  expect((await copied(sold, 'saleInvoice')).lines[0]).toMatchObject({ serials: ['D-1'] });
});

test('money is worth what its own day says: the rate of another document is not taken over', async () => {
  const abroad = { category: 'overseas', state: '96', country: 'DE', currency: 'USD', addresses: [] };
  const party = await save('customer', { ...abroad, name: 'Berlin Lampen' });
  const lines = [{ item: shop.item, quantity: '1', rate: '10' }];
  const fields = { port: 'INMAA1', shippingBill: '1234567', shippingBillDate: day };
  const id = await post('overseasSale', { party, lines, currency: 'USD', exchangeRate: '83.5', fields });
  const copy = await copied(id, 'overseasSale');
  // a shipping bill is of one document
  expect(copy['fields']).toEqual({ port: 'INMAA1' });
  expect([copy['currency'], copy['exchangeRate']]).toEqual(['USD', undefined]);
  const back = await post('saleCreditNote', {
    ...{ party, against: id, reason: 'Others', currency: 'USD', exchangeRate: '83.5' },
    lines: [{ ...lines[0], rate: '1', source: { document: id, line: 1 } }],
  });
  expect(await copied(back, 'saleCreditNote')).toMatchObject({ against: id, exchangeRate: '83.50' });
  await cancel(back, 'saleCreditNote');
  await cancel(id, 'overseasSale');
  expect((await copied(id, 'overseasSale'))['exchangeRate']).toBe('83.50');
});
