import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../contract/contract.ts';
import type { wayCalls } from '../../contract/eway.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { superuserOf } from '../../tools/testing/books.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let consumer: string;
const CARRIER = '27AALCR2940B1ZJ';

beforeAll(async () => {
  server = await testServer({}, { portal: true });
  shop = await openShop(server);
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '100000', rate: '60' }] });
  consumer = (
    (await shop.owner.ask('SaveMaster', {
      master: 'customer',
      values: {
        name: 'Lakshmi Rao',
        category: 'unregistered',
        state: '27',
        addresses: [{ line1: '4 Hill Road', city: 'Pune', state: '27', pincode: '411001' }],
      },
    })) as { id: string }
  ).id;
});
/** Whether a test has changed a row behind the log, which must be found. */
let wentBehindTheLog = false;
afterAll(async () => {
  const found = /^eway_bills .* was changed between two records/;
  expect(await brokenInvariants(server.database.owner)).toEqual(
    wentBehindTheLog ? [{ id: 'INV-44d', organisation: 1, what: expect.stringMatching(found) }] : [],
  );
  await server.stop();
});
beforeEach(async () => {
  await fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });
});

type Standing = NonNullable<Answer<(typeof wayCalls)['GetEWayBill']>>;
type Bill = NonNullable<Standing['bill']>;
type Sold = { TransactionId: string; TransactionNumber: string };

