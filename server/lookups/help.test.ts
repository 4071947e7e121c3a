import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Screen, screenNames, screens } from '../../contract/screens.ts';
import { makeOperator } from '../../tools/testing/database.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
let nova: Visitor;
beforeAll(async () => {
  server = await testServer();
  await makeOperator(server.database, 'owner@nova.demo');
  owner = await server.signIn('owner@sharma.demo');
  nova = await server.signIn('owner@nova.demo');
});
afterAll(() => server.stop());

const screenId = '148';
const asked = async (by: Visitor, screen = screenId) =>
  ((await by.ask('GetHelpContent', { screenId: screen })) as { content: { question: string }[] }).content.map(
    ({ question }) => question,
  );
const text = (question: string) => ({ screenId, content: [{ question, answer: 'So and so' }] });

test('help is the organisation’s, else the installation’s, else the product’s', async () => {
  const ours = await asked(owner);
  expect(ours).toContain('When does an invoice get its number?');
  expect(await asked(owner, 'Sale Invoice')).toEqual(ours);
  // a screen has its own before those of its group, and so have the screens under it
  expect((await asked(owner, 'usersedit')).slice(0, 1)).toEqual(['How does a new user sign in?']);
  expect(await asked(owner, 'Users List')).toContain('Who may grant rights?');
  for (const name of screenNames)
    if ((screens[name] as Screen).show.view !== 'later')
      expect([name, (await asked(owner, name)).length > 0]).toEqual([name, true]);
  await nova.ask('SaveDefaultHelp', text('Of the installation?'));
  expect([await asked(owner), await asked(nova)]).toEqual([['Of the installation?'], ['Of the installation?']]);
  await owner.ask('SaveHelpContent', text('Of Sharma?'));
  expect([await asked(owner), await asked(nova)]).toEqual([['Of Sharma?'], ['Of the installation?']]);
  expect(await asked(owner, '149')).toEqual(ours);
  await owner.ask('SaveHelpContent', { screenId, content: [] });
  await nova.ask('SaveDefaultHelp', { screenId, content: [] });
  expect(await asked(owner)).toEqual(ours);
});

test('only an administrator writes it, only the operator for everybody, and never for a screen that is not there', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  expect((await viewer.call('SaveHelpContent', text('Mine?'))).status).toBe(403);
  expect((await owner.call('SaveDefaultHelp', text('Mine?'))).status).toBe(403);
  expect((await owner.call('SaveHelpContent', { screenId: '9999', content: [] })).status).toBe(404);
  expect((await owner.call('SaveHelpContent', { screenId, content: [{ question: '', answer: '' }] })).status).toBe(422);
});
