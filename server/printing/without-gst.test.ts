import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let item = '';
let walkIn = '';
let bank = '';
let here: { readonly registration: string; readonly location: string };

const save = async (master: string, values: Record<string, unknown>) =>
  ((await shop.owner.ask('SaveMaster', { master, values })) as { id: string }).id;

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const address = { line1: '4 Temple Street', city: 'Mysuru', pincode: '570001' };
  const registration = await save('registration', {
    ...{ legalName: 'Sharma Sweets', state: '29', kind: 'unregistered' },
    ...address,
  });
  const location = await save('location', {
    ...{ code: 'MYS', name: 'Mysuru', registration, isTax: true, isPhysical: true },
    ...address,
  });
  here = { registration, location };
  // nobody asks for HSN; the rate of GST is whatever the form begins with
  item = await save('item', {
    ...{ sku: 'LADDU', name: 'Laddu', type: 'stock', unit: 'NOS', treatment: 'taxable', gstRate: '18' },
    ...{ saleRate: '95.00', purchaseRate: '60.00' },
  });
  walkIn = await save('customer', { name: 'Ravi Kumar', category: 'unregistered', state: '29', addresses: [] });
  await shop.post({ ...here, kind: 'openingStock', lines: [{ item, quantity: '100', rate: '60' }] });
  bank = await shop.ledger('1121');
});
afterAll(() => server?.stop());

interface View {
  readonly entries: readonly { readonly code: string; readonly name: string; readonly debit: string }[];
  readonly lines: readonly { readonly gstRate: string }[];
  readonly priced: { readonly total: string; readonly taxable: string };
}
const sold = async (document: Record<string, unknown>) => {
  const { TransactionId: id } = await shop.post({
    ...{ ...here, kind: 'saleInvoice', party: walkIn, lines: [{ item, quantity: '2', rate: '95' }] },
    ...document,
  });
  const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as unknown as View;
  const { content } = (await shop.owner.ask('PrintDocument', { id, copy: 'original' })) as { content: string };
  return { id, view, text: textOfPdf(Buffer.from(content, 'base64')) };
};

test('sale without GST registration: no tax, no place of supply, ledgers that do not speak of tax or tills', async () => {
  const { id, view } = await sold({});
  expect(view.priced).toMatchObject({ total: '190.00', taxable: '190.00' });
  expect(view.lines.map(({ gstRate }) => Number(gstRate))).toEqual([0]);
  const names = view.entries.map(({ name }) => name);
  expect(names).toContain('Sales - goods, domestic');
  expect(names.filter((name) => /taxable|POS/.test(name))).toEqual([]);
  const { rows } = await server.database.owner.query('select place_of_supply from documents where id = $1', [id]);
  expect(rows).toEqual([{ place_of_supply: null }]);
});

test('sale without GST registration: a rate that holds tax elsewhere is the whole price', async () => {
  const { view } = await sold({ taxInclusive: true });
  expect(view.priced.total).toBe('190.00');
});

test('paper without GST registration: an invoice without codes, rates, place and copies', async () => {
  const { text } = await sold({});
  for (const part of ['Invoice', 'Sharma Sweets', 'Ravi Kumar', 'Laddu', '190.00', 'Not registered under GST'])
    expect(text, part).toContain(part);
  for (const part of ['Tax invoice', 'Bill of supply', 'GST %', 'HSN', 'Taxable', 'Reverse charge', 'Place of supply'])
    expect(text, part).not.toContain(part);
  expect(text).not.toContain('Original for recipient');
});

/** What else is written for somebody else to read, by its kind. */
const papers: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
  quotation: async () => ({}),
  saleOrder: async () => ({}),
  deliveryChallan: async () => ({ reason: 'Job work' }),
  cashSale: async () => ({ party: undefined }),
  b2cInvoice: async () => ({}),
  saleReturn: async () => {
    const { id } = await sold({});
    return { against: id, reason: '01', lines: [{ item, quantity: '1', source: { document: id, line: 1 } }] };
  },
  saleCreditNote: async () => {
    const { id } = await sold({});
    return {
      against: id,
      reason: '02',
      lines: [{ item, quantity: '1', rate: '5', source: { document: id, line: 1 } }],
    };
  },
  saleDebitNote: async () => ({ against: (await sold({})).id, reason: '03' }),
  saleReceipt: async () => ({ amount: '50', moneyLedger: bank, lines: [] }),
  advanceReceipt: async () => ({ amount: '50', moneyLedger: bank, lines: [] }),
  branchTransfer: async () => ({ party: undefined, toLocation: await away(), lines: [{ item, quantity: '1' }] }),
};
/** Another place of the same registration. */
const away = () =>
  save('location', {
    ...{ code: 'HUB', name: 'Hubballi', registration: here.registration, isTax: false, isPhysical: true },
    ...{ line1: '5 Station Road', city: 'Hubballi', pincode: '580020' },
  });

test.each(Object.keys(papers))('%s without GST registration: its paper has no tax', async (kind) => {
  const { text } = await sold({ kind, ...(await papers[kind]?.()) });
  expect(text).toContain('Not registered under GST');
  for (const part of ['Tax invoice', 'Bill of supply', 'GST %', 'CGST', 'IGST', 'HSN', 'Taxable', 'Reverse charge'])
    expect(text, part).not.toContain(part);
  expect(text).not.toContain('Place of supply');
});

test('the same item sold by a registration under GST needs its HSN and bears its rate', async () => {
  await shop.post({ kind: 'openingStock', lines: [{ item, quantity: '10', rate: '60' }] });
  const document = { kind: 'saleInvoice', party: shop.customer, lines: [{ item, quantity: '1', rate: '100' }] };
  const today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  const refused = await shop.owner.call(
    'PostTransactionCalls',
    { document: { date: today, ...shop.place, ...document } },
    crypto.randomUUID(),
  );
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.details)).toContain('An HSN has 4, 6 or 8 digits');
});
