import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importableOf } from '../../contract/importable.ts';
import { tallyOrder } from '../../domain/imports/tally/order.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { envelope, smallCompany } from '../../tools/testing/tally.ts';
import { goTo } from '../kit/go.ts';
import { person } from '../kit/person.ts';
import { signUp } from '../kit/sign-up.ts';

// From the first page to a printed invoice: a trader with GST who comes from Tally.
let server: TestServer;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  server = await testServer({}, { signUp: 'open', portal: true });
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** What the invoice and its print may take, without moving in. */
const MOST_ACTS = 60;

test('a trader signs up by a link, founds the books and signs in', async () => {
  const gstin = `29AABCM1234C1Z${gstinCheckDigit('29AABCM1234C1Z')}`;
  await signUp(server, person(page), {
    ...{ email: 'meena@traders.example', name: 'Meena Traders', code: 'MEENA', gstin, owner: 'Meena Rao' },
  });
});

test('all of the Tally file is brought in, part by part, without typing anything', async () => {
  await goTo(page, `${server.url}/layout/import`);
  const panel = page.getByRole('region', { name: 'From Tally' });
  await panel.locator('input[type=file]').setInputFiles({
    name: 'Master.xml',
    mimeType: 'text/xml',
    buffer: envelope(smallCompany.filter((one) => !one.includes('Paracetamol'))),
  });
  await panel.getByRole('button', { name: 'Read Units from the file' }).click();
  for (const [at, name] of tallyOrder.entries()) {
    await page.getByRole('heading', { name: `Import ${importableOf(name)?.plural}`, level: 1 }).waitFor();
    const nothing = page.getByText(/^There are no .* in this file/);
    const check = page.getByRole('button', { name: /^Check (one|\d+)/ });
    await check.or(nothing).first().waitFor();
    if (await check.isVisible()) {
      await check.click();
      await page.getByRole('button', { name: /^Import (one|\d+)/ }).click();
      await page.getByText('Imported', { exact: true }).first().waitFor();
    }
    if (at < tallyOrder.length - 1) await page.getByRole('button', { name: /^Next from Tally: / }).click();
  }
  const { rows } = await server.database.owner.query(
    `select (sum(debit) / 100)::text as debit from entries e
       join organisations o on o.organisation = e.organisation and o.code = 'MEENA'`,
  );
  expect(Number(rows[0]?.debit)).toBeGreaterThan(200_000);
});

test('the first invoice is made and printed, with at most 60 keys and clicks', async () => {
  await goTo(page, `${server.url}/layout/Home`);
  const { acts, press, click, type, choose, at } = person(page);
  await click('link', 'All steps');
  await click('link', /^Start/, 'First invoice');
  await at('Customer');
  await choose('Acme');
  for (let key = 0; key < 6; key += 1) {
    if ((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) === 'Item, line 1') break;
    await press('Enter');
  }
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/moving-invoice.png` });
  await at('Item, line 1');
  await choose('Fan');
  await at('Quantity, line 1');
  await type('2');
  await press('Enter');
  await at('Rate, line 1');
  await type('3000');
  await press('Enter');
  await press('Control+Enter');
  await page.locator('.view-row').first().waitFor();
  expect(await page.getByText('7,080.00').first().isVisible()).toBe(true);
  await click('button', 'Print');
  await page.getByRole('dialog', { name: /^Print/ }).waitFor();
  const paper = page.waitForEvent('download');
  await click('button', 'Download PDF');
  expect((await paper).suggestedFilename()).toMatch(/\.pdf$/);
  expect(acts()).toBeLessThanOrEqual(MOST_ACTS);
});
