import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';

let desk: Desk;
const centres: Record<string, string> = {};
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.stop());

const save = async (name: string, more: object = {}): Promise<string> =>
  (
    (await desk.shop.owner.ask('SaveMaster', {
      master: 'costCentre',
      values: { code: name.toUpperCase(), name, ...more },
    } as never)) as { id: string }
  ).id;

test('who has no cost centre sees neither the field nor the column', async () => {
  await desk.go('journalNew');
  await desk.page.getByLabel('Ledger, line 1').waitFor();
  expect(await desk.page.getByLabel('Cost centre, line 1').count()).toBe(0);
  expect(await desk.page.getByText('More: cost centre').count()).toBe(0);
});

test('by the keys alone: a line has a cost centre of its own, the others that of the head; the view names them', async () => {
  const { page } = desk;
  centres.North = await save('North');
  centres.South = await save('South');
  await page.reload();
  await desk.go('journalNew');
  await page.getByText('More: cost centre').click();
  await page.getByLabel('Cost centre', { exact: true }).fill('North');
  await page.keyboard.press('Enter');
  await page.getByLabel('Ledger, line 1').focus();
  const at = (label: string) =>
    expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(label);
  const pick = async (text: string) => {
    await page.keyboard.type(text);
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  };
  await pick('6410');
  await at('Party, line 1');
  await page.keyboard.press('Enter');
  await at('Cost centre, line 1');
  await pick('South');
  await at('Debit (₹), line 1');
  await page.keyboard.type('100');
  await page.getByLabel('Ledger, line 2').focus();
  await pick('1121');
  await at('Party, line 2');
  await page.keyboard.press('Enter');
  await at('Cost centre, line 2');
  await expect.poll(() => page.getByLabel('Credit (₹), line 2').inputValue()).toBe('100.00');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: /MJ\// }).waitFor();
  const rows = page.getByRole('region', { name: 'Entries' }).locator('tbody tr');
  expect(await rows.nth(0).innerText()).toContain('South');
  expect(await rows.nth(1).innerText()).toContain('North');
});

test('a draft that names a cost centre which was retired since says so when it is opened, before anybody posts', async () => {
  const { page, shop } = desk;
  const lines = [
    { ledger: await shop.ledger('6410'), debit: '5', costCentre: centres.South },
    { ledger: await shop.ledger('1121'), credit: '5' },
  ];
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const { TransactionId } = (await shop.owner.ask('AddTransactionDetails', {
    kind: 'manualJournal',
    body: { date: today, ...shop.place, lines },
  })) as { TransactionId: string };
  await desk.server.database.owner.query('update cost_centres set active = false where id = $1', [centres.South]);
  await desk.go('journalNew', `?id=${TransactionId}`);
  await page.getByText('South is retired: restore it, or choose another cost centre').first().waitFor();
});
