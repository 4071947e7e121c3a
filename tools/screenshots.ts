import fs from 'node:fs';
import { DEMO_PASSWORD } from '../server/organisation/demo.ts';
import { launchBrowser } from './testing/browser.ts';

/** The README's pictures, from a running product: `npx tsx tools/screenshots.ts http://127.0.0.1:3000`. */
const url = process.argv[2] ?? 'http://127.0.0.1:3000';
const browser = await launchBrowser();
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
await page.goto(url);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByLabel('Email').fill('owner@sharma.demo');
await page.getByLabel('Password').fill(DEMO_PASSWORD);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.waitForURL('**/layout/Home');
fs.mkdirSync('docs/screenshots', { recursive: true });
await page.getByText('Orders Overview').waitFor();
await page.waitForLoadState('networkidle');
await page.screenshot({ path: 'docs/screenshots/home.png' });
await page.goto(`${url}/layout/Create%20Invoice`);
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
  if (row < 2) await page.getByRole('button', { name: 'Add line' }).click();
}
await page.waitForLoadState('networkidle');
await page.screenshot({ path: 'docs/screenshots/invoice.png' });
await browser.close();
