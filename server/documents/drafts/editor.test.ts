import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../../domain/base/dates.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';
import type { Founded } from '../../organisation/found.ts';

let server: TestServer;
let owner: Visitor;
let place: { registration: string; location: string };
let customer: string;
let supplier: string;
let item: string;
let today: string;

type Plain = Record<string, string>;
interface Conversion {
  readonly draft: Plain & {
    readonly lines: readonly (Plain & { readonly source?: object })[];
    readonly against?: string;
  };
  readonly facts: { readonly number?: string; readonly sources?: readonly Plain[] };
}

const save = async (master: string, values: Record<string, unknown>) =>
  ((await owner.ask('SaveMaster', { master, values })) as { id: string }).id;
const post = async (document: Record<string, unknown>): Promise<string> =>
  (
    (await owner.ask(
      'PostTransactionCalls',
      { document: { date: today, lines: [], ...place, ...document } } as never,
      randomUUID(),
    )) as { TransactionId: string }
  ).TransactionId;
const line = (quantity: string, rate = '100', more: object = {}) => ({ item, quantity, rate, ...more });
const from = (document: string) => ({ source: { document, line: 1 } });
const convert = async (source: string, kind: string, more: object = {}): Promise<Conversion> =>
  owner.ask('GetConversion', { from: source, kind, ...more });
const cancel = (kind: string, id: string) =>
  owner.ask('CancelTransaction', { TransactionIds: [id], TransactionType: kind, reason: 'mistake' }, randomUUID());
const list = async (Type: string, more: object = {}): Promise<readonly Plain[]> =>
  ((await owner.ask('GetTransationsList', { Type, ...more })) as { rows: Plain[] }).rows;

beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  const [sharma] = server.organisations as [Founded];
  place = { registration: sharma.registrations.KA ?? '', location: sharma.locations.BLR ?? '' };
  today = ((await owner.ask('GetSession', {})) as { today: string }).today;
  const party = { category: 'registered', state: '29', addresses: [] };
  customer = await save('customer', {
    ...{ ...party, name: 'Asha Traders', gstin: '29AABCA1234F1Z5', creditLimit: '50000' },
    addresses: [{ line1: '14 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' }],
  });
  supplier = await save('supplier', { name: 'Kaveri Metals', ...party, category: 'unregistered' });
  item = await save('item', {
    ...{ sku: 'LED-9W', name: 'LED bulb 9 W', type: 'stock', unit: 'NOS', hsn: '85395000', treatment: 'taxable' },
    ...{ gstRate: '18', saleRate: '95.00', purchaseRate: '60.00' },
  });
  await post({ kind: 'openingStock', lines: [line('1000', '60')] });
});
afterAll(() => server?.stop());

test('an order is continued with what is left, and when nothing is left it says so', async () => {
  const order = await post({ kind: 'saleOrder', party: customer, reference: 'PO-7', lines: [line('10')] });
  const first = await convert(order, 'saleInvoice');
  expect(first.draft.lines).toMatchObject([{ quantity: '10', rate: '100.00', source: { document: order, line: 1 } }]);
  expect(first.draft).toMatchObject({ reference: 'PO-7', date: today, party: customer });
  expect(first.facts.sources).toMatchObject([{ document: order, line: 1, quantity: '10', leftQuantity: '10' }]);

  const invoice = await post({ kind: 'saleInvoice', party: customer, lines: [line('4', '100', from(order))] });
  const second = await convert(order, 'saleInvoice');
  expect(second.draft.lines).toMatchObject([{ quantity: '6' }]);
  expect(second.facts.sources).toMatchObject([{ leftQuantity: '6', leftTaxable: '600.00' }]);
  expect((await list('saleOrder')).find((row) => row['id'] === order)?.['status']).toBe('partlyFulfilled');

  const rest = await post({ kind: 'saleInvoice', party: customer, lines: [line('6', '100', from(order))] });
  const none = await owner.call('GetConversion', { from: order, kind: 'saleInvoice' });
  expect(none).toMatchObject({ status: 409, details: { code: 'nothingLeft' } });
  expect(await owner.ask('GetTransactionDetailForInvoice', { TransactionId: order })).toMatchObject({
    status: 'fulfilled',
    next: [],
  });

  // what was cancelled is left again
  await cancel('saleInvoice', rest);
  expect((await convert(order, 'saleInvoice')).draft.lines).toMatchObject([{ quantity: '6' }]);
  expect((await list('saleOrder', { Status: 'partlyFulfilled' })).map((row) => row['id'])).toContain(order);
  expect((await list('saleOrder', { Status: 'fulfilled' })).map((row) => row['id'])).not.toContain(order);
  await cancel('saleInvoice', invoice);
  expect((await list('saleOrder', { Status: 'open' })).map((row) => row['id'])).toContain(order);
  await cancel('saleOrder', order);
  const gone = await owner.call('GetConversion', { from: order, kind: 'saleInvoice' });
  expect(gone).toMatchObject({ status: 409, details: { code: 'alreadyCancelled' } });
});

