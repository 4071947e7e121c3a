import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../tools/testing/browser.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { testServer } from '../../tools/testing/server.ts';
import { openShop, signIn } from '../kit/shop.ts';
import { typedDay, type Walk, walkOn } from '../kit/walk.ts';

// What a return or note contradicts of its source is said at the field, before it is posted.
let walk: Walk;
let invoice: { readonly TransactionId: string; readonly TransactionNumber: string };
beforeAll(async () => {
  const server = await testServer({});
  const shop = await openShop(server);
  const lines = [{ item: shop.item, quantity: '5', rate: '95' }];
  invoice = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  await shop.owner.ask('SaveMaster', {
    master: 'customer',
    values: { name: 'Other Stores', category: 'unregistered', state: '29', addresses: [] },
  });
  const page = await (await (await openBrowser()).newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, server.url);
  walk = walkOn(server, shop, page);
});
afterAll(() => walk?.stop());

test.each(['salereturnnew', 'SaleCreditNoteNew'])(
  '%s: party and day that contradict the invoice are problems at their fields',
  async (screen) => {
    const { page, open, keys, against } = walk;
    const posted: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('PostTransactionCalls')) posted.push(request.url());
    });
    const error = (text: string) => page.locator('.field-error').filter({ hasText: text });
    const change = async (label: RegExp, text: string) => {
      const field = page.getByLabel(label).first();
      await field.focus();
      await field.press('Control+A');
      await keys(text);
    };
    await open(screen);
    await against('Asha', invoice.TransactionNumber);
    await change(/^Date/, '01/04/2020⇥');
    await error(`not dated before ${invoice.TransactionNumber}`).waitFor();
    await change(/^Customer/, 'Other Stores');
    await page.getByRole('option', { name: 'Other Stores' }).first().waitFor();
    await keys('⏎⇥');
    await error(`${invoice.TransactionNumber} is of another party than Other Stores`).waitFor();
    expect(posted).toEqual([]);
  },
);

test('freight of the invoice is offered to a return: a share of it, by the value of the goods that come back', async () => {
  const { page, open, keys, against, shop, post } = walk;
  const charge = { name: 'Freight', amount: '100', gstRate: '18', hsn: '996511', ledger: await shop.ledger('4140') };
  const lines = [{ item: shop.item, quantity: '4', rate: '95' }];
  const sale = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines, charges: [charge] });
  await open('salereturnnew');
  await against('Asha', sale.TransactionNumber);
  await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).toBe('4');
  await keys('↓⏎⏎');
  await page.getByLabel('Quantity, line 1').focus();
  await keys('1⏎');
  await page.getByRole('button', { name: 'Give back Freight' }).click();
  await expect.poll(() => page.getByLabel('Quantity, line 2').inputValue()).toBe('0.25');
  await expect.poll(() => page.getByRole('button', { name: 'Give back Freight' }).count()).toBe(0);
  const { id } = await post();
  const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as unknown as {
    lines: { description: string; taxable: string }[];
  };
  expect(view.lines.map(({ description, taxable }) => [description, taxable]).at(-1)).toEqual(['Freight', '25.00']);
});

