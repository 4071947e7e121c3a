import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let paint = '';
let room = '';
beforeAll(async () => {
  server = await testServer();
  const nova = { email: 'owner@nova.demo', organisation: 1, registration: 'TN', location: 'CHN' };
  shop = await openShop(server, nova);
  const save = async (master: string, values: object) =>
    ((await shop.owner.ask('SaveMaster', { master, values: { ...values } })) as { id: string }).id;
  room = await save('warehouse', { code: 'BACK', name: 'Back room', location: shop.place.location, type: 'own' });
  paint = await save('item', {
    ...{ sku: 'PAINT', name: 'Paint', type: 'stock', unit: 'NOS', hsn: '3208', gstRate: '18', treatment: 'taxable' },
    ...{ batched: true, purchaseRate: '40', saleRate: '60' },
  });
  await shop.post({
    kind: 'openingStock',
    lines: [
      {
        ...{ item: paint, quantity: '15', rate: '40', room },
        batches: [
          { batch: 'LATE', quantity: '10', expiry: '2099-01-01' },
          { batch: 'SOON', quantity: '5', expiry: '2098-01-01' },
        ],
      },
    ],
  });
});
afterAll(() => server.stop());
const ask = (call: string, input: object) => shop.owner.ask(call as 'Pick', input as never) as Promise<unknown>;
const change = (call: string, input: object) =>
  shop.owner.ask(call as 'Pick', input as never, randomUUID()) as Promise<Record<string, unknown>>;

test('what is on hand, held by an order, and free; freeing it leaves the order', async () => {
  const order = await shop.post({
    kind: 'saleOrder',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '30', rate: '95' }],
  });
  const standing = { item: shop.item, sku: 'LED-9W', onHand: '100', reserved: '30', available: '70' };
  expect(await ask('GetInventoryQtyForTransactions', { item: shop.item })).toEqual(standing);
  const items = [shop.item, paint, randomUUID()];
  expect(await ask('GetInventoryQtyListForTransactionsSP', { items, location: shop.place.location })).toEqual([
    standing,
    { item: paint, sku: 'PAINT', onHand: '15', reserved: '0', available: '15' },
  ]);
  expect(await ask('IsInventoryAllocated', { item: shop.item })).toEqual({ allocated: true, reserved: '30' });
  const { draft } = (await ask('GetConversion', { from: order.TransactionId, kind: 'saleInvoice' })) as {
    draft: { lines: object[] };
  };
  await shop.post({ ...draft, lines: draft.lines.map((line) => ({ ...line, quantity: '10' })) });
  expect(await ask('GetInventoryQtyForTransactions', { item: shop.item })).toMatchObject({
    ...{ onHand: '90', reserved: '20', available: '70' },
  });
  expect(await change('ReleaseInventory', { TransactionId: order.TransactionId })).toEqual([
    { item: shop.item, quantity: '20' },
  ]);
  expect(await ask('IsInventoryAllocated', { item: shop.item })).toEqual({ allocated: false, reserved: '0' });
  expect(await change('ReleaseInventory', { TransactionId: order.TransactionId })).toEqual([]);
});

test('batches by expiry, verified one by one, and whether a SKU is enough', async () => {
  expect(await ask('GetItemBatchSerial', { item: paint })).toEqual({
    batches: [
      { batch: 'SOON', expiry: '2098-01-01', expired: false, quantity: '5' },
      { batch: 'LATE', expiry: '2099-01-01', expired: false, quantity: '10' },
    ],
    serials: [],
  });
  expect(await ask('VerifylotSeriesNo', { item: paint, lots: 'late, none' })).toEqual([
    { lot: 'LATE', known: true, quantity: '10', expiry: '2099-01-01' },
    { lot: 'NONE', known: false, quantity: '0', expiry: null },
  ]);
  const lines = [
    { sku: 'paint', quantity: '15' },
    { sku: 'PAINT', quantity: '15.5' },
    { sku: 'NO-SUCH', quantity: '1' },
  ];
  expect(await ask('CheckUpdatedInventoryForItemSKU', { lines })).toEqual([
    { sku: 'paint', item: paint, onHand: '15', enough: true },
    { sku: 'PAINT', item: paint, onHand: '15', enough: false },
    { sku: 'NO-SUCH', item: null, onHand: '0', enough: false },
  ]);
});

