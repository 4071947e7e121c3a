import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  browser = await openBrowser();
  shop = await openShop(server);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const pageOf = async (email: string): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, server.url, email);
  return page;
};
/** For who wants to look: BAHI_PICTURES names a folder. */
const picture = async (page: Page, name: string) => {
  const folder = process.env['BAHI_PICTURES'];
  if (!folder) return;
  await page.screenshot({ path: `${folder}/${name}-1440.png` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/${name}-390.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.waitForTimeout(400);
};
const onHand = async () =>
  (
    (await shop.owner.ask(
      'GetInventoryQtyForTransactions' as 'GetSession',
      { item: shop.item } as never,
    )) as unknown as {
      onHand: string;
    }
  ).onHand;

test('a clerk counts by scanner and by hand without seeing the books; the owner has it counted again and approves', async () => {
  await shop.owner.ask('SaveMaster', {
    master: 'item',
    values: {
      ...{ sku: 'FAN-48', name: 'Ceiling fan 48 inch', type: 'stock', unit: 'NOS', hsn: '8414' },
      ...{ treatment: 'taxable', gstRate: '18', saleRate: '1800.00', purchaseRate: '1200.00' },
    },
  });
  const clerk = await pageOf('accountant@sharma.demo');
  await goTo(clerk, `${server.url}/layout/Count%20Sheets`);
  await clerk.getByText('No counts yet').waitFor();
  await clerk.keyboard.press('Alt+n');
  const dialog = clerk.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Month end');
  await dialog.getByText('List items without stock too').click();
  await picture(clerk, 'count-new');
  await dialog.getByRole('button', { name: 'Make count' }).click();
  await clerk.getByRole('heading', { name: 'CS-0001 Month end' }).waitFor();
  const scan = clerk.getByLabel('Scan or search');
  // a scanner types and presses Enter; it does not wait
  await scan.focus();
  for (const code of ['LED-9W', '40*LED-9W', 'led-9w']) {
    await clerk.keyboard.type(code);
    await clerk.keyboard.press('Enter');
  }
  await clerk.getByText('LED bulb 9 W: 42 counted').waitFor();
  await clerk.keyboard.type('ceiling');
  await clerk.keyboard.press('Enter');
  const byHand = clerk.getByLabel('Counted by me (NOS)');
  await byHand.waitFor();
  await picture(clerk, 'count-enter');
  await clerk.keyboard.type('2');
  await clerk.keyboard.press('Enter');
  await clerk.getByText('2 of 2 counted').waitFor();
  expect(await clerk.getByText('In the books').count()).toBe(0);
  expect(await clerk.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(await axe(clerk)).toEqual([]);

  const owner = await pageOf('owner@sharma.demo');
  await owner.goto(clerk.url());
  await owner.getByRole('button', { name: 'Different 2' }).click();
  await picture(owner, 'count-differences');
  expect(await axe(owner)).toEqual([]);
  // what is sold meanwhile is no difference
  await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '3', rate: '95' }],
  });
  await owner.getByRole('button', { name: 'Count 2 again' }).click();
  await clerk.getByText('round 2').waitFor();
  await scan.fill('96*LED-9W');
  await clerk.keyboard.press('Enter');
  await clerk.getByText('LED bulb 9 W: 96 counted').waitFor();
  await scan.fill('fan');
  await clerk.keyboard.press('Enter');
  await byHand.waitFor();
  await clerk.keyboard.type('2');
  await clerk.keyboard.press('Enter');
  await owner.getByRole('button', { name: 'All 2' }).click();
  await owner.getByText('2 of 2 counted').waitFor();
  await owner.getByRole('row', { name: /LED-9W/ }).focus();
  await owner
    .getByRole('row', { name: /LED-9W/ })
    .getByRole('button')
    .first()
    .click();
  await owner.getByLabel('Reason', { exact: true }).selectOption('Damage');
  await owner.getByRole('button', { name: 'Keep reason' }).click();
  await owner.getByRole('cell', { name: 'Damage' }).or(owner.getByText('Damage').first()).first().waitFor();
  await owner.getByRole('button', { name: 'Approve' }).click();
  await owner.getByText('2 lines differ from the books').waitFor();
  await picture(owner, 'count-approve');
  expect(await axe(owner)).toEqual([]);
  await owner.getByRole('button', { name: 'Approve and post' }).click();
  await owner.getByRole('heading', { name: 'Approved' }).waitFor();
  await picture(owner, 'count-posted');
  expect(await onHand()).toBe('96');
  await owner.getByRole('link', { name: /IA/ }).first().click();
  await owner.getByRole('heading', { name: /Inventory adjustment IA/ }).waitFor();
}, 60_000);

test('what is left of an order is given up for a line, then for all of it, and asked for again', async () => {
  const { TransactionId } = await shop.post({
    kind: 'saleOrder',
    party: shop.customer,
    lines: [
      { item: shop.item, quantity: '10', rate: '95' },
      { item: shop.item, quantity: '6', rate: '90' },
    ],
  });
  await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '4', rate: '95', source: { document: TransactionId, line: 1 } }],
  });
  const page = await pageOf('owner@sharma.demo');
  await goTo(page, `${server.url}/layout/SaleOrderView?id=${TransactionId}`);
  await page.getByText('6 left').waitFor();
  await page.getByRole('button', { name: 'Close order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Close order' }).click();
  await dialog.getByText('Say why the rest is given up').waitFor();
  await dialog.getByLabel('Reason').fill('Not made any more');
  await dialog.getByLabel(/^2\. /).uncheck();
  await picture(page, 'order-close');
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close order' }).click();
  await page.getByText('Closed: Not made any more', { exact: true }).waitFor();
  await page.getByText('Part fulfilled').first().waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close order' }).click();
  await dialog.getByLabel('Reason').fill('Bought elsewhere');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Close order' }).click();
  await page.locator('.badge', { hasText: 'Closed' }).first().waitFor();
  await picture(page, 'order-closed');
  // the line that was given up alone said so before: of the whole order nothing is made any more
  await page.getByRole('button', { name: /^Make / }).waitFor({ state: 'detached' });
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await dialog.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('button', { name: /^Make / }).waitFor();
}, 60_000);

