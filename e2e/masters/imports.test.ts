import { afterAll, beforeAll, expect, test } from 'vitest';
import writeXlsx from 'write-excel-file/node';
import { type Desk, openDesk } from '../kit/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { portal: true });
});
afterAll(() => desk?.stop());

const count = async (master: string): Promise<number> =>
  ((await desk.shop.owner.ask('ListMasters', { master, limit: 200 } as never)) as { rows: unknown[] }).rows.length;

test('forty customers are pasted from the list of them, one cell is mended, and all are imported', async () => {
  const { page } = desk;
  const before = await count('customer');
  await desk.go('Party Master');
  await page.getByRole('button', { name: 'Import …' }).click();
  await page.getByRole('heading', { name: 'Import Customers' }).waitFor();
  const rows = Array.from({ length: 40 }, (_, n) => {
    const state = n === 20 ? 'Atlantis' : 'Karnataka';
    return `Customer ${n + 1}\t98450${String(n).padStart(5, '0')}\t${n + 1} MG Road\tBengaluru\t560001\t${state}\tyes`;
  });
  const headings = 'Party Name\tPhone No.\tBilling Address\tBilling City\tBilling PIN\tState\tFavourite';
  await page.getByLabel('Or paste cells with their headings').fill([headings, ...rows].join('\n'));
  await desk.cleanAtBoth('import-file');
  await page.getByRole('button', { name: 'Read it' }).click();
  const meaning = (heading: string) => page.getByLabel(`What ${heading} means`);
  await meaning('Party Name').waitFor();
  expect(await meaning('Party Name').inputValue()).toBe('name');
  expect(await meaning('Billing PIN').inputValue()).toBe('addresses.billing.pincode');
  expect(await meaning('Favourite').inputValue()).toBe('');
  await desk.cleanAtBoth('import-columns');
  await page.getByRole('button', { name: 'Check 40 rows' }).click();
  await page.getByRole('button', { name: 'Import 39 rows' }).waitFor();
  const cell = page.getByLabel('State, row 22');
  expect(await cell.inputValue()).toBe('Atlantis');
  expect(await cell.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('“Atlantis” is not a state').waitFor();
  await desk.cleanAtBoth('import-checked');
  await cell.fill('Goa');
  await cell.press('Enter');
  await page.getByRole('button', { name: 'Import 40 rows' }).click();
  await page.getByRole('button', { name: 'Undo import' }).waitFor();
  await page.getByText('Imported', { exact: true }).first().waitFor();
  await desk.cleanAtBoth('import-done');
  expect(await count('customer')).toBe(before + 40);
});

test('items of a workbook are imported with the columns of Tally, and the import is undone', async () => {
  const { page } = desk;
  const before = await count('item');
  await desk.go('import');
  await desk.cleanAtBoth('import-home');
  await page.getByRole('button', { name: 'Import Items' }).click();
  const cell = (value: string | number) => ({ value, type: typeof value === 'number' ? Number : String });
  const sheet = [
    ['Stock Items'],
    ['Name of Item', 'HSN/SAC', 'GST Rate', 'Units', 'Standard Price'],
    ['Copper wire 1 mm', '8544', 18, 'NOS', 1250.5],
    ['Switch 6 A', '8536', 18, 'NOS', 45],
  ].map((row) => row.map(cell));
  const bytes = await writeXlsx(sheet as never).toBuffer();
  await page.locator('input[type=file]').setInputFiles({
    name: 'items.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(bytes),
  });
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.getByRole('button', { name: 'Check 2 rows' }).click();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByRole('button', { name: 'Undo import' }).click();
  expect(await count('item')).toBe(before + 2);
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await page.getByText('Undone', { exact: true }).first().waitFor();
  await expect.poll(() => count('item')).toBe(before);
});

test('the lists have what was imported, with its counts, and lead to it', async () => {
  const { page } = desk;
  await desk.go('FileImport');
  await page.getByText('items.xlsx').waitFor();
  await desk.cleanAtBoth('file-imports');
  await desk.go('Data Import');
  await page.getByText('Pasted cells').waitFor();
  await desk.cleanAtBoth('data-imports');
  await page.getByText('Pasted cells').dblclick();
  await page.getByRole('heading', { name: 'Import Customers' }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await desk.go('Party Master');
      await page.getByRole('button', { name: 'CSV' }).click();
    })(),
  ]);
  expect(file.suggestedFilename()).toBe('customers.csv');
});

test('a file that is no sheet says what it is', async () => {
  const { page } = desk;
  await desk.go('FileImportNew', '?master=customer');
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: 'customers.xls', mimeType: 'application/pdf' },
    buffer: Buffer.from('%PDF-1.7 a paper'),
  });
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.getByText('This is a PDF: a file of kind XLSX or CSV can be imported').waitFor();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByLabel('Or paste cells with their headings').waitFor();
});
