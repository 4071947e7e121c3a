import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeOperator } from '../../tools/testing/database.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
let operator: Visitor;
/** Each test has a server of its own: it begins without a module. */
beforeEach(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  await makeOperator(server.database, 'owner@nova.demo');
  operator = await server.signIn('owner@nova.demo');
  await server.database.owner.query(`delete from subscriptions where organisation = 1`);
});
afterEach(() => server.stop());

const SHARMA = 1;
const goods = {
  name: 'LED bulb',
  type: 'stock',
  unit: 'NOS',
  hsn: '85395000',
  treatment: 'taxable',
  gstRate: '18',
} as const;
const on = (key: string) => owner.call('SaveGeneralConfigDetails', { values: { [key]: true } });
interface Request {
  readonly id: string;
  readonly organisation: number;
  readonly code: string;
  readonly requestStatus: number;
  readonly version: number;
}
const asked = async () => (await operator.ask('ListSubscriptionRequests', {})) as readonly Request[];
const decide = async (approve: boolean) => {
  const [first] = await asked();
  return operator.call('DecideSubscriptionRequest', {
    organisation: first?.organisation ?? 0,
    request: first?.id ?? '',
    version: first?.version ?? 0,
    approve,
  });
};

test('a premium switch is refused with its module, until finance and admin have approved a request', async () => {
  expect(await on('enableBarCode')).toMatchObject({
    status: 409,
    details: { code: 'moduleOff' },
    message: 'This needs the module Barcode',
  });
  expect((await on('autoRoundOffTotals')).status).toBe(200);
  const modules = (await owner.ask('GetModulesListWithCost', {})) as { id: number; moduleName: string; cost: string }[];
  expect(modules).toHaveLength(5);
  expect((await owner.call('AddModulesForOrganisation', { ModuleIds: [99] })).status).toBe(422);
  const made = await owner.ask('AddModulesForOrganisation', { RequestedDuration: 3, ModuleIds: [1, 2] });
  expect(made).toEqual({ requestStatus: 1, message: expect.stringContaining('finance') });
  expect(await owner.call('AddModulesForOrganisation', { ModuleIds: [3] })).toMatchObject({
    details: { code: 'requestOpen' },
  });
  expect((await asked())[0]).toMatchObject({
    code: 'SHARMA',
    modules: ['Barcode', 'Serials and batches'],
    monthly: '798.00',
  });
  expect(await decide(true)).toMatchObject({ details: { requestStatus: 3 } });
  expect((await on('enableBarCode')).status).toBe(409);
  expect(await decide(true)).toMatchObject({ details: { requestStatus: 7 } });
  expect((await on('enableBarCode')).status).toBe(200);
  expect((await on('isWarehouse')).status).toBe(409);
  const { subscription } = (await owner.ask('GetSession', {})) as {
    subscription: { endsOn: string; expired: boolean };
  };
  expect(subscription).toMatchObject({ expired: false, endsOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
  const notifications = (await owner.ask('GetNotifications', {})) as { message: string }[];
  expect(notifications.map((t) => t.message)).toEqual([
    'Your subscription is complete',
    'Your payment is received and sent for admin approval',
  ]);
});

test('only the operator decides, and a decision is final', async () => {
  expect((await owner.call('ListSubscriptionRequests', {})).status).toBe(403);
  await owner.ask('AddModulesForOrganisation', { ModuleIds: [5] });
  const [first] = await asked();
  const input = { organisation: SHARMA, request: first?.id ?? '', version: first?.version ?? 0, approve: true };
  expect((await owner.call('DecideSubscriptionRequest', input)).status).toBe(403);
  expect((await decide(false)).status).toBe(200);
  expect((await operator.call('DecideSubscriptionRequest', input)).status).toBe(404);
  expect(await owner.ask('GetSubscription', {})).toMatchObject({ request: { refused: true, requestStatus: 1 } });
  expect((await on('isSaleOrderWfenabled')).status).toBe(409);
});

test('after its end the core goes on, and what is on of a module is read and no longer written', async () => {
  await owner.ask('AddModulesForOrganisation', { RequestedDuration: 3, ModuleIds: [1, 2] });
  for (const requestStatus of [3, 7]) expect(await decide(true)).toMatchObject({ details: { requestStatus } });
  expect((await on('enableBarCode')).status).toBe(200);
  const item = (await owner.ask('SaveMaster', { master: 'item', values: { ...goods, sku: 'BEFORE' } })) as {
    id: string;
    version: number;
    values: object;
  };
  await owner.ask('SaveBarcode', { item: item.id, unit: 'NOS', barcode: '8901234567890' });
  await on('enableBatch');
  await server.database.owner.query(
    `update subscriptions set starts_on = '2020-01-01', ends_on = '2020-03-31' where organisation = 1`,
  );
  await expect
    .poll(async () => owner.ask('GetSession', {}))
    .toMatchObject({
      subscription: { endsOn: '2020-03-31', expired: true, lapsed: ['Barcode', 'Serials and batches'] },
      settings: { enableBarCode: true },
    });
  // what is there is read
  await owner.ask('GetTransationsList', { Type: 'saleInvoice' });
  expect(JSON.stringify(await owner.ask('ListBarcodes', {}))).toContain('8901234567890');
  expect(await owner.ask('FindBarcode', { code: '8901234567890' })).toMatchObject({ found: { item: item.id } });
  // its own records are not written
  for (const refused of [
    await owner.call('SaveBarcode', { item: item.id, unit: 'NOS', barcode: '8901234567906' }),
    await owner.call('GenerateBarcodes', { items: [item.id] }),
  ])
    expect(refused).toMatchObject({ status: 403, message: 'Your pack is expired.' });
  expect(
    await owner.call('SaveMaster', { master: 'item', values: { ...goods, sku: 'NEW', batched: true } }),
  ).toMatchObject({ status: 422, details: { problems: [{ field: 'batched' }] } });
  // the core is free
  await owner.ask('SaveMaster', { master: 'category', values: { code: 'A', name: 'A' } });
  await owner.ask('SaveMaster', { master: 'item', values: { ...goods, sku: 'NEW' } });
  await owner.ask('AddModulesForOrganisation', { ModuleIds: [1] });
  // who turns it off is no longer reminded of it
  await owner.ask('SaveGeneralConfigDetails', { values: { enableBatch: false } });
  await expect.poll(async () => owner.ask('GetSession', {})).toMatchObject({ subscription: { lapsed: ['Barcode'] } });
});

test('a message of the operator reaches everybody until its time, and not those before it', async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const say = (validTo: string) =>
    operator.call('SaveBroadcast', { title: 'Tonight', floatingMessage: 'Away from ten', validTo });
  expect((await say('2020-01-01T00:00:00Z')).status).toBe(422);
  expect(await owner.ask('GetBroadcastDetails', {})).toBe(null);
  const { id } = (await say(later)).details as { id: string };
  expect(await owner.ask('GetBroadcastDetails', {})).toMatchObject({ title: 'Tonight', validTo: later });
  expect(await owner.ask('GetSession', {})).toMatchObject({ broadcast: { floatingMessage: 'Away from ten' } });
  await operator.ask('EndBroadcast', { id });
  expect(await owner.ask('GetBroadcastDetails', {})).toBe(null);
  expect(await owner.ask('GetSupportDetails', {})).toEqual([{ name: 'Lakshmi Narayanan', email: 'owner@nova.demo' }]);
});

test('a notification for everybody is dismissed by each user separately', async () => {
  await server.database.owner.query(`delete from subscriptions where organisation = 1`);
  await server.database.owner.query(`delete from notifications where organisation = 1`);
  await server.database.owner.query(
    `
      insert into notifications (organisation, id, message)
      values (1, gen_random_uuid(), 'The books are locked tonight'), (1, gen_random_uuid(), 'GSTR-1 is due')
    `,
  );
  const viewer = await server.signIn('viewer@sharma.demo');
  const seen = async (by: Visitor) => ((await by.ask('GetNotifications', {})) as { id: string }[]).map((n) => n.id);
  const [first = ''] = await seen(owner);
  expect(await owner.ask('DismissNotifications', { id: first })).toEqual({ left: 1 });
  expect(await seen(owner)).toHaveLength(1);
  expect(await seen(viewer)).toHaveLength(2);
  expect(await viewer.ask('GetSession', {})).toMatchObject({ notifications: 2 });
  expect(await owner.ask('GetSession', {})).toMatchObject({ notifications: 1 });
  expect(await owner.ask('DismissNotifications', {})).toEqual({ left: 0 });
  expect(await seen(viewer)).toHaveLength(2);
});
