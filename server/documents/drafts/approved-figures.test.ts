import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../../contract/calls.ts';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { sealAll } from '../../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';

// A document is posted with the figures that it was sent for approval with, or not at all: what it takes from the masters may
// change while it waits.
let server: TestServer;
let shop: Shop;
let today: string;
let accountant: Visitor;
let approver: Visitor;
let supplier: string;

const rules = ['saleInvoice', 'overseasSale', 'purchaseBill', 'inventoryAdjustment'].map((kind) => ({
  ...{ kind, from: '100' },
}));

beforeAll(async () => {
  server = await testServer({ autoRoundOffTotals: false, isMultiCurrency: true });
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  [accountant, approver] = (await Promise.all(
    ['accountant', 'approver'].map((name) => server.signIn(`${name}@sharma.demo`)),
  )) as [Visitor, Visitor];
  supplier = (await save('supplier', { name: 'Bright Lamps', category: 'unregistered', state: '29' })).id;
  await ask('SaveGeneralConfigDetails', { values: { approvals: rules } }, shop.owner);
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

interface Kept {
  readonly TransactionId: string;
  readonly version: number;
}
interface Record_ {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}
type Fields = Readonly<Record<string, unknown>>;
const call = (name: CallName, input: object, by: Visitor = accountant) =>
  by.call(name as 'GetSession', input as never, randomUUID());
const ask = async <T>(name: CallName, input: object, by: Visitor = accountant) =>
  (await by.ask(name as 'GetSession', input as never, randomUUID())) as unknown as T;
const save = (master: string, values: Fields) => ask<Record_>('SaveMaster', { master, values }, shop.owner);
/** Changes fields of a record of a master, and leaves the others as they are. */
const change = async (master: string, id: string, values: Fields) => {
  const was = await ask<Record_>('GetMaster', { master, id }, shop.owner);
  await ask('SaveMaster', { master, id, version: was.version, values: { ...was.values, ...values } }, shop.owner);
  return was.values;
};

/** Ten bulbs whose rate nobody typed: ₹1,121.00. */
const tenBulbs = (more: Fields = {}) => ({
  ...{ kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer },
  lines: [{ item: shop.item, quantity: '10' }],
  ...more,
});
const sent = async (body: Fields) =>
  ask<Kept>('SubmitForApproval', await ask<Kept>('AddTransactionDetails', { kind: body['kind'], body }));
const approve = (which: Kept) => call('PostTransactionCalls', which, approver);
const totalOf = async (which: Kept) => ((await approve(which)).details as { total: string }).total;
const view = (id: string, by: Visitor = approver) =>
  ask<{ approval: { state: string; changed: string | null } | null; priced: { total: string } | null }>(
    'GetTransactionDetailForInvoice',
    { TransactionId: id },
    by,
  );
const refusal = (changed: string) => ({
  status: 409,
  message: `The figures of this document have changed since it was sent for approval: ${changed}. Reject it, so that its author looks at it and sends it again`,
  details: { code: 'sentFiguresChanged' },
});

test('an item that costs something else by now: refused with both totals, sent back, sent again and posted', async () => {
  const waiting = await sent(tenBulbs());
  expect(await view(waiting.TransactionId)).toMatchObject({
    approval: { changed: null },
    priced: { total: '1121.00' },
  });
  const was = await change('item', shop.item, { saleRate: '9.50' });
  const changed = '₹1,121.00 then, ₹112.10 now';
  expect(await approve(waiting)).toMatchObject(refusal(changed));
  // below the amount of the rule too
  await change('item', shop.item, { saleRate: '0.95' });
  expect(await approve(waiting)).toMatchObject(refusal('₹1,121.00 then, ₹11.22 now'));
  await change('item', shop.item, { saleRate: '9.50' });
  // nothing is in the books, and the draft waits
  const shown = await view(waiting.TransactionId);
  expect(shown).toMatchObject({ approval: { state: 'requested', changed }, priced: { total: '112.10' } });
  expect((await view(waiting.TransactionId, accountant)).approval).toMatchObject({ changed });
  const back = await ask<Kept>('RejectDocument', { ...waiting, comment: 'Look at its rate' }, approver);
  const again = await ask<Kept>('SubmitForApproval', back);
  expect((await view(waiting.TransactionId)).approval).toMatchObject({ state: 'requested', changed: null });
  expect(await totalOf(again)).toBe('112.10');
  await change('item', shop.item, was);
});

test('a rate that was changed and changed back hinders nothing; nor does what was typed', async () => {
  const [typed, untyped] = [
    await sent(tenBulbs({ lines: [{ item: shop.item, quantity: '10', rate: '95' }] })),
    await sent(tenBulbs()),
  ];
  const was = await change('item', shop.item, { saleRate: '20' });
  expect(await totalOf(typed)).toBe('1121.00');
  await change('item', shop.item, was);
  expect(await totalOf(untyped)).toBe('1121.00');
});

test('the rate of tax of the item', async () => {
  const waiting = await sent(tenBulbs());
  const was = await change('item', shop.item, { gstRate: '5' });
  expect(await approve(waiting)).toMatchObject(refusal('₹1,121.00 then, ₹997.50 now'));
  await change('item', shop.item, was);
});

test('the state of the party: the total is the same, the tax goes to another head', async () => {
  const party = (await save('customer', { name: 'Moving Lamps', category: 'unregistered', state: '29' })).id;
  const waiting = await sent(tenBulbs({ party }));
  await change('customer', party, { state: '27' });
  expect(await approve(waiting)).toMatchObject(
    refusal('the total is ₹1,121.00 as before, CGST ₹85.50 then, ₹0.00 now'),
  );
});

test('the price list of the party', async () => {
  const list = await save('priceList', {
    ...{ code: 'FRIENDS', name: 'Friends', side: 'sale' },
    prices: [{ item: shop.item, rate: '90' }],
  });
  const values = { name: 'Listed Lamps', category: 'unregistered', state: '29', priceList: list.id };
  const waiting = await sent(tenBulbs({ party: (await save('customer', values)).id }));
  await change('priceList', list.id, { prices: [{ item: shop.item, rate: '80' }] });
  expect(await approve(waiting)).toMatchObject(refusal('₹1,062.00 then, ₹944.00 now'));
});

test('how totals are rounded', async () => {
  const waiting = await sent(tenBulbs({ lines: [{ item: shop.item, quantity: '3' }] }));
  await ask('SaveGeneralConfigDetails', { values: { autoRoundOffTotals: true } }, shop.owner);
  expect(await approve(waiting)).toMatchObject(refusal('₹336.30 then, ₹336.00 now'));
  await ask('SaveGeneralConfigDetails', { values: { autoRoundOffTotals: false } }, shop.owner);
  expect(await totalOf(waiting)).toBe('336.30');
});

test('the rate of exchange of the day', async () => {
  const rate = (await ask(
    'SaveExchangeRate',
    { currency: 'USD', date: today, purpose: 'book', rate: '83', source: 'RBI' },
    shop.owner,
  )) as Record_;
  const values = { name: 'Far Lamps', category: 'overseas', country: 'US', state: '96', currency: 'USD' };
  const party = (await save('customer', values)).id;
  const waiting = await sent(
    tenBulbs({ kind: 'overseasSale', party, currency: 'USD', lines: [{ item: shop.item, quantity: '10', rate: '1' }] }),
  );
  await ask(
    'SaveExchangeRate',
    {
      ...{ id: rate.id, version: rate.version },
      currency: 'USD',
      date: today,
      purpose: 'book',
      rate: '84',
      source: 'RBI',
    },
    shop.owner,
  );
  expect(await approve(waiting)).toMatchObject(refusal('₹830.00 then, ₹840.00 now'));
});

test('income-tax that is deducted, which hangs on what was paid before', async () => {
  const bill = (rate: string) => ({
    ...{ kind: 'purchaseBill', date: today, ...shop.place, party: supplier, reference: randomUUID().slice(0, 12) },
    ...{ tdsSection: '194C', lines: [{ item: shop.item, quantity: '1', rate }] },
  });
  const waiting = await sent(bill('20000'));
  await ask('SaveGeneralConfigDetails', { values: { approvals: [] } }, shop.owner);
  await ask('PostTransactionCalls', { document: bill('90000') }, shop.owner);
  const answer = await approve(waiting);
  expect(answer).toMatchObject({ status: 409, details: { code: 'sentFiguresChanged' } });
  expect(answer.message).toMatch(/the total is ₹20,000\.00 as before, TDS ₹0\.00 then, ₹[1-9][\d,]*\.00 now/);
  await ask('SaveGeneralConfigDetails', { values: { approvals: rules } }, shop.owner);
});

test('what goods cost is known when they move: it hinders nothing; a rate at which goods come in does', async () => {
  const change_ = (adjustmentReason: string, delta: string) => ({
    ...{ kind: 'inventoryAdjustment', date: today, ...shop.place, fields: { adjustmentReason } },
    lines: [{ item: shop.item, delta }],
  });
  const [away, found] = [await sent(change_('Sample', '-5')), await sent(change_('Found', '10'))];
  await ask('SaveGeneralConfigDetails', { values: { approvals: [] } }, shop.owner);
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '100', rate: '75' }] });
  await ask('SaveGeneralConfigDetails', { values: { approvals: rules } }, shop.owner);
  expect((await approve(away)).status).toBe(200);
  const was = await change('item', shop.item, { purchaseRate: '61' });
  expect(await approve(found)).toMatchObject(refusal('goods that come in ₹600.00 then, ₹610.00 now'));
  await change('item', shop.item, was);
  expect((await approve(found)).status).toBe(200);
});

