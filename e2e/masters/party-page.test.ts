import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';
import { goTo } from '../kit/go.ts';
import { signIn } from '../kit/shop.ts';

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
  await page.getByRole('region', { name: 'Account as a customer' }).getByText('1,25,00,000.00').first().waitFor();
  await page.getByRole('region', { name: 'Receivables by age' }).getByText('Total').waitFor();
  for (const name of ['Open invoices and credits', 'Last documents'])
    await page.getByRole('region', { name }).getByRole('link', { name: number }).first().waitFor();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Asha Traders').waitFor();
  await desk.cleanAtBoth('party-page');
  await page.keyboard.press('e');
  await page.getByLabel('Trade name').fill('Asha of the market');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/show=page/);
  expect(await page.getByLabel('Trade name').count()).toBe(0);
  await page.getByRole('region', { name: 'Receivables by age' }).getByRole('link', { name: 'Open report' }).click();
  await page.waitForURL(/TradeReceivable.*party=/);
  await page.getByRole('heading', { name: 'Receivables ageing' }).waitFor();
});

test('from the page of a customer an invoice and a receipt begin with the customer filled in', async () => {
  for (const name of ['New sale invoice', 'New receipt']) {
    await desk.go('Party Master', `?id=${desk.shop.customer}&show=page`);
    await page.getByRole('button', { name }).click();
    await page.waitForURL(/party=/);
    await expect.poll(() => page.getByRole('combobox', { name: 'Customer' }).inputValue()).toContain('Asha Traders');
  }
});

test('a supplier opens as a page on the screen of its list', async () => {
  const supplier: { id: string } = await desk.shop.owner.ask('SaveMaster', {
    master: 'supplier',
    values: { name: 'Kaveri Mills', category: 'unregistered', state: '29', phone: '98450 12345', addresses: [] },
  });
  await desk.go('Supplier Master', `?id=${supplier.id}&show=page`);
  await page.getByRole('heading', { name: 'Kaveri Mills', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Account as a supplier' }).getByText('Balance due').waitFor();
  expect(await page.getByRole('link', { name: '98450 12345' }).getAttribute('href')).toBe('tel:9845012345');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  expect(await crumbs.getByRole('listitem').allInnerTexts()).toEqual(['Parties', 'Suppliers', 'Kaveri Mills']);
  const files = page.getByRole('region', { name: 'Files' });
  await files.getByLabel('Files to attach').setInputFiles({
    ...{ name: 'contract.txt', mimeType: 'text/plain' },
    buffer: Buffer.from('Rates are fixed until March'),
  });
  await files.getByRole('button', { name: 'contract.txt', exact: true }).waitFor();
  await files.getByRole('button', { name: 'Take away contract.txt' }).click();
  await files.getByText('No files yet').waitFor();
  await page.keyboard.press('e');
  await page.getByLabel('Trade name').waitFor();
});

test('a firm that is customer and supplier has both accounts on one page, also with a long name and crores', async () => {
  const name = 'Shree Venkateshwara Precision Engineering and Industrial Components (South) Private Limited';
  const firm: { id: string } = await desk.shop.owner.ask('SaveMaster', {
    master: 'customer',
    values: {
      ...{ name, category: 'unregistered', state: '29' },
      addresses: [
        { type: 'both', line1: '4 Mill Road', city: 'Mysuru', state: '29', pincode: '570001', country: 'IN' },
      ],
    },
  });
  await desk.server.database.owner.query("update parties set side = 'both' where id = $1", [firm.id]);
  await desk.shop.post({
    ...{ kind: 'saleInvoice', party: firm.id },
    lines: [{ item: desk.shop.item, quantity: '10', rate: '9876543' }],
  });
  await desk.go('Party Master', `?id=${firm.id}&show=page`);
  for (const region of ['Account as a customer', 'Account as a supplier'])
    await page.getByRole('region', { name: region }).waitFor();
  for (const action of ['New sale invoice', 'New purchase bill', 'New payment'])
    await page.getByRole('button', { name: action }).waitFor();
  await desk.cleanAtBoth('both-page');
});

test('an item opens from the list as a page, which begins orders and adjustments with the item filled in', async () => {
  await desk.go('Supply Master');
  await page.getByRole('grid').getByText('LED bulb 9 W').first().click();
  await page.keyboard.press('Enter');
  await page.waitForURL(/show=page/);
  await page.getByRole('heading', { name: 'LED bulb 9 W', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Stock by location' }).getByText('Bengaluru head office').waitFor();
  const sales = page.getByRole('region', { name: 'Last sales' }).first();
  await sales.getByRole('link', { name: 'Asha Traders' }).first().waitFor();
  await desk.cleanAtBoth('item-page');
  for (const name of ['New sale order', 'New purchase order', 'New inventory adjustment']) {
    await desk.go('Supply Master', `?id=${desk.shop.item}&show=page`);
    await page.getByRole('button', { name }).click();
    await page.waitForURL(/items=/);
    await expect.poll(() => page.locator('.grid input').first().inputValue()).toContain('LED bulb 9 W');
  }
});

test('a posted document leads to the pages of its party and its items', async () => {
  const { TransactionId: id } = await desk.shop.post({
    ...{ kind: 'saleInvoice', party: desk.shop.customer },
    lines: [{ item: desk.shop.item, quantity: '1', rate: '95' }],
  });
  for (const name of ['Asha Traders', 'LED bulb 9 W']) {
    await desk.go('saleview', `?id=${id}`);
    await page.locator('.sheet').getByRole('link', { name }).click();
    await page.waitForURL(/show=page/);
    await page.getByRole('heading', { name, exact: true }).waitFor();
  }
});

test('people who may only view a customer see its page without edit controls', async () => {
  const context = await desk.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const other = await context.newPage();
  await signIn(other, desk.server.url, 'viewer@sharma.demo');
  await goTo(
    other,
    `${desk.server.url}/layout/${encodeURIComponent('Party Master')}?id=${desk.shop.customer}&show=page`,
  );
  await other.getByRole('heading', { name: 'Asha Traders', exact: true }).waitFor();
  await other.getByRole('region', { name: 'Customer', exact: true }).waitFor();
  expect(await other.getByRole('button', { name: /^(Edit|New)/ }).count()).toBe(0);
  await context.close();
});
