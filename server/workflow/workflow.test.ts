import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallName } from '../../contract/calls.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { freeOfStages } from '../../domain/workflow/orders.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { flowsOf, type Saved, type OrderStatus as Status } from '../../tools/testing/flows.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

const flags = {
  isSaleOrderWfenabled: true,
  isSaleReturnOrderWfenabled: true,
  isPurchaseOrderWfenabled: true,
  isPurchaseReturnOrderWfenabled: true,
};
let server: TestServer;
let shop: Shop;
let clerk: Visitor;
let approver: Visitor;
/** Each test has an organisation of its own: what is published stays, and the next version follows it. */
beforeEach(async () => {
  server = await testServer();
  shop = await openShop(server);
  await ask('SaveGeneralConfigDetails', { values: flags });
  clerk = await server.signIn('accountant@sharma.demo');
  approver = await server.signIn('approver@sharma.demo');
});
afterEach(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

const call = (name: CallName, input: object, by: Visitor = shop.owner) =>
  by.call(name as 'GetSession', input as never, crypto.randomUUID());
const ask = async <T>(name: CallName, input: object, by: Visitor = shop.owner) =>
  (await by.ask(name as 'GetSession', input as never, crypto.randomUUID())) as unknown as T;
const { templateOf, definition, publish } = flowsOf(() => ({ server, owner: shop.owner }));
const line = (quantity = '2') => ({ item: shop.item, quantity, rate: '95' });
const post = (kind: string, more: object = {}) =>
  shop.post({ kind, party: shop.customer, lines: [line()], ...more }) as Promise<{
    TransactionId: string;
    TransactionNumber: string;
  }>;
const status = (id: string, by?: Visitor) => ask<Status>('GetWorkflowStatus', { TransactionId: id }, by);
const move = (id: string, action: string, by?: Visitor, more: object = {}) =>
  call('SaveOrUpdateWorkflowStatus', { TransactionId: id, action, ...more }, by);

/** Sale orders go through stages, and the approver brings them on. */
const publishSale = async () => publish(await definition('SO', 'pick-pack-ship', 'Approver'));
/** A sale order that is brought on by these actions. */
const broughtOn = async (...actions: readonly string[]) => {
  const order = await post('saleOrder');
  for (const action of actions)
    expect([action, (await move(order.TransactionId, action, approver, { comment: 'x' })).status]).toEqual([
      action,
      200,
    ]);
  return order;
};

/** A role beside those that the user has. */
const giveRole = async (email: string, role: string) => {
  const { rows } = await ask<{ rows: { id: string; version: number; values: { email: string; roles: string[] } }[] }>(
    'ListMasters',
    { master: 'user' },
  );
  const user = rows.find(({ values }) => values.email === email);
  await ask('SaveMaster', {
    ...{ master: 'user', id: user?.id, version: user?.version },
    values: { ...user?.values, roles: [...(user?.values.roles ?? []), role] },
  });
};

test('the database knows the same orders, and what is free of their stages', async () => {
  for (const name of kindNames) {
    const { rows } = await server.database.owner.query(
      `select workflow_family($1) as family, $1 like '%Order' as started`,
      [name],
    );
    expect([name, rows[0].family]).toEqual([name, kindOf(name).life.flow ?? null]);
    if (kindOf(name).life.flow) expect([name, rows[0].started]).toEqual([name, true]);
  }
  const { rows } = await server.database.owner.query('select workflow_free() as free');
  expect([...rows[0].free].sort()).toEqual([...freeOfStages].sort());
});

test('an order starts nothing while no definition is published', async () => {
  const { TransactionId } = await post('saleOrder');
  expect(await status(TransactionId)).toMatchObject({ workflow: null, stage: null, mayStart: false, held: false });
  expect(await move(TransactionId, 'approve')).toMatchObject({ status: 409, details: { code: 'noWorkflow' } });
});

test('a definition is drafted, changed and published; what is wrong is a problem at its field', async () => {
  const bare = await definition('SO', 'pick-pack-ship');
  const draft = await ask<Saved>('SaveWorkflow', bare);
  expect(draft).toMatchObject({ version: 1, revision: 1, status: 'draft' });
  expect(await call('SaveWorkflow', bare)).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'TransactionType' }] },
  });
  expect(await call('PublishWorkflow', { id: draft.id, revision: 1 })).toMatchObject({
    status: 422,
    details: { problems: bare.actions.map((_, row) => ({ field: 'actions.roles', row })) },
  });
  const ready = await definition('SO', 'pick-pack-ship', 'Approver');
  const { TransactionType: _, ...changes } = ready;
  const broken = changes.actions.map((action, at) => (at === 0 ? { ...action, roles: [crypto.randomUUID()] } : action));
  expect(await call('UpdateWorkflow', { id: draft.id, revision: 1, ...changes, actions: broken })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'actions.roles', row: 0 }] },
  });
  expect(await ask('UpdateWorkflow', { id: draft.id, revision: 1, ...changes })).toMatchObject({ revision: 2 });
  expect(await call('UpdateWorkflow', { id: draft.id, revision: 1, ...changes })).toMatchObject({
    status: 409,
    message: expect.stringContaining('Ravi Sharma has changed this record'),
  });
  expect(await ask('PublishWorkflow', { id: draft.id, revision: 2 })).toMatchObject({ status: 'published' });
  expect(await call('UpdateWorkflow', { id: draft.id, revision: 3, ...changes })).toMatchObject({
    status: 409,
    details: { code: 'cannotChange' },
  });
  expect(await ask('GetWorkFlows', { TransactionType: 'saleOrder' })).toMatchObject([
    { version: 1, status: 'published', running: 0, publishedBy: 'Ravi Sharma' },
  ]);
  expect(await ask('GetActions', { TransactionType: 'SO' })).toMatchObject([
    { key: 'approve', roles: ['Approver'] },
    {},
    {},
    {},
    {},
  ]);
  expect(await ask('minimal', { documentType: 'SO', version: 1 })).toMatchObject({ name: bare.name, version: 1 });
  // no role of the application changes what was published
  await expect(
    server.database.owner.query(`update workflows set name = 'Other' where id = $1`, [draft.id]),
  ).rejects.toThrow(/not changed/);
  for (const by of [clerk, approver]) expect((await call('SaveWorkflow', bare, by)).status).toBe(403);
});

