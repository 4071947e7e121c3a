import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAt as ask } from '../../../tools/testing/cluster.ts';
import { prepareJobs } from '../../jobs/index.ts';
import { type Database, startDatabase } from './embedded-database.ts';
import { controlStamped } from './made-cluster.ts';
import { migrate, root } from './migrate.ts';

let packed: string;
const homes: string[] = [];
const newFolder = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-made-'));
  fs.chmodSync(folder, 0o755);
  homes.push(folder);
  return folder;
};
beforeAll(() => {
  packed = newFolder();
  const program = path.join(root(), 'server/make-cluster.ts');
  const made = spawnSync(process.execPath, ['--import', 'tsx', program, packed], { encoding: 'utf8' });
  expect(made.stderr).toBe('');
});
afterAll(() => {
  for (const home of homes) fs.rmSync(home, { recursive: true, force: true });
});

const identifier = async ({ ownerUrl }: Database) =>
  (
    await ask(
      ownerUrl.replace('bahi_owner', 'postgres'),
      'select system_identifier::text as own from pg_control_system()',
    )
  )[0]?.own;
/** Without it no database was unpacked: the tables are there before anything migrates. */
const tables = ({ ownerUrl }: Database) =>
  ask(ownerUrl, `select count(*)::int as many from pg_tables where tablename in ('entries', 'documents')`);

test('a first start unpacks what the build made: nothing is left to migrate, nobody else has its identifier', async () => {
  const [one, other] = [newFolder(), newFolder()];
  const first = await startDatabase({ home: one, packed });
  expect(await tables(first)).toEqual([{ many: 2 }]);
  expect(await migrate(first.ownerUrl)).toEqual([]);
  await prepareJobs(first.ownerUrl, () => undefined);
  const second = await startDatabase({ home: other, packed, durable: false });
  expect(await identifier(first)).toMatch(/^\d{15,}$/);
  expect(await identifier(second)).not.toBe(await identifier(first));
  await second.stop();
  expect(fs.readdirSync(one).sort()).toEqual(['data', 'run']);
  expect(fs.existsSync(`${one}/data/unsettled`)).toBe(false);
  expect(fs.statSync(`${one}/data`).mode & 0o777).toBe(0o700);
  expect(await ask(first.ownerUrl, 'show data_checksums')).toEqual([{ data_checksums: 'on' }]);
  expect(await ask(first.ownerUrl, 'show wal_recycle')).toEqual([{ wal_recycle: 'on' }]);
  await first.stop();
});

test('nothing is remembered of tables that are to be filled: plans made for empty ones would walk through all rows of full ones', async () => {
  const database = await startDatabase({ home: newFolder(), packed, durable: false });
  const counted = `select relname from pg_class where relkind in ('r', 'p') and reltuples >= 0
                      and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')`;
  expect(await ask(database.ownerUrl, counted)).toEqual([]);
  await database.stop();
});

test('it recovers from its own log when it is killed', async () => {
  const home = newFolder();
  const first = await startDatabase({ home, packed });
  const own = await identifier(first);
  await ask(first.ownerUrl, 'create table kept as select 1 as one');
  process.kill(Number(fs.readFileSync(`${home}/data/postmaster.pid`, 'utf8').split('\n')[0]), 'SIGQUIT'); // at once, nothing written
  // begun again by itself
  await expect.poll(() => ask(first.ownerUrl, 'select one from kept').catch(() => [])).toEqual([{ one: 1 }]);
  expect(await identifier(first)).toBe(own);
  await first.stop();
});

test('what was packed for other binaries, or does not unpack, is left alone: a cluster is made', async () => {
  const others = newFolder();
  const said = JSON.parse(fs.readFileSync(`${packed}/cluster.json`, 'utf8'));
  fs.copyFileSync(`${packed}/cluster.tar.gz`, `${others}/cluster.tar.gz`);
  fs.writeFileSync(`${others}/cluster.json`, JSON.stringify({ ...said, binaries: 'linux x64 9.6.0' }));
  const broken = newFolder();
  fs.copyFileSync(`${packed}/cluster.json`, `${broken}/cluster.json`);
  fs.writeFileSync(`${broken}/cluster.tar.gz`, fs.readFileSync(`${packed}/cluster.tar.gz`).subarray(0, 2_000_000));
  for (const folder of [others, broken]) {
    const home = newFolder();
    const database = await startDatabase({ home, packed: folder, durable: false });
    expect(await tables(database)).toEqual([{ many: 0 }]);
    expect((await migrate(database.ownerUrl)).length).toBeGreaterThan(0);
    await database.stop();
    expect(fs.readdirSync(home).sort()).toEqual(['data', 'run']);
  }
});

test('a script that only waits for its database waits until it lies on the disk', () => {
  const script = `import { startDatabase } from './embedded-database.ts';
    const database = await startDatabase(${JSON.stringify({ home: newFolder(), packed })}); await database.stop();`;
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
});

test('who is killed while it unpacks takes that along, and the next start begins anew', async () => {
  const [home, slow] = [newFolder(), newFolder()];
  fs.writeFileSync(
    `${slow}/tar`,
    `#!/bin/sh\ntrap 'echo > ${slow}/ended; exit 1' TERM\nfor n in 1 2 3 4 5 6 7 8 9; do sleep 1; done\n`,
    { mode: 0o755 },
  );
  fs.chmodSync(slow, 0o777);
  const script = `import { startDatabase } from './embedded-database.ts'; await startDatabase(${JSON.stringify({ home, packed })});`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, PATH: `${slow}:${process.env.PATH}` },
  });
  await expect.poll(() => fs.readdirSync(home).some((name) => fs.existsSync(`${home}/${name}/stamp`))).toBe(true);
  await new Promise((begun) => setTimeout(begun, 300));
  child.kill('SIGKILL');
  await expect.poll(() => fs.existsSync(`${slow}/ended`)).toBe(true);
  expect(fs.existsSync(`${home}/data`)).toBe(false);
  const next = await startDatabase({ home, packed, durable: false });
  expect(await tables(next)).toEqual([{ many: 2 }]);
  expect(fs.readdirSync(home).sort()).toEqual(['data', 'run']);
  await next.stop();
});

test('a control file of a form that is not known is refused', () => {
  const control = Buffer.from(JSON.parse(fs.readFileSync(`${packed}/cluster.json`, 'utf8')).control, 'base64');
  expect(controlStamped(control, control.subarray(0, 8))).toEqual(control);
  control.writeUInt8(control.readUInt8(100) ^ 1, 100);
  expect(() => controlStamped(control, Buffer.alloc(8))).toThrow('no sum');
});