const misbehave = async (mode: string, operations: string[], more: object = {}) => {
  const answer = await fetch(`${server.url}/sandbox/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode, times: 1, operations, ...more }),
  });
  expect(answer.ok).toBe(true);
};
const sell = (quantity = '1000', more: object = {}): Promise<Sold> =>
  shop.post({ kind: 'saleInvoice', party: shop.customer, lines: [{ item: shop.item, quantity, rate: '95' }], ...more });
const sellToConsumer = (): Promise<Sold> =>
  shop.post({ kind: 'b2cInvoice', party: consumer, lines: [{ item: shop.item, quantity: '1000', rate: '95' }] });
const road = { distance: 0, mode: '1', vehicle: 'KA 01 AB 1234' } as const;
const standing = (id: string): Promise<Standing> => shop.owner.ask('GetEWayBill', { id });
const attempts = async (id: string): Promise<string[]> =>
  ((await shop.owner.ask('GetEWayBillAttempts', { id })) as { what: string; outcome: string }[]).map(
    (a) => `${a.what} ${a.outcome}`,
  );
const billsOf = async (number: string): Promise<number> =>
  (await server.database.owner.query('select from sandbox.way_bills where doc_number = upper($1)', [number]))
    .rowCount ?? 0;
const hurry = () =>
  server.database.owner.query(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null',
  );

async function until<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const found = await ask();
    if (found) return found;
    await hurry();
    await new Promise((again) => setTimeout(again, 60));
  }
  throw new Error(`never ${what}; ${server.failures.join(' ')}`);
}
const settled = (id: string, ...states: string[]): Promise<Bill> =>
  until(`${states} (${id})`, async () => {
    const { bill } = await standing(id);
    return bill && states.includes(bill.state) ? bill : undefined;
  });
const registered = async (sold: Sold): Promise<Sold> => {
  await until('registered', async () => {
    const { einvoice } = (await shop.owner.ask('GetTransactionDetailForInvoice', {
      TransactionId: sold.TransactionId,
    })) as { einvoice: { state: string } };
    return einvoice.state === 'registered';
  });
  return sold;
};
const make = (id: string, transport: object = road) =>
  shop.owner.ask('GenerateEWayBill', { id, transport: transport as typeof road });
const makeOnly = (id: string, transport: object = road) =>
  shop.owner.ask('GenerateEwayBillOnly', { id, transport: transport as typeof road });

test('a registered invoice gets its e-way bill from its IRN, with number, validity and distance', async () => {
  const { TransactionId: id, TransactionNumber: number } = await registered(
    await sell('1000', { fields: { vehicle: 'KA01AB1234', transporter: 'Fast Roads' } }),
  );
  const before = await standing(id);
  expect(before).toMatchObject({ needed: 'required', route: 'irn', obstacle: null, bill: null });
  expect(before.suggested.vehicle).toBe('KA01AB1234');
  await make(id);
  const bill = await settled(id, 'active');
  expect(bill.number).toMatch(/^\d{12}$/);
  expect(bill.validUntil).toMatch(/^\d{4}-\d\d-\d\d 23:59/);
  expect(bill.distance).toBeGreaterThan(0);
  expect(await attempts(id)).toEqual(['make accepted']);
  expect(await billsOf(number)).toBe(1);
  const again = await shop.owner.call('GenerateEWayBill', { id, transport: road });
  expect(again).toMatchObject({ status: 409, details: { code: 'wayImpossible' } });
  for (const call of ['GetEWayBillByteCode', 'GetEWayBillOnlyByteCode'] as const) {
    const paper = (await shop.owner.ask(call, { EWayBillNo: bill.number ?? '' })) as { content: string };
    expect(Buffer.from(paper.content, 'base64').subarray(0, 4).toString()).toBe('%PDF');
  }
  const list = (await shop.owner.ask('GetEWayBillList', { search: bill.number ?? '' })) as {
    rows: { id: string; vehicle: string }[];
  };
  expect(list.rows).toMatchObject([{ id, vehicle: 'KA 01 AB 1234' }]);
});

test('an invoice without an IRN goes to the e-way-bill portal itself', async () => {
  const { TransactionId: id, TransactionNumber: number } = await sellToConsumer();
  expect(await standing(id)).toMatchObject({ needed: 'required', route: 'direct', obstacle: null });
  await makeOnly(id);
  const bill = await settled(id, 'active', 'failed');
  expect(bill).toMatchObject({ state: 'active', error: null });
  expect(await billsOf(number)).toBe(1);
  const wrong = await shop.owner.call('GenerateEWayBill', { id, transport: road });
  expect(wrong).toMatchObject({ status: 409, message: expect.stringContaining('has no IRN') });
});

test('a small sale needs none, a note sends nothing, and what is wrong with a transport is said at its field', async () => {
  const { TransactionId: id } = await registered(await sell('10'));
  expect(await standing(id)).toMatchObject({ needed: 'no', bill: null });
  const wrong = await shop.owner.call('GenerateEWayBill', {
    id,
    transport: { distance: 5000, mode: '1', vehicle: 'X' },
  });
  expect(wrong).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'transport.distance' }, { field: 'transport.vehicle' }] },
  });
  const noted = await shop.post({
    kind: 'saleCreditNote',
    party: shop.customer,
    against: id,
    reason: 'damaged',
    lines: [{ item: shop.item, quantity: '1', rate: '1', source: { document: id, line: 1 } }],
  });
  expect(await standing(noted.TransactionId)).toBeNull();
});

describe('whatever the portals do, there is exactly one e-way bill', () => {
  const modes = [
    ['timeoutAfterAccepting', ['make unclear', 'ask found']],
    ['dropAfterAccepting', ['make unclear', 'ask found']],
    ['serverErrorAfterAccepting', ['make unclear', 'ask found']],
    ['garbage', ['make unclear', 'ask found']],
    ['dropBeforeAccepting', ['make unclear', 'ask missing', 'make accepted']],
    ['serverError', ['make unclear', 'ask missing', 'make accepted']],
  ] as const;
  test.each(modes)('by IRN: %s', async (mode, wanted) => {
    const { TransactionId: id, TransactionNumber: number } = await registered(await sell());
    await misbehave(mode, ['ewbByIrn'], { delayMs: 4000 });
    await make(id);
    await settled(id, 'active');
    expect(await attempts(id)).toEqual(wanted);
    expect(await billsOf(number)).toBe(1);
  });
  test.each(modes)('directly: %s', async (mode, wanted) => {
    const { TransactionId: id, TransactionNumber: number } = await sellToConsumer();
    await misbehave(mode, ['GENEWAYBILL'], { delayMs: 4000 });
    await makeOnly(id);
    await settled(id, 'active');
    expect(await attempts(id)).toEqual(wanted);
    expect(await billsOf(number)).toBe(1);
  });
  // the token of one portal is the other's too: each has to find out by itself that it is gone
  test('a token that the portal has dropped is asked for anew, and the bill is made', async () => {
    const one = await registered(await sell());
    await misbehave('expiredToken', ['ewbByIrn']);
    await make(one.TransactionId);
    await settled(one.TransactionId, 'active');
    const other = await sellToConsumer();
    await makeOnly(other.TransactionId);
    await settled(other.TransactionId, 'active');
    expect([await attempts(one.TransactionId), await attempts(other.TransactionId)]).toEqual([
      ['make accepted'],
      ['make accepted'],
    ]);
  });
  test('pressed many times at once, it is still made once', async () => {
    const { TransactionId: id, TransactionNumber: number } = await sellToConsumer();
    await misbehave('slow', ['GENEWAYBILL'], { delayMs: 300 });
    await Promise.all(
      Array.from({ length: 8 }, () => shop.owner.call('GenerateEwayBillOnly', { id, transport: road })),
    );
    await settled(id, 'active');
    expect(await attempts(id)).toEqual(['make accepted']);
    expect(await billsOf(number)).toBe(1);
  });
  test('a job that comes while another has the bill stays: what that one leaves unclear is not left by all', async () => {
    const { TransactionId: id, TransactionNumber: number } = await sellToConsumer();
    await misbehave('timeoutAfterAccepting', ['GENEWAYBILL'], { delayMs: 4000 });
    await makeOnly(id);
    await settled(id, 'sending');
    // asked for again, as it was decided a moment before: its job takes the place of the one that is at work
    await server.database.owner.query(
      `
        insert into outbox (organisation, task, payload, key)
        select
          organisation, 'makeWayBill',
          jsonb_build_object('organisation', organisation, 'document', document, 'bill', bill),
          document || '/' || bill
        from eway_bills
        where document = $1
      `,
      [id],
    );
    await settled(id, 'active');
    expect(await attempts(id)).toEqual(['make unclear', 'ask found']);
    expect(await billsOf(number)).toBe(1);
  });
  test('a process that died on the way: another takes it up and asks first', async () => {
    const { TransactionId: id, TransactionNumber: number } = await sellToConsumer();
    await makeOnly(id);
    await settled(id, 'active');
    // as if the answer had not been written: past the log, for nobody may take a state back
    const boss = await superuserOf(server.database);
    await boss.client.query('set session_replication_role = replica');
    wentBehindTheLog = true;
    await boss.client.query(
      `update eway_bills set state = 'sending', number = null, updated_at = now() - interval '10 minutes' where document = $1`,
      [id],
    );
    await boss.leave();
    await server.database.owner.query(
      `
        insert into outbox (organisation, task, payload, key)
        select
          organisation, 'makeWayBill',
          jsonb_build_object('organisation', organisation, 'document', document, 'bill', bill),
          'again'
        from eway_bills
        where document = $1
      `,
      [id],
    );
    await settled(id, 'active');
    expect((await attempts(id)).at(-1)).toBe('ask found');
    expect(await billsOf(number)).toBe(1);
  });
});

test('a refusal is stored with its code and meaning, the author is notified, and another transport corrects it', async () => {
  const { TransactionId: id, TransactionNumber: number } = await sellToConsumer();
  await makeOnly(id, { ...road, distance: 4000 });
  const failed = await settled(id, 'failed');
  expect(failed).toMatchObject({ errorCode: '702', error: expect.stringMatching(/distance/i) });
  const notifications = (await shop.owner.ask('GetNotifications', {})) as { message: string }[];
  expect(notifications.some((n) => n.message.startsWith(`${number}: its e-way bill was refused`))).toBe(true);
  await makeOnly(id);
  await settled(id, 'active');
  expect(await attempts(id)).toEqual(['make refused', 'make accepted']);
});

const partB = (id: string, vehicle: string) => ({
  id,
  mode: '1' as const,
  vehicle,
  place: 'Bengaluru',
  state: '29',
  reason: '4' as const,
});

test('Part A waits for the vehicle; Part B starts the validity, and a lost answer is read back', async () => {
  const { TransactionId: id } = await sellToConsumer();
  await makeOnly(id, { distance: 0, transporterId: CARRIER });
  expect((await settled(id, 'partA')).validUntil).toBeNull();
  const done = (await shop.owner.ask('UpdateEWayBillVehicle', partB(id, 'KA01AB1111'))) as { validUntil: string };
  expect(done.validUntil).toMatch(/23:59/);
  expect((await standing(id)).bill).toMatchObject({ state: 'active', transport: { vehicle: 'KA01AB1111' } });

  await misbehave('dropAfterAccepting', ['VEHEWB']);
  await shop.owner.ask('UpdateEWayBillVehicle', { ...partB(id, 'KA01AB2222'), reason: '1' });
  expect((await standing(id)).bill).toMatchObject({ asked: null, transport: { vehicle: 'KA01AB2222' } });
  expect((await attempts(id)).slice(-2)).toEqual(['vehicle unclear', 'ask found']);

  await misbehave('dropBeforeAccepting', ['VEHEWB']);
  const not = await shop.owner.call('UpdateEWayBillVehicle', { ...partB(id, 'KA01AB3333'), reason: '1' });
  expect(not).toMatchObject({ status: 503, details: { code: 'wayUnreachable' } });
  expect((await standing(id)).bill).toMatchObject({ asked: null, transport: { vehicle: 'KA01AB2222' } });
});

test('when neither the answer nor the reading back comes, the next one asks first and does it once', async () => {
  const { TransactionId: id } = await sellToConsumer();
  await makeOnly(id);
  const { number } = await settled(id, 'active');
  await misbehave('dropAfterAccepting', ['VEHEWB']);
  await misbehave('serverError', ['ewayGet']);
  const first = await shop.owner.call('UpdateEWayBillVehicle', { ...partB(id, 'KA01AB4444'), reason: '1' });
  expect(first.status).toBe(503);
  expect((await standing(id)).bill).toMatchObject({ asked: 'vehicle' });
  await shop.owner.ask('UpdateEWayBillVehicle', { ...partB(id, 'KA01AB4444'), reason: '1' });
  expect((await standing(id)).bill).toMatchObject({ asked: null, transport: { vehicle: 'KA01AB4444' } });
  expect((await attempts(id)).slice(-3)).toEqual(['vehicle unclear', 'ask unclear', 'ask found']);
  const legs = await server.database.owner.query(
    `select from sandbox.way_vehicles where number = $1 and details ->> 'vehicleNo' = 'KA01AB4444'`,
    [number],
  );
  expect(legs.rowCount).toBe(1);
});

test('while a bill lives, neither the IRN nor the document is cancelled; after it is cancelled both are', async () => {
  const { TransactionId: id } = await registered(await sell());
  await make(id);
  const { number } = await settled(id, 'active');
  const irn = { id, reason: '3' as const, remark: 'order cancelled' };
  expect(await shop.owner.call('CancelIRNNumber', irn)).toMatchObject({
    status: 409,
    message: expect.stringContaining('2230'),
  });
  await misbehave('timeoutAfterAccepting', ['CANEWB'], { delayMs: 4000 });
  const cancel = { ids: [id], reason: '2' as const, remark: 'Order cancelled' };
  expect(await shop.owner.ask('CancelEwayBills', cancel)).toEqual({ cancelled: 1, left: [] });
  expect(await standing(id)).toMatchObject({ bill: { state: 'cancelled', number } });
  await shop.owner.ask('CancelIRNNumber', irn);

  const sold = await sellToConsumer();
  await makeOnly(sold.TransactionId);
  await settled(sold.TransactionId, 'active');
  const document = { TransactionIds: [sold.TransactionId], TransactionType: 'b2cInvoice', reason: 'typed twice' };
  expect(await shop.owner.call('CancelTransaction', document)).toMatchObject({
    status: 409,
    message: expect.stringContaining('e-way bill'),
  });
  await shop.owner.ask('CancelEwayBills', { ...cancel, ids: [sold.TransactionId] });
  // after that a new one may be made, and it is a new one
  await makeOnly(sold.TransactionId);
  await settled(sold.TransactionId, 'active');
  expect(await standing(sold.TransactionId)).toMatchObject({ bill: { bill: 2 }, former: [expect.any(String)] });
  await shop.owner.ask('CancelEwayBills', { ...cancel, ids: [sold.TransactionId] });
  await shop.owner.ask('CancelTransaction', document);
});

test('after a cancelled bill a lost answer does not take the old one for the new', async () => {
  const { TransactionId: id, TransactionNumber: number } = await sellToConsumer();
  await makeOnly(id);
  await settled(id, 'active');
  await shop.owner.ask('CancelEwayBills', { ids: [id], reason: '2', remark: 'Order cancelled' });
  await misbehave('dropBeforeAccepting', ['GENEWAYBILL']);
  await makeOnly(id);
  await settled(id, 'active');
  expect((await attempts(id)).slice(-3)).toEqual(['make unclear', 'ask missing', 'make accepted']);
  expect(await billsOf(number)).toBe(2);
});

test('after the day is over a bill is not cancelled, in a plain sentence', async () => {
  const { TransactionId: id } = await sellToConsumer();
  await makeOnly(id);
  await settled(id, 'active');
  server.clock.at = Date.now() + 25 * 3_600_000;
  try {
    const late = await shop.owner.call('CancelEwayBills', { ids: [id], reason: '2', remark: 'Order cancelled' });
    expect(late).toMatchObject({
      status: 409,
      details: { code: 'wayTooLate' },
      message: expect.stringContaining('more than 24 hours ago'),
    });
    // the portal was not asked
    expect((await attempts(id)).some((attempt) => attempt.startsWith('cancel'))).toBe(false);
    expect((await standing(id)).bill?.state).toBe('active');
  } finally {
    server.clock.at = undefined;
  }
});

test('an unsent bill falls with its document and is never sent', async () => {
  const { TransactionId: id, TransactionNumber: number } = await sellToConsumer();
  await misbehave('code', ['GENEWAYBILL'], { code: '207' });
  await makeOnly(id);
  await settled(id, 'failed');
  await shop.owner.ask('CancelTransaction', { TransactionIds: [id], TransactionType: 'b2cInvoice', reason: 'wrong' });
  expect((await standing(id)).bill?.state).toBe('void');
  expect(await billsOf(number)).toBe(0);
});

test('who may not, is refused; another organisation sees nothing', async () => {
  const { TransactionId: id } = await sellToConsumer();
  await makeOnly(id);
  const { number } = await settled(id, 'active');
  const viewer = await server.signIn('viewer@sharma.demo');
  expect((await viewer.call('GetEWayBill', { id })).status).toBe(200);
  expect((await viewer.call('GenerateEwayBillOnly', { id, transport: road })).status).toBe(403);
  expect((await viewer.call('UpdateEWayBillVehicle', partB(id, 'KA01AB1111'))).status).toBe(403);
  const accountant = await server.signIn('accountant@sharma.demo');
  expect((await accountant.call('CancelEwayBills', { ids: [id], reason: '2', remark: 'x' })).status).toBe(403);
  const nova = await server.signIn('owner@nova.demo');
  for (const answer of [
    await nova.call('GetEWayBill', { id }),
    await nova.call('GetEWayBillAttempts', { id }),
    await nova.call('GenerateEwayBillOnly', { id, transport: road }),
    await nova.call('UpdateEWayBillVehicle', partB(id, 'KA01AB1111')),
    await nova.call('CancelEwayBills', { ids: [id], reason: '2', remark: 'x' }),
    await nova.call('GetEWayBillByteCode', { EWayBillNo: number ?? '' }),
  ])
    expect(answer.status).toBe(404);
});
