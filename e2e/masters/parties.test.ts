import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { type Desk, openDesk } from '../kit/desk.ts';

let server: Desk['server'];
let shop: Desk['shop'];
let page: Desk['page'];
let go: Desk['go'];
let cleanAtBoth: Desk['cleanAtBoth'];
let stop: Desk['stop'];

beforeAll(async () => {
  ({ server, shop, page, go, cleanAtBoth, stop } = await openDesk({}, { portal: true }));
});
afterAll(() => stop?.());

test('a GSTIN fills the form at a key, what was typed otherwise is left to choose, and an outage loses nothing', async () => {
  await go('Create Party', '?id=new');
  const gstin = page.getByLabel('GSTIN', { exact: true }).first();
  await gstin.fill('27AABCS4821K1Z9');
  await page.keyboard.press('Alt+g');
  await page.getByText('as the portal said on').waitFor();
  await expect
    .poll(() => page.getByLabel('Name', { exact: false }).first().inputValue())
    .toBe('Sahyadri Components Private Limited');
  await expect.poll(() => page.getByLabel('PAN', { exact: true }).inputValue()).toBe('AABCS4821K');
  await expect.poll(() => page.getByLabel('City, line 1').inputValue()).toBe('Pune');

  await page.getByLabel('Trade name').fill('Sahyadri of Pune');
  await page.keyboard.press('Tab');
  await gstin.press('Alt+g');
  const choice = page.getByRole('group', { name: 'Trade name differs' });
  await choice.waitFor();
  await cleanAtBoth('gstin');
  await choice.getByLabel('Take: Sahyadri Components').check();
  await expect.poll(() => page.getByLabel('Trade name').inputValue()).toBe('Sahyadri Components');

  const cancelled = `29AABCX9992L1Z`;
  await gstin.fill(cancelled + gstinCheckDigit(cancelled));
  await page.getByRole('button', { name: 'Get details' }).click();
  await page.getByText('This registration is cancelled').waitFor();

  await fetch(`${server.url}/sandbox/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'serverError', times: 5, operations: ['gstin'] }),
  });
  await gstin.fill('33AAECP9044D1ZM');
  await page.keyboard.press('Alt+g');
  await page.getByText('The portal cannot be reached now').waitFor();
  await expect.poll(() => page.getByLabel('Trade name').inputValue()).toBe('Sahyadri Components');
  await fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });
});

test('an existing party is flagged while a new one is typed, and two are merged from the list', async () => {
  const make = (name: string, more: object = {}) =>
    shop.owner.ask('SaveMaster', {
      master: 'customer',
      values: { name, category: 'unregistered', state: '29', addresses: [], ...more },
    });
  await make('Godavari Hardware and Building Materials Private Limited', { phone: '9845012345' });
  await go('Create Party', '?id=new');
  await page.getByLabel('Name', { exact: false }).first().fill('M/s Godavari Hardware & Building Materials Pvt Ltd');
  await page.getByText('May be on record already').waitFor();
  await page.getByText('nearly the same name').waitFor();
  await cleanAtBoth('flagged');

  await make('Godavari Hardware & Building Materials Pvt. Ltd.');
  await go('Party Master');
  await page.getByRole('button', { name: 'Possible duplicates' }).click();
  const merge = page.getByRole('button', { name: /^Merge C\d+ and C\d+/ });
  await merge.waitFor();
  await cleanAtBoth('pairs');
  await merge.click();
  await page.getByRole('dialog', { name: 'Make one party of two?' }).waitFor();
  await cleanAtBoth('merge');
  await page.getByRole('button', { name: 'Merge parties' }).click();
  await page.getByText('is merged into').first().waitFor();
  await page.reload();
  await page.getByText('Asha Traders').first().waitFor();
  await expect.poll(() => page.getByRole('row', { name: /Godavari/ }).count()).toBe(1);
});

test('an address of the party’s master is chosen for delivery in the editor', async () => {
  const asha: { version: number; values: { addresses: object[] } } = await shop.owner.ask('GetMaster', {
    master: 'customer',
    id: shop.customer,
  });
  const godown = { type: 'shipping', line1: '7 Godown Lane', city: 'Mysuru', state: '29', pincode: '570001' };
  await shop.owner.ask('SaveMaster', {
    master: 'customer',
    id: shop.customer,
    version: asha.version,
    values: { ...asha.values, addresses: [...asha.values.addresses, godown] },
  });
  await go('Create Invoice');
  await page.getByLabel('Customer', { exact: false }).first().fill('Asha');
  await page.getByRole('option', { name: /Asha/ }).first().click();
  await page.getByText('Ship to', { exact: true }).click();
  await page.getByLabel('Ship to: address on record').selectOption({ label: '7 Godown Lane, Mysuru, 570001' });
  await expect.poll(() => page.getByLabel('PIN code').inputValue()).toBe('570001');
  await cleanAtBoth('ship-to');
});

test('what is typed into a party stays when somebody else saves it meanwhile', async () => {
  const asha: { version: number; values: object } = await shop.owner.ask('GetMaster', {
    master: 'customer',
    id: shop.customer,
  });
  await go('Create Party', `?id=${shop.customer}`);
  await page.getByLabel('Trade name').fill('Asha of the market');
  await shop.owner.ask('SaveMaster', {
    master: 'customer',
    id: shop.customer,
    version: asha.version,
    values: { ...asha.values, phone: '9845098450' },
  });
  await page.waitForTimeout(700);
  await expect.poll(() => page.getByLabel('Trade name').inputValue()).toBe('Asha of the market');
  await page.keyboard.press('Control+s');
  await page.getByText('both changes are kept').waitFor();
  await page.getByRole('button', { name: 'Merge changes' }).click();
  await page.keyboard.press('Control+s');
  await page.waitForURL(/Party%20Master/);
  const kept: { values: object } = await shop.owner.ask('GetMaster', { master: 'customer', id: shop.customer });
  expect(kept.values).toMatchObject({ tradeName: 'Asha of the market', phone: '9845098450' });
});
