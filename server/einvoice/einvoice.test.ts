import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { superuserOf } from '../../tools/testing/books.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer({}, { portal: true });
  shop = await openShop(server);
});
/** Whether a test has changed a row behind the log, which must be found. */
let wentBehindTheLog = false;
afterAll(async () => {
  const found = /^einvoices .* was changed between two records/;
  expect(await brokenInvariants(server.database.owner)).toEqual(
    wentBehindTheLog ? [{ id: 'INV-44d', organisation: 1, what: expect.stringMatching(found) }] : [],
  );
  await server.stop();
});

interface Einvoice {
  state: string;
  irn: string | null;
  ackNo: string | null;
  signedQr: string | null;
  error: string | null;
}
interface Attempt {
  what: string;
  outcome: string;
  code: string | null;
  message: string | null;
}

const control = (body: object) =>
  fetch(`${server.url}/sandbox/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then((r) => r.ok);
const misbehave = async (mode: string, more: object = {}) =>
  expect(await control({ mode, times: 1, operations: ['generate'], ...more })).toBe(true);
beforeEach(async () => {
  await fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });
});

const sell = (more: object = {}): Promise<{ TransactionId: string; TransactionNumber: string }> =>
  shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '2', rate: '95' }],
    ...more,
  });
const einvoiceOf = async (id: string): Promise<Einvoice | null> =>
  ((await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as { einvoice: Einvoice | null })
    .einvoice;
const attemptsOf = async (id: string): Promise<string[]> =>
  ((await shop.owner.ask('GetEInvoiceAttempts', { id })) as Attempt[]).map((a) => `${a.what} ${a.outcome}`);
/** How often the portal has a document; the schema of the stand-in is the owner's. */
const irnsOf = async (number: string): Promise<number> =>
  (await server.database.owner.query('select from sandbox.invoices where upper(number) = upper($1)', [number]))
    .rowCount ?? 0;

/** Waits for a state; what waits to be tried again is brought forward. */
async function settled(id: string, ...states: string[]): Promise<Einvoice> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const einvoice = await einvoiceOf(id);
    if (einvoice && states.includes(einvoice.state)) return einvoice;
    await server.database.owner.query(
      'update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null',
    );
    await new Promise((again) => setTimeout(again, 60));
  }
  throw new Error(
    `still ${JSON.stringify(await einvoiceOf(id))} ${(await attemptsOf(id)).join(', ')} ${server.failures.join(' ')}`,
  );
}

test('a posted invoice is registered by itself, with IRN, acknowledgement and signed QR on its paper', async () => {
  const { TransactionId: id, TransactionNumber: number } = await sell();
  const done = await settled(id, 'registered');
  expect(done.irn).toMatch(/^[0-9a-f]{64}$/);
  expect(done.ackNo).toMatch(/^\d{15}$/);
  expect(done.signedQr?.split('.')).toHaveLength(3);
  expect(await attemptsOf(id)).toEqual(['register accepted']);
  expect(await irnsOf(number)).toBe(1);
  const paper = (await shop.owner.ask('GetEInvoiceByteCode', { IrnNumber: done.irn ?? '' })) as { content: string };
  expect(Buffer.from(paper.content, 'base64').subarray(0, 4).toString()).toBe('%PDF');
  const list = (await shop.owner.ask('GetEInvoiceList', { search: done.irn ?? '' })) as {
    rows: { id: string }[];
    counts: Record<string, number>;
  };
  expect(list.rows.map((r) => r.id)).toEqual([id]);
  expect(list.counts.registered).toBeGreaterThan(0);
});

test('a note names its invoice, and is registered as a credit note', async () => {
  const sold = await sell();
  const back = await shop.post({
    kind: 'saleReturn',
    party: shop.customer,
    against: sold.TransactionId,
    reason: 'damaged',
    lines: [{ item: shop.item, quantity: '1', source: { document: sold.TransactionId, line: 1 } }],
  });
  await settled(back.TransactionId, 'registered');
  const [attempt] = (await shop.owner.ask('GetEInvoiceAttempts', { id: back.TransactionId })) as { request: string }[];
  expect(JSON.parse(attempt?.request ?? '{}')).toMatchObject({
    DocDtls: { Typ: 'CRN' },
    RefDtls: { PrecDocDtls: [{ InvNo: sold.TransactionNumber }] },
  });
});

test('a note to an invoice from before the books names its number and day; without them it is not posted', async () => {
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const originalDate = addDays(today, -60);
  const note = {
    ...{ kind: 'saleCreditNote', party: shop.customer, reason: 'Discount' },
    lines: [{ item: shop.item, quantity: '1', rate: '10' }],
  };
  const refused = await shop.owner.call(
    'PostTransactionCalls',
    { document: { ...shop.place, date: today, ...note } } as never,
    randomUUID(),
  );
  expect(refused).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'originalNumber' }, { field: 'originalDate' }] },
  });
  const posted = await shop.post({
    ...note,
    fields: { originalNumber: 'OLD/25-26/7', originalDate },
  });
  await settled(posted.TransactionId, 'registered');
  const [attempt] = (await shop.owner.ask('GetEInvoiceAttempts', { id: posted.TransactionId })) as {
    request: string;
  }[];
  expect(JSON.parse(attempt?.request ?? '{}')).toMatchObject({
    DocDtls: { Typ: 'CRN' },
    RefDtls: { PrecDocDtls: [{ InvNo: 'OLD/25-26/7', InvDt: originalDate.split('-').reverse().join('/') }] },
  });
});

test('what a consumer buys needs no IRN and asks for none', async () => {
  const { TransactionId: id } = await shop.post({
    kind: 'cashSale',
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  expect(await einvoiceOf(id)).toBeNull();
  const again = (await shop.owner.ask('GenerateIRNNumber', { ids: [id] })) as { queued: number; skipped: object[] };
  expect(again).toMatchObject({ queued: 0, skipped: [{ id }] });
});

test('an invoice that a registered buyer pays at once has an IRN; a B2C invoice to that buyer is refused at the field', async () => {
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const { TransactionId: id, TransactionNumber: number } = await shop.post({
    ...{ kind: 'cashSale', party: shop.customer, lines },
  });
  await settled(id, 'registered');
  expect(await irnsOf(number)).toBe(1);
  const { today: date } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const document = { kind: 'b2cInvoice', date, ...shop.place, party: shop.customer, lines };
  const refused = await shop.owner.call('PostTransactionCalls', { document } as never, randomUUID());
  const message = 'Asha Traders has a GSTIN, so the invoice needs an IRN: make a sale invoice';
  expect(refused).toMatchObject({ status: 422, details: { problems: [{ field: 'party', message }] } });
});

test('a document from before e-invoicing applied is not sent, neither by itself nor by hand', async () => {
  const from = (day: string) =>
    server.database.owner.query(
      `update registrations set body = body || jsonb_build_object('einvoiceFrom', $2::text) where id = $1`,
      [shop.place.registration, day],
    );
  await from('9999-12-31');
  const { TransactionId: id } = await sell();
  expect(await einvoiceOf(id)).toBeNull();
  expect(await shop.owner.ask('GenerateIRNNumber', { ids: [id] })).toMatchObject({ queued: 0, skipped: [{ id }] });
  await from('');
  expect(await shop.owner.ask('GenerateIRNNumber', { ids: [id] })).toMatchObject({ queued: 1 });
  await settled(id, 'registered');
});

describe('whatever the portal does, there is exactly one IRN', () => {
  test.each([
    ['timeoutAfterAccepting', ['register unclear', 'ask found']],
    ['dropAfterAccepting', ['register unclear', 'ask found']],
    ['serverErrorAfterAccepting', ['register unclear', 'ask found']],
    ['timeoutBeforeAccepting', ['register unclear', 'ask missing', 'register accepted']],
    ['dropBeforeAccepting', ['register unclear', 'ask missing', 'register accepted']],
    ['serverError', ['register unclear', 'ask missing', 'register accepted']],
    ['garbageBeforeAccepting', ['register unclear', 'ask missing', 'register accepted']],
    ['garbage', ['register unclear', 'ask found']],
    ['wrongSignature', ['register unclear', 'ask found']],
    ['unknownKey', ['register unclear', 'ask found']],
    ['expiredToken', ['register accepted']],
  ])('%s', async (mode, attempts) => {
    await misbehave(mode, { delayMs: 4000 });
    const { TransactionId: id, TransactionNumber: number } = await sell();
    const done = await settled(id, 'registered');
    expect(done.signedQr).not.toBeNull();
    expect(await attemptsOf(id)).toEqual(attempts);
    expect(await irnsOf(number)).toBe(1);
  });

  test('another facts under a good signature are not ours; sent again, the duplicate is found to be ours', async () => {
    await misbehave('changedPayload');
    const { TransactionId: id, TransactionNumber: number } = await sell();
    expect((await settled(id, 'failed')).error).toContain('for another invoice');
    expect(await shop.owner.ask('GenerateIRNNumber', { ids: [id] })).toMatchObject({ queued: 1, skipped: [] });
    await settled(id, 'registered');
    expect(await attemptsOf(id)).toEqual(['register refused', 'register refused', 'ask found']);
    expect(await irnsOf(number)).toBe(1);
  });

  test('pressed many times at once, it is still sent once', async () => {
    await misbehave('slow', { delayMs: 400 });
    const { TransactionId: id, TransactionNumber: number } = await sell();
    await Promise.all(Array.from({ length: 8 }, () => shop.owner.call('GenerateIRNNumber', { ids: [id] })));
    await settled(id, 'registered');
    await new Promise((rest) => setTimeout(rest, 300));
    expect(await attemptsOf(id)).toEqual(['register accepted']);
    expect(await irnsOf(number)).toBe(1);
  });

  test('a job that comes while another has the document stays: what that one leaves unclear is not left by all', async () => {
    await misbehave('timeoutAfterAccepting', { delayMs: 4000 });
    const { TransactionId: id, TransactionNumber: number } = await sell();
    await settled(id, 'sending');
    // sent again by hand, as it was decided a moment before: its job takes the place of the one that is at work
    await server.database.owner.query(
      `
        insert into outbox (organisation, task, payload, key)
        select
          organisation, 'registerInvoice',
          jsonb_build_object('organisation', organisation, 'document', document), document::text
        from einvoices
        where document = $1
      `,
      [id],
    );
    await settled(id, 'registered');
    expect(await attemptsOf(id)).toEqual(['register unclear', 'ask found']);
    expect(await irnsOf(number)).toBe(1);
  });

  test('a process that died on the way: another takes it up and asks first', async () => {
    const { TransactionId: id, TransactionNumber: number } = await sell();
    await settled(id, 'registered');
    // as if the answer had not been written: past the log, for nobody may take a state back
    const boss = await superuserOf(server.database);
    await boss.client.query('set session_replication_role = replica');
    wentBehindTheLog = true;
    await boss.client.query(
      `
        update einvoices
        set state = 'sending', ack_no = null, signed_qr = null, updated_at = now() - interval '10 minutes'
        where document = $1
      `,
      [id],
    );
    await boss.leave();
    await shop.owner.call('GenerateIRNNumber', { ids: [id] });
    await server.database.owner.query(
      `
        insert into outbox (organisation, task, payload, key)
        select
          organisation, 'registerInvoice',
          jsonb_build_object('organisation', organisation, 'document', document), 'again'
        from einvoices
        where document = $1
      `,
      [id],
    );
    expect((await settled(id, 'registered')).signedQr).not.toBeNull();
    expect((await attemptsOf(id)).at(-1)).toBe('ask found');
    expect(await irnsOf(number)).toBe(1);
  });
});

test('a refusal is stored with its text, the author is notified, and sending again corrects it', async () => {
  await misbehave('code', { code: '3039' });
  const { TransactionId: id, TransactionNumber: number } = await sell();
  const failed = await settled(id, 'failed');
  expect(failed.error).not.toBe('');
  const inbox = (await shop.owner.ask('GetEInvoiceList', { state: 'failed' })) as {
    rows: { id: string; errorCode: string; attempts: number }[];
  };
  expect(inbox.rows.find((r) => r.id === id)).toMatchObject({ errorCode: '3039', attempts: 1 });
  const told = (await shop.owner.ask('GetNotifications', {})) as { message: string }[];
  expect(told.some((n) => n.message.startsWith(number))).toBe(true);
  await shop.owner.ask('GenerateIRNNumber', { ids: [id] });
  await settled(id, 'registered');
});

test('a document the portal has cannot be cancelled before its IRN; one not sent is never sent', async () => {
  const { TransactionId: id } = await sell();
  await settled(id, 'registered');
  const asked = { TransactionIds: [id], TransactionType: 'saleInvoice', reason: 'typed twice' };
  const held = await shop.owner.call('CancelTransaction', asked);
  expect(held).toMatchObject({ status: 409, details: { code: 'notCancellable' } });
  const cancelled = (await shop.owner.ask('CancelIRNNumber', { id, reason: '2', remark: 'typed twice' })) as {
    cancelledOn: string;
  };
  expect(cancelled.cancelledOn).toMatch(/^\d{4}-/);
  expect((await einvoiceOf(id))?.state).toBe('cancelled');
  await shop.owner.ask('CancelTransaction', asked);
  const late = await shop.owner.call('GenerateIRNNumber', { ids: [id] });
  expect(late.details).toMatchObject({ queued: 0 });

  await misbehave('code', { code: '3039' });
  const wrong = await sell();
  await settled(wrong.TransactionId, 'failed');
  await shop.owner.ask('CancelTransaction', { ...asked, TransactionIds: [wrong.TransactionId] });
  expect((await einvoiceOf(wrong.TransactionId))?.state).toBe('void');
  expect(await irnsOf(wrong.TransactionNumber)).toBe(0);
});

const returnOf = (id: string) => ({
  ...{ kind: 'saleReturn', party: shop.customer, against: id, reason: 'damaged' },
  lines: [{ item: shop.item, quantity: '1', source: { document: id, line: 1 } }],
});
const receiptOf = async (id: string) => ({
  ...{ kind: 'saleReceipt', party: shop.customer, amount: '10.00', allocations: [{ document: id, amount: '10.00' }] },
  moneyLedger: await bank(),
});
const bank = async (): Promise<string> =>
  (
    await server.database.owner.query('select id from ledgers where organisation = $1 and code = $2', [
      server.organisations[0]?.organisation,
      '1121',
    ])
  ).rows[0].id;
const tryPost = async (document: object) => {
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const asked = { document: { ...shop.place, date: today, lines: [], ...document } };
  return shop.owner.call('PostTransactionCalls', asked as never, randomUUID());
};
const cancelIrn = (id: string) => shop.owner.call('CancelIRNNumber', { id, reason: '2', remark: 'typed twice' });
const codeOf = ({ status, details }: { status: number; details: unknown }): unknown =>
  status === 200 ? 'done' : (details as { code?: string }).code;

test('the IRN of an invoice with a return or a receipt stays; once it is cancelled nothing new refers to it', async () => {
  const sold = await sell();
  const { TransactionId: id, TransactionNumber: number } = sold;
  await settled(id, 'registered');
  const back = await shop.post(returnOf(id));
  await settled(back.TransactionId, 'registered');
  expect(await cancelIrn(id)).toMatchObject({
    ...{ status: 409, details: { code: 'irnInUse' } },
    message: expect.stringContaining(`${back.TransactionNumber} was made from it`),
  });
  expect(codeOf(await cancelIrn(back.TransactionId))).toBe('done');
  const gone = (TransactionId: string, TransactionType: string) =>
    shop.owner.ask(
      'CancelTransaction',
      { TransactionIds: [TransactionId], TransactionType, reason: 'typed twice', frees: true },
      randomUUID(),
    );
  await gone(back.TransactionId, 'saleReturn');
  const receipt = await shop.post(await receiptOf(id));
  expect(await cancelIrn(id)).toMatchObject({
    ...{ status: 409, details: { code: 'irnInUse' } },
    message: expect.stringContaining(`settled with Receipt ${receipt.TransactionNumber}`),
  });
  const pair = { credit: receipt.TransactionId, invoice: id };
  const allocate = (amount: string) =>
    shop.owner.call('SavePartyCreditsAllocation', { party: shop.customer, allocations: [{ ...pair, amount }] });
  expect(codeOf(await allocate('0'))).toBe('done');
  expect(codeOf(await cancelIrn(id))).toBe('done');
  // the invoice is still in the books: only its own cancellation is left
  const price = { item: shop.item, quantity: '1', rate: '5', source: { document: id, line: 1 } };
  const note = { kind: 'saleCreditNote', party: shop.customer, against: id, reason: 'damaged', lines: [price] };
  for (const document of [returnOf(id), note, await receiptOf(id)])
    expect(await tryPost(document)).toMatchObject({
      ...{ status: 409, details: { code: 'irnCancelled' } },
      message: expect.stringContaining(`cancel ${number} itself`),
    });
  expect(codeOf(await allocate('10.00'))).toBe('irnCancelled');
  expect(codeOf(await shop.owner.call('GetConversion', { from: id, kind: 'saleReturn' }))).toBe('irnCancelled');
  await shop.owner.ask('AllcoateCreditsByTransactionId', { TransactionId: id });
  const { rows } = await server.database.owner.query(
    'select open = original as whole from open_items where document = $1',
    [id],
  );
  expect(rows).toEqual([{ whole: true }]);
  await gone(id, 'saleInvoice');
}, 60_000);

test('an invoice whose IRN is cancelled is a problem of GSTR-1, and no return of its period is filed', async () => {
  const values = {
    sku: 'FIT-1',
    name: 'Fitting',
    type: 'service',
    unit: 'NOS',
    hsn: '998717',
    gstRate: '18',
    treatment: 'taxable',
  };
  const { id: item } = (await shop.owner.ask('SaveMaster', { master: 'item', values } as never)) as { id: string };
  const lines = [{ item, quantity: '1', rate: '95' }];
  const { TransactionId: id, TransactionNumber: number } = await sell({ date: '2026-10-31', lines });
  await settled(id, 'registered');
  expect(codeOf(await cancelIrn(id))).toBe('done');
  const filters = { registration: shop.place.registration, period: '102026' };
  const notes = async () =>
    ((await shop.owner.ask('RunReport', { report: 'gstr1', filters })) as { notes: string[] }).notes;
  const said = `${number}: its IRN is cancelled, so it is no invoice: cancel the document`;
  expect(await notes()).toContainEqual(said);
  for (const form of ['GSTR-1', 'GSTR-3B'] as const) {
    const filed = { registration: shop.place.registration, form, period: '2026-10', filedOn: '2026-11-20', arn: '' };
    expect(await shop.owner.call('MarkFiled', filed as never)).toMatchObject({
      status: 422,
      details: {
        problems: [{ field: 'period', message: expect.stringContaining(`The IRN of ${number} is cancelled`) }],
      },
    });
  }
  const gone = { TransactionIds: [id], TransactionType: 'saleInvoice', reason: 'typed twice' };
  await shop.owner.ask('CancelTransaction', gone as never, randomUUID());
  expect(await notes()).not.toContainEqual(said);
}, 60_000);

test('an IRN is cancelled and a return, or a receipt, comes at the same moment: one of the two', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { TransactionId: id } = await sell();
    await settled(id, 'registered');
    const other = round % 2 === 0 ? returnOf(id) : await receiptOf(id);
    const outcome = (await Promise.all([cancelIrn(id), tryPost(other)])).map(codeOf);
    expect([
      ['done', 'irnCancelled'],
      ['irnInUse', 'done'],
    ]).toContainEqual(outcome);
  }
}, 60_000);

test('cancelling after a lost answer finds out what has become of it', async () => {
  const { TransactionId: id } = await sell();
  await settled(id, 'registered');
  await misbehave('dropAfterAccepting', { operations: ['cancel'] });
  await shop.owner.ask('CancelIRNNumber', { id, reason: '2', remark: 'typed twice' });
  expect((await einvoiceOf(id))?.state).toBe('cancelled');
});

test('credentials: secrets go in and never come out; a wrong one is a problem, and the test button says so', async () => {
  const kept = (await shop.owner.ask('GetEInvoiceClientCredentails', {})) as { registration: string; gstin: string }[];
  const [first] = kept;
  expect(JSON.stringify(kept)).not.toContain('Sandbox@123');
  const asked = { registration: first?.registration ?? '', clientId: 'BAHI-CLIENT', userName: `bahi_${first?.gstin}` };
  await shop.owner.ask('AddUpdateEInvoiceCredentials', { ...asked, password: 'wrong' });
  expect(await shop.owner.ask('TestEInvoiceCredentials', { registration: asked.registration })).toMatchObject({
    ok: false,
    message: expect.stringContaining('1019'),
  });
  await shop.owner.ask('AddUpdateEInvoiceCredentials', { ...asked, password: 'Sandbox@123' });
  expect(await shop.owner.ask('TestEInvoiceCredentials', { registration: asked.registration })).toMatchObject({
    ok: true,
  });
  // a form that was opened before shows who has set what since: that a secret has changed, never its value
  const stored = async () =>
    (
      (await shop.owner.ask('GetEInvoiceClientCredentails', {})) as {
        registration: string;
        version: number;
        marks: Record<string, number>;
      }[]
    ).find(({ registration }) => registration === asked.registration);
  const before = await stored();
  await shop.owner.ask('TestEInvoiceCredentials', { registration: asked.registration });
  expect((await stored())?.version).toBe(before?.version);
  const over = { ...asked, version: before?.version };
  await shop.owner.ask('AddUpdateEInvoiceCredentials', { ...over, password: 'Sandbox@124' });
  const { clientSecret = 0, password = 0 } = before?.marks ?? {};
  expect((await stored())?.marks).toEqual({ clientSecret, password: password + 1 });
  expect(await shop.owner.call('AddUpdateEInvoiceCredentials', over)).toMatchObject({
    status: 409,
    message: 'Ravi Sharma has changed this record since you opened it',
  });
  await shop.owner.ask('AddUpdateEInvoiceCredentials', { ...asked, password: 'Sandbox@123' });
  const viewer = await server.signIn('viewer@sharma.demo');
  expect((await viewer.call('AddUpdateEInvoiceCredentials', { ...asked, password: 'x' })).status).toBe(403);
  const nova = await server.signIn('owner@nova.demo');
  expect((await nova.call('AddUpdateEInvoiceCredentials', { ...asked, password: 'x' })).status).toBe(404);
  expect((await nova.call('TestEInvoiceCredentials', { registration: asked.registration })).status).toBe(404);
});

/** So many are on their way at a time. */
const AT_ONCE = 4;
test('F-38: what waited while the portal was away goes out when it is back, in its order, four at a time, each once', async () => {
  const WAITING = 40;
  const { owner } = server.database;
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '200', rate: '60' }] });
  await misbehave('serverError', { times: 'always', operations: undefined });
  // nobody is tried a second time meanwhile, however long all this takes: who was would wait longer than the others
  const hold = () =>
    owner.query(
      `
        update graphile_worker._private_jobs
        set run_at = run_at + interval '1 hour'
        where run_at between now() and now() + interval '30 minutes' and locked_at is null
      `,
    );
  const sold: Awaited<ReturnType<typeof sell>>[] = [];
  for (let n = 0; n < WAITING; n++) {
    sold.push(await sell());
    await hold();
  }
  const ids = sold.map(({ TransactionId }) => TransactionId);
  const standing = async (state: string) =>
    (await owner.query('select from einvoices where document = any($1) and state = $2', [ids, state])).rowCount;
  const held = async () => {
    await hold();
    const later = `
      select from graphile_worker._private_jobs
      where payload ->> 'document' = any($1) and run_at > now() + interval '30 minutes'
    `;
    return (await owner.query(later, [ids])).rowCount;
  };
  await expect.poll(held, { timeout: 20_000 }).toBe(WAITING);
  expect(await standing('unclear')).toBe(WAITING);
  expect((await owner.query('select from sandbox.invoices where number = any($1)', [sold.map(upper)])).rowCount).toBe(
    0,
  );
  await fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });
  // time passes: all that waits is due, in the order in which it waits
  const due = `update graphile_worker._private_jobs set run_at = run_at - interval '1 day' where run_at > now() and locked_at is null`;
  let most = 0;
  for (const patience = Date.now() + 30_000; (await standing('registered')) !== WAITING && Date.now() < patience; ) {
    await owner.query(due);
    most = Math.max(most, (await standing('sending')) ?? 0);
    await new Promise((again) => setTimeout(again, 20));
  }
  const { rows: states } = await owner.query(
    `
      select e.state, count(*)::int as documents, min(a.message) as said
      from einvoices e
      left join lateral (
        select message from einvoice_attempts where document = e.document order by attempt desc limit 1
      ) a on e.state <> $2
      where e.document = any($1)
      group by 1
    `,
    [ids, 'registered'],
  );
  expect(states).toEqual([{ state: 'registered', documents: WAITING, said: null }]);
  expect(most).toBeLessThanOrEqual(AT_ONCE);
  const { rows } = await owner.query<{ number: string }>(
    'select number from sandbox.invoices where number = any($1) order by ack_no',
    [sold.map(upper)],
  );
  expect(rows.map(({ number }) => number).toSorted()).toEqual(sold.map(upper).toSorted());
  const overtaken = rows.map(({ number }, at) => Math.abs(sold.map(upper).indexOf(number) - at));
  expect(Math.max(...overtaken)).toBeLessThan(3 * AT_ONCE);
}, 90_000);
const upper = ({ TransactionNumber }: { readonly TransactionNumber: string }): string =>
  TransactionNumber.toUpperCase();

test('S-52: what is looked for is text: no sign of it stands for any other', async () => {
  const { TransactionNumber } = await sell();
  const found = async (search: string) =>
    ((await shop.owner.ask('GetEInvoiceList', { search })) as { rows: { number: string }[] }).rows.map((r) => r.number);
  expect(await found(TransactionNumber.toLowerCase())).toEqual([TransactionNumber]);
  for (const search of ['%', '_', '\\', `${TransactionNumber.slice(0, -1)}_`]) expect(await found(search)).toEqual([]);
});
