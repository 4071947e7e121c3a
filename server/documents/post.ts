import type pg from 'pg';
import { Refusal } from '../../contract/errors.ts';
import { moneyText } from '../../domain/decimal.ts';
import { Problems } from '../kit/problems.ts';
import { type Decision, decide } from './decide.ts';
import { type House, readHouse } from './house.ts';
import { type Loaded, load, sourcesOf } from './load.ts';
import { holdParts, loadParts } from './parts.ts';
import { bookSettings, ready } from './prepare.ts';
import { backDated, further, type Opened, openShelves, type Point, Wider } from './reach.ts';
import { writeRevision } from './revision.ts';
import type { Asked, Decided, Posted, PostRequest } from './types.ts';
import { write } from './write.ts';

/** Most documents a transaction takes together. */
const BATCH = 32;

interface Waiting {
  readonly asked: Asked;
  readonly done: (posted: Posted) => void;
  readonly failed: (error: unknown) => void;
}

/** Posts of a registration and kind wait here and go together, whoever asks: the number's row is held once for all of them. */
export interface Poster {
  post(asked: Asked): Promise<Posted>;
}

/** What this process remembers of organisations; every posting proves that it is still so. */
type Houses = Map<number, House>;
const MOST_HOUSES = 500;

export function poster(pool: pg.Pool): Poster {
  const houses: Houses = new Map();
  const queues = new Map<string, Waiting[]>();
  const pump = async (name: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await postTogether(pool, houses, distinct(queue));
    queues.delete(name);
  };
  return {
    post: (asked) =>
      new Promise((done, failed) => {
        const name = `${asked.organisation}/${asked.draft.registration}/${asked.kind}`;
        const queue = queues.get(name);
        if (queue) return void queue.push({ asked, done, failed });
        const fresh = [{ asked, done, failed }];
        queues.set(name, fresh);
        void pump(name, fresh);
      }),
  };
}

/** Takes the next batch; the same key, draft or source twice waits for the next one, where its answer or what is left is known. */
function distinct(queue: Waiting[]): Waiting[] {
  const seen = new Set<string>();
  const batch: Waiting[] = [];
  for (let i = 0; i < queue.length && batch.length < BATCH; ) {
    const { asked } = queue[i] as Waiting;
    const cancelled = asked.mirrorOf ? [asked.mirrorOf.document] : [];
    const names = [asked.id, ...(asked.key ? [asked.key] : []), ...new Set([...sourcesOf(asked), ...cancelled])];
    if (names.some((n) => seen.has(n))) {
      i += 1;
      continue;
    }
    for (const n of names) seen.add(n);
    batch.push(...queue.splice(i, 1));
  }
  return batch;
}

/** By id of the document asked for. */
type Outcomes = ReadonlyMap<string, { readonly posted?: Posted; readonly error?: unknown }>;

/** One transaction for all; when it fails, each alone, so that every post succeeds or fails by itself. */
async function postTogether(pool: pg.Pool, houses: Houses, batch: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await transaction(
      pool,
      houses,
      batch.map((w) => w.asked),
    );
    for (const { asked, done, failed } of batch) {
      const { posted, error } = outcomes.get(asked.id) ?? { error: new Error('posted without an answer') };
      if (posted) done(posted);
      else failed(error);
    }
  } catch (error) {
    if (batch.length === 1) return batch[0]?.failed(error);
    for (const one of batch) await postTogether(pool, houses, [one]);
  }
}

const RETRIES = 5;
/** Lost a race: the next attempt sees what the other one did, a key used meanwhile included. */
const isRetryable = (error: unknown): boolean => {
  const { code = '', constraint } = error as { code?: string; constraint?: string };
  return ['40001', '40P01'].includes(code) || (code === '23505' && constraint === 'idempotency_keys_pkey');
};

/** Two round trips, when nothing has changed in the house: begin and load, write and commit. */
async function transaction(pool: pg.Pool, houses: Houses, all: readonly Asked[]): Promise<Outcomes> {
  const organisation = all[0]?.organisation ?? 0;
  let wider: readonly Point[] = [];
  for (let attempt = 1; ; ) {
    const client = await pool.connect();
    let broken = false;
    try {
      const begun = client.query('begin');
      begun.catch(() => undefined); // told by what follows on the same connection
      const house = houses.get(organisation) ?? (await readHouse(client, organisation));
      if (houses.size > MOST_HOUSES) houses.clear();
      houses.set(organisation, house);
      const [, loaded] = await Promise.all([begun, load(client, all, house, wider)]);
      if (loaded) return await decideAndWrite(client, all, house, loaded);
      houses.delete(organisation);
      await client.query('rollback');
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

/** What was loaded under lock is checked, decided and written. A key that is known gets its answer; what has problems is left out. */
async function decideAndWrite(
  client: pg.PoolClient,
  all: readonly Asked[],
  house: House,
  loaded: Loaded,
): Promise<Outcomes> {
  const outcomes = new Map<string, { readonly posted?: Posted; readonly error?: unknown }>();
  const requests: PostRequest[] = [];
  for (const asked of all) {
    try {
      const posted = answered(asked, loaded);
      if (posted) outcomes.set(asked.id, { posted });
      else requests.push(ready(asked, house, loaded));
    } catch (error) {
      outcomes.set(asked.id, { error });
    }
  }
  if (requests.length === 0) {
    await client.query('rollback');
    return outcomes;
  }
  const points = backDated(loaded);
  if (points.length > 0 && requests.length > 1) throw new Alone();
  const opened = await openShelves(client, house.organisation, loaded, bookSettings(house), points);
  const parts = await loadParts(client, requests);
  const decided: Decided[] = [];
  for (const request of requests) {
    const one = await decideThrough(client, house, request, loaded, opened, points);
    creditLimit(one, decided, loaded.owed ?? []);
    holdParts(one, decided, parts);
    decided.push(one);
  }
  // a commit behind a write that failed takes everything back
  const [written] = await Promise.all([write(client, decided, opened.shelves), client.query('commit')]);
  for (const posted of written) outcomes.set(posted.id, { posted });
  return outcomes;
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
  house: House,
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
  await writeRevision(client, house, request, one.costRevision);
  return { ...one, links: [...one.links, { source: one.costRevision.id, role: 'revision' }] };
}

/** The first answer to the same key, when it was asked the same. */
function answered(asked: Asked, { keys }: Loaded): Posted | undefined {
  const known = asked.key ? keys.find((k) => k.key === asked.key) : undefined;
  if (known && known.digest !== asked.digest?.toString('hex')) throw new Refusal('keyReused');
  return known?.answer;
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
  const { code, constraint, detail, message } = error as pg.DatabaseError;
  if (code === 'BR046') return new Refusal('numberTooLong', { number: message });
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
  if (constraint === 'cancellations_eway')
    return new Refusal('notCancellable', { number: 'This document', reason: 'its e-way bill must be cancelled first' });
  if (code === '23505' && constraint === 'documents_pkey')
    return new Refusal('alreadyPosted', { number: 'another number' });
  if (code === '23503') {
    const [, column = ''] = /Key \(organisation, (\w+)/.exec(detail ?? '') ?? [];
    return new Problems([{ field: naming[column] ?? '', message: 'What is named here does not exist' }]);
  }
  return error;
}

/** The field of a draft that a foreign key of the books speaks of. */
const naming: Readonly<Record<string, string>> = {
  item: 'lines.item',
  party: 'lines.party',
  source: 'against',
  source_document: 'lines.source',
  location: 'toLocation',
};
