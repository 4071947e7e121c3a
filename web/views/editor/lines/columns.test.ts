import { expect, test } from 'vitest';
import { type KindName, kindOf } from '../../../../domain/document/kinds/index.ts';
import { pasteInto, spread } from '../../../kit/grid/gridPaste.ts';
import { createRowStore } from '../../../kit/grid/rowStore.ts';
import { unpicked } from '../wire.ts';
import { columnsOf } from './columns.ts';

const nothing = async () => ({ rows: [], total: 0 });
const searches = {
  ...{ items: nothing, ledgers: nothing, parties: nothing, rooms: nothing, costCentres: nothing },
  createItem: { label: 'Create item', run: () => undefined },
};

test('Enter goes from the quantity to the rate, also while the name of the item has not come yet', () => {
  const columns = columnsOf(kindOf('saleCreditNote'), searches, false, {
    batches: false,
    serials: false,
    rooms: false,
  });
  const stops = (row: Record<string, string>) =>
    columns.filter(({ type, passed }) => type !== 'readonly' && !passed?.({ key: '1', ...row })).map(({ key }) => key);
  expect(stops({ itemId: '0192' })).toEqual(['item', 'quantity', 'rate', 'discount']);
  expect(stops({ item: 'Fan', itemId: '0192' })).toEqual(stops({ itemId: '0192' }));
  expect(stops({})).toContain('unit');
});

test.each([
  ['without units', 'LED-9W\t8539\t2\t95'],
  ['with units', 'LED-9W\t8539\t2\tNOS\t95'],
])('a sheet %s is pasted into the columns it has', (_, text) => {
  const columns = columnsOf(kindOf('saleInvoice'), searches, false, {
    batches: false,
    serials: false,
    rooms: false,
    costCentres: false,
  });
  const store = createRowStore([]);
  pasteInto({ store, columns, cells: spread(text), row: 0, column: 0 });
  expect(store.rows()[0]).toMatchObject({ item: 'LED-9W', hsn: '8539', quantity: '2', rate: '95.00' });
});

test.each([
  ['CBL-15\t1000\t17.50', { quantity: '1000', rate: '17.50' }],
  ['CBL-15\t1006\t26.50', { quantity: '1006', rate: '26.50' }],
  ['CBL-15\t1000\t26.50\t5%', { quantity: '1000', rate: '26.50', discount: '5%' }],
  ['CBL-15\t100000\t26.50', { quantity: '100000', rate: '26.50' }],
  ['MCB-32\t10\t\t210', { quantity: '10', rate: '210.00' }],
  ['LED-9W\t85395000\t4\t95', { hsn: '85395000', quantity: '4', rate: '95.00' }],
  ['LED-9W\t\t4\t95', { quantity: '4', rate: '95.00' }],
])('a figure after an item is its quantity unless it is an HSN: %s', (text, line) => {
  const columns = columnsOf(kindOf('purchaseBill'), searches, false, {
    batches: false,
    serials: false,
    rooms: false,
    costCentres: false,
  });
  const store = createRowStore([]);
  pasteInto({ store, columns, cells: spread(text), row: 0, column: 0 });
  expect(store.rows()[0]).toMatchObject(line);
  if (!('hsn' in line)) expect(store.rows()[0]?.['hsn'] ?? '').toBe('');
});

