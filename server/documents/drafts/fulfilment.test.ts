import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../../contract/calls.ts';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { sealAll } from '../../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';

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
  by.call(name as 'GetSession', input as never);
const line = (quantity: string) => ({ item: shop.item, quantity, rate: '95' });
const post = async (kind: string, quantity: string, more: object = {}) =>
  (await shop.post({ kind, party: shop.customer, lines: [line(quantity)], ...more })).TransactionId;
const cancel = (id: string, kind: string) =>
  shop.owner.ask(
    'CancelTransaction',
    { TransactionIds: [id], TransactionType: kind, reason: 'typed twice', frees: true },
    crypto.randomUUID(),
  );

/** What is open of the lines of a document, as its view says, and as a document made from it would begin with. */
const openLines = async (TransactionId: string) =>
  (await ask<{ lines: { openQuantity: string }[] }>('GetTransactionDetailForInvoice', { TransactionId })).lines.map(
    ({ openQuantity }) => openQuantity,
  );
const offered = async (from: string, kind: string) =>
  (await ask<{ draft: { lines: { quantity: string }[] } }>('GetConversion', { from, kind })).draft.lines.map(
    ({ quantity }) => quantity,
  );

/** Where an order stands: in its view, in its list and by the call, which must be one. */
async function state(id: string, kind: string): Promise<string> {
  const { status, next } = await ask<{ status: string; next: unknown[] }>('GetTransactionDetailForInvoice', {
    TransactionId: id,
  });
  const { rows } = await ask<{ rows: { id: string; status: string }[] }>('GetTransationsList', {
    Type: kind,
    Status: status,
  });
  const fulfilment = await ask<{ status: string; fulfilled: boolean; left: string }>('VerifyOrderFulfiled', {
    OrderId: id,
  });
  expect(rows.find((r) => r.id === id)?.status).toBe(status);
  expect([fulfilment.status, fulfilment.fulfilled]).toEqual([status, status === 'fulfilled']);
  expect(next.length > 0).toBe(status !== 'fulfilled');
  return `${status}, ${fulfilment.left} left`;
}
const reserved = async () =>
  Number((await ask<{ reserved: string }>('GetInventoryQtyForTransactions', { item: shop.item })).reserved);

test('a quotation is carried out by an invoice that is named afterwards, as far as the quantities go', async () => {
  const QuoteId = await post('quotation', '10');
  expect(await state(QuoteId, 'quotation')).toBe('open, 10 left');
  const InvoiceId = await post('saleInvoice', '4');
  expect(await ask('UpdateQuotationOnInvoiceGeneration', { QuoteId, InvoiceId })).toMatchObject({
    status: 'partlyFulfilled',
    ordered: '10',
    carriedOut: '4',
    left: '6',
  });
  // said twice it is still one
  expect(await ask('UpdateQuotationOnInvoiceGeneration', { QuoteId, InvoiceId })).toMatchObject({ carriedOut: '4' });
  expect(await state(QuoteId, 'quotation')).toBe('partlyFulfilled, 6 left');
  const { rows } = await server.database.owner.query(
    `select count(*)::int as n from edit_log where relation = 'later_facts' and row_id = $1`,
    [InvoiceId],
  );
  expect(rows).toEqual([{ n: 1 }]);
  // what is cancelled carries out nothing, and an order that is carried out stays
  expect(await answer('CancelTransaction', { TransactionIds: [QuoteId], TransactionType: 'quotation' })).toMatchObject({
    status: 409,
    details: { code: 'notCancellable' },
  });
  await cancel(InvoiceId, 'saleInvoice');
  expect(await state(QuoteId, 'quotation')).toBe('open, 10 left');
  await cancel(QuoteId, 'quotation');
  expect(
    await answer('UpdateQuotationOnInvoiceGeneration', { QuoteId, InvoiceId: await post('saleInvoice', '1') }),
  ).toMatchObject({ status: 409, details: { code: 'alreadyCancelled' } });
});

