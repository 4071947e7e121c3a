import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let accountant: Visitor;
let today: string;
/** E-invoicing is on here: who has a GSTIN is not billed at a till. */
let consumer: string;
let tills = 0;
beforeAll(async () => {
  server = await testServer({ autoRoundOffTotals: false });
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  accountant = await server.signIn('accountant@sharma.demo');
  const values = { name: 'Meena Iyer', category: 'unregistered', state: '29' };
  consumer = ((await shop.owner.ask('SaveMaster', { master: 'customer', values })) as { id: string }).id;
});
afterAll(async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

interface Figures {
  readonly bills: number;
  readonly total: string;
  readonly tax: string;
  readonly discount: string;
  readonly cancelled: number;
  readonly expected: string;
  readonly counted: string | null;
  readonly onAccount: string;
  readonly modes: readonly { readonly mode: string; readonly amount: string }[];
  readonly session: { readonly difference: string | null };
  readonly differenceNumber: string | null;
}
const codeOf = ({ details }: Answered) => (details as { code?: string }).code;
const newTill = async (values: Record<string, unknown> = {}): Promise<string> => {
  tills += 1;
  const given = {
    code: `T${tills}`,
    name: `Till ${tills}`,
    location: shop.place.location,
    prices: 'saleRate',
    printWidth: '80',
  };
  return ((await shop.owner.ask('SaveMaster', { master: 'till', values: { ...given, ...values } })) as { id: string })
    .id;
};
const opened = async (till: string, count: Record<string, number> = { '500': 2 }): Promise<string> =>
  ((await shop.owner.ask('OpenTill', { till, count })) as { session: string }).session;
const figures = async (session: string): Promise<Figures> => shop.owner.ask('GetTillSession', { session });
/** So many bulbs at 112.10 with tax in it. */
const bill = (session: string, quantity: string, more: Record<string, unknown> = {}) => ({
  ...{ kind: 'posSale', date: today, ...shop.place, taxInclusive: true, till: { session } },
  lines: [{ item: shop.item, quantity, rate: '112.10' }],
  ...more,
});
const sell = async (session: string, quantity: string, more: Record<string, unknown> = {}, by = shop.owner) =>
  by.call('PostTransactionCalls', { document: bill(session, quantity, more) } as never, randomUUID());
const entriesOf = async (id: string) =>
  Object.fromEntries(
    (
      (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as unknown as {
        entries: { code: string; debit: string; credit: string }[];
      }
    ).entries.map((e) => [e.code, e.debit === '0.00' ? `Cr ${e.credit}` : `Dr ${e.debit}`]),
  );

test('the way of paying and its ledger agree: cash is the drawer, and nothing else is', async () => {
  const session = await opened(await newTill());
  const [cash, bank, clearing] = [await shop.ledger('1110'), await shop.ledger('1121'), await shop.ledger('1130')];
  const amount = '112.10';
  for (const [wrong, field] of [
    [{ ledger: bank, mode: 'cash' }, 'tenders.ledger'],
    [{ ledger: clearing, mode: 'cash' }, 'tenders.ledger'],
    [{ ledger: cash, mode: 'card' }, 'tenders.ledger'],
    [{ ledger: cash, mode: 'upi' }, 'tenders.ledger'],
    [{ ledger: cash }, 'tenders.mode'],
  ] as const) {
    const answer = await sell(session, '1', { tenders: [{ ...wrong, amount }] });
    expect(answer.status, JSON.stringify(wrong)).toBe(422);
    expect(answer.details).toMatchObject({ problems: [{ field, row: 0 }] });
  }
  expect((await sell(session, '1', { tenders: [{ ledger: cash, mode: 'cash', amount }] })).status).toBe(200);
  expect((await sell(session, '1', { tenders: [{ ledger: bank, mode: 'card', amount }] })).status).toBe(200);
  const { modes, total } = (await figures(session)) as Figures;
  expect(modes.reduce((sum, each) => sum + Number(each.amount), 0)).toBeCloseTo(Number(total), 6);
});

test('a day at a till: opened, sold with split tender, a part on account, one cancelled, closed short', async () => {
  const session = await opened(await newTill());
  const [cash, clearing] = [await shop.ledger('1110'), await shop.ledger('1130')];
  const tenders = [
    { ledger: cash, amount: '200.00', mode: 'cash' },
    { ledger: clearing, amount: '24.20', mode: 'upi', reference: 'UTR1' },
  ];
  expect((await sell(session, '2', { tenders })).status).toBe(200);
  const onAccount = await sell(session, '1', {
    party: consumer,
    onAccount: '100.00',
    tenders: [{ ledger: cash, amount: '12.10', mode: 'cash' }],
  });
  const { TransactionId } = onAccount.details as { TransactionId: string };
  expect(await entriesOf(TransactionId)).toMatchObject({ 1212: 'Dr 100.00', 1110: 'Dr 12.10' });
  const owed = (await shop.owner.ask('GetOpenItems', { party: consumer, side: 'receivable' })) as {
    open: string;
  }[];
  expect(owed.map(({ open }) => open)).toContain('100.00');
  const wrong = await sell(session, '1', { tenders: [{ ledger: cash, amount: '112.10', mode: 'cash' }] });
  const cancelled = { TransactionId: (wrong.details as { TransactionId: string }).TransactionId, session };
  await shop.owner.ask('CancelPosTransaction', cancelled, randomUUID());
  const x = await figures(session);
  expect(x).toMatchObject({
    bills: 3,
    total: '448.40',
    cancelled: 1,
    expected: '1212.10',
    onAccount: '100.00',
    counted: null,
  });
  expect(x.modes).toEqual([
    { mode: 'cash', amount: '212.10' },
    { mode: 'upi', amount: '24.20' },
  ]);
  expect(x.tax).toBe('51.30');

  const closing = { session, count: { '500': 2, '200': 1, '10': 1 }, expected: '1212.10' };
  const key = randomUUID();
  const done = (await shop.owner.ask('CloseTill', closing, key)) as { difference: string; TransactionId: string };
  expect(done.difference).toBe('-2.10');
  expect(await entriesOf(done.TransactionId)).toEqual({ 6495: 'Dr 2.10', 1110: 'Cr 2.10' });
  expect(await shop.owner.ask('CloseTill', closing, key)).toEqual(done);
  expect(await figures(session)).toMatchObject({
    counted: '1210.00',
    expected: '1212.10',
    session: { difference: '-2.10' },
  });
  expect(codeOf(await sell(session, '1'))).toBe('tillClosed');
  expect(codeOf(await shop.owner.call('CloseTill', closing, randomUUID()))).toBe('tillClosed');
});

test('two people open one till: one does, the other gets the name of the first', async () => {
  const till = await newTill();
  const both = await Promise.all([shop.owner, accountant].map((by) => by.call('OpenTill', { till, count: {} })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = both.find(({ status }) => status === 409);
  expect(refused && codeOf(refused)).toBe('tillOpen');
  expect(refused?.message).toMatch(/^Till \d+ is already open: opened by .+$/);
});

test('the same bill sent twice at once, and again later, is one bill', async () => {
  const session = await opened(await newTill());
  const document = bill(session, '1');
  const key = randomUUID();
  const send = () => shop.owner.call('PostTransactionCalls', { document } as never, key);
  const answers = [...(await Promise.all([send(), send(), send()])), await send()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ details }) => (details as { TransactionNumber: string }).TransactionNumber)).size).toBe(
    1,
  );
  expect(await figures(session)).toMatchObject({ bills: 1, expected: '1112.10' });
});

