import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axe, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';

let server: TestServer;
let shop: Shop;
let page: Page;
let bank: string;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  bank = await shop.ledger('1121');
  const browser = await openBrowser();
  page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  ).newPage();
  await signIn(page, server.url);
});
afterAll(async () => {
  await page?.context().browser()?.close();
  await server?.stop();
});

const open = async (screen: string, query = '') => {
  await goTo(page, `${server.url}/layout/${encodeURIComponent(screen)}${query}`);
  await page.locator('h1').first().waitFor();
};
/** Reached by Tab alone, as by who has no mouse. */
const tabTo = async (name: string | RegExp) => {
  const wanted = page.getByRole('button', { name }).first();
  await wanted.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((button) => button === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no way by Tab to ${name}`);
};
/** Nothing is wrong with it on a desk and on a phone, light and dark. */
const isSound = async () => {
  expect(await axe(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await axe(page, { rules: ['color-contrast', 'target-size'] })).toEqual([]);
  expect(await tooWide(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
};

describe('a year', () => {
  const journal = async (date: string) =>
    shop.owner.call('PostTransactionCalls', {
      document: {
        kind: 'manualJournal',
        date,
        ...shop.place,
        accepted: [{ warning: 'supplyByHand', reason: 'A test' }],
        lines: [
          { ledger: bank, debit: '1234.50' },
          { ledger: await shop.ledger('4110'), credit: '1234.50' },
        ],
      },
    } as never);

  test('is closed after its posting was seen, and its days are locked', async () => {
    expect((await journal('2026-03-10')).status).toBe(200);
    await open('Year End');
    await tabTo('Close 2025-26 …');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('table').last();
    await panel.getByText('Surplus in statement of profit and loss').waitFor();
    await expect
      .poll(() => page.getByRole('status').filter({ hasText: 'Profit of 2025-26' }).innerText())
      .toContain('1,234.50');
    await isSound();
    await page.keyboard.press('Control+Enter');
    const row = page.getByRole('row', { name: /2025-26/ });
    await row.getByText('Closed', { exact: true }).waitFor();
    await expect.poll(() => row.innerText()).toMatch(/YE\/25-26\/\d+/);
    expect(await journal('2026-03-11')).toMatchObject({
      status: 409,
      details: { problems: [{ field: 'date', message: 'The books are locked up to 31 Mar 2026' }] },
    });
  });

  test('is looked into group by group, and opened again with a reason', async () => {
    await open('balancesheet', '?asOf=2026-03-31');
    await page.getByRole('grid').getByRole('button', { name: 'Reserves and surplus' }).click();
    await page.waitForURL('**/balanceSubsheet**');
    const group = page.getByRole('row', { name: /Surplus in statement of profit and loss/ });
    await expect.poll(() => group.innerText()).toMatch(/1,234\.50/);
    await open('Year End');
    await tabTo('Reopen 2025-26 …');
    await page.keyboard.press('Enter');
    await page.keyboard.type('A bill came late');
    // keys are held until the dialog is open: Tab counts the presses, so none may be held any more
    await expect.poll(() => page.getByRole('dialog').getByRole('textbox').inputValue()).toBe('A bill came late');
    await tabTo(/^Reopen 2025-26$/);
    await page.keyboard.press('Enter');
    await page
      .getByRole('row', { name: /2025-26/ })
      .getByText('To be closed')
      .waitFor();
    expect((await journal('2026-03-11')).status).toBe(200);
  });

  test('registers are locked by themselves, and say so', async () => {
    await open('General Configuration', '?tab=additional');
    await page.getByLabel('What', { exact: true }).selectOption('journals');
    await page.getByRole('textbox', { name: 'Or up to a day' }).fill('31-03-2026');
    await page.getByLabel('Reason', { exact: true }).fill('Audited');
    await page.getByRole('button', { name: 'Lock journals' }).click();
    await page.getByText('Journals: locked up to 31-03-2026 by').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await journal('2026-03-12')).toMatchObject({ details: { problems: [{ field: 'date' }] } });
  });
});

describe('a bank', () => {
  const statement = [
    'State Bank,,,,,',
    'Txn Date,Description,Ref No./Cheque No.,Debit,Credit,Balance',
    '01-Sep-2026,TRANSFER FROM ASHA TRADERS,UTR0000123,,"1,00,000.00","1,00,000.00"',
    '02-Sep-2026,SMS CHARGES,,17.70,,"99,982.30"',
    '03-Sep-2026,CASH DEPOSIT,,,500.00,"1,00,482.30"',
    ',,,,,',
  ].join('\r\n');

  test('says what came and went: read, matched, made by a rule, and read again for nothing', async () => {
    const post = { moneyLedger: bank, party: shop.customer, lines: [], date: '2026-08-31' };
    await shop.post({ ...post, kind: 'saleReceipt', amount: '100000.00', reference: 'UTR0000123' });
    await open('Bank Reconciliation', `?ledger=${bank}`);
    const load = async () => {
      // keys of the screen rest while a dialog lies over it
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Alt+n');
      await page.getByLabel('File (CSV)').setInputFiles({
        name: 'september.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(statement),
      });
      await page.getByText(/3 lines from/).waitFor();
    };
    await load();
    await expect.poll(() => page.getByRole('dialog').innerText()).toContain('3 new, 0 known');
    await expect.poll(() => page.getByLabel('Money in (deposit)').inputValue()).toBe('Credit');
    expect(await axe(page)).toEqual([]);
    await tabTo(/Add 3 lines/);
    await page.keyboard.press('Enter');
    const grid = page.getByRole('grid');
    await grid.getByText('SMS CHARGES').waitFor();
    await isSound();

    // the receipt is found by its reference, and taken
    await page.keyboard.press('Control+Enter');
    await grid.getByText('TRANSFER FROM ASHA').waitFor({ state: 'detached' });

    // the charges become an expense, and every line of the sort from now on
    await grid.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Becomes').selectOption('expense');
    await dialog.getByRole('combobox', { name: 'Ledger' }).fill('Bank charges');
    await page
      .getByRole('option', { name: /Bank charges/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Apply this to every line that contains a text').check();
    await dialog.getByRole('textbox', { name: 'Text' }).fill('SMS CHARGES');
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Post and match' }).click();
    await grid.getByText('SMS CHARGES').waitFor({ state: 'detached' });
    await grid.getByText('CASH DEPOSIT').waitFor();

    await load();
    await expect.poll(() => page.getByRole('dialog').innerText()).toContain('0 new, 3 known');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rules' }).click();
    await page.getByRole('cell', { name: 'SMS CHARGES', exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Matched' }).click();
    await page
      .getByRole('grid')
      .getByText('UTR0000123')
      .or(page.getByRole('grid').getByText('SMS CHARGES'))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Statement', exact: true }).click();
    await page.getByText('On the statement, not in the books').waitFor();
    await expect.poll(() => page.getByRole('row', { name: /CASH DEPOSIT/ }).innerText()).toContain('500.00');
  });
});

describe('a dialog with a form', () => {
  test('is left by Escape after it has asked, goes on by Enter and is saved by Ctrl Enter', async () => {
    await open('Exchange Rates');
    const dialog = page.getByRole('dialog', { name: 'New rate' });
    const question = page.getByRole('dialog', { name: 'Close without saving?' });
    const opener = page.getByRole('button', { name: 'New rate' }).first();
    await opener.click();
    await dialog.waitFor();
    // nothing is typed: nothing is asked, and the focus is where it was
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);

    await page.keyboard.press('Alt+n');
    await dialog.waitFor();
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('Choose a currency').waitFor();
    await dialog.getByLabel(/^Currency/).selectOption('USD');
    await dialog.getByText('Choose a currency').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await question.waitFor();
    expect(await axe(page)).toEqual([]);
    // Enter at once changes nothing
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => dialog.getByLabel(/^Currency/).inputValue()).toBe('USD');
    // an open calendar takes Escape for itself
    await dialog.getByRole('button', { name: 'Pick Date' }).click();
    await dialog.getByRole('dialog', { name: 'Calendar' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('dialog', { name: 'Calendar' }).waitFor({ state: 'detached' });
    await dialog.getByLabel(/^Currency/).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('83.5');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Reference rate');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('grid').getByText('83.50').waitFor();
  });

  test('keeps what is typed when a list in it is closed, and Enter in the list only chooses', async () => {
    await open('Purchase Template New');
    await page.getByRole('button', { name: 'New recurring bill' }).click();
    const dialog = page.getByRole('dialog', { name: 'New recurring bill' });
    await dialog.getByLabel(/^Name/).fill('Rent');
    await dialog.getByRole('combobox').first().focus();
    await page.keyboard.type('zzz');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await expect.poll(() => dialog.getByLabel(/^Name/).inputValue()).toBe('Rent');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close without saving' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

test('the chart of accounts has ledgers under their groups with balances; a ledger opens its entries', async () => {
  await open('ChartOfAccounts');
  const chart = page.getByRole('treegrid');
  await chart.getByRole('row', { name: /Bank - current account/ }).waitFor();
  await isSound();
  await page.getByLabel('Only with a balance').check();
  await chart.getByRole('row', { name: /Petty cash/ }).waitFor({ state: 'detached' });
  const row = await chart.getByRole('row', { name: /Bank - current account/ }).innerText();
  const [balance = ''] = /[\d,]+\.\d\d Dr/.exec(row) ?? [];
  expect(balance).not.toBe('');
  await chart.getByRole('button', { name: 'Bank - current account' }).click();
  await page.getByRole('heading', { name: 'General ledger' }).waitFor();
  // its last line comes to the balance of the chart
  await page.getByRole('grid').getByText(balance).first().waitFor();
});
