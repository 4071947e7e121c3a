import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
let none: Visitor;
beforeEach(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  none = await server.signIn('none@sharma.demo');
});
afterEach(() => server.stop());

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

test('a member has the roles of their group besides their own, the highest wins, and loses them with the group', async () => {
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

test('nobody gives by a group a right that they do not have, nor changes a user with more rights', async () => {
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

test('the last administrator stays, also when a group makes them one', async () => {
  const [full, ravi] = [await role('Owner'), await user('owner@sharma.demo')];
  const saved = (await owner.ask('AddGroups', { values: { name: 'Owners', roles: [full], users: [ravi] } })) as Kept;
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
  const [farah, viewer] = [await user('viewer@sharma.demo'), await role('Viewer')];
  for (const name of ['Pune desk', 'Bengaluru desk'])
    await owner.ask('AddGroups', { values: { name, roles: [viewer], users: [await user('none@sharma.demo')] } });
  const own = (await owner.ask('GetUserDetails', { Id: farah })) as Kept;
  await owner.ask('UpdateUser', { id: farah, version: own.version, values: { ...own.values, roles: [] } });
  await after(bare);
  const groups = await list(bare, 'group');
  expect(groups.length).toBeGreaterThan(1);
  expect(groups.flatMap(({ values }) => values.users)).toEqual([]);
  expect((await bare.call('RunReport', { report: 'userDirectory', filters: {} })).status).toBe(403);
});

test('locations of a group limit its members like their own: lists, views, stock, posting, and nobody is freed by the way', async () => {
  const [auditor, viewer] = [await user('accountant@sharma.demo'), await role('Owner')];
  const [head, pune] = [server.organisations[0]?.locations.BLR ?? '', server.organisations[0]?.locations.PUN ?? ''];
  const { KA = '', MH = '' } = server.organisations[0]?.registrations ?? {};
  const party = (await owner.ask('SaveMaster', {
    master: 'customer',
    values: { name: 'Group test', category: 'unregistered', state: '27' },
  })) as Kept;
  const item = (await owner.ask('SaveMaster', {
    master: 'item',
    values: {
      sku: 'GRP1',
      name: 'Placed',
      type: 'stock',
      unit: 'NOS',
      hsn: '84713010',
      treatment: 'taxable',
      gstRate: '18',
    },
  })) as Kept;
  const bill = (location: string, kind = 'purchaseBill', more: object = {}) => ({
    ...{
      kind,
      date: '2026-06-10',
      registration: location === pune ? MH : KA,
      location,
      reference: location.slice(-12),
    },
    lines: [{ item: item.id, quantity: '5', rate: '10' }],
    ...more,
  });
  const supplier = (await owner.ask('SaveMaster', {
    master: 'supplier',
    values: { name: 'Group supplier', category: 'unregistered', state: '27' },
  })) as Kept;
  const posted: Record<string, string> = {};
  for (const place of [head, pune]) {
    const done = (await owner.ask(
      'PostTransactionCalls',
      { document: { ...bill(place), party: supplier.id } } as never,
      crypto.randomUUID(),
    )) as { TransactionId: string };
    posted[place] = done.TransactionId;
  }
  const meena = await server.signIn('accountant@sharma.demo');
  const group = (await owner.ask('AddGroups', {
    values: { name: 'Only Pune', roles: [viewer], locations: [pune], users: [auditor] },
  })) as Kept;
  expect(group.values.locations).toEqual([pune]);
  const session = (await meena.ask('GetSession', {})) as { locations: readonly { id: string }[] };
  expect(session.locations.map(({ id }) => id)).toEqual([pune]);
  const bills = async () =>
    ((await meena.ask('GetTransationsList', { Type: 'purchaseBill' })) as { rows: { id: string }[] }).rows.map(
      (r) => r.id,
    );
  expect(await bills()).toEqual([posted[pune]]);
  expect(await meena.call('GetTransactionDetailForInvoice', { TransactionId: posted[head] })).toMatchObject({
    status: 404,
  });
  expect(await meena.ask('GetItemView', { id: item.id })).toMatchObject({ onHand: '5' });
  const sale = (place: string) =>
    meena.call(
      'PostTransactionCalls',
      { document: { ...bill(place, 'saleInvoice'), party: party.id, reference: undefined } } as never,
      crypto.randomUUID(),
    );
  expect((await sale(head)).status).toBe(404);
  expect((await sale(pune)).status).toBe(200);
  const why = (await owner.ask('ExplainAccess', { user: auditor, screen: 'Sale Invoice' })) as { locations: unknown };
  expect(why.locations).toEqual([{ name: 'Pune branch', own: false, groups: ['Only Pune'] }]);
  // the user's own locations are added to those of the group
  const person = (await list(owner, 'user')).find(({ id }) => id === auditor);
  const wider = (await owner.ask('UpdateUser', {
    id: auditor,
    version: person?.version,
    values: { ...person?.values, locations: [head] },
  } as never)) as Kept;
  await after(meena);
  expect((await bills()).toSorted()).toEqual([posted[head], posted[pune]].toSorted());
  await owner.ask('UpdateUser', {
    id: auditor,
    version: wider.version,
    values: { ...wider.values, locations: [] },
  } as never);
  // only the group limits the user now: it cannot be deactivated, nor lose this member
  expect(await owner.call('RetireMaster', { master: 'group', id: group.id, version: group.version })).toMatchObject({
    details: { code: 'cannotRetire' },
  });
  const save = (by: Visitor, values: object) =>
    by.call('AddGroups', { id: group.id, version: group.version, values: { ...group.values, ...values } } as never);
  expect(await save(owner, { users: [] })).toMatchObject({ status: 422, details: { problems: [{ field: 'users' }] } });
  expect(await save(owner, { locations: [] })).toMatchObject({ details: { problems: [{ field: 'locations' }] } });
  // who works in Pune only opens the head office to nobody
  await after(meena);
  expect(await save(meena, { locations: [pune, head] })).toMatchObject({ details: { code: 'ownLevel' } });
  expect(
    await meena.call('AddNewUser', {
      values: { name: 'New', email: 'new@sharma.demo', locations: [], roles: [] },
    } as never),
  ).toMatchObject({ details: { code: 'ownLevel' } });
});
