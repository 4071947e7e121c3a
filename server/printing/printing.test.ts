import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let exempt = '';
let abroad = '';
let supplier = '';
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const save = async (master: string, values: Record<string, unknown>) =>
    ((await shop.owner.ask('SaveMaster', { master, values })) as { id: string }).id;
  exempt = await save('item', {
    sku: 'BOOK',
    name: 'हिसाब की किताब',
    type: 'service',
    unit: 'NOS',
    hsn: '999210',
    treatment: 'exempt',
    gstRate: '0',
    saleRate: '350.00',
  });
  abroad = await save('customer', {
    name: 'Global Trading FZE',
    category: 'overseas',
    state: '96',
    country: 'AE',
    currency: 'USD',
  });
  supplier = await save('supplier', {
    name: 'Sri Balaji Transport',
    gstin: '29AARFS1357C1ZZ',
    category: 'registered',
    state: '29',
    addresses: [{ line1: '5 Mill Road', city: 'Bengaluru', state: '29', pincode: '560022' }],
  });
});
afterAll(() => server?.stop());

/** The text of a document's paper, words parted by one space. */
const paper = async (id: string, copy: 'original' | 'triplicate' = 'original'): Promise<string> =>
  textOfPdf(
    Buffer.from(((await shop.owner.ask('PrintDocument', { id, copy })) as { content: string }).content, 'base64'),
  );
const post = async (document: Record<string, unknown>): Promise<{ id: string; number: string; text: string }> => {
  const { TransactionId: id, TransactionNumber: number } = await shop.post(document);
  return { id, number, text: await paper(id) };
};
const line = (more: object = {}) => ({ item: shop.item, quantity: '2', rate: '95', ...more });

test('a tax invoice states what rule 46 asks for: parties, place, reverse charge, discount, rate and amount of each head', async () => {
  const { text, number } = await post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [line({ discount: { percent: '10' } }), { item: exempt, quantity: '1', rate: '350' }],
    shipTo: { line1: 'Plot 7, Peenya', city: 'Bengaluru', state: '29', pincode: '560058', country: 'IN' },
  });
  for (const part of [
    'Tax invoice',
    number,
    'Sharma Traders Private Limited',
    'GSTIN 29',
    'Asha Traders',
    'GSTIN 29AABCA1234F1Z5',
    '14 Market Road',
    'Delivered to',
    'Plot 7, Peenya',
    'State 29 – Karnataka',
    'Place of supply',
    '29 – Karnataka',
    'Reverse chargeNo',
    'HSN/SAC',
    '85395000',
    'Discount',
    '10%',
    '171.00',
    'CGST %',
    'SGST %',
    '15.39',
    'Authorised signatory',
  ])
    expect(text, part).toContain(part);
  expect(text).not.toContain('UTGST');
});

test('nothing but exempt supplies is a bill of supply: no tax, no rate of tax', async () => {
  const { text } = await post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: exempt, quantity: '2', rate: '350' }],
  });
  expect(text).toContain('Bill of supply');
  for (const part of ['Tax invoice', 'GST %', 'CGST', 'Taxable', 'Reverse charge'])
    expect(text, part).not.toContain(part);
});

test('a sale that is taxed on its retail price names what is charged, and what its tax is on', async () => {
  const { id: item } = (await shop.owner.ask('SaveMaster', {
    master: 'item',
    values: {
      ...{ sku: 'SNUFF', name: 'Snuff', type: 'nonStock', unit: 'NOS', hsn: '24039930', treatment: 'taxable' },
      ...{ gstRate: '40', retailPrice: '100' },
    },
  })) as { id: string };
  const { text } = await post({
    ...{ kind: 'saleInvoice', party: shop.customer },
    lines: [{ item, quantity: '10', rate: '80' }],
  });
  for (const part of [
    ...['Tax is inside the retail sale price (rule 31D)', 'Value charged', '800.00', '1,086.00'],
    ...['Deemed taxable value (rule 31D)', '714.28', '142.86'],
  ])
    expect(text, part).toContain(part);
  expect(text).not.toContain('Taxable value ');
});

test('an export names the country, the currency and its rate, and why it bears no tax', async () => {
  const { text } = await post({
    kind: 'overseasSale',
    party: abroad,
    currency: 'USD',
    exchangeRate: '84.15',
    withPayment: false,
    lines: [line({ rate: '3.2' })],
  });
  for (const part of [
    'without payment of integrated tax',
    'United Arab Emirates',
    'USD',
    '₹ 84.15',
    'Rate (USD)',
    'Total USD',
    '6.40',
    '538.56',
  ])
    expect(text, part).toContain(part);
  expect(text).not.toContain('GST %');
});