test('stock rooms: where they are, what is in them, and what can come back to them', async () => {
  const { location } = shop.place;
  expect(await ask('GetPhysicalLocationIdForStockRoom', { room })).toEqual({ location });
  expect(await ask('GetItemQtyForStockRoom', { room, item: paint })).toEqual({ quantity: '15' });
  const sale = await shop.post({
    ...{ kind: 'saleInvoice', party: shop.customer },
    lines: [{ item: paint, quantity: '4', rate: '60', room, batches: [{ batch: 'SOON', quantity: '4' }] }],
  });
  expect(await ask('GetStockRoomWiseNewQtyForInvoiceReturns', { TransactionId: sale.TransactionId })).toEqual([
    { line: 1, item: paint, room, roomName: 'Back room', quantity: '4', left: '4' },
  ]);
  expect(await ask('GetItemQtyForStockRoom', { room, item: paint })).toEqual({ quantity: '11' });
  const { rows } = (await ask('PhysicalLocationInventory', { location })) as {
    rows: { sku: string; quantity: string }[];
  };
  expect(rows.find((r) => r.sku === 'PAINT')?.quantity).toBe('11');
  const back = await change('CancelInvoiceListScreen', {
    ...{ TransactionType: 'saleInvoice', TransactionIds: [sale.TransactionId], reason: 'typed twice' },
  });
  expect(back.cancelled).toHaveLength(1);
});

test('an adjustment is posted with its reason, once for a key, and taken back; a draft goes with it', async () => {
  const today = ((await ask('GetSession', {})) as { today: string }).today;
  const input = {
    ...{ ...shop.place, date: today, reason: 'Damage' },
    lines: [{ item: paint, delta: '-2', room, batches: [{ batch: 'LATE', quantity: '2' }] }],
  };
  const key = randomUUID();
  const first = await shop.owner.ask('CUDInventory' as 'Pick', input as never, key);
  expect(await shop.owner.ask('CUDInventory' as 'Pick', input as never, key)).toEqual(first);
  expect(await ask('GetItemQtyForStockRoom', { room, item: paint })).toEqual({ quantity: '13' });
  const { TransactionId } = first as unknown as { TransactionId: string };
  const draft = (await ask('AddTransactionDetails', { kind: 'inventoryAdjustment', body: {} })) as {
    TransactionId: string;
    version: number;
  };
  const asked = { TransactionIds: [TransactionId, draft.TransactionId], reason: 'wrong item' };
  const takeBack = (versions?: readonly number[]) =>
    shop.owner.call(
      'CancelOrDeleteTransactionInventory' as 'Pick',
      { ...asked, ...(versions && { versions }) } as never,
      randomUUID(),
    );
  // without a version, with one that is not the draft's, and with one for what is posted: nothing is cancelled, nothing is deleted
  expect(await takeBack()).toMatchObject({ status: 422, details: { problems: [{ field: 'versions' }] } });
  expect(await takeBack([0, draft.version + 1])).toMatchObject({ status: 409, details: { code: 'stale' } });
  expect(await takeBack([1, draft.version])).toMatchObject({ status: 409, details: { code: 'alreadyPosted' } });
  expect(await ask('GetItemQtyForStockRoom', { room, item: paint })).toEqual({ quantity: '13' });
  const gone = await change('CancelOrDeleteTransactionInventory', { ...asked, versions: [0, draft.version] });
  expect(gone).toMatchObject({ deleted: 1, cancelled: [{ TransactionId }] });
  expect(await ask('GetItemQtyForStockRoom', { room, item: paint })).toEqual({ quantity: '15' });
  const refused = await shop.owner.call(
    'CUDInventory' as 'Pick',
    { ...input, lines: [{ item: paint, delta: '-20', room, batches: [{ batch: 'LATE', quantity: '20' }] }] } as never,
    randomUUID(),
  );
  expect(refused.status).toBeGreaterThanOrEqual(409);
});

test('another organisation’s item, order and room are not there', async () => {
  const stranger = await server.signIn('owner@sharma.demo');
  for (const [call, input] of [
    ['GetInventoryQtyForTransactions', { item: paint }],
    ['GetItemBatchSerial', { item: paint }],
    ['GetPhysicalLocationIdForStockRoom', { room }],
    ['PhysicalLocationInventory', { location: shop.place.location }],
  ] as const)
    expect((await stranger.call(call as 'Pick', input as never)).status).toBe(404);
});
