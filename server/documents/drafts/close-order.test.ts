import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../../contract/calls.ts';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { sealAll } from '../../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { standingOn } from '../posting/cancelling/cancel.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

const ask = async <T>(name: CallName, input: object) =>
  (await shop.owner.ask(name as 'GetSession', input as never)) as unknown as T;
const answer = (name: CallName, input: object, by: Visitor = shop.owner) =>
  by.call(name as 'GetSession', input as never, crypto.randomUUID());
const line = (quantity: string) => ({ item: shop.item, quantity, rate: '95' });
const post = async (kind: string, more: object) =>
  (await shop.post({ kind, party: shop.customer, ...more })).TransactionId;
const deliver = (order: string, quantity: string, at = 1) =>
  post('saleInvoice', { lines: [{ ...line(quantity), source: { document: order, line: at } }] });
const cancel = (id: string, kind: string) =>
  answer('CancelTransaction', { TransactionIds: [id], TransactionType: kind, reason: 'typed twice', frees: true });
const view = (id: string) =>
  ask<{
    status: string;
    next: unknown[];
    lines: { openQuantity: string; closed: string | null }[];
    timeline: { what: string }[];
  }>('GetTransactionDetailForInvoice', { TransactionId: id });
const reserved = async () =>
  Number((await ask<{ reserved: string }>('GetInventoryQtyForTransactions', { item: shop.item })).reserved);
const listed = async (Status: string) =>
  (await ask<{ rows: { id: string }[] }>('GetTransationsList', { Type: 'saleOrder', Status })).rows.map((r) => r.id);

test('what is left of an order is given up with a reason, held no more, and asked for again', async () => {
  const before = await reserved();
  const id = await post('saleOrder', { lines: [line('10'), line('6')] });
  await deliver(id, '4');
  expect(await reserved()).toBe(before + 12);
  expect(await ask('CloseOrder', { TransactionId: id, lines: [1], reason: 'Not made any more' })).toMatchObject({
    status: 'partlyFulfilled',
    ordered: '16',
    carriedOut: '4',
    closed: '6',
    left: '6',
  });
  expect(await reserved()).toBe(before + 6);
  // only the other line is continued, and no document takes from the one that was given up
  const { draft } = await ask<{ draft: { lines: { source: { line: number } }[] } }>('GetConversion', {
    from: id,
    kind: 'saleInvoice',
  });
  expect(draft.lines.map((l) => l.source.line)).toEqual([2]);
  expect(
    await answer('PostTransactionCalls', {
      document: {
        ...draft,
        lines: [{ ...line('1'), source: { document: id, line: 1 } }],
      },
    }),
  ).toMatchObject({ status: 422, details: { problems: [{ field: 'lines.quantity', row: 0 }] } });
  await ask('CloseOrder', { TransactionId: id, reason: 'Customer bought elsewhere' });
  expect(await reserved()).toBe(before);
  const closed = await view(id);
  expect([closed.status, closed.next]).toEqual(['closed', []]);
  expect(closed.lines.map((l) => [l.openQuantity, l.closed])).toEqual([
    ['0', 'Not made any more'],
    ['0', 'Customer bought elsewhere'],
  ]);
  expect(closed.timeline.map((t) => t.what)).toEqual([
    'Posted',
    'Line 1 closed: Not made any more',
    'Closed: Customer bought elsewhere',
  ]);
  expect([(await listed('closed')).includes(id), (await listed('partlyFulfilled')).includes(id)]).toEqual([
    true,
    false,
  ]);
  // nothing is left to give up, and nothing to continue
  expect(await answer('CloseOrder', { TransactionId: id, reason: 'Again' })).toMatchObject({
    status: 409,
    details: { code: 'nothingLeft' },
  });
  expect(await answer('GetConversion', { from: id, kind: 'saleInvoice' })).toMatchObject({ status: 409 });
  expect(await ask('ReopenOrder', { TransactionId: id, lines: [2], reason: 'They came back' })).toMatchObject({
    status: 'partlyFulfilled',
    left: '6',
  });
  expect(await reserved()).toBe(before + 6);
  await deliver(id, '6', 2);
  expect((await view(id)).status).toBe('closed');
  expect(await ask('ReopenOrder', { TransactionId: id })).toMatchObject({ left: '6', closed: '0' });
  expect(await answer('ReopenOrder', { TransactionId: id })).toMatchObject({
    status: 409,
    details: { code: 'cannotChange' },
  });
});

