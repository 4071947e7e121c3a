import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';

let shop: Desk['shop'];
let page: Desk['page'];
let go: Desk['go'];
let cleanAtBoth: Desk['cleanAtBoth'];
let browser: Desk['browser'];
let stop: Desk['stop'];

beforeAll(async () => {
  ({ shop, page, go, cleanAtBoth, browser, stop } = await openDesk({}, { portal: true }));
});
afterAll(() => stop?.());

test('a gateway is entered and tried, a link is made, somebody without a session pays, and the invoice is settled', async () => {
  await go('General Configuration', '?tab=payments');
  await page.getByLabel('Key id').fill('bahi_test_key');
  await page.getByLabel('Secret', { exact: false }).first().fill('bahi-test-secret');
  await page.getByLabel('Webhook secret').fill('bahi-test-webhook');
  await page.getByRole('combobox', { name: /^Settlement ledger/ }).fill('1121');
  await page.getByRole('option', { name: /1121/ }).first().click();
  await page.getByLabel('Wallet').uncheck();
  await page.getByLabel('Receipts are made by themselves').uncheck();
  await page.getByRole('button', { name: 'Save gateway' }).click();
  await page.getByText('The payment gateway is saved').waitFor();
  await page.getByRole('button', { name: 'Test sign-in' }).last().click();
  await page.getByText('Signed in to the gateway').waitFor();
  await expect.poll(() => page.getByLabel('Webhook secret').inputValue()).toBe('');
  await cleanAtBoth('gateway');

  const lines = [{ item: shop.item, quantity: '10', rate: '100' }];
  const sold = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  await go('saleview', `?id=${sold.TransactionId}`);
  await page.getByRole('button', { name: 'Make payment link' }).click();
  const url = (await page.getByText(/\/pay#/).innerText()).trim();
  await cleanAtBoth('payment-panel');

  const payer = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await payer.goto(url);
  await payer.getByRole('heading', { name: sold.TransactionNumber }).waitFor();
  await cleanAtBoth('pay', payer);
  await payer.getByRole('button', { name: 'Pay ₹ 1,180.00' }).click();
  const ways = payer.getByLabel('Pay by').locator('option');
  await expect.poll(() => ways.allInnerTexts()).toEqual(['UPI', 'Card', 'Net banking']);
  await payer.getByLabel('Pay by').selectOption('card');
  await payer.getByRole('button', { name: 'Pay, reported twice' }).click();
  await payer.getByRole('heading', { name: 'Thank you' }).waitFor();
  await payer.close();

  // nobody has switched receipts on: it waits to be booked
  await page.getByText('To be booked', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Book receipt' }).click();
  await page.getByText('Booked', { exact: true }).waitFor();
  await cleanAtBoth('paid');
  await page.getByRole('region', { name: 'Payment' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: /^Receipt/ }).waitFor();
});

test('who saves the profile meanwhile is named, what is typed stays, and one chooses field by field', async () => {
  const other = { name: 'Sharma Traders', businessType: 'Retail', pan: '', phone: '', email: '', website: '' };
  const before: { version: number } = await shop.owner.ask('GetOrgDetails', {});
  const { version }: { version: number } = await shop.owner.ask('SaveOrganisation', {
    ...other,
    version: before.version,
  });
  await go('Orgedit');
  await page.getByLabel('Phone').fill('08099999999');
  await page.getByLabel('Website').fill('sharma.example');
  await shop.owner.ask('SaveOrganisation', { ...other, businessType: 'Wholesale', phone: '08022223333', version });
  await page.waitForTimeout(500);
  await expect.poll(() => page.getByLabel('Website').inputValue()).toBe('sharma.example');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: /has changed this record since/ });
  await dialog.waitFor();
  await cleanAtBoth('stale-profile');
  await dialog.getByLabel('Take theirs: 08022223333').check();
  await dialog.getByRole('button', { name: 'Merge changes' }).click();
  await page.keyboard.press('Control+s');
  await page.getByText('The profile is saved').waitFor();
  expect(await shop.owner.ask('GetOrgDetails', {})).toMatchObject({
    phone: '08022223333',
    website: 'sharma.example',
    businessType: 'Wholesale',
  });
});

test('who sets the gateway or the portal credentials meanwhile is named, and of a secret one chooses whose it is', async () => {
  await go('General Configuration', '?tab=payments');
  await page.getByLabel('Key id').fill('key_of_ravi');
  await page.getByLabel('Secret', { exact: false }).first().fill('my-secret');
  const gateway = { ...{ provider: 'sandbox', live: false, keyId: 'bahi_test_key' } };
  const settlementLedger = await shop.ledger('1121');
  const theirs = { secret: 'their-secret', webhookSecret: 'their-webhook', methods: ['upi'] };
  await shop.owner.ask('SavePaymentGateway', { ...gateway, ...theirs, settlementLedger } as never);
  await page.getByRole('button', { name: 'Save gateway' }).click();
  const dialog = page.getByRole('dialog', { name: /has changed this record since/ });
  await dialog.getByText('Changed by them, and kept').waitFor();
  await cleanAtBoth('stale-gateway');
  await dialog.getByLabel('Take theirs: the new one of theirs').check();
  await dialog.getByRole('button', { name: 'Merge changes' }).click();
  await expect.poll(() => page.getByLabel('Secret', { exact: false }).first().inputValue()).toBe('');
  await expect.poll(() => page.getByLabel('Key id').inputValue()).toBe('key_of_ravi');
  await page.getByRole('button', { name: 'Save gateway' }).click();
  await page.getByText('The payment gateway is saved').waitFor();
  const kept = (await shop.owner.ask('GetPaymentGateway', {})) as { gateway: { keyId: string; methods: string[] } };
  expect(kept.gateway).toMatchObject({ keyId: 'key_of_ravi', methods: ['upi'] });

  await go('NIC Configuration');
  const [stored] = (await shop.owner.ask('GetEInvoiceClientCredentails', {})) as { registration: string }[];
  const other = { registration: stored?.registration ?? '', clientId: 'THEIRS', userName: 'they', password: 'p' };
  await page.getByLabel('User name').first().fill('mine');
  await shop.owner.ask('AddUpdateEInvoiceCredentials', { ...other, clientSecret: 's' });
  await page.getByRole('button', { name: 'Save credentials' }).first().click();
  await dialog.getByLabel('Keep mine: mine').waitFor();
  await cleanAtBoth('stale-credentials');
  await dialog.getByRole('button', { name: 'Merge changes' }).click();
  await page.getByRole('button', { name: 'Save credentials' }).first().click();
  await page.getByText(/^The credentials of .* are saved/).waitFor();
  expect(((await shop.owner.ask('GetEInvoiceClientCredentails', {})) as object[])[0]).toMatchObject({
    ...{ clientId: 'THEIRS', userName: 'mine' },
  });
});

test('the theme of the organisation is under its own tab', async () => {
  await go('General Configuration', '?tab=theme');
  await page.getByRole('group', { name: 'Colour' }).getByRole('button', { name: 'Teal' }).click();
  await cleanAtBoth('theme');
  await page.keyboard.press('Control+s');
  await page.getByText('The configuration is saved').waitFor();
  expect(await shop.owner.ask('GetGeneralConfigDetails', {})).toMatchObject({ theme: { colour: '#0f766e' } });
});

test('a template is built with the paper beside it, and what the law asks for cannot be left out', async () => {
  await go('invoicebuilder', '?id=new');
  await page.getByLabel('Code').first().fill('HOUSE');
  await page.getByLabel('Name', { exact: false }).first().fill('House style');
  await page.getByRole('combobox', { name: /^Used for/ }).fill('Sale invoice');
  await page.getByRole('option', { name: 'Sale invoice' }).first().click();
  await page.getByLabel('Paper', { exact: false }).first().selectOption('A5');
  // chosen and saved in the same moment: what is chosen in a grid is in the form before the next key
  const chosenAndSaved = (column: string) =>
    page.getByLabel('Column, line 1').evaluate(async (control, value) => {
      (control as HTMLSelectElement).value = value;
      control.dispatchEvent(new Event('change', { bubbles: true }));
      await Promise.resolve();
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, cancelable: true }));
    }, column);
  await chosenAndSaved('description');
  await page.getByText('HSN/SAC cannot be left out: rule 46(g)').first().waitFor();
  await cleanAtBoth('builder');
  await page.getByLabel('Column, line 1').selectOption('');
  await page.keyboard.press('Control+s');
  await page.getByText('Invoice template House style is saved').waitFor();
});
