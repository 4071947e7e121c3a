import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';

// A date of the books is text: the driver's own reading is a local moment and a day off in India against UTC.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** A query names its rows where it is written; `server/kit/database/row-types.test.ts` compares them with the schema (ADR 80). */
export type Tables = Record<string, Record<string, unknown>>;
export type Executor = Kysely<Tables> | Transaction<Tables>;

/** Whose books a transaction opens, and who does it. */
export interface Actor {
  readonly organisation: number;
  readonly user: string;
  /** Where it comes from, for the edit log, when it is not the user in person. */
  readonly origin?: string;
}

export interface Books {
  readonly pool: pg.Pool;
  readonly kysely: Kysely<Tables>;
  /** One transaction that sees only this organisation; the settings end with it. */
  inTransaction<T>(actor: Actor, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/**
 * A pool that outlives its connections: one that breaks, resting or at work, is replaced. What was asked on it fails by
 * itself; without a listener the break alone would end the process.
 */
export function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options);
  const broke = () => undefined;
  pool.on('error', broke);
  pool.on('connect', (client) => {
    client.on('error', broke);
    closeWhenTerminated(client);
  });
  return pool;
}

interface Connection {
  readonly stream: Socket;
  on(event: 'errorMessage', heard: (message: { readonly severity?: string }) => void): void;
  emit(event: 'error', error: Error): void;
}
const connectionOf = (client: pg.PoolClient): Connection =>
  (client as unknown as { connection: Connection }).connection;

/**
 * A connection that the database announces to end is discarded at once: until the socket closes the pool would
 * lend it to the next.
 */
function closeWhenTerminated(client: pg.PoolClient): void {
  const connection = connectionOf(client);
  connection.on('errorMessage', ({ severity }) => {
    if (severity === 'FATAL') connection.emit('error', new Error('Connection terminated by the database'));
  });
}

/** Milliseconds: a question that takes longer is given up by the database, as is a transaction that nobody goes on with. */
const PATIENCE = {
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 10_000,
  connectionTimeoutMillis: 5000,
} as const;

/**
 * Milliseconds that a line may be still: longer than the database may think, so that only a line is given up on which nothing
 * comes any more, as when a firewall in between has forgotten it. Waiting alone would hold the connection for ever.
 */
const SILENCE = 18_000;

/** What is asked on such a line fails as if it had been cut, and the pool opens another. */
function hangUp(client: pg.PoolClient, silence: number): void {
  const { stream } = connectionOf(client);
  stream.setTimeout(silence, () => stream.destroy(new Error('Connection terminated: nothing came for too long')));
}

/**
 * A session of the books waits for the disk, whatever its role, its database or a later reload say; where it waits for
 * more, it goes on to.
 */
const PINNED = `
  select
    set_config(
      'synchronous_commit',
      case
        when current_setting('synchronous_commit') in ('off', 'local') then 'on'
        else current_setting('synchronous_commit')
      end,
      false
    )
`;

/**
 * At most 16 connections with a queue before them: more only wait for each other's locks. What is asked together goes
 * in one round trip.
 */
export function openBooks(url: string, max = 16, silence = SILENCE): Books {
  const pool = openPool({ connectionString: url, max, pipeline: true, ...PATIENCE });
  pool.on('connect', (client) => {
    hangUp(client, silence);
    // the next query that fails reports it
    client.query(PINNED).catch(() => undefined);
  });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    pool,
    kysely,
    inTransaction: (actor, work) =>
      kysely.transaction().execute(async (trx) => {
        await sql`
          select
            set_config('app.organisation', ${String(actor.organisation)}, true),
            set_config('app.user', ${actor.user}, true),
            set_config('app.origin', ${actor.origin ?? ''}, true)
        `.execute(trx);
        return work(trx);
      }),
    end: async () => {
      await kysely.destroy();
      // a builder that has asked nothing yet does not end the pool it was given
      if (!pool.ending) await pool.end();
    },
  };
}

/** Text inside a pattern of `like`: each sign stands for itself. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
