import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';

let desk: Desk;
let id: string;
beforeAll(async () => {
  desk = await openDesk();
  const { shop } = desk;
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  ({ TransactionId: id } = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines }));
});
afterAll(() => desk.stop());

for (const key of ['ArrowDown', 'Enter'])
  for (const screen of ['Sale Invoice', 'Party Master', 'Supply Master'])
    test(`${key} in the search box leads to the rows of ${screen}, and Enter opens the first`, async () => {
      const { page } = desk;
      await desk.go(screen);
      await page.getByRole('grid').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.press(key);
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
      const before = page.url();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).not.toBe(before);
    });

const asks: Readonly<Record<string, RegExp>> = { 'Alt+p': /print/i, 'Alt+x': /cancel/i };
for (const [key, title] of Object.entries(asks))
  test(`${key} on a shown document asks what its button asks`, async () => {
    const { page } = desk;
    await desk.go('saleview', `?id=${id}`);
    await page.getByRole('button', { name: 'Cancel document' }).waitFor();
    await page.keyboard.press(key);
    await page.getByRole('dialog', { name: title }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

test('the other steps of a document are reached by Alt O and the arrows, and Alt 2 copies it', async () => {
  const { page } = desk;
  await desk.go('saleview', `?id=${id}`);
  const others = page.locator('.onward-list button');
  await page.getByText('Continue as').waitFor();
  await page.keyboard.press('Alt+o');
  const at = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(at).toBe(await others.first().textContent());
  await page.keyboard.press('ArrowDown');
  await expect.poll(at).toBe(await others.nth((await others.count()) > 1 ? 1 : 0).textContent());
  await page.keyboard.press('Alt+2');
  await page.getByRole('heading', { name: /New sale invoice/i }).waitFor();
});

test('a name that is too long is said at its field, with the limit', async () => {
  const { page } = desk;
  await desk.go('Create Invoice');
  const customer = page.locator('main').getByRole('combobox', { name: /^Customer/ });
  await customer.fill('n'.repeat(300));
  await page.getByRole('status').getByText('At most 100 characters').first().waitFor();
  await page.keyboard.press('Tab');
  await page.locator('main .field-error').getByText('At most 100 characters: 300 are typed').waitFor();
});

test('the balance sheet shows the year before on a phone', async () => {
  const { page } = desk;
  await page.setViewportSize({ width: 390, height: 844 });
  await desk.go('balancesheet');
  await page.locator('.cards').getByText('Previous year').first().waitFor();
  await desk.cleanAtBoth('balance-sheet');
});
