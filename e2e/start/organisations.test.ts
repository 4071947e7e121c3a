import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { openShop, signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  server = await testServer();
  const shop = await openShop(server);
  await shop.owner.ask('FoundOrganisation', {
    ...{ name: 'Meena Stores', code: 'MEENA', business: 'shop', state: '29' },
    ...{ line1: '4 Temple Street', city: 'Bengaluru', pincode: '560004' },
  });
  await shop.owner.ask('SaveGeneralConfigDetails', { values: { isAllowNegative: true } } as never);
  // a return of an earlier month that nobody marked is overdue
  await shop.post({
    ...{ kind: 'saleInvoice', date: '2026-06-10', party: shop.customer },
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  browser = await openBrowser();
  page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  ).newPage();
  page.setDefaultTimeout(15_000);
  await signIn(page, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('all organisations are listed with what is due there, and one key goes over to the work', async () => {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'My organisations' }).click();
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await expect.poll(() => row('Sharma').innerText()).toContain('GSTR-1 of June 2026');
  expect(await row('Sharma').innerText()).toMatch(/\d+ returns/);
  // nobody without a GSTIN files a return, and what is due comes first
  await expect.poll(() => row('Meena Stores').innerText()).toContain('None');
  await expect.poll(() => page.getByRole('row').nth(1).innerText()).toContain('Sharma');
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect(await axe(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    // what is overdue is in sight, without moving the list
    const overdue = await row('Sharma')
      .getByText(/returns overdue$/)
      .boundingBox();
    expect((overdue?.x ?? width) + (overdue?.width ?? 0)).toBeLessThan(width - 20);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/organisations-${width}.png` });
  }
  await row('Meena Stores').getByRole('button', { name: 'Meena Stores' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Meena Stores' }).waitFor();
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor();
  await goTo(page, `${server.url}/layout/My%20Organisations`);
  await row('Sharma')
    .getByRole('button', { name: /^GSTR-1 of June 2026/ })
    .click();
  await page.getByRole('heading', { name: 'GST returns filed' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Organisation', exact: true }).inputValue()).toBe('SHARMA');
});
