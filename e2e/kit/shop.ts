import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../../server/organisation/demo.ts';
import type { Founded } from '../../server/organisation/found.ts';
import type { TestServer, Visitor } from '../../tools/testing/server.ts';

export interface Shop {
  readonly owner: Visitor;
  readonly place: { readonly registration: string; readonly location: string };
  readonly customer: string;
  readonly item: string;
  ledger(code: string): Promise<string>;
  post(document: Record<string, unknown>): Promise<{ TransactionId: string; TransactionNumber: string }>;
}

/** Whose shop it is: the first organisation is SHARMA, the second NOVA. */
export interface Whose {
  readonly email: string;
  readonly organisation: number;
  readonly registration: string;
  readonly location: string;
}
const sharmas: Whose = { email: 'owner@sharma.demo', organisation: 0, registration: 'KA', location: 'BLR' };

/** A customer, an item and its stock, made through the calls. */
export async function openShop(server: TestServer, whose = sharmas): Promise<Shop> {
  const owner = await server.signIn(whose.email);
  const own = server.organisations[whose.organisation] as Founded;
  const place = {
    registration: own.registrations[whose.registration] ?? '',
    location: own.locations[whose.location] ?? '',
  };
  const save = async (master: string, values: Record<string, unknown>) =>
    ((await owner.ask('SaveMaster', { master, values })) as { id: string }).id;
  const customer = await save('customer', {
    name: 'Asha Traders',
    gstin: '29AABCA1234F1Z5',
    category: 'registered',
    state: '29',
    addresses: [{ line1: '14 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' }],
  });
  const item = await save('item', {
    sku: 'LED-9W',
    name: 'LED bulb 9 W',
    type: 'stock',
    unit: 'NOS',
    hsn: '85395000',
    treatment: 'taxable',
    gstRate: '18',
    saleRate: '95.00',
    purchaseRate: '60.00',
  });
  const today = ((await owner.ask('GetSession', {})) as { today: string }).today;
  const shop: Shop = {
    owner,
    place,
    customer,
    item,
    ledger: async (code) =>
      (
        await server.database.owner.query<{ id: string }>(
          'select id from ledgers where organisation = $1 and code = $2',
          [own.organisation, code],
        )
      ).rows[0]?.id ?? '',
    post: async (document) =>
      owner.ask(
        'PostTransactionCalls',
        {
          document: {
            ...{ date: today, lines: [], ...place },
            // what is brought in after the first document has its reason
            ...(/^opening/.test(String(document.kind)) && {
              accepted: ['openingLate', 'foundRateFar', 'openedTwice'].map((warning) => ({
                warning,
                reason: 'A test',
              })),
            }),
            ...document,
          },
        } as never,
        randomUUID(),
      ),
  };
  await shop.post({ kind: 'openingStock', lines: [{ item, quantity: '100', rate: '60' }] });
  return shop;
}

/** Signs in through the pages, as a person does. */
export async function signIn(
  page: Page,
  url: string,
  email = 'owner@sharma.demo',
  arrival = '**/layout/Home',
): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(arrival);
}
