import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import pg from 'pg';

/**
 * A job belongs to the pool of workers that took it: the library writes the pool's name beside it, not the worker's. A
 * process that is killed lets go of nothing, and the library waits four hours before it gives its jobs to another: an
 * invoice would be so late at the portal. So each process holds a lock of the database by the name of its pool, which ends
 * with its connection, however the process ends.
 */
const LOCKS = 62618;

export interface Living {
  readonly events: WorkerEvents;
  /** Holds the locks, again if its connection broke. */
  hold(): Promise<void>;
  end(): Promise<void>;
}

export function living(connectionString: string): Living {
  const names = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => names.add(workerPool.id));
  let held: pg.Client | undefined;
  const drop = (client: pg.Client) => {
    if (held === client) held = undefined;
  };
  return {
    events,
    hold: async () => {
      if (held || names.size === 0) return;
      const client = new pg.Client({ connectionString });
      client.on('error', () => drop(client));
      client.on('end', () => drop(client));
      await client.connect();
      held = client;
      // the database notices within a minute that a machine is gone
      await client.query(
        'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3',
      );
      await client.query(`select pg_advisory_lock(${LOCKS}, hashtext(name)) from unnest($1::text[]) name`, [
        [...names],
      ]);
    },
    end: async () => {
      const client = held;
      held = undefined;
      await client?.end();
    },
  };
}

/** Jobs in the hands of a pool whose lock nobody holds are there for all again. */
export const freeJobsOfTheDead = `
  with dead as materialized (
    select locked_by
    from (select distinct locked_by from graphile_worker.jobs where locked_by is not null) j
    where pg_try_advisory_xact_lock(${LOCKS}, hashtext(locked_by))
  )
  select graphile_worker.force_unlock_workers(array_agg(locked_by))
  from dead
  having count(*) > 0
`;
