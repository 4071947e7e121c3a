import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

/** Counts what an open page hears until it is closed. */
async function listen(cookie: string): Promise<{ heard(): number; close(): void }> {
  const stop = new AbortController();
  const stream = await fetch(`${server.url}/api/events`, { headers: { cookie }, signal: stop.signal });
  let text = '';
  const reading = (async () => {
    for await (const piece of stream.body as unknown as AsyncIterable<Uint8Array>)
      text += new TextDecoder().decode(piece);
  })().catch(() => undefined);
  await expect.poll(() => text).toContain(': open');
  return {
    heard: () => text.split('"changed"').length - 1,
    close: () => {
      stop.abort();
      void reading;
    },
  };
}

test('open pages hear what changed for the organisation, and nothing of what only looks or is one’s own', async () => {
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