test('an order holds stock until it is carried out, whichever way', async () => {
  const before = await reserved();
  const ofOrder = async () => (await reserved()) - before;
  const OrderId = await post('saleOrder', '10');
  expect(await ofOrder()).toBe(10);
  await post('saleInvoice', '3', { lines: [{ ...line('3'), source: { document: OrderId, line: 1 } }] });
  expect([await state(OrderId, 'saleOrder'), await ofOrder()]).toEqual(['partlyFulfilled, 7 left', 7]);
  const InvoiceId = await post('saleInvoice', '12');
  expect(await ask('UpdateOrderStatus', { OrderId, InvoiceId, Type: 'SO' })).toMatchObject({
    fulfilled: true,
    left: '0',
  });
  expect([await state(OrderId, 'saleOrder'), await ofOrder()]).toEqual(['fulfilled, 0 left', 0]);
  await cancel(InvoiceId, 'saleInvoice');
  expect([await state(OrderId, 'saleOrder'), await ofOrder()]).toEqual(['partlyFulfilled, 7 left', 7]);
});

test('of lines alike the first is served first, whether the lines were named or the whole order', async () => {
  const OrderId = await post('saleOrder', '5', { lines: [line('5'), line('4')] });
  await post('saleInvoice', '1', { lines: [{ ...line('1'), source: { document: OrderId, line: 2 } }] });
  await ask('UpdateOrderStatus', { OrderId, InvoiceId: await post('saleInvoice', '6') });
  expect(await openLines(OrderId)).toEqual(['0', '2']);
  expect(await offered(OrderId, 'saleInvoice')).toEqual(['2']);
});

test('a copy of a return names what it is against; of what was cancelled it continues what that had continued', async () => {
  const copy = async (from: string, kind: string) =>
    (
      await ask<{ draft: { against?: string; order?: string; lines: { source?: object }[] } }>('GetConversion', {
        ...{ from, kind },
        copy: true,
      })
    ).draft;
  const sale = await post('saleInvoice', '3');
  const source = { document: sale, line: 1 };
  const more = { against: sale, reason: 'damaged', lines: [{ ...line('1'), source }] };
  const back = await post('saleReturn', '1', more);
  expect(await copy(back, 'saleReturn')).toMatchObject({ against: sale, lines: [{ source }] });
  await shop.post(await copy(back, 'saleReturn'));

  const order = await post('saleOrder', '4');
  const made = { document: order, line: 1 };
  const invoice = await post('saleInvoice', '4', { lines: [{ ...line('4'), source: made }] });
  expect((await copy(invoice, 'saleInvoice')).lines.map((each) => each.source)).toEqual([undefined]);
  await cancel(invoice, 'saleInvoice');
  const again = await copy(invoice, 'saleInvoice');
  expect(again).toMatchObject({ lines: [{ source: made }] });
  const { TransactionId } = await shop.post(again);
  expect(await state(order, 'saleOrder')).toBe('fulfilled, 0 left');
  // what it continued is gone: it stands alone
  await cancel(TransactionId, 'saleInvoice');
  await cancel(order, 'saleOrder');
  expect((await copy(invoice, 'saleInvoice')).lines.map((each) => each.source)).toEqual([undefined]);
});

