import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../tools/testing/browser.ts';
import { testServer } from '../tools/testing/server.ts';
import { openShop, signIn } from './shop.ts';
import { type Walk, walkOn } from './walk.ts';

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
