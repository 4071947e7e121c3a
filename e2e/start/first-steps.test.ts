import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  server = await testServer();
  const owner = await server.signIn('owner@sharma.demo');
  await owner.ask('FoundOrganisation', {
    ...{ name: 'Meena Stores', code: 'MEENA', business: 'shop', state: '29' },
    ...{ line1: '4 Temple Street', city: 'Bengaluru', pincode: '560004' },
  });
  browser = await openBrowser();
  page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  ).newPage();
  page.setDefaultTimeout(15_000);
  await signIn(page, server.url);
  await page.getByRole('combobox', { name: 'Organisation', exact: true }).selectOption('MEENA');
  await page.getByRole('link', { name: 'Meena Stores' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const look = async (name: string) => {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.waitForLoadState('networkidle');
    expect(await axe(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true });
  }
};
const step = (label: string) => page.getByRole('listitem').filter({ hasText: label });

test('the first screen offers the next steps; one is skipped, found among all, and taken up again', async () => {
  const panel = page.getByRole('region', { name: 'First steps' });
  await panel.getByText('0 of 10 done').waitFor();
  // what sort of business it is was said when it was founded; phone and e-mail, which invoices show, were not
  await expect
    .poll(() => panel.getByRole('listitem').locator('strong').allInnerTexts())
    .toEqual(['Company details', 'Logo', 'Bank account', 'Customers']);
  await look('steps-home');
  await panel.getByRole('button', { name: 'Skip: Logo' }).click();
  await expect
    .poll(() => panel.getByRole('listitem').locator('strong').allInnerTexts())
    .toEqual(['Company details', 'Bank account', 'Customers', 'Items']);
  await panel.getByRole('link', { name: 'All steps' }).click();
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  await step('Logo').getByText('(Skipped)').waitFor({ state: 'attached' });
  await look('steps');
  await step('Logo').getByRole('button', { name: 'Take up again' }).click();
  await step('Logo').getByRole('button', { name: 'Skip: Logo' }).waitFor();
});

test('a step opens what it is done with, and is done once the books have it', async () => {
  await goTo(page, `${server.url}/layout/First%20Steps`);
  await step('Bank account').getByRole('link').click();
  await page.getByLabel(/^Code/).fill('B1');
  await page.getByRole('textbox', { name: /^Bank\b/ }).fill('Canara Bank');
  await page.getByLabel(/^Account number/).fill('123456789012');
  await page.getByLabel(/^IFSC/).fill('CNRB0001234');
  await page.getByLabel(/^Ledger/).fill('1121');
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.keyboard.press('Control+s');
  await page.getByRole('grid').waitFor();
  // the settings menu opens the steps again
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitem', { name: 'First steps' }).click();
  await step('Bank account').getByText('(Done)').waitFor({ state: 'attached' });
  expect(await step('Print or send it').getByRole('link').count()).toBe(0);
});

test('without credentials for the portal the refusal of "Get details" leads to where they are entered', async () => {
  await goTo(page, `${server.url}/layout/Create%20Party?id=new`);
  await page.getByLabel('GSTIN', { exact: true }).first().fill('29AAGCS4821F1ZB');
  await page.getByRole('button', { name: 'Get details' }).first().click();
  await page.getByRole('link', { name: 'Enter the credentials' }).click();
  await page.waitForURL(/NIC%20Configuration/);
});

test('the menu of a shop is short; More has the rest, and what is pinned or posted comes forward', async () => {
  await goTo(page, `${server.url}/layout/Sale%20Invoice`);
  const rail = page.getByRole('navigation', { name: 'Areas' });
  const sales = page.getByRole('navigation', { name: 'Sales' });
  const groups = () => rail.getByRole('link').allInnerTexts();
  await expect
    .poll(groups)
    .toEqual([...['Home', 'Sales', 'Purchases', 'Expenses', 'Parties', 'Items', 'Inventory', 'Accounts', 'Reports']]);
  const shown = async () =>
    (await sales.getByRole('link').filter({ visible: true }).allInnerTexts()).map((text) => text.trim());
  await expect.poll(shown).toEqual(['Sale invoices', 'Cash sales', 'Receipts']);
  await look('menu-shop');

  // by the keyboard: More opens, an entry is pinned and stays
  await sales.locator('summary').focus();
  await page.keyboard.press('Enter');
  expect(await axe(page)).toEqual([]);
  const pin = sales.getByRole('button', { name: 'Keep Quotations in the menu' });
  await pin.focus();
  await page.keyboard.press('Enter');
  // it is kept once it is shown: a page that is left before does not send it
  await expect.poll(shown).toContain('Quotations');
  await page.reload();
  await expect.poll(shown).toEqual(['Sale invoices', 'Cash sales', 'Quotations', 'Receipts']);
  await sales.getByRole('button', { name: 'Keep Quotations in the menu' }).click();
  await expect.poll(shown).toEqual(['Sale invoices', 'Cash sales', 'Receipts']);

  // groups of which nothing is used are under More of the rail
  await rail.getByRole('button', { name: 'More' }).click();
  await rail.getByRole('link', { name: 'Configuration' }).click();
  await page.getByRole('navigation', { name: 'Configuration' }).getByRole('link', { name: 'Number series' }).click();
  await page.getByRole('heading', { name: 'Number series' }).waitFor();

  // Ctrl K finds every screen, also those that the menu does not show
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sale orders');
  await page.getByRole('button', { name: 'Sale orders' }).waitFor();
});
