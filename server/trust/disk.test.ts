import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type Cluster, cluster, newHome } from '../../tools/testing/cluster.ts';
import { type Insisting, insisting } from '../../tools/testing/insisting.ts';
import { type Answered, type TestServer, testServer } from '../../tools/testing/server.ts';
import { lacking, refuseUnsafeDatabase, warningsOf } from '../kit/database/durable.ts';
import { openBooks } from '../kit/database/sql.ts';

/** What restores whole databases, or posts for minutes, runs with `npm run check -- --all`. */
const inAll = test.runIf(process.env['BAHI_ALL'] === '1');

// A database of its own with its disk: killed, full, copied, broken. Nothing that was acknowledged is lost, nothing doubled.
const homes: string[] = [];
const home = (): string => {
  const made = newHome();
  homes.push(made);
  return made;
};
let own: Cluster;
let server: TestServer;
let shop: Shop;
let sale: Insisting['sale'];
let insist: Insisting['insist'];
let numbers: Insisting['numbers'];
let whole: Insisting['whole'];
beforeAll(async () => {
  own = await cluster(home());
  // each piece of its log is kept beside it, for a return to any moment
  fs.mkdirSync(`${own.home}/archive`, { mode: 0o777 });
  fs.chmodSync(`${own.home}/archive`, 0o777);
  await own.asSuperuser(`alter system set archive_mode = 'on'`);
  await own.asSuperuser(`alter system set archive_command = 'cp %p ${own.home}/archive/%f'`);
  await own.stop();
  own = await cluster(own.home);
  server = await testServer({}, { on: own, watchDatabase: 200 });
  shop = await openShop(server);
  ({ sale, insist, numbers, whole } = await insisting(shop, own));
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '100000', rate: '60' }] });
}, 60_000);
afterAll(async () => {
  await server?.stop();
  for (const each of homes) fs.rmSync(each, { recursive: true, force: true });
});

test('F-17: the database waits for the disk, and one that does not is refused', async () => {
  await refuseUnsafeDatabase(own.ownerUrl);
  for (const setting of ['synchronous_commit', 'fsync', 'full_page_writes']) {
    await own.asSuperuser(`alter system set ${setting} = off`);
    await own.asSuperuser('select pg_reload_conf()');
    await expect
      .poll(() =>
        refuseUnsafeDatabase(own.ownerUrl).then(
          () => '',
          (error: Error) => error.message,
        ),
      )
      .toContain(`${setting} is off, not on`);
    await own.asSuperuser(`alter system reset ${setting}`);
    await own.asSuperuser('select pg_reload_conf()');
    await expect
      .poll(() =>
        refuseUnsafeDatabase(own.ownerUrl).then(
          () => 'safe',
          () => '',
        ),
      )
      .toBe('safe');
  }
  expect(await own.asSuperuser('show data_checksums')).toEqual([{ data_checksums: 'on' }]);
});

