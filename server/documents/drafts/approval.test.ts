import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../../contract/calls.ts';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { sealAll } from '../../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let today: string;
/** Writes and may not approve. */
let accountant: Visitor;
/** Approves and may not write. */
let approver: Visitor;
let viewer: Visitor;

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  [accountant, approver, viewer] = (await Promise.all(
    ['accountant', 'approver', 'viewer'].map((name) => server.signIn(`${name}@sharma.demo`)),
  )) as [Visitor, Visitor, Visitor];
  await rule([
    { kind: 'saleInvoice', from: '1000' },
    { kind: 'payment', from: '0' },
  ]);
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
const call = (name: CallName, input: object, by: Visitor = accountant, key: string = randomUUID()) =>
  by.call(name as 'GetSession', input as never, key);
const ask = async <T>(name: CallName, input: object, by: Visitor = accountant) =>
  (await by.ask(name as 'GetSession', input as never, randomUUID())) as unknown as T;
const rule = (approvals: object) => ask('SaveGeneralConfigDetails', { values: { approvals } }, shop.owner);
const refused = (code: string) => ({ details: { code } });

/** A sale invoice of so many bulbs: ten come to ₹1,121. */
const invoice = (quantity = '10') => ({
  ...{ kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer },
  lines: [{ item: shop.item, quantity, rate: '95' }],
});
const draft = (quantity?: string, by?: Visitor) =>
  ask<Kept>('AddTransactionDetails', { kind: 'saleInvoice', body: invoice(quantity) }, by);
const sent = async (quantity?: string, by?: Visitor) => ask<Kept>('SubmitForApproval', await draft(quantity, by), by);
const view = (id: string, by?: Visitor) =>
  ask<{
    status: string;
    draft: boolean;
    version: number;
    approval: Record<string, unknown> | null;
    lines: { total: string }[];
    priced: { total: string } | null;
    timeline: { who: string; what: string }[];
  }>('GetTransactionDetailForInvoice', { TransactionId: id }, by);
const notificationsOf = async (by: Visitor) =>
  (await ask<{ message: string; link: string | null }[]>('GetNotifications', {}, by)).map(({ message }) => message);
const count = async (text: string, values: unknown[]) =>
  Number((await server.database.owner.query<{ n: string }>(`select count(*) as n from ${text}`, values)).rows[0]?.n);

test('under the amount it is posted as ever; from it on it is refused whatever way it comes, and the draft stays', async () => {
  expect((await call('PostTransactionCalls', { document: invoice('1') })).status).toBe(200);
  const one = {
    status: 409,
    message:
      'Sale invoice of ₹1,121.00 needs the approval of another user: save it as a draft and send it for approval',
    ...refused('needsApproval'),
  };
  // a whole document; the same again, when all of it is remembered; and by who may do everything
  expect(await call('PostTransactionCalls', { document: invoice() })).toMatchObject(one);
  expect(await call('PostTransactionCalls', { document: invoice() }, shop.owner)).toMatchObject(one);
  const kept = await draft();
  expect(await call('PostTransactionCalls', kept)).toMatchObject(one);
  expect(await call('PostTransactionCalls', { ...kept, document: invoice() })).toMatchObject(one);
  expect(await view(kept.TransactionId)).toMatchObject({ status: 'draft', version: kept.version, approval: null });
  // what continues another document too
  const order = await ask<Kept>('PostTransactionCalls', { document: { ...invoice(), kind: 'saleOrder' } }, shop.owner);
  const { draft: continued } = await ask<{ draft: object }>('GetConversion', {
    from: order.TransactionId,
    kind: 'saleInvoice',
  });
  expect(await call('PostTransactionCalls', { document: continued })).toMatchObject(refused('needsApproval'));
  // and money, which comes to what was paid
  const payment = {
    kind: 'payment',
    date: today,
    ...shop.place,
    lines: [],
    amount: '5',
    moneyLedger: await shop.ledger('1111'),
  };
  const paid = await call('PostTransactionCalls', { document: { ...payment, party: await supplier() } });
  expect(paid).toMatchObject(refused('needsApproval'));
});

const supplier = async () =>
  (
    await ask<{ id: string }>(
      'SaveMaster',
      { master: 'supplier', values: { name: 'Bright Lamps', category: 'unregistered', state: '29', addresses: [] } },
      shop.owner,
    )
  ).id;