test('posting an order starts it, its role brings it on, and every step is kept', async () => {
  await publishSale();
  const { TransactionId: order, TransactionNumber: number } = await post('saleOrder');
  const started = await status(order);
  expect(started).toMatchObject({ stage: { name: 'New', end: false }, held: true, moves: 1, workflow: { version: 1 } });
  expect(Date.parse(started.stage?.dueAt ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect(started.actions.map(({ key, mine, roles: who }) => [key, mine, who])).toEqual([
    ['approve', false, ['Approver']],
    ['reject', false, ['Approver']],
  ]);
  // the owner of everything has not the role
  expect(await move(order, 'approve')).toMatchObject({ status: 409, details: { code: 'notYourStep' } });
  expect(await ask('next-actions', { documentNumber: number })).toEqual([]);
  expect(await ask('next-actions', { documentNumber: number }, approver)).toMatchObject([
    { key: 'approve' },
    { key: 'reject', needsComment: true },
  ]);
  expect(await move(order, 'reject', approver)).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'comment' }] },
  });
  expect(await move(order, 'pack', approver)).toMatchObject({ status: 409, details: { code: 'stageBlocked' } });
  expect(await move(order, 'approve', approver, { moves: 7 })).toMatchObject({
    status: 409,
    details: { code: 'stale' },
  });
  expect(await move(order, 'approve', approver, { moves: 1 })).toMatchObject({
    status: 200,
    details: { stage: { name: 'Approved' }, moves: 2 },
  });
  expect(
    await ask('action', { documentNumber: number.toLowerCase(), documentType: 'SO', action: 'pack' }, approver),
  ).toMatchObject({
    stage: { name: 'Packed', onward: true },
    held: false,
    history: [
      { action: null, from: null, to: 'New', by: 'Ravi Sharma', minutes: null },
      { action: 'Approve', from: 'New', to: 'Approved', by: 'Joseph Thomas', minutes: 0 },
      { action: 'Mark as packed', from: 'Approved', to: 'Packed' },
    ],
  });
});

