import { expect, test } from 'vitest';
import { yearNow } from '../../tools/testing/year.ts';
import type { Walk } from '../kit/walk.ts';

/** What a seller does all day, from the first field to the books, without the mouse. */
export const sell = (walking: () => Walk): void => {
  test('an invoice to a business: figures live, limit and stock beside the fields, entries and stock balance', async () => {
    const { page, open, keys, at, post, listed } = walking();
    await open('Create Invoice');
    await keys('Bharat⏎');
    await page.getByText('supply to Karnataka · owes ₹ 0.00 · limit ₹ 5,00,000.00').waitFor();
    await keys('⏎PO-77⏎18/11⏎');
    await at('Item, line 1');
    await keys('LED-9W⏎10⏎98.50⏎5%⏎FAN-48⏎2⏎⏎⏎');
    await page.getByText('100', { exact: true }).first().waitFor();
    // 935.75 and 3,000.00, with 18 %: 4,644.19
    await page.locator('.action-bar').getByText('₹ 4,644.00').waitFor();
    await at('Item, line 3');
    await keys('⏎Deliver by noon⏎⏎');
    await at('Post sale invoice');
    await keys('⏎');
    const invoice = await post('pressed');
    expect(invoice.number).toBe(`INV/${yearNow}/0001`);
    expect(invoice.entries).toEqual({
      1210: 'Dr 4644.00',
      4110: 'Cr 3935.75',
      2211: 'Cr 354.22',
      2212: 'Cr 354.22',
      6990: 'Dr 0.19',
      5310: 'Dr 2600.00',
      1310: 'Cr 2600.00',
    });
    expect(invoice.movements.map(({ quantity }) => quantity)).toEqual(['-10', '-2']);
    await listed('Sale Invoice', invoice.number);
    await page.goto(page.url().replace('Sale%20Invoice', 'Manage%20Inventory'));
    await page
      .getByRole('row', { name: /LED bulb 9 W/ })
      .getByText('5,400.00')
      .waitFor();
  });

  test('the last price is shown at the next sale to the same customer; choices are searched among 5,000', async () => {
    const { page, open, keys, at } = walking();
    await open('Create Invoice');
    await keys('Party 432');
    await page.getByRole('option', { name: /Party 4321/ }).waitFor();
    await page.getByText(/of 11/).waitFor();
    await page.keyboard.press('Control+a');
    await keys('29aabcp4321⏎');
    await expect.poll(() => page.getByLabel(/^Customer/).inputValue()).toBe('Party 4321');
    await page.getByLabel(/^Customer/).focus();
    await keys('Bharat⏎⏎⏎');
    await at('Item, line 1');
    await keys('led-9w⏎');
    await page.getByText('90 · ₹ 98.50').waitFor();
    await keys('91⏎');
    await page.getByText('only 90').waitFor();
  });

  test('a bill to a consumer made on the spot, and a quick one', async () => {
    const { page, open, keys, at, post } = walking();
    await open('Create B2C Invoice');
    await keys('Ravi Kumar');
    await page.getByRole('option', { name: 'Create customer “Ravi Kumar”' }).waitFor();
    await keys('⏎');
    await at('Name');
    await page.keyboard.press('Control+s');
    await page.getByText('No GSTIN · supply to Karnataka').waitFor();
    await at('Customer');
    await keys('⏎⏎⏎LED-9W⏎3⏎⏎⏎');
    await at('Item, line 2');
    const bill = await post();
    expect(bill.entries).toMatchObject({ 1212: 'Dr 336.00', 2211: 'Cr 25.65', 2212: 'Cr 25.65' });

    await open('Create Invoice Quick');
    // faster than any answer: names, figures and the posting in one go
    await keys('Asha⏎⏎LED-9W⏎2⏎⏎⏎');
    const quick = await post();
    expect(quick.entries).toMatchObject({ 1210: 'Dr 224.00', 4110: 'Cr 190.00' });
  });

  test('quotation, order, two part invoices: what is left comes along', async () => {
    const { page, open, keys, at, post, listed } = walking();
    await open('QuotationParent');
    await keys('Bharat⏎⏎⏎⏎LED-9W⏎10⏎⏎⏎');
    const quotation = await post();
    expect(quotation.entries).toEqual({});
    await page.getByText('Continue as').focus();
    await keys('⏎');
    await page.getByRole('button', { name: 'Sale order' }).focus();
    await keys('⏎');
    await page.getByRole('heading', { name: 'New sale order' }).waitFor();
    await at(/line 1/);
    const order = await post();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'New sale invoice' }).waitFor();
    await at(/line 1/);
    await page.getByLabel('Quantity, line 1').focus();
    await keys('4⏎');
    const first = await post();
    expect(first.entries).toMatchObject({ 1210: 'Dr 448.00', 4110: 'Cr 380.00', 5310: 'Dr 240.00' });
    await listed('Sale Order', order.number);
    await page.getByRole('grid').focus();
    await keys('⏎');
    await page.locator('.view-row').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('6 left').waitFor();
    await at(/line 1/);
    await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).toBe('6');
    const second = await post();
    expect(second.entries).toMatchObject({ 4110: 'Cr 570.00' });
    await listed('Quotation', quotation.number);
  });

  test('goods back and a price cut, against their invoice', async () => {
    const { page, open, keys, against, at, post, listed } = walking();
    await open('salereturnnew');
    await against('Bharat', `INV/${yearNow}/0001`);
    await keys('↓⏎⏎⏎');
    await at('Quantity, line 1');
    await keys('1⏎0⏎');
    const returned = await post();
    // 935.75 for ten: one comes back at 93.58 and 18 %, at the cost it left
    expect(returned.entries).toMatchObject({ 1310: 'Dr 60.00', 5310: 'Cr 60.00', 1210: 'Cr 110.00' });
    expect(returned.movements.map(({ quantity }) => quantity)).toEqual(['1']);
    await listed('Sale Return', returned.number);

    await open('SaleCreditNoteNew');
    await against('Bharat', `INV/${yearNow}/0001`);
    // a blank line is shown until the lines of the invoice arrive
    await page.getByLabel('Quantity, line 2').waitFor();
    await page.getByLabel('Quantity, line 1').focus();
    await page.keyboard.press('Control+Delete');
    // the keys go to the line that moved up, without a wait
    await keys('2⏎100⏎');
    await page.getByLabel('Quantity, line 2').waitFor({ state: 'detached' });
    const cut = await post();
    expect(cut.entries).toMatchObject({ 1210: 'Cr 236.00', 2211: 'Dr 18.00', 2212: 'Dr 18.00' });
    expect(cut.movements).toEqual([]);
  });

  test('a receipt settles the oldest invoices, and the customer owes what is left', async () => {
    const { page, open, keys, at, post, listed } = walking();
    await open('Sale Receipt New');
    await keys('Bharat⏎⏎cash⏎4500⏎⏎');
    await page
      .getByLabel(/^Settle INV/)
      .first()
      .waitFor();
    await keys('⏎');
    await at(/^Settle/);
    await page.keyboard.press('Alt+o');
    await page.getByText(/Settled ₹\s4,500\.00, ₹\s0\.00 stays on account/).waitFor();
    const receipt = await post();
    expect(receipt.entries).toEqual({ 1110: 'Dr 4500.00', 1210: 'Cr 4500.00' });
    await listed('Sale Receipt', receipt.number);
    await open('Create Invoice');
    await keys('Bharat⏎');
    await page.getByText(/owes ₹\s[\d,.]+ · limit/).waitFor();
  });
};
