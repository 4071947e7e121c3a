import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type Answered, type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let sold: string;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const lines = [{ item: shop.item, quantity: '2', rate: '95' }];
  sold = (await shop.post({ kind: 'saleInvoice', party: shop.customer, lines })).TransactionId;
});
afterAll(() => server.stop());

const columns = (...names: string[]) => names.map((column) => ({ column, label: '' }));
const lawful = columns('description', 'hsn', 'quantity', 'unit', 'gstRate', 'taxable');
const values = {
  code: 'PLAIN',
  name: 'Plain',
  kinds: ['saleInvoice'],
  isDefault: true,
  size: 'A5',
  colour: '#0f766e',
  logo: 'none',
  bank: true,
  upi: true,
};
const keep = (more: object = {}): Promise<Answered> =>
  shop.owner.call('SaveMaster', { master: 'paperTemplate', values: { ...values, ...more } });
const paper = async (id: string, template?: string): Promise<string> => {
  const file = (await shop.owner.ask('PrintDocument', { id, ...(template && { template }) })) as {
    content: string;
  };
  return textOfPdf(Buffer.from(file.content, 'base64'));
};

test('a template orders, names and leaves out columns, but for those that rule 46 asks for', async () => {
  expect(await paper(sold)).toContain('Rate');
  const refused = await keep({ columns: columns('description', 'quantity', 'unit', 'gstRate', 'taxable') });
  expect(refused).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'columns', message: expect.stringContaining('rule 46(g)') }] },
  });
  const renamed = lawful.map((row) => (row.column === 'hsn' ? { ...row, label: 'Tariff item' } : row));
  expect(
    (await keep({ columns: renamed, signatory: 'Proprietor', footer: 'Subject to Bengaluru', terms: 'Pay in 15 days' }))
      .status,
  ).toBe(200);
  const printed = await paper(sold);
  for (const word of ['Tariff item', 'Proprietor', 'Subject to Bengaluru', 'Pay in 15 days'])
    expect(printed).toContain(word);
  expect(printed).not.toContain('Authorised signatory');
});

test('of several templates one is the default of a kind, and another can be asked for', async () => {
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const { TransactionId: id } = await shop.post({ kind: 'cashSale', lines });
  const kinds = ['cashSale'];
  expect((await keep({ code: 'CASH', name: 'Cash', kinds, signatory: 'Proprietor' })).status).toBe(200);
  expect(await keep({ code: 'SECOND', name: 'Second', kinds })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'kinds' }] },
  });
  const second = await keep({
    code: 'ROLL',
    name: 'Roll',
    kinds,
    isDefault: false,
    size: 'roll',
    signatory: 'Cashier',
  });
  expect(second.status).toBe(200);
  expect(await paper(id, (second.details as { id: string }).id)).toContain('Cashier');
  expect(await paper(id)).toContain('Proprietor');
});

test('the logo of the organisation is on the paper, unless the template says none', async () => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await shop.owner.ask('AddLogoDetails', { name: 'dot.png', content: dot });
  const pictures = async (logo: string): Promise<number> => {
    const file = (await shop.owner.ask('PreviewPaper', { values: { ...values, logo } })) as { content: string };
    return Buffer.from(file.content, 'base64').toString('latin1').split('/Subtype /Image').length - 1;
  };
  const without = await pictures('none');
  for (const place of ['left', 'right']) expect(await pictures(place)).toBeGreaterThan(without);
});

test('a template is seen while it is typed', async () => {
  const shown = (await shop.owner.ask('PreviewPaper', {
    values: { ...values, size: 'A4', signatory: 'Partner', columns: lawful },
  })) as { content: string };
  const text = textOfPdf(Buffer.from(shown.content, 'base64'));
  for (const word of ['LED bulb', 'Partner', 'Sharma']) expect(text).toContain(word);
  expect(text).not.toContain('Discount');
});

test('the paper of an order to a supplier has the columns and terms of its template; the rules on invoices do not bind it', async () => {
  const { id: supplier } = (await shop.owner.ask('SaveMaster', {
    master: 'supplier',
    values: {
      ...{ name: 'Mill Works', category: 'unregistered', state: '29' },
      addresses: [{ line1: '1 Mill Road', city: 'Bengaluru', state: '29', pincode: '560001' }],
    },
  })) as { id: string };
  const { TransactionId: order } = await shop.post({
    kind: 'purchaseOrder',
    party: supplier,
    lines: [{ item: shop.item, quantity: '7', rate: '61.50' }],
  });
  const bare = {
    code: 'ORDER',
    name: 'Orders',
    columns: columns('description', 'quantity'),
    terms: 'Deliver to gate 4',
  };
  expect((await keep({ ...bare, kinds: ['purchaseOrder', 'saleInvoice'], isDefault: false })).status).toBe(422);
  expect((await keep({ ...bare, kinds: ['purchaseOrder', 'purchaseBill'] })).status).toBe(200);
  const { content } = (await shop.owner.ask('PrintDocument', { id: order })) as { content: string };
  const text = textOfPdf(Buffer.from(content, 'base64'));
  expect(text).toContain('Deliver to gate 4');
  expect(text).not.toContain('HSN/SAC');
  expect(text).not.toContain('61.50');
  const preview = (await shop.owner.ask('PreviewPaper', {
    values: { ...values, ...bare, kinds: ['purchaseOrder'] },
  })) as {
    content: string;
  };
  const sample = textOfPdf(Buffer.from(preview.content, 'base64'));
  expect(sample).toContain('Purchase order');
  expect(sample).not.toContain('Tax invoice');
});
