import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { type Jobs, prepareJobs, startJobs } from './index.ts';
import { freeJobsOfTheDead, living } from './living.ts';

let db: TestDatabase;
let jobs: Jobs;
const done: string[] = [];
const logged: string[] = [];
const log = (message: string) => void logged.push(message);
beforeAll(async () => {
  db = await testDatabase();
  await prepareJobs(db.ownerUrl, log);
});
afterAll(async () => {
  await jobs?.stop();
  await db.drop();
});

/** A job in the hands of a pool of workers, as it is left when its process is killed. */
const taken = async (what: string, by: string): Promise<void> => {
  await db.owner.query(`select graphile_worker.add_job('say', json_build_object('what', $1::text))`, [what]);
  await db.owner.query(
    `update graphile_worker._private_jobs set locked_by = $2, locked_at = now(), attempts = 1 where payload ->> 'what' = $1`,
    [what, by],
  );
};

test('F-06: what a killed process had in hand is taken up at once; what a living one has is left to it', async () => {
  const other = living(db.ownerUrl);
  const alive = { id: 'pool-alive' };
  other.events.emit('pool:create', { workerPool: alive } as never);
  await other.hold();
  await taken('of the dead', 'pool-killed');
  await taken('of the living', alive.id);
  const say = async ({ what }: { readonly what: string }) => void done.push(what);
  jobs = await startJobs({ ownerUrl: db.ownerUrl, tasks: { say: say as never }, sweep: async () => undefined, log });
  await expect.poll(() => done, { timeout: 10_000 }).toEqual(['of the dead']);
  // a job that is done is taken away a moment later
  await expect
    .poll(async () => (await db.owner.query('select locked_by from graphile_worker.jobs')).rows)
    .toEqual([{ locked_by: alive.id }]);
  await other.end();
  expect(logged).toEqual([]);
});

test('F-06: what a running process has in hand is left to it, however often another one looks for the dead', async () => {
  const { owner } = db;
  let goOn = (): void => undefined;
  const held = new Promise<void>((go) => {
    goOn = go;
  });
  let began = 0;
  const work = async () => {
    began += 1;
    await held;
  };
  const signs = async () =>
    (await owner.query(`select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted`)).rowCount ?? 0;
  const before = await signs();
  const busy = await startJobs({ ownerUrl: db.ownerUrl, tasks: { work }, sweep: async () => undefined, log });
  const inHand = async () =>
    (await owner.query(`select from graphile_worker.jobs where task_identifier = 'work' and locked_at is not null`))
      .rowCount;
  try {
    await expect.poll(signs).toBeGreaterThan(before);
    await owner.query(`select graphile_worker.add_job('work')`);
    await expect.poll(() => began).toBe(1);
    await owner.query(freeJobsOfTheDead);
    expect(await inHand()).toBe(1);
  } finally {
    goOn();
    await busy.stop();
  }
  expect(began).toBe(1);
  expect(await inHand()).toBe(0);
  expect(logged).toEqual([]);
});