test(
  'a role of its own settings, a reload, and guards that are switched off are noticed while the server runs: it is not ready, and ' +
    'nothing is written',
  async () => {
    const ready = async () => (await fetch(`${server.url}/readyz`)).status;
    const write = () =>
      shop.owner.call('SaveMaster', { master: 'category', values: { code: 'LIGHT', name: 'Lighting' } });
    const weakened = [
      [
        'alter role bahi_app set synchronous_commit = off',
        'alter role bahi_app reset synchronous_commit',
        'synchronous_commit is off',
      ],
      ['alter system set fsync = off', 'alter system reset fsync', 'fsync is off'],
      [
        'alter database bahi set session_replication_role = replica',
        'alter database bahi reset session_replication_role',
        'session_replication_role is replica, not origin',
      ],
      [
        'alter table documents disable trigger user',
        'alter table documents enable trigger user',
        'triggers of documents are switched off (covered_once, hold_certificate, ',
      ],
      [
        'alter table document_links disable trigger all',
        'alter table document_links enable trigger all',
        'triggers of document_links are switched off (',
      ],
      [
        'alter table parties disable row level security',
        'alter table parties enable row level security',
        'row-level security of parties is switched off (alter table parties enable row level security)',
      ],
      [
        'alter table parties no force row level security',
        'alter table parties force row level security',
        'row-level security of parties is not forced (alter table parties force row level security)',
      ],
    ] as const;
    await expect.poll(ready).toBe(200);
    for (const [weaken, mend, said] of weakened) {
      await own.asSuperuser(weaken);
      await own.asSuperuser('select pg_reload_conf()');
      await expect.poll(ready).toBe(503);
      expect(await write()).toMatchObject({ status: 503, details: { code: 'unsafeDatabase' } });
      expect((await shop.owner.call('GetSession', {})).status).toBe(200);
      // the process is alive all the same
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      await expect(refuseUnsafeDatabase(own.ownerUrl, own.url)).rejects.toThrow(said);
      // a session of the books waits for the disk all the same
      const books = openBooks(own.url, 1);
      expect((await books.pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
      await books.end();
      await own.asSuperuser(mend);
      await own.asSuperuser('select pg_reload_conf()');
      await expect.poll(ready).toBe(200);
    }
    expect((await write()).status).toBe(200);
  },
);

test('a role that is given more rights while the server runs is noticed: it is not ready', async () => {
  const ready = async () => (await fetch(`${server.url}/readyz`)).status;
  await expect.poll(ready).toBe(200);
  for (const [raise, lower] of [
    ['alter role bahi_app bypassrls', 'alter role bahi_app nobypassrls'],
    ['grant pg_write_all_data to bahi_app', 'revoke pg_write_all_data from bahi_app'],
  ] as const) {
    await own.asSuperuser(raise);
    await expect.poll(ready).toBe(503);
    await own.asSuperuser(lower);
    await expect.poll(ready).toBe(200);
  }
});

test('the operator of a database sees what it lacks though nothing is lost by it yet', async () => {
  const well = { version: 180_004, said: '18.4', checksums: 'on', archive: 'on', standbys: 0 };
  expect(lacking(well)).toEqual([]);
  expect(lacking({ ...well, archive: 'off', standbys: 1 })).toEqual([]);
  expect(lacking({ ...well, version: 190_000, said: '19.0' })).toEqual([]);
  for (const [found, said] of [
    [{ archive: 'off' }, 'neither a WAL archive nor a standby'],
    [{ checksums: 'off' }, 'no data checksums'],
    [{ version: 170_009, said: '17.9' }, 'PostgreSQL 17.9 lacks security fixes: 17.10 or later has them'],
    [{ version: 140_023, said: '14.23' }, 'PostgreSQL 14.23 gets no security fixes any more'],
  ] as const)
    expect(lacking({ ...well, ...found })).toEqual([expect.stringContaining(said)]);
  // the cluster of this test is archived, or asked without a standby
  expect((await warningsOf(own.ownerUrl)).filter((warning) => !warning.includes('WAL archive'))).toEqual([]);
});

test('F-03: every process of the database is killed while it is posted to: it comes back by itself, and each is posted once', async () => {
  for (let round = 0; round < 3; round++) {
    const before = (await numbers()).length;
    const odd: Answered[] = [];
    let isDown = (): void => undefined;
    const down = new Promise<void>((resolve) => {
      isDown = resolve;
    });
    const all = Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        // the last ten are posted to a database that is gone, however fast the others were
        await (n < 20 ? new Promise((then) => setTimeout(then, n * 8)) : down);
        return insist(randomUUID(), odd);
      }),
    );
    await expect
      .poll(async () => (await numbers()).length, { interval: 5, timeout: 20_000 })
      .toBeGreaterThan(before + 3);
    own.kill();
    const killed = performance.now();
    isDown();
    const health = await fetch(`${server.url}/readyz`).then((answer) => answer.status);
    expect([200, 503]).toContain(health);
    const posted = await all;
    expect(performance.now() - killed).toBeLessThan(15_000);
    expect(odd).toEqual([]);
    expect(new Set(posted.map((p) => p.TransactionId)).size).toBe(30);
    expect((await numbers()).length).toBe(before + 30);
    await whole();
  }
}, 120_000);

/** The files of a running database as a back-up takes them, with the log that makes them whole. */
const backUp = async (of: Cluster, to: string): Promise<void> => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: of.ownerUrl.replace('bahi_owner', 'postgres') });
  await client.connect();
  await client.query(`select pg_backup_start('test', true)`);
  const copied = spawnSync('cp', ['-a', `${of.home}/data`, `${to}/data`]);
  // files that came and went while they were copied are made whole by the log
  expect([0, 1]).toContain(copied.status);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  fs.rmSync(`${to}/data/postmaster.pid`, { force: true });
  fs.writeFileSync(`${to}/data/backup_label`, rows[0]?.labelfile ?? '');
  fs.rmSync(`${to}/data/pg_wal`, { recursive: true });
  spawnSync('cp', ['-a', `${of.home}/data/pg_wal`, `${to}/data/pg_wal`]);
  spawnSync('chown', ['--reference', `${of.home}/data/PG_VERSION`, `${to}/data/backup_label`]);
};