test('a name pasted over a chosen item is nobody’s until it is found; what followed from the one before goes', () => {
  const columns = columnsOf(kindOf('saleInvoice'), searches, false, {
    batches: false,
    serials: false,
    rooms: false,
    costCentres: false,
  });
  const before = {
    item: 'Lamp',
    itemId: 'lamp',
    hsn: '9405',
    unit: 'NOS',
    quantity: '3',
    rate: '100.00',
    gstRate: '18',
  };
  const store = createRowStore([before]);
  const paste = (text: string) => pasteInto({ store, columns, cells: spread(text), row: 0, column: 0 });
  paste('Nobody\t\t2');
  expect(store.rows()[0]).toMatchObject({ item: 'Nobody', itemId: '', hsn: '', unit: '', quantity: '2', rate: '' });
  const none = { head: {}, charges: [], adjustments: [], tenders: [], allocations: [] };
  expect(unpicked({ ...none, kind: 'saleInvoice', lines: store.rows() })).toMatchObject([{ field: 'item', row: 0 }]);
  store.set(store.keys()[0] ?? '', before);
  paste('\t\t2');
  expect(store.rows()[0]).toMatchObject({ item: '', itemId: '', rate: '', quantity: '2' });
});

test('line: another item takes the batches and serial numbers of the one before away, and says which somebody typed', () => {
  const used = { batches: true, serials: true, rooms: false, costCentres: false };
  const [column] = columnsOf(kindOf('saleInvoice'), searches, false, used);
  const row = { key: '1', item: 'Lamp', itemId: 'lamp', batches: 'B1=2', proposed: '', serials: 'S1', batched: 'true' };
  const patch = column?.picked?.({ id: 'fan', name: 'Fan' }, row);
  expect(patch).toMatchObject({ itemId: 'fan', batches: '', serials: '', proposed: '', batched: '' });
  expect(patch?.['partsGone']).toBe('batches B1=2, serial numbers S1');
  const same = column?.picked?.({ id: 'lamp', name: 'Lamp' }, row);
  expect(Object.keys(same ?? {})).not.toContain('batches');
  // what was only proposed goes without a word: the new item has its own proposal
  const offered = column?.picked?.({ id: 'fan', name: 'Fan' }, { ...row, proposed: 'B1=2', serials: '' });
  expect(offered).toMatchObject({ batches: '', partsGone: '' });
});

test('paste: headings as spreadsheets and Tally have them name the columns of an invoice', () => {
  const used = { batches: true, serials: false, rooms: false, costCentres: true };
  const columns = columnsOf(kindOf('saleInvoice'), searches, false, used);
  const store = createRowStore([]);
  const head = 'Sl. No.\tDescription of Goods\tHSN/SAC\tGST Rate\tBatch No.\tQuantity\tRate\tper\tDisc. %\tAmount';
  const line = '1\tLED bulb 9 W\t85395000\t18 %\tB7\t2\t95\tNOS\t5\t180.50';
  const { untaken } = pasteInto({ store, columns, cells: spread(`${head}\n${line}`), row: 0, column: 0 });
  expect(store.rows()[0]).toMatchObject({
    ...{ item: 'LED bulb 9 W', hsn: '85395000', gstRate: '18', batches: 'B7', quantity: '2', rate: '95.00' },
    ...{ unit: 'NOS', discount: '5%' },
  });
  expect(untaken).toEqual(['Column “Amount”: 180.50']);
});

test('a column asks for the cost centre where there is one to choose, on every grid whose entries have one', () => {
  const used = { batches: false, serials: false, rooms: false, costCentres: false };
  const keys = (kind: KindName, costCentres: boolean) =>
    columnsOf(kindOf(kind), searches, false, { ...used, costCentres }).map(({ key }) => key);
  const kinds = ['saleInvoice', 'saleReturn', 'purchaseBill', 'expense', 'manualJournal', 'journalVoucher'] as const;
  for (const kind of kinds) {
    expect(keys(kind, false)).not.toContain('costCentre');
    expect(keys(kind, true)).toEqual(expect.arrayContaining(['costCentre', ...keys(kind, false)]));
  }
  for (const kind of ['quotation', 'contra', 'inventoryAdjustment'] as const)
    expect(keys(kind, true)).not.toContain('costCentre');
  // Enter stops at it where a line is a ledger, and goes on to the amount where it is an item
  const isPassed = (kind: KindName) =>
    columnsOf(kindOf(kind), searches, false, { ...used, costCentres: true })
      .find(({ key }) => key === 'costCentre')
      ?.passed?.({ key: '1' }) ?? false;
  expect((['saleInvoice', 'expense', 'manualJournal'] as const).map(isPassed)).toEqual([true, false, false]);
});