test('nothing is made from an order before its stage allows it, money excepted', async () => {
  await publishSale();
  const { TransactionId: id, TransactionNumber } = await post('saleOrder');
  const view = await ask<{ next: { kind: string }[] }>('GetTransactionDetailForInvoice', { TransactionId: id });
  expect(view.next.map(({ kind }) => kind)).toEqual(['advanceReceipt']);
  const held = { status: 409, details: { code: 'heldAtStage' } };
  expect(await call('GetConversion', { from: id, kind: 'saleInvoice' })).toMatchObject(held);
  expect((await call('GetConversion', { from: id, kind: 'advanceReceipt' })).status).toBe(200);
  expect((await call('GetConversion', { from: id, kind: 'saleOrder', copy: true })).status).toBe(200);
  const today = (await ask<{ today: string }>('GetSession', {})).today;
  const invoice = {
    ...{ kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer },
    lines: [{ ...line('1'), source: { document: id, line: 1 } }],
  };
  const refused = await call('PostTransactionCalls', { document: invoice });
  expect(refused).toMatchObject(held);
  expect(refused.message).toContain(`${TransactionNumber} is at the stage “New”`);
  const { TransactionId: made } = await post('saleInvoice');
  expect(await call('UpdateOrderStatus', { OrderId: id, InvoiceId: made })).toMatchObject(held);
  expect((await call('PostTransactionCalls', { document: { ...invoice, lines: [line('1')] } })).status).toBe(200);
  await move(id, 'approve', approver);
  expect((await call('PostTransactionCalls', { document: invoice })).status).toBe(409);
  await move(id, 'pack', approver);
  expect((await call('PostTransactionCalls', { document: invoice })).status).toBe(200);
});

test('the facts needed to leave a stage are read from the books; turning an order away needs none', async () => {
  const { id, revision } = await ask<Saved>('SaveWorkflow', await definition('SO', 'pick-pack-ship', 'Approver'));
  const stages = (await templateOf('SO', 'pick-pack-ship')).stages.map((stage) =>
    stage['key'] === 'new'
      ? { ...stage, fields: ['reference'], facts: ['creditOk', 'stockAvailable', 'paymentReceived', 'fileAttached'] }
      : stage,
  );
  const { TransactionType: _, ...changes } = await definition('SO', 'pick-pack-ship', 'Approver');
  const changed = await ask<Saved>('UpdateWorkflow', { id, revision, ...changes, stages });
  await ask('PublishWorkflow', { id, revision: changed.revision });
  const poor = await ask<{ id: string }>('SaveMaster', {
    master: 'customer',
    values: { name: 'Poor Traders', category: 'unregistered', state: '29', addresses: [], creditLimit: '100000' },
  });
  const { TransactionId } = await post('saleOrder', { party: poor.id, lines: [line('2000')] });
  const [approve, reject] = (await status(TransactionId, approver)).actions;
  expect(approve?.blocked).toEqual([
    'Reference is empty',
    'the credit limit of Poor Traders is exceeded by ₹1,24,200.00',
    expect.stringMatching(/^stock is short by [\d,]+ NOS of LED bulb 9 W$/),
    '₹2,24,200.00 of its total is not received in advance',
    'no file is attached',
  ]);
  expect(reject?.blocked).toEqual([]);
  const refused = await move(TransactionId, 'approve', approver);
  expect(refused).toMatchObject({ status: 409, details: { code: 'stageBlocked' } });
  expect(refused.message).toContain('Reference is empty; the credit limit');
  expect((await move(TransactionId, 'reject', approver, { comment: 'Too much' })).status).toBe(200);
  expect((await status(TransactionId)).history.at(-1)).toMatchObject({ action: 'Reject', comment: 'Too much' });
  // an order that was turned away is an end from which nothing is made
  expect((await call('GetConversion', { from: TransactionId, kind: 'saleInvoice' })).status).toBe(409);
  // it holds no stock either: everything given, another one goes on
  const bank = await shop.ledger('1121');
  const good = await post('saleOrder', { party: poor.id, reference: 'PO 7', lines: [line('1')] });
  await shop.post({ kind: 'advanceReceipt', party: poor.id, moneyLedger: bank, amount: '118.00', advanceRate: '18' });
  const file = { id: good.TransactionId, name: 'order.pdf', content: Buffer.from('%PDF-1.7').toString('base64') };
  await ask('AttachFile', file);
  expect((await status(good.TransactionId, approver)).actions[0]?.blocked).toEqual([]);
});

