import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../../contract/calls.ts';
import { mayNeedApproval } from '../../../domain/document/approval.ts';
import { type KindName, kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { sealAll } from '../../../tools/testing/books.ts';
import { type TestServer, testServer } from '../../../tools/testing/server.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';

// Every call that posts, with a rule from ₹1 on every kind that may have one: what a person says is refused, and what waits for
// nobody is listed with its reason.
let server: TestServer;
let shop: Shop;
let today: string;
type Fields = Record<string, unknown>;
type Made = { readonly TransactionId: string; readonly TransactionNumber: string };

const call = (name: CallName, input: Fields) => shop.owner.call(name as 'GetSession', input as never, randomUUID());
const ask = async <T>(name: CallName, input: Fields) =>
  (await shop.owner.ask(name as 'GetSession', input as never, randomUUID())) as unknown as T;
const rule = (kinds: readonly KindName[], from: string) =>
  ask('SaveGeneralConfigDetails', { values: { approvals: kinds.map((kind) => ({ kind, from })) } });
const every = kindNames.filter((kind) => mayNeedApproval(kindOf(kind)));
const posted = async () =>
  Number((await server.database.owner.query<{ n: string }>('select count(*) as n from documents')).rows[0]?.n);
const supplier = async () =>
  (
    await ask<{ id: string }>('SaveMaster', {
      master: 'supplier',
      values: {
        ...{ name: `Mill ${randomUUID().slice(0, 6)}`, category: 'unregistered', state: '29' },
        addresses: [],
      },
    })
  ).id;
/** An item of its own with stock at this cost. */
const stocked = async (rate: string) => {
  const values = {
    ...{ sku: randomUUID().slice(0, 8), name: 'Lamp', type: 'stock', unit: 'NOS', hsn: '85395000' },
    ...{ treatment: 'taxable', gstRate: '18' },
  };
  const { id } = await ask<{ id: string }>('SaveMaster', { master: 'item', values });
  await shop.post({ kind: 'openingStock', lines: [{ item: id, quantity: '10', rate }] });
  return id;
};

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

const refused = (message: RegExp, code = 'needsApproval') => ({
  status: 409,
  details: { code },
  message: expect.stringMatching(message),
});

test('a payment is weighed with its bank charges, and warns when they are more than what is paid', async () => {
  await rule([], '0');
  const payment = {
    ...{ kind: 'payment', date: today, ...shop.place, lines: [], party: await supplier() },
    ...{ amount: '900', bankCharges: '90000', moneyLedger: await shop.ledger('1121') },
  };
  const free = await ask<{ warnings: { code: string }[] }>('PostTransactionCalls', { document: payment });
  expect(free.warnings.map(({ code }) => code)).toContain('chargesAbovePayment');
  await rule(['payment'], '1000');
  expect(await call('PostTransactionCalls', { document: payment })).toMatchObject(refused(/^Payment of ₹90,900\.00 /));
  const small = { ...payment, bankCharges: '99' };
  expect((await call('PostTransactionCalls', { document: small })).status).toBe(200);
  expect(await call('PostTransactionCalls', { document: { ...small, bankCharges: '100' } })).toMatchObject(
    refused(/^Payment of ₹1,000\.00 /),
  );
});

test('goods for another registration are weighed at what they cost where less was typed, and may be sent', async () => {
  await rule([], '0');
  const item = await stocked('60');
  const other = server.organisations[0];
  const [toRegistration, toLocation] = [other?.registrations['MH'] ?? '', other?.locations['PUN'] ?? ''];
  const transfer = {
    ...{ kind: 'branchTransfer', date: today, ...shop.place, toRegistration, toLocation },
    lines: [{ item, quantity: '3', rate: '1' }],
    accepted: [{ warning: 'transferValue', reason: 'A sample' }],
  };
  await rule(['branchTransfer'], '100');
  expect(await call('PostTransactionCalls', { document: transfer })).toMatchObject(
    refused(/^Branch transfer of ₹180\.00 /),
  );
  const kept = await ask<Fields>('AddTransactionDetails', { kind: 'branchTransfer', body: transfer });
  expect((await call('SubmitForApproval', kept)).status).toBe(200);
  await rule(['branchTransfer'], '181');
  expect((await call('PostTransactionCalls', { document: transfer })).status).toBe(200);
});

test('a challan waits for an approver as soon as it takes money from the bank', async () => {
  await rule([], '0');
  const bank = await shop.ledger('1121');
  const bill = await shop.post({
    ...{ kind: 'purchaseBill', party: await supplier(), reference: 'M-2', tdsSection: '194C', tdsAmount: '100' },
    lines: [{ item: shop.item, quantity: '100', rate: '100' }],
  });
  await rule(['manualJournal'], '0');
  const challan = {
    ...{ tax: 'tds', section: '194C', head: '0021', date: today, moneyLedger: bank, narration: '', ...shop.place },
    ...{ interest: '0', fee: '0', bsr: '', serial: '', parts: [{ document: bill.TransactionId, amount: '50' }] },
  };
  const accountant = await server.signIn('accountant@sharma.demo');
  const pays = (who: typeof shop.owner) =>
    who.call('PostTaxChallan', challan as never, randomUUID()) as Promise<unknown>;
  expect(await pays(accountant)).toMatchObject(
    refused(/^Tax challan of ₹50\.00 .* a user who may approve a manual journal pays it by this challan$/),
  );
  expect(await pays(shop.owner)).toMatchObject({ status: 200 });
});

test('every call that posts asks for approval, or is listed here with why it waits for nobody', async () => {
  await rule([], '0');
  const bank = await shop.ledger('1121');
  const mill = await supplier();
  const bill = await shop.post({
    ...{ kind: 'purchaseBill', party: mill, reference: 'M-1', tdsSection: '194C', tdsAmount: '100' },
    lines: [{ item: shop.item, quantity: '100', rate: '100' }],
  });
  const cheque = () => shop.post({ kind: 'saleReceipt', party: shop.customer, amount: '500', moneyLedger: bank });
  const [first, second] = [await cheque(), await cheque()];
  const loose = await cheque();
  const values = { code: 'RULED', name: 'Ruled', location: shop.place.location, prices: 'saleRate', printWidth: '80' };
  const { id: till } = await ask<{ id: string }>('SaveMaster', { master: 'till', values });
  const { session } = await ask<{ session: string }>('OpenTill', { till, count: { '500': 2 } });
  await rule(every, '1');
  const charges = refused(/^Bank charges of ₹5,000\.00 .* enter them as a manual journal, and send that for approval$/);
  const challan = (interest: string, fee: string) => ({
    ...{ tax: 'tds', section: '194C', head: '0021', date: today, moneyLedger: bank, narration: '', ...shop.place },
    ...{ interest, fee, bsr: '', serial: '', parts: [{ document: bill.TransactionId, amount: '50' }] },
  });
  const bounce = (which: Made, bankCharges: string) => ({
    ...{ TransactionId: which.TransactionId, date: today, reason: 'Funds insufficient', bankCharges },
  });
  const invoice = {
    ...{ kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer },
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  };
  const sale = {
    ...{ kind: 'posSale', date: today, ...shop.place, taxInclusive: true, till: { session } },
    lines: [{ item: shop.item, quantity: '50', rate: '118' }],
  };
  const ok = { status: 200 };
  const rows: readonly (readonly [CallName, Fields, object, string])[] = [
    ['PostTransactionCalls', { document: invoice }, refused(/^Sale invoice of /), 'a draft is sent'],
    [
      'CUDInventory',
      { ...shop.place, date: today, reason: 'Count', lines: [{ item: shop.item, delta: '-1' }] },
      refused(/^Inventory adjustment of /),
      'a draft is sent',
    ],
    [
      'PostTaxChallan',
      challan('50000', '0'),
      refused(/^Interest and late fee of ₹50,000\.00 .*manual journal/),
      'interest is typed',
    ],
    ['PostTaxChallan', challan('0', '200'), refused(/^Interest and late fee of ₹200\.00 /), 'a fee is typed'],
    ['PostTaxChallan', challan('0', '0'), ok, 'an approver pays what was withheld: that stands in the books'],
    ['BounceReceipt', bounce(first, '5000'), charges, 'charges are typed'],
    ['BounceReceipt', bounce(second, '0'), ok, 'that a cheque came back is the word of the bank'],
    [
      'MoveTillCash',
      { session, direction: 'out', amount: '60', reason: 'Tea', ledger: await shop.ledger('6495') },
      refused(/^Manual journal of /, 'tillNeedsApproval'),
      'a voucher is sent',
    ],
    ['PostTransactionCalls', { document: sale }, ok, 'a customer is waiting'],
    [
      'CloseTill',
      { session, count: {}, expected: '1000.00' },
      refused(/differs by/, 'tillDifferenceNeedsApproval'),
      'another closes it',
    ],
    [
      'CancelTransaction',
      { TransactionType: 'saleReceipt', TransactionIds: [loose.TransactionId], reason: 'Twice' },
      ok,
      'cancelling is an action of approvers',
    ],
  ];
  for (const [name, input, answer, why] of rows) {
    const before = await posted();
    expect(await call(name, input), `${name}: ${why}`).toMatchObject(answer);
    expect(await posted(), `${name}: ${why}`).toBe(before + (answer === ok ? 1 : 0));
  }
});

/** The files that post, each with the calls of it and where they are tested, or why they wait for nobody. */
const places: Readonly<Record<string, string>> = {
  'server/documents/index.ts':
    'PostTransactionCalls, CUDInventory and opening balances: asked; CancelTransaction: see above',
  'server/till/index.ts': 'CancelPosTransaction: cancelling is an action of approvers',
  'server/till/close.ts': 'CloseTill, MoveTillCash: see above, and server/till/drawer.test.ts',
  'server/banking/index.ts': 'PostBankLine: asked, and kept as a draft (server/banking/approval.test.ts)',
  'server/banking/bounce.ts': 'BounceReceipt: see above',
  'server/withheld/challans.ts': 'PostTaxChallan: see above',
  'server/counting/end.ts': 'PostCountSheet: an approver who counted nothing (server/counting/counting.test.ts)',
  'server/exchange/revalue.ts': 'PostRevaluation: the books at the rates of a day',
  'server/payments/receive.ts': 'BookPayment and the gateway: money that came in',
  'server/recurring/make.ts': 'recurring bills: asked, and kept as a draft (server/recurring/recurring.test.ts)',
  'server/demo/shop.ts': 'the books of the demonstration',
};

test('every file that posts is one of those', () => {
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .map((file) => `server/${file}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const posting = sources.filter((file) => /oster\s*\.post\(/.test(readFileSync(file, 'utf8')));
  expect(posting.sort()).toEqual(Object.keys(places).sort());
});
