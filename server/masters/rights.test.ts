import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
/** Keeps users, roles and groups, and holds nothing else. */
let clerk: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  const { id } = await save(owner, 'role', { name: 'People', levels: people });
  const none = await user('none@sharma.demo');
  await save(owner, 'user', { ...none.values, roles: [id] }, none);
});
beforeEach(async () => {
  clerk ??= await server.signIn('none@sharma.demo');
});
afterAll(() => server.stop());

interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}
const people = { 'Manage Role': 5003, 'Users List': 5003, GroupsList: 5003 };
const list = async (master: string, retired = false) =>
  ((await owner.ask('ListMasters', { master, retired, limit: 200 })) as { rows: readonly Kept[] }).rows;
const user = async (email: string) => (await list('user')).find(({ values }) => values['email'] === email) as Kept;
const role = async (name: string) => (await list('role')).find(({ values }) => values['name'] === name) as Kept;
const change = (by: Visitor, master: string, values: object, known?: Kept) =>
  by.call('SaveMaster', {
    master,
    values: { ...values },
    ...(known && { id: known.id, version: known.version }),
  });
const save = async (by: Visitor, master: string, values: object, known?: Kept): Promise<Kept> => {
  const { status, message, details } = await change(by, master, values, known);
  expect([status, message]).toEqual([200, expect.anything()]);
  return details as Kept;
};
const above = { status: 403, details: { code: 'ownLevel' } };

test('nobody retires a user, a role or a group that holds more than they do, nor brings one back', async () => {
  const group = await save(owner, 'group', { name: 'Chiefs', roles: [(await role('Owner')).id], users: [] });
  const known = [
    ['user', await user('owner@sharma.demo')],
    ['user', await user('viewer@sharma.demo')],
    ['role', await role('Owner')],
    ['role', await role('Viewer')],
    ['group', group],
  ] as const;
  for (const [master, { id, version }] of known) {
    expect(await clerk.call('RetireMaster', { master, id, version })).toMatchObject(above);
    expect(await clerk.call('RetireMaster', { master, id, version, active: true })).toMatchObject(above);
  }
  const { id, version } = await user('owner@sharma.demo');
  expect(await clerk.call('DeleteUser', { Id: id, version })).toMatchObject(above);
});

test('nobody empties a role, a user or a group above them, moves it, or hands it to another person', async () => {
  const [chief, full] = [await user('owner@sharma.demo'), await role('Owner')];
  const group = await save(owner, 'group', { name: 'Heads', roles: [full.id], users: [] });
  const place = (await list('location'))[0]?.id;
  const refused = [
    ['user', { ...chief.values, roles: [] }, chief],
    ['user', { ...chief.values, locations: [place] }, chief],
    ['user', { ...chief.values, email: 'mine@sharma.demo' }, chief],
    ['user', { ...chief.values, name: 'Somebody' }, chief],
    ['role', { ...full.values, levels: {} }, full],
    ['role', { ...full.values, levels: people }, full],
    ['group', { ...group.values, roles: [] }, group],
    // a group without roles that would limit where the owner works
    ['group', { name: 'Corner', roles: [], users: [chief.id], locations: [place] }, undefined],
  ] as const;
  for (const [master, values, known] of refused)
    expect([values, await change(clerk, master, values, known)]).toMatchObject([values, above]);
  for (const call of ['MakeSignInLink', 'MailSignInLink', 'ResetSecondFactor'] as const)
    expect([call, await clerk.call(call, { user: chief.id })]).toMatchObject([call, above]);
});

test('nobody takes the second factor of a role, or the role, from somebody above them', async () => {
  const guarded = await save(owner, 'role', { name: 'Guarded', levels: {}, secondFactor: true });
  const viewer = await user('viewer@sharma.demo');
  const roles = viewer.values['roles'] as readonly string[];
  await save(owner, 'user', { ...viewer.values, roles: [...roles, guarded.id] }, viewer);
  const known = await role('Guarded');
  const { users: _, ...values } = known.values;
  expect(await change(clerk, 'role', { ...values, secondFactor: false }, known)).toMatchObject(above);
  expect((await role('Guarded')).values['secondFactor']).toBe(true);
  // nor by a group that gives the role
  const group = await save(owner, 'group', {
    ...{ name: 'Guards', roles: [guarded.id], users: [(await user('approver@sharma.demo')).id] },
  });
  expect(await change(clerk, 'group', { ...group.values, roles: [] }, group)).toMatchObject(above);
  expect(await change(clerk, 'group', { ...group.values, users: [] }, group)).toMatchObject(above);
  // the name of the role is not a level, and who is above may take it
  const named = await save(clerk, 'role', { ...values, name: 'Guarded once' }, known);
  const { users: __, ...again } = named.values;
  await save(owner, 'group', { ...group.values, roles: [], users: [] }, group);
  await save(owner, 'role', { ...again, secondFactor: false }, named);
});

