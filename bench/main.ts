import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { brokenInvariants } from '../server/kit/database/invariants.ts';
import { root } from '../server/kit/database/migrate.ts';
import { fill, fillRecords } from './fill.ts';
import { measureImports } from './imports.ts';
import { measureMemory } from './memory.ts';
import { measurePages } from './pages.ts';
import { measureGrowth, measurePosting, measureStatements, sale } from './posting.ts';
import { measureLists, measureSearch, measureStatementsOf } from './reads.ts';
import { measureSoak } from './soak.ts';
import { measureStart } from './start.ts';
import { printHead, printRow, type Row, verdict } from './table.ts';
import { type Books, foundBooks, openWorld, postOne, type Served, serve, type World } from './world.ts';

// npm run bench: each goal as a ratio of two figures of this one run. docs/speed.md says what bounds them.

const MANY = Number(process.env.BENCH_INVOICES ?? 170_000);
const LISTED = Number(process.env.BENCH_LISTED ?? 1_000_000);
const FOUND = Number(process.env.BENCH_FOUND ?? 100_000);
const counted = (n: number) => n.toLocaleString('en-IN');

/** The product is measured as it is built; the posting without its jobs has a program of its own. */
async function built(): Promise<void> {
  const { status } = spawnSync(process.execPath, ['tools/build.mjs'], { cwd: root(), stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
  const { build: bundle } = await import('vite');
  const input = { 'bench-server': path.join(root(), 'bench/serve.ts') };
  await bundle({
    root: root(),
    configFile: path.join(root(), 'vite.server.config.ts'),
    logLevel: 'error',
    build: { rolldownOptions: { input } },
  });
}

/** Parts that take hours are measured only when they are named. */
const NAMED: readonly string[] = ['soak'];
const wanted = (part: string): boolean => {
  const named = process.argv.slice(2);
  return named.includes(part) || (named.length === 0 && !NAMED.includes(part));
};
function said(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
let began = performance.now();
const step = (what: string): void => {
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${what}\n`);
};

/** Books with goods in stock and some invoices of today, the first to be copied. */
async function stocked(
  world: World,
  server: Served,
  code: string,
  { parties = 500, einvoice = true } = {},
): Promise<{ readonly books: Books; readonly invoice: string }> {
  const books = await foundBooks(world, code, 200, parties, einvoice);
  const line = await server.open(books);
  const received = books.items.map((item) => ({ item, quantity: '1000000', rate: '60' }));
  const bill = {
    kind: 'purchaseBill',
    party: books.parties[0],
    date: '2023-05-01',
    reference: 'M-1',
    referenceDate: '2023-05-01',
  };
  await postOne(line, books, { ...bill, lines: received });
  const { id } = await postOne(line, books, sale(books));
  for (let i = 0; i < 200; i++) await postOne(line, books, sale(books));
  line.end();
  await world.superuser.query('analyze'); // as the database does by itself within a minute
  return { books, invoice: id };
}

async function* posting(world: World, server: Served): AsyncGenerator<Row> {
  step('posting');
  const { books } = await stocked(world, server, 'POSTED');
  yield* await measurePosting(world, server, books);
  yield await measureStatements(world, books);
  step('the invariants of what was posted');
  const broken = await brokenInvariants(world.owner);
  yield { what: 'Invariants broken by what was posted', value: broken.length, unit: '', accept: 0 };
}

async function* reads(world: World, server: Served): AsyncGenerator<Row> {
  step(`filling books with ${counted(MANY)} invoices`);
  const few = await stocked(world, server, 'FEW');
  const [middle, many] = [await stocked(world, server, 'MIDDLE'), await stocked(world, server, 'MANY')];
  await fill(world, few.books, few.invoice, 1000);
  await fill(world, middle.books, middle.invoice, 16_667);
  await fill(world, many.books, many.invoice, MANY);
  step('posting into few and into many');
  yield await measureGrowth(server, few.books, many.books, counted(MANY));
  step('statements');
  yield* await measureStatementsOf(server, middle.books, many.books, counted(MANY * 6));
  step(`listing ${counted(LISTED)} invoices`);
  const listed = await stocked(world, server, 'LISTED', { parties: 20_000 });
  await fill(world, listed.books, listed.invoice, LISTED, { bare: true });
  step('lists');
  yield* await measureLists(server, listed.books, LISTED);
  step(`adding ${counted(FOUND)} parties and items`);
  await fillRecords(world, listed.books, FOUND);
  step('search');
  yield* await measureSearch(server, listed.books, FOUND, LISTED);
}

async function* memory(world: World): AsyncGenerator<Row> {
  step('memory');
  yield* measureMemory(world, async (server) => (await stocked(world, server, 'KEPT', { einvoice: false })).books);
}

async function* imports(world: World): AsyncGenerator<Row> {
  step('imports');
  yield* measureImports(world, await foundBooks(world, 'IMPORTED', 10, 100, false));
}

async function* soak(world: World): AsyncGenerator<Row> {
  step('soak');
  yield* measureSoak(world, async (server) => (await stocked(world, server, 'SOAKED', { einvoice: false })).books);
}

async function* pages(world: World, server: Served): AsyncGenerator<Row> {
  step('pages');
  yield* await measurePages(server, (await stocked(world, server, 'SHOWN')).books);
}

/** Each part in a database of its own, so that none measures what another has left behind. */
async function* inWorld(
  part: string,
  measure: (world: World, server: Served) => AsyncGenerator<Row>,
): AsyncGenerator<Row> {
  if (!wanted(part)) return;
  const world = await openWorld();
  try {
    const server = await serve('dist/bench-server.mjs', world.database, world.home);
    yield* measure(world, server);
    await server.stop();
  } catch (error) {
    said(error); // now: clients that are open make an error of their own of the database's end
    throw error;
  } finally {
    await world.stop();
  }
}

async function* everything(): AsyncGenerator<Row> {
  // before the disk has a million entries to put away
  if (wanted('start')) {
    step('first start');
    yield* await measureStart();
  }
  yield* inWorld('posting', posting);
  yield* inWorld('reads', reads);
  yield* inWorld('memory', memory);
  yield* inWorld('pages', pages);
  yield* inWorld('imports', imports);
  yield* inWorld('soak', soak);
}

async function main(): Promise<void> {
  step('building');
  await built();
  began = performance.now();
  printHead();
  for await (const row of everything()) {
    printRow(row);
    if (verdict(row) === 'MISSED') process.exitCode = 1;
  }
  step('done');
}

main().catch((error: unknown) => {
  said(error);
  process.exit(1);
});
