import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { reports } from '../contract/reports.ts';
import { type Screen, screenNames, screens } from '../contract/screens.ts';
import type { Session } from '../contract/session.ts';
import { fillShop } from '../e2e/kit/full-shop.ts';
import { type Shop, signIn } from '../e2e/kit/shop.ts';
import { axe, drawn, launchBrowser, tooWide } from './testing/browser.ts';
import { flawsOf } from './testing/flaws.ts';
import { drawSheets } from './testing/sheets.ts';

/**
 * Opens every screen that works, empty and with a record, wide and on a phone, light and dark, of a running product with
 * its demo books, made longer first; the pictures, sheets of them and `flaws.txt` go into a folder:
 * `node tools/run.mjs tools/look.ts http://127.0.0.1:3000 /tmp/look`.
 * `--only=word` takes the screens whose name or view holds that word, `--as=email` signs in as somebody else,
 * `--as-it-is` makes no books longer (an organisation without any is to be seen so), `--axe` asks axe too.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    as: { type: 'string', default: 'owner@sharma.demo' },
    'as-it-is': { type: 'boolean', default: false },
    axe: { type: 'boolean', default: false },
  },
});
const [url = 'http://127.0.0.1:3000', folder = 'look'] = positionals;

/** What is looked at: a name for its pictures, and where it stands. */
interface Sight {
  readonly name: string;
  readonly address: string;
  /** What is done on it before it is looked at. */
  act?(page: Page): Promise<void>;
}

const looks = [
  { width: 1440, height: 900, mode: 'light' },
  { width: 1440, height: 900, mode: 'dark' },
  { width: 390, height: 844, mode: 'light' },
  { width: 390, height: 844, mode: 'dark' },
] as const;
/** Higher than a window ever is, so that what lies under the edge is seen; lists fill any height. */
const HIGHEST = 1700;

/** The calls of the product as the one who is signed in at that page. */
const askerOf =
  (page: Page) =>
  async (name: string, service: string, input: Record<string, unknown>, posts = true): Promise<never> => {
    const headers = { 'x-requested-by': 'bahi', 'idempotency-key': randomUUID() };
    const query = posts ? '' : `?${new URLSearchParams(input as Record<string, string>)}`;
    const response = await page.request.fetch(`${url}/api/${service}/${name}${query}`, {
      method: posts ? 'POST' : 'GET',
      headers,
      ...(posts && { data: input }),
    });
    const { details, message } = (await response.json()) as { details: unknown; message: string };
    if (!response.ok()) throw new Error(`${name}: ${message} ${JSON.stringify(details)}`);
    return details as never;
  };
type Asker = ReturnType<typeof askerOf>;

const services: Readonly<Record<string, readonly [service: string, posts: boolean]>> = {
  SaveMaster: ['masters', true],
  ListMasters: ['masters', false],
  GetSession: ['session', false],
  PostTransactionCalls: ['transactions', true],
};

/** The shop of the demo books, as the walks know one. */
async function shopOf(ask: Asker): Promise<Shop> {
  const session: Session = await ask('GetSession', 'session', {}, false);
  const { id: location = '', registration = '' } = session.locations.find(({ isPhysical }) => isPhysical) ?? {};
  const owner = {
    ask: (name: string, input: Record<string, unknown>) => {
      const [service = '', posts = true] = services[name] ?? [];
      return ask(name, service, input, posts);
    },
  } as unknown as Shop['owner'];
  return {
    owner,
    place: { registration, location },
    customer: '',
    item: '',
    ledger: async (code) => {
      const found: { rows: { id: string; values: { code: string } }[] } = await ask(
        'ListMasters',
        'masters',
        { master: 'ledger', search: code },
        false,
      );
      return found.rows.find((row) => row.values.code === code)?.id ?? '';
    },
    post: (document) =>
      ask('PostTransactionCalls', 'transactions', {
        document: { date: session.today, lines: [], registration, location, ...document },
      }),
  };
}

/** Long names and crores, and a quotation of a hundred lines, once; answers that quotation. */
async function makeLonger(ask: Asker): Promise<string> {
  const reference = 'A HUNDRED LINES';
  const listed: { rows: { id: string }[] } = await ask(
    'GetTransationsList',
    'transactions',
    { Type: 'quotation', Search: reference, start: '1', end: '1' },
    false,
  );
  if (listed.rows[0]) return listed.rows[0].id;
  const shop = await shopOf(ask);
  const { ids } = await fillShop(shop);
  const line = (number: number) => ({ item: ids.get('item'), quantity: String(number), rate: '999999.99' });
  const lines = Array.from({ length: 100 }, (_, at) => line(at + 1));
  return (await shop.post({ kind: 'quotation', party: ids.get('customer'), reference, lines })).TransactionId;
}

/** Of the records of a master, or the documents of a kind, the one with the most to show. */
async function richest(ask: Asker, show: Screen['show']): Promise<string | undefined> {
  const lists: { rows: { id: string; total?: string; draft?: boolean }[] } =
    'kind' in show
      ? await ask('GetTransationsList', 'transactions', { Type: show.kind, start: '1', end: '200' }, false)
      : 'master' in show
        ? await ask('ListMasters', 'masters', { master: show.master, limit: '200' }, false)
        : { rows: [] };
  const weight = (row: (typeof lists.rows)[number]) =>
    row.total === undefined ? JSON.stringify(row).length : Math.abs(Number(row.total));
  return lists.rows
    .filter((row) => !row.draft)
    .sort((one, other) => weight(other) - weight(one))
    .at(0)?.id;
}

const layout = (screen: string, query = ''): string => `${url}/layout/${encodeURIComponent(screen)}${query}`;