test('orders that run stay on their version; a workflow that is given up takes no new ones', async () => {
  await publishSale();
  const { TransactionId: order } = await broughtOn('approve', 'pack');
  await broughtOn('approve', 'pack');
  await publishSale();
  expect((await status(order)).workflow).toMatchObject({ version: 1 });
  expect(await ask('GetWorkFlows', { TransactionType: 'SO' })).toMatchObject([
    { version: 2, status: 'published' },
    { version: 1, status: 'retired', running: 2 },
  ]);
  expect((await move(order, 'dispatch', approver)).status).toBe(200);
  expect(await status(order)).toMatchObject({ stage: { name: 'Dispatched', end: true }, actions: [] });
  const [published] = await ask<Saved[]>('GetWorkFlows', { TransactionType: 'SO' });
  const { TransactionId: runs } = await post('saleOrder');
  await ask('CancelWorkflow', { id: published?.id, revision: published?.revision });
  expect((await status((await post('saleOrder')).TransactionId)).workflow).toBeNull();
  expect((await move(runs, 'reject', approver, { comment: 'No' })).status).toBe(200);
});

test('an order that was posted before is put on the published workflow by who approves', async () => {
  const before = await post('purchaseOrder', { party: await supplier() });
  await publish(await definition('purchaseOrders', 'approval', 'Owner', 'Approver'));
  expect(await status(before.TransactionId)).toMatchObject({ workflow: null, mayStart: true });
  expect((await status(before.TransactionId, clerk)).mayStart).toBe(false);
  const input = { documentNumber: before.TransactionNumber, documentType: 'PO' };
  expect((await call('start', input, clerk)).status).toBe(403);
  expect(await call('start', { ...input, stage: 'approved' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'stage' }] },
  });
  expect(await ask('start', { ...input, stage: 'asked' })).toMatchObject({ stage: { name: 'Asked for' }, held: true });
  expect((await call('start', input)).status).toBe(409);
  expect((await move(before.TransactionId, 'approve', approver)).status).toBe(200);
  expect((await call('GetConversion', { from: before.TransactionId, kind: 'purchaseBill' })).status).toBe(200);
});