inAll(
  'F-40: a back-up that is taken while it is posted to is whole when it is restored, with all that was acknowledged before',
  async () => {
    const odd: Answered[] = [];
    let going = true;
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (going) await insist(randomUUID(), odd);
      }),
    );
    const before = (await numbers()).length;
    while ((await numbers()).length < before + 10) await new Promise((then) => setTimeout(then, 20));
    const acknowledged = (await numbers()).length;
    const to = home();
    await backUp(own, to).finally(() => {
      going = false;
    });
    await load;
    const restored = await cluster(to);
    try {
      expect((await numbers(restored)).length).toBeGreaterThanOrEqual(acknowledged);
      await whole(restored);
      const heads = 'select organisation, max(sequence) as sequence from seals group by 1 order by 1';
      // what is in both says the same
      const { rows } = await restored.owner.query<{ id: string; digest: string }>(
        `select id, encode(document_digest(organisation, id), 'hex') as digest from documents order by id`,
      );
      const same = await own.owner.query(
        `
        select count(*)::int as n
        from documents d
        join unnest($1::uuid[], $2::text[]) t(id, digest)
          on t.id = d.id and encode(document_digest(d.organisation, d.id), 'hex') = t.digest
      `,
        [rows.map((r) => r.id), rows.map((r) => r.digest)],
      );
      expect(same.rows).toEqual([{ n: rows.length }]);
      expect((await restored.owner.query(heads)).rowCount).toBeGreaterThan(0);
    } finally {
      await restored.stop();
    }
  },
  120_000,
);

inAll(
  'F-41: gone back to a moment: all that was posted before it, and nothing of what came after',
  async () => {
    const to = home();
    await backUp(own, to);
    for (let n = 0; n < 5; n++) await insist(randomUUID());
    const before = (await numbers()).length;
    const [{ moment } = { moment: '' }] = await own.asSuperuser<{ moment: string }>(
      'select clock_timestamp()::text as moment',
    );
    await new Promise((then) => setTimeout(then, 50));
    for (let n = 0; n < 5; n++) await insist(randomUUID());
    const [{ file } = { file: '' }] = await own.asSuperuser<{ file: string }>(
      'select pg_walfile_name(pg_switch_wal()) as file',
    );
    await expect.poll(() => fs.existsSync(`${own.home}/archive/${file}`), { timeout: 20_000 }).toBe(true);
    fs.writeFileSync(`${to}/data/recovery.signal`, '');
    fs.appendFileSync(
      `${to}/data/postgresql.auto.conf`,
      `restore_command = 'cp ${own.home}/archive/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\narchive_mode = 'off'\n`,
    );
    const restored = await cluster(to);
    try {
      expect((await numbers(restored)).length).toBe(before);
      await whole(restored);
    } finally {
      await restored.stop();
    }
  },
  60_000,
);

inAll(
  'F-42: a page that changed on the disk is an error when it is read, never taken for what was written',
  async () => {
    const to = home();
    await backUp(own, to);
    const [{ file } = { file: '' }] = await own.asSuperuser<{ file: string }>(
      `select pg_relation_filepath('entries') as file`,
    );
    const broken = path.join(to, 'data', file);
    const restored = await cluster(to);
    await restored.owner.query('checkpoint').catch(() => undefined);
    await restored.stop();
    const handle = fs.openSync(broken, 'r+');
    fs.writeSync(handle, Buffer.from([0xa5, 0x5a]), 0, 2, 5000);
    fs.closeSync(handle);
    const again = await cluster(to);
    try {
      await expect(again.owner.query('select sum(debit) from entries')).rejects.toThrow(/invalid page|checksum/);
    } finally {
      await again.stop();
    }
  },
  60_000,
);

test('F-15: no space in the database: nothing is half posted, the answer is to try again, and once there is space it goes on', async () => {
  const key = randomUUID();
  const before = (await numbers()).length;
  await own.owner.query(
    `create function no_space() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$; create trigger no_space before insert on entries for each statement execute function no_space()`,
  );
  expect(await sale(key)).toMatchObject({ status: 503, details: { code: 'busy' } });
  expect(server.failures.at(-1)).toContain('No space left');
  expect((await numbers()).length).toBe(before);
  await own.owner.query('drop trigger no_space on entries; drop function no_space');
  await insist(key);
  expect((await numbers()).length).toBe(before + 1);
  await whole();
});

inAll(
  'F-45: after a warm-up further hundreds of posts take no more connections, and what each leaves behind in memory is less than ' +
    'itself (npm run bench soak goes on for as long as one likes)',
  async () => {
    const burst = async (n: number) => {
      for (let left = n; left > 0; left -= 20)
        await Promise.all(Array.from({ length: 20 }, () => insist(randomUUID())));
    };
    const connections = async () =>
      (
        await own.owner.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend'`,
        )
      ).rows[0]?.n ?? 0;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / 1024;
    };
    await burst(200);
    const lines = await connections();
    const memory: number[] = [];
    for (let round = 0; round < 6; round++) {
      await burst(60);
      memory.push(used());
    }
    // the pools of the server and of the test: 16, and 4 each
    expect(await connections()).toBeLessThanOrEqual(Math.max(lines, 24));
    // in kilobytes, of the least of three each: what is only just to be thrown away counts in none of them
    const kept = (Math.min(...memory.slice(3)) - Math.min(...memory.slice(0, 3))) / 180;
    expect(kept).toBeLessThan(4);
    await whole();
  },
  120_000,
);