test('a note says which invoice it is against, and of what day; a sale return is a credit note', async () => {
  const invoice = await post({ kind: 'saleInvoice', party: shop.customer, lines: [line()] });
  const note = await post({
    kind: 'saleReturn',
    party: shop.customer,
    against: invoice.id,
    reason: 'Damaged on the way',
    lines: [line({ quantity: '1', source: { document: invoice.id, line: 1 } })],
  });
  for (const part of ['Credit note', 'Against', `${invoice.number} of `, 'Damaged on the way'])
    expect(note.text, part).toContain(part);
});

test('a note without a document in the books says number and day of its original', async () => {
  const note = { kind: 'saleCreditNote', party: shop.customer, reason: 'Discount', lines: [line({ quantity: '1' })] };
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const { text } = await post({
    ...note,
    fields: { originalNumber: 'OLD/25-26/7', originalDate: addDays(today, -60) },
  });
  for (const part of ['Against', 'OLD/25-26/7 of ']) expect(text, part).toContain(part);
});

test('a receipt lists what it settles; papers from suppliers name them as such', async () => {
  const invoice = await post({ kind: 'saleInvoice', party: shop.customer, lines: [line()] });
  const receipt = await post({
    kind: 'saleReceipt',
    party: shop.customer,
    moneyLedger: await shop.ledger('1121'),
    amount: '300.00',
    allocations: [{ document: invoice.id, amount: '224.00' }],
  });
  for (const part of ['Settled', invoice.number, '224.00', 'On account', '76.00'])
    expect(receipt.text, part).toContain(part);
  expect(receipt.text).not.toContain('Trade receivables');
  const bill = await post({ kind: 'purchaseBill', party: supplier, reference: 'SB-1', lines: [line({ rate: '60' })] });
  expect(bill.text).toMatch(/Buyer.*Sharma Traders.*Supplier.*Sri Balaji Transport/);
});

test('goods to another place: a challan within a registration, a tax invoice to another one, each with where they go', async () => {
  const [sharma] = server.organisations;
  const { PUN } = sharma?.locations ?? {};
  const away = await post({ kind: 'branchTransfer', toLocation: PUN, lines: [line({ rate: '60' })] });
  expect(away.text).toMatch(/Tax invoice.*From.*State 29.*To.*State 27/);
  expect(away.text).toContain('IGST %');
  const challan = await post({ kind: 'deliveryChallan', party: shop.customer, lines: [line()] });
  expect(challan.text).toMatch(/Delivery challan.*Original for consignee/);
  expect(await paper(challan.id, 'triplicate')).toContain('Triplicate for consigner');
});

test(
  'a batch under its line says how much of it there is and when it expires, known from where it came in, as the organisation writes ' +
    'its days',
  async () => {
    const { version } = (await shop.owner.ask('GetGeneralConfigDetails', {})) as { version: number };
    await shop.owner.ask(
      'SaveGeneralConfigDetails',
      { version, values: { enableBatch: true, dateFormat: 1 } },
      randomUUID(),
    );
    // a session caches the settings of the organisation for two seconds
    server.clock.at = Date.now() + 5000;
    const { id: paint } = (await shop.owner.ask('SaveMaster', {
      master: 'item',
      values: {
        sku: 'PAINT',
        name: 'Paint',
        type: 'stock',
        unit: 'NOS',
        hsn: '32089090',
        gstRate: '18',
        treatment: 'taxable',
        saleRate: '60',
        batched: true,
      },
    })) as { id: string };
    const { text: bought } = await post({
      kind: 'purchaseBill',
      party: supplier,
      reference: 'SB-2',
      lines: [
        {
          item: paint,
          quantity: '9',
          rate: '40',
          batches: [
            { batch: 'SOON', quantity: '5', expiry: '2099-04-30' },
            { batch: 'LATE', quantity: '3', expiry: '2099-12-31' },
            { batch: 'constructor', quantity: '1' },
          ],
        },
      ],
    });
    for (const part of [
      'Batch SOON × 5, expires 04-30-2099',
      'Batch LATE × 3, expires 12-31-2099',
      'Batch constructor × 1',
    ])
      expect(bought).toContain(part);
    const sold = await post({
      kind: 'saleInvoice',
      party: shop.customer,
      lines: [
        { item: paint, quantity: '2', rate: '60', batches: [{ batch: 'LATE', quantity: '2' }] },
        { item: paint, quantity: '1', rate: '60', batches: [{ batch: 'constructor', quantity: '1' }] },
        line({ quantity: '1' }),
      ],
    });
    expect(sold.text).toMatch(/Batch LATE, expires 12-31-2099.*Batch constructor(?!,)/);
    const { lines } = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: sold.id })) as {
      lines: { expiries: unknown }[];
    };
    expect(lines.map(({ expiries }) => expiries)).toEqual([[{ batch: 'LATE', expiry: '2099-12-31' }], [], []]);
  },
);

