import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { yearNow } from '../../tools/testing/year.ts';
import { type Desk, openDesk } from '../kit/desk.ts';

let server: Desk['server'];
let shop: Desk['shop'];
let page: Desk['page'];
let go: Desk['go'];
let clean: Desk['clean'];
let stop: Desk['stop'];

beforeAll(async () => {
  ({ server, shop, page, go, clean, stop } = await openDesk());
});
afterAll(() => stop?.());
const pick = async (label: string, text: string, option: string | RegExp = text) => {
  await page.getByLabel(label, { exact: false }).first().fill(text);
  await page.getByRole('option', { name: option }).first().click();
};

test('a field that the organisation adds is asked for in the editor, shown in the list and in the view', async () => {
  await go('AdditionalFieldNew', '?id=new');
  await page.getByLabel('Name').fill('Sales area');
  await page.getByLabel('Type').selectOption('choice');
  await pick('Asked for on', 'Quotation');
  await pick('Asked for on', 'Customer', /^Customer\b/);
  for (const box of ['Must be filled', 'Column of lists', 'On the printed document'])
    await page.getByLabel(box).check();
  for (const value of ['North', 'South and the long coast of Kerala']) {
    await page
      .getByRole('button', { name: /^Add( row)?/ })
      .first()
      .click();
    await page.getByLabel('Choice').last().fill(value);
  }
  await clean();
  await shot('additional-field');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/Additional%20Field/);
  await page.getByText('Sales area', { exact: true }).first().waitFor();
  await clean();
  await shot('additional-fields');

  await go('Quotation', '?show=documentEditor');
  await page.locator('form.editor').waitFor();
  await pick('Customer', 'Asha', /Asha/);
  await page.getByLabel('Item, line 1').fill('LED');
  await page.getByRole('option', { name: /LED/ }).first().click();
  await page.getByLabel(/^Quantity, line 1/).fill('2');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Sales area is required').first().waitFor();
  await shot('additional-required');
  await page.getByLabel('Sales area').selectOption({ index: 2 });
  await page.keyboard.press('Control+Enter');
  await page.locator('.sheet').getByText('South and the long coast of Kerala').waitFor();
  await shot('additional-view');
  await go('Quotation');
  await page.getByRole('grid').getByText('South and the long coast of Kerala').waitFor();
  await go('Create Party', `?id=${shop.customer}`);
  await page.getByLabel('Sales area').waitFor();
  await clean();
  await shot('additional-master');
});

test('the toast of what was just saved is seen at once, though four others came before and the pointer rests on them', async () => {
  await go('Category');
  for (let n = 1; n <= 6; n++) {
    // by the keyboard: the pointer stays where it is, and the toasts stay too
    await page
      .getByRole('button', { name: /^New category/i })
      .or(page.getByRole('link', { name: /^New category/i }))
      .first()
      .press('Enter');
    await page.getByLabel('Code').first().fill(`TOLD-${n}`);
    await page.getByLabel('Name').first().fill(`Named ${n}`);
    await page.keyboard.press('Control+s');
    await page.getByText(`Category Named ${n} is saved`).waitFor({ timeout: 4000 });
    if (n === 1) await page.locator('.toast').first().hover();
  }
  // those that went are still drawn for a moment; none has gone by itself so soon
  await expect.poll(() => page.locator('.toast').count(), { timeout: 1500 }).toBeLessThanOrEqual(4);
});

test('a number series shows its next numbers while it is typed, and what is wrong with them', async () => {
  const series = (await shop.owner.ask('GetDocNumList', {})) as { id: string; values: Record<string, unknown> }[];
  const own = series.find(({ values }) => values['kind'] === 'quotation');
  await go('DoumentNew', `?id=${own?.id}`);
  await page.getByLabel('Prefix').fill('Q/{FY}/');
  await page.getByText(`Q/${yearNow}/0002`, { exact: false }).waitFor();
  await page.getByRole('heading', { name: 'Numbers given' }).waitFor();
  await page.getByLabel('Prefix').fill('QUOTE/{FYX}/');
  await page.getByText('{FYX} is not known', { exact: false }).waitFor();
  await clean();
  await shot('series');
});

test('an item is viewed with its prices, its stock and the documents that name it', async () => {
  await go('SupplyMasters', `?id=${shop.item}`);
  await page.getByRole('button', { name: 'View item' }).click();
  await page.waitForURL(/show=page/);
  await page.getByRole('heading', { name: 'LED bulb 9 W' }).waitFor();
  await page.getByRole('region', { name: 'Stock by location' }).getByText('Bengaluru head office').waitFor();
  await page.getByRole('link', { name: /^OS/ }).first().waitFor();
  await clean();
  await shot('item-view');
});

test('the edit log is exported and verified by the script that comes with it', async () => {
  await server.database.owner.query('select seal_finished()');
  await go('Orgedit');
  const take = async (button: string): Promise<string> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return file.path();
  };
  const [log, verifier] = [await take('Export edit log'), await take('Download verifier')];
  await clean();
  await shot('edit-log');
  const script = `${verifier}.mjs`;
  fs.copyFileSync(verifier, script);
  const run = spawnSync(process.execPath, [script, log], { encoding: 'utf8' });
  expect(run.stdout + run.stderr).toMatch(/^Genuine: \d+ rows of SHARMA/);
});

/** A look at a screen, for who asks for it. */
async function shot(name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (!folder) return;
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${folder}/${name}-phone.png` });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
