import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll, superuserOf } from '../../tools/testing/books.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants, sweepWithin } from '../kit/database/invariants.ts';
import {
  type Checkpoints,
  checkpointLines,
  dailyCheckpoints,
  lostCheckpoints,
  olderThanCheckpoints,
  openCheckpoints,
  provenOf,
} from '../kit/secrets/checkpoints.ts';

let home: string;
let checkpoints: Checkpoints;
let server: TestServer;
let shop: Shop;
const DAY = 86_400_000;
const MORNING = Date.parse('2026-11-20T05:00:00Z');

/** Each test has a log and a folder of its own: what is signed stays, and what breaks a chain cannot be taken back. */
beforeEach(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-checkpoints-'));
  checkpoints = openCheckpoints(path.join(home, 'kept'), path.join(home, 'checkpoint.key'));
  server = await testServer();
  shop = await openShop(server);
}, 60_000);
afterEach(async () => {
  await server.stop();
  fs.rmSync(home, { recursive: true, force: true });
});

const sell = async () =>
  shop.post({ kind: 'cashSale', narration: 'signed', lines: [{ item: shop.item, quantity: '1', rate: '95' }] });
/** Signs as the process does, at an hour of the day so many days after the first. */
const signOn = (day: number, folder = checkpoints) =>
  dailyCheckpoints(server.database.owner, folder, () => MORNING + day * DAY)(1);
