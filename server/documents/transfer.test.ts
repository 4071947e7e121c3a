import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

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
    `insert into user_locations (organisation, "user", location) select organisation, id, $1 from users where email = 'accountant@sharma.demo'`,
    [places.PUN],
  );
  receiver = await server.signIn('accountant@sharma.demo');
});
afterAll(() => server.stop());

test('the receiver finds what is on its way to him, and what he receives is his own bill', async () => {
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
