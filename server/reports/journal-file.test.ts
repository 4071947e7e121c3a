import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { journalReader, ownReader } from '../../tools/testing/hledger.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { dayNow, daysOfYear } from '../../tools/testing/year.ts';

let server: TestServer;
let shop: Shop;
const filters = { from: daysOfYear.from, to: dayNow };

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const { owner, post } = shop;
  const save = async (name: string): Promise<string> => {
    const values = { name, addresses: [], category: 'unregistered', state: '29' };
    return ((await owner.ask('SaveMaster', { master: 'customer', values } as never)) as { id: string }).id;
  };
  for (const name of ['Acme: Sons; (India)', 'ACME  Sons (India)', 'राम ट्रेडर्स'])
    await post({
      kind: 'saleInvoice',
      party: await save(name),
      lines: [{ item: shop.item, quantity: '1', rate: '100' }],
    });
});
afterAll(() => server.stop());

const journal = async (): Promise<string> => {
  const { content } = (await shop.owner.ask('ExportReport', {
    report: 'dayBook',
    filters,
    format: 'journal',
  })) as { content: string };
  return Buffer.from(content, 'base64').toString('utf8');
};

test('party names: separators of hledger are removed, and equal names have their codes', async () => {
  const text = await journal();
  const accounts = [...text.matchAll(/^account (.*?) {2};/gm)].map(([, name = '']) => name);
  expect(new Set(accounts.map((name) => name.toLowerCase())).size).toBe(accounts.length);
  expect(accounts.filter((name) => /acme sons/i.test(name)).map((name) => name.split(':').at(-1))).toEqual([
    expect.stringMatching(/^Acme Sons \(India\) - \S+$/),
    expect.stringMatching(/^ACME Sons \(India\) - \S+$/),
  ]);
  expect(text).toContain(':राम ट्रेडर्स  INR');
});

test.each([journalReader, ownReader])('$name reads it with all of its checks', async ({ check }) => {
  const text = await journal();
  expect(() => check(text)).not.toThrow();
  // an amount that is changed does not balance, and an invoice that is missing breaks the balance that is asserted
  expect(() => check(text.replace(/INR -100\.00/, 'INR -100.01'))).toThrow('the journal is refused');
  const invoices = text.split('\n\n').filter((block) => block.includes('राम'));
  const missing = invoices.findLast((block) => /^\d{4}-\d\d-\d\d \(/.test(block)) ?? '';
  expect(missing).not.toBe('');
  expect(() => check(text.replace(`${missing}\n\n`, ''))).toThrow('the journal is refused');
});

test('journal: a location is a problem, and other reports have no such file', async () => {
  const { owner } = shop;
  const [location] = Object.values(server.organisations[0]?.locations ?? {});
  const ask = (report: string, more: object) =>
    owner.call('ExportReport', { report, filters: { ...filters, ...more }, format: 'journal' } as never);
  const placed = await ask('dayBook', { location });
  expect(placed.status).toBe(422);
  expect(JSON.stringify(placed.details)).toContain('The journal covers all locations: do not choose one');
  expect((await ask('trialBalance', {})).status).toBe(404);
});
