import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { person } from '../kit/person.ts';

// From the first page to printed invoices: an accountant who keeps the books of three clients.
const EMAIL = 'accountant@sharma.demo';
const PASSWORD = 'Demo-Bahi-2026';
/** What the way to two printed invoices, of two clients, may take. */
const MOST_ACTS = 60;

let server: TestServer;
let browser: Browser;
let page: Page;
let owner: Visitor;

const clients = [
  ['KAVERI', 'Kaveri Traders', '29AABCM1234C1Z'],
  ['TUNGA', 'Tunga Services', '29AABCT4321C1Z'],
] as const;

/** A client with a customer and a service, whose owner has invited the accountant. */
const found = async ([code, name, gstin]: (typeof clients)[number]): Promise<void> => {
  await owner.ask('FoundOrganisation', {
    ...{ code, name, business: 'services', gstin: `${gstin}${gstinCheckDigit(gstin)}` },
    ...{ line1: '4 Temple Street', city: 'Bengaluru', pincode: '560004' },
  });
  await owner.ask('SwitchOrganisation', { OrgCode: code });
  await owner.ask('SaveMaster', {
    master: 'item',
    values: {
      ...{ sku: 'ADVICE', name: 'Advice', type: 'service', unit: 'OTH', hsn: '998311' },
      ...{ treatment: 'taxable', gstRate: '18', saleRate: '1500' },
    },
  });
  await owner.ask('SaveMaster', {
    master: 'customer',
    values: { name: `Buyer of ${name}`, category: 'unregistered', state: '29', addresses: [] },
  });
  const roles = (await owner.ask('ListMasters', { master: 'role' })) as {
    rows: { id: string; values: { name: string } }[];
  };
  const role = roles.rows.find(({ values }) => values.name === 'Accountant')?.id ?? '';
  const user = (await owner.ask('SaveMaster', {
    master: 'user',
    values: { name: 'Accountant', email: EMAIL, roles: [role], locations: [] },
  })) as { id: string };
  const { url } = (await owner.ask('MakeSignInLink', { user: user.id })) as { url: string };
  const token = url.split('#')[1] ?? '';
  const answer = await fetch(`${server.url}/invitation`, {
    method: 'POST',
    body: new URLSearchParams({ token, password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
};

beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
  for (const client of clients) await found(client);
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('from the sign-in over the list of clients to a printed invoice of each, with at most 60 keys and clicks', async () => {
  const { acts, press, click, field, type, choose, at } = person(page);
  await page.goto(server.url);
  await click('button', 'Sign in');
  await field(/^Email/, EMAIL);
  await field(/^Password/, PASSWORD);
  await press('Enter');
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  for (const [, name] of clients) {
    await press('Control+k');
    await page.getByRole('textbox', { name: 'Search or jump to' }).waitFor();
    await type('my organisations');
    await page.getByRole('dialog').getByRole('button', { name: 'My organisations' }).waitFor();
    await press('Enter');
    await page.getByRole('heading', { name: 'My organisations' }).waitFor();
    await click('button', name);
    await page.getByRole('link', { name }).waitFor();
    await press('Control+k');
    await page.getByRole('textbox', { name: 'Search or jump to' }).waitFor();
    await type('new sale invoice');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /New sale invoice/i })
      .first()
      .waitFor();
    await press('Enter');
    await at('Customer');
    await choose(`Buyer of ${name}`);
    await page.getByLabel('Item, line 1').focus();
    await choose('Advice');
    await at('Quantity, line 1');
    await type('2');
    await press('Enter');
    await press('Control+Enter');
    await page.locator('.view-row').first().waitFor();
    await page.getByText('3,540.00').first().waitFor();
    await click('button', 'Print');
    await page.getByRole('dialog', { name: /^Print/ }).waitFor();
    const paper = page.waitForEvent('download');
    await click('button', 'Download PDF');
    expect((await paper).suggestedFilename()).toMatch(/\.pdf$/);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(acts()).toBeLessThanOrEqual(MOST_ACTS);
});
