import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../kit/shop.ts';
import { startWalk, type Walk } from '../kit/walk.ts';

let walk: Walk;
beforeAll(async () => {
  walk = await startWalk();
});
afterAll(() => walk?.stop());

test('without the network a picker offers nothing to be made twice, a banner says so, and all goes on when it is back', async () => {
  const { page, open, keys } = walk;
  await open('Create Invoice');
  await keys('Bharat⏎');
  await page.getByText('supply to Karnataka').waitFor();
  await page.context().setOffline(true);
  await page.getByLabel('Item, line 1').focus();
  await keys('LED-9W');
  await page.getByText('The search could not be done').waitFor();
  expect(await page.getByRole('option', { name: /Create item/ }).count()).toBe(0);
  const banner = page.locator('.offline');
  await banner.getByText('The connection is lost.').waitFor();
  await keys('⏎');
  expect(await page.getByRole('dialog').count()).toBe(0);
  // another screen says what is the matter, and comes by itself
  await page.getByRole('link', { name: 'Reports', exact: true }).first().click();
  await banner.waitFor();
  await page.context().setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('h1').first().innerText(), { timeout: 20_000 }).not.toBe('No connection');
  await expect.poll(() => page.getByText('This screen could not be').count(), { timeout: 20_000 }).toBe(0);
});

test('a browser without a network works with a server on the same machine', async () => {
  const context = await walk.page
    .context()
    .browser()
    ?.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context?.newPage();
  if (!page) throw new Error('no browser');
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });
    addEventListener('load', () => dispatchEvent(new Event('offline')));
  });
  await signIn(page, walk.server.url);
  await page.goto(`${walk.server.url}/layout/${encodeURIComponent('Create Invoice')}`);
  await page.getByLabel('Item, line 1').fill('LED-9W');
  await page
    .getByRole('option', { name: /LED-9W/ })
    .first()
    .waitFor();
  expect(await page.getByText('The connection is lost.').count()).toBe(0);
  await context?.close();
});

test('a form begins at its first field; that of a customer in our state and without GSTIN as a consumer', async () => {
  const { page, open, keys } = walk;
  await open('Create Party');
  await walk.at('Name');
  await keys('Walk-in Customer');
  await page.keyboard.press('Control+s');
  await page.getByText('Customer Walk-in Customer is saved').waitFor();
  // as every form does
  await open('SupplyMasters');
  await walk.at('SKU');
});
