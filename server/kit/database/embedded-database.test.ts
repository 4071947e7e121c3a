import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAt as ask } from '../../../tools/testing/cluster.ts';
import { beginDatabase, dataFolder, startDatabase } from './embedded-database.ts';
import { migrate } from './migrate.ts';

let home: string;
beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-embedded-'));
  fs.chmodSync(home, 0o755);
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

/** A process of its own that starts the database of a folder. */
const starting = (folder: string) => {
  const script = `import { startDatabase } from './embedded-database.ts';
    await startDatabase({ home: ${JSON.stringify(folder)}, durable: false }); process.stdout.write('ready'); setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
  });
};

test('data stay over a stop; a second server on the same folder is refused in words; migrations apply once', async () => {
  fs.mkdirSync(`${home}/data.making/base`, { recursive: true }); // what an interrupted first start leaves behind
  const first = await startDatabase({ home, durable: false });
  expect((await migrate(first.ownerUrl)).length).toBeGreaterThan(0);
  expect(await migrate(first.ownerUrl)).toEqual([]);
  await expect(startDatabase({ home, durable: false })).rejects.toThrow('is in use by another process');
  await ask(first.ownerUrl, 'create table kept as select 1 as one');
  await first.stop();
  const second = await startDatabase({ home, durable: false });
  expect(await ask(second.ownerUrl, 'select one from kept')).toEqual([{ one: 1 }]);
  await expect(ask(second.url, 'select one from kept')).rejects.toThrow('permission denied');
  await expect(ask(second.url, 'create table mine (id int)')).rejects.toThrow('permission denied');
  await second.stop();
});

test('a cluster that did not lie on the disk when the power went is made anew; one that did stays', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-unsettled-'));
  fs.chmodSync(folder, 0o755);
  const begun = beginDatabase({ home: folder });
  const first = await begun.running;
  await begun.onDisk;
  expect(fs.existsSync(`${folder}/data/unsettled`)).toBe(false);
  await ask(first.ownerUrl, 'create table kept as select 1 as one');
  await first.stop();
  const second = await startDatabase({ home: folder });
  expect(await ask(second.ownerUrl, 'select one from kept')).toEqual([{ one: 1 }]);
  await second.stop();
  fs.writeFileSync(`${folder}/data/unsettled`, '');
  const third = beginDatabase({ home: folder });
  expect(third.fresh).toBe(true);
  const anew = await third.running;
  await expect(ask(anew.ownerUrl, 'select one from kept')).rejects.toThrow('does not exist');
  await third.onDisk;
  await anew.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

test.runIf(process.getuid?.() === 0)(
  'a data folder that root has copied without its owners is given back to PostgreSQL',
  async () => {
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-copied-'));
    fs.chmodSync(copy, 0o755);
    const first = await startDatabase({ home, durable: false });
    await first.stop();
    spawnSync('cp', ['-r', `${home}/data`, copy]);
    expect(fs.statSync(`${copy}/data/PG_VERSION`).uid).toBe(0);
    fs.symlinkSync('/etc/hostname', `${copy}/data/elsewhere`);
    const second = await startDatabase({ home: copy, durable: false });
    expect(await ask(second.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
    expect(fs.statSync('/etc/hostname').uid).toBe(0);
    fs.rmSync(copy, { recursive: true, force: true });
  },
);

test('a data folder that cannot be one is refused by the name of its setting, and nothing in it is touched', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-foreign-'));
  fs.writeFileSync(`${folder}/letter.txt`, 'mine');
  expect(() => dataFolder(folder, true)).toThrow(/^DATA_DIR .* other files \(letter\.txt\): choose an empty folder/);
  expect(() => dataFolder(`${folder}/letter.txt`, true)).toThrow(/^DATA_DIR .*letter\.txt is a file/);
  expect(() => dataFolder(`${folder}/letter.txt/deeper`, true)).toThrow(/^DATA_DIR .*letter\.txt is a file/);
  expect(() => dataFolder('/proc/nothing', true)).toThrow(/^DATA_DIR \/proc\/nothing cannot be used/);
  fs.mkdirSync(`${folder}/home/data`, { recursive: true });
  fs.writeFileSync(`${folder}/home/data/letter.txt`, 'mine');
  expect(() => beginDatabase({ home: `${folder}/home` })).toThrow('is no database: move it away');
  expect(fs.readFileSync(`${folder}/home/data/letter.txt`, 'utf8')).toBe('mine');
  fs.rmSync(folder, { recursive: true });
});

test('a migration that was changed after it was applied is refused by name', async () => {
  const database = await startDatabase({ home, durable: false });
  await ask(
    database.ownerUrl,
    `update migrations set digest = 'another' where name = (select min(name) from migrations)`,
  );
  await expect(migrate(database.ownerUrl)).rejects.toThrow(/0001-.*was changed after it was applied/);
  await database.stop();
});

test('the server ends with its process, even when that is killed', async () => {
  const child = starting(home);
  await once(child.stdout, 'data');
  const server = Number(fs.readFileSync(`${home}/data/postmaster.pid`, 'utf8').split('\n')[0]);
  expect(alive(server)).toBe(true);
  child.kill('SIGKILL');
  await expect.poll(() => alive(server), { timeout: 10_000 }).toBe(false);
});

test('a first start that is killed in the middle leaves nothing that looks whole, and the next one makes it', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-killed-'));
  fs.chmodSync(folder, 0o755);
  const child = starting(folder);
  const begun = () => fs.readdirSync(folder).some((name) => fs.existsSync(`${folder}/${name}/base/1`));
  await expect.poll(begun, { timeout: 20_000, interval: 5 }).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(fs.existsSync(`${folder}/data`)).toBe(false);
  const next = await startDatabase({ home: folder, durable: false });
  expect((await migrate(next.ownerUrl)).length).toBeGreaterThan(0);
  expect(fs.readdirSync(folder).sort()).toEqual(['data', 'run']);
  expect(fs.statSync(`${folder}/data`).mode & 0o777).toBe(0o700);
  const [{ data_checksums: checksums } = { data_checksums: '' }] = await ask(next.ownerUrl, 'show data_checksums');
  expect(checksums).toBe('on');
  await next.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('a database that is killed starts again by itself, and recovers from its log', async () => {
  const first = await startDatabase({ home });
  await ask(first.ownerUrl, 'create table recovered as select 1 as one');
  process.kill(Number(fs.readFileSync(`${home}/data/postmaster.pid`, 'utf8').split('\n')[0]), 'SIGQUIT'); // at once, nothing written
  await expect.poll(() => ask(first.ownerUrl, 'select one from recovered').catch(() => [])).toEqual([{ one: 1 }]);
  await first.stop();
});

test('a script that only waits for its new database waits until it is on the disk', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-script-'));
  fs.chmodSync(folder, 0o755);
  const script = `import { startDatabase } from './embedded-database.ts';
    const database = await startDatabase(${JSON.stringify({ home: folder })}); await database.stop();`;
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  expect(fs.existsSync(`${folder}/data/unsettled`)).toBe(false);
  fs.rmSync(folder, { recursive: true, force: true });
});

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