test('sent for approval it is locked; another posts it, and it stays its author’s', async () => {
  const waiting = await sent();
  const id = waiting.TransactionId;
  expect(await notificationsOf(approver)).toContainEqual(
    expect.stringMatching(/asks for approval: Sale invoice for Asha Traders, ₹1,121.00/),
  );
  const locked = refused('draftSubmitted');
  expect(
    await call('AddTransactionDetails', { kind: 'saleInvoice', id, version: waiting.version, body: invoice('1') }),
  ).toMatchObject(locked);
  expect(await call('AddtransactionItemDetails', { ...waiting, lines: [] })).toMatchObject(locked);
  const seen = { TransactionIds: [id], versions: [waiting.version] };
  expect(await call('DeleteMultipleTransaction', seen)).toMatchObject(locked);
  expect(await call('DeleteMultipleTransaction', seen, shop.owner)).toMatchObject(locked);
  expect(await call('AddAddtionalFieldsContentDetails', { ...waiting, additional: {} })).toMatchObject(locked);
  expect(await call('SubmitForApproval', waiting)).toMatchObject(locked);
  expect(await call('PostTransactionCalls', waiting)).toMatchObject(refused('ownApproval'));
  expect(await call('PostTransactionCalls', { ...waiting, document: invoice('1') }, shop.owner)).toMatchObject(locked);
  expect(await call('PostTransactionCalls', { TransactionId: id }, approver)).toMatchObject({
    ...{ status: 422, details: { problems: [{ field: 'version' }] } },
  });
  expect(
    await call('PostTransactionCalls', { TransactionId: id, version: waiting.version - 1 }, approver),
  ).toMatchObject(refused('stale'));
  expect(await view(id)).toMatchObject({
    status: 'pendingApproval',
    approval: { state: 'requested', own: true, by: 'Meena Iyer' },
  });
  // who decides sees what it comes to
  expect(await view(id, approver)).toMatchObject({
    draft: true,
    priced: { total: '1121.00' },
    lines: [{ total: '1121.00' }],
    approval: { own: false },
  });
  const listed = await ask<{ rows: { id: string; status: string }[] }>(
    'GetTransationsList',
    { Type: 'saleInvoice', Status: 'pendingApproval' },
    approver,
  );
  expect(listed.rows).toContainEqual(expect.objectContaining({ id, status: 'pendingApproval' }));
  // a user who may only read is refused before the draft is looked up
  expect(await call('GetTransactionDetailForInvoice', { TransactionId: id }, viewer)).toMatchObject({ status: 404 });
  expect(await call('PostTransactionCalls', waiting, viewer)).toMatchObject({ status: 403, ...refused('noAccess') });
  expect(await call('RejectDocument', { ...waiting, comment: 'x' }, viewer)).toMatchObject({
    status: 403,
    ...refused('noAccess'),
  });
  expect(await call('GetBeside', { id }, approver)).toMatchObject({ status: 200 });
  const key = randomUUID();
  const posted = await call('PostTransactionCalls', waiting, approver, key);
  expect(posted.status).toBe(200);
  // the same key has the same answer, and nobody else's second word counts
  expect((await call('PostTransactionCalls', waiting, approver, key)).details).toEqual(posted.details);
  expect(await call('PostTransactionCalls', waiting, shop.owner)).toMatchObject(refused('alreadyPosted'));
  const shown = await view(id);
  expect(shown).toMatchObject({ draft: false, approval: { state: 'approved', by: 'Meena Iyer', own: true } });
  expect(shown.timeline.map(({ who, what }) => `${what}: ${who}`)).toEqual([
    'Sent for approval: Meena Iyer',
    `Approved and posted: ${shown.approval?.decidedBy}`,
  ]);
  expect(shown.approval?.decidedBy).not.toBe('Meena Iyer');
  // what is cancelled waits for no word: that is an approver's own
  const cancelled = { TransactionIds: [id], TransactionType: 'saleInvoice', reason: 'Twice' };
  expect(await notificationsOf(accountant)).toContainEqual(
    expect.stringMatching(/^Sale invoice .* is posted: .* approved it$/),
  );
  expect(
    await count(
      `documents d join users u on u.organisation = d.organisation and u.id = d.author where d.id = $1 and u.name = 'Meena Iyer'`,
      [id],
    ),
  ).toBe(1);
  expect(
    await count(
      `edit_log l join users u on u.organisation = l.organisation and u.id = l.who where l.row_id = $1 and l.relation = 'approvals' and u.name = $2`,
      [id, shown.approval?.decidedBy],
    ),
  ).toBe(1);
  expect((await call('CancelTransaction', cancelled, approver)).status).toBe(200);
});

