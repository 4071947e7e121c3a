import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reports } from '../../contract/reports.ts';
import { FIRST_OWN, type Screen, screenNames, screens } from '../../contract/screens.ts';
import { axe, drawn, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { fillShop } from '../kit/full-shop.ts';
import { goTo } from '../kit/go.ts';
import { openShop, signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
let ids: ReadonlyMap<string, string>;
const bugs: string[] = [];

beforeAll(async () => {
  server = await testServer();
  ({ ids } = await fillShop(await openShop(server)));
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('pageerror', (error) => bugs.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') bugs.push(`${page.url()}: ${message.text()}`);
  });
  await signIn(page, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const works = screenNames.filter((name) => (screens[name] as Screen).show.view !== 'later');
/** One screen of each view and shape; `npm run check -- --all` does every one. */
const shape = (name: (typeof works)[number]): string => {
  const { show } = screens[name] as Screen;
  return show.view === 'own' || show.view === 'settings' ? name : show.view;
};
const sampled =
  process.env.BAHI_ALL === '1'
    ? works
    : works.filter((name, index) => works.findIndex((other) => shape(other) === shape(name)) === index);

test('the count of screens that work', () => {
  // beside the specification's own stand those that the product needs besides
  const named = screenNames.filter((name) => screens[name].id < FIRST_OWN);
  const working = named.filter((name) => works.includes(name));
  process.stdout.write(`${working.length} of ${named.length} screens work\n`);
  expect(named).toHaveLength(182);
  expect(working.length).toBeGreaterThanOrEqual(153);
});

/** A view shows its document and a form its record, where there is one. */
const addressOf = (name: (typeof works)[number], query = ''): string => {
  const { show } = screens[name] as Screen;
  const id = show.view === 'documentView' ? ids.get(show.kind) : show.view === 'masterForm' ? ids.get(show.master) : '';
  return `${server.url}/layout/${encodeURIComponent(name)}${query || (id ? `?id=${id}` : '')}`;
};
/** What only a run over everything looks at besides: blank forms, and the reports that share a screen with another one. */
const besides: readonly (readonly [what: string, name: (typeof works)[number], query: string])[] =
  process.env.BAHI_ALL === '1'
    ? [
        ...works
          .filter((name) => (screens[name] as Screen).show.view === 'masterForm')
          .map((name) => [`${name}, blank`, name, '?id=new'] as const),
        ...Object.entries(reports).map(([report, { screen }]) => [report, screen, `?report=${report}`] as const),
      ]
    : [];

/** Of a run over everything each form but those of what is never made by hand has a record to show. */
const withoutRecord = (): readonly string[] =>
  works.filter((name) => {
    const { show } = screens[name] as Screen;
    return show.view === 'masterForm' && !ids.has(show.master);
  });

/** At a width and in a mode, once the page has been drawn so. */
const drawnAt = async (width: number, height: number, colorScheme: 'light' | 'dark') => {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await drawn(page);
};

/** The height at which nothing lies under the bars that stick: what they cover could not be measured. */
const wholeHeight = () =>
  page.evaluate(() => {
    const main = document.querySelector('.shell-main');
    return Math.min(8000, 844 + (main ? main.scrollHeight - main.clientHeight : 0));
  });

test('each form has a record to show', () => {
  expect(withoutRecord()).toEqual([]);
});

const looks: readonly (typeof besides)[number][] = [...sampled.map((name) => [name, name, ''] as const), ...besides];
test.each(looks)('%s passes axe at 1440 and 390, light and dark, and fits', async (_, name, query) => {
  bugs.length = 0;
  await drawnAt(1440, 900, 'light');
  await goTo(page, addressOf(name, query));
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toEqual([]);
  await drawnAt(390, 844, 'dark');
  await drawnAt(390, await wholeHeight(), 'dark');
  expect(await axe(page, { rules: ['color-contrast', 'target-size', 'scrollable-region-focusable'] })).toEqual([]);
  expect(await tooWide(page)).toEqual([]);
  expect(bugs).toEqual([]);
});

test('a document of crores fits a phone, and what a wide screen cuts of it is shown under the pointer', async () => {
  await drawnAt(1440, 900, 'light');
  await goTo(page, `${server.url}/layout/Create%20Invoice?from=${ids.get('quotation')}`);
  const item = page.getByRole('combobox', { name: 'Item, line 1' });
  await expect.poll(() => item.inputValue()).toMatch(/^XLPE insulated .* 500 metres$/);
  await item.hover();
  await expect.poll(() => item.getAttribute('title')).toBe(await item.inputValue());
  // what is shown in full has no title besides
  await page.getByLabel('Quantity, line 1').hover();
  await expect.poll(() => page.getByLabel('Quantity, line 1').getAttribute('title')).toBeNull();
  await drawnAt(390, 844, 'light');
  await page.getByRole('region', { name: 'Tax by rate' }).getByRole('cell', { name: '18 %' }).waitFor();
  expect(await tooWide(page)).toEqual([]);
});

test('on a phone a report says on which side a figure stands, and its totals', async () => {
  await drawnAt(390, 844, 'light');
  await goTo(page, `${server.url}/layout/TrialBalance`);
  const list = page.getByRole('list', { name: 'Trial balance' });
  await list.getByRole('button', { name: /^1121 Bank .* Closing Dr$/ }).waitFor();
  await list.getByRole('button', { name: /^3110 .* Closing Cr$/ }).waitFor();
  const totals = list.getByRole('listitem').last();
  const sum = async (label: string) => totals.locator('div', { hasText: label }).getByRole('definition').innerText();
  await expect.poll(() => totals.innerText()).toMatch(/^Total/);
  expect(await sum('Closing Dr')).toBe(await sum('Closing Cr'));
  expect(await tooWide(page)).toEqual([]);
});

test('without a right a screen is refused, and so is an unknown screen', async () => {
  const other = await (await browser.newContext()).newPage();
  await signIn(other, server.url, 'none@sharma.demo');
  await other.goto(`${server.url}/layout/TrialBalance`);
  await other.getByText("You don't have Access this Page").waitFor();
  await other.goto(`${server.url}/layout/No%20such%20screen`);
  await other.getByText("You don't have Access this Page").waitFor();
  await other.context().close();
});
