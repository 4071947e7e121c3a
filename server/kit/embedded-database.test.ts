import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDatabase } from './embedded-database.ts';
import { migrate } from './migrate.ts';

let home: string;
beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-embedded-'));
  fs.chmodSync(home, 0o755);
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const ask = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
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
  const script = `import { startDatabase } from './embedded-database.ts';
    await startDatabase({ home: ${JSON.stringify(home)}, durable: false }); process.stdout.write('ready'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
  });
  await once(child.stdout, 'data');
  const server = Number(fs.readFileSync(`${home}/data/postmaster.pid`, 'utf8').split('\n')[0]);
  expect(alive(server)).toBe(true);
  child.kill('SIGKILL');
  await expect.poll(() => alive(server), { timeout: 10_000 }).toBe(false);
});

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