test('a discount in rupees goes along with the first part only, a percent with every part', async () => {
  const once = await post({ kind: 'saleOrder', party: customer, lines: [line('10')], discount: { amount: '50' } });
  expect((await convert(once, 'saleInvoice')).draft['discount']).toEqual({ amount: '50.00' });
  await post({
    kind: 'saleInvoice',
    party: customer,
    discount: { amount: '50' },
    lines: [line('4', '100', from(once))],
  });
  expect((await convert(once, 'saleInvoice')).draft).not.toHaveProperty('discount');
  const always = await post({ kind: 'saleOrder', party: customer, lines: [line('10')], discount: { percent: '5' } });
  await post({ kind: 'saleInvoice', party: customer, lines: [line('4', '100', from(always))] });
  expect((await convert(always, 'saleInvoice')).draft['discount']).toEqual({ percent: '5' });
});

test('a return and a price cut share what was sold', async () => {
  const invoice = await post({ kind: 'saleInvoice', party: customer, lines: [line('3')] });
  await post({ kind: 'saleReturn', party: customer, against: invoice, lines: [line('1', '100', from(invoice))] });
  expect((await convert(invoice, 'saleReturn')).draft.lines).toMatchObject([{ quantity: '2' }]);
  const note = await convert(invoice, 'saleCreditNote');
  expect(note.draft).toMatchObject({ against: invoice, lines: [{ quantity: '2', source: { document: invoice } }] });
  await post({ kind: 'saleCreditNote', party: customer, against: invoice, lines: note.draft.lines });
  const none = await owner.call('GetConversion', { from: invoice, kind: 'saleCreditNote' });
  expect(none.status).toBe(409);
});

test('an order to a supplier becomes a bill under the supplier’s number', async () => {
  const order = await post({ kind: 'purchaseOrder', party: supplier, reference: 'OUR-1', lines: [line('5', '60')] });
  const bill = await convert(order, 'purchaseBill');
  expect(bill.draft).not.toHaveProperty('reference');
  expect(bill.draft.lines).toMatchObject([{ quantity: '5', rate: '60.00' }]);
});

test('a receipt settles what is open of its invoice', async () => {
  const invoice = await post({ kind: 'saleInvoice', party: customer, lines: [line('1')] });
  const { draft, facts } = await convert(invoice, 'saleReceipt');
  expect(draft).toMatchObject({ party: customer, amount: '118.00', lines: [] });
  expect(draft['allocations']).toEqual([{ document: invoice, amount: '118.00' }]);
  expect(facts.number).toMatch(/^INV/);
});

test('a party from abroad brings its own currency', async () => {
  const values = { name: 'Berlin GmbH', category: 'overseas', state: '96', country: 'DE', currency: 'EUR' };
  const abroad = (await owner.ask('SaveMaster', { master: 'customer', values })) as { id: string };
  const facts = await owner.ask('GetEditorFacts', { parties: [abroad.id], items: [], ledgers: [], date: today });
  expect(facts).toMatchObject({ parties: [{ currency: 'EUR' }] });
});

