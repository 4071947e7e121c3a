import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/base/dates.ts';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { holdAnswers } from '../kit/go.ts';
import { looksProper, pictured } from '../kit/looks.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';
import { typedDay, type Walk, walkOn } from '../kit/walk.ts';

let server: TestServer;
let browser: Browser;
let shop: Shop;
let walk: Walk;
beforeAll(async () => {
  server = await testServer({}, { jobs: true });
  shop = await openShop(server);
  const party = { category: 'overseas', state: '96', addresses: [] };
  for (const [master, values] of [
    ['supplier', { ...party, name: 'Rhein Maschinen GmbH', country: 'DE', currency: 'USD' }],
    ['customer', { ...party, name: 'Najd Trading Est', country: 'SA', currency: 'SAR' }],
    ['customer', { ...party, name: 'Hudson Supplies Inc', country: 'US', currency: 'USD' }],
  ] as const)
    await shop.owner.ask('SaveMaster', { master, values });
  browser = await openBrowser();
  const page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  ).newPage();
  await signIn(page, server.url);
  walk = walkOn(server, shop, page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Types into the field of a label. */
const into = async (label: string | RegExp, text: string) => {
  const field = walk.page.getByLabel(label, typeof label === 'string' ? { exact: true } : {}).first();
  await field.focus();
  await field.press('Control+A');
  await walk.keys(text);
};
const shot = (name: string) => pictured(walk.page, name);
const proper = (name: string) => looksProper(walk.page, name);

test('goods from abroad: the bill in dollars, duty on the goods, and a payment whose loss is shown before it is posted', async () => {
  const { page, open, keys, at, post, listed } = walk;
  await open('OverseasPurchaseNew');
  await keys('Rhein⏎');
  await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('USD');
  await into(/^Reference \*/, 'RM-77⏎');
  await into(/^Exchange rate/, '80⏎');
  await at('Item, line 1');
  await keys('LED-9W⏎10⏎5⏎');
  await page.getByText('Amount (USD)').first().waitFor();
  const bill = await post();
  expect(bill.entries).toEqual({ 1310: 'Dr 4000.00', 2130: 'Cr 4000.00' });
  expect(bill.open).toBe('50.00');
  await page.getByText('USD 50.00').first().waitFor();
  await proper('import-bill');

  await page.getByText('Continue as').press('Enter');
  await page.getByRole('button', { name: 'Bill of entry' }).press('Enter');
  await page.getByRole('heading', { name: 'New bill of entry' }).waitFor();
  await expect.poll(() => page.getByLabel(/^Assessable value/).inputValue()).toBe('4,000.00');
  await page.keyboard.press('Control+Enter');
  await page.getByText('The number of a bill of entry has seven digits').first().waitFor();
  await into(/^Reference \*/, '4125873⏎');
  await into(/^Reference date \*/, `${typedDay(1)}⏎`);
  await into('Port code', 'INNSA1⏎');
  // in parts: what the goods of this part cost is proposed, until another value is typed
  await page.getByText('It covers all goods of the purchase.').waitFor();
  await page.getByRole('button', { name: 'Only part of them' }).press('Enter');
  await into(/LED bulb.*, line 1$/, '4');
  await expect.poll(() => page.getByLabel(/^Assessable value/).inputValue()).toBe('1,600.00');
  await proper('part-of-goods');
  await into(/LED bulb.*, line 1$/, '10');
  await expect.poll(() => page.getByLabel(/^Assessable value/).inputValue()).toBe('4,000.00');
  await into(/^Basic customs duty/, '400');
  await page.getByText('By the rates of the goods: surcharge ₹ 40.00, IGST ₹ 799.20.').waitFor();
  await page.getByRole('button', { name: 'Take over' }).press('Enter');
  await expect.poll(() => page.getByLabel(/^IGST/).inputValue()).toBe('799.20');
  await proper('bill-of-entry');
  const entry = await post();
  expect(entry.entries).toEqual({ 1310: 'Dr 440.00', 1413: 'Dr 799.20', 2250: 'Cr 1239.20' });
  expect(entry.movements).toEqual([expect.objectContaining({ quantity: '0', cost: '440.00' })]);
  await page.goto(`${server.url}/layout/Overseas%20Purchase?kind=billOfEntry`);
  await page.getByRole('grid').getByText(entry.number, { exact: true }).waitFor();

  await open('OverseasPurchaseView', `?id=${bill.id}`);
  await page.getByRole('button', { name: /^Make payment/ }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'New payment' }).waitFor();
  await page.getByLabel(`Settle ${bill.number}`).waitFor();
  await into(/^Bank or cash/, 'bank⏎');
  await into(/^Exchange rate/, '82⏎');
  await page.getByText('Exchange loss ₹ 100.00').waitFor();
  await shot('payment');
  const paid = await post();
  expect(paid.entries).toEqual({ 2130: 'Dr 4000.00', 1121: 'Cr 4100.00', 6510: 'Dr 100.00' });
  await listed('Payments', paid.number);
});

test('an invoice to Saudi Arabia has VAT beside its total, and the code on its view', async () => {
  const { page, open, keys, at, post } = walk;
  await open('KSACreation');
  await keys('Najd⏎');
  await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('SAR');
  await into('Our VAT number in Saudi Arabia', '310122393500003⏎');
  await into(/^Exchange rate/, '22.5⏎');
  await page.getByLabel('Item, line 1').focus();
  await at('Item, line 1');
  await keys('LED-9W⏎10⏎20⏎');
  await page.getByText('VAT 15 % (SAR)').waitFor();
  await page.getByText('230.00').first().waitFor();
  const invoice = await post();
  expect(invoice.entries).toMatchObject({ 1211: 'Dr 5175.00', 4112: 'Cr 4500.00', 2264: 'Cr 675.00' });
  await page.getByRole('img', { name: `VAT QR code of ${invoice.number}` }).waitFor();
  await proper('saudi');
  await page.goto(`${server.url}/layout/Overseas%20Sale?kind=saudiInvoice`);
  await page.getByRole('grid').getByText(invoice.number, { exact: true }).waitFor();
});

test('a rate that is kept is proposed on its day; what is open at another one is restated, and taken back on the next day', async () => {
  const { page, open, keys, at, post } = walk;
  await open('Exchange Rates');
  await page.getByText('No rates yet').waitFor();
  await page.keyboard.press('Alt+n');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Currency').selectOption('USD');
  await into(/^Rupees for one/, '83.25');
  await into(/^Source/, 'Reference rate⏎');
  await page.getByRole('grid').getByText('Reference rate').waitFor();
  await proper('rates');

  await open('OverseasSaleNew');
  await keys('Hudson⏎');
  await expect.poll(() => page.getByLabel(/^Exchange rate/).inputValue()).toBe('83.25');
  await page.getByText(/^Rupees for one USD: Reference rate/).waitFor();
  await into(/^Exchange rate/, '80⏎');
  await page.getByText('Rupees for one USD: as typed').waitFor();
  await page.getByLabel('Item, line 1').focus();
  await at('Item, line 1');
  await keys('LED-9W⏎10⏎5⏎');
  await page.getByText('Amount (USD)').first().waitFor();
  const sold = await post();
  expect(sold.entries).toMatchObject({ 1211: 'Dr 4000.00', 4112: 'Cr 4000.00' });
  await page.getByText('80 (Typed)').waitFor();

  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  await open('Restatement', `?asOf=${today}`);
  const row = page.getByRole('row', { name: new RegExp(sold.number) });
  await row.getByText('+162.50').waitFor();
  // what is open in riyals has no rate yet: it is asked for where it is missed
  await page.getByRole('button', { name: 'Enter the rate of SAR' }).press('Enter');
  await into(/^Rupees for one/, '22.50');
  await into(/^Source/, 'Bank⏎');
  await page.getByText('There is no rate of SAR').waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await proper('restatement');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Restated days' }).waitFor();
  await page.getByText(/restated by .* already/).waitFor();

  // a rate that is put right changes what was restated: the day is taken back and restated again
  const { rows } = (await shop.owner.ask('ListExchangeRates', { currency: 'SAR' })) as { rows: { by: string }[] };
  const { by: _, ...kept } = rows[0] ?? { by: '' };
  await shop.owner.ask('SaveExchangeRate', { ...kept, rate: '22.60' } as never);
  await open('Restatement', `?asOf=${today}`);
  const again = page.getByRole('button', { name: /^Restate .* again$/ });
  await again.waitFor();
  await proper('restatement-stale');
  await again.press('Enter');
  await page.getByText(/restated by .* already/).waitFor({ state: 'detached' });
  await again.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Enter');
  await page.getByText(/restated by .* already/).waitFor();
}, 60_000);

test('what a line names is settled with one key, the next one in part with its charge; a cheque comes back and its invoice is open again', async () => {
  const { page, open } = walk;
  const sold = async (rupees: string) =>
    shop.post({
      ...{ kind: 'saleInvoice', party: shop.customer, taxInclusive: true },
      lines: [{ item: shop.item, quantity: '1', rate: rupees }],
    });
  const [first, second] = [await sold('90'), await sold('500')];
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const csv = [
    'Date,Narration,Amount',
    `${today},NEFT ${first.TransactionNumber} ASHA,90.00`,
    `${today},CHQ DEP ASHA TRADERS,290.00`,
  ].join('\n');
  const format = { date: 'Date', order: 'ymd', text: 'Narration', amount: 'Amount' } as const;
  const own = (await shop.owner.ask('SaveMaster', {
    master: 'ledger',
    values: { code: '1129', name: 'Second bank', group: await shop.ledger('1100'), isBank: true },
  } as never)) as { id: string };
  await shop.owner.ask('ImportBankStatement', { ledger: own.id, content: csv, format });
  await open('Bank Reconciliation', `?ledger=${own.id}`);
  await page.getByText(`Asha Traders: ${first.TransactionNumber}`, { exact: true }).waitFor();
  const named = page.getByRole('row', { name: /NEFT/ });
  await named.getByRole('checkbox').press(' ');
  await page.keyboard.press('Control+Enter');
  await named.waitFor({ state: 'detached' });
  await page
    .getByRole('row', { name: /CHQ DEP/ })
    .getByText(/by its name/)
    .waitFor();
  await page.getByRole('row', { name: /CHQ DEP/ }).dblclick();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(`Settle ${second.TransactionNumber}`).waitFor();
  await dialog.getByRole('button', { name: 'Bank charges, TDS, discount' }).press('Enter');
  await dialog.getByLabel('Bank charges').fill('10');
  await dialog.getByText('stays on account').waitFor();
  await dialog.getByLabel(`Settle ${second.TransactionNumber}`).fill('300');
  await dialog.getByText('₹ 0.00 left').waitFor();
  expect(await axe(page)).toEqual([]);
  await shot('settle-line');
  await dialog.getByRole('button', { name: 'Post and match' }).press('Enter');
  await page.getByText('Every line of the statement is in the books').waitFor();

  const receipts = (await shop.owner.ask('GetTransationsList', { Type: 'saleReceipt' })) as {
    rows: { id: string; total: string; number: string }[];
  };
  const cheque = receipts.rows.find(({ total }) => total === '300.00');
  await open('Sale Receipt Preview', `?id=${cheque?.id}`);
  await page.getByRole('button', { name: 'Cheque returned' }).press('Enter');
  await dialog.getByLabel('Reason').fill('Funds insufficient');
  await dialog.getByLabel(/^Charged by the bank/).fill('59');
  await shot('bounce');
  await dialog.getByRole('button', { name: 'Take the receipt back' }).press('Enter');
  await page.getByRole('heading', { name: /^Returned cheque/ }).waitFor();
  await page
    .getByText(cheque?.number ?? 'none')
    .first()
    .waitFor();
  await shot('returned-cheque');
  const open2 = (await shop.owner.ask('GetOpenItems', { party: shop.customer, side: 'receivable' })) as {
    number: string;
    open: string;
  }[];
  expect(open2.find(({ number }) => number === second.TransactionNumber)?.open).toBe('500.00');
}, 60_000);

test('a line of a statement whose document needs a reason asks for it, and is posted with it', async () => {
  const { page, open } = walk;
  const { id: party } = (await shop.owner.ask('SaveMaster', {
    master: 'customer',
    values: { name: 'Reasonable Stores', category: 'unregistered', state: '29' },
  } as never)) as { id: string };
  const sold = await shop.post({
    ...{ kind: 'b2cInvoice', party, taxInclusive: true },
    lines: [{ item: shop.item, quantity: '1', rate: '700' }],
  });
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const format = { date: 'Date', order: 'ymd', text: 'Narration', amount: 'Amount' } as const;
  const own = (await shop.owner.ask('SaveMaster', {
    master: 'ledger',
    values: { code: '112R', name: 'Bank of reasons', group: await shop.ledger('1100'), isBank: true },
  } as never)) as { id: string };
  const content = `Date,Narration,Amount\n${today},CHQ DEP REASONABLE STORES,200.00`;
  await shop.owner.ask('ImportBankStatement', { ledger: own.id, content, format });
  await open('Bank Reconciliation', `?ledger=${own.id}`);
  await page.getByRole('row', { name: /CHQ DEP/ }).dblclick();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel(`Settle ${sold.TransactionNumber}`).waitFor();
  await dialog.getByRole('button', { name: 'Bank charges, TDS, discount' }).press('Enter');
  // more than any section deducts
  await dialog.getByLabel(/^TDS/).first().fill('500');
  await dialog.getByLabel(`Settle ${sold.TransactionNumber}`).fill('700');
  await dialog.getByText('₹ 0.00 left').waitFor();
  await dialog.getByRole('button', { name: 'Post and match' }).press('Enter');
  const asked = page.getByRole('dialog', { name: 'A reason is needed' });
  await asked.getByText(/^No section deducts more than/).waitFor();
  await asked.getByLabel(/^Reason/).fill('Tax of two years at once');
  await asked.getByRole('button', { name: 'Post and match' }).press('Enter');
  await page.getByText('Every line of the statement is in the books').waitFor();
}, 60_000);

test('a bill is made to come again from its view; the first is made by itself, the next is skipped, and it is stopped', async () => {
  const { page, open } = walk;
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const { TransactionId } = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  await open('saleview', `?id=${TransactionId}`);
  const numbered = await holdAnswers(page, 'GetTransactionDetailForInvoice');
  await page.getByRole('button', { name: 'Repeat' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Comes on/).waitFor();
  await into(/^Name/, 'Retainer of Asha Traders');
  await into('How many in all', '3');
  await page.getByLabel('Always the last day of the month').press(' ');
  await page.getByLabel('Post it by itself').press(' ');
  await proper('recurring-form');
  await page.getByLabel('Always the last day of the month').press(' ');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Retainer of Asha Traders is saved').waitFor();
  numbered();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /Retainer of Asha Traders/ });
  await row.waitFor();
  const made = async () => (await row.getByRole('cell').nth(5).textContent()) ?? '';
  await expect.poll(made, { timeout: 20_000 }).toBe('1');
  await proper('recurring-list');
  await row.getByRole('button').press('Enter');
  await dialog.getByText('Posted', { exact: true }).waitFor();
  const before = await dialog.getByText(/^Comes on/).textContent();
  await dialog.getByRole('button', { name: 'Skip next' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await row.getByRole('button').press('Enter');
  await expect.poll(() => dialog.getByText(/^Comes on/).textContent()).not.toBe(before);
  await dialog.getByRole('button', { name: 'Stop' }).press('Enter');
  const ending = page.getByRole('dialog', { name: /^Stop Retainer/ });
  await ending.getByRole('button', { name: 'Stop' }).press('Enter');
  await row.getByText('Stopped').waitFor();
}, 60_000);

test('a bank in dollars says what moves of them, is brought to a rate and stays there; customs have a rate of their own, and goods leave ' +
  'the port', async () => {
  const { page, open, post } = walk;
  const { owner } = server.database;
  const one = async (text: string, values: unknown[]) => (await owner.query(text, values)).rows[0] as { id: string };
  const bank = await one(`select "group" as id from ledgers where id = $1`, [await shop.ledger('1121')]);
  const hudson = await one(`select id from parties where name = 'Hudson Supplies Inc'`, []);
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const day = addDays(today, -1);
  const values = { code: '1128', name: 'EEFC account in dollars', group: bank.id, isBank: true, currency: 'USD' };
  const made = (await shop.owner.ask('SaveMaster', { master: 'ledger', values })) as { id: string };
  const kept = { currency: 'USD', date: day, source: 'Notification 80/2026' } as const;
  for (const [purpose, rate] of [
    ['book', '85'],
    ['customs', '84.5'],
  ] as const)
    await shop.owner.ask('SaveExchangeRate', { ...kept, purpose, rate } as never);
  const money = { party: hudson.id, currency: 'USD', exchangeRate: '80', moneyLedger: made.id, date: day };
  await shop.post({ kind: 'saleReceipt', ...money, amount: '1250000.00' });

  await open('Contras', '?show=documentEditor');
  await into(/^Date/, `${typedDay(1)}⏎`);
  await into('Ledger, line 1', '1121⏎');
  await into('Debit (₹), line 1', '41000');
  await into('Ledger, line 2', 'EEFC⏎');
  await page.getByLabel('In its currency, line 2').waitFor();
  await into('Credit (₹), line 2', '41000');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Enter the amount in USD; 0 where only the rupees change').first().waitFor();
  await into(/^In its currency, line 2/, '500');
  const comment = page.getByRole('textbox', { name: 'Comment' });
  const begin = page.getByRole('button', { name: 'Add files and comments' });
  await begin.or(comment).first().waitFor();
  if ((await comment.count()) === 0) await begin.press('Enter');
  await comment.fill('Sold at 82');
  await page.getByRole('button', { name: 'Add comment' }).press('Enter');
  await page.getByRole('list', { name: 'Comments' }).getByText('Sold at 82').waitFor();
  await proper('contra-in-dollars');
  await comment.fill('Advice of the bank follows'); // not added: it is there when the document is
  await page.getByLabel('Debit (₹), line 1').focus();
  const moved = await post();
  await expect.poll(() => comment.inputValue()).toBe('Advice of the bank follows');
  expect(moved.entries).toEqual({ 1121: 'Dr 41000.00', 1128: 'Cr 41000.00' });
  await page.getByRole('list', { name: 'Comments' }).getByText('Sold at 82').waitFor();

  await open('General Ledger', `?ledger=${made.id}&from=${day}&to=${today}`);
  await page.getByText('USD 12,49,500.00').first().waitFor();
  await proper('ledger-in-dollars');
  // it keeps its currency from now on, and says so before anybody types into it
  await open('LedgerCreation', `?id=${made.id}`);
  await page.getByText('Cannot be changed any more: amounts are posted to it; make another ledger').waitFor();
  await open('CashBankList');
  await page.getByText('USD 12,49,500.00').first().waitFor();

  await open('Restatement', `?asOf=${day}`);
  await page
    .getByRole('row', { name: /EEFC account/ })
    .first()
    .waitFor();
  await proper('restatement-money');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/restated by .* already/).waitFor();
  // it stands at the rate now: nothing more is won or lost of it
  await page
    .getByRole('row', { name: /EEFC account/ })
    .getByText('0.00', { exact: true })
    .waitFor();

  // its statement is in dollars too, and says how many rupees they are worth
  const csv = [
    'Date,Text,Amount,Balance',
    `${day},WIRE HUDSON SUPPLIES,1250000.00,1250000.00`,
    `${day},FEE,-12.50,1249987.50`,
  ];
  const format = { date: 'Date', order: 'ymd', text: 'Text', amount: 'Amount', balance: 'Balance' } as const;
  await shop.owner.ask('ImportBankStatement', { ledger: made.id, content: csv.join('\n'), format } as never);
  await open('Bank Reconciliation', `?ledger=${made.id}`);
  await page.getByText('This account is kept in USD').waitFor();
  await page.getByText('Balance of the statement').locator('..').getByText('USD 12,49,987.50').waitFor();
  await page.getByRole('columnheader', { name: 'In (USD)' }).waitFor();
  await proper('bank-in-dollars');
  await page.getByRole('row', { name: /FEE/ }).dblclick();
  const fee = page.getByRole('dialog');
  await fee.getByText('Left empty: 85, Notification 80/2026').waitFor();
  await fee.getByLabel('Becomes').selectOption('journal');
  await fee.getByLabel('Ledger').fill('6230');
  await page.locator('[role=option]', { hasText: '6230' }).first().click();
  await fee.getByLabel('Rupees for one USD').fill('84');
  await shot('fee-in-dollars');
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await page.getByText(/is posted and matched/).waitFor();
  await page.getByRole('row', { name: /FEE/ }).waitFor({ state: 'detached' });
  await fee.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 matched').waitFor();
  await page
    .getByRole('button', { name: /^Matched/ })
    .or(page.getByRole('radio', { name: /^Matched/ }))
    .first()
    .click();
  await page.getByRole('row', { name: /WIRE/ }).getByText('12,50,000.00').waitFor();
  await proper('matched-in-dollars');

  const maker = await one(`select id from parties where name = 'Rhein Maschinen GmbH'`, []);
  const bought = await shop.post({
    ...{ kind: 'overseasPurchase', party: maker.id, currency: 'USD', exchangeRate: '80', reference: 'RM-88' },
    lines: [{ item: shop.item, quantity: '100', rate: '50' }],
  });
  await open('OverseasPurchaseView', `?id=${bought.TransactionId}`);
  await page.getByText('Continue as').press('Enter');
  await page.getByRole('button', { name: 'Bill of entry' }).press('Enter');
  await page.getByRole('heading', { name: 'New bill of entry' }).waitFor();
  await expect.poll(() => page.getByLabel(/^Assessable value/).inputValue()).toBe('4,22,500.00');
  await page.getByText(/USD\s5,000\.00 at the customs rate 84\.5 \(Notification 80\/2026/).waitFor();
  await into(/^Reference \*/, '7654321⏎');
  await into(/^Reference date \*/, `${typedDay(1)}⏎`);
  await into('Port code', 'INNSA1⏎');
  await into(/^Basic customs duty/, '42250');
  await page.getByRole('button', { name: 'Take over' }).last().press('Enter');
  await proper('bill-of-entry-at-customs-rate');
  await post();
  await page.getByText('USD 5,000.00 at the customs rate 84.5').waitFor();
  await page.getByRole('button', { name: 'Make e-way bill' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('From the port: the portal cannot work it out').waitFor();
  await into('Vehicle number', 'MH04AB1234');
  await dialog.getByRole('button', { name: 'Make e-way bill' }).press('Enter');
  await dialog.getByText('Enter the kilometres from the port').waitFor();
  await proper('import-e-way');
}, 90_000);