test('freight that was spread over the goods stays with the seller where the return says so', async () => {
  const { page, open, keys, against, shop, post } = walk;
  const lines = [{ item: shop.item, quantity: '4', rate: '95' }];
  const charges = [{ name: 'Freight', amount: '40', apportion: 'value' }];
  const sale = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines, charges });
  await open('salereturnnew');
  await against('Asha', sale.TransactionNumber);
  await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).toBe('4');
  const sums = () => page.locator('.sums').first().innerText();
  await expect.poll(sums).toContain('420.00');
  await keys('↓⏎⏎');
  await page.getByText(/^More: /).click();
  await page.getByLabel('Freight is not given back').check();
  await expect.poll(sums).toContain('380.00');
  // the amount of the line too
  await expect.poll(() => page.getByRole('main').innerText()).not.toContain('420.00');
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/return-keeps-freight.png` });
  const { id } = await post();
  const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as unknown as {
    priced: { taxable: string };
  };
  expect(view.priced.taxable).toBe('380.00');
  const paper = (await shop.owner.ask('PrintDocument', { id, copy: 'original' })) as { content: string };
  expect(await textOfPdf(Buffer.from(paper.content, 'base64'))).toContain('freight and charges are not given back');
});

test('an item that changed since: what is made from its documents is proposed as they are, and posted untouched', async () => {
  const { page, open, keys, against, shop, post } = walk;
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const save = async (values: Record<string, unknown>, more: object = {}) =>
    (await shop.owner.ask('SaveMaster', { master: 'item', values, ...more } as never)) as { id: string };
  const lamp = {
    ...{ sku: 'LAMP', name: 'Table lamp', type: 'stock', unit: 'NOS', hsn: '94052100', treatment: 'taxable' },
    ...{ gstRate: '18', saleRate: '95.00', purchaseRate: '60.00' },
  };
  const { id: item } = await save(lamp);
  await shop.post({ kind: 'openingStock', lines: [{ item, quantity: '100', rate: '60' }] });
  const supplier = (await shop.owner.ask('SaveMaster', {
    master: 'supplier',
    values: { name: 'Kaveri Mills', gstin: '29AABCK1234F1ZV', category: 'registered', state: '29', addresses: [] },
  })) as { id: string };
  // no line says more than its item, how many and, on a bill, the rate
  const sold = { party: shop.customer, lines: [{ item, quantity: '5' }] };
  const bought = { party: supplier.id, lines: [{ item, quantity: '5', rate: '60' }] };
  const sale = await shop.post({ kind: 'saleInvoice', ...sold });
  const bill = await shop.post({ kind: 'purchaseBill', ...bought, reference: 'K-1', referenceDate: today });
  const quoted = await shop.post({ kind: 'quotation', ...sold });
  const ordered = await shop.post({ kind: 'purchaseOrder', ...bought });
  const now = { ...lamp, gstRate: '5', hsn: '94054090', saleRate: '80.00' };
  await save(now, { id: item, version: 1 });

  const linesOf = async (id: string) => {
    const { lines } = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as unknown as {
      lines: { hsn: string; rate: string; gstRate: string }[];
    };
    return lines.map(({ hsn, rate, gstRate }) => [hsn, Number(rate), gstRate]);
  };
  const kinds = [
    ['salereturnnew', 'Asha', sale, ['94052100', 95, '18']],
    ['SaleCreditNoteNew', 'Asha', sale, ['94052100', 1, '18']],
    ['Purchase Return New', 'Kaveri', bill, ['94052100', 60, '18']],
  ] as const;
  for (const [screen, party, source, bears] of kinds) {
    await open(screen);
    await against(party, source.TransactionNumber);
    // the cells that Enter leads to are those of the lines that are taken over
    await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).not.toBe('');
    await keys('↓⏎⏎');
    // in a note the item can be chosen anew, so it comes first
    await page.getByLabel('Quantity, line 1').focus();
    await keys(screen === 'SaleCreditNoteNew' ? '1⏎1⏎' : '1⏎');
    expect([screen, await linesOf((await post()).id)]).toEqual([screen, [bears]]);
  }
  // a successor is a supply of its own, at the rate of its day
  for (const [source, screen] of [
    [quoted, 'Create Invoice'],
    [ordered, 'Purchase Bill New'],
  ] as const) {
    await open(screen, `?from=${source.TransactionId}`);
    await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).toBe('5');
    if (source === ordered) {
      await page.getByLabel('Reference').first().focus();
      await keys(`K-2⏎${typedDay()}⏎`);
    }
    expect([screen, (await linesOf((await post()).id)).map(([, , gstRate]) => gstRate)]).toEqual([screen, ['5']]);
  }
});
