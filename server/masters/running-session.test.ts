import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}
const user = async (email: string): Promise<Kept> =>
  ((await owner.ask('ListMasters', { master: 'user' })) as { rows: readonly Kept[] }).rows.find(
    ({ values }) => values['email'] === email,
  ) as Kept;
const save = async (master: string, values: object, known?: Kept): Promise<Kept> =>
  owner.ask('SaveMaster', { master, values: { ...values }, ...(known && { id: known.id, version: known.version }) });

test('what is given or taken holds from the next call of a running session', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  const customer = () => viewer.call('SaveMaster', { master: 'customer', values: { name: '' } });
  expect((await customer()).status).toBe(403);
  const sells = await save('role', { name: 'Keeps customers', levels: { 'Party Master': 5003 } });
  const before = await user('viewer@sharma.demo');
  const roles = before.values['roles'] as readonly string[];
  const given = await save('user', { ...before.values, roles: [...roles, sells.id] }, before);
  expect((await customer()).status).toBe(422);
  await save('user', { ...given.values, roles }, given);
  expect((await customer()).status).toBe(403);
});

test('the approver of a new organisation brings orders on and reads them', async () => {
  const approver = await server.signIn('approver@sharma.demo');
  const { grants } = (await approver.ask('GetSession', {})) as { grants: Record<string, number> };
  expect([grants['WorkflowOrderlist'], grants['ReturnOrderlist']]).toEqual([5002, 5002]);
  const accountant = await server.signIn('accountant@sharma.demo');
  const session = (await accountant.ask('GetSession', {})) as { grants: Record<string, number> };
  expect([session.grants['WorkflowOrderlist'], session.grants['ReturnOrderlist']]).toEqual([5001, 5001]);
});

/** Calls that a session may still be asked, all at once; none of them gets in. */
const refusedEverywhere = async (visitor: Visitor): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const name of Object.keys(calls) as CallName[]) {
    const { status } = await visitor.call(name, {} as never, randomUUID());
    if (status !== 401) found.push(`${name} ${status}`);
  }
  return found;
};

test('who is deactivated is refused by every call from the next one on, by either call that does it', async () => {
  for (const [email, end] of [
    [
      'viewer@sharma.demo',
      (known: Kept) =>
        owner.ask('RetireMaster', { master: 'user', id: known.id, version: known.version, active: false } as never),
    ],
    [
      'accountant@sharma.demo',
      (known: Kept) => owner.ask('DeleteUser', { Id: known.id, version: known.version } as never),
    ],
  ] as const) {
    const visitor = await server.signIn(email);
    expect((await visitor.call('GetStates', {})).status).toBe(200);
    const { id } = await user(email);
    await end(await user(email));
    expect([email, await refusedEverywhere(visitor)]).toEqual([email, []]);
    const { version } = (await owner.ask('GetUserDetails', { Id: id })) as Kept;
    await owner.ask('RetireMaster', { master: 'user', id, version, active: true });
  }
}, 60_000);

test('a level, a role, a group and a place that are taken hold from the next call of a running session', async () => {
  const approver = await user('approver@sharma.demo');
  const visitor = await server.signIn('approver@sharma.demo');
  const writes = async () =>
    (await visitor.call('SaveMaster', { master: 'customer', values: { name: '' } } as never)).status;
  const levels = { 'Party Master': 5003 };
  const retire = (master: string, { id, version }: Kept) =>
    owner.call('RetireMaster', { master, id, version, active: false } as never);
  expect(await writes()).toBe(403);
  // the levels of a role
  const role = await save('role', { name: 'Parties', levels });
  const group = await save('group', { name: 'Keepers', roles: [role.id], users: [approver.id] });
  expect(await writes()).toBe(422);
  const { users: _, ...kept } = role.values;
  const changed = await save('role', { ...kept, levels: { 'Party Master': 5000 } }, role);
  expect(await writes()).toBe(403);
  await save('role', { ...kept, levels }, changed);
  expect(await writes()).toBe(422);
  // the group
  const { rows } = (await owner.ask('ListMasters', { master: 'group' } as never)) as { rows: readonly Kept[] };
  expect((await retire('group', rows.find(({ id }) => id === group.id) as Kept)).status).toBe(200);
  expect(await writes()).toBe(403);
  // the place
  expect(((await visitor.ask('GetSession', {})) as { locations: unknown[] }).locations.length).toBeGreaterThan(1);
  const now = await user('approver@sharma.demo');
  await save('user', { ...now.values, locations: [server.organisations[0]?.locations['PUN']] }, now);
  expect(((await visitor.ask('GetSession', {})) as { locations: unknown[] }).locations).toHaveLength(1);
});
