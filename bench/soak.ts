import fs from 'node:fs';
import { brokenInvariants } from '../server/kit/database/invariants.ts';
import { memoryOf, rest } from './memory.ts';
import { sale } from './posting.ts';
import { at, median, type Row } from './table.ts';
import type { Line } from './wire.ts';
import { type Books, postOne, type Served, serve, type World } from './world.ts';

// npm run bench soak: posts steadily for hours. What grows with the number of posts, be it by bytes, shows here and nowhere else.

const MINUTES = Number(process.env.BENCH_SOAK_MINUTES ?? 480);
const RATE = Number(process.env.BENCH_SOAK_RATE ?? 20);
const CLIENTS = 8;
const SAMPLE = 5000;
/** A pool closes what nobody has used for ten seconds. */
const QUIET = 15_000;

interface Sample {
  readonly minutes: number;
  readonly megabytes: number;
}

/** So many posts a second for so long; one that is late is made up for. */
async function steadily(post: (client: number) => Promise<unknown>, onSample: (sample: () => number) => void) {
  const times: number[] = [];
  const refused: string[] = [];
  const began = performance.now();
  const minutes = () => (performance.now() - began) / 60_000;
  onSample(minutes);
  let turn = 0;
  const one = async (client: number): Promise<void> => {
    while (minutes() < MINUTES) {
      const due = began + (turn++ * 1000) / RATE;
      if (due > performance.now()) await rest(due - performance.now());
      const start = performance.now();
      await post(client).then(
        () => times.push(performance.now() - start),
        (error: unknown) => refused.push(String(error)),
      );
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => one(client)));
  return { times, refused, minutes: minutes() };
}

/** F-45: memory after a warm-up and at the end, connections and open files at rest before and after. */
export async function* measureSoak(world: World, found: (server: Served) => Promise<Books>): AsyncGenerator<Row> {
  const server = await serve('dist/server.mjs', world.database, world.home);
  const books = await found(server);
  const look = async () => {
    const { rows } = await world.superuser.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend'`,
    );
    return { connections: rows[0]?.n ?? 0, files: fs.readdirSync(`/proc/${server.process.pid}/fd`).length };
  };
  // the least of some looks: the sealer, the sweeps and the jobs come and go
  const open = async () => {
    await rest(QUIET);
    const looks = [await look()];
    for (let turn = 0; turn < 10; turn++) {
      await rest(1000);
      looks.push(await look());
    }
    const least = (all: readonly number[]) => Math.min(...all);
    return { connections: least(looks.map((l) => l.connections)), files: least(looks.map((l) => l.files)) };
  };
  const documents = async () => {
    const text = `select count(*)::int as n from documents where kind = 'saleInvoice' and organisation = $1`;
    return (await world.owner.query<{ n: number }>(text, [books.organisation])).rows[0]?.n ?? 0;
  };
  const [before, there] = [await open(), await documents()];
  const lines = await Promise.all(Array.from({ length: CLIENTS }, () => server.open(books)));
  const samples: Sample[] = [];
  let sampling: NodeJS.Timeout | undefined;
  const done = await steadily(
    (client) => postOne(lines[client] as Line, books, sale(books)),
    (minutes) => {
      sampling = setInterval(() => samples.push({ minutes: minutes(), megabytes: memoryOf(server).own }), SAMPLE);
    },
  );
  clearInterval(sampling);
  for (const line of lines) line.end();
  const after = await open();
  const posted = (await documents()) - there;
  await server.stop();

  // a quarter of a short run, half an hour of a long one; then the first and the last part of what is left, of equal length
  const warm = Math.min(MINUTES / 4, 30);
  const part = (MINUTES - warm) / 4;
  const within = (from: number) =>
    median(samples.filter(({ minutes }) => minutes >= from && minutes < from + part).map((s) => s.megabytes));
  const [first, last] = [within(warm), within(MINUTES - part)];
  const length = `${done.minutes.toFixed(0)} minutes`;
  for (const text of new Set(done.refused)) process.stderr.write(`${text}\n`);
  yield { what: `Posts a second, over ${length}`, value: done.times.length / done.minutes / 60, unit: '/s' };
  yield { what: 'p95 of a post', value: at(done.times, 0.95), unit: ' ms' };
  yield { what: 'Memory of the server after the warm-up', value: first, unit: ' MB' };
  yield {
    what: `Memory at the end ÷ after ${warm.toFixed(0)} minutes`,
    value: last / first,
    accept: 1.05,
    stretch: 1.02,
  };
  yield {
    what: 'Connections at rest, more than before',
    value: after.connections - before.connections,
    unit: '',
    accept: 0,
  };
  yield { what: 'Open files at rest, more than before', value: after.files - before.files, unit: '', accept: 0 };
  yield { what: 'Posts refused', value: done.refused.length, unit: '', accept: 0 };
  yield {
    what: 'Posts acknowledged and not there, or there and not acknowledged',
    value: Math.abs(posted - done.times.length),
    unit: '',
    accept: 0,
  };
  yield { what: 'Invariants broken', value: (await brokenInvariants(world.owner)).length, unit: '', accept: 0 };
}