test('a rule that is taken away leaves what waits with its figures', async () => {
  const waiting = await sent(tenBulbs());
  await ask('SaveGeneralConfigDetails', { values: { approvals: [] } }, shop.owner);
  const was = await change('item', shop.item, { saleRate: '9.50' });
  expect(await approve(waiting)).toMatchObject(refusal('₹1,121.00 then, ₹112.10 now'));
  await change('item', shop.item, was);
  await ask('SaveGeneralConfigDetails', { values: { approvals: rules } }, shop.owner);
});

test('the database holds it: figures stay as they were sent, and go with the approval; without them nothing is approved', async () => {
  const waiting = await sent(tenBulbs());
  const id = waiting.TransactionId;
  const owner = (text: string) => server.database.owner.query(text, [id]);
  await expect(owner(`update drafts set figures = '{"total": 1}' where id = $1`)).rejects.toMatchObject({
    constraint: 'drafts_waiting',
  });
  await expect(owner('update drafts set figures = null where id = $1')).rejects.toMatchObject({
    code: '23514',
  });
  await expect(
    owner(
      `
        insert into approvals (organisation, document, submitted_by, submitted_at, approved_by, figures)
        select d.organisation, d.id, d.author, d.submitted_at, u.id, '{"total": 1}'
        from drafts d
        join users u on u.organisation = d.organisation and u.id <> d.author
        where d.id = $1
        limit 1
      `,
    ),
  ).rejects.toMatchObject({ constraint: 'approvals_of_draft' });
  expect(await totalOf(waiting)).toBe('1121.00');
  const { rows } = await owner('select figures from approvals where document = $1');
  expect(rows[0]?.figures).toMatchObject({ total: 112_100, cgst: 8_550, sgst: 8_550 });
  // sent before figures were kept
  const old = await sent(tenBulbs());
  const client = await server.database.owner.connect();
  try {
    await client.query('begin');
    await client.query('alter table drafts disable trigger draft_waits');
    await client.query(`update drafts set figures = '{}' where id = $1`, [old.TransactionId]);
    await client.query('alter table drafts enable trigger draft_waits');
    await client.query('commit');
  } finally {
    client.release();
  }
  expect(await approve(old)).toMatchObject(refusal('they were not kept then, ₹1,121.00 now'));
});
