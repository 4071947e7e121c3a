import { expect, test } from 'vitest';
import { typedDay, type Walk } from '../kit/walk.ts';

/** What a book-keeper does, without the mouse. */
export const keep = (walking: () => Walk): void => {
  test('a journal: the last side closes itself', async () => {
    const { page, open, keys, at, post, listed } = walking();
    await open('journalNew');
    await keys('⏎⏎⏎');
    await at('Ledger, line 1');
    await keys('6410⏎⏎2500⏎');
    await at('Ledger, line 2');
    await keys('1121⏎');
    await expect.poll(() => page.getByLabel('Credit (₹), line 2').inputValue()).toBe('2,500.00');
    const journal = await post();
    expect(journal.entries).toEqual({ 6410: 'Dr 2500.00', 1121: 'Cr 2500.00' });
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

  test('credits are settled by hand and oldest first, and taken back; the statement of the customer says so', async () => {
    const { page, open, keys, at, shop } = walking();
    const [moneyLedger, ledger] = [await shop.ledger('1121'), await shop.ledger('1212')]; // consumers' accounts
    const values = { name: 'Chandra Lighting', category: 'unregistered', state: '29' };
    const made = (await shop.owner.ask('SaveMaster', { master: 'customer', values })) as { id: string };
    const party = made.id;
    const bill = (reference: string, referenceDate: string, debit: string) => ({
      ...{ ledger, party, reference, referenceDate, debit },
    });
    await shop.post({
      ...{ kind: 'openingBalance', date: '2026-04-01' },
      lines: [bill('C/2', '2026-03-02', '400.00'), bill('C/1', '2026-03-01', '300.00')],
    });
    const receipt = await shop.post({ kind: 'saleReceipt', party, amount: '500.00', moneyLedger });
    await open('UseCreditView');
    await at('Party');
    await keys('Chandra⏎');
    await page.getByLabel('Settle C/1').focus();
    await keys('900⏎');
    await page.getByText('More than is open of C/1').waitFor();
    await page.getByLabel('Settle C/1').focus();
    await keys('100');
    await page.keyboard.press('Alt+o');
    await expect.poll(() => page.getByLabel('Settle C/2').inputValue()).toBe('200.00');
    await page.keyboard.press('Control+s');
    await page.getByText('2 settlements are saved').waitFor();
    type Standing = { credits: { open: string }[]; dues: { number: string; open: string }[] };
    const standing = async () => (await shop.owner.ask('GetCreditsListAganistParty', { party })) as Standing;
    expect((await standing()).dues.map((due) => [due.number, due.open])).toEqual([
      ['C/1', '0.00'],
      ['C/2', '200.00'],
    ]);
    await open('ReportsCommon', `?report=customerStatement&party=${party}`);
    const paid = page.getByRole('row').filter({ hasText: receipt.TransactionNumber }).filter({ hasText: 'C/1, C/2' });
    await paid.waitFor();
    await page.getByText('200.00 Dr').first().waitFor();
    await open('UseCreditView', `?party=${party}&credit=${receipt.TransactionId}`);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('2 settlements are saved').waitFor();
    await expect.poll(async () => (await standing()).credits.map((credit) => credit.open)).toEqual(['500.00']);
  });

  test('opening stock pasted from a spreadsheet, 60 rows at once', async () => {
    const { page, open, at, post, listed } = walking();
    await open('allopeningstock', '?show=documentEditor');
    await page.getByLabel('Item, line 1').focus();
    const rows = Array.from({ length: 60 }, (_, n) => `SKU${n + 1}\t1,0${n % 10}5\t₹ 12.50`);
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
    expect(stock.movements[1]).toMatchObject({ quantity: '1015', cost: '12687.50' });
    await listed('allopeningstock', stock.number);
  });

  test('problems are shown when a field, a cell or a line is left, and not before; figures are grouped while nobody types them', async () => {
    const { page, open, keys, at } = walking();
    const error = (label: RegExp | string) => page.getByLabel(label).getAttribute('aria-invalid');
    await open('Create Invoice');
    // who passes by a field has not got it wrong
    await keys('⇥');
    await at('Date');
    expect(await error(/^Customer/)).toBeNull();
    await keys('31/12/2199');
    expect(await page.getByText('not dated in the future').count()).toBe(0);
    await keys('⏎');
    await page.getByText('A GST document is not dated in the future').waitFor();
    await page.getByLabel(/^Date/).focus();
    await keys(`${typedDay()}⏎`);
    await expect.poll(() => error(/^Date/)).toBeNull();
    await page.getByLabel('Item, line 1').focus();
    await keys('LED-9W⏎0⏎');
    await page.getByText('Line 1, Quantity: Enter a quantity greater than 0').waitFor();
    await page.getByLabel('Quantity, line 1').focus();
    await keys('12');
    await expect.poll(() => error('Quantity, line 1')).toBeNull();
    await keys('⏎12345678⏎');
    const rate = page.getByLabel('Rate, line 1');
    await expect.poll(() => rate.inputValue()).toBe('1,23,45,678.00');
    await rate.focus();
    expect(await rate.inputValue()).toBe('12345678.00');
    // it is selected as a whole: the next key replaces it
    await keys('5');
    expect(await rate.inputValue()).toBe('5');
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
    await page.getByText('No choice made for “Nobody at all”').first().waitFor();
    await page.getByLabel(/^Customer/).focus();
    await page.keyboard.press('Control+a');
    await keys('Bharat⏎31/13⏎⏎LED-9W⏎12x⏎1e5⏎200%⏎');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Enter a date').first().waitFor();
    await at('Date');
    await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).toBe('12x');
    await expect.poll(() => page.getByLabel('Rate, line 1').inputValue()).toBe('1e5');
    await keys(`${typedDay()}⏎`);
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
