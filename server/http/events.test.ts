import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOperator } from '../../tools/testing/database.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

/** Counts the messages to an open page until it is closed. */
async function listen(cookie: string): Promise<{ heard(): number; asked(): number; isOver(): boolean; close(): void }> {
  const stop = new AbortController();
  const stream = await fetch(`${server.url}/api/events`, { headers: { cookie }, signal: stop.signal });
  let text = '';
  let over = false;
  const reading = (async () => {
    for await (const piece of stream.body as unknown as AsyncIterable<Uint8Array>)
      text += new TextDecoder().decode(piece);
    over = true;
  })().catch(() => undefined);
  await expect.poll(() => text).toContain(': open');
  return {
    heard: () => text.split('"changed"').length - 1,
    asked: () => text.split('"session"').length - 1,
    isOver: () => over,
    close: () => {
      stop.abort();
      void reading;
    },
  };
}

test('open pages get changes of their organisation, and nothing of calls that only read or change a user’s own settings', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  const nova = await server.signIn('owner@nova.demo');
  const pages = [await listen(viewer.cookie), await listen(nova.cookie)] as const;
  await owner.ask('SavePreferences', { mode: 'dark', colour: '#0f766e', font: 'Roboto' });
  await owner.ask('GetEditorFacts', { parties: [], items: [], ledgers: [], date: '2026-11-21' });
  await owner.ask('AddTransactionDetails', { kind: 'saleInvoice', body: { narration: 'typing' } });
  await owner.call('SaveMaster', { master: 'category', values: {} }); // refused
  await owner.ask('SaveMaster', { master: 'category', values: { code: 'LIGHT', name: 'Lighting' } });
  await expect.poll(() => pages[0].heard()).toBe(1);
  expect(pages[1].heard()).toBe(0);
  for (const page of pages) page.close();
});

test('INV-48: an open page of a disabled user, or of an ended session, gets a message within five seconds and none afterwards', async () => {
  const gone = await server.signIn('approver@sharma.demo');
  const [here, there] = [await server.signIn('viewer@sharma.demo'), await server.signIn('viewer@sharma.demo')];
  const pages = {
    gone: await listen(gone.cookie),
    there: await listen(there.cookie),
    here: await listen(here.cookie),
    nova: await listen((await server.signIn('owner@nova.demo')).cookie),
  };
  const { rows } = (await owner.ask('ListMasters', { master: 'user' })) as {
    rows: { id: string; version: number; values: { email: string } }[];
  };
  const user = rows.find(({ values }) => values.email === 'approver@sharma.demo');
  await owner.ask('DeleteUser', { Id: user?.id ?? '', version: user?.version ?? 0 });
  const own = (await here.ask('ListSessions', {})) as { id: string; current: boolean }[];
  for (const { id } of own.filter(({ current }) => !current)) await here.ask('EndSession', { id });
  await expect.poll(() => [pages.gone.isOver(), pages.there.isOver()], { timeout: 5000 }).toEqual([true, true]);
  expect([pages.gone.asked(), pages.there.asked()]).toEqual([1, 1]);
  expect((await gone.call('GetSession', {})).status).toBe(401);
  // the other users get a message that rights may have changed, another organisation none
  await expect.poll(() => pages.here.asked()).toBeGreaterThan(0);
  expect([pages.here.isOver(), pages.nova.asked()]).toEqual([false, 0]);
  for (const page of Object.values(pages)) page.close();
});

test('a notice of the operator reaches the open pages of every organisation, a decision those of one', async () => {
  await makeOperator(server.database, 'owner@nova.demo');
  const operator = await server.signIn('owner@nova.demo');
  const pages = [await listen(owner.cookie), await listen(operator.cookie)] as const;
  const validTo = new Date(Date.now() + 3_600_000).toISOString();
  await operator.ask('SaveBroadcast', { title: 'Tonight', floatingMessage: 'Away from ten', validTo });
  await expect.poll(() => pages.map((page) => page.asked()), { timeout: 5000 }).toEqual([1, 1]);
  expect(pages.map((page) => page.heard())).toEqual([0, 0]);
  await server.database.owner.query('delete from subscriptions where organisation = 1');
  await owner.ask('AddModulesForOrganisation', { ModuleIds: [1] });
  const [request] = (await operator.ask('ListSubscriptionRequests', {})) as {
    id: string;
    organisation: number;
    version: number;
  }[];
  if (!request) throw new Error('the request is not listed');
  await operator.ask('DecideSubscriptionRequest', {
    organisation: request.organisation,
    request: request.id,
    version: request.version,
    approve: true,
  });
  await expect.poll(() => pages.map((page) => page.asked()), { timeout: 5000 }).toEqual([2, 1]);
  for (const page of pages) page.close();
});
