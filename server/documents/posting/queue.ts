import { setImmediate as breath } from 'node:timers/promises';
import type pg from 'pg';
import { MOST_REVALUED } from '../stock/reach.ts';
import { sourcesOf } from './load.ts';
import { isRemembered, type Lease, type Memories, type Outcomes, postAsking, postFromMemory } from './post.ts';
import { payeeOf } from './tds-before.ts';
import type { Asked, Posted } from './types.ts';

/** Most documents a transaction takes together. */
const BATCH = 32;
/**
 * Batches on the way at a time, one behind the other on one connection: while the database writes one, the next is
 * decided and stands at its door.
 */
const FLYING = 2;
/** A batch stands behind another only when it is worth its own statement: small ones wait to become one. */
const WORTH = 4;

interface Waiting {
  readonly asked: Asked;
  readonly done: (posted: Posted) => void;
  readonly failed: (error: unknown) => void;
}

/** Posts of a registration and kind wait in one queue and go together, whoever asks: the number's row is held once for all of them. */
interface Queue {
  readonly waiting: Waiting[];
  /** Told when another one has come. */
  arrived: () => void;
}

export interface Poster {
  post(asked: Asked): Promise<Posted>;
}

/** `most`: see `postAsking`. */
export function poster(pool: pg.Pool, most = MOST_REVALUED): Poster {
  const memories: Memories = new Map();
  const queues = new Map<string, Queue>();
  return {
    post: (asked) =>
      new Promise((done, failed) => {
        const name = `${asked.organisation}/${asked.draft.registration}/${asked.kind}`;
        const queue = queues.get(name) ?? { waiting: [], arrived: () => undefined };
        queue.waiting.push({ asked, done, failed });
        queue.arrived();
        if (queues.has(name)) return;
        queues.set(name, queue);
        void work(pool, memories, queue, most, () => queues.delete(name));
      }),
  };
}

/** Empties a queue, on one connection at a time, and says so in the same breath. */
async function work(pool: pg.Pool, memories: Memories, queue: Queue, most: number, emptied: () => void): Promise<void> {
  const { waiting } = queue;
  /** What could not be decided from memory: it asks first, and nothing else is on the way meanwhile. */
  let toAsk: Waiting[] = [];
  const flying = new Set<Promise<void>>();
  let lease: Lease | undefined;
  for (;;) {
    try {
      lease = await leased(pool, lease);
    } catch (error) {
      emptied();
      for (const { failed } of [...toAsk, ...waiting]) failed(error);
      return;
    }
    await breath(); // those that arrive in one breath go together
    while (toAsk.length === 0 && waiting.length >= (flying.size === 0 ? 1 : WORTH) && flying.size < FLYING) {
      const all = distinct(waiting);
      const batch = all.filter((one) => isRemembered(memories, one.asked));
      toAsk = all.filter((one) => !batch.includes(one));
      const sent = postFromMemory(lease, memories, asks(batch));
      if (!sent) {
        toAsk.unshift(...batch);
        break;
      }
      const landing: Promise<void> = sent
        .catch(() => undefined) // asked again one by one, where the error is reported
        .then((outcomes) => {
          flying.delete(landing);
          if (outcomes) settle(batch, outcomes);
          else toAsk.push(...batch);
        });
      flying.add(landing);
    }
    if (flying.size > 0) {
      const arrival = new Promise<void>((arrived) => {
        queue.arrived = arrived;
      });
      await Promise.race(flying.size < FLYING && toAsk.length === 0 ? [...flying, arrival] : flying);
    } else if (toAsk.length > 0) {
      lease = await postTogether(pool, lease, memories, distinct(toAsk), most);
    } else if (waiting.length === 0) break;
  }
  emptied();
  giveBack(lease);
}

/** A connection that broke is given back as such, for a new one. */
async function leased(pool: pg.Pool, lease: Lease | undefined): Promise<Lease> {
  if (lease && !lease.broken) return lease;
  if (lease) giveBack(lease);
  const client = await pool.connect();
  const breaks = () => {
    taken.broken = true;
  };
  const taken: Lease = { client, broken: false, isBack: false, unheard: () => client.removeListener('error', breaks) };
  client.on('error', breaks);
  return taken;
}

function giveBack(lease: Lease): void {
  if (lease.isBack) return;
  lease.unheard();
  lease.client.release(lease.broken);
  lease.isBack = true;
}

/**
 * Takes the next batch; the same key, draft, source or payee of tax deducted twice waits for the next one, where its
 * answer or what is left is known.
 */
function distinct(queue: Waiting[]): Waiting[] {
  const seen = new Set<string>();
  const batch: Waiting[] = [];
  for (let i = 0; i < queue.length && batch.length < BATCH; ) {
    const { asked } = queue[i] as Waiting;
    const cancelled = asked.mirrorOf ? [asked.mirrorOf.document] : [];
    const payee = payeeOf(asked);
    const names = [
      ...[asked.id, ...(asked.key ? [asked.key] : []), ...(payee ? [`tds/${payee}`] : [])],
      ...new Set([...sourcesOf(asked), ...cancelled]),
    ];
    if (names.some((n) => seen.has(n))) {
      i += 1;
      continue;
    }
    for (const n of names) seen.add(n);
    batch.push(...queue.splice(i, 1));
  }
  return batch;
}

const asks = (batch: readonly Waiting[]): Asked[] => batch.map((w) => w.asked);

function settle(batch: readonly Waiting[], outcomes: Outcomes): void {
  for (const { asked, done, failed } of batch) {
    const { posted, error } = outcomes.get(asked.id) ?? { error: new Error('posted without an answer') };
    if (posted) done(posted);
    else failed(error);
  }
}

/**
 * One transaction for all; when it fails, each alone, so that every post succeeds or fails by itself. Gives the
 * connection to go on with.
 */
async function postTogether(
  pool: pg.Pool,
  given: Lease,
  memories: Memories,
  batch: readonly Waiting[],
  most: number,
): Promise<Lease> {
  let lease = given;
  try {
    lease = await leased(pool, given);
    settle(batch, await postAsking(lease, memories, asks(batch), most));
  } catch (error) {
    if (batch.length === 1) batch[0]?.failed(error);
    else for (const one of batch) lease = await postTogether(pool, lease, memories, [one], most);
  }
  return lease;
}
