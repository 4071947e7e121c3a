import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';
import { type Walk, walkOn } from '../kit/walk.ts';

let desk: Desk;
let walk: Walk;
beforeAll(async () => {
  const address = { line1: '9 Ring Road', city: 'Bengaluru', state: '29', pincode: '560058' };
  desk = await openDesk(
    {},
    {
      prepare: async ({ owner }) => {
        const save = (master: string, values: Record<string, unknown>) => owner.ask('SaveMaster', { master, values });
        await save('supplier', {
          ...{ name: 'Kaveri Mills', gstin: '29AABCK1234F1ZV', category: 'registered', state: '29' },
          addresses: [address],
        });
        const item = { unit: 'NOS', treatment: 'taxable', gstRate: '18', type: 'stock', hsn: '84713010' };
        await save('item', {
          ...item,
          sku: 'OVEN',
          name: 'Canteen oven',
          purchaseRate: '1000.00',
          creditBlocked: true,
        });
      },
    },
  );
  walk = walkOn(desk.server, desk.shop, desk.page);
});
afterAll(() => desk?.stop());

const itc = (line = 1) => desk.page.getByLabel(`ITC, line ${line}`);

test('the credit of an expense is blocked by keys: its tax is cost, the view says so, and a copy keeps it', async () => {
  const { page, open, keys, at, post } = walk;
  await open('ExpenseNew');
  await keys('Kaveri⏎');
  await page.getByText('we owe').waitFor();
  await keys('⏎⏎CONS-7⏎⏎');
  await at('Ledger, line 1');
  await keys('6435⏎canteen⏎1000⏎18⇥');
  await at('ITC, line 1');
  await keys('B');
  expect(await itc().inputValue()).toBe('true');
  // the ledger is chosen once its search has answered; a phone draws the line anew
  await expect.poll(() => page.getByLabel('Ledger, line 1').inputValue()).toBe('Legal and professional fees');
  await desk.cleanAtBoth('blocked-credit-editor');
  const expense = await post();
  expect(expense.entries).toEqual({ 6435: 'Dr 1180.00', 2120: 'Cr 1180.00' });
  await page.getByText('Input credit blocked').waitFor();
  await desk.cleanAtBoth('blocked-credit-view');
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await itc().waitFor();
  await expect.poll(() => itc().inputValue()).toBe('true');
});

test('an item that says so blocks the credit of its line, and a person may claim it', async () => {
  const { page, open, keys, at, post } = walk;
  await open('Purchase Bill New');
  await keys('Kaveri⏎⏎KM/9⏎');
  await page.getByLabel('Item, line 1').focus();
  await keys('OVEN⏎');
  await expect.poll(() => itc().inputValue()).toBe('true');
  await desk.cleanAtBoth('blocked-credit-bill');
  await itc().focus();
  await at('ITC, line 1');
  await keys('C');
  expect(await itc().inputValue()).toBe('false');
  const bill = await post();
  expect(bill.entries).toMatchObject({ 1411: 'Dr 90.00', 1412: 'Dr 90.00', 2120: 'Cr 1180.00' });
  expect(await page.getByText('Input credit blocked').count()).toBe(0);
});
