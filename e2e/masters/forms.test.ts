import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawn, drawnPicture } from '../../tools/testing/browser.ts';
import { type Desk, openDesk } from '../kit/desk.ts';
import { goesOnAt } from '../kit/go.ts';

let desk: Desk;
let page: Desk['page'];
let shop: Desk['shop'];
let go: Desk['go'];
const bugs: string[] = [];

beforeAll(async () => {
  desk = await openDesk({ enableBatch: true });
  ({ page, shop, go } = desk);
  page.on('pageerror', (error) => bugs.push(error.message));
});
afterAll(async () => {
  expect(bugs).toEqual([]);
  await desk?.stop();
});
/** The problem shown at a field. */
const fieldError = (message: string | RegExp) => page.locator('.field-error').filter({ hasText: message });
const gone = async (message: string | RegExp) => expect.poll(() => fieldError(message).count()).toBe(0);
const pick = async (label: string, text: string) => {
  await page.getByLabel(label).first().fill(text);
  await page
    .getByRole('option', { name: new RegExp(text) })
    .first()
    .click();
};

test('in the editor of a document a problem goes with its field, and the others stay', async () => {
  await go('Create Invoice');
  await pick('Item, line 1', 'LED');
  await page.getByLabel(/^Quantity, line 1/).fill('0');
  await page.keyboard.press('Control+Enter');
  await fieldError('Choose the customer').waitFor();
  const line = page.locator('.line-grid');
  await line.getByText(/^Line 1, Quantity: /).waitFor();
  await page.getByRole('alert').getByText('Please correct the marked fields').waitFor();
  await pick('Customer', 'Asha');
  await gone('Choose the customer');
  expect(await line.getByText(/^Line 1, Quantity: /).count()).toBe(1);
  // the last one takes what was said above along
  await page.getByLabel(/^Quantity, line 1/).fill('2');
  await expect.poll(() => line.getByText(/^Line 1, Quantity: /).count()).toBe(0);
  await page.getByText('Please correct the marked fields').waitFor({ state: 'detached' });
  // as it was, it is wrong again
  await page.getByLabel(/^Quantity, line 1/).fill('0');
  await line.getByText(/^Line 1, Quantity: /).waitFor();
});

test('in the form of a master what can be judged here is judged at every key, and what the server said goes', async () => {
  await go('SupplyMasters', '?id=new');
  await page.keyboard.press('Control+s');
  await fieldError('Name is required').waitFor();
  await page.getByLabel(/^Name/).fill('Desk lamp');
  await gone('Name is required');
  // the SKU follows the name
  await gone('SKU is required');
  await page.getByLabel(/^SKU/).fill('LED-9W');
  await page.getByLabel(/^HSN \/ SAC/).fill('9405');
  await page.getByLabel(/^GST %/).fill('18');
  await page.keyboard.press('Control+s');
  await fieldError(/already/).waitFor();
  await page.getByLabel(/^SKU/).fill('LED-9WX');
  await gone(/already/);
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('who opens another screen while a form is saved stays there, and sees there what came of it', async () => {
  const typeLamp = async (sku: string) => {
    await go('SupplyMasters', '?id=new');
    await page.getByLabel(/^Name/).fill(`Lamp ${sku}`);
    await page.getByLabel(/^SKU/).fill(sku);
    await page.getByLabel(/^HSN \/ SAC/).fill('9405');
    await page.getByLabel(/^GST %/).fill('18');
    await goesOnAt(page, 'SaveMaster', 'Units');
    await page.keyboard.press('Control+s');
  };
  const stays = async () => {
    await page.getByRole('heading', { name: 'Units', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(new URL(page.url()).pathname).not.toBe('/layout/SupplyMasters');
  };
  await typeLamp('GO-ON');
  await page.getByText('Item Lamp GO-ON is saved').waitFor();
  await stays();
  await typeLamp('LED-9W');
  await page
    .getByRole('alert')
    .filter({ hasText: /^Item, not saved: .*already/ })
    .waitFor();
  await stays();
  await go('SupplyMasters', '?id=new');
  await page.getByText('Your unsaved changes are open again').waitFor();
  expect(await page.getByLabel(/^Name/).inputValue()).toBe('Lamp LED-9W');
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('from one record to another: the form that is left asks for none that is not its own', async () => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/GetMaster?')) asked.push(new URL(request.url()).search);
  });
  const own = [`?master=customer&id=${shop.customer}`, `?master=item&id=${shop.item}`];
  for (let turn = 0; turn < 5; turn++) {
    await go('SupplyMasters', `?id=${shop.item}`);
    await page.getByLabel(/^SKU/).waitFor();
    await go('Create Party', `?id=${shop.customer}`);
    await page.getByLabel(/^GST category/).waitFor();
  }
  expect([...new Set(asked)].sort()).toEqual(own);
});

test('in a dialog with a form too', async () => {
  await go('Create Invoice');
  await page.getByLabel('Customer').first().fill('Kaveri Stores');
  await page.getByRole('option', { name: /Create customer/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^GST category/).selectOption('registered');
  await dialog.getByRole('button', { name: 'Save customer' }).click();
  await dialog.getByText('A registered party has a GSTIN').first().waitFor();
  await dialog.getByLabel(/^GSTIN/).fill('29AABCA1234F1Z5');
  await expect.poll(() => dialog.getByText('A registered party has a GSTIN').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('and in the settings', async () => {
  await go('Orgedit');
  const name = page.getByLabel(/^Name/);
  await name.fill('');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await fieldError('Name is required').waitFor();
  await name.fill('Sharma and Sons');
  await gone('Name is required');
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('what can no longer change says so before it is tried', async () => {
  await go('SupplyMasters', `?id=${shop.item}`);
  const box = page.getByRole('checkbox', { name: /^Batches|batches/ }).first();
  await box.waitFor();
  await expect.poll(() => box.isDisabled()).toBe(true);
  await page.getByText('its stock has moved without or with them; add another item').first().waitFor();
  await desk.cleanAtBoth('fixed-item');
});

test('a picker shows items with their pictures', async () => {
  await page
    .getByLabel('Picture files')
    .setInputFiles({ name: 'bulb.jpg', mimeType: 'image/jpeg', buffer: await drawnPicture(page) });
  await page.getByRole('img', { name: /bulb\.jpg/ }).waitFor();
  const own = (await shop.owner.ask('GetMaster', { master: 'item', id: shop.item })) as { values: object };
  for (const [sku, name] of [
    ['LED-12W', 'LED bulb 12 W, warm white, dimmable, with a bayonet cap for old lamp holders'],
    ['LED-20W', 'LED batten 20 W'],
  ])
    await shop.owner.ask('SaveMaster', { master: 'item', values: { ...own.values, sku, name } });
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await go('Create Invoice');
    // on a phone a line is a card
    const cell = page.getByLabel('Item, line 1').or(page.getByRole('region', { name: 'Line 1' }).getByLabel(/^Item/));
    await cell.fill('LED');
    const option = page.getByRole('option', { name: /LED bulb 9 W/ });
    await option.locator('img').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await drawn(page);
      await desk.clean();
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/picker-${width}-${colorScheme}.png` });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await option.click();
  }
});
