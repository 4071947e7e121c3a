import fs from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../server/organisation/demo.ts';
import { launchBrowser } from './testing/browser.ts';

/**
 * The README's pictures, from a running product with its demo books:
 * `node tools/run.mjs tools/screenshots.ts http://127.0.0.1:3000`.
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

fs.mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
const desk = { viewport: { width: 1280, height: 680 } };
const light = await signedIn(browser, desk);
await light.getByText('Orders Overview').waitFor();
await take(light, 'home');
await open(light, 'Sale Invoice');
await light.getByRole('grid').getByRole('button').first().click();
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
// last, for it leaves a draft behind
await typeInvoice(light);
await take(light, 'invoice');
await browser.close();