test('a list is set, kept as a view and exported whole; beside a document people write and put files', async () => {
  const { TransactionId: id } = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const page = await pageOf('owner@sharma.demo');
  await goTo(page, `${server.url}/layout/Sale%20Invoice`);
  const rows = page.getByRole('row', { name: /INV/ });
  await rows.first().waitFor();
  await page.getByLabel('Status', { exact: true }).selectOption('unpaid');
  await page.getByLabel('Period').selectOption('custom');
  await page.getByLabel('From', { exact: true }).fill('2020-04-01');
  await page.getByLabel('To', { exact: true }).fill('2020-04-30');
  await page.getByText('Nothing matches').waitFor();
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('April 2020');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Forget view' }).waitFor();
  await picture(page, 'list-view');
  expect(await axe(page)).toEqual([]);
  await page.getByLabel('View', { exact: true }).selectOption('');
  await rows.first().waitFor();
  const exported = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await exported).suggestedFilename()).toBe('Sale invoices.csv');
  await page.getByLabel('View', { exact: true }).selectOption('April 2020');
  await page.getByText('Nothing matches').waitFor();

  await goTo(page, `${server.url}/layout/saleview?id=${id}`);
  await page.getByRole('textbox', { name: 'Comment' }).fill('Will pay on Monday');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByRole('list', { name: 'Comments' }).getByText('Will pay on Monday').waitFor();
  await page
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'signed.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 signed') });
  const given = page.waitForEvent('download');
  await page.getByRole('button', { name: 'signed.pdf', exact: true }).click();
  expect((await given).suggestedFilename()).toBe('signed.pdf');
  await picture(page, 'beside');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take away signed.pdf' }).click();
  await page.getByRole('list', { name: 'Files' }).waitFor({ state: 'detached' });
}, 60_000);

test('a return is marked as filed; papers of purchases have templates of their own; a wide grid keeps its item in sight', async () => {
  const page = await pageOf('owner@sharma.demo');
  await goTo(page, `${server.url}/layout/General%20Configuration?tab=additional`);
  await page.getByRole('button', { name: 'Mark a return as filed' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Acknowledgement (ARN)').fill('12');
  await dialog.getByRole('button', { name: 'Mark as filed' }).click();
  await dialog.getByText('15 letters and digits').waitFor();
  await dialog.getByLabel('Acknowledgement (ARN)').fill('AA291026000001A');
  await picture(page, 'filing');
  await dialog.getByRole('button', { name: 'Mark as filed' }).click();
  await page.getByRole('cell', { name: 'AA291026000001A' }).waitFor();
  await page.getByText(/GSTR-1 filed, \w+: locked up to/).waitFor();
  await picture(page, 'filed');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'As filed', exact: true }).click();
  await dialog.getByText('The books agree with the return as filed.').waitFor();
  await dialog.getByRole('button', { name: 'File as filed' }).waitFor();
  await picture(page, 'as-filed');
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await goTo(page, `${server.url}/layout/Purchase%20Template%20New`);
  await page.getByRole('tab', { name: 'Print templates' }).click();
  await page.getByRole('button', { name: 'New purchase template' }).click();
  await page.getByRole('button', { name: 'Remove Purchase order' }).waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill('ORDER');
  await page.getByRole('textbox', { name: 'Name' }).fill('Orders');
  await page.getByRole('button', { name: /^Save/ }).click();
  await page
    .getByText(/is saved/)
    .first()
    .waitFor();
  await page.goto(`${server.url}/layout/Purchase%20Template%20New`);
  await page.getByRole('tab', { name: 'Print templates' }).click();
  await page.getByRole('tabpanel', { name: 'Print templates' }).getByRole('link', { name: 'Orders' }).waitFor();
  await picture(page, 'purchase-templates');
  expect(await axe(page)).toEqual([]);

  // all that Nova has switched on stands in the lines
  const wide = await pageOf('owner@nova.demo');
  await goTo(wide, `${server.url}/layout/Create%20Invoice`);
  const rate = wide.getByLabel('Rate, line 1');
  await rate.waitFor();
  await wide
    .getByLabel(/^GST %, line 1|^Discount, line 1/)
    .first()
    .focus();
  const item = await wide.getByLabel('Item, line 1').boundingBox();
  const last = await rate.boundingBox();
  const grid = await wide.locator('.grid-wrap').first().boundingBox();
  if (!item || !last || !grid) throw new Error('the grid is not there');
  expect(Math.round(item.x - grid.x)).toBeLessThanOrEqual(60);
  expect(last.x).toBeGreaterThanOrEqual(item.x + item.width - 1);
  expect(last.x + last.width).toBeLessThanOrEqual(grid.x + grid.width + 1);
  await picture(wide, 'wide-grid');
}, 60_000);