const unused = { batches: false, serials: false, rooms: false, costCentres: false };
const keysOf = (kind: Parameters<typeof kindOf>[0], used: Partial<Parameters<typeof columnsOf>[3]> = {}) =>
  columnsOf(kindOf(kind), searches, false, { ...unused, ...used }).map(({ key }) => key);

test('a retail price is typed where goods are taxed on it, and a correction takes it over', () => {
  for (const kind of ['saleInvoice', 'purchaseBill'] as const) {
    expect([kind, keysOf(kind)]).toEqual([kind, expect.not.arrayContaining(['retailPrice'])]);
    expect([kind, keysOf(kind, { retail: true })]).toEqual([kind, expect.arrayContaining(['retailPrice'])]);
  }
  expect(keysOf('saleCreditNote', { retail: true })).not.toContain('retailPrice');
});

test('input credit is blocked on the lines of what is bought, where the business takes credit at all', () => {
  for (const kind of [
    'purchaseBill',
    'overseasPurchase',
    'expense',
    'purchaseCreditNote',
    'purchaseDebitNote',
  ] as const)
    expect([kind, keysOf(kind)]).toEqual([kind, expect.arrayContaining(['creditBlocked'])]);
  for (const kind of ['saleInvoice', 'purchaseOrder', 'purchaseReturn', 'manualJournal', 'branchTransfer'] as const)
    expect([kind, keysOf(kind)]).toEqual([kind, expect.not.arrayContaining(['creditBlocked'])]);
  expect(keysOf('purchaseBill', { noCredit: true })).not.toContain('creditBlocked');
  const column = columnsOf(kindOf('expense'), searches, false, unused).find(({ key }) => key === 'creditBlocked');
  // Enter goes on to the next line; Tab and the arrows reach it
  expect(column?.passed?.({ key: '1' })).toBe(true);
});

test('an expense has an HSN or SAC, and a figure after its description is the amount', () => {
  expect(keysOf('expense')).toContain('hsn');
  expect(keysOf('expense', { plain: true })).not.toContain('hsn');
  const columns = columnsOf(kindOf('expense'), searches, false, unused);
  // Enter skips it once a ledger is typed, also before the search for the ledger has answered
  const isSkipped = (row: object) => columns.find(({ key }) => key === 'hsn')?.passed?.({ key: '1', ...row });
  expect([{}, { ledger: '6435' }, { ledgerId: '17' }].map(isSkipped)).toEqual([false, true, true]);
  const store = createRowStore([]);
  ['Fees\tOpinion\t998212\t25000\t18', 'Tea\tMilk\t120000\t18'].forEach((sheet, row) => {
    pasteInto({ store, columns, cells: spread(sheet), row, column: 0 });
  });
  expect(store.rows().map((row) => [row['hsn'], row['rate'], row['gstRate']])).toEqual([
    ['998212', '25000.00', '18'],
    [undefined, '120000.00', '18'],
  ]);
});

test('a sheet that says Blocked blocks the credit, and one without that column is pasted as before', () => {
  const columns = columnsOf(kindOf('expense'), searches, false, unused);
  const store = createRowStore([]);
  pasteInto({ store, columns, cells: spread('Hire\tCar\t1000\t18\tBlocked\nRent\tMay\t500\t18'), row: 0, column: 0 });
  expect(store.rows().map((row) => row['creditBlocked'])).toEqual(['true', undefined]);
  pasteInto({ store, columns, cells: spread('Hire\tCar\t1000\t18\tsomething else'), row: 1, column: 0 });
  expect(store.rows()[1]?.['creditBlocked']).toBeUndefined();
});
