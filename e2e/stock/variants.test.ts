import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';
import type { Shop } from '../kit/shop.ts';

let shop: Desk['shop'];
let page: Desk['page'];
let go: Desk['go'];
let clean: Desk['clean'];
let stop: Desk['stop'];

const withAttributes = async ({ owner }: Shop) => {
  const save = (master: string, values: Record<string, unknown>) => owner.ask('SaveMaster', { master, values });
  await save('attribute', {
    code: 'COLOUR',
    name: 'Colour',
    values: [{ value: 'Blue', code: 'BLU' }, { value: 'White' }],
  });
  await save('attribute', { code: 'SIZE', name: 'Size', values: [{ value: 'M' }, { value: 'L' }] });
};

beforeAll(async () => {
  ({ shop, page, go, clean, stop } = await openDesk(
    { enableBarCode: true, enableVariantsBasedSku: true },
    { prepare: withAttributes },
  ));
});
afterAll(() => stop?.());
const pick = async (label: string, text: string) => {
  await page.getByLabel(label, { exact: false }).first().fill(text);
  await page.getByRole('option', { name: text }).first().click();
};
const cell = (column: string, line: number) =>
  page.getByLabel(new RegExp(`^${column}( \\(₹\\))?, line ${line}`)).first();

test('attributes make a matrix of variants; their opening stock is ready to be posted', async () => {
  await go('SupplyMasters', '?id=new');
  await page.getByLabel('SKU').fill('SHIRT');
  await page.getByLabel('Name').first().fill('Oxford shirt');
  await page.getByLabel('HSN / SAC').fill('62052000');
  await page.getByLabel('Sale rate').fill('999');
  await pick('Attributes that make variants', 'Colour');
  await pick('Attributes that make variants', 'Size');
  await page.getByText('Save the item: then its variants are made here.').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('0 of 4 are made').waitFor();
  await page.getByRole('button', { name: 'Make all' }).click();
  await cell('Barcode', 1).fill('8901030865237');
  await cell('Opening stock', 1).fill('5');
  await cell('At rate', 1).fill('450');
  await cell('SKU', 4).fill('SHIRT-WHT-L');
  await clean();
  await page.getByRole('button', { name: 'Save variants' }).click();
  await page.waitForURL(/id=/);
  await page.getByRole('heading', { name: /Opening stock/ }).waitFor();
  await expect.poll(() => cell('Item', 1).inputValue()).toBe('Oxford shirt Blue M');
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/is posted/)
    .first()
    .waitFor();
});

test('a barcode is made and others are added for a box; labels of what came in are shown', async () => {
  await shop.owner.ask('SaveMaster', {
    master: 'unitConversion',
    values: { from: 'BOX', to: 'NOS', factor: '12', item: shop.item },
  });
  await go('BarcodeList', '?only=without');
  await page.getByRole('button', { name: /^Make .*barcodes?$/ }).click();
  await page.getByText(/barcodes are made/).waitFor();
  await go('BarcodeList', '?search=LED');
  await page.getByRole('button', { name: 'LED-9W' }).click();
  await page.getByLabel('Another barcode').fill('LED-BOX');
  await page.getByLabel('Unit of this barcode').fill('BOX');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'LED-BOX' }).waitFor();
  await clean();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await go('BarcodeList');
  await page.getByText('8901030865237').waitFor();
  await clean();
  const [opening] = ((await shop.owner.ask('GetTransationsList', { Type: 'OS' })) as { rows: { id: string }[] }).rows;
  await go('BarcodeList', `?from=${opening?.id ?? ''}`);
  const show = page.getByRole('button', { name: /^Show \d+ labels$/ });
  await show.waitFor();
  await clean();
  await show.click();
  await page.getByRole('button', { name: 'Download PDF' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PDF' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('labels-a4x40.pdf');
});

test('scanning types lines and counts them up, in a cell and in the field for scans, pieces and boxes', async () => {
  await go('Create Invoice');
  await page.locator('form.editor').waitFor();
  await pick('Customer', 'Asha');
  const scan = async (code: string) => {
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  };
  await cell('Item', 1).focus();
  for (let n = 0; n < 3; n += 1) await scan('8901030865237');
  await page.getByText('Oxford shirt Blue M: 3 NOS').waitFor();
  await expect.poll(() => cell('Quantity', 1).inputValue()).toBe('3');
  await page.keyboard.press('Alt+k');
  await scan('LED-BOX');
  await page.getByText('LED bulb 9 W: 1 BOX').waitFor();
  await scan('LED-BOX');
  await page.getByText('LED bulb 9 W: 2 BOX').waitFor();
  await expect.poll(() => cell('Unit', 2).inputValue()).toBe('BOX');
  await scan('4006381333931');
  await page.getByText('No item has the code 4006381333931').waitFor();
  await clean();
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/is posted/)
    .first()
    .waitFor();
  const stock = (await shop.owner.ask('GetInventoryQtyForTransactions', { item: shop.item })) as { onHand: string };
  expect(stock.onHand).toBe('76');
});
