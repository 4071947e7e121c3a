import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, todayIn } from '../../domain/base/dates.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { makeOperator } from '../../tools/testing/database.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
}, 60_000);
afterAll(() => server.stop());

type Row = Record<'at' | 'who' | 'what' | 'about' | 'details' | 'origin', string>;
/** The days around now: rows carry the clock of the database, which a test does not move, and midnight may pass. */
const now = todayIn(Date.now());
const filters = { from: addDays(now, -1), to: addDays(now, 1) };
const rowsOf = async (more: Record<string, string> = {}, by = owner): Promise<Row[]> =>
  (
    (await by.ask('RunReport', { report: 'securityLog', filters: { ...filters, ...more } })) as {
      rows: Row[];
    }
  ).rows;

test('S-65: sign-ins, failures, lock-outs, refusals, exports and changed rights are listed, newest first, without a secret', async () => {
  for (let n = 0; n < 5; n++)
    await expect(server.signIn('viewer@sharma.demo', 'canary-wrong-word')).rejects.toThrow('refused: 401');
  const none = await server.signIn('none@sharma.demo');
  for (let n = 0; n < 3; n++)
    expect((await none.call('RunReport', { report: 'trialBalance', filters: {} })).status).toBe(403);
  await owner.ask('ExportReport', { report: 'userDirectory', filters: {}, format: 'csv' });
  const { id } = (await owner.ask('SaveMaster', {
    master: 'user',
    values: { name: 'Meera Iyer', email: 'meera@sharma.demo', roles: [], locations: [] },
  })) as { id: string };
  await owner.ask('MakeSignInLink', { user: id });
  const rows = await rowsOf();
  const seen = (what: string) => rows.filter((row) => row.what === what);
  expect(seen('Wrong password or code')).toHaveLength(5);
  expect(seen('Wrong password or code')[0]).toMatchObject({ origin: '127.0.0.1', about: expect.stringContaining('') });
  expect(seen('An address was locked out after wrong passwords or codes')).toHaveLength(1);
  // the same refusal is logged once a minute
  expect(seen('Refused: no access')).toMatchObject([{ details: 'RunReport, trialBalance' }]);
  expect(seen('Exported')).toMatchObject([{ details: expect.stringContaining('userDirectory, csv') }]);
  expect(seen('User added')[0]).toMatchObject({ about: 'Meera Iyer', who: 'Ravi Sharma' });
  expect(seen('Made a sign-in link')).toHaveLength(1);
  expect(seen('Signed in').length).toBeGreaterThanOrEqual(2);
  expect(rows.map((r) => r.at)).toEqual([...rows.map((r) => r.at)].sort().reverse());
  expect(JSON.stringify(rows)).not.toMatch(/canary|bahi_session|[0-9a-f]{64}/);
  expect(await rowsOf({ what: 'refused' })).toHaveLength(1);
  expect((await rowsOf({ what: 'rights' })).every((row) => !row.what.startsWith('Signed'))).toBe(true);
});

test('S-65: users who give rights read it, of their organisation alone; it is exported, sealed, and nobody changes it', async () => {
  const accountant = await server.signIn('accountant@sharma.demo');
  expect((await accountant.call('RunReport', { report: 'securityLog', filters })).status).toBe(403);
  expect((await accountant.call('ExportReport', { report: 'securityLog', filters, format: 'csv' })).status).toBe(403);
  const nova = await server.signIn('owner@nova.demo');
  expect((await rowsOf({}, nova)).some((row) => row.about.includes('Meera') || row.what.startsWith('Refused'))).toBe(
    false,
  );
  for (const format of ['csv', 'xlsx', 'pdf'] as const)
    expect(
      (
        (await owner.ask('ExportReport', { report: 'securityLog', filters, format })) as {
          content: string;
        }
      ).content.length,
    ).toBeGreaterThan(100);
  for (const statement of [`update edit_log set action = 'x'`, 'delete from edit_log', 'truncate edit_log'])
    for (const pool of [server.database.app, server.database.owner])
      await expect(pool.query(statement)).rejects.toThrow(/written once|permission denied/);
  // the application writes there only through what names the organisation and the user itself
  await expect(
    server.database.app.query(
      `insert into edit_log (organisation, action, relation, row_id) values (1, 'x', 'security', 'x')`,
    ),
  ).rejects.toThrow(/permission denied/);
  // a change made in the database itself is reported as such
  await makeOperator(server.database, 'viewer@sharma.demo');
  await server.database.owner.query(`update people set password_hash = 'canary' where email = 'viewer@sharma.demo'`);
  const byHand = (await rowsOf({ what: 'rights' })).filter(({ what }) => what === 'Sign-in of a person changed');
  expect(byHand.map(({ who, about, details }) => [who, about, details])).toEqual([
    ['Database: bahi_owner', 'Farah Khan', 'password'],
    ['Database: bahi_owner', 'Farah Khan', 'operator'],
  ]);
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
});

test('S-65: fifty refusals in a minute are an alert: in the log, to who gives rights, and in the log of the installation; once', async () => {
  const none = await server.signIn('none@sharma.demo');
  const before = server.alerts.length;
  const alerts = async () => rowsOf({ what: 'manyRefused' });
  const refused = async (times: number) => {
    for (let n = 0; n < times; n++)
      expect((await none.call('RunReport', { report: 'trialBalance', filters: {} })).status).toBe(403);
  };
  server.clock.at = Date.now() + 600_000;
  await refused(49);
  // spread over more than a minute they are none
  server.clock.at += 61_000;
  await refused(49);
  expect(await alerts()).toEqual([]);
  await refused(2);
  expect(await alerts()).toMatchObject([{ what: 'Alert: fifty refusals in a minute', about: 'Arun Das' }]);
  expect(server.alerts.slice(before)).toEqual([expect.stringContaining('50 refusals in a minute')]);
  const { rows } = await server.database.owner.query(
    `
      select u.name
      from notifications n
      join users u on u.organisation = n.organisation and u.id = n."user"
      where n.message like '50 requests were refused%'
    `,
  );
  expect(rows.map((r) => r.name)).toContain('Ravi Sharma');
  expect(rows.map((r) => r.name)).not.toContain('Arun Das');
  server.clock.at = undefined;
});
