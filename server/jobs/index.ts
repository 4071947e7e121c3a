import { Logger, type Runner, run, runMigrations, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { Later } from '../kit/later.ts';
import { freeJobsOfTheDead, living } from './living.ts';

/** What a job does, by its name in the outbox. A task may be run twice for one row and does the same. */
export type Tasks = Readonly<Record<string, (payload: never) => Promise<void>>>;

export interface Jobs {
  /** Something was committed that may have left work in the outbox. */
  wake(): void;
  /** Hands over what waits now; answers how many jobs that made. For tests and for the last breath. */
  relay(): Promise<number>;
  /** Whether jobs are being taken. */
  alive(): boolean;
  stop(): Promise<void>;
}

export interface JobsOptions {
  /** The owner's role: jobs of all organisations lie in one place, which the application's role does not see. */
  readonly ownerUrl: string;
  readonly tasks: Tasks;
  /** Puts back into the outbox what a process that died has left half done. */
  readonly sweep: (owner: pg.Pool) => Promise<void>;
  readonly log: (message: string, details: object) => void;
}

/** A burst of posts wakes the relay once. */
const GATHER = 40;
const POLL = 1000;
/** How often what was abandoned is looked for. */
const SWEEP = 30_000;

/** The job library's own tables. They need nothing of ours, so a first start makes them beside its migrations. */
export async function prepareJobs(connectionString: string, log: JobsOptions['log']): Promise<void> {
  await runMigrations({ connectionString, logger: quiet(log) });
}

/** Moves the outbox to the job library, in batches and after the commit, and runs the jobs. */
export async function startJobs({ ownerUrl, tasks, sweep, log }: JobsOptions): Promise<Jobs> {
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 6 });
  // a connection that breaks while it rests is replaced; the next question says if the database is gone
  const broke = (error: Error) => log('a connection of the jobs broke', { error: String(error) });
  owner.on('error', broke);
  owner.on('connect', (client) => client.on('error', broke));
  const logger = quiet(log);
  await runMigrations({ pgPool: owner, logger });
  const alive = living(ownerUrl);
  const runner: Runner = await run({
    pgPool: owner,
    taskList: taskList(tasks, log),
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 2000,
    logger,
    events: alive.events,
  });
  let taking = true;
  const over = () => {
    taking = false;
  };
  runner.promise.then(over, over);
  const relay = async (): Promise<number> => {
    const { rowCount } = await owner.query(handOver);
    return rowCount ?? 0;
  };

  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let swept = 0;
  const turn = async (): Promise<void> => {
    if (performance.now() - swept > SWEEP || swept === 0) {
      swept = performance.now();
      await alive.hold();
      await owner.query(freeJobsOfTheDead);
      await sweep(owner);
      await owner.query(`delete from outbox where handed_at < now() - interval '30 days'`);
    }
    while (!ended && (await relay()) > 0);
  };
  const plan = (after: number) => {
    if (ended) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = turn()
        .catch((error: unknown) => log('the relay of jobs failed', { error: String(error) }))
        .finally(() => {
          woken = false;
          plan(POLL);
        });
    }, after);
  };
  let woken = false;
  plan(0);
  return {
    wake: () => {
      if (woken) return;
      woken = true;
      plan(GATHER);
    },
    relay,
    alive: () => taking,
    stop: async () => {
      ended = true;
      clearTimeout(timer);
      await running;
      await runner.stop();
      await alive.end();
      await owner.end();
    },
  };
}

/** One statement takes what waits, marks it and makes the jobs: a row is handed over once, however many processes relay. */
const handOver = `
  with
    waiting as (select id from outbox where handed_at is null order by id limit 200 for update skip locked),
    handed as (
      update outbox o
      set handed_at = now()
      from waiting w
      where o.id = w.id
      returning o.id, o.task, o.payload, o.key
    )
  select graphile_worker.add_job(
    h.task, h.payload::json, job_key := h.task || ':' || coalesce(h.key, h.id::text), max_attempts := 20
  )
  from handed h
  order by h.id
`;

const taskList = (tasks: Tasks, log: JobsOptions['log']): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, work]) => [
      name,
      async (payload: unknown) => {
        try {
          await work(payload as never);
        } catch (error) {
          if (!(error instanceof Later))
            log(`the job ${name} failed`, {
              error: error instanceof Error ? (error.stack ?? error.message) : String(error),
            });
          throw error;
        }
      },
    ]),
  );

/** The library logs every job; only its own errors go into our log. */
const quiet = (log: JobsOptions['log']): Logger =>
  new Logger(() => (level, message) => {
    if (level === 'error' && !/Failed task|Cleaning up failed/.test(message)) log('jobs', { message });
  });
