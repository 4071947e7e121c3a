import { expect, test } from 'vitest';
import type { Walk } from './walk.ts';

/** What a book-keeper does, without the mouse. */
export const keep = (walking: () => Walk): void => {
  test('a journal: the last side closes itself', async () => {
    const { page, open, keys, at, post, listed } = walking();
    await open('journalNew');
    await keys('⏎⏎⏎');
    await at('Ledger, line 1');
    await keys('6410⏎⏎2500⏎');
    await at('Ledger, line 2');
    await keys('1110⏎');
    await expect.poll(() => page.getByLabel('Credit (₹), line 2').inputValue()).toBe('2500.00');
    const journal = await post();
    expect(journal.entries).toEqual({ 6410: 'Dr 2500.00', 1110: 'Cr 2500.00' });
    await listed('journal', journal.number);
  });

  test('opening balances: what is missing to a balance goes to its own ledger', async () => {
    const { page, open, keys, at, shop } = walking();
    await open('Opening Balance', '?show=documentEditor');
    await keys('⏎');
    await at('Ledger, line 1');
    await keys('1110⏎⏎7000⏎1210⏎Bharat⏎B/7⏎⏎⏎3000⏎');
    await page.getByText('10,000.00').first().waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Opening balance OB/0001 is posted').waitFor();
    const listed = await shop.owner.ask('GetTransationsList', { Type: 'openingBalance', Search: 'OB/0001' });
    const [{ id }] = (listed as { rows: [{ id: string }] }).rows;
    const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as {
      entries: { code: string; debit: string; credit: string; due: { number: string; open: string } | null }[];
    };
    expect(view.entries.map((e) => [e.code, e.debit, e.credit, e.due?.number, e.due?.open])).toEqual([
      ['1110', '7000.00', '0.00', undefined, undefined],
      ['1210', '3000.00', '0.00', 'B/7', '3000.00'],
      ['3250', '0.00', '10000.00', undefined, undefined],
    ]);
  });

  test('opening stock pasted from a spreadsheet, 60 rows at once', async () => {
    const { page, open, at, post, listed } = walking();
    await open('allopeningstock', '?show=documentEditor');
    await page.getByLabel('Item, line 1').focus();
    const rows = Array.from({ length: 60 }, (_, n) => `SKU${n + 1}\t1,0${n % 10}0.5\t₹ 12.50`);
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, rows.join('\n'));
    await at(/line 60/);
    const stock = await post();
    expect(stock.movements).toHaveLength(60);
    expect(stock.movements[1]).toMatchObject({ quantity: '1010.5', cost: '12631.25' });
    await listed('allopeningstock', stock.number);
  });

  test('bad input is named at its field; nothing typed is lost, no number is lost', async () => {
    const { page, open, keys, at, post, server } = walking();
    const used = async () =>
      (
        await server.database.owner.query<{ number: string }>(
          `select number from documents where kind = 'saleInvoice' order by number desc limit 1`,
        )
      ).rows[0]?.number ?? '';
    const before = await used();
    await open('Create Invoice');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Choose the customer').first().waitFor();
    await at('Customer');
    await keys('Nobody at all⏎');
    await page.getByText('Nothing is chosen for “Nobody at all”').waitFor();
    await page.getByLabel(/^Customer/).focus();
    await page.keyboard.press('Control+a');
    await keys('Bharat⏎31/13⏎⏎LED-9W⏎12x⏎1e5⏎200%⏎');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Enter a date').first().waitFor();
    await at('Date');
    expect(await page.getByLabel('Quantity, line 1').inputValue()).toBe('12x');
    expect(await page.getByLabel('Rate, line 1').inputValue()).toBe('1e5');
    await keys('21/11⏎');
    await page.keyboard.press('Control+Enter');
    await at('Quantity, line 1');
    await keys('1200⏎95⏎10%⏎');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/Not enough stock of LED bulb 9 W/)
      .first()
      .waitFor();
    await page.getByLabel('Quantity, line 1').focus();
    await keys('1⏎');
    const invoice = await post();
    expect(Number(invoice.number.slice(-4))).toBe(Number(before.slice(-4)) + 1);
  });
};