test('facts at the fields: stock at the location, the last price to this party, the balance and the credit limit', async () => {
  const mill = await save('supplier', { name: 'Mill Works', category: 'unregistered', state: '29', addresses: [] });
  await post({ kind: 'saleInvoice', party: customer, lines: [line('1', '100')] });
  const asked = { items: [item], parties: [customer], ledgers: [], date: today, location: place.location };
  const invoice = await post({ kind: 'saleInvoice', party: customer, lines: [line('2', '91.50')] });
  const facts = (await owner.ask('GetEditorFacts', { ...asked, kind: 'saleInvoice', party: customer })) as {
    items: Plain[];
    parties: Plain[];
  };
  expect(facts.items).toMatchObject([
    { lastRate: '91.50', lastDate: today, lastPrices: [{ rate: '91.50', unit: 'NOS' }], saleRate: '95.00' },
  ]);
  expect(facts.parties).toMatchObject([{ creditLimit: '50000.00', currency: 'INR' }]);
  expect(Number(facts.items[0]?.['onHand'])).toBeGreaterThan(900);
  // a price to another party, of the other side, or of a cancelled document is none
  const bought = await owner.ask('GetEditorFacts', { ...asked, kind: 'purchaseBill', party: mill });
  expect(bought).toMatchObject({ items: [{ lastRate: null }] });
  await cancel('saleInvoice', invoice);
  const after = await owner.ask('GetEditorFacts', { ...asked, kind: 'saleInvoice', party: customer });
  expect(after).toMatchObject({ items: [{ lastRate: '100.00' }] });
  // credits lower what a customer owes
  const owed = (kind: string) => ({ ...asked, kind, party: customer });
  const before = (await owner.ask('GetEditorFacts', owed('saleInvoice'))) as { parties: Plain[] };
  await post({ kind: 'saleReceipt', party: customer, amount: '10', moneyLedger: await ledger('1121') });
  const now = (await owner.ask('GetEditorFacts', owed('saleInvoice'))) as { parties: Plain[] };
  expect(Number(before.parties[0]?.['owed']) - Number(now.parties[0]?.['owed'])).toBe(10);
  // what was due before today is a figure of its own
  expect(now.parties).toMatchObject([{ overdue: '0.00' }]);
  const late = { party: mill, date: addDays(today, -3), dueDate: addDays(today, -1), reference: 'KM/77' };
  await post({ kind: 'purchaseBill', ...late, lines: [line('2', '100')] });
  await post({ kind: 'purchaseBill', ...late, reference: 'KM/78', dueDate: today, lines: [line('1', '100')] });
  const owing = { ...asked, parties: [mill], kind: 'purchaseBill', party: mill };
  expect(await owner.ask('GetEditorFacts', owing)).toMatchObject({ parties: [{ owed: '300.00', overdue: '200.00' }] });
});

const ledger = async (code: string): Promise<string> => {
  const { rows } = await server.database.owner.query<{ id: string }>(
    'select l.id from ledgers l join organisations o using (organisation) where o.code = $1 and l.code = $2',
    ['SHARMA', code],
  );
  return rows[0]?.id ?? '';
};

test('a kept draft learns again what is left of its source', async () => {
  const order = await post({ kind: 'saleOrder', party: customer, lines: [line('10')] });
  await post({ kind: 'saleInvoice', party: customer, lines: [line('4', '100', from(order))] });
  const facts = (kind: string) =>
    owner.ask('GetEditorFacts', { items: [], parties: [], ledgers: [], date: today, kind, documents: [order] });
  expect(await facts('saleInvoice')).toMatchObject({ sources: [{ document: order, leftQuantity: '6' }] });
});