test('a document goes on only as what its party and what is open let be made, with the amount that is open', async () => {
  const next = async (TransactionId: string) =>
    (await ask<{ next: { kind: string }[] }>('GetTransactionDetailForInvoice', { TransactionId })).next.map(
      ({ kind }) => kind,
    );
  const abroad = { name: 'Berlin Licht', category: 'overseas', state: '96', country: 'DE', addresses: [] };
  const { id: party } = await ask<{ id: string }>('SaveMaster', { master: 'customer', values: abroad });
  expect(await next(await post('quotation', '1'))).not.toContain('overseasSale');
  const quoted = await next(await post('quotation', '1', { party }));
  expect(quoted).toContain('overseasSale');
  expect(quoted).not.toContain('saudiInvoice');

  const settled = async (from: string, kind: string) =>
    (await ask<{ draft: Record<string, unknown> }>('GetConversion', { from, kind })).draft;
  const sale = await post('saleInvoice', '1');
  expect(await next(sale)).toContain('saleReceipt');
  const moneyLedger = await shop.ledger('1110');
  await shop.post({ ...(await settled(sale, 'saleReceipt')), moneyLedger });
  expect(await next(sale)).not.toContain('saleReceipt');
  // an advance is used up by what is against it: it does not settle itself
  const advance = { lines: [], amount: '300.00', moneyLedger };
  const ahead = await post('advanceReceipt', '1', advance);
  expect(await settled(ahead, 'allocationVoucher')).toMatchObject({
    amount: '300.00',
    against: ahead,
    allocations: [],
  });
  // and its view shows what it settled
  const owed = await post('saleInvoice', '1');
  const adjusted = await shop.post({
    ...(await settled(ahead, 'allocationVoucher')),
    ...{ amount: '100.00', allocations: [{ document: owed, amount: '100.00' }] },
  });
  const { links } = await ask<{ links: { id: string; role: string; amount: string | null }[] }>(
    'GetTransactionDetailForInvoice',
    { TransactionId: adjusted.TransactionId },
  );
  expect(links.map(({ id, role, amount }) => [id, role, amount])).toEqual([
    [ahead, 'source', null],
    [owed, 'allocation', '100.00'],
  ]);
  // nobody knows how much of an order is paid in advance
  expect(await settled(await post('saleOrder', '1'), 'advanceReceipt')).not.toHaveProperty('amount');
});

test('an order to take goods back is carried out by the return that was made from it', async () => {
  const sale = await post('saleInvoice', '5');
  const order = await post('saleReturnOrder', '2', {
    against: sale,
    reason: 'damaged',
    lines: [{ ...line('2'), source: { document: sale, line: 1 } }],
  });
  expect(await state(order, 'saleReturnOrder')).toBe('open, 2 left');
  const { draft } = await ask<{ draft: Record<string, unknown> }>('GetConversion', { from: order, kind: 'saleReturn' });
  const one = { ...draft, lines: (draft.lines as object[]).map((l) => ({ ...l, quantity: '1' })) };
  await shop.post(one);
  expect(await state(order, 'saleReturnOrder')).toBe('partlyFulfilled, 1 left');
  // the line says so as well, and what is made of it next is what is left: neither all that was ordered nor all that was sold
  expect(await openLines(order)).toEqual(['1']);
  expect(await offered(order, 'saleReturn')).toEqual(['1']);
  // a return of the same goods that has nothing to do with the order leaves it open
  await post('saleReturn', '1', { against: sale, lines: [{ ...line('1'), source: { document: sale, line: 1 } }] });
  expect(await state(order, 'saleReturnOrder')).toBe('partlyFulfilled, 1 left');
  const { TransactionId } = await shop.post(one);
  expect(await state(order, 'saleReturnOrder')).toBe('fulfilled, 0 left');
  await cancel(TransactionId, 'saleReturn');
  expect(await state(order, 'saleReturnOrder')).toBe('partlyFulfilled, 1 left');
});

