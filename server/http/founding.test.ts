import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOperator } from '../../tools/testing/database.ts';
import { type TestServer, testServer, type Visitor, visit } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { root } from '../kit/database/migrate.ts';
import type { SignUp } from '../process/settings.ts';

const typed = {
  name: 'Kaveri Traders',
  code: 'kaveri',
  gstin: '29AAGCS4821F1ZB',
  line1: '12 Residency Road',
  city: 'Bengaluru',
  pincode: '560025',
} as const;

let server: TestServer;
let owner: Visitor;
let operator: Visitor;
beforeAll(async () => {
  server = await testServer();
  await makeOperator(server.database, 'owner@nova.demo');
  owner = await server.signIn('owner@sharma.demo');
  operator = await server.signIn('owner@nova.demo');
});
afterAll(() => server.stop());

test('whoever belongs to an organisation founds another, owns it, and goes over to it', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  expect(await viewer.ask('GetSession', {})).toMatchObject({ mayFound: true });
  expect(await viewer.call('FoundOrganisation', { ...typed, pincode: '12', state: '99' })).toMatchObject({
    status: 422,
    details: { problems: expect.arrayContaining([expect.objectContaining({ field: 'pincode' })]) },
  });
  expect(await viewer.call('FoundOrganisation', { ...typed, gstin: '' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'state' }] },
  });
  // the address of a supplier is on every invoice: its PIN code is one of its state, and nobody has a place in code 96
  expect(await viewer.call('FoundOrganisation', { ...typed, pincode: '110001' })).toMatchObject({
    status: 422,
    details: {
      problems: [{ field: 'pincode', message: 'PIN code 110001 is not in Karnataka: correct it, or the GSTIN' }],
    },
  });
  expect(await viewer.call('FoundOrganisation', { ...typed, gstin: '', state: '96', pincode: '999999' })).toMatchObject(
    { status: 422, details: { problems: [{ field: 'state' }] } },
  );
  expect(await viewer.ask('FoundOrganisation', typed)).toEqual({ code: 'KAVERI', name: 'Kaveri Traders', link: null });
  expect(await viewer.call('FoundOrganisation', { ...typed, code: 'sharma' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'code' }] },
  });
  const session = await viewer.ask('SwitchOrganisation', { OrgCode: 'KAVERI' });
  expect(session).toMatchObject({
    organisation: { code: 'KAVERI' },
    organisations: [{ code: 'SHARMA' }, { code: 'KAVERI' }],
    registrations: [{ gstin: '29AAGCS4821F1ZB', state: '29' }],
    operator: false,
  });
  expect(Object.values((session as { grants: Record<string, number> }).grants)).toContain(5003);
  // and nobody else of the first one has anything to do with it
  expect(await owner.ask('GetSession', {})).toMatchObject({ organisations: [{ code: 'SHARMA' }] });
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
});

test('an operator founds for somebody else, who takes it up by a link; nobody else names an owner', async () => {
  const other = { ...typed, code: 'HARI', ownerName: 'Hari Das', ownerEmail: 'hari@hari.example' };
  expect((await owner.call('FoundOrganisation', other)).status).toBe(403);
  expect(await operator.call('FoundOrganisation', { ...other, ownerName: '' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'ownerName' }] },
  });
  const { link }: { link: string } = await operator.ask('FoundOrganisation', other);
  expect(await operator.ask('GetSession', {})).toMatchObject({ organisations: [{ code: 'NOVA' }] });
  expect(await operator.ask('ListOrganisations', {})).toContainEqual({
    code: 'HARI',
    name: 'Kaveri Traders',
    users: 1,
  });
  expect((await owner.call('ListOrganisations', {})).status).toBe(403);
  const password = 'a long pass phrase';
  const body = new URLSearchParams({ token: link.split('#')[1] ?? '', password, again: password });
  expect((await fetch(`${server.url}/invitation`, { method: 'POST', body })).status).toBe(200);
  const hari = await visit(server.url, 'hari@hari.example', password, []);
  expect(await hari.ask('GetSession', {})).toMatchObject({ organisation: { code: 'HARI' } });
});

