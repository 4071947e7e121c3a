import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await testServer();
  browser = await openBrowser();
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
  await goTo(page, `${server.url}/layout/Purchase%20Bill%20New?id=${draft.TransactionId}`);
  await page.waitForFunction(() => document.activeElement?.closest('form.editor'));
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/Enter the batches/)
    .first()
    .waitFor();
  await page.getByLabel('Batches, line 1').fill('B1 = 10 exp 2097-03-31; B2 = 5');
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/PB.*0001/)
    .first()
    .waitFor();
  const { rows } = await server.database.owner.query<{ batch: string; units: number }>(
    `
      select b.part ->> 'batch' as batch, ((b.part ->> 'quantity')::bigint / 1000000)::int as units
      from movements m
      cross join lateral jsonb_array_elements(m.batches) b(part)
      order by 1
    `,
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
  await goTo(page, `${server.url}/layout/Create%20Invoice`);
  await page.waitForFunction(() => document.activeElement?.closest('form.editor'));
  await page.keyboard.type('Asha');
  await page.keyboard.press('Enter');
  await page.getByLabel('Item, line 1').focus();
  await page.keyboard.type('LOT-1');
  await page.keyboard.press('Enter');
  const batches = page.getByLabel('Batches, line 1');
  await expect.poll(() => batches.inputValue()).toBe('B1 = 1 exp 2097-03-31');
  await page.getByLabel('Quantity, line 1').focus();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect.poll(() => batches.inputValue()).toBe('B1 = 10 exp 2097-03-31; B2 = 2');
  await batches.focus();
  await page.keyboard.press('Alt+b');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('10 left, expires 31-03-2097').waitFor();
  expect(await axe(page)).toEqual([]);
  // both keys that save take the text of the field, and the browser does not open its own dialog
  for (const [keys, quantity] of [
    ['Control+s', '9'],
    ['Control+Enter', '7'],
  ] as const) {
    await dialog.getByLabel('B1').fill(quantity);
    await page.keyboard.press(keys);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => batches.inputValue()).toContain(`B1 = ${quantity}`);
    await batches.focus();
    await page.keyboard.press('Alt+b');
    await dialog.getByText('10 left, expires 31-03-2097').waitFor();
  }
  await dialog.getByLabel('B1').fill('8');
  await page.keyboard.press('Enter');
  await expect.poll(() => dialog.getByLabel('B2').evaluate((field) => field === document.activeElement)).toBe(true);
  await dialog.getByLabel('B2').fill('4');
  await page.keyboard.press('Enter');
  await expect.poll(() => batches.inputValue()).toBe('B1 = 8 exp 2097-03-31; B2 = 4');
  await batches.fill('B2 = 4; B1 = 8');
  await page.getByLabel('Rate, line 1').focus();
  await page.keyboard.type('60');
  await page.keyboard.press('Enter');
  await expect.poll(() => batches.inputValue()).toBe('B2 = 4; B1 = 8');
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Batch B2: 4').waitFor();
  await page.getByText('Batch B1: 8, expires 31-03-2097').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByText('Continue as').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sale return', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Batches, line 1').inputValue()).toBe('B1 = 8 exp 2097-03-31; B2 = 4');
});

test('serial numbers in stock are offered; one is scanned, another ticked; what is sold is not offered again', async () => {
  const { owner, page, place, item } = await sold('SN-1', 'Drill', { serialised: true });
  await owner.ask(
    'PostTransactionCalls',
    {
      document: {
        ...place,
        kind: 'openingStock',
        lines: [{ item, quantity: '3', rate: '40', serials: ['A001', 'A002', 'B001'] }],
      },
    } as never,
    crypto.randomUUID(),
  );
  await goTo(page, `${server.url}/layout/Create%20Invoice`);
  await page.waitForFunction(() => document.activeElement?.closest('form.editor'));
  await page.keyboard.type('Asha');
  await page.keyboard.press('Enter');
  await page.getByLabel('Item, line 1').focus();
  await page.keyboard.type('SN-1');
  await page.keyboard.press('Enter');
  await page.getByLabel('Quantity, line 1').fill('2');
  await page.getByLabel('Rate, line 1').fill('60');
  const serials = page.getByLabel('Serial numbers, line 1');
  const dialog = page.getByRole('dialog');
  // what is in stock comes a moment after the item
  const asked = async () => {
    await serials.focus();
    await page.keyboard.press('Alt+b');
    return dialog.count();
  };
  await expect.poll(asked, { timeout: 10_000 }).toBe(1);
  await dialog.getByText('3 here').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.type('B0');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('A002').focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Take 2 of 2' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => serials.inputValue()).toBe('A002, B001');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Serial A002, B001').waitFor();
  const left = (await owner.ask('GetItemBatchSerial', { item })) as { serials: string[] };
  expect(left.serials).toEqual(['A001']);
});

test('what is in stock is listed to be counted; only what differs is posted, with its value', async () => {
  const { owner, page, place, item } = await sold('CNT-1', 'Ladder');
  const stock = { ...place, kind: 'openingStock', lines: [{ item, quantity: '4', rate: '250' }] };
  await owner.ask('PostTransactionCalls', { document: stock } as never, crypto.randomUUID());
  await goTo(page, `${server.url}/layout/Inventory%20Adjustment?show=documentEditor`);
  await page.waitForFunction(() => document.activeElement?.closest('form.editor'));
  await page.getByLabel(/^Reason/).selectOption('Count');
  await page.keyboard.press('Alt+a');
  const lines = page.getByLabel(/^Item, line/);
  let names: readonly string[] = [];
  const listed = async () => {
    names = await lines.evaluateAll((cells) => cells.map((cell) => (cell as HTMLInputElement).value));
    return names.join();
  };
  await expect.poll(listed).toMatch(/(?=.*Ladder)(?=.*Drill)/);
  const lineOf = (name: string) => names.findIndex((one) => one.includes(name)) + 1;
  expect(await axe(page)).toEqual([]);
  await page.getByLabel(`Counted, line ${lineOf('Ladder')}`).fill('3');
  await expect.poll(() => page.getByLabel(`Change, line ${lineOf('Ladder')}`).inputValue()).toBe('-1');
  // another one agrees with the books, and the rest are not counted
  await page.getByLabel(`Counted, line ${lineOf('Drill')}`).fill('1');
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/IA.*0001/)
    .first()
    .waitFor();
  const { rows } = (await owner.ask('GetTransationsList', { Type: 'inventoryAdjustment' })) as {
    rows: { id: string }[];
  };
  const view = (await owner.ask('GetTransactionDetailForInvoice', { TransactionId: rows[0]?.id ?? '' })) as {
    movements: { item: string; quantity: string; cost: string }[];
  };
  expect(view.movements).toMatchObject([{ item: 'Ladder', quantity: '-1', cost: '-250.00' }]);
});

/** An item of NOVA, and its owner signed in with and without a page. */
async function sold(sku: string, name: string, flags: object = {}) {
  const owner = await server.signIn('owner@nova.demo');
  const values = { sku, name, type: 'stock', unit: 'NOS', hsn: '3208', gstRate: '18', treatment: 'taxable', ...flags };
  const { id: item } = (await owner.ask('SaveMaster', { master: 'item', values })) as { id: string };
  const session = (await owner.ask('GetSession', {})) as {
    today: string;
    locations: { id: string; registration: string }[];
  };
  const [at] = session.locations;
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, server.url, 'owner@nova.demo');
  return { owner, page, item, place: { date: session.today, registration: at?.registration, location: at?.id } };
}
