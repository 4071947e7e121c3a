import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

type Kept = { id: string; version: number; values: Record<string, unknown> };
type Made = { url: string; purpose: string };
const roleOf = async (by: Visitor, name: string): Promise<string> =>
  ((await by.ask('ListMasters', { master: 'role' })) as { rows: Kept[] }).rows.find((r) => r.values.name === name)
    ?.id ?? '';
const invite = async (by: Visitor, email: string, role = 'Viewer'): Promise<Kept> => {
  const values = { name: email.split('@')[0], email, roles: [await roleOf(by, role)], locations: [] };
  return by.ask('SaveMaster', { master: 'user', values });
};
const linkFor = (by: Visitor, user: string): Promise<Made> => by.ask('MakeSignInLink', { user });
const tokenOf = ({ url }: Made): string => url.split('#')[1] ?? '';
/** What the page of the link answers to a form. */
const post = async (form: Record<string, string>): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${server.url}/invitation`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: answer.status, text: await answer.text() };
};
const userCalled = async (by: Visitor, email: string): Promise<Kept> =>
  ((await by.ask('ListMasters', { master: 'user' })) as { rows: Kept[] }).rows.find(
    (u) => u.values.email === email,
  ) as Kept;

test('who is invited sets a password by a one-time link and signs in', async () => {
  const made = await invite(owner, 'kiran@sharma.demo');
  expect(made.values.access).toContain('not taken up');
  await expect(server.signIn('kiran@sharma.demo', 'anything at all')).rejects.toThrow('sign-in refused');
  const first = await linkFor(owner, made.id);
  const link = await linkFor(owner, made.id);
  expect(link.purpose).toBe('invitation');
  expect((await post({ token: tokenOf(first) })).status).toBe(404); // a newer one was made
  const { rows } = await server.database.owner.query(
    `select encode(digest, 'hex') as kept from sign_in_links where "user" = $1`,
    [made.id],
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(tokenOf(link));

  const token = tokenOf(link);
  const opened = await fetch(`${server.url}/invitation`);
  expect(opened.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await post({ token })).text).toContain('kiran@sharma.demo');
  for (const [password, again, wrong] of [
    ['short', 'short', 'at least 12'],
    ['kiran@sharma.demo', 'kiran@sharma.demo', 'e-mail'],
    ['correct horse battery', 'correct horse batteri', 'differ'],
  ] as const)
    expect(await post({ token, password, again })).toMatchObject({ status: 422, text: expect.stringContaining(wrong) });
  expect((await post({ token, password: 'correct horse battery', again: 'correct horse battery' })).status).toBe(200);
  expect((await post({ token, password: 'correct horse battery', again: 'correct horse battery' })).status).toBe(404);
  const kiran = await server.signIn('kiran@sharma.demo', 'correct horse battery');
  expect(await kiran.ask('GetSession', {})).toMatchObject({ name: 'kiran', organisation: { code: 'SHARMA' } });
  expect((await userCalled(owner, 'kiran@sharma.demo')).values.access).toBe('Taken up');
});

test('a link that is too old, or of a user who is inactive, opens nothing', async () => {
  const made = await invite(owner, 'late@sharma.demo');
  const token = tokenOf(await linkFor(owner, made.id));
  await owner.ask('RetireMaster', { master: 'user', id: made.id, version: made.version, active: false });
  expect((await post({ token })).status).toBe(404);
  expect((await owner.call('MakeSignInLink', { user: made.id })).status).toBe(409);
  await owner.ask('RetireMaster', { master: 'user', id: made.id, version: made.version + 1, active: true });
  expect((await post({ token })).status).toBe(200);
  await server.database.owner.query(`update sign_in_links set expires_at = now() - interval '1 second'`);
  expect((await post({ token })).status).toBe(404);
});

test('an administrator gives a new password by a link, which ends the old sessions; not for themselves', async () => {
  const made = await invite(owner, 'forgot@sharma.demo');
  const password = 'first pass phrase';
  await post({ token: tokenOf(await linkFor(owner, made.id)), password, again: password });
  const before = await server.signIn('forgot@sharma.demo', password);
  const link = await linkFor(owner, made.id);
  expect(link.purpose).toBe('password');
  const next = 'second pass phrase';
  expect((await post({ token: tokenOf(link), password: next, again: next })).status).toBe(200);
  await expect.poll(async () => (await before.call('GetStates', {})).status, { timeout: 5000 }).toBe(401);
  await expect(server.signIn('forgot@sharma.demo', password)).rejects.toThrow('sign-in refused');
  await server.signIn('forgot@sharma.demo', next);
  const own = await userCalled(owner, 'owner@sharma.demo');
  expect((await owner.call('MakeSignInLink', { user: own.id })).status).toBe(409);
});

test('nobody gets into another organisation by inviting its people', async () => {
  // a user here with a password elsewhere joins with that password, and is not in until then
  const lakshmi = await invite(owner, 'owner@nova.demo');
  const nova = await server.signIn('owner@nova.demo');
  expect(((await nova.ask('GetSession', {})) as { organisations: unknown[] }).organisations).toHaveLength(1);
  const token = tokenOf(await linkFor(owner, lakshmi.id));
  expect((await post({ token })).text).toContain('enter the password you have');
  const mine = 'an own pass phrase';
  expect((await post({ token, password: mine, again: mine })).status).toBe(422);
  expect((await post({ token, password: 'Demo-Bahi-2026' })).status).toBe(200);
  const both = await server.signIn('owner@nova.demo');
  expect(((await both.ask('GetSession', {})) as { organisations: unknown[] }).organisations).toHaveLength(2);
  // now the user works in both: neither administrator may set the password
  expect(await owner.call('MakeSignInLink', { user: lakshmi.id })).toMatchObject({
    status: 409,
    message: expect.stringContaining('another organisation'),
  });
});

test('a link is as good as the rights of its user', async () => {
  const levels = { 'Users List': 5001 };
  const role = (await owner.ask('SaveMaster', { master: 'role', values: { name: 'Clerks', levels } })) as Kept;
  const clerk = await invite(owner, 'clerk@sharma.demo', 'Clerks');
  expect(role.id).toBeTruthy();
  const password = 'clerks pass phrase';
  await post({ token: tokenOf(await linkFor(owner, clerk.id)), password, again: password });
  const visitor = await server.signIn('clerk@sharma.demo', password);
  const boss = await userCalled(owner, 'accountant@sharma.demo');
  expect((await visitor.call('MakeSignInLink', { user: boss.id })).status).toBe(403);
  const viewer = await server.signIn('viewer@sharma.demo');
  expect((await viewer.call('MakeSignInLink', { user: clerk.id })).status).toBe(403);
  const nova = await server.signIn('owner@nova.demo');
  expect((await nova.call('MakeSignInLink', { user: clerk.id, ...{ OrgCode: 'NOVA' } })).status).toBe(404);
});

test('a user who becomes another person has to take up the invitation anew', async () => {
  const made = await userCalled(owner, 'none@sharma.demo');
  const changed = (await owner.ask('SaveMaster', {
    master: 'user',
    id: made.id,
    version: made.version,
    values: { ...made.values, email: 'somebody@else.example' },
  })) as Kept;
  expect(changed.values.access).toContain('not taken up');
  await expect(server.signIn('none@sharma.demo')).rejects.toThrow();
});

test('the own password is changed with the one that is known, and the other sessions end', async () => {
  const here = await server.signIn('accountant@sharma.demo');
  const there = await server.signIn('accountant@sharma.demo');
  const change = (current: string, next: string) => here.call('ChangePassword', { current, next });
  const problems = async (current: string, next: string) =>
    ((await change(current, next)).details as { problems: { field: string }[] }).problems.map((p) => p.field);
  expect(await problems('Demo-Bahi-2026', 'too short')).toEqual(['next']);
  expect(await problems('wrong', 'a much longer phrase')).toEqual(['current']);
  expect((await change('Demo-Bahi-2026', 'a much longer phrase')).status).toBe(200);
  expect((await there.call('GetStates', {})).status).toBe(401);
  expect((await here.call('GetStates', {})).status).toBe(200);
  // the tokens behind this session still refresh
  server.clock.at = Date.now() + 700_000;
  expect((await here.call('GetStates', {})).status).toBe(200);
  server.clock.at = undefined;
  await server.signIn('accountant@sharma.demo', 'a much longer phrase');
});

test('the link of a sign-up is no invitation: it opens nothing here', async () => {
  const token = 'a-link-of-a-sign-up';
  await server.database.owner.query(
    `
      insert into sign_in_links (digest, purpose, email, expires_at)
      values ($1, 'signUp', 'new@sharma.demo', now() + interval '1 day')
    `,
    [createHash('sha256').update(token).digest()],
  );
  expect((await post({ token })).status).toBe(404);
});
