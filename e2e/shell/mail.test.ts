import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { yearNow } from '../../tools/testing/year.ts';
import { goTo } from '../kit/go.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
let shop: Shop;
let invoice = { TransactionId: '', TransactionNumber: '' };
const bugs: string[] = [];

beforeAll(async () => {
  server = await testServer({}, { jobs: true });
  shop = await openShop(server);
  const party = (await shop.owner.ask('SaveMaster', {
    master: 'customer',
    values: {
      name: 'Bina Stores',
      category: 'unregistered',
      state: '29',
      email: 'accounts@bina.in',
      contacts: [{ name: 'Asha Rao', role: 'Buyer', email: 'asha@bina.in' }],
    },
  })) as { id: string };
  invoice = await shop.post({
    kind: 'saleInvoice',
    party: party.id,
    lines: [{ item: shop.item, quantity: '10', rate: '95' }],
  });
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('pageerror', (error) => bugs.push(`${page.url()}: ${error.message}`));
  await signIn(page, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const open = () => goTo(page, `${server.url}/layout/saleview?id=${invoice.TransactionId}`);
const panel = () => page.getByRole('region', { name: 'Mails' });
const dialog = () => page.getByRole('dialog');

test('a walk with a mail: from the button, by the keyboard, to what the customer gets', async () => {
  await open();
  await page.getByRole('button', { name: 'Mail', exact: true }).focus();
  await page.keyboard.press('Enter');
  const to = dialog().getByLabel(/^To/);
  await expect.poll(() => to.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(() => to.inputValue()).toBe('accounts@bina.in');
  // the party's people are offered; the first one is chosen
  const asha = dialog().getByLabel('Asha Rao, Buyer – asha@bina.in');
  await asha.check();
  await expect.poll(() => to.inputValue()).toBe('accounts@bina.in, asha@bina.in');
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/mail-contacts.png` });
  await asha.uncheck();
  await expect.poll(() => to.inputValue()).toBe('accounts@bina.in');
  await to.focus();
  await page.keyboard.press('End');
  await expect
    .poll(() =>
      dialog()
        .getByLabel(/^Subject/)
        .inputValue(),
    )
    .toBe(`Sale invoice ${invoice.TransactionNumber} from Sharma Traders Private Limited`);
  await expect
    .poll(() => dialog().getByLabel('Message').inputValue())
    .toMatch(
      new RegExp(
        `^Dear Bina Stores,\\n\\nPlease find attached sale invoice INV/${yearNow}/0001 of \\d\\d-\\d\\d-\\d{4} for ₹\\s1,121\\.00\\.\\n\\nRegards,\\nSharma`,
      ),
    );
  await page.keyboard.type(', owner@bina');
  await page.keyboard.press('Control+Enter');
  await dialog().getByText('owner@bina is not an e-mail address').waitFor();
  await expect.poll(() => to.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await axe(page)).toEqual([]);

  // what was typed is there again after the dialog was closed
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Mail', exact: true }).click();
  await expect.poll(() => to.inputValue()).toBe('accounts@bina.in, owner@bina');
  await to.fill('accounts@bina.in; owner@bina.in');
  await page.keyboard.press('Control+Enter');
  await page.getByText(`${invoice.TransactionNumber} is on its way to accounts@bina.in, owner@bina.in`).waitFor();
  await panel().getByText('Sent', { exact: true }).waitFor({ timeout: 20_000 });
  await panel().getByText('by Ravi Sharma').waitFor();

  await page.goto(`${server.url}/dev/mail`);
  await page.getByRole('cell', { name: 'accounts@bina.in, owner@bina.in' }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: `Sale invoice ${invoice.TransactionNumber} from Sharma` }).click();
  await page.getByText('Dear Bina Stores,').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axe(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const [taken] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: `INV-${yearNow}-0001.pdf` }).click(),
  ]);
  expect(taken.suggestedFilename()).toBe(`INV-${yearNow}-0001.pdf`);
  const paper = server.catcher.mails()[0]?.message.attachments[0]?.bytes ?? Buffer.alloc(0);
  expect(paper.subarray(0, 5).toString()).toBe('%PDF-');
  for (const text of ['Tax invoice', invoice.TransactionNumber, 'Bina Stores', '1,121.00'])
    expect(textOfPdf(paper)).toContain(text);
  expect(bugs).toEqual([]);
});

test('what failed says why and is sent again; axe finds nothing, light and dark, wide and narrow', async () => {
  await server.database.owner.query(
    `update mails set state = 'failed', sent_at = null, attempts = 2, error = 'The mail server refused it: 550 5.1.1 No such user here'`,
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await open();
  await panel().getByText('No such user here').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await panel().getByRole('button', { name: 'Send again' }).click();
  await dialog().getByLabel(/^To/).waitFor();
  expect(await axe(page)).toEqual([]);
  await dialog().getByLabel(/^To/).fill('asha@bina.in');
  await dialog().getByRole('button', { name: 'Send mail' }).click();
  await panel().getByText('Sent again by a later mail').waitFor();
  await panel().getByText('Sent', { exact: true }).waitFor({ timeout: 20_000 });
  expect(server.catcher.mails()[0]?.recipients).toEqual(['asha@bina.in']);
  await expect.poll(() => panel().getByRole('button', { name: 'Send again' }).count()).toBe(1);
  expect(await axe(page, { rules: ['color-contrast', 'target-size'] })).toEqual([]);
  expect(bugs).toEqual([]);
});

test('who may not write the kind sees what was mailed, and no button', async () => {
  const other = await (await browser.newContext()).newPage();
  await signIn(other, server.url, 'viewer@sharma.demo');
  await goTo(other, `${server.url}/layout/saleview?id=${invoice.TransactionId}`);
  await other.getByRole('region', { name: 'Mails' }).waitFor();
  expect(await other.getByRole('button', { name: 'Mail', exact: true }).count()).toBe(0);
  expect(await other.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  await other.context().close();
});
