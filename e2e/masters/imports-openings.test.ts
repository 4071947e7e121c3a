import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { portal: true });
});
afterAll(() => desk?.stop());

type Report = { rows: { cells: Record<string, string | null> }[] };
const report = async (name: string, filters: Record<string, string>): Promise<string> =>
  JSON.stringify((await desk.shop.owner.ask('RunReport', { report: name, filters } as never)) as Report);
const year = { from: '2026-04-01', to: '2027-03-31' };

test('the first steps lead to outstanding bills: they are pasted, a cell is corrected, the trial balance has them, and they are undone', async () => {
  const { page } = desk;
  const cells = [
    'Party Name\tBill No\tBill date\tDue date\tOutstanding\tLocation',
    'Asha Traders\tINV-7\t10/03/2026\t09/04/2026\t7,654.00\tBLR',
    'Asha Tradrs\tINV-8\t12/03/2026\t11/04/2026\t1,000.00\tBLR',
  ];
  await desk.go('First Steps');
  await desk.cleanAtBoth('guide-imports');
  await page.getByRole('link', { name: 'Import Outstanding bills' }).click();
  await page.getByLabel('Or paste cells with their headings').fill(cells.join('\n'));
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.getByRole('button', { name: 'Check 2 rows' }).click();
  await page.getByText('There is no party “Asha Tradrs”').waitFor();
  const cell = page.getByLabel('Party Name, row 3');
  await cell.fill('Asha Traders');
  await cell.press('Enter');
  await desk.cleanAtBoth('import-bills');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByRole('button', { name: 'Undo import' }).waitFor();
  expect(await report('trialBalance', year)).toContain('"closingDebit":"8654.00"');
  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('dialog').getByText('Its documents are cancelled').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await page.getByText('Undone', { exact: true }).first().waitFor();
  expect(await report('trialBalance', year)).not.toContain('"closingDebit":"8654.00"');
});

test('a row of opening stock that needs a reason is imported with it, and comes into stock', async () => {
  const { page, shop } = desk;
  const goods = { type: 'stock', unit: 'NOS', hsn: '74181010', treatment: 'taxable', gstRate: '12' };
  await shop.owner.ask('SaveMaster', { master: 'item', values: { ...goods, sku: 'POT', name: 'Copper pot' } } as never);
  const [debit, credit] = [await shop.ledger('1110'), await shop.ledger('3110')];
  const lines = [
    { ledger: debit, debit: '10' },
    { ledger: credit, credit: '10' },
  ];
  await shop.post({ kind: 'manualJournal', date: '2026-04-02', lines });
  await desk.go('import');
  await page.getByRole('button', { name: 'Import Opening stock of items' }).click();
  await page
    .getByLabel('Or paste cells with their headings')
    .fill('Item\tQty\tValue\tLocation\tStock room\tDate\nPOT\t7\t4321\tBLR\tAttic\t01/05/2026');
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.getByRole('button', { name: 'Check one row' }).click();
  await page.getByText('There is no stock room “Attic”').waitFor();
  const cell = page.getByLabel('Stock room, row 2');
  await cell.fill('');
  await cell.press('Enter');
  await page.getByLabel('Reason for the row that needs one').fill('Counted after the first sale');
  await desk.cleanAtBoth('import-stock');
  await page.getByRole('button', { name: 'Import one row' }).click();
  await page.getByRole('button', { name: 'Undo import' }).waitFor();
  expect(await report('stockOnHand', { asOf: year.to })).toContain('4321.00');
});
