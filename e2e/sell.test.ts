import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../tools/testing/browser.ts';
import { type TestServer, testServer } from '../tools/testing/server.ts';
import { openShop, type Shop, signIn } from './shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
let shop: Shop;
const bugs: string[] = [];

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  browser = await launchBrowser();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.on('pageerror', (error) => bugs.push(error.message));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a walk with an invoice: typed without the mouse, posted, found in the books and on the shelf', async () => {
  await signIn(page, server.url);
  await page.goto(`${server.url}/layout/Create%20Invoice`);
  const customer = page.getByLabel(/^Customer/);
  await customer.waitFor();
  await page.keyboard.type('Asha');
  await page.getByRole('option', { name: /Asha Traders/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('supply to Karnataka').waitFor();

  // on with the keyboard to the first line
  await page.getByLabel('Item, line 1').focus();
  await page.keyboard.type('LED-9W');
  await page.getByRole('option', { name: /LED bulb 9 W/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Quantity, line 1').focus();
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  // 950.00 and 18 %: 1,121.00
  await page.getByText('₹ 1,121.00').first().waitFor();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL('**/layout/saleview**');
  await page.getByText('INV/26-27/0001').first().waitFor();

  const { TransactionId } = Object.fromEntries(new URL(page.url()).searchParams) as { TransactionId?: string };
  const id = TransactionId ?? new URL(page.url()).searchParams.get('id') ?? '';
  const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as {
    entries: { code: string; debit: string; credit: string }[];
    movements: { quantity: string; cost: string }[];
  };
  const entries = Object.fromEntries(
    view.entries.map((e) => [e.code, e.debit === '0.00' ? `Cr ${e.credit}` : `Dr ${e.debit}`]),
  );
  expect(entries).toEqual({
    1210: 'Dr 1121.00',
    4110: 'Cr 950.00',
    2211: 'Cr 85.50',
    2212: 'Cr 85.50',
    5310: 'Dr 600.00',
    1310: 'Cr 600.00',
  });
  expect(view.movements).toMatchObject([{ quantity: '-10', cost: '-600.00' }]);

  await page.goto(`${server.url}/layout/TrialBalance`);
  await page.getByText('Trade receivables - domestic').first().waitFor();
  await page.getByText('1,121.00').first().waitFor();
  await page.goto(`${server.url}/layout/Manage%20Inventory`);
  await page.getByText('LED bulb 9 W').first().waitFor();
  await page.getByText('5,400.00').first().waitFor();
  expect(bugs).toEqual([]);
});

test('what was typed survives a reload: the draft waits in the list', async () => {
  await page.goto(`${server.url}/layout/Create%20Invoice`);
  await page.getByLabel(/^Customer/).waitFor();
  await page.keyboard.type('Asha');
  await page.getByRole('option', { name: /Asha Traders/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('supply to Karnataka').waitFor();
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor({ timeout: 15_000 });
  await page.goto(`${server.url}/layout/Sale%20Invoice`);
  await page.getByRole('grid').getByText('Draft').first().waitFor();
});

test('bad input is marked at its field and nothing is lost', async () => {
  await page.goto(`${server.url}/layout/Create%20Invoice`);
  await page.getByLabel(/^Customer/).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Choose the customer').first().waitFor();
});