test('two who choose one code at once: one has it, the other gets a problem at the field', async () => {
  const meena = await server.signIn('accountant@sharma.demo');
  const both = await Promise.all([1, 2].map(() => meena.call('FoundOrganisation', { ...typed, code: 'TWICE' })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test.each([
  ['members', 200, 200],
  ['open', 200, 200],
  ['operator', 403, 200],
  ['closed', 403, 403],
] as const)('with SIGN_UP=%s', async (signUp: SignUp, byMember, byOperator) => {
  const own = await testServer({}, { signUp });
  await makeOperator(own.database, 'owner@nova.demo');
  const people = [await own.signIn('viewer@sharma.demo'), await own.signIn('owner@nova.demo')];
  const told = people.map(async (person, at) => {
    const { mayFound } = (await person.ask('GetSession', {})) as { mayFound: boolean };
    return [mayFound ? 200 : 403, (await person.call('FoundOrganisation', { ...typed, code: `OWN${at}` })).status];
  });
  expect(await Promise.all(told)).toEqual([
    [byMember, byMember],
    [byOperator, byOperator],
  ]);
  await own.stop();
});

test("an operator's right is given and taken, both are logged, and the last operator stays", async () => {
  const own = await testServer();
  await makeOperator(own.database, 'owner@nova.demo');
  const [owner, operator] = [await own.signIn('owner@sharma.demo'), await own.signIn('owner@nova.demo')];
  const listed = async (): Promise<{ person: string; email: string }[]> => operator.ask('ListOperators', {});
  const [first] = await listed();
  expect((await owner.call('GiveOperator', { email: 'owner@sharma.demo' })).status).toBe(403);
  expect((await owner.call('TakeOperator', { person: first?.person ?? '' })).status).toBe(403);
  expect(await operator.call('TakeOperator', { person: first?.person ?? '' })).toMatchObject({
    status: 409,
    details: { code: 'lastOperator' },
  });
  expect(await operator.call('GiveOperator', { email: 'nobody@sharma.demo' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'email' }] },
  });
  await operator.ask('GiveOperator', { email: 'OWNER@sharma.demo' });
  await expect
    .poll(async () => (await owner.ask('GetSession', {})) as object, { timeout: 5000 })
    .toMatchObject({
      operator: true,
    });
  // two who take each other's right at once
  const both = await listed();
  expect(both).toHaveLength(2);
  const taken = await Promise.all(
    both.map(({ person, email }) => (email === 'owner@nova.demo' ? owner : operator).call('TakeOperator', { person })),
  );
  expect(taken.map(({ status }) => status)).toContain(200);
  const { rows } = await own.database.owner.query<{ n: number }>(
    'select count(*)::int as n from people where operator',
  );
  expect(rows).toEqual([{ n: 1 }]);
  const { rows: told } = await own.database.owner.query<{ action: string }>(
    `select distinct action from edit_log where relation = 'security' and action like 'operator%' order by 1`,
  );
  expect(told.map(({ action }) => action)).toEqual(['operatorGiven', 'operatorTaken']);
  await own.stop();
});

test('with SIGN_UP=open anybody founds one, once the address is confirmed', async () => {
  const open = await testServer({}, { signUp: 'open' });
  const post = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(`${open.url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
    return { status: answer.status, text: await answer.text() };
  };
  const linkFor = async (email: string): Promise<string> => {
    expect(await post('/sign-up', { email })).toMatchObject({ status: 200 });
    const mail = open.catcher.mails().findLast(({ recipients }) => recipients.includes(email));
    return /sign-up\/open#([\w-]+)/.exec(mail?.message.text ?? '')?.[1] ?? '';
  };
  expect((await post('/sign-up', { email: 'no address' })).text).toContain('email-wrong');
  const token = await linkFor('anita@kaveri.example');
  expect(token).not.toBe('');
  // a second one within two minutes is not mailed
  const mails = open.catcher.mails().length;
  await post('/sign-up', { email: 'anita@kaveri.example' });
  expect(open.catcher.mails()).toHaveLength(mails);
  expect((await post('/sign-up/open', { token })).text).toContain('Name of the business');
  const form = { ...typed, token, person: 'Anita Rao', password: 'a long pass phrase', again: 'a long pass phrase' };
  expect((await post('/sign-up/open', { ...form, code: 'SHARMA' })).text).toContain('This code is taken');
  // another address than the confirmed one counts for nothing
  expect(await post('/sign-up/open', { ...form, email: 'owner@sharma.demo' })).toMatchObject({ status: 200 });
  expect((await post('/sign-up/open', form)).status).toBe(404);
  const anita = await visit(open.url, 'anita@kaveri.example', 'a long pass phrase', []);
  expect(await anita.ask('GetSession', {})).toMatchObject({ organisation: { code: 'KAVERI' }, operator: false });
  // whoever signs in here already is sent there, and nothing is made for them
  const known = await post('/sign-up/open', { ...form, token: await linkFor('viewer@sharma.demo'), code: 'SECOND' });
  expect(known.text).toContain('You sign in here already');
  await open.stop();
});

test('where not anybody may found one there is no page for it', async () => {
  expect((await fetch(`${server.url}/sign-up`, { method: 'POST', body: new URLSearchParams() })).status).toBe(404);
});

test('when no operator is left, a command makes one', async () => {
  const own = await testServer();
  const run = (email: string) =>
    spawnSync(process.execPath, [path.join(root(), 'tools/run.mjs'), 'tools/operator.ts', email], {
      cwd: root(),
      env: { ...process.env, DATABASE_OWNER_URL: own.database.ownerUrl },
      encoding: 'utf8',
    });
  expect(run('nobody@sharma.demo')).toMatchObject({ status: 1 });
  expect(run('viewer@sharma.demo')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('is an operator of this installation now'),
  });
  await own.stop();
});
