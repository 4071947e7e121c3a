import { openLimit } from './limit.ts';
import { at, median, type Row } from './table.ts';
import { countStatements, type Line } from './wire.ts';
import { type Books, postOne, type Served, serve, type World } from './world.ts';

const SLICE = Number(process.env.BENCH_SLICE ?? 1) * 1000;
const WARM = Number(process.env.BENCH_WARM ?? 8000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);

interface Measured {
  readonly rate: number;
  readonly times: readonly number[];
}

/** So many clients, each with one request at a time, for a slice of time. */
async function load(clients: number, post: (client: number) => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  const began = performance.now();
  const until = began + SLICE;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < until) {
        const start = performance.now();
        await post(client);
        times.push(performance.now() - start);
      }
    }),
  );
  return { rate: (times.length * 1000) / (performance.now() - began), times };
}

/** So many posts, by so many clients together. */
async function posts(clients: number, count: number, post: (client: number) => Promise<unknown>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (left-- > 0) await post(client);
    }),
  );
}

const below = (n: number): number => Math.floor(Math.random() * n);

/** A sale of five different items to one of the customers. */
export const sale = ({ items, parties }: Books): Record<string, unknown> => {
  const fifth = Math.floor(items.length / 5);
  return {
    kind: 'saleInvoice',
    party: parties[below(parties.length)],
    lines: [0, 1, 2, 3, 4].map((i) => ({ item: items[i * fifth + below(fifth)], quantity: '1', rate: '100' })),
  };
};

/** Each customer of a load has a connection of its own. */
const openLines = (server: Served, books: Books, count: number): Promise<Line[]> =>
  Promise.all(Array.from({ length: count }, () => server.open(books)));

/** Goals 1, 2, 3: posting over HTTP beside the bare statement, by turns. */
export async function measurePosting({ owner, database }: World, server: Served, books: Books): Promise<Row[]> {
  await owner.query('create database bench_limit');
  const limit = await openLimit(database.ownerUrl.replace('/bahi?', '/bench_limit?'), 8);
  // as in the middle of a day: Node compiles what a posting runs through during the first thousands of them
  const early = await openLines(server, books, 8);
  await posts(8, WARM, (client) => postOne(early[client] as Line, books, sale(books)));
  for (const line of early) line.end();
  await load(8, limit.post);
  // opened now: the server keeps none open for long that asks nothing
  const lines = await openLines(server, books, 32);
  const ours = (client: number) => postOne(lines[client] as Line, books, sale(books));
  const rounds: Record<'limit1' | 'ours1' | 'limit8' | 'ours8' | 'ours32', Measured>[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      limit1: await load(1, limit.post),
      ours1: await load(1, ours),
      limit8: await load(8, limit.post),
      ours8: await load(8, ours),
      ours32: await load(32, ours),
    });
  for (const line of lines) line.end();
  await limit.end();
  const all = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  return [
    { what: 'The limit: one bare statement an invoice, 1 client', value: all((r) => r.limit1.rate), unit: '/s' },
    { what: 'The limit, 8 clients on one series', value: all((r) => r.limit8.rate), unit: '/s' },
    { what: 'Posting over HTTP, 1 client', value: all((r) => r.ours1.rate), unit: '/s' },
    { what: 'Posting over HTTP, 8 clients on one series', value: all((r) => r.ours8.rate), unit: '/s' },
    { what: 'Posting over HTTP, 32 clients on one series', value: all((r) => r.ours32.rate), unit: '/s' },
    {
      goal: 1,
      what: 'Post a 5-line invoice over HTTP, 1 client ÷ the limit',
      value: all((r) => r.ours1.rate / r.limit1.rate),
      accept: 0.25,
      stretch: 0.5,
      better: 'more',
    },
    {
      goal: 2,
      what: 'Post, 8 clients on one series ÷ the limit with 8 clients',
      value: all((r) => r.ours8.rate / r.limit8.rate),
      accept: 0.85,
      stretch: 1.4,
      better: 'more',
    },
    {
      goal: 3,
      what: 'p95 at 8 clients ÷ own p50 at 1 client',
      value: all((r) => at(r.ours8.times, 0.95) / at(r.ours1.times, 0.5)),
      accept: 6,
      stretch: 4,
    },
    {
      goal: 3,
      what: 'Numbers missing, given twice or refused, 32 clients',
      value: await faults(owner, books),
      unit: '',
      accept: 0,
    },
  ];
}

/** Gaps and doubles of the invoices' series. An error would have ended the run. */
async function faults(owner: World['owner'], { organisation }: Books): Promise<number> {
  const { rows } = await owner.query<{ faults: number }>(
    `
      select (max(n) - min(n) + 1 - count(distinct n) + count(*) - count(distinct n))::int as faults
      from (
        select substring(number from '[0-9]+$')::int as n
        from documents
        where organisation = $1 and kind = 'saleInvoice' and series is not null
      ) x
    `,
    [organisation],
  );
  return rows[0]?.faults ?? -1;
}

/** Goal 4: the same posting into much and into little, by turns. */
export async function measureGrowth(server: Served, few: Books, many: Books, size: string): Promise<Row> {
  const [into] = await openLines(server, few, 1);
  const [intoMany] = await openLines(server, many, 1);
  if (!into || !intoMany) throw new Error('no connection');
  const post = (line: Line, books: Books) => () => postOne(line, books, sale(books));
  await load(1, post(into, few));
  await load(1, post(intoMany, many));
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const little = await load(1, post(into, few));
    ratios.push((await load(1, post(intoMany, many))).rate / little.rate);
  }
  for (const line of [into, intoMany]) line.end();
  return {
    goal: 4,
    what: `Rate with ${size} invoices in the books ÷ with few`,
    value: median(ratios),
    accept: 0.9,
    stretch: 0.95,
    better: 'more',
    note: `${size} in place of 1M`,
  };
}

/** Goal 5: statements on the wire between server and database, the session's own included. */
export async function measureStatements({ home, database }: World, books: Books): Promise<Row> {
  const socket = new URL(database.url.replace('postgresql:///', 'http://x/')).searchParams.get('host');
  const counter = await countStatements(`${socket}/.s.PGSQL.5432`);
  const url = `postgresql://bahi_app@127.0.0.1:${counter.port}/bahi`;
  const server = await serve('dist/bench-server.mjs', { ...database, url }, home);
  const line = await server.open(books);
  const posts = 200;
  // as in the middle of a day: the process has met the customers and the goods
  for (let i = 0; i < 1500; i++) await postOne(line, books, sale(books));
  counter.taken();
  const counts: number[] = [];
  for (let i = 0; i < posts; i++) {
    await postOne(line, books, sale(books));
    counts.push(counter.taken());
  }
  const mean = counts.reduce((t, n) => t + n, 0) / posts;
  line.end();
  await server.stop();
  counter.end();
  return {
    goal: 5,
    what: 'Statements per posted invoice, on the wire',
    value: median(counts),
    accept: 4,
    stretch: 2,
    note: `on average ${mean.toFixed(1)} with the session and the news of other processes, which come by the second`,
  };
}