test('a role that a workflow needs stays; what was cancelled goes nowhere', async () => {
  const spare = await ask<{ id: string; version: number }>('SaveMaster', {
    master: 'role',
    values: { name: 'Packer', levels: {} },
  });
  await publish(await definition('saleReturnOrders', 'inspect', 'Packer', 'Owner', 'Approver'));
  const kept = await call('RetireMaster', { master: 'role', id: spare.id, version: spare.version });
  expect(kept).toMatchObject({ status: 409, details: { code: 'cannotRetire' } });
  expect(kept.message).toContain('Agree and inspect');
  const sale = await post('saleInvoice');
  const back = await post('returnOrder', {
    ...{ against: sale.TransactionId, reason: '01' },
    lines: [{ ...line('1'), source: { document: sale.TransactionId, line: 1 } }],
  });
  expect(await status(back.TransactionId)).toMatchObject({ stage: { name: 'Asked for' } });
  expect((await call('GetConversion', { from: back.TransactionId, kind: 'saleReturn' })).status).toBe(409);
  await ask('CancelTransaction', { TransactionIds: [back.TransactionId], TransactionType: 'WRO', reason: 'Kept' });
  expect(await move(back.TransactionId, 'agree')).toMatchObject({
    status: 409,
    details: { code: 'alreadyCancelled' },
  });
  const goesOn = await post('returnOrder', {
    ...{ against: sale.TransactionId, reason: '01' },
    lines: [{ ...line('1'), source: { document: sale.TransactionId, line: 1 } }],
  });
  // a step needs a grant of the order's screen beside the role: nobody moves an order that they cannot see
  await giveRole('none@sharma.demo', spare.id);
  const packer = await server.signIn('none@sharma.demo');
  expect(await move(goesOn.TransactionId, 'agree', packer)).toMatchObject({
    status: 403,
    details: { code: 'noAccess' },
  });
  await ask('SaveMaster', {
    ...{ master: 'role', id: spare.id, version: spare.version },
    values: { name: 'Packer', levels: { ReturnOrderlist: 5000 } },
  });
  expect((await move(goesOn.TransactionId, 'agree', packer)).status).toBe(200);
  expect((await move(goesOn.TransactionId, 'inspect')).status).toBe(200);
  const { draft } = await ask<{ draft: { order: string; lines: { quantity: string }[] } }>('GetConversion', {
    from: goesOn.TransactionId,
    kind: 'saleReturn',
  });
  expect(draft).toMatchObject({ order: goesOn.TransactionId, lines: [{ quantity: '1' }] });
});

test('goods go back to the supplier once that was approved', async () => {
  await publish(await definition('PRO', 'approval', 'Approver'));
  const party = await supplier();
  const bill = await post('purchaseBill', {
    party,
    reference: 'B 77',
    referenceDate: await today(),
    lines: [line('3')],
  });
  const source = { document: bill.TransactionId, line: 1 };
  const back = await post('purchaseReturnOrder', {
    ...{ party, against: bill.TransactionId, reason: '01' },
    lines: [{ ...line('2'), source }],
  });
  expect((await call('GetConversion', { from: back.TransactionId, kind: 'purchaseReturn' })).status).toBe(409);
  expect((await move(back.TransactionId, 'approve', approver)).status).toBe(200);
  const { draft } = await ask<{ draft: object }>('GetConversion', { from: back.TransactionId, kind: 'purchaseReturn' });
  expect(draft).toMatchObject({ order: back.TransactionId, lines: [{ quantity: '2' }] });
  expect((await call('PostTransactionCalls', { document: draft })).status).toBe(200);
  expect(await ask('VerifyOrderFulfiled', { OrderId: back.TransactionId })).toMatchObject({ status: 'fulfilled' });
});

test('a list shows the stage and is filtered by it', async () => {
  await post('saleOrder');
  await publishSale();
  const { TransactionNumber: number } = await broughtOn('approve', 'pack', 'dispatch');
  for (let n = 0; n < 2; n += 1) await broughtOn('reject');
  const listed = (more: object) =>
    ask<{ rows: { number: string; stage: { name: string; colour: string } | null }[] }>('GetTransationsList', {
      Type: 'saleOrder',
      ...more,
    });
  const all = (await listed({})).rows;
  expect(all.find((row) => row.number === number)?.stage).toEqual({ name: 'Dispatched', colour: 'ok' });
  expect(all.some(({ stage }) => stage === null)).toBe(true);
  const rejected = (await listed({ Stage: 'rejected' })).rows;
  expect(rejected.length).toBe(2);
  expect(rejected.every(({ stage }) => stage?.name === 'Rejected')).toBe(true);
  expect((await listed({ Stage: 'nowhere' })).rows).toEqual([]);
});

