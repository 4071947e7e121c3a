import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { makeOperator } from '../../tools/testing/database.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { dayNow } from '../../tools/testing/year.ts';
import { goTo } from '../kit/go.ts';
import { signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
const bugs: string[] = [];
const pictures = process.env['BAHI_PICTURES'];
const look = async (name: string) => {
  if (!pictures) return;
  await page.screenshot({ path: `${pictures}/${name}.png` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: `${pictures}/${name}-phone.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
};

beforeAll(async () => {
  server = await testServer();
  await makeOperator(server.database, 'owner@sharma.demo');
  browser = await openBrowser();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.on('pageerror', (error) => bugs.push(error.message));
  page.setDefaultTimeout(15_000);
  await signIn(page, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('where portals are stand-ins every screen says so', async () => {
  await page.getByText('no IRN, e-way bill or payment made here is real').waitFor({ state: 'attached' });
  await page.getByText('Trial', { exact: true }).waitFor();
});

test('an operator names another one, and founds an organisation for somebody else', async () => {
  await goTo(page, `${server.url}/operator`);
  await page.getByRole('heading', { name: 'Organisations' }).waitFor();
  await look('operator');
  expect(await axe(page)).toEqual([]);
  expect(await page.getByRole('button', { name: /Take the right/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Name an operator' }).click();
  await page.getByLabel('Email').fill('owner@nova.demo');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Take the right from Ravi/ }).waitFor();
  await page.getByRole('button', { name: 'New organisation' }).click();
  await page.getByLabel('Name of the business').fill('Hari Stores');
  await page.getByLabel('Short code').fill('HARI');
  await page.getByLabel('State').selectOption('29');
  await page.getByLabel('Address').fill('1 Main Road');
  await page.getByLabel('City').fill('Bengaluru');
  await page.getByLabel('PIN code').fill('12');
  await page.getByLabel('Name of the owner').fill('Hari Das');
  await page.getByLabel('Email of the owner').fill('hari@hari.example');
  await page.keyboard.press('Control+Enter');
  await page.getByText('A PIN code has six digits').waitFor();
  await look('new-organisation');
  expect(await axe(page)).toEqual([]);
  await page.getByLabel('PIN code').fill('560001');
  await page.keyboard.press('Control+Enter');
  await page.getByText('/invitation#').waitFor();
  await page.keyboard.press('Escape');
});

test('a member founds an organisation from the user menu and is switched to it', async () => {
  await goTo(page, `${server.url}/layout/Home`);
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'New organisation' }).click();
  await page.getByLabel('Name of the business').fill('Kaveri Traders');
  await page.getByLabel('Short code').fill('KAVERI');
  await page.getByLabel('GSTIN').fill('29AAGCS4821F1ZB');
  // the number says by itself in which state it is, and the PAN
  await page.getByText('Karnataka, PAN AAGCS4821F').waitFor();
  expect(await page.getByLabel('State').inputValue()).toBe('29');
  await page.getByLabel('Address').fill('12 Residency Road');
  await page.getByLabel('City').fill('Bengaluru');
  await page.getByLabel('PIN code').fill('560025');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'Kaveri Traders' }).waitFor();
  await page.getByRole('region', { name: 'First steps' }).getByText('0 of 10 done').waitFor();
  expect(bugs).toEqual([]);
});

test('without GST the steps to the first invoice know no IRN', async () => {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'New organisation' }).click();
  await page.getByLabel('Name of the business').fill('Corner Shop');
  await page.getByLabel('Short code').fill('CORNER');
  await page.getByLabel('State').selectOption('29');
  await page.getByLabel('Address').fill('14 Residency Road');
  await page.getByLabel('City').fill('Bengaluru');
  await page.getByLabel('PIN code').fill('560025');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'Corner Shop' }).waitFor();
  await page.getByRole('region', { name: 'First steps' }).getByText('Bank account', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'All steps' }).click();
  await page.getByText('First invoice', { exact: true }).waitFor();
  expect(await page.getByText('E-invoice credentials').count()).toBe(0);
  // nor does the menu know GST, and an item needs neither HSN nor rate
  const groups = page.getByRole('navigation', { name: 'Areas' });
  await groups.getByRole('link', { name: 'Sales', exact: true }).waitFor();
  expect(await groups.getByRole('link', { name: 'GST', exact: true }).count()).toBe(0);
  await goTo(page, `${server.url}/layout/SupplyMasters`);
  await page.getByLabel(/^SKU/).fill('LADDU');
  await page.getByLabel(/^Name/).first().fill('Laddu');
  for (const label of [/^HSN/, /^GST %/]) {
    const fields = await page.getByLabel(label).all();
    for (const field of fields) expect(await field.getAttribute('aria-required')).toBeNull();
  }
  await page.keyboard.press('Control+s');
  await page.getByText('Item Laddu is saved').first().waitFor();
  expect(bugs).toEqual([]);
});

test('without GST a document shows no HSN, taxable value or tax, whatever its item says', async () => {
  const call = async (path: string, input: object): Promise<Record<string, string>> => {
    const headers = { 'x-requested-by': 'bahi', 'idempotency-key': crypto.randomUUID() };
    const answer = await page.request.post(`${server.url}/api/${path}`, { headers, data: input });
    const { details } = (await answer.json()) as { details: Record<string, string> };
    expect([path, answer.status(), details]).toEqual([path, 200, expect.anything()]);
    return details;
  };
  const saved = async (master: string, values: object): Promise<string> =>
    (await call('masters/SaveMaster', { master, values })).id ?? '';
  const item = await saved('item', { sku: 'CARD', name: 'Greeting card', type: 'service', unit: 'NOS', hsn: '998912' });
  const customer = await saved('customer', { name: 'Asha Rao', category: 'unregistered', state: '29', addresses: [] });
  const known = await page.request.get(`${server.url}/api/session/GetSession`, {
    headers: { 'x-requested-by': 'bahi' },
  });
  const { details } = (await known.json()) as {
    details: { locations: readonly { id: string; registration: string }[] };
  };
  const place = { location: details.locations[0]?.id, registration: details.locations[0]?.registration };
  const { TransactionId: id } = await call('transactions/PostTransactionCalls', {
    document: {
      ...{ kind: 'saleInvoice', date: dayNow, party: customer, ...place },
      lines: [{ item, quantity: '2', rate: '45' }],
    },
  });
  await goTo(page, `${server.url}/layout/saleview?id=${id}`);
  const sheet = page.locator('.sheet-lines');
  await sheet.getByText('Greeting card').waitFor();
  const text = await sheet.innerText();
  expect(text).toContain('90.00');
  for (const word of ['HSN', 'Taxable', 'Tax']) expect(text).not.toContain(word);
  await look('document-without-gst');
  // nor does its item, the list of reports, or a charge
  await goTo(page, `${server.url}/layout/supplypreview?id=${item}`);
  await page.getByRole('table').getByText('90.00').waitFor();
  const shown = await page.getByRole('main').innerText();
  for (const word of ['HSN', 'Taxable']) expect(shown).not.toContain(word);
  await goTo(page, `${server.url}/layout/Reports`);
  await page.getByRole('link', { name: 'Trial balance' }).first().waitFor();
  expect(await page.getByRole('link', { name: 'GSTR-1' }).count()).toBe(0);
  await goTo(page, `${server.url}/layout/Create%20Invoice`);
  await page.getByText('Charges (freight, packing)').click();
  await page.getByText('Shared over the lines.', { exact: true }).waitFor();
  const editor = await page.getByRole('main').innerText();
  for (const word of ['HSN', 'GST', 'Taxable']) expect(editor).not.toContain(word);
});
