import fs from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../server/organisation/demo.ts';
import { launchBrowser } from './testing/browser.ts';

/**
 * The pictures of README and manual, from a running product with its demo books:
 * `node tools/run.mjs tools/screenshots.ts http://127.0.0.1:3000`. It makes an organisation, MEENA, and a draft there.
 */
const url = process.argv[2] ?? 'http://127.0.0.1:3000';
const folder = 'docs/screenshots';

const signedIn = async (browser: Browser, options: Parameters<Browser['newContext']>[0]): Promise<Page> => {
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill('owner@sharma.demo');
  await page.getByLabel('Password').fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/layout/Home');
  return page;
};

const open = async (page: Page, screen: string): Promise<void> => {
  await page.goto(`${url}/layout/${encodeURIComponent(screen)}`);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
};

const take = async (page: Page, name: string): Promise<void> => {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: `${folder}/${name}.png` });
};

/** An invoice, typed as a clerk types it. */
const typeInvoice = async (page: Page): Promise<void> => {
  await open(page, 'Create Invoice');
  await page.getByLabel(/^Customer/).waitFor();
  await page.keyboard.type('Asha');
  await page.getByRole('option', { name: /Asha Traders/ }).waitFor();
  await page.keyboard.press('Enter');
  for (const [row, sku] of ['LED-9W', 'FAN-48', 'CBL-15'].entries()) {
    await page.getByLabel(`Item, line ${row + 1}`).focus();
    await page.keyboard.type(sku);
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel(`Quantity, line ${row + 1}`).focus();
    await page.keyboard.type(String((row + 1) * 4));
    // the item's defaults have arrived when its rate is shown
    await page.waitForFunction(
      (label) => document.querySelector<HTMLInputElement>(`[aria-label="${label}"]`)?.value !== '',
      `Rate, line ${row + 1}`,
    );
    if (row < 2) await page.getByRole('button', { name: 'Add line' }).click();
  }
};

/** The pictures of docs/starting.md and docs/pages.md: the way to books of one's own, and the page of a customer. */
async function takeManual(from: Browser): Promise<void> {
  const first = await (
    await from.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 680 } })
  ).newPage();
  await first.goto(url);
  await first.getByRole('button', { name: 'Sign in' }).waitFor();
  await take(first, 'landing');
  const page = await signedIn(from, { viewport: { width: 1280, height: 680 } });
  await page.getByText('Orders Overview').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search or jump to' }).waitFor();
  await page.keyboard.type('Asha Traders');
  await page.getByRole('dialog').getByRole('group', { name: 'Parties' }).getByRole('button').first().click();
  await page.getByRole('heading', { name: /Asha Traders/, level: 1 }).waitFor();
  await take(page, 'party-page');
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'New organisation' }).click();
  const dialog = page.getByRole('dialog', { name: 'New organisation' });
  await dialog.getByLabel(/^Name of the business/).fill('Meena Stores');
  await dialog.getByLabel(/^Short code/).fill('MEENA');
  await dialog.getByLabel(/^Kind of business/).selectOption('shop');
  await dialog.getByLabel(/^State/).selectOption('29');
  await dialog.getByLabel(/^Address/).fill('4 Temple Street');
  await dialog.getByLabel(/^City/).fill('Bengaluru');
  await dialog.getByLabel(/^PIN code/).fill('560004');
  await take(page, 'new-organisation');
  await dialog.getByRole('button', { name: 'Make the organisation' }).click();
  await page.getByRole('region', { name: 'First steps' }).waitFor();
  await take(page, 'first-steps');
  await open(page, 'import');
  await page.getByRole('region', { name: 'From Tally' }).waitFor();
  await take(page, 'import');
}

fs.mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
const desk = { viewport: { width: 1280, height: 680 } };
const light = await signedIn(browser, desk);
await light.getByText('Orders Overview').waitFor();
await take(light, 'home');
await open(light, 'Sale Invoice');
await light
  .getByRole('grid')
  .getByRole('button')
  .filter({ hasText: /\/\d+$/ })
  .first()
  .click();
await light.waitForURL('**/saleview**');
await light.getByRole('heading', { level: 1 }).waitFor();
await take(light, 'document');
await open(light, 'TrialBalance');
await light.getByRole('grid').waitFor();
await take(light, 'trial-balance');
const dark = await signedIn(browser, { ...desk, colorScheme: 'dark' });
await open(dark, 'Sale Invoice');
await take(dark, 'list-dark');
const phone = await signedIn(browser, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
await open(phone, 'Sale Invoice');
await take(phone, 'phone');
await takeManual(browser);
// last, for it leaves a draft behind
await typeInvoice(light);
await take(light, 'invoice');
await browser.close();