test('comments and transport details are kept with the order', async () => {
  await publishSale();
  const { TransactionId: order } = await post('saleOrder');
  expect(await ask('SaveCommentsForTransaction', { TransactionId: order, text: 'By road' }, clerk)).toMatchObject([
    { text: 'By road', by: 'Meena Iyer' },
  ]);
  expect(await ask('GetCommentsForTransaction', { TransactionId: order })).toMatchObject([{ text: 'By road' }]);
  const trip = { TransactionId: order, carrier: 'Blue Dart', awb: 'BD 1', packages: 3, pickedUpOn: '2026-11-20' };
  expect(await ask('LogisticSubmit', trip)).toMatchObject({ carrier: 'Blue Dart', packages: 3, by: 'Ravi Sharma' });
  expect((await call('LogisticSubmit', { ...trip, trackingUrl: 'javascript:alert(1)' })).status).toBe(422);
  expect(await call('LogisticSubmit', { ...trip, deliveredOn: '2026-11-19' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'deliveredOn' }] },
  });
  await ask('LogisticSubmit', { ...trip, deliveredOn: '2026-11-21' });
  expect((await status(order)).logistics).toMatchObject({ deliveredOn: '2026-11-21' });
  const sale = await post('saleInvoice');
  expect((await call('LogisticSubmit', { TransactionId: sale.TransactionId, carrier: 'X' })).status).toBe(409);
});

test('switched off, or the module ended, nothing starts and nothing is held', async () => {
  await publish(await definition('SO', 'approval', 'Approver'));
  const { TransactionId: id } = await post('saleOrder');
  const conversion = async () => (await call('GetConversion', { from: id, kind: 'saleInvoice' })).status;
  expect(await conversion()).toBe(409);
  await ask('SaveGeneralConfigDetails', { values: { isSaleOrderWfenabled: false } });
  expect(await conversion()).toBe(200);
  expect((await status((await post('saleOrder')).TransactionId)).workflow).toBeNull();
  await ask('SaveGeneralConfigDetails', { values: { isSaleOrderWfenabled: true } });
  expect(await conversion()).toBe(409);
  await server.database.owner.query(`update subscriptions set ends_on = current_date - 2 where organisation = 1`);
  expect(await conversion()).toBe(200);
  expect((await status((await post('saleOrder')).TransactionId)).workflow).toBeNull();
  // what runs is brought to its end all the same; definitions are read and not written
  expect((await move(id, 'approve', approver)).status).toBe(200);
  await expect
    .poll(async () => (await call('SaveWorkflow', await definition('SO', 'approval', 'Approver'))).status, {
      timeout: 5000,
    })
    .toBe(403);
  await server.database.owner.query(`update subscriptions set ends_on = null where organisation = 1`);
});

test('two who bring the same order on at once: one does, the other is refused', async () => {
  await publish(await definition('SO', 'approval', 'Approver'));
  const { TransactionId: id } = await post('saleOrder');
  const answers = await Promise.all(
    ['approve', 'reject'].map((action) => move(id, action, approver, { moves: 1, comment: 'x' })),
  );
  expect(answers.map((each) => each.status).sort()).toEqual([200, 409]);
  expect((await status(id)).moves).toBe(2);
  // and no move is written around the rules
  await expect(
    server.database.owner.query(
      `
        insert into workflow_moves (organisation, document, number, action, from_stage, to_stage, by)
        select organisation, document, 3, 'approve', 'new', 'approved', by
        from workflow_moves
        where document = $1
        limit 1
      `,
      [id],
    ),
  ).rejects.toThrow(/does not go on/);
  await expect(server.database.owner.query(`delete from workflow_moves where document = $1`, [id])).rejects.toThrow();
});

test('another organisation has workflows of its own', async () => {
  await publishSale();
  const { TransactionId: order, TransactionNumber: number } = await post('saleOrder');
  const nova = await server.signIn('owner@nova.demo');
  expect(await ask('GetWorkFlows', {}, nova)).toEqual([]);
  expect((await call('GetWorkflowStatus', { TransactionId: order }, nova)).status).toBe(404);
  expect((await move(order, 'approve', nova)).status).toBe(404);
  expect((await call('next-actions', { documentNumber: number }, nova)).status).toBe(404);
});

const today = async () => (await ask<{ today: string }>('GetSession', {})).today;
async function supplier(): Promise<string> {
  const values = { name: 'Kaveri Mills', category: 'unregistered', state: '29', addresses: [] };
  return (await ask<{ id: string }>('SaveMaster', { master: 'supplier', values })).id;
}
