import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
let none: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  none = await server.signIn('none@sharma.demo');
});
afterAll(() => server.stop());

interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}
const list = async (by: Visitor, master: string) =>
  ((await by.ask('ListMasters', { master })) as { rows: readonly Kept[] }).rows;
const idOf = async (master: string, by: (values: Kept['values']) => boolean) =>
  (await list(owner, master)).find(({ values }) => by(values))?.id ?? '';
const user = (email: string) => idOf('user', (values) => values.email === email);
const role = (name: string) => idOf('role', (values) => values.name === name);
/** Grants are held for at most two seconds. */
const after = async (visitor: Visitor) =>
  ((await visitor.ask('GetSession', {})) as { grants: Readonly<Record<string, number>> }).grants;

test('a member has the roles of his group besides his own, the highest wins, and loses them with the group', async () => {
  const [arun, farah, viewer, approver] = await Promise.all([
    user('none@sharma.demo'),
    user('viewer@sharma.demo'),
    role('Viewer'),
    role('Approver'),
  ]);
  expect(await after(none)).toEqual({});
  const made = (await owner.ask('AddGroups', {
    values: { name: 'Pune desk', description: 'Whoever sits in Pune', roles: [viewer], users: [arun, farah] },
  })) as Kept;
  expect((await after(none))['Sale Invoice']).toBe(5000);
  const changed = (await owner.ask('AddGroups', {
    id: made.id,
    version: made.version,
    values: { ...made.values, roles: [viewer, approver] },
  })) as Kept;
  expect((await after(none))['Sale Invoice']).toBe(5002);
  expect(await owner.ask('GetGroupDetails', { Id: made.id })).toMatchObject({ values: { users: expect.any(Array) } });
  expect((await list(owner, 'user')).find(({ id }) => id === arun)?.values.groups).toBe('Pune desk');
  const { rows } = (await owner.ask('RunReport', { report: 'userDirectory', filters: { group: made.id } })) as {
    rows: readonly Record<string, string>[];
  };
  expect(rows.map(({ name, roles, groups }) => ({ name, roles, groups }))).toEqual([
    { name: 'Arun Das', roles: 'Approver, Viewer', groups: 'Pune desk' },
    { name: 'Farah Khan', roles: 'Approver, Viewer', groups: 'Pune desk' },
  ]);
  const [last] = (await owner.ask('GetHistory', { master: 'group', id: made.id })) as {
    changes: readonly { label: string; after: string }[];
  }[];
  expect(last?.changes).toMatchObject([{ label: 'Roles', after: expect.stringContaining('Approver') }]);
  await owner.ask('RetireMaster', { master: 'group', id: made.id, version: changed.version });
  expect(await after(none)).toEqual({});
});

test('nobody gives by a group what he does not have, nor takes the place of somebody above him', async () => {
  const [full, arun, meena] = [
    await role('Owner'),
    await user('none@sharma.demo'),
    await user('accountant@sharma.demo'),
  ];
  const clerk = (await owner.ask('SaveMaster', {
    master: 'role',
    values: { name: 'Clerk', levels: { GroupsList: 5001, 'Users List': 5001 } },
  })) as Kept;
  await owner.ask('AddGroups', { values: { name: 'Clerks', roles: [clerk.id], users: [arun] } });
  const owners = (await owner.ask('AddGroups', { values: { name: 'Owners', roles: [full], users: [meena] } })) as Kept;
  await after(none);
  expect(await none.call('AddGroups', { values: { name: 'Mine', roles: [full], users: [arun] } })).toMatchObject({
    status: 403,
    details: { code: 'ownLevel' },
  });
  const put = {
    id: owners.id,
    version: owners.version,
    values: { name: 'Owners', roles: [full], users: [arun, meena] },
  };
  expect(await none.call('AddGroups', put)).toMatchObject({ status: 403, details: { code: 'ownLevel' } });
  const { version } = (await owner.ask('GetUserDetails', { Id: meena })) as Kept;
  const taken = { id: meena, version, values: { name: 'Mine', email: 'mine@arun.test', roles: [], locations: [] } };
  expect(await none.call('UpdateUser', taken)).toMatchObject({ status: 403, details: { code: 'ownLevel' } });
  const { status } = await none.call('MakeSignInLink', { user: meena });
  expect(status).toBe(403);
});

test('the last administrator stays, also when he is one by a group', async () => {
  const [full, ravi] = [await role('Owner'), await user('owner@sharma.demo')];
  const groups = await list(owner, 'group');
  const owners = groups.find(({ values }) => values.name === 'Owners') as Kept;
  const saved = (await owner.ask('AddGroups', {
    id: owners.id,
    version: owners.version,
    values: { name: 'Owners', roles: [full], users: [ravi] },
  })) as Kept;
  const own = (await owner.ask('GetUserDetails', { Id: ravi })) as Kept;
  await owner.ask('UpdateUser', { id: ravi, version: own.version, values: { ...own.values, roles: [] } });
  const gone = await owner.call('RetireMaster', { master: 'group', id: saved.id, version: saved.version });
  expect(gone).toMatchObject({ status: 409, details: { code: 'lastAdministrator' } });
  expect(await owner.call('RetireMaster', { master: 'role', id: full, version: 1 })).toMatchObject({
    status: 409,
    details: { code: 'inUse' },
  });
});

test('a group does not name whom the list of users hides', async () => {
  const bare = await server.signIn('viewer@sharma.demo');
  const farah = await user('viewer@sharma.demo');
  const own = (await owner.ask('GetUserDetails', { Id: farah })) as Kept;
  await owner.ask('UpdateUser', { id: farah, version: own.version, values: { ...own.values, roles: [] } });
  await after(bare);
  const groups = await list(bare, 'group');
  expect(groups.length).toBeGreaterThan(1);
  expect(groups.flatMap(({ values }) => values.users)).toEqual([]);
  expect((await bare.call('RunReport', { report: 'userDirectory', filters: {} })).status).toBe(403);
});
