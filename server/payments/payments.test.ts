import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let owner: Visitor;
let bank: string;
/** Nobody who is registered: no invoice portal stands between. */
let customer: string;
const keys = { keyId: 'bahi_test_key', secret: 'bahi-test-secret', webhookSecret: 'bahi-test-webhook' };

beforeAll(async () => {
  server = await testServer({}, { portal: true });
  shop = await openShop(server);
  owner = shop.owner;
  bank = await shop.ledger('1121');
  const buyer = { name: 'Nilgiri Stores', category: 'unregistered', state: '29', addresses: [] };
  // money that came is there: what it makes waits for nobody where receipts do
  const approvals = [{ kind: 'saleReceipt', from: '0' }];
  await owner.ask('SaveGeneralConfigDetails', { values: { approvals } } as never);
  customer = ((await owner.ask('SaveMaster', { master: 'customer', values: buyer })) as { id: string }).id;
  expect((await keep()).status).toBe(200);
});
afterAll(async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

interface Payment {
  id: string;
  kind: string;
  amount: string;
  state: string;
  trouble: string;
  receipt: { id: string; number: string } | null;
}
interface Payments {
  upi: { link: string; amount: string } | null;
  link: { url: string } | null;
  why: string;
  payments: Payment[];
}
interface Sold {
  readonly id: string;
  readonly number: string;
}
const sell = async (rate = '100'): Promise<Sold> => {
  const lines = [{ item: shop.item, quantity: '1', rate }];
  const made = await shop.post({ kind: 'saleInvoice', party: customer, lines });
  return { id: made.TransactionId, number: made.TransactionNumber };
};
const keep = (more: object = {}, by = owner) =>
  by.call('SavePaymentGateway', { provider: 'sandbox', settlementLedger: bank, ...keys, ...more });
const paymentsOf = (id: string): Promise<Payments> => owner.ask('GetPaymentsOfDocument', { id });
const openOf = async (id: string): Promise<string | null> =>
  ((await owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as { open: string | null }).open;
const tokenOf = async (id: string): Promise<string> =>
  ((await owner.ask('MakePaymentLink', { id })) as { url: string }).url.split('#')[1] ?? '';
const form = (path: string, fields: Record<string, string>) =>
  fetch(new URL(path, server.url), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
/** Pays as a person would: our page, the gateway's page, and one of its buttons. */
const pay = async (id: string, ending: string): Promise<void> => {
  const sent = await form('/pay/now', { token: await tokenOf(id) });
  expect(sent.status).toBe(303);
  const back = await form(sent.headers.get('location') ?? '', { ending });
  expect(back.headers.get('location')).toBe(`${server.url}/pay/done`);
};
const settled = async (id: string, enough: (payments: Payment[]) => boolean): Promise<Payment[]> => {
  for (const end = Date.now() + 15_000; Date.now() < end; ) {
    const { payments } = await paymentsOf(id);
    if (enough(payments)) return payments;
    await new Promise((again) => setTimeout(again, 40));
  }
  throw new Error(`still ${JSON.stringify(await paymentsOf(id))} ${server.failures.join(' ')}`);
};
const isBooked = (payments: Payment[]) => payments.some(({ state }) => state === 'booked');
const linkId = async (document: string): Promise<string> =>
  (
    await server.database.owner.query<{ id: string }>(
      'select id from payment_links where document = $1 order by made_at desc limit 1',
      [document],
    )
  ).rows[0]?.id ?? '';

/** The gateway's own word, or one that pretends to be. */
const tell = (
  data: object,
  { at = Date.now(), secret = keys.webhookSecret, type = 'payment.paid', event = randomUUID(), code = 'SHARMA' } = {},
) => {
  const body = JSON.stringify({ id: event, type, at, data });
  const mark = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return fetch(`${server.url}/webhooks/payments/${code}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-payment-signature': `t=${at},v1=${mark}` },
    body,
  });
};

test('what is signed in with is sealed, never read, kept when it is left out, and tried', async () => {
  // NOVA has none yet
  const whose = { email: 'owner@nova.demo', organisation: 1, registration: 'TN', location: 'CHN' };
  const nova = await openShop(server, whose);
  const sold = await nova.post({
    kind: 'saleInvoice',
    party: nova.customer,
    lines: [{ item: nova.item, quantity: '1', rate: '100' }],
  });
  expect(await nova.owner.call('MakePaymentLink', { id: sold.TransactionId })).toMatchObject({
    details: { code: 'noGateway' },
  });
  const own = { settlementLedger: await nova.ledger('1121'), webhookSecret: 'nova-test-webhook' };
  const keepHere = (more: object = {}) => keep({ ...own, ...more }, nova.owner);
  expect((await keepHere({ secret: '' })).status).toBe(422);
  expect((await keepHere({ settlementLedger: await nova.ledger('4110') })).status).toBe(422);
  expect((await keepHere({ secret: 'a wrong one' })).status).toBe(200);
  expect(await nova.owner.ask('TestPaymentGateway', {})).toMatchObject({ ok: false });
  expect((await keepHere()).status).toBe(200);
  expect((await keepHere({ secret: undefined, webhookSecret: '' })).status).toBe(200);
  // who opened the form before is shown who has set what since
  const stored = async () =>
    ((await nova.owner.ask('GetPaymentGateway', {})) as { gateway: { version: number; marks: Record<string, number> } })
      .gateway;
  const { version, marks } = await stored();
  expect((await keepHere({ secret: undefined, version, webhookSecret: 'another one' })).status).toBe(200);
  expect((await stored()).marks).toEqual({ ...marks, webhookSecret: (marks['webhookSecret'] ?? 0) + 1 });
  expect(await keepHere({ version })).toMatchObject({
    status: 409,
    message: 'Lakshmi Narayanan has changed this record since you opened it',
  });
  expect((await keepHere()).status).toBe(200);
  expect(await nova.owner.ask('TestPaymentGateway', {})).toMatchObject({ ok: true });
  const shown = JSON.stringify(await nova.owner.ask('GetPaymentGateway', {}));
  for (const secret of [keys.secret, own.webhookSecret]) expect(shown).not.toContain(secret);
  const raw = await server.database.owner.query(
    `
      select
        encode(secret, 'escape') as s,
        (
          select string_agg(coalesce(after, before)::text, '') from edit_log where relation = 'payment_gateways'
        ) as log
      from payment_gateways
    `,
  );
  expect(JSON.stringify(raw.rows)).not.toContain(keys.secret);
  expect((await keepHere({ version: 1 })).status).toBe(409);
});

test('the page of a link says amount and number to whoever has it, and nothing to who guesses', async () => {
  const sold = await sell();
  const token = await tokenOf(sold.id);
  expect(await tokenOf(sold.id)).toBe(token);
  expect(token).toHaveLength(43);
  const page = await (await form('/pay', { token })).text();
  expect(page).toContain(sold.number);
  expect(page).toContain('₹ 118.00');
  expect(page).not.toMatch(/Nilgiri|Sharma/);
  const guessed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  expect((await form('/pay', { token: guessed })).status).toBe(404);
  await owner.ask('EndPaymentLink', { id: sold.id });
  expect((await form('/pay', { token })).status).toBe(404);
  expect(await tokenOf(sold.id)).not.toBe(token);
});

test('a payment makes one receipt on the invoice, however often its event is sent', async () => {
  const sold = await sell('10000');
  await pay(sold.id, 'twice');
  await pay(sold.id, 'paid').catch(() => undefined);
  const [payment] = await settled(sold.id, isBooked);
  expect(payment).toMatchObject({ kind: 'paid', amount: '11800.00', state: 'booked' });
  expect(await openOf(sold.id)).toBe('0.00');
  const receipt = (await owner.ask('GetTransactionDetailForInvoice', {
    TransactionId: payment?.receipt?.id ?? '',
  })) as {
    entries: { code: string; debit: string; credit: string }[];
    links: { number: string; amount: string }[];
  };
  expect(receipt.entries.map(({ code, debit, credit }) => [code, debit, credit])).toEqual([
    ['1121', '11564.00', '0.00'],
    ['6230', '236.00', '0.00'],
    ['1212', '0.00', '11800.00'],
  ]);
  expect(receipt.links).toContainEqual(expect.objectContaining({ number: sold.number, amount: '11800.00' }));
  expect((await paymentsOf(sold.id)).payments).toHaveLength(1);
  expect((await form('/pay', { token: await tokenOfPaid(sold.id) })).status).toBe(200);
});
/** The link of what is paid by now is still there, and says so. */
const tokenOfPaid = async (id: string): Promise<string> => (await paymentsOf(id)).link?.url.split('#')[1] ?? '';

test('a word that another has signed, that is old, or of another organisation, is not taken', async () => {
  const sold = await sell();
  await tokenOf(sold.id);
  const data = { reference: await linkId(sold.id), payment: 'pay_forged', amount: 11_800 };
  expect((await tell(data, { secret: 'guessed' })).status).toBe(401);
  expect((await tell(data, { at: Date.now() - 600_000 })).status).toBe(401);
  expect((await tell(data, { code: 'NOVA' })).status).toBe(401);
  expect((await tell(data, { code: 'NOBODY' })).status).toBe(401);
  expect((await tell({ ...data, amount: 118.5 })).status).toBe(401);
  expect((await tell({ ...data, reference: randomUUID() })).status).toBe(200);
  expect((await paymentsOf(sold.id)).payments).toEqual([]);
  expect(await openOf(sold.id)).toBe('118.00');
});

test('a declined payment is shown and books nothing', async () => {
  const sold = await sell();
  await pay(sold.id, 'failed');
  const payments = await settled(sold.id, (all) => all.length > 0);
  expect(payments).toMatchObject([
    { kind: 'failed', state: 'noted', receipt: null, trouble: expect.stringContaining('declined') },
  ]);
  expect(await openOf(sold.id)).toBe('118.00');
});

test('words about one payment under several names, all at once, are one receipt', async () => {
  const sold = await sell();
  await tokenOf(sold.id);
  const data = { reference: await linkId(sold.id), payment: 'pay_one', amount: 11_800 };
  const answers = await Promise.all(Array.from({ length: 8 }, () => tell(data)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await settled(sold.id, isBooked)).toHaveLength(1);
  const receipts = await server.database.owner.query(
    `select from documents where kind = 'saleReceipt' and reference = 'pay_one'`,
  );
  expect(receipts.rowCount).toBe(1);
});

test('what comes for a paid or cancelled invoice, or is more than it, is on account', async () => {
  const [paid, cancelled] = [await sell(), await sell()];
  for (const sold of [paid, cancelled]) await tokenOf(sold.id);
  await owner.ask('CancelTransaction', {
    TransactionType: 'saleInvoice',
    TransactionIds: [cancelled.id],
    reason: 'entered twice',
  });
  await tell({ reference: await linkId(paid.id), payment: 'pay_more', amount: 20_000 });
  await tell({ reference: await linkId(cancelled.id), payment: 'pay_late', amount: 11_800 });
  const [more] = await settled(paid.id, isBooked);
  const [late] = await settled(cancelled.id, isBooked);
  expect(await openOf(paid.id)).toBe('0.00');
  expect(await openOf(more?.receipt?.id ?? '')).toBe('82.00');
  expect(await openOf(late?.receipt?.id ?? '')).toBe('118.00');
  const { rows } = (await owner.ask('GetNotifications', {})) as unknown as { rows: { message: string }[] } & {
    message: string;
  }[];
  expect(JSON.stringify(rows ?? (await owner.ask('GetNotifications', {})))).toContain(
    'is cancelled: the amount is on account',
  );
});

test('what cannot be booked is kept with its reason and booked later', async () => {
  const sold = await sell();
  await tokenOf(sold.id);
  await server.database.owner.query(`update number_series set active = false where kind = 'saleReceipt'`);
  await tell({ reference: await linkId(sold.id), payment: 'pay_stuck', amount: 11_800 });
  const [stuck] = await settled(sold.id, (all) => all.some(({ state }) => state === 'stuck'));
  expect(stuck?.trouble).toContain('number series');
  await server.database.owner.query(`update number_series set active = true where kind = 'saleReceipt'`);
  expect(await owner.ask('BookPayment', { id: stuck?.id ?? '' })).toEqual({ queued: true });
  await settled(sold.id, isBooked);
  expect(await owner.ask('BookPayment', { id: stuck?.id ?? '' })).toEqual({ queued: false });
  expect(await openOf(sold.id)).toBe('0.00');
});

test('what was paid in a register that is locked by now is booked today', async () => {
  const sold = await sell();
  await tokenOf(sold.id);
  const ask = (text: string, values: unknown[] = []) => server.database.owner.query(text, values);
  await ask(`update number_series set active = false where kind = 'saleReceipt'`);
  await tell({ reference: await linkId(sold.id), payment: 'pay_yesterday', amount: 11_800 });
  const [stuck] = await settled(sold.id, (all) => all.some(({ state }) => state === 'stuck'));
  await ask(`update number_series set active = true where kind = 'saleReceipt'`);
  await ask(`update payment_events set happened_at = happened_at - interval '1 day' where id = $1`, [stuck?.id]);
  const { today } = (await owner.ask('GetSession', {})) as { today: string };
  await owner.ask('SaveLock', { register: 'money', through: addDays(today, -1), reason: 'counted' });
  await owner.ask('BookPayment', { id: stuck?.id ?? '' });
  const [booked] = await settled(sold.id, isBooked);
  const { rows } = await ask('select date::text from documents where id = $1', [booked?.receipt?.id]);
  expect(rows).toEqual([{ date: today }]);
  await owner.ask('SaveLock', { register: 'money', through: null, reason: 'opened' });
});

test('an invoice bears a UPI code of what is open, on screen and on paper', async () => {
  const banks = (await owner.ask('ListMasters', { master: 'bank' })) as {
    rows: { id: string; version: number; values: object }[];
  };
  const [kept] = banks.rows;
  const values = {
    code: 'HDFC',
    bankName: 'HDFC Bank',
    accountNumber: '50100012345678',
    ifsc: 'HDFC0000123',
    ledger: bank,
    isDefault: true,
    ...kept?.values,
    upi: 'sharma@hdfcbank',
  };
  await owner.ask('SaveMaster', { master: 'bank', values, ...(kept && { id: kept.id, version: kept.version }) });
  const sold = await sell();
  const { upi } = await paymentsOf(sold.id);
  expect(upi?.link).toContain('pa=sharma%40hdfcbank');
  expect(upi?.link).toContain('am=118.00');
  const printed = (await owner.ask('PrintDocument', { id: sold.id })) as { content: string };
  expect(textOfPdf(Buffer.from(printed.content, 'base64'))).toContain('sharma@hdfcbank');
});

test('only the chosen means are offered and taken; without receipts by themselves money waits until somebody books it', async () => {
  expect((await keep({ methods: [] })).status).toBe(422);
  expect((await keep({ methods: ['cash'] })).status).toBe(422);
  expect((await keep({ methods: ['card', 'upi'], autoReceipt: false })).status).toBe(200);
  // what is not said stays
  expect((await keep()).status).toBe(200);
  expect(await owner.ask('GetPaymentGateway', {})).toMatchObject({
    gateway: { methods: ['upi', 'card'], autoReceipt: false },
  });
  const sold = await sell();
  const sent = await form('/pay/now', { token: await tokenOf(sold.id) });
  const page = sent.headers.get('location') ?? '';
  const offered = await (await fetch(new URL(page, server.url))).text();
  expect([...offered.matchAll(/<option value="(\w+)">/g)].map(([, method]) => method)).toEqual(['upi', 'card']);
  expect((await form(page, { ending: 'paid', method: 'wallet' })).status).toBe(400);
  expect((await paymentsOf(sold.id)).payments).toEqual([]);
  await form(page, { ending: 'twice', method: 'card' });
  const [held] = await settled(sold.id, (all) => all.length > 0);
  expect(held).toMatchObject({ state: 'held', method: 'Card', amount: '118.00', receipt: null });
  expect(await openOf(sold.id)).toBe('118.00');
  const { rows } = await server.database.owner.query<{ message: string }>(
    `select message from notifications where message like '%waits to be booked'`,
  );
  expect(rows).toEqual([{ message: `₹118.00 came in for ${sold.number}: it waits to be booked` }]);
  expect(await owner.ask('BookPayment', { id: held?.id ?? '' })).toEqual({ queued: true });
  await settled(sold.id, isBooked);
  expect(await openOf(sold.id)).toBe('0.00');
  expect((await keep({ methods: ['upi', 'card', 'netbanking', 'wallet'], autoReceipt: true })).status).toBe(200);
});

test('nobody pays an invoice whose IRN is cancelled, and money that comes nevertheless is on account', async () => {
  const lines = [{ item: shop.item, quantity: '1', rate: '100' }];
  const made = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  const id = made.TransactionId;
  const stateOf = async () =>
    ((await owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as { einvoice: { state: string } })
      .einvoice.state;
  for (const end = Date.now() + 20_000; Date.now() < end && (await stateOf()) !== 'registered'; )
    await new Promise((again) => setTimeout(again, 60));
  const token = await tokenOf(id);
  const link = await linkId(id);
  await owner.ask('CancelIRNNumber', { id, reason: '2', remark: 'typed twice' });
  expect(await owner.call('MakePaymentLink', { id })).toMatchObject({ status: 409, details: { code: 'notPayable' } });
  expect(await paymentsOf(id)).toMatchObject({ upi: null, link: null, why: 'its IRN is cancelled' });
  expect((await form('/pay', { token })).status).toBe(404);
  expect((await form('/pay/now', { token })).status).toBe(404);
  expect((await tell({ reference: link, payment: 'pay_without_irn', amount: 11_800 })).ok).toBe(true);
  const [late] = await settled(id, isBooked);
  expect(late).toMatchObject({ state: 'booked' });
  const gone = { TransactionIds: [id], TransactionType: 'saleInvoice', reason: 'typed twice' };
  await owner.ask('CancelTransaction', gone as never, randomUUID());
}, 60_000);