test('a bill that comes in while somebody closes: the books and the count agree, whoever was first', async () => {
  for (let round = 0; round < 4; round++) {
    const session = await opened(await newTill());
    const [sold, closed] = await Promise.all([
      sell(session, '1'),
      shop.owner.call('CloseTill', { session, count: { '500': 1 }, expected: '1000.00' }, randomUUID()),
    ]);
    const after = await figures(session);
    if (closed.status === 200) {
      expect(codeOf(sold)).toBe('tillClosed');
      expect(after).toMatchObject({ bills: 0, counted: '500.00', expected: '1000.00' });
    } else {
      expect(codeOf(closed)).toBe('tillMoved');
      expect(after).toMatchObject({ bills: 1, counted: null, expected: '1112.10' });
    }
  }
});

test('a session is closed without a difference by itself, and opened again by the next', async () => {
  const till = await newTill();
  const session = await opened(till);
  await sell(session, '1');
  const count = { '500': 2, '100': 1, '10': 1, '2': 1 };
  expect(codeOf(await shop.owner.call('CloseTill', { session, count, expected: '1112.00' }, randomUUID()))).toBe(
    'tillMoved',
  );
  const exact = { session: await opened(await newTill()), count: { '500': 2 }, expected: '1000.00' };
  expect(await shop.owner.ask('CloseTill', exact, randomUUID())).toEqual({
    difference: '0.00',
    TransactionId: null,
    TransactionNumber: null,
    warnings: [],
  });
  expect(await shop.owner.ask('CloseTill', { session, count, expected: '1112.10' }, randomUUID())).toMatchObject({
    difference: '-0.10',
  });
  expect(await opened(till)).not.toBe(session);
});

test('more off than the till allows needs somebody who approves', async () => {
  const session = await opened(await newTill({ discountLimit: '10' }));
  const off = (percent: string) => ({ discount: { percent } });
  expect((await sell(session, '1', off('10'), accountant)).status).toBe(200);
  const refused = await sell(session, '1', off('12.5'), accountant);
  expect(codeOf(refused)).toBe('discountLimit');
  expect(refused.message).toContain('this bill gives 12.');
  const cheap = { lines: [{ item: shop.item, quantity: '1', rate: '90.00' }] };
  expect(codeOf(await sell(session, '1', cheap, accountant))).toBe('discountLimit');
  expect((await sell(session, '1', off('12.5'))).status).toBe(200);
});

