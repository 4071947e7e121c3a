import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let receiver: Visitor;
const places: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  Object.assign(places, server.organisations[0]?.locations);
  const owner = server.database.owner;
  // the accountant works in Pune only
  await owner.query(
    `
      insert into user_locations (organisation, "user", location)
      select organisation, id, $1
      from users
      where email = 'accountant@sharma.demo'
    `,
    [places.PUN],
  );
  receiver = await server.signIn('accountant@sharma.demo');
});
afterAll(() => server.stop());

test('the receiver finds the transfer in transit, and the receipt is the receiver’s own bill', async () => {
  const sent = await shop.post({
    kind: 'branchTransfer',
    toLocation: places.PUN,
    lines: [{ item: shop.item, quantity: '4', rate: '60' }],
  });
  const listed = (await receiver.ask('GetTransationsList', { Type: 'branchTransfer' })) as { rows: { id: string }[] };
  expect(listed.rows.map((r) => r.id)).toEqual([sent.TransactionId]);
  await receiver.ask('GetTransactionDetailForInvoice', { TransactionId: sent.TransactionId });
  const { draft } = (await receiver.ask('GetConversion', { from: sent.TransactionId, kind: 'transferReceipt' })) as {
    draft: Record<string, unknown>;
  };
  const own = server.organisations[0]?.registrations;
  expect(draft).toMatchObject({ location: places.PUN, registration: own?.MH, toRegistration: own?.KA });
  const came = (await receiver.ask('PostTransactionCalls', { document: draft } as never, crypto.randomUUID())) as {
    TransactionId: string;
  };
  const { entries } = (await receiver.ask('GetTransactionDetailForInvoice', {
    TransactionId: came.TransactionId,
  })) as { entries: { code: string; debit: string; credit: string }[] };
  expect(entries.map((e) => [e.code, e.debit, e.credit])).toEqual([
    ['5340', '240.00', '0.00'],
    ['1413', '43.20', '0.00'],
    ['1560', '0.00', '283.20'],
  ]);
  const again = await receiver.call('GetConversion', { from: sent.TransactionId, kind: 'transferReceipt' });
  expect(again.status).toBe(409);
});

test('a return order becomes a return of what was sold, at the cost it left, and no more than was ordered', async () => {
  const sale = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '5', rate: '95' }],
  });
  const convert = async (from: string, kind: string) =>
    ((await shop.owner.ask('GetConversion', { from, kind })) as { draft: { lines: { quantity: string }[] } }).draft;
  const asked = await convert(sale.TransactionId, 'saleReturnOrder');
  const order = await shop.post({ ...asked, lines: asked.lines.map((l) => ({ ...l, quantity: '2' })) });
  const back = await convert(order.TransactionId, 'saleReturn');
  expect(back).toMatchObject({
    against: sale.TransactionId,
    lines: [{ quantity: '2', source: { document: sale.TransactionId, line: 1 } }],
  });
  const came = await shop.post({ ...back, reason: 'Sales return' });
  const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: came.TransactionId })) as {
    movements: { quantity: string; cost: string }[];
  };
  expect(view.movements).toMatchObject([{ quantity: '2', cost: '120.00' }]);
});
