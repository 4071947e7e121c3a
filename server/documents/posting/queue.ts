import { setImmediate as nextTick } from 'node:timers/promises';
import type pg from 'pg';
import { MOST_REVALUED } from '../stock/open-balances.ts';
import { type PostingCache, postingCache } from './cache.ts';
import { payeeOf } from './facts/tds-before.ts';
import { sourcesOf } from './load.ts';
import { type Lease, postBatch } from './post.ts';
import type { Outcomes, Posted, PostingRequest } from './types.ts';

/** Most documents a transaction takes together. */
const MAX_BATCH = 32;
/** Batches on the way at a time on one connection: while the database writes one, the next is decided and sent. */
const PIPELINE_DEPTH = 2;
/** Fewer requests than this wait for the batch on the way instead of being sent behind it. */
const MIN_PIPELINED = 4;

interface Waiting {
  readonly asked: PostingRequest;
  /** What only one request of a batch may name. */
  readonly names: readonly string[];
  readonly done: (posted: Posted) => void;
  readonly failed: (error: unknown) => void;
}

/** Posts of a registration and kind wait in one queue and go together, whoever asks: the number's row is held once for all of them. */
interface Queue {
  readonly waiting: Waiting[];
  /** Called when another one has come. */
  arrived: () => void;
}

export interface Poster {
  post(asked: PostingRequest): Promise<Posted>;
}

export interface PosterOptions {
  /** Most later movements that a back-dated posting values itself. */
  readonly most?: number;
  readonly cache?: PostingCache;
}

export function poster(pool: pg.Pool, { most = MOST_REVALUED, cache = postingCache() }: PosterOptions = {}): Poster {
  const queues = new Map<string, Queue>();
  return {
    post: (asked) =>
      new Promise((done, failed) => {
        const name = `${asked.organisation}/${asked.draft.registration}/${asked.kind}`;
        const queue = queues.get(name) ?? { waiting: [], arrived: () => undefined };
        queue.waiting.push({ asked, names: namesOf(asked), done, failed });
        queue.arrived();
        if (queues.has(name)) return;
        queues.set(name, queue);
        void work(pool, cache, queue, most, () => queues.delete(name));
      }),
  };
}

/** Empties a queue on one connection, and reports that it is empty before anything else can be added. */
async function work(
  pool: pg.Pool,
  cache: PostingCache,
  queue: Queue,
  most: number,
  emptied: () => void,
): Promise<void> {
  const { waiting } = queue;
  /** What the cache could not post: it is loaded first, and nothing else is on the way meanwhile. */
  const toAsk: Waiting[] = [];
  const inFlight = new Set<Promise<void>>();
  let lease: Lease | undefined;
  for (;;) {
    try {
      lease = await leased(pool, lease);
    } catch (error) {
      emptied();
      for (const { failed } of [...toAsk, ...waiting]) failed(error);
      return;
    }
    await nextTick(); // requests that arrive in the same tick go together
    while (
      toAsk.length === 0 &&
      waiting.length >= (inFlight.size === 0 ? 1 : MIN_PIPELINED) &&
      inFlight.size < PIPELINE_DEPTH
    ) {
      const batch: Waiting[] = [];
      for (const one of distinct(waiting))
        try {
          (cache.has(one.asked) ? batch : toAsk).push(one);
        } catch (error) {
          one.failed(error); // the others go on
        }
      if (batch.length === 0) continue;
      let sent: ReturnType<PostingCache['post']>;
      try {
        sent = cache.post(lease.client, asks(batch));
      } catch (error) {
        for (const { failed } of batch) failed(error);
        continue;
      }
      if (!sent) {
        toAsk.unshift(...batch);
        break;
      }
      const done: Promise<void> = sent
        .catch(() => undefined) // asked again one by one, where the error is reported
        .then((outcomes) => {
          inFlight.delete(done);
          if (outcomes) settle(batch, outcomes);
          else toAsk.push(...batch);
        });
      inFlight.add(done);
    }
    if (inFlight.size > 0) {
      const arrival = new Promise<void>((arrived) => {
        queue.arrived = arrived;
      });
      await Promise.race(inFlight.size < PIPELINE_DEPTH && toAsk.length === 0 ? [...inFlight, arrival] : inFlight);
    } else if (toAsk.length > 0) {
      lease = await postTogether(pool, lease, cache, distinct(toAsk), most);
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

function namesOf(asked: PostingRequest): string[] {
  const cancelled = asked.mirrorOf ? [asked.mirrorOf.document] : [];
  const payee = payeeOf(asked);
  return [
    ...[asked.id, ...(asked.key ? [asked.key] : []), ...(payee ? [`tds/${payee}`] : [])],
    ...new Set([...sourcesOf(asked), ...cancelled]),
  ];
}

/**
 * Takes the next batch; the same key, draft, source or payee of tax deducted twice waits for the next one, where its
 * answer or what is left is known.
 */
function distinct(queue: Waiting[]): Waiting[] {
  const seen = new Set<string>();
  const batch: Waiting[] = [];
  for (let i = 0; i < queue.length && batch.length < MAX_BATCH; ) {
    const { names } = queue[i] as Waiting;
    if (names.some((n) => seen.has(n))) {
      i += 1;
      continue;
    }
    for (const n of names) seen.add(n);
    batch.push(...queue.splice(i, 1));
  }
  return batch;
}

const asks = (batch: readonly Waiting[]): PostingRequest[] => batch.map((w) => w.asked);

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
  cache: PostingCache,
  batch: readonly Waiting[],
  most: number,
): Promise<Lease> {
  let lease = given;
  try {
    lease = await leased(pool, given);
    settle(batch, await postBatch(lease, cache, asks(batch), most));
  } catch (error) {
    if (batch.length === 1) batch[0]?.failed(error);
    else for (const one of batch) lease = await postTogether(pool, lease, cache, [one], most);
  }
  return lease;
}
