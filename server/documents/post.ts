import type pg from 'pg';
import { Refusal } from '../../contract/errors.ts';
import { moneyText } from '../../domain/decimal.ts';
import { kindOf } from '../../domain/kinds/index.ts';
import { numberProblem } from '../../domain/number.ts';
import { type Decision, decide } from './decide.ts';
import { type Loaded, load, shelvesOf, sourcesOf } from './load.ts';
import { backDated, further, NO_DAY, type Opened, openShelves, type Point, Wider } from './reach.ts';
import { writeRevision } from './revision.ts';
import { shelfKey } from './shelves.ts';
import type { Decided, Posted, PostRequest } from './types.ts';
import { write } from './write.ts';

/** Most documents a transaction takes together. */
const BATCH = 32;

interface Waiting {
  readonly request: PostRequest;
  readonly done: (posted: Posted) => void;
  readonly failed: (error: unknown) => void;
}

/** Posts of one user's registration and kind wait here and go together: the number's row is held once for all of them. */
export interface Poster {
  post(request: PostRequest): Promise<Posted>;
}

export function poster(pool: pg.Pool): Poster {
  const queues = new Map<string, Waiting[]>();
  const busy = new Set<string>();
  const pump = async (name: string): Promise<void> => {
    if (busy.has(name)) return;
    busy.add(name);
    const queue = queues.get(name) ?? [];
    while (queue.length > 0) {
      const batch = distinct(queue);
      await postTogether(pool, batch);
    }
    busy.delete(name);
    queues.delete(name);
  };
  return {
    post: (request) =>
      new Promise((done, failed) => {
        const name = `${request.organisation}/${request.user}/${request.draft.registration}/${request.kind}`;
        const queue = queues.get(name) ?? [];
        queues.set(name, queue);
        queue.push({ request, done, failed });
        void pump(name);
      }),
  };
}

/** Takes the next batch; the same key, draft or source twice waits for the next one, where its answer or what is left is known. */
function distinct(queue: Waiting[]): Waiting[] {
  const seen = new Set<string>();
  const batch: Waiting[] = [];
  for (let i = 0; i < queue.length && batch.length < BATCH; ) {
    const { request } = queue[i] as Waiting;
    const cancelled = request.mirrorOf ? [request.mirrorOf.document] : [];
    const names = [
      request.id,
      ...(request.key ? [request.key] : []),
      ...new Set([...sourcesOf(request), ...cancelled]),
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

/** One transaction for all; when it fails, each alone, so that every post succeeds or fails by itself. */
async function postTogether(pool: pg.Pool, batch: readonly Waiting[]): Promise<void> {
  try {
    const posted = await transaction(
      pool,
      batch.map((w) => w.request),
    );
    batch.forEach((w, i) => {
      const one = posted[i];
      if (one) w.done(one);
      else w.failed(new Error('posted without an answer'));
    });
  } catch (error) {
    if (batch.length === 1) return batch[0]?.failed(error);
    for (const one of batch) await postTogether(pool, [one]);
  }
}

const RETRIES = 5;
/** Lost a race: the next attempt sees what the other one did, a key used meanwhile included. */
const isRetryable = (error: unknown): boolean => {
  const { code = '', constraint } = error as { code?: string; constraint?: string };
  return ['40001', '40P01'].includes(code) || (code === '23505' && constraint === 'idempotency_keys_pkey');
};

async function transaction(pool: pg.Pool, requests: readonly PostRequest[]): Promise<Posted[]> {
  let wider: readonly Point[] = [];
  for (let attempt = 1; ; ) {
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query('begin');
      const posted = await postIn(client, requests, wider);
      await client.query('commit');
      return posted;
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true;
      });
      // each time more shelves than before, of which there are only so many
      if (error instanceof Wider) wider = [...wider, ...error.points];
      else if (attempt >= RETRIES || !isRetryable(error)) throw explained(error);
      else attempt += 1;
    } finally {
      client.release(broken);
    }
  }
}

