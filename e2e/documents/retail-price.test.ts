import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';
import { type Walk, walkOn } from '../kit/walk.ts';

// Rule 31D: the tax of some goods is inside the price that is printed on them, whatever they are sold for.
let desk: Desk;
let walk: Walk;
let item: string;
beforeAll(async () => {
  desk = await openDesk(
    {},
    {
      prepare: async ({ owner }) => {
        const values = {
          ...{ sku: 'SNUFF', name: 'Snuff', type: 'nonStock', unit: 'NOS', hsn: '24039930', treatment: 'taxable' },
          ...{ gstRate: '40', retailPrice: '100', saleRate: '80' },
        };
        item = ((await owner.ask('SaveMaster', { master: 'item', values })) as { id: string }).id;
      },
    },
  );
  walk = walkOn(desk.server, desk.shop, desk.page);
});
afterAll(() => desk?.stop());

/** Labels and figures of the totals that are on screen. */
const sums = async () =>
  (await desk.page.locator('.sums').first().innerText())
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '');

test('what is charged adds up to the total, and what the tax is on is named below it', async () => {
  const { page, open, shop, keys, post } = walk;
  const lines = [{ item, quantity: '10' }];
  const quoted = await shop.post({ kind: 'quotation', party: shop.customer, lines });
  await open('Create Invoice', `?from=${quoted.TransactionId}`);
  const inside = ['Deemed taxable value (rule 31D)', '714.28'];
  await expect.poll(sums).toEqual(expect.arrayContaining(inside));
  expect(await sums()).not.toContain('Taxable value');
  // the price of the item, unless another one is printed on these
  await page.getByLabel('Retail price (₹), line 1').fill('140');
  await keys('⇥');
  await expect.poll(sums).toEqual(expect.arrayContaining(['Deemed taxable value (rule 31D)', '1,000.00']));
  await page.getByLabel('Retail price (₹), line 1').fill('');
  await keys('⇥');
  await expect.poll(sums).toEqual(expect.arrayContaining(inside));
  await desk.cleanAtBoth('retail-price-editor');
  await post();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(sums).toEqual(expect.arrayContaining(['Value charged', '800.00', ...inside]));
  expect(await sums()).not.toContain('Taxable value');
});
