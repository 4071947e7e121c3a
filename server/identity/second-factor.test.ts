import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor, visit } from '../../tools/testing/server.ts';
import { DEMO_PASSWORD } from '../organisation/demo.ts';
import { codeAt, stepAt } from './totp.ts';

let server: TestServer;
let owner: Visitor;
// a server for each test: sign-ins are counted by the minute
beforeEach(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterEach(() => server.stop());

const enter = (email: string, code: string) => visit(server.url, email, DEMO_PASSWORD, server.failures, code);
const bytesOf = (secret: string): Buffer => {
  const bits = [...secret]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};
/** Time goes on from code to code: each counts once. */
let now = Date.now();
const nextStep = () => {
  now += 30_000;
  server.clock.at = now;
};
const turnOn = async (visitor: Visitor): Promise<{ secret: Buffer; codes: string[] }> => {
  nextStep();
  const { secret, address } = (await visitor.ask('BeginSecondFactor', {})) as { secret: string; address: string };
  expect(address).toContain(`secret=${secret}`);
  const bytes = bytesOf(secret);
  const { codes } = (await visitor.ask('ConfirmSecondFactor', { code: codeAt(bytes, stepAt(now)) })) as {
    codes: string[];
  };
  return { secret: bytes, codes };
};

test('after the password a code is asked for; each code and each recovery code opens once', async () => {
  const email = 'accountant@sharma.demo';
  const visitor = await server.signIn(email);
  expect((await visitor.call('ConfirmSecondFactor', { code: '123456' })).status).toBe(404);
  const { secret, codes } = await turnOn(visitor);
  expect(new Set(codes).size).toBe(10);
  expect(await visitor.ask('GetSecondFactor', {})).toEqual({ on: true, required: false, codesLeft: 10 });
  await expect(enter(email, '')).rejects.toThrow('401');
  // the code that turned it on is used up
  await expect(enter(email, codeAt(secret, stepAt(now)))).rejects.toThrow('401');
  nextStep();
  const code = codeAt(secret, stepAt(now));
  const both = await Promise.allSettled([enter(email, code), enter(email, code)]);
  expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
  const [first = ''] = codes;
  await enter(email, first.toLowerCase().replace('-', ' '));
  await expect(enter(email, first)).rejects.toThrow('401');
  expect(await visitor.ask('GetSecondFactor', {})).toMatchObject({ codesLeft: 9 });
  nextStep();
  const renewed = (await visitor.ask('RenewRecoveryCodes', { code: codeAt(secret, stepAt(now)) })) as {
    codes: string[];
  };
  await expect(enter(email, codes[1] ?? '')).rejects.toThrow('401');
  await enter(email, renewed.codes[0] ?? '');
  nextStep();
  await visitor.ask('EndSecondFactor', { code: codeAt(secret, stepAt(now)) });
  await server.signIn(email);
});

test('wrong codes lock like wrong passwords, and the right password between them does not begin the counting anew', async () => {
  const email = 'viewer@sharma.demo';
  const { secret } = await turnOn(await server.signIn(email));
  for (let n = 0; n < 5; n++) await expect(enter(email, '000000')).rejects.toThrow('sign-in refused');
  nextStep();
  await expect(enter(email, codeAt(secret, stepAt(now)))).rejects.toThrow('401');
  await server.database.owner.query('delete from sign_in_failures');
  await enter(email, codeAt(secret, stepAt(now)));
});

test('values from the database open nothing, and neither does a forged proof', async () => {
  await turnOn(await server.signIn('viewer@sharma.demo'));
  const { rows } = await server.database.owner.query<{ secret: Buffer }>(
    `select totp_secret as secret from people where email = 'viewer@sharma.demo'`,
  );
  expect(rows[0]?.secret.length).toBeGreaterThan(40);
  const stolen = await server.database.owner.query(
    `
      update people
      set totp_secret = (select totp_secret from people where email = 'viewer@sharma.demo')
      where email = 'approver@sharma.demo'
    `,
  );
  expect(stolen.rowCount).toBe(1);
  await expect(enter('approver@sharma.demo', '000000')).rejects.toThrow('500');
});

test('where a role asks for it nothing opens without it; the owner takes it off who lost it', async () => {
  const roles = (await owner.ask('ListMasters', { master: 'role' })) as {
    rows: { id: string; version: number; values: { name: string } }[];
  };
  const role = roles.rows.find((row) => row.values.name === 'Approver');
  const approver = await server.signIn('approver@sharma.demo');
  await owner.ask('SaveMaster', {
    master: 'role',
    id: role?.id ?? '',
    version: role?.version ?? 0,
    values: { ...role?.values, secondFactor: true },
  });
  expect(await approver.ask('GetSession', {})).toMatchObject({ secondFactor: { on: false, required: true } });
  await expect.poll(async () => (await approver.call('GetOrgDetails', {})).status, { timeout: 5000 }).toBe(403);
  expect((await approver.call('GetOrgDetails', {})).details).toMatchObject({ code: 'secondFactor' });
  const { secret } = await turnOn(approver);
  await approver.ask('GetOrgDetails', {});
  nextStep();
  expect((await approver.call('EndSecondFactor', { code: codeAt(secret, stepAt(now)) })).status).toBe(409);
  const users = (await owner.ask('ListMasters', { master: 'user' })) as {
    rows: { id: string; values: { email: string } }[];
  };
  const idOf = (email: string) => users.rows.find((row) => row.values.email === email)?.id ?? '';
  expect((await owner.call('ResetSecondFactor', { user: idOf('owner@sharma.demo') })).status).toBe(409);
  await owner.ask('ResetSecondFactor', { user: idOf('approver@sharma.demo') });
  await server.signIn('approver@sharma.demo');
});

test('where the organisation asks for it, everybody is asked', async () => {
  await owner.ask('SaveGeneralConfigDetails', { values: { requireSecondFactor: true } });
  expect(await owner.ask('GetSession', {})).toMatchObject({ secondFactor: { on: false, required: true } });
  expect(await (await server.signIn('owner@nova.demo')).ask('GetSession', {})).toMatchObject({
    secondFactor: { required: false },
  });
});
