import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { type Jobs, prepareJobs, startJobs } from './index.ts';
import { living } from './living.ts';

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

/** A job in the hands of a worker, as that worker has left it when it was killed. */
const taken = async (what: string, by: string): Promise<void> => {
  await db.owner.query(`select graphile_worker.add_job('say', json_build_object('what', $1::text))`, [what]);
  await db.owner.query(
    `update graphile_worker._private_jobs set locked_by = $2, locked_at = now(), attempts = 1 where payload ->> 'what' = $1`,
    [what, by],
  );
};

test('F-06: what a killed worker had in hand is taken up at once; what a living one has is left to it', async () => {
  const other = living(db.ownerUrl);
  const alive = { workerId: 'worker-alive' };
  other.events.emit('worker:create', { worker: alive } as never);
  await other.hold();
  await taken('of the dead', 'worker-killed');
  await taken('of the living', alive.workerId);
  const say = async ({ what }: { readonly what: string }) => void done.push(what);
  jobs = await startJobs({ ownerUrl: db.ownerUrl, tasks: { say: say as never }, sweep: async () => undefined, log });
  await expect.poll(() => done, { timeout: 10_000 }).toEqual(['of the dead']);
  const { rows } = await db.owner.query('select locked_by from graphile_worker.jobs');
  expect(rows).toEqual([{ locked_by: alive.workerId }]);
  await other.end();
  expect(logged).toEqual([]);
});