test('who may not see a document learns nothing of it', async () => {
  const order = await post({ kind: 'saleOrder', party: customer, lines: [line('1')] });
  const none = await server.signIn('none@sharma.demo');
  const asked = {
    items: [item],
    parties: [customer],
    ledgers: [],
    date: today,
    kind: 'saleInvoice',
    documents: [order],
  };
  expect((await none.call('GetEditorFacts', asked)).status).toBe(403);
  expect((await none.call('GetConversion', { from: order, kind: 'saleInvoice' })).status).toBe(403);
  const nova = await server.signIn('owner@nova.demo');
  expect(await nova.ask('GetEditorFacts', asked)).toEqual({
    items: [],
    parties: [],
    ledgers: [],
    documents: [],
    costCentres: [],
    sources: [],
    named: [],
  });
  expect((await nova.call('GetConversion', { from: order, kind: 'saleInvoice' })).status).toBe(404);
});

test('a list filters by each status it offers and names one it does not know', async () => {
  const invoice = await post({ kind: 'saleInvoice', party: customer, lines: [line('1')] });
  const settled = await post({ kind: 'saleInvoice', party: customer, lines: [line('1')] });
  await cancel('saleInvoice', await post({ kind: 'saleInvoice', party: customer, lines: [line('1')] }));
  const bank = await ledger('1121');
  const settle = (document: string, amount: string) =>
    post({ kind: 'saleReceipt', party: customer, amount, moneyLedger: bank, allocations: [{ document, amount }] });
  await settle(settled, '118');
  const statuses = async (Status: string) =>
    new Set((await list('saleInvoice', { Status, pagesize: 500 })).map((r) => r['status']));
  expect(await statuses('paid')).toEqual(new Set(['paid']));
  expect(await statuses('cancelled')).toEqual(new Set(['cancelled']));
  await settle(invoice, '18');
  expect(await statuses('partlyPaid')).toEqual(new Set(['partlyPaid']));
  expect([...(await statuses('unpaid'))].sort()).toEqual(['open', 'partlyPaid']);
  expect((await statuses('posted')).has('cancelled')).toBe(false);
  expect((await statuses('posted')).has('paid')).toBe(true);
  const wrong = await owner.call('GetTransationsList', { Type: 'saleInvoice', Status: 'rusty' });
  expect(wrong).toMatchObject({ status: 422, details: { problems: [{ field: 'Status' }] } });
});

test.each([
  ['saleInvoice', 'saleReturn', 'saleCreditNote'],
  ['purchaseBill', 'purchaseReturn', 'purchaseCreditNote'],
])('%s: after a price cut its goods can still be returned, and the price be cut again', async (kind, back, note) => {
  const party = kind === 'saleInvoice' ? customer : supplier;
  const numbered = () => ({ party, ...(party === supplier && { reference: crypto.randomUUID().slice(0, 12) }) });
  const sold = await post({ kind, ...numbered(), lines: [line('4', '100')] });
  await post({ kind: note, ...numbered(), against: sold, lines: [line('4', '10', from(sold))] });
  const next = async () =>
    ((await owner.ask('GetTransactionDetailForInvoice', { TransactionId: sold })) as { next: Plain[] }).next.map(
      (step) => step['kind'],
    );
  expect(await next()).toEqual(expect.arrayContaining([back, note]));
  // what is proposed is posted as it is: the value that the cut has left
  const returned = (await convert(sold, back)).draft;
  expect(returned.lines).toMatchObject([{ quantity: '4' }]);
  await post({ ...returned, ...numbered(), lines: [{ ...returned.lines[0], quantity: '1' }] } as never);
  const again = (await convert(sold, note)).draft;
  expect(again.lines).toMatchObject([{ quantity: '3', rate: '90.00' }]);
  await post({ kind: note, ...numbered(), against: sold, lines: again.lines });
  // nothing of its value is left to cut, and goods that cost nothing any more may come back
  expect(await next()).not.toContain(note);
  expect(await next()).toContain(back);
  expect((await owner.call('GetConversion', { from: sold, kind: note })).status).toBe(409);
  await post({ ...(await convert(sold, back)).draft, ...numbered() } as never);
  expect(await next()).not.toContain(back);
});
