import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelope, smallCompany } from '../../tools/testing/tally.ts';
import { type Desk, openDesk } from '../kit/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { portal: true });
});
afterAll(() => desk?.stop());

test('a Tally file is chosen once; each part of it is checked, imported, and leads to the next', async () => {
  const { page } = desk;
  await desk.go('import');
  const panel = page.getByRole('region', { name: 'From Tally' });
  const read = panel.getByRole('button', { name: 'Read Units from the file' });
  expect(await read.count()).toBe(0);
  await panel.locator('input[type=file]').setInputFiles({
    name: 'Master.xml',
    mimeType: 'text/xml',
    buffer: envelope(smallCompany),
  });
  await panel.getByText('Chosen: Master.xml').waitFor();
  await desk.cleanAtBoth('import-tally');
  await read.click();
  await page.getByRole('button', { name: 'Check 2 rows' }).click();
  await page.getByRole('button', { name: 'Import one row' }).click();
  await page.getByText('Imported', { exact: true }).first().waitFor();
  // nothing of cost centres is in it: that is said, and the way goes on
  await page.getByRole('button', { name: 'Next from Tally: Cost centres' }).click();
  await page.getByText('There are no cost centres in this file').waitFor();
  await page.getByRole('button', { name: 'Next from Tally: Ledgers' }).click();
  await page.getByRole('button', { name: 'Check 4 rows' }).click();
  await page.getByRole('button', { name: 'Import 4 rows' }).waitFor();
  await desk.go('import');
  const units = panel.getByRole('listitem').filter({ hasText: 'Units' });
  await units.getByText('Imported', { exact: true }).waitFor();
  await panel.getByText('Chosen: Master.xml').waitFor();
  await desk.cleanAtBoth('import-tally-begun');
});
