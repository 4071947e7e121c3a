import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type Cluster, cluster, newHome } from '../../tools/testing/cluster.ts';
import { type Insisting, insisting } from '../../tools/testing/insisting.ts';
import { type Answered, type TestServer, testServer } from '../../tools/testing/server.ts';
import { failingDisk, smallDisk } from '../../tools/testing/small-disk.ts';
import { refuseUnsafeDatabase } from '../kit/database/durable.ts';

// A database whose disk is full, becomes read-only, or fails: nothing is half posted, the operator is informed, and it goes on
// by itself once the disk is well again. An account that may not make a disk leaves these tests out, and says so.

const MEGABYTES = 260;
const disk = await smallDisk(MEGABYTES);
const failing = failingDisk(MEGABYTES);
const unlessMade = (made: unknown, why: string): string => (made ? '' : ` (not run: ${why})`);
const NO_DISK = unlessMade(disk, 'this account may neither mount nor have a namespace of its own');
const NO_FAILING = unlessMade(failing, 'only root may, with devices of files');
const LINES = 30;

let home = '';
let own: Cluster;
let server: TestServer;
let shop: Shop;
let sells: Insisting;
beforeAll(async () => {
  if (!disk) return;
  home = newHome();
  // made once, and copied to where it is to fail
  await (await cluster(home)).stop();
  own = await on(disk.folder);
}, 60_000);
afterAll(async () => {
  await server?.stop();
  disk?.end();
  failing?.end();
  if (home) fs.rmSync(home, { recursive: true, force: true });
});

async function on(folder: string): Promise<Cluster> {
  const there = path.join(folder, 'home');
  spawnSync('cp', ['-a', home, there]);
  spawnSync('sync', ['-f', there]); // a copy that did not reach the disk is none
  const made = await cluster(there);
  server = await testServer({}, { on: made });
  shop = await openShop(server);
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '1000000', rate: '60' }] });
  sells = await insisting(shop, made, LINES);
  return made;
}

/** How often the database could not do what it was asked, by what was wrong with it. */
async function troubles(): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^database_troubles_total\{sort="(\w+)"\} (\d+)$/gm)].map(([, sort = '', n]) => [
      sort,
      Number(n),
    ]),
  );
}
const sum = (all: Readonly<Record<string, number>>): number => Object.values(all).reduce((t, n) => t + n, 0);

/** Sells until that is refused; which keys have been used. */
async function untilRefused(): Promise<{ readonly keys: readonly string[]; readonly refused: readonly Answered[] }> {
  const keys: string[] = [];
  const refused: Answered[] = [];
  while (refused.length === 0 && keys.length < 400) {
    const some = Array.from({ length: 4 }, () => randomUUID());
    keys.push(...some);
    refused.push(...(await Promise.all(some.map(sells.sale))).filter(({ status }) => status !== 200));
  }
  return { keys, refused };
}

/** All of them are there once, and the books are whole. */
async function wellAgain(keys: readonly string[], before: number): Promise<void> {
  const odd: Answered[] = [];
  const posted = await Promise.all(keys.map((key) => sells.insist(key, odd)));
  expect(odd).toEqual([]);
  expect(new Set(posted.map((p) => p.TransactionId)).size).toBe(keys.length);
  expect((await sells.numbers()).length).toBe(before + keys.length);
  await sells.whole();
}

test.runIf(disk)(
  `F-15: a disk that fills up while it is posted to: 503 and an alarm, and after space was made every key has its one document${NO_DISK}`,
  async () => {
    for (let round = 0; round < Number(process.env['BAHI_ROUNDS'] ?? 2); round++) {
      const [before, alarms] = [(await sells.numbers()).length, sum(await troubles())];
      const logged = server.failures.length;
      disk?.fill();
      // a table that finds no room refuses; a log of the database that finds none ends it
      if (round % 2 === 1) await own.asSuperuser('select pg_switch_wal()').catch(() => undefined);
      const { keys, refused } = await untilRefused();
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) expect(answer).toMatchObject({ status: 503, details: { code: 'busy' } });
      const counts = await troubles();
      expect(sum(counts)).toBeGreaterThanOrEqual(alarms + refused.length);
      if (round === 0) expect(counts['full']).toBeGreaterThan(0);
      if (round === 0) expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
      expect(server.failures.slice(logged).join()).toMatch(
        /PostTransactionCalls (found no space left in|did not reach) the database/,
      );
      disk?.free();
      await wellAgain(keys, before);
    }
  },
  600_000,
);

test.runIf(disk)(
  `F-17: a disk that has become read-only while it is posted to: not healthy, 503, and all is there once it may be written again${NO_DISK}`,
  async () => {
    const before = (await sells.numbers()).length;
    const keys = Array.from({ length: 12 }, () => randomUUID());
    const odd: Answered[] = [];
    const all = Promise.all(
      keys.map(async (key, n) => {
        await new Promise((turn) => setTimeout(turn, n * 20));
        return sells.insist(key, odd);
      }),
    );
    await expect.poll(async () => (await sells.numbers()).length, { interval: 5 }).toBeGreaterThan(before);
    // what is open for writing keeps a disk of memory from being turned: its processes end first
    for (let turn = 0; turn === 0 || (!disk?.readOnly(true) && turn < 100); turn++) own.kill();
    expect(() => fs.writeFileSync(path.join(disk?.folder ?? '', 'tried'), '')).toThrow('EROFS');
    const late = randomUUID();
    expect(await sells.sale(late)).toMatchObject({ status: 503, details: { code: 'busy' } });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect(disk?.readOnly(false)).toBe(true);
    await all;
    expect(odd).toEqual([]);
    await wellAgain([...keys, late], before);
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
  },
  60_000,
);

test.runIf(disk)(
  `F-17: a database that would try again what an fsync has lost is refused${NO_DISK}`,
  async () => {
    const said = () =>
      refuseUnsafeDatabase(own.ownerUrl).then(
        () => 'safe',
        (error: Error) => error.message,
      );
    expect(await said()).toBe('safe');
    await own.asSuperuser('alter system set data_sync_retry = on');
    own.kill();
    await expect.poll(said).toContain('data_sync_retry is on, not off');
    await own.asSuperuser('alter system reset data_sync_retry');
    own.kill();
    await expect.poll(said).toBe('safe');
  },
  60_000,
);

test.runIf(disk && failing)(
  `F-17: a disk that fails when the database waits for it (an fsync) ends the database: 503, nothing that was acknowledged is lost, nothing is half posted${NO_FAILING}`,
  async () => {
    const was = { own, server, shop, sells };
    try {
      const there = await on(failing?.folder ?? '');
      own = there;
      for (let n = 0; n < 5; n++) await sells.insist(randomUUID());
      const before = (await sells.numbers()).length;
      failing?.fail();
      // a new piece of its log has to be written, and waited for
      await there.asSuperuser('select pg_switch_wal()').catch(() => undefined);
      const { keys, refused } = await untilRefused();
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) expect(answer).toMatchObject({ status: 503, details: { code: 'busy' } });
      await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
      for (let turn = 0; turn === 0 || (!failing?.mend() && turn < 100); turn++) own.kill();
      await wellAgain(keys, before);
    } finally {
      await server.stop();
      ({ own, server, shop, sells } = was);
    }
  },
  120_000,
);
