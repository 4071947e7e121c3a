import { expect, test } from 'vitest';
import { yearNow } from '../../tools/testing/year.ts';
import { typedDay, type Walk } from '../kit/walk.ts';

/** What a buyer does, without the mouse. */
export const buy = (walking: () => Walk): void => {
  test('an order, then its bill: the supplier’s number is asked for, stock and tax credit follow', async () => {
    const { page, open, keys, at, post, listed } = walking();
    await open('Purchase Order New');
    await keys('Kaveri⏎⏎⏎⏎FAN-48⏎5⏎900⏎⏎');
    const order = await post();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'New purchase bill' }).waitFor();
    await at(/line 1/);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Enter the number of the supplier’s document').first().waitFor();
    await at('Reference');
    await keys(`KM/118⏎${typedDay(1)}⏎`);
    const bill = await post();
    expect(bill.entries).toEqual({
      1310: 'Dr 4500.00',
      1411: 'Dr 405.00',
      1412: 'Dr 405.00',
      2120: 'Cr 5310.00',
    });
    expect(bill.movements).toMatchObject([{ quantity: '5', cost: '4500.00' }]);
    await listed('Purchase Bills', bill.number);
    await listed('Purchase Order', order.number);
  });

  test('goods back to the supplier, and the rest of the bill paid', async () => {
    const { page, open, keys, against, at, post, listed } = walking();
    await open('Purchase Return New');
    await against('Kaveri', `PB/${yearNow}/0001`);
    await keys('↓⏎⏎');
    await at('Quantity, line 1');
    await keys('2⏎');
    const returned = await post();
    expect(returned.entries).toMatchObject({ 2120: 'Dr 2124.00', 1411: 'Cr 162.00', 1412: 'Cr 162.00' });
    expect(returned.movements.map(({ quantity }) => quantity)).toEqual(['-2']);

    await open('paymentnew');
    await keys('Kaveri⏎⏎cash⏎3186⏎⏎');
    await page.getByLabel(/^Settle PB/).waitFor();
    await keys('⏎');
    await at(/^Settle PB/);
    await keys('3186⏎');
    await page.getByText('₹ 0.00 stays on account').waitFor();
    const payment = await post();
    expect(payment.entries).toEqual({ 2120: 'Dr 3186.00', 1110: 'Cr 3186.00' });
    await listed('Payments', payment.number);
    await listed('Purchase Bills', `PB/${yearNow}/0001`);
    await page
      .getByRole('row', { name: `PB/${yearNow}/0001` })
      .getByText('Paid')
      .waitFor();
  });

  test('an expense with TDS, its amount shown before it is posted', async () => {
    const { page, open, keys, at, post, listed } = walking();
    await open('ExpenseNew');
    await keys('Kaveri⏎');
    await page.getByText('we owe').waitFor();
    await keys('⏎⏎CONS-7⏎⏎');
    await at('Ledger, line 1');
    await keys('6485⏎audit⏎60000⏎');
    await page.getByText(/^More/).focus();
    await keys('⏎');
    await page.getByLabel('TDS section').focus();
    await page.getByLabel('TDS section').press('1');
    await page.getByLabel('TDS section').selectOption('194J(b)');
    // what is shown with a minus sign is copied with the hyphen that a spreadsheet reads
    const copied = await page.getByText('\u22126,000.00').evaluate((figure) => {
      document.getSelection()?.selectAllChildren(figure);
      const clipboardData = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, cancelable: true }));
      return ['text/plain', 'text/html'].map((type) => clipboardData.getData(type));
    });
    expect(copied).toEqual(['-6,000.00', '-6,000.00']);
    const expense = await post();
    expect(expense.entries).toMatchObject({
      2120: expect.stringMatching(/^Cr/),
      2232: expect.stringMatching(/^Cr 6000/),
    });
    await listed('ExpenseList', expense.number);
  });
};
