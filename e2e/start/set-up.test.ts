import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';
import { signIn } from '../kit/shop.ts';

let server: Desk['server'];
let shop: Desk['shop'];
let browser: Browser;
let page: Page;
let go: Desk['go'];
let clean: Desk['clean'];
let stop: Desk['stop'];

beforeAll(async () => {
  ({ server, shop, browser, page, go, clean, stop } = await openDesk());
});
afterAll(() => stop?.());

const look = async (name: string, on = page) => {
  if (process.env.SHOTS) await on.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};

test('settings: headings are no entries, what leads nowhere is hidden, a tab is in the breadcrumb', async () => {
  await go('Home');
  const open = async (on = page) => {
    await on.getByRole('button', { name: 'Settings' }).click();
    await on.getByRole('menu').waitFor();
  };
  await open();
  const menu = page.getByRole('menu');
  await menu.getByText('Masters', { exact: true }).waitFor();
  expect(await menu.getByRole('menuitem', { name: 'Masters' }).count()).toBe(0);
  // barcodes are off
  expect(await menu.getByRole('menuitem', { name: 'Barcode Config' }).count()).toBe(0);
  await clean();
  await look('settings-menu');
  await menu.getByRole('menuitem', { name: 'Item Configuration' }).click();
  await page.getByRole('tab', { name: 'Item Configuration', selected: true }).waitFor();
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
  await expect
    .poll(async () => (await trail.allTextContents()).map((text) => text.trim()))
    .toEqual(['Configuration', 'General configuration', 'Item Configuration']);
  await page.getByRole('checkbox', { name: /^Batches/ }).check();
  // what is typed on one tab is there after a look at another
  await page.getByRole('tab', { name: 'TDS/TCS Setting' }).click();
  await page.getByRole('cell', { name: '194C', exact: true }).waitFor();
  await clean();
  await page.getByRole('tab', { name: 'Inventory' }).click();
  await page.getByRole('checkbox', { name: 'Stock rooms' }).check();
  await page.keyboard.press('Control+s');
  await page.getByText('The configuration is saved').first().waitFor();
  await page.getByRole('tab', { name: 'Item Configuration' }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: /^Batches/ }).isChecked()).toBe(true);
  await look('item-configuration');

  // somebody without a grant sees how it is set up, and no more
  const other = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const own = await other.newPage();
  await signIn(own, server.url, 'none@sharma.demo');
  await own.getByRole('button', { name: 'Menu', exact: true }).click();
  await own.getByRole('dialog', { name: 'Menu' }).getByText('Settings', { exact: true }).click();
  await clean(own);
  await look('settings-phone', own);
  await own.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Item Configuration' }).click();
  await expect.poll(() => own.getByRole('checkbox', { name: /^Batches/ }).isDisabled()).toBe(true);
  expect(await own.getByRole('button', { name: 'Save configuration' }).count()).toBe(0);
  await own.goto(`${server.url}/layout/Number%20Series`);
  await own.getByRole('heading', { name: 'Number series' }).waitFor();
  expect(await own.getByRole('button', { name: /^New/ }).count()).toBe(0);
  await look('series-none', own);
  await other.close();
});

test('terms, banks and units are made and changed; one bank is the default', async () => {
  const save = async () => {
    await page.keyboard.press('Control+s');
    await page.getByRole('grid').waitFor();
  };
  await go('Terms and Conditions New', '?id=new');
  await page.getByLabel('Code').fill('STD');
  await page.getByLabel(/^Name/).fill('Standard');
  await page.getByLabel(/^Document/).fill('Sale invoice');
  await page.getByRole('option', { name: 'Sale invoice' }).first().click();
  await page.getByRole('textbox', { name: /^Terms/ }).fill('Goods once sold are not taken back');
  await clean();
  await save();
  await page.getByRole('grid').getByText('Standard').waitFor();
  for (const [code, name] of [
    ['B1', 'Canara Bank'],
    ['B2', 'State Bank of India'],
  ] as const) {
    await go('Bank Details New', '?id=new');
    await page.getByLabel(/^Code/).fill(code);
    await page.getByRole('textbox', { name: /^Bank\b/ }).fill(name);
    await page.getByLabel(/^Account number/).fill('123456789012');
    await page.getByLabel(/^IFSC/).fill('SBIN0001234');
    await page.getByLabel(/^Ledger/).fill('1121');
    await page.getByRole('listbox').getByRole('option').first().click();
    if (code === 'B2') await page.getByLabel('Default').check();
    await save();
  }
  await look('banks');
  await clean();
  // what was typed is there again after a look at another screen; who cancels gives it up
  await go('Unit New', '?id=new');
  await page.getByLabel(/^Name/).fill('Crate of twelve');
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goBack();
  await page.getByLabel(/^Name/).waitFor();
  await page.getByText('Your unsaved changes are open again').waitFor();
  await expect.poll(() => page.getByLabel(/^Name/).inputValue()).toBe('Crate of twelve');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'New unit' }).click();
  await expect.poll(() => page.getByLabel(/^Name/).inputValue()).toBe('');
  await page.getByLabel(/^Code/).fill('CRT');
  await page.getByLabel(/^Name/).fill('Crate');
  await page.getByLabel(/^UQC/).selectOption('CTN');
  await save();
  await page.getByRole('grid').getByText('Crate').waitFor();
});