/** Every screen that works, as it opens and with a record; the reports that share a screen one by one. */
async function sightsOf(ask: Asker): Promise<Sight[]> {
  const sights: Sight[] = [];
  for (const name of screenNames) {
    const { show } = screens[name] as Screen;
    if (show.view === 'later') continue;
    sights.push({ name: `${show.view} ${name}`, address: layout(name) });
    if (!['documentView', 'masterForm'].includes(show.view)) continue;
    const id = await richest(ask, show);
    if (id) sights.push({ name: `${show.view} ${name} filled`, address: layout(name, `?id=${id}`) });
  }
  for (const [name, { screen }] of Object.entries(reports)) {
    const { show } = screens[screen] as Screen;
    if (show.view === 'report' && show.report !== name)
      sights.push({ name: `report ${name}`, address: layout(screen, `?report=${name}`) });
  }
  return sights;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const key = (keys: string) => (page: Page) => page.keyboard.press(keys);

/** Dialogs of a screen, and parts that appear after something was typed. */
async function scenesOf(ask: Asker, hundred: string): Promise<Sight[]> {
  const invoice = layout('saleview', `?id=${await richest(ask, screens.saleview.show)}`);
  const dialog = (name: string, address: string, act: NonNullable<Sight['act']>): Sight => ({
    name: `dialog ${name}`,
    address,
    act,
  });
  return [
    { name: 'scene a hundred lines', address: layout('Create Invoice', `?from=${hundred}`) },
    { name: 'scene a hundred lines shown', address: layout('QuationView', `?id=${hundred}`) },
    dialog('print', invoice, press('Print')),
    dialog('mail', invoice, press('Mail')),
    dialog('cancel', invoice, press('Cancel document')),
    dialog('continue', invoice, (page) => page.getByText('Continue as').click()),
    dialog('attempts', invoice, press('Show attempts')),
    dialog('way bill', invoice, press('Make e-way bill')),
    dialog('columns', layout('Sale Invoice'), press('Columns')),
    dialog('bulk', layout('Sale Invoice'), (page) => page.getByRole('checkbox').first().click()),
    dialog('notifications', layout('Home'), press(/^Notifications/)),
    dialog('theme', layout('Home'), press('Theme')),
    dialog('account', layout('Home'), press(/^User menu/)),
    dialog('search', layout('Home'), key('Control+k')),
    dialog('keys', layout('Home'), key('?')),
    dialog('help', layout('Home'), press('Help')),
    dialog('new till', layout('PoSNewCreation'), press('New till')),
    dialog('open till', layout('PoSNewCreation'), press(/^Open /)),
    dialog('figures', layout('PoSNewCreation'), press('Figures')),
    dialog('new party', layout('Create Invoice'), async (page) => {
      await page.getByLabel(/^Customer/).fill('Nobody of that name');
      await page.getByRole('option', { name: /^Create/ }).click();
    }),
    dialog('refused', layout('Create Invoice'), key('Control+Enter')),
    dialog('refused form', layout('Create Party'), key('Control+s')),
    dialog('count', layout('Count Sheets'), press(/^New count/)),
  ];
}

/** Takes the four pictures of a sight and answers its flaws. */
async function look(page: Page, { name, address, act }: Sight): Promise<string[]> {
  const flawsFound: string[] = [];
  const [first] = looks;
  await page.setViewportSize(first);
  await page.emulateMedia({ colorScheme: first.mode });
  await page.goto(address);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  await act?.(page);
  await page.waitForLoadState('networkidle');
  for (const { width, height, mode } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: mode });
    await drawn(page);
    const overflow = await page.evaluate(() => {
      const main = document.querySelector('.shell-main');
      return main ? main.scrollHeight - main.clientHeight : 0;
    });
    await page.setViewportSize({ width, height: Math.min(HIGHEST, height + overflow) });
    await page.waitForLoadState('networkidle');
    await drawn(page);
    const where = `${name} | ${width} ${mode}`;
    if (mode === 'light') {
      const { cut, covered, small } = await flawsOf(page);
      for (const [what, flaws] of Object.entries({ wide: await tooWide(page), cut, covered, small }))
        flawsFound.push(...flaws.map((flaw) => `${where} | ${what} | ${flaw}`));
    }
    if (values.axe) flawsFound.push(...(await axe(page)).map((flaw) => `${where} | axe | ${flaw}`));
    await page.screenshot({ path: path.join(folder, `${width}-${mode}`, `${name.replace(/[^\w-]+/g, '_')}.png`) });
  }
  return flawsFound;
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  // the runner of TypeScript names functions by this, also those that run in the page
  await context.addInitScript('globalThis.__name = (one) => one');
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await signIn(page, url, values.as);
  return page;
}

for (const { width, mode } of looks) fs.mkdirSync(path.join(folder, `${width}-${mode}`), { recursive: true });
const browser = await launchBrowser();
const page = await openPage(browser);
const ask = askerOf(page);
const hundred = values['as-it-is'] ? undefined : await makeLonger(ask);
const sights = [...(await sightsOf(ask)), ...(hundred ? await scenesOf(ask, hundred) : [])];
const wanted = sights.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()));
const flaws: string[] = [];
page.on('pageerror', (error) => flaws.push(`${page.url()} | bug | ${error.message}`));
for (const [at, sight] of wanted.entries()) {
  process.stdout.write(`${at + 1} of ${wanted.length}: ${sight.name}\n`);
  flaws.push(...(await look(page, sight).catch((error: Error) => [`${sight.name} | failed | ${error.message}`])));
}
fs.writeFileSync(path.join(folder, 'flaws.txt'), `${flaws.join('\n')}\n`);
for (const { width, mode } of looks)
  await drawSheets(browser, path.join(folder, `${width}-${mode}`), path.join(folder, 'sheets'), width < 640 ? 6 : 2);
await browser.close();