test('what does not belong together is not linked', async () => {
  const OrderId = await post('saleOrder', '1');
  const values = {
    name: 'Tamil Stores',
    category: 'unregistered',
    state: '33',
    addresses: [{ line1: '1 Hill Road', city: 'Chennai', state: '33', pincode: '600001' }],
  };
  const { id: party } = await ask<{ id: string }>('SaveMaster', { master: 'customer', values });
  const [theirs, receipt, mine] = [
    await post('saleInvoice', '1', { party }),
    await post('saleReceipt', '1', { lines: [], amount: '5.00', moneyLedger: await shop.ledger('1121') }),
    await post('saleInvoice', '1'),
  ];
  expect(await answer('UpdateOrderStatus', { OrderId, InvoiceId: theirs })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'InvoiceId' }] },
  });
  expect((await answer('UpdateOrderStatus', { OrderId, InvoiceId: receipt })).status).toBe(404);
  // what is no order is not found, nor what belongs to another organisation
  expect((await answer('VerifyOrderFulfiled', { OrderId: mine })).status).toBe(404);
  const nova = await server.signIn('owner@nova.demo');
  for (const [name, input] of [
    ['VerifyOrderFulfiled', { OrderId }],
    ['UpdateOrderStatus', { OrderId, InvoiceId: mine }],
    ['TaxCalculationForOMS', { OrderId }],
  ] as const)
    expect((await answer(name, input, nova)).status).toBe(404);
  expect((await answer('UpdateOrderStatus', { OrderId, InvoiceId: mine, Type: 'QT' })).status).toBe(404);
  // nor by a document that says so itself
  const { today } = await ask<{ today: string }>('GetSession', {});
  const whole = { kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer, lines: [line('1')] };
  for (const more of [{ order: mine }, { order: crypto.randomUUID() }, { order: OrderId, party }])
    expect(
      await shop.owner.call('PostTransactionCalls', { document: { ...whole, ...more } } as never, crypto.randomUUID()),
    ).toMatchObject({ status: 422, details: { problems: [{ field: 'order' }] } });
  await ask('UpdateOrderStatus', { OrderId, InvoiceId: mine });
  expect(await answer('UpdateOrderStatus', { OrderId: await post('saleOrder', '1'), InvoiceId: mine })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'InvoiceId' }] },
  });
});

test('the tax of an order is that of what is left of it, or of a draft', async () => {
  const OrderId = await post('saleOrder', '10');
  await post('saleInvoice', '4', { lines: [{ ...line('4'), source: { document: OrderId, line: 1 } }] });
  expect(await ask('TaxCalculationForOMS', { OrderId })).toMatchObject({
    priced: { taxable: '570.00', cgst: '51.30', sgst: '51.30', total: '673.00' },
    problems: [],
  });
  const { today } = await ask<{ today: string }>('GetSession', {});
  const draft = { kind: 'saleOrder', date: today, ...shop.place, lines: [line('1')] };
  expect(await ask('TaxCalculationForOMS', { draft })).toMatchObject({
    priced: { taxable: '95.00' },
    problems: [{ field: 'party' }],
  });
  expect(await answer('TaxCalculationForOMS', {})).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'OrderId' }] },
  });
});

test('a document is not continued as what nothing of its quantities is left for; what is named can be made', async () => {
  const view = (TransactionId: string) =>
    ask<{ status: string; next: { kind: string }[] }>('GetTransactionDetailForInvoice', { TransactionId });
  const next = async (id: string) => (await view(id)).next.map(({ kind }) => kind);
  const back = async (from: string, kind: string, quantity?: string) => {
    const { draft } = await ask<{ draft: { lines: object[] } }>('GetConversion', { from, kind });
    const lines = draft.lines.map((line) => ({ ...line, ...(quantity && { quantity }) }));
    return (await shop.post({ ...draft, kind, reason: 'Others', lines })).TransactionId;
  };
  const named = async (id: string) => {
    for (const kind of await next(id)) await ask('GetConversion', { from: id, kind });
    return next(id);
  };
  const sale = await post('saleInvoice', '2');
  await back(sale, 'saleReturn', '1');
  expect(await named(sale)).toEqual(expect.arrayContaining(['saleReturn', 'saleCreditNote', 'saleReturnOrder']));
  // the rest is asked for back, and comes back beside what asked for it
  const order = await back(sale, 'saleReturnOrder');
  expect(await named(order)).toContain('saleReturn');
  const rest = await back(sale, 'saleReturn');
  for (const kind of ['saleReturn', 'saleCreditNote']) expect(await named(sale)).not.toContain(kind);
  expect((await view(order)).status).toBe('open');
  expect(await named(order)).not.toContain('saleReturn');
  await cancel(rest, 'saleReturn');
  expect(await named(sale)).toContain('saleReturn');
  expect(await named(order)).toContain('saleReturn');
});
