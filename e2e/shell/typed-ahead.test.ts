import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.stop());

/** What a key opens, on which screen and in which field it is pressed, and where what is typed then belongs. */
interface Opened {
  readonly screen: string;
  /** The field with the focus, which must stay as it is. */
  readonly below?: RegExp;
  readonly key: string;
  readonly into: { readonly dialog?: RegExp; readonly field?: RegExp };
}
const openings: Readonly<Record<string, Opened>> = {
  'the search of Ctrl K': {
    ...{ screen: 'Create Invoice', below: /^Customer/, key: 'Control+k' },
    into: { field: /^Search or jump to/ },
  },
  'a new customer of a picker': {
    ...{ screen: 'Create Invoice', below: /^Customer/, key: 'Alt+c' },
    into: { dialog: /customer/i, field: /^Name/ },
  },
  'the list of keys': { screen: 'Sale Invoice', key: '?', into: { dialog: /^Keys/ } },
  'the search box of a list': { screen: 'Sale Invoice', key: '/', into: { field: /^Search/ } },
  'a new document from a list': { screen: 'Sale Invoice', key: 'Alt+n', into: { field: /^Customer/ } },
  'a new record from a list': { screen: 'Party Master', key: 'Alt+n', into: { field: /^(Name|GSTIN)/ } },
};

beforeEach(() => desk.page.goto(`${desk.server.url}/layout/Home`));

for (const [what, { screen, below, key, into }] of Object.entries(openings))
  test(`what is typed at once after the key belongs to ${what}`, async () => {
    const { page, server } = desk;
    await page.goto(`${server.url}/layout/${encodeURIComponent(screen)}`);
    await page.locator('h1').first().waitFor();
    const field = below && page.locator('main').getByRole('combobox', { name: below }).first();
    if (field) await field.focus();
    else await page.getByRole('grid').or(page.locator('main')).first().waitFor();
    await page.keyboard.press(key);
    await page.keyboard.type('metro'); // without waiting between keys
    const focused = () =>
      page.evaluate(() => {
        const control = document.activeElement as HTMLInputElement | null;
        return `${control?.getAttribute('aria-label') ?? control?.labels?.[0]?.textContent ?? ''}: ${control?.value ?? ''}`;
      });
    if (into.dialog) await page.getByRole('dialog', { name: into.dialog }).waitFor();
    if (into.field) {
      await expect.poll(focused).toMatch(into.field);
      await expect.poll(focused).toMatch(/: metro$/i);
    }
    if (field) expect(await field.inputValue()).toBe('');
  });

test('Enter goes to what was typed, however fast', async () => {
  const { page, server } = desk;
  await page.goto(`${server.url}/layout/Create%20Invoice`);
  await page
    .locator('main')
    .getByRole('combobox', { name: /^Customer/ })
    .focus();
  for (const [words, heading] of [
    ['day book', 'Day book'],
    ['trial', 'Trial balance'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  }
});

test('what is typed at once into a search that is opened while it closes is all there, and nothing of before', async () => {
  const { page } = desk;
  const box = page.getByRole('textbox', { name: 'Search or jump to' });
  await page.locator('h1').first().waitFor();
  await page.keyboard.press('Control+k');
  await box.waitFor();
  for (const words of ['trial balance', 'day book', 'stock', 'sale invoice', 'trial balance', 'day book', 'journal']) {
    await page.keyboard.type(words);
    await expect.poll(() => box.inputValue()).toBe(words);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
  }
  await page.keyboard.press('Escape');
});

test('what is typed at once after Cancel goes into the reason, whatever button was pressed', async () => {
  const { page, shop } = desk;
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const { TransactionId: id } = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  await desk.go('saleview', `?id=${id}`);
  await page.getByRole('button', { name: 'Cancel document' }).press('Enter');
  await page.keyboard.type('Wrong rate');
  await expect
    .poll(() =>
      page
        .getByRole('dialog')
        .getByLabel(/^Reason/)
        .inputValue(),
    )
    .toBe('Wrong rate');
});
