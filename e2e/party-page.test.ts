import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;
let page: Desk['page'];
beforeAll(async () => {
  desk = await openDesk();
  ({ page } = desk);
});
afterAll(() => desk?.stop());

test('a customer opens from the list as a page, E opens the form, and saving it leads back to the page', async () => {
  const { TransactionNumber: number } = await desk.shop.post({
    ...{ kind: 'saleInvoice', party: desk.shop.customer, taxInclusive: true },
    lines: [{ item: desk.shop.item, quantity: '1', rate: '12500000' }],
  });
  await desk.go('Party Master');
  await page.getByRole('grid').getByText('Asha Traders').first().click();
  await page.keyboard.press('Enter');
  await page.waitForURL(/show=page/);
  await page.getByRole('heading', { name: 'Asha Traders', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Receivables ageing' }).getByText('Total').waitFor();
  await page.getByRole('region', { name: 'Outstanding debtors' }).first().waitFor();
  await page.getByRole('region', { name: 'Receivables ageing' }).getByText('1,25,00,000.00').first().waitFor();
  for (const name of ['Outstanding debtors', 'Statement of customer'])
    await page.getByRole('region', { name }).getByRole('link', { name: number }).first().waitFor();
  await desk.cleanAtBoth('party-page');
  await page.keyboard.press('e');
  await page.getByLabel('Trade name').fill('Asha of the market');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/show=page/);
  expect(await page.getByLabel('Trade name').count()).toBe(0);
  await page.getByRole('region', { name: 'Receivables ageing' }).getByRole('link', { name: 'Open report' }).click();
  await page.waitForURL(/TradeReceivable.*party=/);
  await page.getByRole('heading', { name: 'Receivables ageing' }).waitFor();
});

test('a supplier opens as a page on the screen of its list', async () => {
  const supplier: { id: string } = await desk.shop.owner.ask('SaveMaster', {
    master: 'supplier',
    values: { name: 'Kaveri Mills', category: 'unregistered', state: '29', phone: '98450 12345', addresses: [] },
  });
  await desk.go('Supplier Master', `?id=${supplier.id}&show=page`);
  await page.getByRole('heading', { name: 'Kaveri Mills', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Payables ageing' }).getByText('Total').waitFor();
  expect(await page.getByRole('link', { name: '98450 12345' }).getAttribute('href')).toBe('tel:9845012345');
  await page.keyboard.press('e');
  await page.getByLabel('Trade name').waitFor();
});