test('rejected with a comment it is its author’s again, and can be sent once more; so can what was withdrawn', async () => {
  const waiting = await sent();
  const id = waiting.TransactionId;
  expect((await call('RejectDocument', { ...waiting, comment: '' }, approver)).status).toBe(422);
  // a user without the right to approve cannot reject; an approver cannot reject their own draft
  expect(await call('RejectDocument', { ...waiting, comment: 'My own' })).toMatchObject(refused('noAccess'));
  const owners = await sent(undefined, shop.owner);
  expect(await call('RejectDocument', { ...owners, comment: 'My own' }, shop.owner)).toMatchObject(
    refused('ownApproval'),
  );
  await ask('WithdrawSubmission', owners, shop.owner);
  const back = await ask<Kept>('RejectDocument', { ...waiting, comment: 'The rate is last year’s' }, approver);
  expect(await view(id)).toMatchObject({
    status: 'rejected',
    approval: { state: 'rejected', comment: 'The rate is last year’s' },
  });
  expect(await notificationsOf(accountant)).toContainEqual(
    expect.stringMatching(/rejected Sale invoice for Asha Traders: The rate is last year’s$/),
  );
  expect(await call('GetTransactionDetailForInvoice', { TransactionId: id }, approver)).toMatchObject({ status: 404 });
  const beside = await ask<{ comments: { text: string }[] }>('GetBeside', { id });
  expect(JSON.stringify(beside)).toContain('Rejected: The rate is last year’s');
  const changed = await ask<Kept>('AddTransactionDetails', {
    kind: 'saleInvoice',
    id,
    version: back.version,
    body: invoice('11'),
  });
  expect(await view(id)).toMatchObject({ status: 'rejected' });
  const again = await ask<Kept>('SubmitForApproval', changed);
  expect(await call('WithdrawSubmission', again, shop.owner)).toMatchObject({ status: 404 });
  const taken = await ask<Kept>('WithdrawSubmission', again);
  expect(await call('PostTransactionCalls', again, approver)).toMatchObject({ status: 404 });
  expect(await call('RejectDocument', { ...again, comment: 'Late' }, approver)).toMatchObject(
    refused('figuresChanged'),
  );
  expect(await view(id)).toMatchObject({ status: 'draft', approval: null, version: taken.version });
});

test('what has problems, or needs nobody, is not sent', async () => {
  expect(await call('SubmitForApproval', await draft('1'))).toMatchObject(refused('needsNoApproval'));
  const { party: _, ...nobody } = invoice();
  const kept = await ask<Kept>('AddTransactionDetails', { kind: 'saleInvoice', body: nobody });
  expect(await call('SubmitForApproval', kept)).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'party' }] },
  });
  const other = await draft();
  expect(await call('SubmitForApproval', other, shop.owner)).toMatchObject({ status: 404 });
  // a group takes no entries: that is for its author to mend
  const { rows } = await server.database.owner.query<{ id: string }>(
    'select id from ledgers where is_group and organisation = $1 limit 1',
    [server.organisations[0]?.organisation],
  );
  const moneyLedger = rows[0]?.id;
  const body = {
    kind: 'payment',
    date: today,
    ...shop.place,
    lines: [],
    amount: '5',
    moneyLedger,
    party: await supplier(),
  };
  const paid = await ask<Kept>('AddTransactionDetails', { kind: 'payment', body });
  expect(await call('SubmitForApproval', paid)).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'moneyLedger' }] },
  });
});

