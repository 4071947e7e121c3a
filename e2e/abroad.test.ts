import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, launchBrowser, tooWide } from '../tools/testing/browser.ts';
import { type TestServer, testServer } from '../tools/testing/server.ts';
import { openShop, type Shop, signIn } from './shop.ts';
import { type Walk, walkOn } from './walk.ts';

let server: TestServer;
let browser: Browser;
let shop: Shop;
let walk: Walk;
beforeAll(async () => {
  server = await testServer({}, { jobs: true });
  shop = await openShop(server);
  const party = { category: 'overseas', state: '96', addresses: [] };
  for (const [master, values] of [
    ['supplier', { ...party, name: 'Rhein Maschinen GmbH', country: 'DE', currency: 'USD' }],
    ['customer', { ...party, name: 'Najd Trading Est', country: 'SA', currency: 'SAR' }],
  ] as const)
    await shop.owner.ask('SaveMaster', { master, values });
  browser = await launchBrowser();
  const page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  ).newPage();
  await signIn(page, server.url);
  walk = walkOn(server, shop, page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Types into the field of a label. */
const into = async (label: string | RegExp, text: string) => {
  const field = walk.page.getByLabel(label, typeof label === 'string' ? { exact: true } : {}).first();
  await field.focus();
  await field.press('Control+A');
  await walk.keys(text);
};
/** A picture for who looks on, when it is asked for. */
const shot = async (name: string) => {
  const folder = process.env.SHOTS;
  if (folder) await walk.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};
/** At a width and in a mode, once the page has been drawn so. */
const drawn = async (width: number, colorScheme: 'light' | 'dark') => {
  const { page } = walk;
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};
/** No axe rule broken, and nothing wider than a phone. */
const proper = async (name: string) => {
  const { page } = walk;
  await shot(`${name}-light`);
  expect(await axe(page)).toEqual([]);
  await drawn(390, 'dark');
  await shot(`${name}-phone`);
  expect(await tooWide(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  await drawn(1440, 'light');
};

test('goods from abroad: the bill in dollars, duty on the goods, and a payment whose loss is told before it is posted', async () => {
  const { page, open, keys, at, post, listed } = walk;
  await open('OverseasPurchaseNew');
  await keys('Rhein⏎');
  await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('USD');
  await into('Reference', 'RM-77⏎');
  await into(/^Exchange rate/, '80⏎');
  await at('Item, line 1');
  await keys('LED-9W⏎10⏎5⏎');
  await page.getByText('Amount (USD)').waitFor();
  const bill = await post();
  expect(bill.entries).toEqual({ 1310: 'Dr 4000.00', 2130: 'Cr 4000.00' });
  expect(bill.open).toBe('50.00');
  await page.getByText('USD 50.00').first().waitFor();
  await proper('import-bill');

  await page.getByText('Continue as').press('Enter');
  await page.getByRole('button', { name: 'Bill of entry' }).press('Enter');
  await page.getByRole('heading', { name: 'New bill of entry' }).waitFor();
  await expect.poll(() => page.getByLabel(/^Assessable value/).inputValue()).toBe('4,000.00');
  await page.keyboard.press('Control+Enter');
  await page.getByText('The number of a bill of entry has seven digits').first().waitFor();
  await into('Reference', '4125873⏎');
  await into('Reference date', '20/11⏎');
  await into('Port code', 'INNSA1⏎');
  await into(/^Basic customs duty/, '400');
  await page.getByText('By the rates of the goods: surcharge ₹ 40.00, IGST ₹ 799.20.').waitFor();
  await page.getByRole('button', { name: 'Take over' }).press('Enter');
  await expect.poll(() => page.getByLabel(/^IGST/).inputValue()).toBe('799.20');
  await proper('bill-of-entry');
  const entry = await post();
  expect(entry.entries).toEqual({ 1310: 'Dr 440.00', 1413: 'Dr 799.20', 2250: 'Cr 1239.20' });
  expect(entry.movements).toEqual([expect.objectContaining({ quantity: '0', cost: '440.00' })]);
  await page.goto(`${server.url}/layout/Overseas%20Purchase?kind=billOfEntry`);
  await page.getByRole('grid').getByText(entry.number, { exact: true }).waitFor();

  await open('OverseasPurchaseView', `?id=${bill.id}`);
  await page.getByRole('button', { name: /^Make payment/ }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'New payment' }).waitFor();
  await page.getByLabel(`Settle ${bill.number}`).waitFor();
  await into(/^Bank or cash/, 'bank⏎');
  await into(/^Exchange rate/, '82⏎');
  await page.getByText('Exchange loss ₹ 100.00').waitFor();
  await shot('payment');
  const paid = await post();
  expect(paid.entries).toEqual({ 2130: 'Dr 4000.00', 1121: 'Cr 4100.00', 6510: 'Dr 100.00' });
  await listed('Payments', paid.number);
});

test('an invoice to Saudi Arabia has VAT beside its total, and the code on its view', async () => {
  const { page, open, keys, at, post } = walk;
  await open('KSACreation');
  await keys('Najd⏎');
  await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('SAR');
  await into('Our VAT number in Saudi Arabia', '310122393500003⏎');
  await into(/^Exchange rate/, '22.5⏎');
  await page.getByLabel('Item, line 1').focus();
  await at('Item, line 1');
  await keys('LED-9W⏎10⏎20⏎');
  await page.getByText('VAT 15 % (SAR)').waitFor();
  await page.getByText('230.00').first().waitFor();
  const invoice = await post();
  expect(invoice.entries).toMatchObject({ 1211: 'Dr 5175.00', 4112: 'Cr 4500.00', 2264: 'Cr 675.00' });
  await page.getByRole('img', { name: `VAT QR code of ${invoice.number}` }).waitFor();
  await proper('saudi');
  await page.goto(`${server.url}/layout/Overseas%20Sale?kind=saudiInvoice`);
  await page.getByRole('grid').getByText(invoice.number, { exact: true }).waitFor();
});

test('a bill is made to come again from its view; the first is made by itself, the next is skipped, and it is stopped', async () => {
  const { page, open } = walk;
  const { TransactionId } = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  await open('saleview', `?id=${TransactionId}`);
  await page.getByRole('button', { name: 'Repeat' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Comes on/).waitFor();
  await into(/^Name/, 'Retainer of Asha Traders');
  await into('How many in all', '3');
  await page.getByLabel('Always the last day of the month').press(' ');
  await page.getByLabel('Post it by itself').press(' ');
  await proper('recurring-form');
  await page.getByLabel('Always the last day of the month').press(' ');
  await page.keyboard.press('Control+Enter');
  const row = page.getByRole('row', { name: /Retainer of Asha Traders/ });
  await row.waitFor();
  await expect
    .poll(async () => (await row.getByRole('cell').nth(5).textContent()) ?? '', { timeout: 20_000 })
    .toBe('1');
  await proper('recurring-list');
  await row.getByRole('button').press('Enter');
  await dialog.getByText('Posted', { exact: true }).waitFor();
  const before = await dialog.getByText(/^Comes on/).textContent();
  await dialog.getByRole('button', { name: 'Skip next' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await row.getByRole('button').press('Enter');
  await expect.poll(() => dialog.getByText(/^Comes on/).textContent()).not.toBe(before);
  await dialog.getByRole('button', { name: 'Stop' }).press('Enter');
  await page
    .getByRole('dialog', { name: /^Stop Retainer/ })
    .getByRole('button', { name: 'Stop' })
    .press('Enter');
  await row.getByText('Stopped').waitFor();
}, 60_000);
