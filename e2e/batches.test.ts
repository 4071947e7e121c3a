import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, launchBrowser } from '../tools/testing/browser.ts';
import { type TestServer, testServer } from '../tools/testing/server.ts';
import { signIn } from './shop.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await testServer();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('batches are typed beside the quantity; what is missing is marked at its cell', async () => {
  const owner = await server.signIn('owner@nova.demo');
  const values = {
    sku: 'LOT-1',
    name: 'Paint',
    type: 'stock',
    unit: 'NOS',
    hsn: '3208',
    gstRate: '18',
    treatment: 'taxable',
    batched: true,
  };
  const item = (await owner.ask('SaveMaster', { master: 'item', values })) as { id: string };
  const supplier = (await owner.ask('SaveMaster', {
    master: 'supplier',
    values: {
      name: 'Mill Works',
      category: 'unregistered',
      state: '33',
      addresses: [{ line1: '1 Mill Road', city: 'Chennai', state: '33', pincode: '600001' }],
    },
  })) as { id: string };
  const session = (await owner.ask('GetSession', {})) as {
    today: string;
    locations: { id: string; registration: string }[];
  };
  const [place] = session.locations;
  const draft = (await owner.ask('AddTransactionDetails', {
    kind: 'purchaseBill',
    body: {
      kind: 'purchaseBill',
      date: session.today,
      registration: place?.registration ?? '',
      location: place?.id ?? '',
      party: supplier.id,
      reference: 'M-1',
      lines: [{ item: item.id, quantity: '15', rate: '40' }],
    },
  } as never)) as { TransactionId: string };
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, server.url, 'owner@nova.demo');
  await page.goto(`${server.url}/layout/Purchase%20Bill%20New?id=${draft.TransactionId}`);
  await page.waitForFunction(() => document.activeElement?.closest('form.editor'));
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/Enter the batches/)
    .first()
    .waitFor();
  await page.getByLabel('Batches, line 1').fill('B1 = 10 exp 2027-03-31; B2 = 5');
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/PB.*0001/)
    .first()
    .waitFor();
  const { rows } = await server.database.owner.query<{ batch: string; units: number }>(
    `select b.part ->> 'batch' as batch, ((b.part ->> 'quantity')::bigint / 1000000)::int as units from movements m cross join lateral jsonb_array_elements(m.batches) b(part) order by 1`,
  );
  expect(rows).toEqual([
    { batch: 'B1', units: 10 },
    { batch: 'B2', units: 5 },
  ]);
});

test('a sale proposes what expires first; what was typed stays; the document says which went', async () => {
  const owner = await server.signIn('owner@nova.demo');
  await owner.ask('SaveMaster', {
    master: 'customer',
    values: {
      name: 'Asha Traders',
      category: 'unregistered',
      state: '33',
      addresses: [{ line1: '1 Market Road', city: 'Chennai', state: '33', pincode: '600001' }],
    },
  });
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, server.url, 'owner@nova.demo');
  await page.goto(`${server.url}/layout/Create%20Invoice`);
  await page.waitForFunction(() => document.activeElement?.closest('form.editor'));
  await page.keyboard.type('Asha');
  await page.keyboard.press('Enter');
  await page.getByLabel('Item, line 1').focus();
  await page.keyboard.type('LOT-1');
  await page.keyboard.press('Enter');
  const batches = page.getByLabel('Batches, line 1');
  await expect.poll(() => batches.inputValue()).toBe('B1 = 1 exp 2027-03-31');
  await page.getByLabel('Quantity, line 1').focus();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect.poll(() => batches.inputValue()).toBe('B1 = 10 exp 2027-03-31; B2 = 2');
  await batches.focus();
  await page.keyboard.press('Alt+b');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('10 left, expires 31-03-2027').waitFor();
  expect(await axe(page)).toEqual([]);
  await dialog.getByLabel('B1').fill('8');
  await dialog.getByLabel('B2').fill('4');
  await page.keyboard.press('Enter');
  await expect.poll(() => batches.inputValue()).toBe('B1 = 8 exp 2027-03-31; B2 = 4');
  await batches.fill('B2 = 4; B1 = 8');
  await page.getByLabel('Rate, line 1').focus();
  await page.keyboard.type('60');
  await page.keyboard.press('Enter');
  await expect.poll(() => batches.inputValue()).toBe('B2 = 4; B1 = 8');
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Batch B2: 4').waitFor();
  await page.getByText('Batch B1: 8').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByText('Continue as').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sale return', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Batches, line 1').inputValue()).toBe('B1 = 8 exp 2027-03-31; B2 = 4');
});