test('an order of which nothing came is closed too; a delivery that is cancelled after it leaves it closed', async () => {
  const none = await post('saleOrder', { lines: [line('3')] });
  await ask('CloseOrder', { TransactionId: none, reason: 'Too dear' });
  expect([(await view(none)).status, (await listed('open')).includes(none)]).toEqual(['closed', false]);
  const some = await post('saleOrder', { lines: [line('3')] });
  const sale = await deliver(some, '1');
  await ask('CloseOrder', { TransactionId: some, reason: 'Too dear' });
  await cancel(sale, 'saleInvoice');
  expect((await view(some)).status).toBe('closed');
  // it can be cancelled now, and then is neither closed nor reopened
  expect((await cancel(some, 'saleOrder')).status).toBe(200);
  expect(await answer('CloseOrder', { TransactionId: some, reason: 'x' })).toMatchObject({
    details: { code: 'alreadyCancelled' },
  });
});

test('closing is for approvers, of orders, with a reason, in their own organisation', async () => {
  const id = await post('saleOrder', { lines: [line('3')] });
  const sale = await post('saleInvoice', { lines: [line('1')] });
  expect(await answer('CloseOrder', { TransactionId: id, reason: '' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'reason' }] },
  });
  expect(await answer('CloseOrder', { TransactionId: id, lines: [7], reason: 'x' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'lines' }] },
  });
  expect((await answer('CloseOrder', { TransactionId: sale, reason: 'x' })).status).toBe(404);
  const accountant = await server.signIn('accountant@sharma.demo');
  expect((await answer('CloseOrder', { TransactionId: id, reason: 'x' }, accountant)).status).toBe(403);
  const nova = await server.signIn('owner@nova.demo');
  expect((await answer('CloseOrder', { TransactionId: id, reason: 'x' }, nova)).status).toBe(404);
  const approver = await server.signIn('approver@sharma.demo');
  expect((await answer('CloseOrder', { TransactionId: id, reason: 'x' }, approver)).status).toBe(200);
});

test('a document cannot be cancelled while another refers to it, even when no line does', async () => {
  // the database knows the same kinds
  const { rows } = await server.database.owner.query('select kinds_against() as kinds');
  expect([...rows[0].kinds].sort()).toEqual([...standingOn].sort());

  const sale = await post('saleInvoice', { lines: [line('2')] });
  const note = await post('saleDebitNote', { against: sale, reason: 'Freight', lines: [line('1')] });
  expect(await cancel(sale, 'saleInvoice')).toMatchObject({ status: 409, details: { code: 'notCancellable' } });
  await cancel(note, 'saleDebitNote');
  expect((await cancel(sale, 'saleInvoice')).status).toBe(200);

  const advance = await post('advanceReceipt', {
    lines: [],
    amount: '118.00',
    advanceRate: '18',
    moneyLedger: await shop.ledger('1121'),
  });
  const back = await post('advanceRefund', {
    lines: [],
    against: advance,
    amount: '118.00',
    advanceRate: '18',
    moneyLedger: await shop.ledger('1121'),
  });
  // else the tax of the advance would be given back twice
  expect(await cancel(advance, 'advanceReceipt')).toMatchObject({
    status: 409,
    details: { code: 'notCancellable' },
  });
  await cancel(back, 'advanceRefund');
  expect((await cancel(advance, 'advanceReceipt')).status).toBe(200);

  // what was paid for it stands by itself: its money stays with the customer
  const paid = await post('saleInvoice', { lines: [line('1')] });
  await post('saleReceipt', {
    lines: [],
    against: paid,
    amount: '50.00',
    moneyLedger: await shop.ledger('1121'),
    allocations: [{ document: paid, amount: '50.00' }],
  });
  expect((await cancel(paid, 'saleInvoice')).status).toBe(200);
});
