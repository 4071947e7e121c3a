import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer({}, { portal: true });
  shop = await openShop(server);
  // the portal makes its keys with its first invoice, which takes a while
  await settled((await sell()).TransactionId, 'registered');
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.clock.at = undefined;
  await fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });
});

interface Einvoice {
  state: string;
  irn: string | null;
  ackNo: string | null;
  signedQr: string | null;
  error: string | null;
}
const misbehave = async (mode: string, more: object = {}) => {
  const answer = await fetch(`${server.url}/sandbox/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode, times: 1, operations: ['generate'], ...more }),
  });
  expect(answer.ok ? '' : await answer.text()).toBe('');
};
const sell = (more: object = {}): Promise<{ TransactionId: string; TransactionNumber: string }> =>
  shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '2', rate: '95' }],
    ...more,
  });
const einvoiceOf = async (id: string): Promise<Einvoice> =>
  ((await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as { einvoice: Einvoice }).einvoice;
interface Attempt {
  what: string;
  outcome: string;
  message: string | null;
  request: string;
}
const attempts = async (id: string) => (await shop.owner.ask('GetEInvoiceAttempts', { id })) as Attempt[];
const attemptsOf = async (id: string) => (await attempts(id)).map((a) => `${a.what} ${a.outcome}`);

/** Waits for a state; what waits to be tried again is brought forward. */
async function settled(id: string, ...states: string[]): Promise<Einvoice> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const einvoice = await einvoiceOf(id);
    if (states.includes(einvoice.state)) return einvoice;
    await server.database.owner.query(
      'update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null',
    );
    await new Promise((again) => setTimeout(again, 60));
  }
  throw new Error(`still ${JSON.stringify(await einvoiceOf(id))} ${(await attemptsOf(id)).join(', ')}`);
}
const unanswered = { times: 'always', operations: ['getByIrn', 'getByDocument'] } as const;
const cancelIrn = (id: string) => shop.owner.call('CancelIRNNumber', { id, reason: '2', remark: 'typed twice' });
const paperOf = (irn: string | null) => shop.owner.call('GetEInvoiceByteCode', { IrnNumber: irn ?? '' });

describe('a signed invoice that differs is a conflict: nothing is attached, and the difference is named', () => {
  test.each<[string, Record<string, string | number>, string]>([
    ['HSN', { 'ItemList.0.HsnCd': '84145120' }, 'HSN of line 1 84145120, here 85395000'],
    ['quantity', { 'ItemList.0.Qty': 7 }, 'quantity of line 1 7, here 2'],
    ['unit price', { 'ItemList.0.UnitPrice': 94.999 }, 'unit price of line 1 94.999, here 95'],
    ['date', { 'DocDtls.Dt': '01/11/2026' }, 'date 01/11/2026, here '],
    ['type', { 'DocDtls.Typ': 'CRN' }, 'type CRN, here INV'],
    ['place of supply', { 'BuyerDtls.Pos': '27' }, 'place of supply 27, here 29'],
    ['tax head', { 'ValDtls.IgstVal': 34.2, 'ValDtls.CgstVal': 0, 'ValDtls.SgstVal': 0 }, 'CGST 0, here 17.1'],
    ['buyer', { 'BuyerDtls.Gstin': '27AAPFU0939F1ZV' }, 'buyer 27AAPFU0939F1ZV'],
  ])('%s', async (_, invoice, message) => {
    await misbehave('changedPayload', { invoice });
    const { TransactionId: id } = await sell();
    const failed = await settled(id, 'failed');
    expect(failed).toMatchObject({ ackNo: null, signedQr: null, error: expect.stringContaining(message) });
  });

  test('the document is not cancelled until that IRN is cancelled at the portal, which is asked', async () => {
    await misbehave('changedPayload', { invoice: { 'ItemList.0.Qty': 7 } });
    const { TransactionId: id } = await sell();
    await settled(id, 'failed');
    const cancel = () =>
      shop.owner.call(
        'CancelTransaction',
        { TransactionIds: [id], TransactionType: 'saleInvoice', reason: 'typed twice' },
        crypto.randomUUID(),
      );
    expect(await cancel()).toMatchObject({
      ...{ status: 409, details: { code: 'notCancellable' } },
      message: expect.stringContaining('has its number for another invoice'),
    });
    // the database refuses it by itself too
    const tried = server.database.owner.query(
      `
        insert into cancellations (organisation, document, reversal, reason, by)
        select organisation, id, id, 'x', author
        from documents
        where id = $1
      `,
      [id],
    );
    await expect(tried).rejects.toMatchObject({ constraint: 'cancellations_irn' });
    await misbehave('changedPayload', {
      ...{ operations: ['getByIrn'], invoice: { 'ItemList.0.Qty': 7 }, answer: { Status: 'CNL' } },
    });
    await shop.owner.ask('GenerateIRNNumber', { ids: [id] });
    expect((await settled(id, 'cancelled')).signedQr).toBeNull();
    expect(await cancel()).toMatchObject({ status: 200 });
  });

  test('also when it is found after a lost answer, or named as a duplicate', async () => {
    await misbehave('dropAfterAccepting');
    await misbehave('changedPayload', { operations: ['getByDocument'], invoice: { 'ItemList.0.HsnCd': '84145120' } });
    const lost = await sell();
    expect((await settled(lost.TransactionId, 'failed')).signedQr).toBeNull();
    await misbehave('duplicate');
    await misbehave('changedPayload', { operations: ['getByIrn'], invoice: { 'ItemList.0.Qty': 7 } });
    const twice = await sell();
    expect((await settled(twice.TransactionId, 'failed')).error).toContain('quantity of line 1 7');
  });
});

describe('an answer that contradicts itself or is about another document is unclear, and the portal is asked', () => {
  const other = 'f'.repeat(64);
  test.each<[string, object]>([
    ['QR code of another number', { qr: { DocNo: 'OTHER/1', TotInvVal: 999_999, Irn: other } }],
    ['QR code of another total', { qr: { TotInvVal: 1 } }],
    ['IRN of 63 characters', { answer: { Irn: 'a'.repeat(63) } }],
    ['IRN of another document', { invoice: { Irn: other }, answer: { Irn: other }, qr: { Irn: other } }],
    [
      'acknowledgement of the future',
      {
        ...{ invoice: { AckDt: '2031-01-01 10:00:00' }, answer: { AckDt: '2031-01-01 10:00:00' } },
        qr: { IrnDt: '2031-01-01 10:00:00' },
      },
    ],
    ['acknowledgement older than the document', { invoice: { AckDt: '2020-01-01 10:00:00' } }],
    ['another acknowledgement than is signed', { answer: { AckNo: 112610000000009 } }],
  ])('%s', async (_, changes) => {
    await misbehave('changedPayload', changes);
    const { TransactionId: id } = await sell();
    const done = await settled(id, 'registered');
    expect(done.signedQr).not.toBeNull();
    expect(await attemptsOf(id)).toEqual(['register unclear', 'ask found']);
  });

  test('an answer of many megabytes is given up, and the portal is asked', async () => {
    await misbehave('garbage', { body: 'huge' });
    const { TransactionId: id } = await sell();
    await settled(id, 'registered');
    expect((await attempts(id))[0]).toMatchObject({ outcome: 'unclear' });
  });

  test('a question that is refused leaves it unclear: it is not sent again before the portal has said what it has', async () => {
    await misbehave('dropAfterAccepting');
    await misbehave('code', { code: '3108', operations: ['getByDocument'] });
    const { TransactionId: id } = await sell();
    await settled(id, 'registered');
    expect(await attemptsOf(id)).toEqual(['register unclear', 'ask refused', 'ask found']);
  });
});

describe('cancelling an IRN', () => {
  test('with both answers lost it is unclear, has no paper, and is found out in the background', async () => {
    const { TransactionId: id } = await sell();
    const { irn } = await settled(id, 'registered');
    await misbehave('dropAfterAccepting', { operations: ['cancel'] });
    await misbehave('dropBeforeAccepting', unanswered);
    expect(await cancelIrn(id)).toMatchObject({ status: 503, details: { code: 'irnCancelUnclear' } });
    expect((await einvoiceOf(id)).state).toBe('unclear');
    expect(await paperOf(irn)).toMatchObject({ status: 409, details: { code: 'irnUnclear' } });
    const document = { TransactionIds: [id], TransactionType: 'saleInvoice', reason: 'typed twice' };
    expect((await shop.owner.call('CancelTransaction', document)).status).toBe(409);
    await fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });
    await settled(id, 'cancelled');
    const notifications = (await shop.owner.ask('GetNotifications', {})) as { message: string }[];
    expect(notifications.some(({ message }) => message.endsWith('its IRN is cancelled at the portal'))).toBe(true);
    expect((await attemptsOf(id)).filter((attempt) => attempt.startsWith('register'))).toEqual(['register accepted']);
    expect((await shop.owner.call('CancelTransaction', document)).status).toBe(200);
  });

  test('that never arrived leaves it registered, and says so', async () => {
    const { TransactionId: id } = await sell();
    await settled(id, 'registered');
    await misbehave('dropBeforeAccepting', { operations: ['cancel'] });
    expect(await cancelIrn(id)).toMatchObject({ status: 503, details: { code: 'irpUnreachable' } });
    expect((await einvoiceOf(id)).state).toBe('registered');
    await misbehave('dropBeforeAccepting', { operations: ['cancel'] });
    await misbehave('dropBeforeAccepting', { ...unanswered, times: 1 });
    expect((await cancelIrn(id)).status).toBe(503);
    await settled(id, 'registered');
    expect((await cancelIrn(id)).status).toBe(200);
  });

  test('pressed by many at once it is asked once', async () => {
    const { TransactionId: id } = await sell();
    await settled(id, 'registered');
    await misbehave('slow', { operations: ['cancel'], delayMs: 300 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => cancelIrn(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await attemptsOf(id)).filter((attempt) => attempt.startsWith('cancel'))).toEqual(['cancel accepted']);
    expect((await einvoiceOf(id)).state).toBe('cancelled');
  });

  test('more than 24 hours after the acknowledgement is refused here and names the credit note', async () => {
    const { TransactionId: id } = await sell();
    await settled(id, 'registered');
    server.clock.at = Date.now() + 24 * 3_600_000 + 5_000;
    expect(await cancelIrn(id)).toMatchObject({
      ...{ status: 409, message: expect.stringContaining('credit note'), details: { code: 'irnTooLate' } },
    });
    expect((await attemptsOf(id)).some((attempt) => attempt.startsWith('cancel'))).toBe(false);
    server.clock.at = Date.now() + 24 * 3_600_000 - 60_000;
    expect((await cancelIrn(id)).status).toBe(200);
  });
});

test('registered without the signed copy is said in list, view and paper, and can be fetched again', async () => {
  await misbehave('dropAfterAccepting');
  await misbehave('code', { ...unanswered, code: '2283' });
  const { TransactionId: id, TransactionNumber: number } = await sell();
  const done = await settled(id, 'registered');
  expect(done).toMatchObject({ signedQr: null, error: expect.stringContaining('signed copy is missing') });
  const { rows } = (await shop.owner.ask('GetEInvoiceList', { search: number })) as { rows: object[] };
  expect(rows).toMatchObject([{ state: 'registered', signed: false, error: expect.stringContaining('missing') }]);
  const { content } = (await paperOf(done.irn)).details as { content: string };
  const text = textOfPdf(Buffer.from(content, 'base64'));
  expect(text.replaceAll(/\s/g, '')).toContain(done.irn);
  expect(text).toContain(done.ackNo);
  expect(text).toContain('signed QR code of this e-invoice is missing');
  await fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });
  expect(await shop.owner.ask('GenerateIRNNumber', { ids: [id] })).toMatchObject({ queued: 1, skipped: [] });
  await expect.poll(async () => (await einvoiceOf(id)).signedQr, { timeout: 20_000 }).not.toBeNull();
  expect(await einvoiceOf(id)).toMatchObject({ state: 'registered', ackNo: done.ackNo, error: null });
});

test('free quantity, batch, terms of payment and the contact of the seller are sent to the portal', async () => {
  const { version, values } = (await shop.owner.ask('GetMaster', {
    ...{ master: 'registration', id: shop.place.registration },
  })) as { version: number; values: object };
  await shop.owner.ask('SaveMaster', {
    ...{ master: 'registration', id: shop.place.registration, version },
    values: { ...values, phone: '080 4112 3456', email: 'books@sharma.example' },
  });
  const kept = (await shop.owner.ask('GetGeneralConfigDetails', {})) as { version: number };
  await shop.owner.ask('SaveGeneralConfigDetails', { version: kept.version, values: { enableBatch: true } });
  // a session caches the settings of the organisation for two seconds
  server.clock.at = Date.now() + 5000;
  const paint = {
    sku: 'LOT',
    name: 'Paint',
    type: 'stock',
    unit: 'NOS',
    hsn: '32089090',
    gstRate: '18',
    batched: true,
  };
  const made = (await shop.owner.ask('SaveMaster', {
    ...{ master: 'item', values: { ...paint, treatment: 'taxable', saleRate: '60' } },
  })) as { id: string };
  const batches = [{ batch: 'P-1', expiry: '2031-03-31', quantity: '3' }];
  const lot = { item: made.id, quantity: '3', rate: '50', batches };
  await shop.post({ kind: 'openingStock', lines: [lot] });
  const { TransactionId: id } = await sell({
    lines: [{ item: shop.item, quantity: '10', freeQuantity: '2', rate: '95' }, lot],
  });
  await settled(id, 'registered');
  const [first] = await attempts(id);
  expect(JSON.parse(first?.request ?? '{}')).toMatchObject({
    SellerDtls: { Ph: '08041123456', Em: 'books@sharma.example' },
    ItemList: [
      { Qty: 10, FreeQty: 2, UnitPrice: 95 },
      { Qty: 3, BchDtls: { Nm: 'P-1', ExpDt: '31/03/2031' } },
    ],
    PayDtls: { PaymtDue: 1298 },
  });
});

test('a price that the portal would take for nothing is a problem at its field, before a number is taken', async () => {
  const { today: date } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const lines = [{ item: shop.item, quantity: '100000', rate: '0.0004' }];
  const accepted = [{ warning: 'goodsForNothing', reason: 'Dust that is sold by weight' }];
  const document = { kind: 'saleInvoice', date, ...shop.place, party: shop.customer, lines, accepted };
  expect(await shop.owner.call('PostTransactionCalls', { document } as never, crypto.randomUUID())).toMatchObject({
    ...{ status: 422, details: { problems: [{ field: 'lines.rate', row: 0 }] } },
  });
});

test('a buyer whose address the portal would refuse is a problem before a number is taken', async () => {
  const at = { line1: '4 Hill Road', city: 'Pune', state: '27', pincode: '411001' };
  const { today: date } = (await shop.owner.ask('GetSession', {})) as { today: string };
  for (const [name, address, message] of [
    ['Without Address', undefined, 'needs an address'],
    ['With Another Pin', { ...at, pincode: '560001' }, '560001 is not in Maharashtra'],
  ] as const) {
    const values = { name, category: 'registered', gstin: '27AAPFU0939F1ZV', state: '27', addresses: [at] };
    const { id: party } = (await shop.owner.ask('SaveMaster', { master: 'customer', values })) as { id: string };
    await server.database.owner.query(
      `update parties set body = body || jsonb_build_object('addresses', $2::jsonb) where id = $1`,
      [party, JSON.stringify(address ? [address] : [])],
    );
    const document = {
      ...{ kind: 'saleInvoice', date, ...shop.place, party },
      lines: [{ item: shop.item, quantity: '1', rate: '95' }],
    };
    expect(await shop.owner.call('PostTransactionCalls', { document } as never, crypto.randomUUID())).toMatchObject({
      ...{ status: 422, details: { problems: [{ field: 'party', message: expect.stringContaining(message) }] } },
    });
  }
});

describe('a buyer abroad', () => {
  const save = async (values: object) =>
    (
      (await shop.owner.ask('SaveMaster', {
        ...{ master: 'customer' },
        values: { category: 'overseas', state: '96', currency: 'SAR', ...values },
      })) as { id: string }
    ).id;
  const abroad = { currency: 'SAR', exchangeRate: '22.40', lines: [] as object[] };
  const sold = (kind: string, party: string) =>
    sell({ kind, party, ...abroad, lines: [{ item: shop.item, quantity: '2', rate: '5' }] });

  test.each(['overseasSale', 'saudiInvoice'])('%s without an address has the name of the country', async (kind) => {
    const party = await save({ name: `Najd Lighting, ${kind}`, country: 'SA' });
    const { TransactionId: id } = await sold(kind, party);
    await settled(id, 'registered');
    const [first] = await attempts(id);
    expect(JSON.parse(first?.request ?? '{}')['BuyerDtls']).toMatchObject({
      ...{ LglNm: `Najd Lighting, ${kind}`, Addr1: `Najd Lighting, ${kind}` },
      ...{ Loc: 'Saudi Arabia', Pin: 999_999, Stcd: '96' },
    });
  });

  test('what became too short after posting is not sent', async () => {
    const party = await save({
      ...{ name: 'Short Lines', country: 'SA' },
      addresses: [{ line1: '1 King Road', city: 'Riyadh', state: '96', pincode: '999999' }],
    });
    await misbehave('dropBeforeAccepting');
    const { TransactionId: id } = await sold('overseasSale', party);
    await server.database.owner.query(
      `update parties set body = jsonb_set(body, '{addresses,0,city}', '"UK"') where id = $1`,
      [party],
    );
    const failed = await settled(id, 'failed');
    expect(failed.error).toContain('the city in three characters');
    expect((await attemptsOf(id)).filter((each) => each === 'register refused')).toEqual([]);
  });
});

test('a GSTIN that was suspended after posting: nothing is sent until the stop is over', async () => {
  const stops = (rows: readonly object[]) =>
    server.database.owner.query(
      `update registrations set body = body || jsonb_build_object('stops', $2::jsonb) where id = $1`,
      [shop.place.registration, JSON.stringify(rows)],
    );
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  await misbehave('dropBeforeAccepting');
  const { TransactionId: id } = await sell();
  await stops([{ what: 'suspended', from: today, to: null }]);
  try {
    const failed = await settled(id, 'failed');
    expect(failed).toMatchObject({ ackNo: null, error: expect.stringContaining('is suspended from') });
    expect((await attemptsOf(id)).filter((each) => each === 'register refused')).toEqual([]);
  } finally {
    await stops([]);
  }
  await shop.owner.ask('GenerateIRNNumber', { ids: [id] });
  expect(await settled(id, 'registered')).toMatchObject({ error: null });
});

test('a note without GST is not sent to the portal, neither by itself nor by hand', async () => {
  const sold = await sell();
  const { TransactionId: id } = await shop.post({
    ...{ kind: 'saleCreditNote', party: shop.customer, against: sold.TransactionId, reason: 'Post-sale discount' },
    ...{ withoutTax: true, lines: [{ item: shop.item, quantity: '1', rate: '10' }] },
  });
  expect(await einvoiceOf(id)).toBeNull();
  expect(await shop.owner.ask('GenerateIRNNumber', { ids: [id] })).toMatchObject({ queued: 0, skipped: [{ id }] });
});

test('goods leave from a place in another state under its own name', async () => {
  const place = { line1: 'Plot 4, Bhiwandi', city: 'Bhiwandi', pincode: '421302' };
  const values = { code: 'DEPOT', name: 'Depot', registration: shop.place.registration, isPhysical: true, ...place };
  const save = (more: object) => shop.owner.call('SaveMaster', { master: 'location', values: { ...values, ...more } });
  expect(await save({})).toMatchObject({ status: 422, details: { problems: [{ field: 'pincode' }] } });
  const saved = await save({ state: '27', portalName: 'Sharma Traders, Bhiwandi depot' });
  expect(saved.status).toBe(200);
  const location = (saved.details as { id: string }).id;
  await shop.post({ kind: 'openingStock', location, lines: [{ item: shop.item, quantity: '9', rate: '60' }] });
  const { TransactionId: id } = await sell({ location });
  await settled(id, 'registered');
  const [first] = await attempts(id);
  expect(JSON.parse(first?.request ?? '{}')['DispDtls']).toEqual({
    ...{ Nm: 'Sharma Traders, Bhiwandi depot', Addr1: 'Plot 4, Bhiwandi', Loc: 'Bhiwandi', Pin: 421302, Stcd: '27' },
  });
});

test('billed to one and sent to another: the place of supply and the taxes are those of the buyer', async () => {
  const chennai = { line1: '9 Mount Road', city: 'Chennai', state: '33', pincode: '600002', country: 'IN' };
  const another = { ...chennai, name: 'Third Person Pvt', gstin: '33AACCC9087J1ZD' };
  const sent = async (shipTo: object) => {
    const { TransactionId: id } = await sell({ shipTo });
    expect(await settled(id, 'registered', 'failed')).toMatchObject({ state: 'registered' });
    const [first] = await attempts(id);
    return JSON.parse(first?.request ?? '{}');
  };
  expect(await sent(another)).toMatchObject({
    BuyerDtls: { Pos: '29', Stcd: '29' },
    ShipDtls: { LglNm: 'Third Person Pvt', Gstin: '33AACCC9087J1ZD', Stcd: '33', Pin: 600_002 },
    ValDtls: { AssVal: 190, CgstVal: 17.1, SgstVal: 17.1, IgstVal: 0 },
  });
  // a place of the buyer in another state is where the goods are delivered
  expect(await sent(chennai)).toMatchObject({
    BuyerDtls: { Pos: '33', Stcd: '29' },
    ShipDtls: { Stcd: '33' },
    ValDtls: { AssVal: 190, CgstVal: 0, SgstVal: 0, IgstVal: 34.2 },
  });
});

describe('an address of ours that the portal would refuse is a problem before a number is taken', () => {
  type Table = 'locations' | 'registrations';
  const change = async (table: Table, id: string | undefined, body: object) =>
    server.database.owner.query(`update ${table} set body = body || $2::jsonb where id = $1`, [id, body]);
  /** What is said while the address is so; afterwards it is as before. */
  async function refused(table: Table, id: string | undefined, body: object, draft: object) {
    const { rows } = await server.database.owner.query<{ body: object }>(`select body from ${table} where id = $1`, [
      id,
    ]);
    const count = async () =>
      (await server.database.owner.query<{ n: number }>('select count(*)::int as n from documents')).rows[0]?.n;
    const before = await count();
    await change(table, id, body);
    const { today: date } = (await shop.owner.ask('GetSession', {})) as { today: string };
    const document = { date, ...shop.place, ...draft };
    const answer = await shop.owner.call('PostTransactionCalls', { document } as never, crypto.randomUUID());
    await change(table, id, rows[0]?.body ?? {});
    expect(await count()).toBe(before);
    return answer;
  }
  const at = (field: string, message: string) => ({
    status: 422,
    details: { problems: [{ field, message: expect.stringContaining(message) }] },
  });
  const sale = () => ({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const elsewhere = { line1: '4 Mill Road', city: 'Bengaluru', pincode: '' };

  test('the place without a PIN code, and with one of another state', async () => {
    const { location } = shop.place;
    expect(await refused('locations', location, elsewhere, sale())).toMatchObject(at('location', 'under Locations'));
    const away = { ...elsewhere, pincode: '421302' };
    expect(await refused('locations', location, away, sale())).toMatchObject(at('location', '421302 is not in Karnat'));
  });
  test('the registration', async () => {
    const { registration } = shop.place;
    const none = { city: '' };
    expect(await refused('registrations', registration, none, sale())).toMatchObject(
      at('registration', 'the city of the address. Correct it under Registrations'),
    );
  });
  test('the place and the registration that a transfer goes to', async () => {
    const own = server.organisations[0];
    const [toLocation, other] = [own?.locations['PUN'], own?.registrations['MH']];
    const transfer = {
      ...{ kind: 'branchTransfer', toLocation, lines: [{ item: shop.item, quantity: '1', rate: '60' }] },
    };
    const pune = { line1: '4 Hill Road', city: 'Pune', pincode: '' };
    expect(await refused('locations', toLocation, pune, transfer)).toMatchObject(at('toLocation', 'under Locations'));
    expect(await refused('registrations', other, { line1: '' }, transfer)).toMatchObject({
      status: 422,
      details: { problems: expect.arrayContaining([expect.objectContaining({ field: 'toLocation' })]) },
    });
  });
  test('a delivery from there is posted with a warning: its e-way bill is made afterwards', async () => {
    await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '1000', rate: '60' }] });
    const { location } = shop.place;
    const delivery = { ...sale(), kind: 'deliveryChallan', lines: [{ item: shop.item, quantity: '900', rate: '95' }] };
    const { rows } = await server.database.owner.query<{ body: object }>('select body from locations where id = $1', [
      location,
    ]);
    await change('locations', location, elsewhere);
    const { TransactionId: id, warnings } = (await shop.post(delivery)) as never as {
      TransactionId: string;
      warnings: object[];
    };
    expect(warnings).toMatchObject([{ code: 'wayAddress', field: 'location' }]);
    const obstacle = async () =>
      ((await shop.owner.ask('GetEWayBill', { id } as never)) as { obstacle: string | null }).obstacle;
    expect(await obstacle()).toContain('has no PIN code: correct the location');
    await change('locations', location, rows[0]?.body ?? {});
    expect(await obstacle()).toBeNull();
  });
});

test('a transfer between two GSTINs goes by its IRN, and not without: it is refused at once', async () => {
  const { locations } = (await shop.owner.ask('GetSession', {})) as unknown as {
    locations: { id: string; code: string; registration: string }[];
  };
  const away = locations.find(({ registration, code }) => registration !== shop.place.registration && code);
  const einvoicing = (on: boolean) =>
    server.database.owner.query(
      `update registrations set body = body || jsonb_build_object('einvoice', $2::boolean) where id = $1`,
      [shop.place.registration, on],
    );
  await einvoicing(false);
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '200', rate: '60' }] });
  const lines = [{ item: shop.item, quantity: '50', rate: '2000' }];
  const accepted = [{ warning: 'transferValue', reason: 'The price of the catalogue' }];
  const { TransactionId: id } = await shop.post({ kind: 'branchTransfer', toLocation: away?.id, lines, accepted });
  await einvoicing(true);
  const transport = { distance: 0, mode: '1', vehicle: 'KA01AB1234' } as const;
  expect(await shop.owner.call('GenerateEwayBillOnly', { id, transport })).toMatchObject({
    ...{ status: 409, message: expect.stringContaining('it needs its IRN first') },
  });
  await shop.owner.ask('GenerateIRNNumber', { ids: [id] });
  await settled(id, 'registered');
  expect((await shop.owner.call('GenerateEWayBill', { id, transport })).status).toBe(200);
});

test('an e-way bill of a document of more than 180 days ago is refused before anything is sent to the portal', async () => {
  const { TransactionId: id } = await shop.post({
    kind: 'deliveryChallan',
    ...{ party: shop.customer, reason: 'Job work', lines: [{ item: shop.item, quantity: '50', rate: '2000' }] },
  });
  const transport = { distance: 0, mode: '1', vehicle: 'KA01AB1234', as: '4' } as const;
  server.clock.at = Date.now() + 181 * 86_400_000;
  const owner = await server.signIn('owner@sharma.demo');
  expect(await owner.ask('GetEWayBill', { id })).toMatchObject({
    obstacle: expect.stringContaining('more than 180 days ago'),
  });
  expect(await owner.call('GenerateEwayBillOnly', { id, transport })).toMatchObject({ status: 409 });
});

test('after all this the invariants hold', async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
});
