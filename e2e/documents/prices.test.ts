import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnPicture } from '../../tools/testing/browser.ts';
import { type Desk, openDesk } from '../kit/desk.ts';

let shop: Desk['shop'];
let page: Desk['page'];
let go: Desk['go'];
let cleanAtBoth: Desk['cleanAtBoth'];
let stop: Desk['stop'];

beforeAll(async () => {
  ({ shop, page, go, cleanAtBoth, stop } = await openDesk());
});
afterAll(() => stop?.());

const pick = async (label: string, text: string, option: string | RegExp = text) => {
  await page.getByLabel(label, { exact: false }).first().fill(text);
  await page.getByRole('option', { name: option }).first().click();
};
const textIn = (label: string | RegExp) => page.getByLabel(label).first().inputValue();

test('a price list is typed, given to a customer, and prices their invoice by quantity; a typed price stays', async () => {
  await go('Price List', '?id=new');
  await page.getByLabel(/^Code/).fill('WHOLE');
  await page.getByLabel(/^Name/).fill('Wholesale');
  await page.getByLabel('Item, line 1').fill('LED');
  await page.getByRole('option', { name: /LED/ }).first().click();
  await page.getByLabel('Price, line 1').fill('90');
  await page.getByRole('button', { name: 'Add line' }).click();
  await page.getByLabel('Item, line 2').fill('LED');
  await page.getByRole('option', { name: /LED/ }).first().click();
  await page.getByLabel('From quantity, line 2').fill('10');
  await page.keyboard.press('Control+s');
  await page.getByText('Line 2, Price: Give a price or a discount').waitFor();
  await cleanAtBoth('price-list-wrong');
  await page.getByLabel('Price, line 2').fill('82.5');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/Price%20Lists/);
  await page.getByRole('grid').getByText('Wholesale').waitFor();
  await cleanAtBoth('price-lists');
  // a picked record is shown by its name when the list is opened again
  await page.getByRole('grid').getByRole('button', { name: 'WHOLE' }).click();
  await expect.poll(() => textIn('Item, line 2')).toBe('LED bulb 9 W');
  expect(await textIn('From quantity, line 2')).toBe('10');
  await cleanAtBoth('price-list');
  await go('Create Party', `?id=${shop.customer}`);
  await pick('Price list', 'Whole', 'Wholesale');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/Party%20Master/);

  await go('Create Invoice');
  await page.locator('form.editor').waitFor();
  await page.getByLabel('Item, line 1').fill('LED');
  await page.getByRole('option', { name: /LED/ }).first().click();
  await expect.poll(() => textIn('Rate, line 1')).toBe('95.00');
  // the customer is chosen last: a price that nobody typed follows the customer
  await pick('Customer', 'Asha', /Asha/);
  await expect.poll(() => textIn('Rate, line 1')).toBe('90.00');
  await page.locator('form.editor').getByText('price list Wholesale').waitFor();
  await page.getByLabel(/^Quantity, line 1/).fill('12');
  await expect.poll(() => textIn('Rate, line 1')).toBe('82.50');
  await page.getByText('Wholesale from 10', { exact: false }).first().waitFor();
  await cleanAtBoth('priced');
  await page.getByLabel('Rate, line 1').fill('80');
  await page.getByLabel(/^Quantity, line 1/).fill('2');
  await page.getByLabel('Discount, line 1').focus();
  expect(await textIn('Rate, line 1')).toBe('80.00');
});

