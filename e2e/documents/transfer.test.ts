import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';
import { type Walk, walkOn } from '../kit/walk.ts';

let server: TestServer;
let browser: Browser;
let shop: Shop;
let walk: Walk;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  browser = await openBrowser();
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, server.url);
  walk = walkOn(server, shop, page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** What is on hand at each place, as the stock report says. */
const onHand = async (): Promise<Readonly<Record<string, string>>> => {
  const { rows } = (await shop.owner.ask('RunReport', { report: 'stockOnHand', filters: { asOf: '2099-01-01' } })) as {
    rows: { location: string; quantity: string; value: string }[];
  };
  return Object.fromEntries(rows.map((r) => [r.location, `${r.quantity} for ${r.value}`]));
};

/** Dispatches ten, to the place whose code is typed, and opens the receipt from the dispatch; all by keyboard. */
const dispatch = async (place: string) => {
  const { page, open, keys, post } = walk;
  await open('Create Branch Transfer');
  await page.getByLabel('To location').focus();
  await keys(place);
  await page.getByLabel('Item, line 1').focus();
  await keys('LED-9W⏎10⏎');
  return post();
};
const receive = async () => {
  const { page, post } = walk;
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'New transfer receipt' }).waitFor();
  await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).toBe('10');
  return post();
};

/** A document in the list, with what it comes to there. */
const rowOf = (number: string, total: string) =>
  walk.page.getByRole('row', { name: new RegExp(number) }).getByText(total, { exact: true });

test('within a GSTIN goods go by challan, at cost, and are on their way until they are received', async () => {
  const sent = await dispatch('BLR2');
  expect(sent.entries).toEqual({});
  expect(sent.movements.map((m) => [m.quantity, m.cost])).toEqual([
    ['-10', '-600.00'],
    ['10', '600.00'],
  ]);
  expect(await onHand()).toMatchObject({ 'Bengaluru head office': '90 for 5400.00' });
  const came = await receive();
  expect(came.entries).toEqual({});
  expect(await onHand()).toEqual({
    'Bengaluru head office': '90 for 5400.00',
    'Peenya warehouse': '10 for 600.00',
  });
  await goTo(walk.page, `${server.url}/layout/Transfer%20Challan?id=${sent.id}`);
  await walk.page.getByRole('dialog').getByText(/Print/).first().waitFor();
  await walk.page.keyboard.press('Escape');
  await walk.page.getByText('Fulfilled').first().waitFor();
  // its price on record is ₹95
  await walk.page.getByText('Rupees Six Hundred Only').waitFor();
  await walk.open('Branch Transfer List');
  await rowOf(sent.number, '600.00').waitFor();
});

test('an adjustment is worth what its goods cost: before it is posted that is an estimate, a draft has no value in the list', async () => {
  const { page, open, keys, post } = walk;
  await goTo(page, `${server.url}/layout/Inventory%20Adjustment?show=documentEditor`);
  await page.getByLabel('Reason').selectOption({ index: 1 });
  await page.getByLabel('Item, line 1').focus();
  await keys('LED-9W⏎');
  await page.getByLabel('Change, line 1').fill('-2');
  await page.getByLabel('Rate, line 1').fill('999');
  const bar = page.locator('.action-bar');
  await bar.getByText('Estimated value').waitFor();
  await bar.getByText('−120.00').waitFor();
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor();
  const { rows } = (await shop.owner.ask('GetTransationsList', { Type: 'inventoryAdjustment' })) as {
    rows: { draft: boolean; total: string | null }[];
  };
  expect(rows).toMatchObject([{ draft: true, total: null }]);
  const posted = await post();
  expect(posted.entries).toEqual({ 1310: 'Cr 120.00', 5330: 'Dr 120.00' });
  await open('Inventory Adjustment');
  await rowOf(posted.number, '−120.00').waitFor();
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toEqual([]);
});

test('between GSTINs there is a tax invoice on one side and a bill with its credit on the other', async () => {
  const { page } = walk;
  const sent = await dispatch('PUN');
  expect(sent.entries).toEqual({ 1560: 'Dr 1121.00', 5340: 'Cr 950.00', 2213: 'Cr 171.00' });
  const came = await receive();
  expect(came.entries).toEqual({ 5340: 'Dr 950.00', 1413: 'Dr 171.00', 1560: 'Cr 1121.00' });
  expect(await onHand()).toMatchObject({ 'Bengaluru head office': '78 for 4680.00', 'Pune branch': '10 for 600.00' });
  await walk.open('Branch Transfer List');
  await page.getByRole('row', { name: new RegExp(sent.number) }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Transfer receipts' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: new RegExp(came.number) }).waitFor();
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toEqual([]);
  await goTo(
    page,
    `${server.url}/layout/Branch%20Transfer%20List?kind=transferReceipt&show=documentView&id=${came.id}`,
  );
  await page.getByRole('heading', { name: `Transfer receipt ${came.number}` }).waitFor();
  expect(await axe(page)).toEqual([]);
});

test('return orders have their screens; an item shows its stock levels', async () => {
  const { page } = walk;
  for (const screen of ['SaleReturnOrders', 'SaleReturnOrderNew', 'Transfer View']) {
    await walk.open(screen);
    expect(await axe(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
  }
  await goTo(page, `${server.url}/layout/SupplyMasters?id=${shop.item}`);
  await page.getByText('98 on hand, 0 held by orders, 98 free').waitFor();
  expect(await axe(page)).toEqual([]);
});
