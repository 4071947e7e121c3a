import { afterAll, beforeAll, expect, test } from 'vitest';
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