test('within their own level they change, retire and bring back', async () => {
  const made = await save(clerk, 'role', { name: 'Desk', levels: { 'Users List': 5001 } });
  const hand = await save(clerk, 'user', { name: 'Hand', email: 'hand@sharma.demo', roles: [made.id], locations: [] });
  const out = { master: 'user', id: hand.id, version: hand.version };
  expect((await clerk.call('RetireMaster', out)).status).toBe(200);
  expect((await clerk.call('RetireMaster', { ...out, version: hand.version + 1, active: true })).status).toBe(200);
  const less = await save(clerk, 'role', { name: 'Desk', levels: { 'Users List': 5000 } }, made);
  expect(less.values['levels']).toEqual({ 'Users List': 5000 });
});

test('the last person with full rights on everything stays, whoever keeps roles besides', async () => {
  const [chief, full] = [await user('owner@sharma.demo'), await role('Owner')];
  const last = { status: 409, details: { code: 'lastAdministrator' } };
  const place = (await list('location'))[0]?.id;
  const { 'Sale Invoice': _, ...fewer } = full.values['levels'] as Record<string, number>;
  const { id, version } = chief;
  expect(await owner.call('RetireMaster', { master: 'user', id, version })).toMatchObject(last);
  expect(await change(owner, 'user', { ...chief.values, roles: [] }, chief)).toMatchObject(last);
  expect(await change(owner, 'role', { ...full.values, levels: fewer }, full)).toMatchObject(last);
  // somebody who works at one location only cannot open the others again
  expect(await change(owner, 'user', { ...chief.values, locations: [place] }, chief)).toMatchObject(last);
});

test('two with full rights who take each other’s away at once: one of them stays', async () => {
  const full = await role('Owner');
  const second = await user('approver@sharma.demo');
  await save(owner, 'user', { ...second.values, roles: [full.id] }, second);
  let other = await server.signIn('approver@sharma.demo');
  for (let round = 0; round < 12; round += 1) {
    const [one, two] = [await user('owner@sharma.demo'), await user('approver@sharma.demo')];
    const taken = [
      () => owner.call('RetireMaster', { master: 'user', id: two.id, version: two.version }),
      () => other.call('RetireMaster', { master: 'user', id: one.id, version: one.version }),
    ];
    // neither is always the first to ask
    const answers = await Promise.all((round % 2 ? taken.toReversed() : taken).map((take) => take()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    // the next round goes on with both
    await server.database.owner.query('update users set active = true where organisation = 1');
    [owner, other] = [await server.signIn('owner@sharma.demo'), await server.signIn('approver@sharma.demo')];
  }
  await save(owner, 'user', second.values, await user('approver@sharma.demo'));
});

test('adding a role takes nothing away: 5001 and 5002 together create and approve', async () => {
  const viewer = await user('viewer@sharma.demo');
  const roles = [(await role('Accountant')).id, (await role('Approver')).id];
  await save(owner, 'user', { ...viewer.values, roles }, viewer);
  const both = await server.signIn('viewer@sharma.demo');
  const kept = await both.call('AddTransactionDetails', { kind: 'saleInvoice', body: { kind: 'saleInvoice' } });
  expect(kept.status).toBe(200);
  const cancel = { TransactionIds: [], TransactionType: 'saleInvoice' };
  expect((await both.call('CancelTransaction', cancel)).status).not.toBe(403);
  const session: { grants: Record<string, number>; both: string[] } = await both.ask('GetSession', {});
  expect(session.grants['Sale Invoice']).toBe(5002);
  expect(session.both).toContain('Sale Invoice');
  const rows: { resourceId: number; accessTypeId: number }[] = await both.ask('GetScreenListByUser', {});
  expect(new Set(rows.map(({ resourceId }) => resourceId)).size).toBe(rows.length);
  const explained: { calls: { call: string; allowed: boolean }[] } = await owner.ask('ExplainAccess', {
    user: viewer.id,
    screen: 'Create Invoice',
  });
  const can = new Map(explained.calls.map(({ call, allowed }) => [call, allowed]));
  expect([can.get('PostTransactionCalls'), can.get('CancelTransaction')]).toEqual([true, true]);
});

test('a role names screens that levels are granted on: anything else is a problem at the levels', async () => {
  for (const name of ['17', 'Nonsense', 'Create Invoice', '__proto__x']) {
    const made = { name: 'Odd', levels: { [name]: 5003 } };
    expect(await change(owner, 'role', made)).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'levels', message: expect.stringContaining(name) }] },
    });
  }
});
