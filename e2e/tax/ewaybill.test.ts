import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let shop: Shop;
const bugs: string[] = [];

beforeAll(async () => {
  server = await testServer({}, { portal: true });
  shop = await openShop(server);
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '5000', rate: '60' }] });
  browser = await openBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('pageerror', (error) => bugs.push(`${page.url()}: ${error.message}`));
  await signIn(page, server.url);
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const misbehave = async (order: Readonly<Record<string, unknown>>): Promise<void> => {
  const answer = await fetch(`${server.url}/sandbox/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  expect(answer.status).toBe(200);
};
const behave = () => fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });

const sell = (): Promise<{ TransactionId: string; TransactionNumber: string }> =>
  shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '600', rate: '95' }],
    fields: { vehicle: 'KA01AB1234' },
  });
/** Posts an invoice, opens it and waits for its IRN. */
const openSale = async (): Promise<string> => {
  const { TransactionId } = await sell();
  await goTo(page, `${server.url}/layout/saleview?id=${TransactionId}`);
  await page.getByRole('region', { name: 'E-invoice' }).getByText('Registered', { exact: true }).waitFor();
  return TransactionId;
};
const panel = () => page.getByRole('region', { name: 'E-way bill' });
/** Axe at both widths and in both colours. */
const looksRight = async (): Promise<void> => {
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
};

test('an invoice above the limit asks for its e-way bill, and gets it from its IRN with what was typed before', async () => {
  await openSale();
  await panel().getByText('Needed', { exact: true }).waitFor();
  await panel().getByText('worth more than ₹ 50,000').waitFor();
  await panel().getByRole('button', { name: 'Make e-way bill' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByLabel('Vehicle number').inputValue()).toBe('KA01AB1234');
  await looksRight();
  await dialog.getByLabel('Vehicle number').fill('LORRY');
  await dialog.getByRole('button', { name: 'Make e-way bill' }).click();
  await dialog.getByText('A vehicle number is written like KA01AB1234').waitFor();
  await dialog.getByLabel('Vehicle number').fill('KA 01 AB 1234');
  await dialog.getByRole('button', { name: 'Make e-way bill' }).click();
  // the page is read again by itself
  await panel().getByText('Active', { exact: true }).waitFor();
  await panel()
    .getByText(/^\d{12}$/)
    .waitFor();
  await dialog.waitFor({ state: 'detached' });
  await looksRight();
  const paper = page.waitForEvent('download');
  await panel().getByRole('button', { name: 'Download PDF' }).click();
  expect((await paper).suggestedFilename()).toMatch(/^e-way-bill-\d{12}\.pdf$/);
}, 180_000);

test('a refusal of the portal is shown with what to do, and the bill is made again', async () => {
  await openSale();
  await misbehave({ mode: 'code', code: '4029', operations: ['ewbByIrn'], times: 'always' });
  await panel().getByRole('button', { name: 'Make e-way bill' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make e-way bill' }).click();
  await panel().getByText('Failed', { exact: true }).waitFor();
  await panel().getByText('4029').waitFor();
  await panel().getByText('enter the distance by road in km').waitFor();
  await panel().getByRole('button', { name: 'Show attempts' }).click();
  await panel().getByText('Refused').first().waitFor();
  await looksRight();
  await behave();
  await panel().getByRole('button', { name: 'Make it again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make e-way bill' }).click();
  await panel().getByText('Active', { exact: true }).waitFor();
}, 180_000);

test('Part A waits for its vehicle; it is named, and the bill is cancelled with a reason', async () => {
  const id = await openSale();
  await panel().getByRole('button', { name: 'Make e-way bill' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Vehicle number').fill('');
  await dialog.getByLabel('Transporter id').fill('27AALCR2940B1ZJ');
  await dialog.getByRole('button', { name: 'Make e-way bill' }).click();
  await panel().getByText('Part A', { exact: true }).waitFor();

  await goTo(page, `${server.url}/layout/saleEWayBill?id=${id}`);
  await panel().getByRole('button', { name: 'Name the vehicle' }).click();
  await looksRight();
  await dialog.getByLabel('Vehicle number').fill('KA05CD5678');
  await dialog.getByRole('button', { name: 'Update Part B' }).click();
  await panel().getByText('Active', { exact: true }).waitFor();
  await panel().getByText('KA05CD5678').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await looksRight();

  await panel().getByRole('button', { name: 'Cancel e-way bill' }).click();
  await dialog.getByRole('button', { name: 'Cancel e-way bill' }).click();
  await dialog.getByText('Choose a reason').waitFor();
  await dialog.getByLabel(/^Reason/).selectOption({ label: 'Order cancelled' });
  await dialog.getByLabel(/^Remark/).fill('Customer cancelled the order');
  await looksRight();
  await dialog.getByRole('button', { name: 'Cancel e-way bill' }).click();
  await panel().getByText('Cancelled', { exact: true }).waitFor();
  await panel().getByRole('button', { name: 'Make e-way bill' }).waitFor();
}, 180_000);

test('the list shows every bill, what needs a hand first, and opens each', async () => {
  await goTo(page, `${server.url}/layout/E-Way%20Bill`);
  const grid = page.getByRole('grid', { name: 'E-way bills' });
  await grid.getByText('Active').first().waitFor();
  await grid.getByText('Cancelled').first().waitFor();
  await page.getByRole('button', { name: 'Active 2' }).click();
  await page.waitForURL('**state=active');
  // until they arrive, the earlier rows are shown
  await grid.getByText('Cancelled').first().waitFor({ state: 'detached' });
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await grid.getByText('Accepted').first().waitFor();
  await looksRight();
  await grid.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/saleEWayBill**');
  await panel().getByText('Active', { exact: true }).waitFor();
  expect(bugs).toEqual([]);
}, 180_000);

test('a challan says for what its goods travel before its e-way bill is made', async () => {
  const { TransactionId } = await shop.post({
    kind: 'deliveryChallan',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '600', rate: '95' }],
  });
  await goTo(page, `${server.url}/layout/Delivery%20Challans?show=documentView&id=${TransactionId}`);
  await panel().getByRole('button', { name: 'Make e-way bill' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Vehicle number').fill('KA01AB1234');
  await dialog.getByRole('button', { name: 'Make e-way bill' }).click();
  await dialog.getByText('Enter the purpose of the transport').waitFor();
  await dialog.getByLabel('They travel as').selectOption('4');
  await looksRight();
  await dialog.getByRole('button', { name: 'Make e-way bill' }).click();
  await panel().getByText('Active', { exact: true }).waitFor();
});
