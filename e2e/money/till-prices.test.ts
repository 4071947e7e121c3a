import { afterAll, beforeAll, expect, test } from 'vitest';
import { yearNow } from '../../tools/testing/year.ts';
import { type Desk, openDesk } from '../kit/desk.ts';
import { type Walk, walkOn } from '../kit/walk.ts';
import { billsOf, paperCalled } from './till-shop.ts';

// What a till knows by itself: price lists, buyers it has to name, and what has to wait for the network.
let desk: Desk;
let page: Desk['page'];
let walk: Walk;
let sofa: string;
beforeAll(async () => {
  desk = await openDesk(
    { autoRoundOffTotals: false },
    {
      prepare: async (shop) => {
        const save = async (master: string, values: object) =>
          ((await shop.owner.ask('SaveMaster', { master, values } as never)) as { id: string }).id;
        sofa = await save('item', {
          ...{ sku: 'SOFA', name: 'Sofa set, three and two seats, sheesham wood, washable covers', type: 'stock' },
          ...{ unit: 'NOS', hsn: '940161', treatment: 'taxable', gstRate: '18', saleRate: '60000' },
        });
        await shop.post({ kind: 'openingStock', lines: [{ item: sofa, quantity: '50', rate: '40000' }] });
        const prices = [{ item: shop.item, from: '10', rate: '80' }];
        const tills = { code: 'COUNTER', name: 'Counter offer', side: 'sale', appliesTo: 'tills', prices };
        await save('priceList', tills);
        const wholesale = await save('priceList', {
          ...{ code: 'WHOLE', name: 'Wholesale', side: 'sale', prices: [{ item: shop.item, rate: '70' }] },
        });
        await save('customer', { name: 'Meena Iyer', category: 'unregistered', state: '29', priceList: wholesale });
        const till = { code: 'T1', name: 'Front till', location: shop.place.location };
        await save('till', { ...till, prices: 'saleRate', printWidth: '80' });
      },
    },
  );
  page = desk.page;
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  walk = walkOn(desk.server, desk.shop, page);
});
afterAll(() => desk?.stop());

const toPay = () => page.locator('.till-pay [data-total]').innerText();
const scanner = () => page.getByLabel('Scan or search');
const bills = () => billsOf(desk.shop);
const finished = async (number: string) => {
  await page.keyboard.press('Control+Enter');
  await page.locator('.till-note').getByText(number).waitFor();
};
const network = async (on: boolean) => {
  await page.context().setOffline(!on);
  await page.getByText('No network: bills are kept here').waitFor({ state: on ? 'detached' : 'visible' });
};

test('a price list prices what is scanned, by quantity and customer, also without the network', async () => {
  await walk.open('PoSNewCreation');
  await page.getByRole('button', { name: 'Open Front till' }).click();
  await page.getByRole('button', { name: /^Open with/ }).click();
  await scanner().fill('LED-9W');
  await page.keyboard.press('Enter');
  await expect.poll(toPay).toMatch(/112\.10/);
  await walk.keys('9*LED-9W⏎');
  // eighty and its tax, ten times
  await expect.poll(toPay).toMatch(/944\.00/);
  await page.locator('.till-lines').getByText('Counter offer, from 10').waitFor();
  await desk.cleanAtBoth('till-list');
  await page.locator('[data-customer]').click();
  await page.getByLabel('Customer on record').fill('Meena');
  await page.getByRole('option', { name: /Meena Iyer/ }).click();
  await expect.poll(toPay).toMatch(/826\.00/);
  await page.locator('.till-lines').getByText('Wholesale').waitFor();
  await finished(`T1/${yearNow}/0001`);
  await network(false);
  await scanner().fill('10*LED-9W');
  await page.keyboard.press('Enter');
  await expect.poll(toPay).toMatch(/944\.00/);
  await finished(`T1/${yearNow}/0002`);
  await page.getByText('Returns and cash in or out need the network').waitFor();
  for (const name of ['Return', 'Cash in/out'])
    await expect.poll(() => page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
  await desk.cleanAtBoth('till-offline');
  await network(true);
  await expect.poll(async () => (await bills()).map(({ total }) => total)).toEqual(['826.00', '944.00']);
});

test('from ₹50,000 a bill names its buyer with address and state, without the network too, and on its paper', async () => {
  await network(false);
  await scanner().fill('SOFA');
  await page.keyboard.press('Enter');
  await expect.poll(toPay).toMatch(/70,800\.00/);
  await page.getByText('From ₹50,000 before tax the bill needs the buyer').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('From ₹50,000 an invoice names its buyer (rule 46): enter the name').waitFor();
  await page.getByText('From ₹50,000 an invoice names the buyer’s address and state').waitFor();
  await desk.cleanAtBoth('till-unnamed');
  await page.getByLabel('Name', { exact: true }).fill('Ravindranath Venkatasubramanian');
  await page.getByLabel('Address', { exact: true }).fill('14, Second Cross, Indiranagar');
  await page.getByLabel('City').fill('Bengaluru');
  await page.getByLabel('PIN code').fill('5600');
  await page.keyboard.press('Control+Enter');
  await page.getByText('A PIN code has six digits').waitFor();
  await page.getByLabel('PIN code').fill('560038');
  await desk.cleanAtBoth('till-named');
  await finished(`T1/${yearNow}/0003`);
  await page.keyboard.press('Alt+p');
  const paper = await paperCalled(page, 'Tax invoice');
  for (const part of ['Ravindranath', '14, Second Cross', 'Bengaluru 560038', 'State 29 – Karnataka'])
    expect(paper).toContain(part);
  await network(true);
  await expect.poll(async () => (await bills()).map(({ total }) => total)).toContain('70800.00');
  const { rows } = (await desk.shop.owner.ask('GetTransationsList', { Type: 'posSale' } as never)) as unknown as {
    rows: { id: string; total: string }[];
  };
  const id = rows.find(({ total }) => total === '70800.00')?.id ?? '';
  const view = (await desk.shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as unknown as {
    body: { billTo?: object };
  };
  expect(view.body.billTo).toMatchObject({ line1: '14, Second Cross, Indiranagar', state: '29', pincode: '560038' });
});

test('the same in the editor of a cash sale, at its field', async () => {
  await desk.go('CreateCashSales');
  await page.locator('form.editor').waitFor();
  await page.getByLabel('Item, line 1').fill('SOFA');
  await page.getByRole('option', { name: /SOFA/ }).first().click();
  await page.getByLabel(/^Quantity, line 1/).fill('1');
  await page.keyboard.press('Control+Enter');
  await page.getByText('From ₹50,000 an invoice names its buyer').first().waitFor();
  await page.getByText('From ₹50,000 an invoice names the buyer’s address').first().waitFor();
  await page.getByLabel('Address line 1').waitFor();
  await desk.cleanAtBoth('cash-sale-unnamed');
});
