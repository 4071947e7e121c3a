import { expect, test, vi } from 'vitest';
import { editorSession } from '../../../tools/testing/session.ts';
import { columnsOf } from './lines/columns.ts';
import { chooseCurrency, createModel } from './model.ts';
import { priceModel } from './totals.ts';

test('what is set while a document is typed counts for it at once', () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const before = editorSession({ autoRoundOffTotals: false });
  const model = createModel('saleInvoice', before);
  model.facts.learn({ ledgers: [{ id: 'rent', code: '4100', name: 'Rent', control: null }] } as never);
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { ledgerId: 'rent', ledger: 'Rent', quantity: '1', rate: '99.60', gstRate: '0' });
  expect(priceModel(model)?.total).toBe(9960);
  let changes = 0;
  model.facts.subscribe(() => {
    changes += 1;
  });
  model.renew(before);
  expect(changes).toBe(0);
  model.renew(editorSession({ autoRoundOffTotals: true }));
  expect([changes, priceModel(model)?.total]).toEqual([1, 10000]);
  // what was typed stays
  expect(model.lines.row(key)).toMatchObject({ rate: '99.60', quantity: '1' });
});

test('a chosen currency stays when the customer is found after it; another customer brings their own', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const model = createModel('overseasSale', editorSession({}));
  const abroad = (id: string) => ({ id, name: id, currency: 'USD' });
  const rest = () => new Promise((done) => setTimeout(done));
  chooseCurrency(model, 'EUR');
  model.head.set({ party: 'late', exchangeRate: '91' });
  model.facts.learn({ parties: [abroad('late')] });
  await rest();
  expect(model.head.get()).toMatchObject({ currency: 'EUR', exchangeRate: '91' });
  model.facts.learn({ parties: [abroad('other')] });
  model.head.set({ party: 'other' });
  await rest();
  expect(model.head.get()).toMatchObject({ currency: 'USD', exchangeRate: '' });
});

test('services from abroad are proposed under reverse charge, goods are not, and a choice stands', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const model = createModel('overseasPurchase', editorSession({}));
  const item = (id: string, service: boolean) => ({ id, sku: id, name: id, service });
  const ticked = async () => {
    await new Promise((done) => setTimeout(done));
    return model.head.get()['reverseCharge'] ?? '';
  };
  model.facts.learn({
    parties: [{ id: 'mill', name: 'Mill', currency: 'USD', category: 'overseas' }],
    items: [item('advice', true), item('fan', false)],
  } as never);
  model.head.set({ party: 'mill' });
  expect(await ticked()).toBe('');
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { itemId: 'advice' });
  expect(await ticked()).toBe('true');
  model.lines.set(key, { itemId: 'fan' });
  expect(await ticked()).toBe('');
  model.lines.set(key, { itemId: 'advice' });
  expect(await ticked()).toBe('true');
  model.head.set({ reverseCharge: '' });
  expect(await ticked()).toBe('');
});

test('the usual TDS section of a supplier is proposed, not on money that settles documents, and a choice stands', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const session = editorSession({ tdsadjustments: true });
  const proposed = async (model: ReturnType<typeof createModel>) => {
    await new Promise((done) => setTimeout(done));
    return model.head.get()['tdsSection'] ?? '';
  };
  const suppliers = [
    { id: 'builder', name: 'Builder', currency: 'INR', tdsSection: '194C' },
    { id: 'lawyer', name: 'Lawyer', currency: 'INR', tdsSection: '194J(b)' },
    { id: 'mill', name: 'Mill', currency: 'INR', tdsSection: null },
  ];
  const modelOf = (kind: 'purchaseBill' | 'payment', by = session) => {
    const model = createModel(kind, by);
    model.facts.learn({ parties: suppliers } as never);
    return model;
  };
  const bill = modelOf('purchaseBill');
  const seen: string[] = [];
  for (const party of ['builder', 'lawyer', 'mill', 'builder']) {
    bill.head.set({ party });
    seen.push(await proposed(bill));
  }
  expect(seen).toEqual(['194C', '194J(b)', '', '194C']);
  bill.head.set({ tdsSection: '' });
  expect(await proposed(bill)).toBe('');
  const payment = modelOf('payment');
  payment.head.set({ party: 'builder' });
  expect(await proposed(payment)).toBe('194C');
  payment.allocations.add({ item: 'bill/0', amount: '10' });
  expect(await proposed(payment)).toBe('');
  const off = modelOf('purchaseBill', editorSession({ tdsadjustments: false }));
  off.head.set({ party: 'builder' });
  expect(await proposed(off)).toBe('');
  // what was kept stays as it was kept
  const empty = { charges: [], adjustments: [], tenders: [], allocations: [] };
  const kept = createModel('purchaseBill', session, {
    ...{ kind: 'purchaseBill', head: { party: 'builder' }, lines: [], ...empty },
  } as never);
  kept.facts.learn({ parties: suppliers } as never);
  expect(await proposed(kept)).toBe('');
});

test('a line of a journal knows whether its ledger holds accounts of parties, and Enter passes over the party of others', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const model = createModel('manualJournal', editorSession({}));
  const ledger = (id: string, control: string | null, keeps: string | null = null) => ({
    id,
    name: id,
    control,
    keeps,
  });
  model.facts.learn({
    ledgers: [ledger('rent', null), ledger('debtors', 'customer'), ledger('advances', null, 'advanceReceived')],
  } as never);
  const nothing = async () => ({ rows: [], total: 0 });
  const searches = { items: nothing, ledgers: nothing, parties: nothing, rooms: nothing, costCentres: nothing };
  const used = { batches: false, serials: false, rooms: false, costCentres: false };
  const createItem = { label: 'Create item', run: () => undefined };
  const party = columnsOf(model.kind, { ...searches, createItem }, false, used).find(({ key }) => key === 'party');
  const [key = ''] = model.lines.keys();
  const passed: (boolean | undefined)[] = [];
  for (const ledgerId of ['rent', 'debtors', 'advances']) {
    model.lines.set(key, { ledger: ledgerId, ledgerId });
    await new Promise((done) => setTimeout(done));
    passed.push(party?.passed?.(model.lines.row(key) as never));
  }
  expect(passed).toEqual([true, false, false]);
});
