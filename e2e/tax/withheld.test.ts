import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, financialYearOf, quarterOf } from '../../domain/base/dates.ts';
import { axe, drawn, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';
import { type Walk, walkOn } from '../kit/walk.ts';

let server: TestServer;
let browser: Browser;
let shop: Shop;
let walk: Walk;
/** A day of the quarter before this one, whose tax is due by now. */
let worked: string;
let [first, second] = ['', ''];
beforeAll(async () => {
  server = await testServer({}, { jobs: true });
  shop = await openShop(server);
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  worked = addDays(quarterOf(today).start, -45);
  const { id } = (await shop.owner.ask('SaveMaster', {
    master: 'supplier',
    values: {
      ...{ name: 'Mill Works Private Limited', pan: 'AAACM2222A', category: 'unregistered', state: '29' },
      ...{
        email: 'accounts@mill.example',
        addresses: [{ line1: '7 Mill Road', city: 'Bengaluru', state: '29', pincode: '560002' }],
      },
    },
  })) as { id: string };
  const bill = async (rupees: string, reference: string) =>
    (
      await shop.post({
        ...{ kind: 'purchaseBill', date: worked, party: id, reference, referenceDate: worked, tdsSection: '194C' },
        tdsAmount: (Number(rupees) / 50).toFixed(2),
        lines: [{ item: shop.item, quantity: '1', rate: rupees }],
      })
    ).TransactionNumber;
  [first, second] = [await bill('50000', 'MW/1'), await bill('30000', 'MW/2')];
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

/** Types into a field of the dialog. */
const into = async (label: string | RegExp, text: string) => {
  const field = walk.page.getByRole('dialog').getByLabel(label);
  await field.focus();
  await field.press('Control+A');
  await walk.keys(text);
};
const shot = async (name: string) => {
  const folder = process.env.SHOTS;
  if (folder) await walk.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};
const drawnAt = async (width: number, colorScheme: 'light' | 'dark') => {
  const { page } = walk;
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await drawn(page);
};
/** No axe rule broken, and nothing wider than a phone. */
const proper = async (name: string) => {
  const { page } = walk;
  await shot(`${name}-light`);
  expect(await axe(page)).toEqual([]);
  await drawnAt(390, 'dark');
  await shot(`${name}-phone`);
  expect(await tooWide(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  await drawnAt(1440, 'light');
};

test('what was deducted is drilled down to its documents and paid by a challan that is filled already', async () => {
  const { page, open } = walk;
  const { label } = financialYearOf(worked);
  await open('Tax Withheld', `?year=${label}`);
  const row = page.getByRole('row', { name: /194C/ });
  await row.getByText('Late', { exact: true }).waitFor();
  await page.getByText('₹ 1,600.00 should be with the government already').waitFor();
  await proper('withheld-due');

  await page.getByRole('button', { name: /^Documents of 194C/ }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: second, exact: true }).waitFor();
  await proper('withheld-documents');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /^Pay 194C/ }).press('Enter');
  await expect.poll(() => dialog.getByLabel(`Pay ${first}`).inputValue()).toBe('1,000.00');
  // the interest for late payment is filled in, for each month begun
  await expect.poll(() => dialog.getByLabel(/^Interest/).inputValue()).toMatch(/^\d+\.00$/);
  await into('BSR code', '0510308');
  await into('Challan serial', '12345');
  await into(/^Interest/, '72');
  await into(/^Paid from/, 'bank⏎');
  await expect.poll(() => dialog.getByLabel(/^Paid from/).inputValue()).toContain('current account');
  await into(`Pay ${second}`, '400⇥');
  await dialog.getByText('₹ 1,400.00 tax, ₹ 1,472.00 with interest and fee').waitFor();
  await proper('withheld-challan');
  await into(`Pay ${second}`, '600.01⇥');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText(`Of ${second} less than this is left to be paid`).waitFor();
  await into(`Pay ${second}`, '400⇥');
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await row.getByText(/^200\.00/).waitFor();

  // the bill says by what its tax was paid
  await page.getByRole('button', { name: /^Documents of 194C/ }).press('Enter');
  await dialog.getByRole('button', { name: first, exact: true }).press('Enter');
  await page.getByRole('heading', { name: first }).waitFor();
  await page.getByText('Its tax was paid by').waitFor();
  await shot('withheld-bill');
});

test('the rest is paid and named later; the certificate waits for it, is numbered, drawn and mailed', async () => {
  const { page, open } = walk;
  const { label } = financialYearOf(worked);
  const quarter = quarterOf(worked).number;
  const where = `?year=${label}&quarter=${quarter}`;
  await open('Tax Withheld', `${where}&tab=certificates`);
  const payee = page.getByRole('row', { name: /Mill Works/ });
  await payee.getByText('₹200.00 of ₹1,600.00 is not deposited').waitFor();
  await proper('withheld-certificates-waiting');

  const tabs = page.getByRole('tab', { name: 'Certificates' });
  await tabs.focus();
  await page.keyboard.press('ArrowRight');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: /^Pay 194C/ }).press('Enter');
  await expect.poll(() => dialog.getByLabel(`Pay ${second}`).inputValue()).toBe('200.00');
  await into(/^Paid from/, 'bank⏎');
  await expect.poll(() => dialog.getByLabel(/^Paid from/).inputValue()).toContain('current account');
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /194C/ }).getByText('Paid', { exact: true }).waitFor();

  // which financial year the challans are of is that of their own day
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  await open('Tax Withheld', `?year=${financialYearOf(today).label}&tab=challans`);
  await page.getByText('0510308 / 12345').waitFor();
  const unnamed = page.getByRole('row', { name: /To be named/ });
  await unnamed.getByRole('button', { name: /^Name BSR code and serial number/ }).press('Enter');
  await into('BSR code', '051030');
  await into('Challan serial', '12346');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('A BSR code has seven digits').waitFor();
  await into('BSR code', '0510308');
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('0510308 / 12346', { exact: true }).waitFor();
  await proper('withheld-challans');

  await server.database.owner.query(
    `
      update registrations
      set body = body || '{"tan": "BLRS12345A"}'
      where organisation = (select organisation from organisations where code = 'SHARMA')
    `,
  );
  await open('Tax Withheld', `${where}&tab=certificates`);
  await payee.getByText('Ready', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Number of the certificate of Mill Works/ }).press('Enter');
  await into('Certificate number', 'ABCDEFG');
  await into('In the capacity of', 'Director');
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await payee.getByText('Number ABCDEFG').waitFor();
  await proper('withheld-certificates');

  await page.getByRole('button', { name: /^Print the certificate of Mill Works/ }).press('Enter');
  await expect.poll(() => dialog.getByRole('button', { name: 'Download PDF' }).isEnabled()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /^Mail the certificate of Mill Works/ }).press('Enter');
  await expect.poll(() => dialog.getByLabel(/^To/).inputValue()).toBe('accounts@mill.example');
  await proper('withheld-mail');
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await payee.getByText(/^Mailed to accounts@mill.example/).waitFor();
  await expect.poll(() => server.catcher.mails().length, { timeout: 20_000 }).toBe(1);
  const [mail] = server.catcher.mails();
  expect(mail?.message.attachments).toMatchObject([{ type: 'application/pdf' }]);
}, 90_000);

test('the quarterly statement is a step away, with every challan in it', async () => {
  const { page, open } = walk;
  const { label } = financialYearOf(worked);
  await open('Tax Withheld', `?year=${label}&quarter=${quarterOf(worked).number}`);
  await page.getByRole('link', { name: /^Quarterly statement/ }).press('Enter');
  await page.getByRole('heading', { name: /^Quarterly statement/ }).waitFor();
  await page.getByRole('grid').getByText('12346').first().waitFor();
  await page.getByRole('grid').getByText('12345').first().waitFor();
  await proper('withheld-statement');
});