test('a bill or a return beside every session needs somebody who approves', async () => {
  const { till: _, ...beside } = bill(randomUUID(), '1');
  const post = (document: object, by: Visitor) => by.call('PostTransactionCalls', { document } as never, randomUUID());
  for (const document of [beside, { ...beside, kind: 'posReturn', reason: '01' }])
    expect((await post(document, accountant)).details).toMatchObject({ problems: [{ field: 'till' }] });
  expect((await post(beside, shop.owner)).status).toBe(200);
});

test('what belongs to no till, to another place or to nobody is refused', async () => {
  const session = await opened(await newTill());
  const elsewhere = server.organisations[0]?.locations['BLR2'] ?? '';
  expect((await sell(randomUUID(), '1')).status).toBe(404);
  expect((await sell(session, '1', { location: elsewhere })).status).not.toBe(200);
  // a session without numbers of its own takes none, whole or in part
  for (const more of [
    { number: 'INV/26-27/0900', counter: 900 },
    { number: 'T1', counter: 1, device: randomUUID() },
    { number: 'T1' },
    { counter: 1 },
  ])
    expect((await sell(session, '1', { till: { session, ...more } })).details).toMatchObject({
      problems: [{ field: 'till' }],
    });
  // nor does a bill carry a day on which the till was not open
  expect((await sell(session, '1', { date: addDays(today, -18) })).details).toMatchObject({
    problems: [{ field: 'date', message: expect.stringContaining('a bill of it is not older') }],
  });
  const invoice = { ...bill(session, '1'), kind: 'saleInvoice', party: shop.customer };
  const answer = await shop.owner.call('PostTransactionCalls', { document: invoice } as never, randomUUID());
  expect(answer.details).toMatchObject({ problems: [{ field: 'till' }] });
  const tooMuch = await sell(session, '1', { party: consumer, onAccount: '500.00' });
  expect(tooMuch.details).toMatchObject({ problems: [{ field: 'onAccount' }] });
  expect((await sell(session, '1', { onAccount: '50.00' })).details).toMatchObject({ problems: [{ field: 'party' }] });
  const sale = await shop.post({ kind: 'cashSale', lines: [{ item: shop.item, quantity: '1' }] });
  expect(
    (await shop.owner.call('CancelPosTransaction', { TransactionId: sale.TransactionId, session }, randomUUID()))
      .status,
  ).toBe(404);
});

test('the items of a till: active ones with their barcodes, page by page', async () => {
  const { items, after } = (await shop.owner.ask('ListTillItems', {})) as {
    items: { sku: string; saleRate: string; barcode: string | null }[];
    after: string | null;
  };
  expect(after).toBeNull();
  expect(items).toMatchObject([{ sku: 'LED-9W', saleRate: '95.00', barcode: null, gstRate: '18', purchaseRate: null }]);
});

test('an invoice that needs an IRN is not made at a till: the server says what to make instead', async () => {
  const session = await opened(await newTill());
  const problem = {
    field: 'party',
    message: 'Asha Traders has a GSTIN, so the invoice needs an IRN: make a sale invoice',
  };
  expect(await sell(session, '1', { party: shop.customer })).toMatchObject({
    status: 422,
    details: { problems: [problem] },
  });
});

test('rule 46: from ₹50,000 a bill names a buyer without GSTIN with address and state', async () => {
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '2000', rate: '60' }] });
  const fields = async (document: object) => {
    const whole = { date: today, ...shop.place, ...document };
    const { details } = await shop.owner.call('PostTransactionCalls', { document: whole } as never, randomUUID());
    return ((details as { problems?: { field: string }[] }).problems ?? []).map(({ field }) => field);
  };
  const session = await opened(await newTill());
  const many = { lines: [{ item: shop.item, quantity: '527', rate: '112.10' }] };
  const few = { lines: [{ item: shop.item, quantity: '526', rate: '112.10' }] };
  // 526 at 95.00 are 49,970 before tax
  expect(await fields(bill(session, '1', few))).toEqual([]);
  expect(await fields(bill(session, '1', many))).toEqual(['partyName', 'billTo.line1']);
  expect(await fields(bill(session, '1', { ...many, party: consumer }))).toEqual(['billTo.line1']);
  const billTo = { line1: '14, Second Cross', city: 'Bengaluru', state: '29', pincode: '560038' };
  expect(await fields(bill(session, '1', { ...many, partyName: 'Ravi', billTo }))).toEqual([]);
  const lines = [{ item: shop.item, quantity: '527' }];
  expect(await fields({ kind: 'cashSale', lines })).toEqual(['partyName', 'billTo.line1']);
  expect(await fields({ kind: 'b2cInvoice', party: consumer, lines })).toEqual(['billTo.line1']);
  const values = { name: 'Leela', category: 'unregistered', state: '29', addresses: [billTo] };
  const { id: party } = (await shop.owner.ask('SaveMaster', { master: 'customer', values })) as { id: string };
  expect(await fields({ kind: 'b2cInvoice', party, lines })).toEqual([]);
});
