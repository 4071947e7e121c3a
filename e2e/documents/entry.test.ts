import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, tooWide } from '../../tools/testing/browser.ts';
import { startWalk, type Walk } from '../kit/walk.ts';

let walk: Walk;
beforeAll(async () => {
  walk = await startWalk();
});
afterAll(() => walk?.stop());

const dialog = () => walk.page.getByRole('dialog');
const closed = () => dialog().waitFor({ state: 'detached' });
/** Nothing against WCAG and nothing too wide, on a phone in the dark and on a wide screen. `SHOTS` names a folder for pictures. */
const look = async (name: string) => {
  const { page } = walk;
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    // so high that the bar of buttons at its foot covers nothing
    await page.setViewportSize({ width, height: 1600 });
    await page.emulateMedia({ colorScheme });
    await page.waitForLoadState('networkidle');
    await page.locator('h1').first().scrollIntoViewIfNeeded();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png` });
    expect(await axe(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
};
const paste = (text: string) =>
  walk.page.evaluate((cells) => {
    const data = new DataTransfer();
    data.setData('text/plain', cells);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);

test('lines: a pasted header row decides the columns, and what has no place is shown', async () => {
  const { page, open, at } = walk;
  await open('Create Invoice');
  await page.getByLabel('Rate, line 1').focus();
  await paste('Qty\tItem Name\tColour\tDisc %\tRate (₹)\n2\tLED-9W\tred\t10\t1,200\ntwo\tLED-9W\tblue\t\t90');
  await at('Rate, line 2');
  const value = (label: string) => page.getByLabel(label).inputValue();
  await expect.poll(() => value('Item, line 1')).toBe('LED bulb 9 W');
  expect(await value('Quantity, line 1')).toBe('2');
  expect(await value('Discount, line 1')).toBe('10%');
  expect(await value('Rate, line 1')).toBe('1,200.00');
  expect(await value('Quantity, line 2')).toBe('two');
  const note = page.getByText('Column “Colour”: red, blue');
  await note.waitFor();
  await look('paste');
  await page.getByRole('button', { name: 'Close this note' }).click();
  await note.waitFor({ state: 'detached' });
});

test('lines: a paste without a header row goes as one types, and says what it was taken for', async () => {
  const { page, open, at } = walk;
  await open('Purchase Bill New');
  await page.getByLabel('Item, line 1').focus();
  await paste('LED-9W\t1000\t17.50');
  await at('Item, line 1');
  const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  await expect.poll(() => value('Item, line 1')).toBe('LED bulb 9 W');
  expect([await value('Quantity, line 1'), await value('Rate, line 1')]).toEqual(['1,000', '17.50']);
  await page.getByText('Pasted as Item, Quantity, Rate.').waitFor();
});

test('a receipt that allocates more than it has: the amount allocated is marked and has the focus', async () => {
  const { page, open, keys, at, shop } = walk;
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '5', rate: '60' }] });
  const { TransactionNumber: number } = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  await open('Sale Receipt New');
  await keys('Asha Traders⏎⏎cash⏎50⏎');
  await page.getByLabel(`Settle ${number}`).fill('60');
  await page.keyboard.press('Control+Enter');
  await page.getByText('More is allocated than the amount: allocate less, or enter the whole amount').first().waitFor();
  await at(`Settle ${number}`);
  expect(await page.getByLabel(`Settle ${number}`).getAttribute('aria-invalid')).toBe('true');
});

test('Alt C makes the record of the field, Alt N a new line, and the focus comes back', async () => {
  const { page, open, at, keys } = walk;
  await open('Create Invoice');
  await at('Customer');
  await page.keyboard.press('Alt+c');
  await dialog().getByRole('heading', { name: 'New customer' }).waitFor();
  await at('Name');
  await page.keyboard.press('Escape');
  await closed();
  await at('Customer');
  // an Indian keyboard writes no Latin letter on this key
  await page.evaluate(() => {
    const key = { key: 'म', code: 'KeyC', altKey: true, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
  });
  await dialog().getByRole('heading', { name: 'New customer' }).waitFor();
  await page.keyboard.press('Escape');
  await closed();
  await page.getByLabel('Item, line 1').focus();
  await keys('Strip light');
  await page.keyboard.press('Alt+c');
  await dialog().getByRole('heading', { name: 'New item' }).waitFor();
  expect(await dialog().getByLabel(/^Name/).inputValue()).toBe('Strip light');
  await page.keyboard.press('Escape');
  await closed();
  await at('Item, line 1');
  expect(await page.getByLabel('Item, line 1').inputValue()).toBe('Strip light');
  // a name is enough: its code is proposed, an HSN is asked for only when it is sold
  await page.keyboard.press('Alt+c');
  await expect.poll(() => dialog().getByLabel(/^SKU/).inputValue()).toBe('STRIP-LIGHT');
  // Enter means the next field here too, from a text and from a list
  for (const name of [/^Name/, /^Type/]) {
    const field = dialog().getByLabel(name);
    await field.focus();
    await keys('⏎');
    await expect.poll(() => field.evaluate((control) => control === document.activeElement)).toBe(false);
  }
  await dialog().getByRole('heading', { name: 'New item' }).waitFor();
  await page.keyboard.press('Control+s');
  await closed();
  await expect.poll(() => page.getByLabel('Item, line 1').inputValue()).toBe('Strip light');
  await page.keyboard.press('Alt+n');
  await at('Item, line 2');
  await page.getByLabel(/^Date/).focus();
  await page.keyboard.press('Alt+n');
  await at('Item, line 2');
});

test('Alt C in a ledger of a journal makes the ledger of that line', async () => {
  const { page, open, at, keys } = walk;
  await open('journalNew');
  await page.getByLabel('Ledger, line 2').focus();
  await keys('Parking fees');
  await page.getByText('Alt C: create ledger').waitFor();
  await page.keyboard.press('Alt+c');
  await dialog().getByRole('heading', { name: 'New ledger' }).waitFor();
  await dialog().getByLabel(/^Code/).fill('6499');
  await dialog()
    .getByLabel(/^Group/)
    .focus();
  // a picker of the dialog makes its record in a dialog of its own
  await page.keyboard.press('Alt+c');
  await dialog().getByRole('heading', { name: 'New account group' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog().count()).toBe(1);
  await at('Group');
  await keys('expenses');
  await page.locator('.list-pop [role=option]').first().waitFor();
  await keys('⏎');
  await page.keyboard.press('Control+s');
  await closed();
  await expect.poll(() => page.getByLabel('Ledger, line 2').inputValue()).toBe('Parking fees');
  expect(await page.getByLabel('Ledger, line 1').inputValue()).toBe('');
});

test('dialogs and panels: the first field or button has the focus, Escape closes one and gives it back', async () => {
  const { page, open, at, focused } = walk;
  await open('Party Master');
  await page.keyboard.press('?');
  await dialog().getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await at('Use the single keys / and ?');
  await page.keyboard.press('Escape');
  await closed();
  const help = page.getByRole('button', { name: 'Help' }).last();
  await help.focus();
  await page.keyboard.press('Enter');
  await dialog().getByRole('button', { name: 'Show keys' }).waitFor();
  await page.keyboard.press('Escape');
  await closed();
  await at('Help');
  await page.keyboard.press('Escape');
  expect(await focused()).toMatch(/^Help/);
});

test('a sale of more than there is: the cell says how much there is, and the ways on are offered', async () => {
  const { page, open, at, keys, shop, server } = walk;
  const values = { sku: 'SHORT-1', name: 'Scarce lamp', type: 'stock', unit: 'NOS', hsn: '85395000' };
  const rates = { treatment: 'taxable', gstRate: '18', saleRate: '95.00' };
  const { id } = (await shop.owner.ask('SaveMaster', { master: 'item', values: { ...values, ...rates } })) as {
    id: string;
  };
  await open('Create Invoice');
  await keys('Asha Traders⏎⏎⏎');
  await at('Item, line 1');
  await keys('LED-9W⏎1⏎⏎⏎');
  await at('Item, line 2');
  await keys('SHORT-1⏎5⏎');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Line 2, Quantity: None in stock at Bengaluru head office').waitFor();
  expect(await page.getByLabel('Quantity, line 2').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Quantity, line 1').getAttribute('aria-invalid')).toBeNull();
  await look('short');
  await page.getByRole('button', { name: 'Allow negative stock' }).waitFor();
  await page.getByRole('button', { name: 'Enter opening stock' }).click();
  await page.getByRole('heading', { name: 'New opening stock' }).waitFor();
  await at('Quantity, line 1');
  await expect.poll(() => page.getByLabel('Item, line 1').inputValue()).toBe('Scarce lamp');
  await keys('8⏎60⏎');
  await page.keyboard.press('Control+Enter');
  // the invoice was kept as a draft and is open again
  await page.getByRole('heading', { name: 'Sale invoice: draft' }).waitFor();
  await expect.poll(() => page.getByLabel('Item, line 2').inputValue()).toBe('Scarce lamp');
  const { rows } = await server.database.owner.query<{ body: string }>(
    "select body::text as body from drafts where organisation = 1 and kind = 'saleInvoice'",
  );
  expect(rows.filter(({ body }) => body.includes(id))).toHaveLength(1);
});

test('Bill to: the state is proposed from the PIN code, and stays as somebody chose it', async () => {
  const { page, open, keys, at } = walk;
  await open('Create B2C Invoice');
  await at('Customer');
  await page.getByText('Bill to', { exact: true }).click();
  await page.getByLabel('Address line 1').fill('7 Marine Drive');
  await page.getByLabel('PIN code').fill('400020');
  const state = page.getByLabel('State', { exact: true });
  await expect.poll(() => state.inputValue()).toBe('27');
  await page.getByLabel('PIN code').fill('560001');
  await expect.poll(() => state.inputValue()).toBe('29');
  await state.selectOption('33');
  await page.getByLabel('PIN code').fill('400020');
  await keys('⇥');
  expect(await state.inputValue()).toBe('33');
});
