import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Screen, screenNames, screens } from '../contract/screens.ts';
import { axe, launchBrowser } from '../tools/testing/browser.ts';
import { type TestServer, testServer } from '../tools/testing/server.ts';
import { openShop, signIn } from './shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
const bugs: string[] = [];

beforeAll(async () => {
  server = await testServer();
  const shop = await openShop(server);
  await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '2', rate: '95' }],
  });
  browser = await launchBrowser();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.on('pageerror', (error) => bugs.push(`${page.url()}: ${error.message}`));
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
  process.stdout.write(`${works.length} of ${screenNames.length} screens work\n`);
  expect(screenNames).toHaveLength(182);
  expect(works.length).toBeGreaterThanOrEqual(110);
});

test.each(sampled.map((name) => [name]))('%s opens, passes axe at 1440 and 390, light and dark', async (name) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/layout/${encodeURIComponent(name)}`);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(150);
  expect(await axe(page, { rules: ['color-contrast', 'target-size'] })).toEqual([]);
  expect(bugs).toEqual([]);
});

test('who has no right is shown the door, and an unknown screen too', async () => {
  const other = await (await browser.newContext()).newPage();
  await signIn(other, server.url, 'none@sharma.demo');
  await other.goto(`${server.url}/layout/TrialBalance`);
  await other.getByText("You don't have Access this Page").waitFor();
  await other.goto(`${server.url}/layout/No%20such%20screen`);
  await other.getByText("You don't have Access this Page").waitFor();
  await other.context().close();
});