test('a receipt with tax deducted prints the money apart from what was kept back, and how it was paid', async () => {
  const bank = await shop.ledger('1121');
  const { text } = await post({
    ...{ kind: 'saleReceipt', party: shop.customer, moneyLedger: bank, amount: '30000.00', allocations: [] },
    ...{ tdsAmount: '500.00', fields: { instrument: 'UTR 4711' } },
  });
  for (const part of ['Received30,000.00', 'TDS500.00', 'Total ₹30,500.00', 'Rupees Thirty Thousand Only', 'UTR 4711'])
    expect(text, part).toContain(part);
  expect(text).toContain('Mode of payment');
  const paid = await post({
    ...{ kind: 'payment', party: supplier, moneyLedger: bank, amount: '1000.00', allocations: [] },
    ...{ tdsAmount: '20.00', tdsSection: '194C' },
  });
  for (const part of ['Paid1,000.00', 'TDS20.00', 'Rupees One Thousand Only']) expect(paid.text, part).toContain(part);
});

test('a charge that is shared over the lines stands by itself, and a rate with tax in it says so', async () => {
  const { text } = await post({
    ...{ kind: 'saleInvoice', party: shop.customer, lines: [line()], taxInclusive: true },
    charges: [{ name: 'Freight', amount: '50.00', apportion: 'value' }],
  });
  for (const part of ['Freight, part of the taxable value50.00', 'Rate incl. tax']) expect(text, part).toContain(part);
  const plain = await post({ kind: 'saleInvoice', party: shop.customer, lines: [line()] });
  for (const part of ['part of the', 'incl. tax', 'Mode of payment']) expect(plain.text, part).not.toContain(part);
});

test('a receipt voucher says what the advance is for, and whether tax is payable on reverse charge', async () => {
  const bank = await shop.ledger('1121');
  const { TransactionId: order } = await shop.post({ kind: 'saleOrder', party: shop.customer, lines: [line()] });
  const advance = {
    ...{ kind: 'advanceReceipt', party: shop.customer, moneyLedger: bank, amount: '118.00' },
    ...{ advanceRate: '18', placeOfSupply: '29' },
  };
  const ordered = await post({ ...advance, against: order, order });
  for (const part of ['Receipt voucher', 'Advance: LED bulb 9 W', 'Reverse chargeNo'])
    expect(ordered.text, part).toContain(part);
  expect((await post({ ...advance, narration: 'Installation of lamps' })).text).toContain(
    'Advance: Installation of lamps',
  );
});

test('an export with payment of tax totals without it, and a note without GST has no taxable value', async () => {
  const { text } = await post({
    ...{ kind: 'overseasSale', party: abroad, currency: 'USD', exchangeRate: '84.15', withPayment: true },
    lines: [line({ rate: '3.2' })],
  });
  expect(text).toContain('Total USD without IGST6.40');
  const invoice = await post({ kind: 'saleInvoice', party: shop.customer, lines: [line()] });
  const note = await post({
    ...{ kind: 'saleCreditNote', party: shop.customer, against: invoice.id, reason: 'Discount', withoutTax: true },
    lines: [line({ quantity: '1', rate: '5', source: { document: invoice.id, line: 1 } })],
  });
  expect(note.text).toContain('Without GST');
  for (const part of ['GST %', 'Taxable']) expect(note.text, part).not.toContain(part);
});

test('goods are sent from and to the addresses of their places, not of the registration', async () => {
  const save = async (name: string, code: string, line1: string) =>
    (
      (await shop.owner.ask('SaveMaster', {
        master: 'location',
        values: {
          ...{ code, name, registration: shop.place.registration, isTax: false, isPhysical: true },
          ...{ line1, city: 'Bengaluru', pincode: '560058' },
        },
      })) as { id: string }
    ).id;
  const [store, depot] = [await save('Store', 'STO', '7 Peenya Road'), await save('Depot', 'DEP', '9 Hosur Road')];
  await shop.post({
    ...{ kind: 'openingStock', location: store },
    lines: [{ item: shop.item, quantity: '10', rate: '60' }],
  });
  const sold = await post({ kind: 'saleInvoice', location: store, party: shop.customer, lines: [line()] });
  for (const part of ['Dispatched from', '7 Peenya Road', '12 Residency Road']) expect(sold.text, part).toContain(part);
  const sent = await post({
    ...{ kind: 'branchTransfer', location: store, toLocation: depot },
    lines: [{ item: shop.item, quantity: '2' }],
  });
  for (const part of ['Delivery challan', 'ToDepot', '9 Hosur Road', 'Dispatched from', '7 Peenya Road'])
    expect(sent.text, part).toContain(part);
  const plain = await post({ kind: 'saleInvoice', party: shop.customer, lines: [line()] });
  expect(plain.text).not.toContain('Dispatched from');
});