/** Three checkpoints, and something new before the second and the third. */
const signThreeDays = async () => {
  for (const day of [0, 1, 2]) {
    if (day > 0) await sell();
    await sealAll(server.database);
    await signOn(day);
  }
  expect(checkpointLines(checkpoints.folder, 1)).toHaveLength(3);
};
/** As if the log had begun three days ago. */
const ageLog = async () => {
  const { client, leave } = await superuserOf(server.database);
  await client.query('set session_replication_role = replica');
  await client.query(`update seals set at = at - interval '3 days' where organisation = 1 and sequence = 1`);
  await leave();
};
const file = () => path.join(checkpoints.folder, 'organisation-1.ndjson');
/** The log as the browser exports it, and what the verifier says of it. */
const verified = async (...more: string[]) => {
  type Page = { rows: { sequence: number; seal: string }[] };
  const { rows } = (await shop.owner.ask('ExportEditLog', { after: 0, limit: 1000 })) as Page;
  const exported = path.join(home, 'log.ndjson');
  const head = { format: 'bahi-edit-log-1', organisation: 'SHARMA', after: 0, previous: '' };
  const own = { publicKey: checkpoints.publicKey, lines: checkpointLines(checkpoints.folder, 1) };
  const end = { end: rows.at(-1)?.sequence, seal: rows.at(-1)?.seal };
  fs.writeFileSync(exported, [head, own, ...rows, end].map((line) => JSON.stringify(line)).join('\n'));
  const script = path.join(import.meta.dirname, '../../web/views/settings/verify-edit-log.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, exported, ...more], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
};
const fromOutside = () => [`--checkpoints=${file()}`, `--key=${path.join(checkpoints.folder, 'public-key.pem')}`];
const broken = async () => (await brokenInvariants(server.database.owner, checkpoints.folder)).map((b) => b.id);

test('INV-45: signed after the first change of a day and at the turn of the day, once a day, by a key of its own', async () => {
  let now = MORNING;
  const turn = dailyCheckpoints(server.database.owner, checkpoints, () => now);
  await sealAll(server.database);
  await turn(0);
  expect(checkpointLines(checkpoints.folder, 1)).toHaveLength(1);
  await sell();
  await sealAll(server.database);
  await turn(1);
  expect(checkpointLines(checkpoints.folder, 1)).toHaveLength(1); // this day is signed
  now += DAY;
  await turn(0);
  expect(checkpointLines(checkpoints.folder, 1)).toHaveLength(2);
  now += DAY;
  await turn(0);
  expect(checkpointLines(checkpoints.folder, 1)).toHaveLength(2); // nothing new
  await sell();
  await sealAll(server.database);
  await turn(1);
  expect(checkpointLines(checkpoints.folder, 1)).toHaveLength(3);
  expect(checkpointLines(checkpoints.folder, 2)).toHaveLength(1);
  expect(await broken()).toEqual([]);
  expect(fs.statSync(path.join(home, 'checkpoint.key')).mode & 0o077).toBe(0);
  expect(await verified()).toMatchObject({ status: 0, said: expect.stringContaining('Holds 3 signed checkpoints') });
  expect(await verified(...fromOutside())).toMatchObject({ status: 0 });
  // up to where that proves anything, and since when it does not
  const proof = async () => (await provenOf(server.database.owner, checkpoints.folder))[0];
  const before = await proof();
  expect(before).toMatchObject({ organisation: 1, signed: { sequence: expect.any(Number) } });
  expect((await verified()).said).toContain(`Proven up to row ${before?.signed?.sequence}, signed on`);
  await sell();
  await sealAll(server.database);
  const after = await proof();
  expect(after?.signed).toEqual(before?.signed);
  expect(after?.unsigned).toBeGreaterThan(before?.unsigned ?? 0);
  expect(after?.since).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  expect((await verified()).said).toContain('are chained and not signed yet');
}, 90_000);

test('INV-45: a line that a crash tore is cut off and signed again', async () => {
  await signThreeDays();
  const whole = fs.readFileSync(file(), 'utf8');
  fs.appendFileSync(file(), '{"text":"[1,');
  await sell();
  await sealAll(server.database);
  await signOn(3);
  expect(fs.readFileSync(file(), 'utf8').startsWith(whole)).toBe(true);
  expect(checkpointLines(checkpoints.folder, 1)).toHaveLength(4);
  expect(await broken()).toEqual([]);
});

test.each<[string, (lines: string[]) => string[]]>([
  ['one left out between two', (lines) => lines.filter((_, at) => at !== 1)],
  ['a seal changed', (lines) => lines.map((line, at) => (at === 2 ? line.replace(/(\\",)/, '0$1') : line))],
  ['those of another organisation', () => checkpointLines(checkpoints.folder, 2)],
  ['two changed over', ([a = '', b = '', ...more]) => [b, a, ...more]],
])('INV-45: what was signed cannot be changed: %s', async (_, change) => {
  await signThreeDays();
  const kept = fs.readFileSync(file(), 'utf8');
  fs.writeFileSync(file(), `${change(checkpointLines(checkpoints.folder, 1)).join('\n')}\n`);
  expect(await broken()).toContain('INV-45');
  expect((await verified(...fromOutside())).status).toBe(1);
  fs.writeFileSync(file(), kept);
  expect(await broken()).toEqual([]);
});

test('INV-45: a database that ends before a checkpoint is older than its checkpoints, and not forged', async () => {
  await signThreeDays();
  // the back-up of the night: a copy of the database as it was before the last checkpoints were signed
  const { client: superuser, leave } = await superuserOf(server.database);
  const signed = (await provenOf(server.database.owner, checkpoints.folder))[0]?.signed?.sequence ?? 0;
  await superuser.query('begin; set local session_replication_role = replica');
  try {
    await superuser.query(
      'delete from edit_log l using seals s where s.organisation = 1 and l.organisation = 1 and s.log = l.id and s.sequence >= $1',
      [signed],
    );
    await superuser.query('delete from seals where organisation = 1 and sequence >= $1', [signed]);
    const only = { checkpoints: checkpoints.folder, only: ['INV-45'] };
    const [found] = await sweepWithin(superuser, only);
    const older = `the database ends at seal ${signed - 1}, checkpoints are known up to ${signed}: it is older than its checkpoints (restored from a back-up?)`;
    expect(found?.broken.map(({ what }) => what)).toEqual([older]);
    // what is proven ends where the database does
    const proven = (await provenOf(superuser, checkpoints.folder))[0]?.signed;
    expect(proven?.sequence ?? 0).toBeLessThan(signed);
    expect(await olderThanCheckpoints(superuser, checkpoints.folder)).toEqual([{ organisation: 1, what: older }]);
    // a row before it that was changed is found all the same
    await superuser.query(`update seals set seal = sha256('x') where organisation = 1 and sequence = $1`, [
      proven?.sequence,
    ]);
    expect((await sweepWithin(superuser, only))[0]?.broken.map(({ what }) => what).join()).toContain('made anew');
  } finally {
    await superuser.query('rollback');
    await leave();
  }
  expect(await olderThanCheckpoints(server.database.owner, checkpoints.folder)).toEqual([]);
});

test('INV-45, F-43: a chain made anew that is whole in itself does not hold what was signed, and is never signed', async () => {
  await signThreeDays();
  const { client: superuser, leave } = await superuserOf(server.database);
  await superuser.query('set session_replication_role = replica');
  // who sold is changed behind the log, and the whole chain sealed again from there on
  await superuser.query(
    `update edit_log set who = gen_random_uuid() where organisation = 1 and relation = 'documents'`,
  );
  await superuser.query('delete from seals where organisation = 1');
  await superuser.query(`
    do $$ declare line edit_log; before bytea; n bigint := 0; begin
      for line in select * from edit_log where organisation = 1 order by xid, id loop
        n := n + 1;
        insert into seals (organisation, sequence, log, xid, digest, previous, seal)
        values (1, n, line.id, line.xid, log_digest(line), before, sha256(coalesce(before, ''::bytea) || log_digest(line))) returning seal into before;
      end loop; end $$`);
  await leave();
  // without what was signed nobody could tell
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(await broken()).toContain('INV-45');
  expect(await verified()).toMatchObject({ status: 1, said: expect.stringContaining('made anew') });
  const before = checkpointLines(checkpoints.folder, 1);
  await sell();
  await sealAll(server.database);
  await expect(signOn(9)).rejects.toThrow('does not hold what was signed');
  expect(checkpointLines(checkpoints.folder, 1)).toEqual(before);
  // what was signed taken away is missed, unless the chain is young
  fs.rmSync(file());
  expect(await broken()).toEqual([]);
  await ageLog();
  expect(await broken()).toContain('INV-45');
});

test('a folder that cannot be written to is an error in a sentence before anything starts', () => {
  const stray = path.join(home, 'stray');
  fs.writeFileSync(stray, '');
  expect(() => openCheckpoints(path.join(stray, 'kept'), path.join(home, 'other.key'))).toThrow(
    /The checkpoints of the edit log cannot be kept in/,
  );
});

test('a folder under which there can be none ends in an error and not in a loop', () => {
  expect(() => openCheckpoints('/proc/nothing/kept', path.join(home, 'other.key'))).toThrow(/CHECKPOINT_DIR/);
});

test('another key than the one that has signed is refused, and none is made in its place', async () => {
  const own = path.join(home, 'own');
  const key = path.join(home, 'own.key');
  const opened = openCheckpoints(own, key);
  expect(opened.fresh).toBe(true);
  await sealAll(server.database);
  await signOn(0, opened);
  expect(checkpointLines(own, 1)).toHaveLength(1);
  expect(openCheckpoints(own, key).fresh).toBe(false);
  const mistyped = path.join(home, 'owm.key');
  expect(() => openCheckpoints(own, mistyped)).toThrow(/owm\.key \(CHECKPOINT_KEY_FILE\) does not exist/);
  expect(fs.existsSync(mistyped)).toBe(false);
  openCheckpoints(path.join(home, 'another'), mistyped);
  expect(() => openCheckpoints(own, mistyped)).toThrow('is not the one that signed');
  fs.rmSync(path.join(own, 'public-key.pem'));
  expect(() => openCheckpoints(own, mistyped)).toThrow('is not the one that signed');
  expect(openCheckpoints(own, key).publicKey).toBe(opened.publicKey);
});

test('processes of one server that start at once make one key, and none reads half of a file', async () => {
  const script = `
    import { openCheckpoints } from ${JSON.stringify(path.resolve('server/kit/secrets/checkpoints.ts'))};
    const [folder, key] = process.argv.slice(-2);
    const seen = new Set();
    for (let time = 0; time < 150; time += 1) seen.add(openCheckpoints(folder, key).publicKey);
    process.stdout.write(JSON.stringify([...seen]));
  `;
  const signed = path.join(home, 'together');
  const key = path.join(home, 'together.key');
  const start = async () =>
    (await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, signed, key]))
      .stdout;
  const keys = new Set((await Promise.all([start(), start(), start()])).flatMap((text) => JSON.parse(text)));
  expect(keys.size).toBe(1);
  expect(fs.readdirSync(signed)).toEqual(['public-key.pem']);
  await sealAll(server.database);
  await signOn(0, openCheckpoints(signed, key));
  expect(await Promise.all([start(), start(), start()])).toHaveLength(3);
});

test('an empty folder beside a log that was signed before is reported', async () => {
  const { ownerUrl } = server.database;
  await sealAll(server.database);
  await ageLog();
  const empty = openCheckpoints(path.join(home, 'empty'), path.join(home, 'empty.key'));
  expect(await lostCheckpoints(ownerUrl, empty)).toMatch(/^The edit log goes back to .*empty \(CHECKPOINT_DIR\)/);
  await signOn(0);
  const signed = openCheckpoints(checkpoints.folder, path.join(home, 'checkpoint.key'));
  expect(await lostCheckpoints(ownerUrl, signed)).toBe(undefined);
});