test('categories are in a tree that folds with keys, and give a new item what is usual', async () => {
  const made = async (code: string, name: string, more: object = {}) =>
    ((await shop.owner.ask('SaveMaster', { master: 'category', values: { code, name, ...more } })) as { id: string })
      .id;
  const lamps = await made('LAMP', 'Lamps', { hsn: '9405', gstRate: '12', unit: 'BOX' });
  const desk = await made('DESK', 'Desk lamps', { parent: lamps });
  await made('CLAMP', 'Clamp lamps', { parent: desk });
  await go('Category');
  const tree = page.getByRole('treegrid', { name: 'Categories' });
  const names = async () => (await tree.getByRole('row').allInnerTexts()).slice(1).map((row) => row.split('\n')[0]);
  await expect.poll(names).toEqual(['Lamps', 'Desk lamps', 'Clamp lamps']);
  await cleanAtBoth('categories');
  await tree.focus();
  for (const key of ['ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  await expect.poll(names).toEqual(['Lamps', 'Desk lamps']);
  // ← on what is closed goes up, and closes that next
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await expect.poll(names).toEqual(['Lamps']);
  await expect.poll(() => tree.getByRole('row', { name: /Lamps/ }).getAttribute('aria-expanded')).toBe('false');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(names).toEqual(['Lamps', 'Desk lamps', 'Clamp lamps']);
  await go('ChartOfAccounts');
  await page.getByRole('treegrid').getByRole('row', { expanded: true }).first().waitFor();
  await cleanAtBoth('chart');

  await go('SupplyMasters', '?id=new');
  await page.getByLabel(/^SKU/).fill('DESK1');
  await page.getByLabel(/^Name/).fill('Desk lamp');
  await pick('Category', 'Desk', 'Desk lamps');
  await page.getByText('Taken over from the category: Unit, HSN / SAC, GST %').waitFor();
  expect(await Promise.all([textIn('HSN / SAC'), textIn(/^GST %/)])).toEqual(['9405', '12']);
  await page.getByLabel(/^GST %/).fill('18');
  await page.getByRole('textbox', { name: 'Reorder level' }).fill('5');
  await page.getByLabel('Location, line 1').fill('Peenya');
  // the top bar has options of places too
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /Peenya/ })
    .click();
  await page.getByLabel('Level, line 1').fill('20');
  await page.getByLabel('Fill up to, line 1').fill('50');
  await cleanAtBoth('item-usual');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/Supply%20Master/);
  await page.getByRole('grid').getByRole('button', { name: 'DESK1' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('heading', { name: 'Pictures' }).waitFor();
  expect(await textIn('Location, line 1')).toBe('Peenya warehouse');
  await page
    .getByLabel('Picture files')
    .setInputFiles({ name: 'lamp.jpg', mimeType: 'image/jpeg', buffer: await drawnPicture(page) });
  await page.getByRole('img', { name: 'Desk lamp, lamp.jpg' }).waitFor();
  await cleanAtBoth('pictures');
  await page
    .getByLabel('Picture files')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('x') });
  await page.getByText('This file cannot be read as a picture').waitFor();
  await go('Supply Master', `?id=${new URL(page.url()).searchParams.get('id')}&show=page`);
  await page.getByRole('img', { name: 'Desk lamp, lamp.jpg' }).waitFor();
  // of the place its own level, elsewhere that of the item, and what is missing to each
  const places = page.getByRole('region', { name: 'Stock by location' }).first();
  await expect.poll(() => places.innerText()).toMatch(/Peenya warehouse\s+20\s+20\s+0/);
  const stock = page.getByRole('region', { name: 'Stock', exact: true }).first();
  await expect.poll(() => stock.innerText()).toMatch(/Reorder level\s+5\s+Below the reorder level\s+5/i);
  await cleanAtBoth('item-view');
  // the picker of an editor shows it small
  await go('Create Invoice');
  const small = page.getByRole('option', { name: /Desk lamp/ }).locator('img');
  const shows = async () => {
    for (const typed of ['', 'Desk']) await page.getByLabel('Item, line 1').fill(typed);
    return small.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(shows, { timeout: 20_000 }).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await cleanAtBoth('picker');
  await go('Manage Inventory', '?report=reorder');
  await page.getByRole('grid').getByText('Peenya warehouse').waitFor();
  await cleanAtBoth('reorder');
  await page.setViewportSize({ width: 390, height: 844 });
  await page
    .getByText(/^To be ordered \d/)
    .first()
    .waitFor();
});