test('Location Stock Levels opens beside the screen that is open', async () => {
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '40', rate: '60' }] });
  await go('Manage Inventory');
  await page.getByRole('button', { name: 'Location Stock Level…' }).click();
  const panel = page.getByRole('dialog', { name: 'Location Stock Levels' });
  await panel.getByLabel('Item').fill('LED');
  await page.getByRole('listbox').getByRole('option').first().click();
  await panel.getByRole('cell', { name: 'Bengaluru head office' }).waitFor();
  await clean();
  await look('stock-levels');
  await page.keyboard.press('Escape');
  expect(new URL(page.url()).pathname).toBe('/layout/Manage%20Inventory');
});

test('the sentences of the error catalogue stand word for word where they belong', async () => {
  const answer = (body: object, status = 200) => ({
    status,
    contentType: 'application/json',
    body: JSON.stringify(body),
  });
  const during = async (call: string, what: Parameters<Page['route']>[1], look: () => Promise<unknown>) => {
    await page.route(`**/api/**/${call}*`, what);
    await look();
    await page.unroute(`**/api/**/${call}*`);
  };
  const says = (text: string) => page.getByText(text, { exact: true }).first().waitFor();

  const bug = answer({ success: false, message: 'Something went wrong', details: { code: 'bug', problems: [] } }, 500);
  const profile = () => page.goto(`${server.url}/layout/Orgedit`);
  await during(
    'GetOrgDetails',
    (route) => route.fulfill(bug),
    async () => {
      await profile();
      await says('Check response status is not 200');
    },
  );
  await during(
    'GetOrgDetails',
    (route) => route.abort(),
    async () => {
      await profile();
      await says("This site can't be reached");
      await says('Reload the page?');
    },
  );
  const broken = answer({ success: true, message: '', details: { rows: [null], total: 1, after: null } });
  await during(
    'ListMasters',
    (route) => route.fulfill(broken),
    async () => {
      await page.goto(`${server.url}/layout/Category`);
      await page.getByRole('heading', { name: 'Error....' }).waitFor();
    },
  );
  await go('subscriptions');
  const ask = async () => {
    await page.getByRole('button', { name: 'Request subscription' }).click();
  };
  await page.getByRole('checkbox', { name: /^Barcode/ }).check();
  const no = answer({ success: false, message: 'Finance is away', details: { code: 'x', problems: [] } });
  await during(
    'AddModulesForOrganisation',
    (route) => route.fulfill(no),
    async () => {
      await ask();
      await says('Finance is away');
    },
  );
  for (const other of [(route: Route) => route.fulfill(bug), (route: Route) => route.abort()])
    await during('AddModulesForOrganisation', other, async () => {
      await ask();
      await says('Please try after some time');
      await page
        .getByRole('alert')
        .filter({ hasText: 'Please try after some time' })
        .getByRole('button', { name: 'Dismiss' })
        .click();
      await page.getByText('Please try after some time').waitFor({ state: 'detached' });
    });

  await go('Attributecreation', '?id=new');
  const name = page.getByRole('textbox', { name: /^Name/ });
  await name.fill('Size');
  await says('characters are allowed');
  await name.fill('Size (cm)');
  await name.blur();
  await says('Script Tags or Special characters are not allowed');
  await expect.poll(() => name.inputValue()).toBe('');

  await go('Home');
  await page.getByRole('button', { name: 'Custom date' }).click();
  const dates = page.getByRole('dialog', { name: 'Which dates?' });
  await dates.getByRole('textbox', { name: 'Start Date' }).fill('21-11-2026');
  await dates.getByRole('textbox', { name: 'End Date' }).fill('20-11-2026');
  await dates.getByRole('button', { name: 'Show these dates' }).click();
  await dates.getByRole('alert').filter({ hasText: 'End Date should be greater than Start Date' }).waitFor();
  await page.keyboard.press('Escape');
});

test('the profile shows the code, GSTINs and addresses, which lead to their forms, and keeps what is typed', async () => {
  await go('Orgedit');
  await page.getByText('SHARMA', { exact: true }).and(page.locator('dd')).waitFor();
  await page.getByLabel(/^Name/).fill('Sharma Traders and Sons Private Limited');
  await page.getByLabel(/^Business type/).selectOption('Trader');
  await page.keyboard.press('Control+s');
  await page.getByText('The profile is saved').first().waitFor();
  expect(await shop.owner.ask('GetOrgDetails', {})).toMatchObject({
    name: 'Sharma Traders and Sons Private Limited',
    businessType: 'Trader',
  });
  await page.getByLabel('Logo file').waitFor({ state: 'attached' });
  const registrations = page.getByRole('region', { name: 'GST registrations', exact: true });
  const addresses = page.getByRole('region', { name: 'Addresses', exact: true });
  await addresses.getByText(/^12 Residency Road, Bengaluru 560025, Karnataka$/).waitFor();
  await registrations.getByRole('link', { name: '27AAGCS4821F1ZF' }).waitFor();
  await clean();
  await page.setViewportSize({ width: 390, height: 844 });
  await clean();
  await look('profile-390');
  await page.setViewportSize({ width: 1440, height: 900 });
  await look('profile-1440');

  await registrations.getByRole('link', { name: '29AAGCS4821F1ZB' }).focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() =>
      page
        .getByLabel(/^GSTIN/)
        .first()
        .inputValue(),
    )
    .toBe('29AAGCS4821F1ZB');
  await go('Orgedit');
  await addresses.getByRole('link', { name: 'PUN', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Address line 1').inputValue()).toBe('4 Senapati Bapat Road');

  // who has no grant reads the same and finds no way to the forms
  const other = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const own = await other.newPage();
  await signIn(own, server.url, 'none@sharma.demo');
  await own.goto(`${server.url}/layout/Orgedit`);
  await own.getByText('29AAGCS4821F1ZB').waitFor();
  expect(await own.getByRole('link', { name: '29AAGCS4821F1ZB' }).count()).toBe(0);
  await other.close();
});
