import { spawnSync } from 'node:child_process';
import { type Report, reports } from '../contract/reports.ts';
import { sale } from './posting.ts';
import type { Row } from './table.ts';
import type { Line } from './wire.ts';
import { type Books, postOne, type Served, serve, today, type World } from './world.ts';

const POSTS = Number(process.env.BENCH_POSTS ?? 10_000);
const REST = 10_000;
const LATER = 30_000;

export const rest = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** Resident memory in megabytes as the system counts it, of the server itself and of the processes it has begun. */
export function memoryOf({ process: { pid } }: Served): { readonly own: number; readonly begun: number } {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,rss=', '-p', `${pid}`, '--ppid', `${pid}`], { encoding: 'utf8' });
  const sizes = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const sum = (all: readonly (readonly number[])[]): number =>
    all.reduce((total, [, size = 0]) => total + size, 0) / 1024;
  return { own: sum(sizes.filter(([id]) => id === pid)), begun: sum(sizes.filter(([id]) => id !== pid)) };
}
const together = (server: Served): number => {
  const { own, begun } = memoryOf(server);
  return own + begun;
};

/** The most of both, looked at several times a second until it is asked. */
function watch(server: Served): () => ReturnType<typeof memoryOf> {
  let most = memoryOf(server);
  const timer = setInterval(() => {
    const now = memoryOf(server);
    most = { own: Math.max(most.own, now.own), begun: Math.max(most.begun, now.begun) };
  }, 300);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Every report on the screen and as each file it has. */
async function everyReport(line: Line, { place, items, parties }: Books): Promise<void> {
  const day = today();
  const filters: Record<string, string> = {
    item: items[0] ?? '',
    from: '2023-05-01',
    to: day,
    asOf: day,
    period: day.slice(5, 7) + day.slice(0, 4),
    registration: place.registration,
  };
  /** What narrows a report is left out where it may be. */
  const narrowing: Record<string, string> = { party: parties[0] ?? '', location: place.location };
  for (const [report, { filters: known }] of Object.entries<Report>(reports)) {
    if ('ledger' in known) continue; // needs a ledger chosen: its sheet is that of the day book
    const asked = Object.fromEntries(
      Object.entries(known).flatMap(([name, { required, choices }]) => {
        const value = filters[name] ?? (required ? (narrowing[name] ?? choices?.[0]?.[0]) : undefined);
        return value ? [[name, value]] : [];
      }),
    );
    await line.ask('RunReport', { report, filters: asked } as never);
    for (const format of ['xlsx', 'pdf']) await line.ask('ExportReport', { report, filters: asked, format } as never);
  }
}

/** Goal 12: the built server with its jobs, beside a bare server of the same stack. */
export async function* measureMemory(
  { home, database }: World,
  found: (server: Served) => Promise<Books>,
): AsyncGenerator<Row> {
  const bare = await serve('bench/bare.mjs', database, home);
  await rest(REST);
  const least = together(bare);
  await bare.stop();
  yield { what: 'Memory of a bare Fastify and pg', value: least, unit: ' MB' };
  const server = await serve('dist/server.mjs', database, home);
  await rest(REST);
  const atRest = together(server);
  yield { what: 'Memory of the server at rest', value: atRest, unit: ' MB' };
  yield { goal: 12, what: 'Server at rest ÷ bare', value: atRest / least, accept: 2, stretch: 1.5 };
  const books = await found(server);
  const lines = await Promise.all(Array.from({ length: 8 }, () => server.open(books)));
  const mostOf = watch(server);
  let left = POSTS;
  await Promise.all(
    lines.map(async (line) => {
      while (left-- > 0) await postOne(line, books, sale(books));
    }),
  );
  await everyReport(lines[0] as Line, books);
  const most = mostOf();
  for (const line of lines) line.end();
  await rest(LATER);
  const after = together(server);
  await server.stop();
  const posts = POSTS.toLocaleString('en-IN');
  yield { what: 'The most of the server meanwhile', value: most.own, unit: ' MB' };
  yield { what: 'The most of its printer, a process that ends when idle', value: most.begun, unit: ' MB' };
  yield {
    goal: 12,
    what: `30 s after ${posts} posts and every report with its files ÷ bare`,
    value: after / least,
    accept: 3,
    stretch: 2,
  };
}
