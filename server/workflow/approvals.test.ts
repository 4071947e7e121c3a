import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../contract/calls.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { flowsOf, type OrderStatus as Status } from '../../tools/testing/flows.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let approver: Visitor;
beforeAll(async () => {
  server = await testServer({ isSaleOrderWfenabled: true, isPurchaseOrderWfenabled: true });
  shop = await openShop(server);
  approver = await server.signIn('approver@sharma.demo');
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

const call = (name: CallName, input: object, by: Visitor = shop.owner) =>
  by.call(name as 'GetSession', input as never, crypto.randomUUID());
const ask = async <T>(name: CallName, input: object, by: Visitor = shop.owner) =>
  (await by.ask(name as 'GetSession', input as never, crypto.randomUUID())) as unknown as T;
const { definition, publish } = flowsOf(() => ({ server, owner: shop.owner }));
const post = (kind: string, party: string) =>
  shop.post({ kind, party, lines: [{ item: shop.item, quantity: '2', rate: '95' }] }) as Promise<{
    TransactionId: string;
    TransactionNumber: string;
  }>;
const status = (id: string, by?: Visitor) => ask<Status>('GetWorkflowStatus', { TransactionId: id }, by);
const move = (id: string, action: string, by?: Visitor, more: object = {}) =>
  call('SaveOrUpdateWorkflowStatus', { TransactionId: id, action, ...more }, by);

test('a user approves their own order by no call; they may reject it, and another user moves it on', async () => {
  await publish(await definition('SO', 'pick-pack-ship', 'Owner', 'Approver'));
  const { TransactionId: id, TransactionNumber } = await post('saleOrder', shop.customer);
  const own = { status: 409, message: 'Nobody approves their own document', details: { code: 'ownApproval' } };
  const { actions } = await status(id);
  expect(actions.map(({ key, mine, blocked }) => [key, mine, blocked])).toEqual([
    ['approve', true, ['Nobody approves their own document']],
    ['reject', true, []],
  ]);
  expect(await move(id, 'approve')).toMatchObject(own);
  const named = { documentNumber: TransactionNumber, documentType: 'SO' };
  expect(await call('action', { ...named, action: 'approve' })).toMatchObject(own);
  expect(await ask('next-actions', named)).toMatchObject([{ key: 'reject' }]);
  // nor by a move that is written around the calls
  await expect(
    server.database.owner.query(
      `
        insert into workflow_moves (organisation, document, number, action, from_stage, to_stage, by)
        select organisation, id, 2, 'approve', 'new', 'approved', author
        from documents
        where id = $1
      `,
      [id],
    ),
  ).rejects.toThrow(/nobody approves their own/);
  expect((await status(id, approver)).actions[0]?.blocked).toEqual([]);
  expect((await move(id, 'approve', approver)).status).toBe(200);
  // a step without approval is open to the user
  expect(await move(id, 'pack')).toMatchObject({ status: 200 });
  const { TransactionId: other } = await post('saleOrder', shop.customer);
  expect((await move(other, 'reject', shop.owner, { comment: 'Typed twice' })).status).toBe(200);
});

test('a version that was published before there were approvals goes on as it was', async () => {
  const before = await definition('PO', 'approval', 'Owner');
  const bare = (row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'approval'));
  const { id } = await publish({ ...before, stages: before.stages.map(bare) });
  await server.database.owner.query('alter table workflows disable trigger workflow_kept');
  await server.database.owner.query(
    `
      update workflows
      set stages = (
        select jsonb_agg(s - 'approval' order by n) from jsonb_array_elements(stages) with ordinality t(s, n)
      )
      where id = $1
    `,
    [id],
  );
  await server.database.owner.query('alter table workflows enable trigger workflow_kept');
  const values = { name: 'Kaveri Mills', category: 'unregistered', state: '29', addresses: [] };
  const mill = await ask<{ id: string }>('SaveMaster', { master: 'supplier', values });
  const { TransactionId } = await post('purchaseOrder', mill.id);
  expect((await status(TransactionId)).actions[0]).toMatchObject({ mine: true, blocked: [] });
  expect((await move(TransactionId, 'approve')).status).toBe(200);
  expect(await ask('GetWorkFlowDefinitionById', { id })).toMatchObject({ stages: [{ approval: false }, {}, {}, {}] });
});
