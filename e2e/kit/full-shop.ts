import type { Shop } from './shop.ts';

/** A party with a name of 90 characters and an item to match: what is cramped shows with them. */
export const LONG_NAME = 'Shri Venkateswara Electricals Wholesale Distributors and Exporters (India) Private Limited';
const LONG_ITEM =
  'XLPE insulated armoured aluminium cable 3.5 core 300 sq mm, 1.1 kV, IS 7098 part 1, drum of 500 metres';

export interface FullShop {
  /** A document by its kind, a record by its master. */
  readonly ids: ReadonlyMap<string, string>;
}

/** A shop with a document of nearly every kind, with long names and amounts of crores, and a record of each common master. */
export async function fillShop(shop: Shop): Promise<FullShop> {
  const ids = new Map<string, string>();
  const save = async (master: string, values: Record<string, unknown>): Promise<string> => {
    const { id } = (await shop.owner.ask('SaveMaster', { master, values })) as { id: string };
    ids.set(master, id);
    return id;
  };
  const address = { line1: 'Plot 214-B, Second Cross, Peenya Industrial Area Phase IV', city: 'Bengaluru' };
  const party = {
    category: 'registered',
    gstin: '29AABCA1234F1Z5',
    state: '29',
    creditDays: 30,
    email: 'accounts.receivable.department@shri-venkateswara-electricals.example',
    addresses: [{ ...address, type: 'both', state: '29', pincode: '560058', country: 'IN' }],
  };
  const customer = await save('customer', { ...party, name: LONG_NAME });
  const supplier = await save('supplier', { ...party, name: LONG_NAME.replace('Shri', 'Sree') });
  const item = await save('item', {
    ...{ sku: 'CABLE-XLPE-3.5C-300SQMM', name: LONG_ITEM, type: 'stock', unit: 'NOS', hsn: '85446090' },
    ...{ treatment: 'taxable', gstRate: '18', saleRate: '10462533.05', purchaseRate: '9100000.00' },
  });
  await save('category', { code: 'CABLES', name: 'Cables and wires' });
  await save('costCentre', { code: 'SOUTH', name: 'Southern projects, Bengaluru and Mysuru' });
  for (const master of standing) {
    const { rows } = (await shop.owner.ask('ListMasters', { master, limit: 1 })) as { rows: { id: string }[] };
    if (rows[0]) ids.set(master, rows[0].id);
  }
  const post = async (kind: string, document: Record<string, unknown>): Promise<string> => {
    const { TransactionId } = await shop.post({ kind, ...document });
    ids.set(kind, TransactionId);
    return TransactionId;
  };
  const [bank, capital] = [await shop.ledger('1121'), await shop.ledger('3110')];
  const lines = [
    { item, quantity: '10', rate: '10462533.05' },
    { item, quantity: '1', rate: '9999999.99' },
  ];
  await post('openingStock', { lines: [{ item, quantity: '400', rate: '9100000' }] });
  await post('openingBalance', {
    lines: [
      { ledger: bank, debit: '123456789.00' },
      { ledger: capital, credit: '123456789.00' },
    ],
  });
  await post('manualJournal', {
    lines: [
      { ledger: bank, debit: '5.00' },
      { ledger: capital, credit: '5.00' },
    ],
  });
  const reference = 'PO/2026-27/ELECTRICAL/000123';
  const narration = 'Deliver to the site office before noon; call the site engineer a day ahead.';
  const invoice = await post('saleInvoice', { party: customer, reference, lines, narration });
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const bill = await post('purchaseBill', {
    party: supplier,
    reference: 'SVE/26-27/00123',
    referenceDate: today,
    lines,
  });
  const billTo = { line1: '14, Second Cross, Indiranagar', city: 'Bengaluru', state: '29', pincode: '560038' };
  const named = { partyName: 'Ravindranath Venkatasubramanian', billTo };
  await post('cashSale', { ...named, lines: [{ item, quantity: '1', rate: '10462533.05' }] });
  for (const kind of ['quotation', 'saleOrder']) await post(kind, { party: customer, lines });
  await post('purchaseOrder', { party: supplier, lines });
  const again = (document: string, rate: string) => [{ item, quantity: '1', rate, source: { document, line: 1 } }];
  const after = { party: customer, against: invoice, reason: 'Price revision' };
  await post('saleCreditNote', { ...after, lines: again(invoice, '200000') });
  await post('saleDebitNote', { ...after, lines: again(invoice, '200000') });
  await post('saleReturn', { ...after, reason: 'Sales return', lines: again(invoice, '10462533.05') });
  const back = { party: supplier, against: bill, reason: 'Damaged' };
  await post('purchaseReturn', { ...back, lines: again(bill, '10462533.05') });
  await post('purchaseCreditNote', { ...back, reference: 'CN-1', lines: again(bill, '100000') });
  await post('purchaseDebitNote', { ...back, reference: 'DN-1', lines: again(bill, '100000') });
  const money = { moneyLedger: bank, amount: '50000000.00', reference: 'UTR000123' };
  await post('saleReceipt', { ...money, party: customer, allocations: [{ document: invoice, amount: '50000000.00' }] });
  await post('payment', { ...money, party: supplier, allocations: [{ document: bill, amount: '50000000.00' }] });
  await post('advanceReceipt', { ...money, party: customer, advanceRate: '18' });
  await post('advancePayment', { ...money, party: supplier });
  for (const [master, values] of Object.entries(
    smallMasters({ item, supplier, ledger: bank, deposits: await shop.ledger('6485'), today, ...shop.place }),
  ))
    await save(master, values);
  return { ids };
}

/** Masters that have records from the beginning. */
const standing = 'registration location user role numberSeries ledger accountGroup unit ledgerPosting'.split(' ');

/** A record of each master that no document needs, with names as long as they may be. */
const smallMasters = (
  of: Readonly<Record<'item' | 'supplier' | 'ledger' | 'deposits' | 'location' | 'today', string>>,
) => ({
  group: { name: 'Accounts department of the head office in Bengaluru', description: 'Everybody who books bills' },
  additionalField: { label: 'Purchase order of the customer', type: 'text', appliesTo: ['saleInvoice'], onPrint: true },
  adjustment: { code: 'CONT', name: 'Returnable container deposit', sort: 'add', usedOn: 'both', ledger: of.deposits },
  terms: { code: 'T1', name: 'Delivery within the city', kind: 'quotation', text: 'Ex works.\nFreight to pay.' },
  attribute: { code: 'COLOUR', name: 'Colour of the outer insulation', values: [{ value: 'Red', code: 'R' }] },
  unitConversion: { from: 'BOX', to: 'NOS', factor: '12', item: of.item },
  priceList: {
    ...{ code: 'DEALER', name: 'Dealers in the north of Karnataka', side: 'sale' },
    prices: [{ item: of.item, from: '10', rate: '9999999.99' }],
  },
  warehouse: { code: 'RACKS', name: 'Racks behind the loading bay', location: of.location, type: 'own' },
  consumer: { name: 'Ravindranath Venkatasubramanian Iyer', state: '29' },
  bank: {
    ...{ code: 'HDFC', bankName: 'HDFC Bank Limited', accountNumber: '501000123456789012', ifsc: 'HDFC0000123' },
    ledger: of.ledger,
  },
  tdsCertificate: {
    ...{ number: 'AAB/2026-27/197/0001', party: of.supplier, section: '194C', rate: '0.5', limit: '99999999.00' },
    ...{ from: of.today, to: of.today },
  },
});
