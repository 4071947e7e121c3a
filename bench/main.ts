import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { poster } from '../server/documents/post.ts';
import { prepare } from '../server/documents/prepare.ts';
import { startDatabase } from '../server/kit/embedded-database.ts';
import { newId } from '../server/kit/ids.ts';
import { sweep } from '../server/kit/invariants.ts';
import { migrate } from '../server/kit/migrate.ts';
import { digestOf, itemLine, receive, type TestBooks, testBooks } from '../tools/testing/books.ts';
import { openLimit } from './limit.ts';

// npm run bench: posting against the bare limit of the same database on the same machine, in one run. Ratios count.

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = 3;
const ITEMS = 200;

interface Measured {
  readonly rate: number;
  readonly p50: number;
  readonly p95: number;
  readonly errors: number;
}

type Name = 'limit1' | 'ours1' | 'limit8' | 'ours8' | 'ours32';

/** So many clients, each with one request at a time, for some seconds. Milliseconds and posts a second. */
async function load(clients: number, post: (client: number) => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  let errors = 0;
  const began = performance.now();
  const until = began + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < until) {
        const start = performance.now();
        await post(client).catch(() => {
          errors += 1;
        });
        times.push(performance.now() - start);
      }
    }),
  );
  const elapsed = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { rate: (times.length - errors) / elapsed, p50: at(0.5), p95: at(0.95), errors };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A sale of five items, prepared and posted as its call does it, with an idempotency key. */
function seller(books: TestBooks): () => Promise<unknown> {
  const posting = poster(books.books.pool);
  const pick = (i: number) => books.items[i * 40 + Math.floor(Math.random() * 40)];
  return async () => {
    const lines = [0, 1, 2, 3, 4].map((i) => itemLine(pick(i), 1, 100));
    const context = books.context({ key: newId(), digest: digestOf('bench') });
    return posting.post(await prepare(context, books.draft('saleInvoice', { party: books.customer, lines })));
  };
}

async function measure(ownerUrl: string, url: string): Promise<void> {
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 4 });
  await owner.query('create database bench_limit');
  const books = await testBooks({ owner, url, ownerUrl, app: owner, drop: () => owner.end() }, {}, ITEMS);
  for (const item of books.items) await receive(books, item, 1_000_000, 60, '2026-04-01');
  const limit = await openLimit(ownerUrl.replace('/bahi?', '/bench_limit?'), 8);
  const sell = seller(books);
  await load(1, sell); // warm
  const rounds: Record<Name, Measured>[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      limit1: await load(1, limit.post),
      ours1: await load(1, sell),
      limit8: await load(8, limit.post),
      ours8: await load(8, sell),
      ours32: await load(32, sell),
    });
  const rate = (name: Name) => median(rounds.map((r) => r[name].rate));
  const time = (name: Name, part: 'p50' | 'p95') => median(rounds.map((r) => r[name][part]));
  const errors = rounds.reduce((t, r) => t + r.ours1.errors + r.ours8.errors + r.ours32.errors, 0);
  const row = (name: string, value: string) => process.stdout.write(`${name.padEnd(66)}${value.padStart(12)}\n`);
  row('The limit: one bare statement an invoice, 1 client, a second', rate('limit1').toFixed(0));
  row('The limit with 8 clients on one series, a second', rate('limit8').toFixed(0));
  row('Posting a 5-line invoice with everything but HTTP, 1 client, a second', rate('ours1').toFixed(0));
  row('  of the limit', (rate('ours1') / rate('limit1')).toFixed(2));
  row('Posting, 8 clients on one series, a second', rate('ours8').toFixed(0));
  row('  of the limit with 8 clients', (rate('ours8') / rate('limit8')).toFixed(2));
  row('  p95 at 8 clients, of the own p50 at 1', (time('ours8', 'p95') / time('ours1', 'p50')).toFixed(1));
  row('Posting, 32 clients on one series, a second', rate('ours32').toFixed(0));
  row('  p95 at 32 clients, milliseconds', time('ours32', 'p95').toFixed(1));
  row('Errors', String(errors));
  const began = performance.now();
  const broken = (await sweep(owner)).filter((s) => s.broken.length > 0);
  const posted = await owner.query<{ n: string }>('select count(*) as n from documents');
  row(`Invariants broken after ${posted.rows[0]?.n} documents`, String(broken.length));
  row('  sweep, milliseconds', (performance.now() - began).toFixed(0));
  for (const b of broken) process.stdout.write(`  ${b.id} ${b.says}: ${b.broken[0]?.what}\n`);
  await limit.end();
  await books.end();
  await owner.end();
  if (errors > 0 || broken.length > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-bench-'));
  fs.chmodSync(home, 0o755);
  const database = await startDatabase({ home });
  try {
    await migrate(database.ownerUrl);
    await measure(database.ownerUrl, database.url);
  } finally {
    await database.stop();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