/** Load under lock, decide, write: three steps of an open transaction. */
async function postIn(
  client: pg.PoolClient,
  requests: readonly PostRequest[],
  wider: readonly Point[],
): Promise<Posted[]> {
  const [first] = requests;
  if (!first) return [];
  const actor = { organisation: first.organisation, user: first.user };
  const own = new Set(requests.flatMap(shelvesOf).map((s) => shelfKey(s.item, s.location)));
  const others = wider.filter((p) => !own.has(shelfKey(p.item, p.location)));
  const loaded = await load(
    client,
    requests,
    actor,
    others.map((p) => ({ ...p, date: NO_DAY })),
  );
  const points = backDated(loaded);
  if (points.length > 0 && requests.length > 1) throw new Alone();
  const opened = await openShelves(client, actor.organisation, loaded, first.settings, points);
  const answers = new Map<string, Posted>();
  const decided: Decided[] = [];
  for (const request of requests) {
    const known = request.key ? loaded.keys.find((k) => k.key === request.key) : undefined;
    if (known) {
      if (known.digest !== request.digest?.toString('hex')) throw new Refusal('keyReused');
      answers.set(request.id, known.answer);
      continue;
    }
    const one = await decideThrough(client, request, loaded, opened, points);
    creditLimit(one, decided, loaded.owed ?? []);
    decided.push(one);
  }
  if (decided.length > 0)
    for (const [i, posted] of (await write(client, actor, decided, opened.shelves)).entries()) {
      mayBear(posted.number, decided[i]);
      answers.set(posted.id, posted);
    }
  return requests.map((r) => answers.get(r.id)).filter((p): p is Posted => p !== undefined);
}

/** A back-dated post values others again: not in a batch, whose other posts would have to wait for it. */
class Alone extends Error {
  constructor() {
    super('goes alone');
  }
}

/** Decides, and as long as changed costs are carried on to further shelves, decides again with those. */
async function decideThrough(
  client: pg.PoolClient,
  request: PostRequest,
  loaded: Loaded,
  opened: Opened,
  points: readonly Point[],
): Promise<Decided> {
  let one: Decision = decide(request, loaded, opened);
  for (let reached = points; ; ) {
    reached = await further(client, request.organisation, one.revised, reached, opened.shelves);
    if (reached.length === 0) break;
    const wider = await openShelves(client, request.organisation, loaded, request.settings, reached);
    one = decide(request, loaded, wider);
    for (const [key, shelf] of wider.shelves) opened.shelves.set(key, shelf);
  }
  if (!one.costRevision) return one;
  await writeRevision(client, request, one.costRevision);
  return { ...one, links: [...one.links, { source: one.costRevision.id, role: 'revision' }] };
}

/** Rule 46: a number that the series has outgrown is not given. */
function mayBear(number: string, decided: Decided | undefined): void {
  const gst = decided !== undefined && kindOf(decided.request.kind).gstNumber;
  const registered = decided?.request.facts.own.kind !== 'unregistered';
  if (gst && registered && numberProblem(number.toUpperCase(), true)) throw new Refusal('numberTooLong', { number });
}

/** What a customer owes, with this batch, stays within his limit. */
function creditLimit(
  one: Decided,
  before: readonly Decided[],
  owed: readonly { readonly party: string; readonly name: string; readonly limit: number; readonly owed: number }[],
): void {
  if (one.open?.side !== 'receivable') return;
  const limited = owed.find((o) => o.party === one.open?.party);
  if (!limited) return;
  const alongside = before.reduce(
    (t, d) => (d.open?.party === limited.party && d.open.side === 'receivable' ? t + d.open.original : t),
    0,
  );
  const over = limited.owed + alongside + one.open.original - limited.limit;
  if (over > 0) throw new Refusal('creditExceeded', { party: limited.name, amount: moneyText(over) });
}

/** Constraints that a user can meet, in words; the rest are bugs. */
function explained(error: unknown): unknown {
  const { code, constraint, detail } = error as { code?: string; constraint?: string; detail?: string };
  if (code === '23505' && constraint === 'documents_number')
    return new Refusal('numberTaken', {
      number:
        /, ([^,)]+)\)=|\(([^)]*)\) already/
          .exec(detail ?? '')?.[2]
          ?.split(', ')
          .at(-1) ?? '',
    });
  if (code === '23505' && (constraint === 'documents_reversal' || constraint === 'cancellations_pkey'))
    return new Refusal('alreadyCancelled', { number: 'This document' });
  if (constraint === 'cancellations_irn')
    return new Refusal('notCancellable', { number: 'This document', reason: 'it is on its way to the invoice portal' });
  if (code === '23505' && constraint === 'documents_pkey')
    return new Refusal('alreadyPosted', { number: 'another number' });
  return error;
}
