import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let none: Visitor;
let accountant: Visitor;
let bank = '';
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  none = await server.signIn('none@sharma.demo');
  accountant = await server.signIn('accountant@sharma.demo');
  bank = await shop.ledger('1121');
});
afterAll(() => server.stop());

type Rows = { readonly rows: readonly { readonly id: string; readonly values: Readonly<Record<string, unknown>> }[] };
const list = async (by: Visitor, master: string) => ((await by.ask('ListMasters', { master })) as Rows).rows;

test('without a grant, users and roles show only who asks', async () => {
  const all = await list(shop.owner, 'user');
  expect(all).toHaveLength(5);
  expect((await list(none, 'user')).map((u) => u.values.email)).toEqual(['none@sharma.demo']);
  expect(await list(shop.owner, 'role')).toHaveLength(4);
  expect(await list(none, 'role')).toEqual([]);
  const other = all.find((u) => u.values.email === 'owner@sharma.demo');
  for (const [call, refused] of [
    ['GetMaster', 404],
    ['GetHistory', 403],
  ] as const) {
    expect((await none.call(call, { master: 'user', id: other?.id ?? '' })).status).toBe(refused);
    expect((await shop.owner.call(call, { master: 'user', id: other?.id ?? '' })).status).toBe(200);
  }
});

test('without a grant, the credentials for the portal are not even named', async () => {
  expect(await shop.owner.ask('GetEInvoiceClientCredentails', {})).toHaveLength(2);
  expect(await none.ask('GetEInvoiceClientCredentails', {})).toEqual([]);
});

test('without a grant, the general ledger and the opening balances show only what one posted oneself', async () => {
  const { TransactionId, TransactionNumber } = await shop.post({
    kind: 'openingBalance',
    lines: [{ ledger: bank, debit: '500.00' }],
  });
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const filters = { ledger: bank, from: `${today.slice(0, 4)}-04-01`, to: today };
  const entries = async (by: Visitor) =>
    (
      (await by.ask('RunReport', { report: 'generalLedger', filters })) as { rows: { document?: string }[] }
    ).rows.filter((r) => r.document);
  expect((await entries(accountant)).map((r) => r.document)).toEqual([TransactionId]);
  expect(await entries(none)).toEqual([]);
  const documents = async (by: Visitor) =>
    ((await by.ask('GetTransationsList', { Type: 'openingBalance' })) as { rows: unknown[] }).rows;
  expect(await documents(accountant)).toHaveLength(1);
  expect(await documents(none)).toEqual([]);
  expect((await none.call('GetTransactionDetailForInvoice', { TransactionId })).status).toBe(404);
  expect((await accountant.call('GetTransactionDetailForInvoice', { TransactionId })).status).toBe(200);
  // by number: one that is somebody else's gets the answer of one that never was
  const byNumber = (InvoiceNo: string) =>
    none.call('GetTransactionDetails', { InvoiceNo, TransactionType: 'openingBalance' });
  for (const number of [TransactionNumber, 'NO-SUCH-1'])
    expect([number, await byNumber(number)]).toMatchObject([number, { status: 403, details: { code: 'noAccess' } }]);
});

const keep = async (by: Visitor) =>
  (await by.ask('AddTransactionDetails', { kind: 'quotation', body: { kind: 'quotation' } })) as {
    TransactionId: string;
    version: number;
  };

test('a draft is deleted by its author or by full rights on its kind; one of somebody else among several leaves all', async () => {
  const [mine, theirs] = [await keep(accountant), await keep(shop.owner)];
  const both = {
    TransactionIds: [mine.TransactionId, theirs.TransactionId],
    versions: [mine.version, theirs.version],
  };
  expect((await accountant.call('DeleteMultipleTransaction', both)).status).toBe(404);
  expect((await accountant.call('PostTransactionCalls', theirs)).status).toBe(404);
  expect(await shop.owner.ask('DeleteMultipleTransaction', both)).toEqual({ deleted: 2 });
  const again = await keep(accountant);
  const seen = { TransactionIds: [again.TransactionId], versions: [again.version] };
  // without the version that was seen nothing is deleted
  const unseen = { TransactionIds: seen.TransactionIds };
  expect((await accountant.call('DeleteMultipleTransaction', unseen as never)).status).toBe(422);
  expect(await accountant.ask('DeleteMultipleTransaction', seen)).toEqual({ deleted: 1 });
});

test('a document is made only from what one may read', async () => {
  const { TransactionId: from } = await shop.post({ kind: 'cashSale', lines: [{ item: shop.item, quantity: '1' }] });
  const role = (await shop.owner.ask('SaveMaster', {
    master: 'role',
    values: { name: 'Quotes', levels: { Quotation: 5001, 'Sale Return': 5001 } },
  })) as { id: string };
  const viewer = (await list(shop.owner, 'user')).find(
    (u) => u.values.email === 'viewer@sharma.demo',
  ) as Rows['rows'][0] & {
    version: number;
  };
  await shop.owner.ask('SaveMaster', {
    master: 'user',
    id: viewer.id,
    version: viewer.version,
    values: { ...viewer.values, roles: [role.id] },
  });
  const clerk = await server.signIn('viewer@sharma.demo');
  const copy = { from, kind: 'quotation', copy: true } as const;
  // as of a document that never was
  expect(await clerk.call('GetConversion', copy)).toMatchObject({ status: 404 });
  expect((await accountant.call('GetConversion', copy)).status).toBe(200);
});
