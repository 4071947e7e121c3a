import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { type ScreenName, screens } from '../contract/screens.ts';
import { signIn } from '../e2e/kit/shop.ts';
import { root } from '../server/kit/database/migrate.ts';
import { launchBrowser, timesOfKeys } from '../tools/testing/browser.ts';
import { median, type Row } from './table.ts';
import { detailsOf } from './wire.ts';
import { type Books, type Served, today } from './world.ts';

const LINES = 50;
const KEYS = 40;

const packed = new Map<string, number>();
/** Size of a built file as it goes over the wire. */
function kilobytes(file: string): number {
  const known =
    packed.get(file) ?? gzipSync(fs.readFileSync(path.join(root(), 'dist/web', file)), { level: 9 }).length / 1000;
  packed.set(file, known);
  return known;
}
const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + kilobytes(file), 0);

/** Opens a screen in a fresh page; the scripts and styles it has fetched when it has come to rest. */
async function fetched(page: Page, url: string): Promise<Set<string>> {
  const files = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/assets\/.*\.(js|css)$/.test(pathname)) files.add(pathname);
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  page.removeAllListeners('request');
  return files;
}

/** One screen of each sort: what is drawn by the same view fetches the same. */
function oneOfEach(): ScreenName[] {
  const seen = new Set<string>();
  return (Object.keys(screens) as ScreenName[]).filter((name) => {
    const { show } = screens[name];
    const sort = show.view === 'own' ? show.name : show.view;
    if (seen.has(sort) || show.view === 'later') return false;
    seen.add(sort);
    return true;
  });
}

async function measureWeight(page: Page, url: string): Promise<Row[]> {
  const home = await fetched(page, `${url}/layout/Home`);
  const isScript = (file: string) => file.endsWith('.js');
  let heaviest: { readonly name: string; readonly size: number } = { name: '', size: 0 };
  for (const name of oneOfEach()) {
    const files = await fetched(page, `${url}/layout/${encodeURIComponent(name)}`);
    const size = sum([...files].filter((file) => isScript(file) && !home.has(file)));
    if (size > heaviest.size) heaviest = { name, size };
  }
  return [
    {
      goal: 13,
      what: 'First load of the app, signed in, JS and CSS in gzip',
      value: sum(home),
      unit: ' kB',
      accept: 270,
      stretch: 200,
    },
    {
      goal: 13,
      what: 'Most further JS of any sort of page',
      value: heaviest.size,
      unit: ' kB',
      accept: 90,
      stretch: 60,
      note: heaviest.name,
    },
  ];
}

/** A draft of so many lines, kept by its call. */
async function longDraft(
  server: Served,
  { items, parties, place }: Books,
  open: Awaited<ReturnType<Served['open']>>,
): Promise<string> {
  const lines = Array.from({ length: LINES }, (_, i) => ({ item: items[i], quantity: '1', rate: '100' }));
  const body = {
    kind: 'saleInvoice',
    date: today(),
    ...place,
    currency: 'INR',
    exchangeRate: '1',
    party: parties[1],
    lines,
  };
  const { TransactionId } = detailsOf<{ TransactionId: string }>(
    await open.ask('AddTransactionDetails', { kind: 'saleInvoice', body } as never),
  );
  return `${server.url}/layout/Create%20Invoice?id=${TransactionId}`;
}

/** Script time a key costs while a quantity is typed, all that follows from it included. Milliseconds. */
async function measureKeys(page: Page, url: string): Promise<Row[]> {
  await page.goto(url);
  await page.getByLabel(`Item, line ${LINES}`).waitFor({ state: 'attached' });
  await page.getByLabel('Quantity, line 10').click();
  const { script, all } = await timesOfKeys(page, KEYS);
  return [
    {
      what: `Script for a key in an invoice of ${LINES} lines`,
      value: median(script),
      unit: ' ms',
      accept: 16,
      stretch: 5,
      note: 'no goal of its own; a frame is 16 ms',
    },
    { what: '  all work of the page for it, drawing included', value: median(all), unit: ' ms' },
  ];
}

/** Goal 13, and what typing costs: a real browser on the built app. */
export async function measurePages(server: Served, books: Books): Promise<Row[]> {
  const line = await server.open(books);
  const draft = await longDraft(server, books, line);
  line.end();
  const browser: Browser = await launchBrowser();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await signIn(page, server.url, books.email);
    const weight = await measureWeight(page, server.url);
    return [...weight, ...(await measureKeys(page, draft))];
  } finally {
    await browser.close();
  }
}
