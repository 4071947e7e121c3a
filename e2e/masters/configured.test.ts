import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { type Desk, openDesk } from '../kit/desk.ts';

let shop: Desk['shop'];
let page: Desk['page'];
let go: Desk['go'];
let clean: Desk['clean'];
let cleanAtBoth: Desk['cleanAtBoth'];
let stop: Desk['stop'];

beforeAll(async () => {
  ({ shop, page, go, clean, cleanAtBoth, stop } = await openDesk());
});
afterAll(() => stop?.());

const operator = `27AAKCV7051L1C${gstinCheckDigit('27AAKCV7051L1C')}`;
const option = (name: RegExp) => page.getByRole('option', { name }).first();
const save = async (said: string) => {
  await page.keyboard.press('Control+s');
  await page.getByText(said).first().waitFor();
};

test('what is switched on under Invoicing is asked for on the next invoice, and what is switched off is not', async () => {
  await go('Create Invoice');
  await page.locator('form.editor').waitFor();
  expect(await page.getByText('Adjustments after tax').count()).toBe(0);
  expect(await page.getByText(/e-commerce operator/).count()).toBe(0);
  await go('General Configuration', '?tab=invoicing');
  await page.getByRole('checkbox', { name: /^Other adjustments/ }).check();
  await page.getByRole('checkbox', { name: /^E-commerce/ }).check();
  await page.getByRole('checkbox', { name: /^Many lines/ }).uncheck();
  await cleanAtBoth('configured-invoicing');
  await save('The configuration is saved');

  await go('Adjustments New', '?id=new');
  await page.getByLabel(/^Code/).fill('DEP');
  await page.getByLabel(/^Name/).fill('Deposit for returnable crates of the southern depot');
  await page.getByLabel(/^What it is/).selectOption('add');
  await page.getByLabel(/^Ledger/).fill('2340');
  await option(/2340/).click();
  await page.getByLabel(/^Usual amount/).fill('10');
  await page.getByLabel(/^GST %/).fill('18');
  await page.keyboard.press('Control+s');
  await page.getByText('An amount added after tax is not taxed').first().waitFor();
  await cleanAtBoth('configured-adjustment-wrong');
  await page.getByLabel(/^GST %/).fill('');
  await page.keyboard.press('Control+s');
  await page.getByRole('grid').getByText('Deposit for returnable').waitFor();
  await cleanAtBoth('configured-adjustments');
});

test('an invoice of one line through an operator, with a deposit after its tax', async () => {
  await go('Create Invoice');
  await page.locator('form.editor').waitFor();
  await page.getByLabel('Customer', { exact: false }).first().fill('Asha');
  await option(/Asha/).click();
  await page.getByLabel('Item, line 1').fill('LED');
  await option(/LED/).click();
  await expect.poll(() => page.getByLabel('Rate, line 1').inputValue()).toBe('95.00');
  const lines = page.getByRole('region', { name: 'Lines' });
  expect(await lines.getByRole('button', { name: 'Add line' }).count()).toBe(0);
  await page.getByText(/^More: /).click();
  await page.getByLabel(/^E-commerce operator/).fill(operator.slice(0, 14));
  await page.keyboard.press('Tab');
  await page.getByText('Adjustments after tax (deposits, donations)').click();
  const adjustments = page.locator('details', { hasText: 'Adjustments after tax' });
  await adjustments.getByRole('button', { name: 'Add line' }).click();
  await adjustments.getByLabel('Adjustment, line 1').fill('crates');
  await option(/Deposit/).click();
  await expect.poll(() => adjustments.getByLabel('Amount (₹), line 1').inputValue()).toBe('10.00');
  await page.getByRole('definition').filter({ hasText: '₹ 122.00' }).first().waitFor();
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/This is not a GSTIN/)
    .first()
    .waitFor();
  await cleanAtBoth('configured-invoice');
  await page.getByLabel(/^E-commerce operator/).fill('');
  await page.keyboard.press('Tab');
  await page.getByLabel(/^E-commerce operator/).fill(operator);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+Enter');
  await page.locator('.view-row').waitFor();
  await page.getByRole('definition').filter({ hasText: '122.00' }).first().waitFor();
  await page.getByText('Deposit for returnable crates').first().waitFor();
  await cleanAtBoth('configured-view');
  const id = new URL(page.url()).searchParams.get('id') ?? '';
  const view = await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id });
  expect(view).toMatchObject({
    body: { fields: { ecommerceGstin: operator }, adjustments: [{ sign: 'add', amount: '10.00' }] },
  });
});

test('with shelf life on, an item says how long it keeps', async () => {
  await go('General Configuration', '?tab=items');
  await page.getByRole('checkbox', { name: /^Shelf life/ }).check();
  await page.keyboard.press('Control+s');
  await page.getByText('switch batches on too').first().waitFor();
  await page.getByRole('checkbox', { name: /^Batches/ }).check();
  await save('The configuration is saved');
  await go('SupplyMasters', '?id=new');
  await page.getByRole('checkbox', { name: /^Keeps for a time only/ }).check();
  await page.getByLabel(/^Keeps for days/).fill('30');
  await page.getByLabel(/^Days left/).fill('10');
  await clean();
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/configured-item-1440.png`, fullPage: true });
});