test('two who approve at once post once; a rejection meanwhile wins or is refused', async () => {
  const waiting = await sent();
  const both = await Promise.all([approver, shop.owner].map((by) => call('PostTransactionCalls', waiting, by)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await count('approvals where document = $1', [waiting.TransactionId])).toBe(1);
  for (let round = 0; round < 6; round += 1) {
    const one = await sent();
    const [posted, rejected] = await Promise.all([
      call('PostTransactionCalls', one, approver),
      call('RejectDocument', { ...one, comment: 'No' }, shop.owner),
    ]);
    expect([posted.status, rejected.status].filter((status) => status === 200)).toHaveLength(1);
    expect([posted.status, rejected.status].every((status) => status < 500)).toBe(true);
    expect(await count('documents where id = $1', [one.TransactionId])).toBe(posted.status === 200 ? 1 : 0);
  }
});

test('goods that are adjusted away count with what they cost, and balances of one side with that side', async () => {
  await rule([
    { kind: 'inventoryAdjustment', from: '1000' },
    { kind: 'openingBalance', from: '1000' },
  ]);
  const away = (delta: string) => ({
    ...{ kind: 'inventoryAdjustment', date: today, ...shop.place, fields: { adjustmentReason: 'Count' } },
    lines: [{ item: shop.item, delta }],
  });
  expect((await call('PostTransactionCalls', { document: away('-1') })).status).toBe(200);
  const needed = { message: expect.stringContaining('Inventory adjustment of ₹1,200.00'), ...refused('needsApproval') };
  expect(await call('PostTransactionCalls', { document: away('-20') })).toMatchObject(needed);
  expect(
    await call('CUDInventory', { date: today, ...shop.place, reason: 'Count', lines: away('-20').lines }),
  ).toMatchObject(needed);
  const kept = await ask<Kept>('AddTransactionDetails', { kind: 'inventoryAdjustment', body: away('-20') });
  const waiting = await ask<Kept>('SubmitForApproval', kept);
  expect((await call('PostTransactionCalls', waiting, shop.owner)).status).toBe(200);
  const opening = {
    ...{ kind: 'openingBalance', date: today, ...shop.place },
    lines: [{ ledger: await shop.ledger('3110'), credit: '1000' }],
  };
  expect(await call('SaveOpeningBalance', { document: opening }, shop.owner)).toMatchObject(refused('needsApproval'));
  await rule([
    { kind: 'saleInvoice', from: '1000' },
    { kind: 'payment', from: '0' },
  ]);
});

test('what is approved is of the kind that its draft is kept as: its text may not say another one', async () => {
  const body = { ...invoice(), kind: 'saleOrder' };
  expect(await call('AddTransactionDetails', { kind: 'saleInvoice', body })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'body.kind' }] },
  });
});

test('another organisation’s draft is unknown', async () => {
  const waiting = await sent();
  const nova = await server.signIn('owner@nova.demo');
  for (const name of ['PostTransactionCalls', 'RejectDocument', 'WithdrawSubmission', 'SubmitForApproval'] as const)
    expect(await call(name, { ...waiting, ...(name === 'RejectDocument' && { comment: 'x' }) }, nova)).toMatchObject({
      status: 404,
      ...refused('notFound'),
    });
});

test('the database holds it too', async () => {
  const { TransactionId: id } = await sent();
  const owner = (text: string) => server.database.owner.query(text, [id]);
  await expect(owner(`update drafts set body = '{}' where id = $1`)).rejects.toMatchObject({
    constraint: 'drafts_waiting',
  });
  await expect(owner('delete from drafts where id = $1')).rejects.toMatchObject({ constraint: 'drafts_waiting' });
  await expect(
    owner(
      `
        update drafts
        set submitted_at = null, figures = null, rejected_at = now(), rejected_by = author, rejection = 'x'
        where id = $1
      `,
    ),
  ).rejects.toMatchObject({ constraint: 'drafts_own_rejection' });
  await expect(
    owner(
      `
        insert into approvals (organisation, document, submitted_by, submitted_at, approved_by, figures)
        select organisation, id, author, submitted_at, author, figures
        from drafts
        where id = $1
      `,
    ),
  ).rejects.toMatchObject({ constraint: 'approvals_own' });
});

test('a kind is listed once, with an amount, and is one that people write', async () => {
  const save = (approvals: object, by = shop.owner) => call('SaveGeneralConfigDetails', { values: { approvals } }, by);
  expect(await save([{ kind: 'posSale', from: '0' }])).toMatchObject({ status: 422 });
  expect(await save([{ kind: 'saleInvoice', from: '-1' }])).toMatchObject({ status: 422 });
  expect(
    await save([
      { kind: 'saleInvoice', from: '1' },
      { kind: 'saleInvoice', from: '2' },
    ]),
  ).toMatchObject({ status: 422 });
  expect(await save([], approver)).toMatchObject({ status: 403 });
});
