import { expect, test, vi } from 'vitest';
import type { Session } from '../../../contract/session.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { pasteInto, spread } from '../../kit/grid/gridPaste.ts';
import { columnsOf } from './lines/columns.ts';
import { createModel } from './model.ts';
import { followLeaving, judged } from './posting/judging.ts';
import { priceModel, uncounted } from './totals.ts';

const session = {
  ...{ today: '2026-06-10', locations: [], registrations: [], physicalLocation: null, taxLocation: null },
  settings: { autoRoundOffTotals: false, trackInventory: false },
  limits: { discount: null, days: null, cost: 'all' },
} as unknown as Session;
const item = (prices: object | null) => ({
  ...{ id: 'lamp', sku: 'LAMP', name: 'Lamp', unit: 'NOS', units: { NOS: '1/1', BOX: '12/1' }, hsn: '9405' },
  ...{ treatment: 'taxable', gstRate: '18', cessRate: '0', cessPerUnit: '0', saleRate: '100.00', stocked: true },
  ...{ onHand: '5', prices },
});
const list = {
  id: 'l',
  appliesTo: 'parties',
  priority: 0,
  name: 'Wholesale',
  currency: 'INR',
  taxInclusive: false,
  validFrom: null,
  validTo: '2026-06-30',
};
const listed = (party: string) => ({
  ...{ party, location: '' },
  lists: [
    {
      list,
      steps: [
        { rank: 0, from: '0', rate: '90.00' },
        { rank: 0, from: '10', rate: '80.00' },
      ],
    },
  ],
});
const party = (id: string, priceList: object | null) => ({ id, name: id, code: id, state: '29', priceList });

const found = async (text: string) => ({
  rows: text === 'LAMP' ? [{ id: 'lamp', name: 'Lamp', code: 'LAMP' }] : [],
  total: 1,
});
const nothing = async () => ({ rows: [], total: 0 });
const searches = {
  ...{ items: found, ledgers: nothing, parties: nothing, rooms: nothing, costCentres: nothing },
  createItem: { label: 'Create item', run: () => undefined },
};

/** An editor in which the lamp is picked; the server never answers: what it says is given by the test. */
const editor = () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const model = createModel('saleInvoice', session);
  const key = model.lines.keys()[0] ?? '';
  model.lines.set(key, { item: 'Lamp', itemId: 'lamp', filled: '' });
  const settled = () => new Promise((done) => setTimeout(done));
  const type = async (patch: Record<string, string>) => {
    model.lines.set(key, patch);
    await settled();
    return row();
  };
  const head = async (patch: Record<string, string>) => {
    model.head.set(patch);
    await settled();
    return row();
  };
  const learn = async (facts: object) => {
    model.facts.learn(facts as never);
    await settled();
    return row();
  };
  /** Pastes the text of a sheet on a cell of the line. */
  const paste = async (text: string, on: string) => {
    const columns = columnsOf(kindOf('saleInvoice'), searches, false, {
      batches: false,
      serials: false,
      rooms: false,
      costCentres: false,
    });
    const column = columns.findIndex((each) => each.key === on);
    pasteInto({ store: model.lines, columns, cells: spread(text), row: 0, column });
    await settled();
    await settled();
    const { unit = '', rate = '', quantity = '' } = { ...model.lines.row(key) };
    return [quantity, unit, rate];
  };
  const row = () => {
    const { rate = '', priceList = '' } = { ...model.lines.row(key) };
    return [rate, priceList];
  };
  return { model, type, head, learn, paste };
};

test('a rate that nobody typed follows party, quantity, unit and day; one that was typed stays', async () => {
  const { type, head, learn } = editor();
  expect(await learn({ items: [item(null)] })).toEqual(['100.00', '']);
  await head({ party: 'asha' });
  expect(await learn({ parties: [party('asha', list)], items: [item(listed('asha'))] })).toEqual([
    '90.00',
    'Wholesale',
  ]);
  expect(await type({ quantity: '12' })).toEqual(['80.00', 'Wholesale from 10']);
  expect(await type({ quantity: '1', unit: 'BOX' })).toEqual(['960.00', 'Wholesale from 10']);
  expect(await type({ unit: 'NOS' })).toEqual(['90.00', 'Wholesale']);
  expect(await head({ date: '2026-07-01' })).toEqual(['100.00', '']);
  expect(await head({ date: '2026-06-30' })).toEqual(['90.00', 'Wholesale']);
  // typed: neither quantity nor day changes it, another unit tells it for that unit
  expect(await type({ rate: '85' })).toEqual(['85', '']);
  expect(await type({ quantity: '12' })).toEqual(['85', '']);
  expect(await type({ unit: 'BOX' })).toEqual(['1020.00', '']);
  // emptied: stays so
  expect(await type({ unit: 'NOS', rate: '' })).toEqual(['', '']);
  expect(await type({ quantity: '3' })).toEqual(['', '']);
  // another party: the prices of the one before do not apply
  await type({ rate: '90.00' });
  expect(await head({ party: 'other' })).toEqual(['100.00', '']);
});

test('a rate that is pasted with a unit is the rate of that unit', async () => {
  const { learn, paste, type } = editor();
  await learn({ items: [item(null)] });
  expect(await paste('LAMP\t\t1\tBOX\t1260', 'item')).toEqual(['1', 'BOX', '1260.00']);
  // also without its item, and when the figure is the one shown for another unit, typed or offered
  expect(await paste('2\tNOS\t95', 'quantity')).toEqual(['2', 'NOS', '95.00']);
  expect(await paste('2\tBOX\t95', 'quantity')).toEqual(['2', 'BOX', '95.00']);
  expect(await paste('2\tNOS\t100', 'quantity')).toEqual(['2', 'NOS', '100.00']);
  expect(await paste('2\tBOX\t100', 'quantity')).toEqual(['2', 'BOX', '100.00']);
  expect(await paste('3', 'quantity')).toEqual(['3', 'BOX', '100.00']);
  // a unit that comes alone applies to the rate that is there, and is typed after it
  expect(await paste('2\tNOS', 'quantity')).toEqual(['2', 'NOS', '8.333333']);
  await type({ unit: 'NOS', rate: '50' });
  expect((await type({ unit: 'BOX' }))[0]).toBe('600.00');
  expect((await type({ rate: '610' }))[0]).toBe('610');
});

test('the rate of a line that carries out an order is converted to another unit, and is not offered anew', async () => {
  const { learn, type } = editor();
  await type({ source: 'order/1', unit: 'NOS', rate: '50.00' });
  await learn({ items: [item(null)] });
  expect((await type({ quantity: '2' }))[0]).toBe('50.00');
  expect((await type({ unit: 'BOX' }))[0]).toBe('600.00');
  expect((await type({ unit: 'NOS' }))[0]).toBe('50.00');
});

test('in a unit that the item has not the rate stays as it is', async () => {
  const { learn, type } = editor();
  await learn({ items: [item(null)] });
  await type({ unit: 'BOX' });
  await type({ rate: '1260' });
  expect((await type({ unit: 'PAIR' }))[0]).toBe('1260');
  expect((await type({ quantity: '2' }))[0]).toBe('1260');
  expect((await type({ unit: 'NOS' }))[0]).toBe('105.00');
});

test('prices wait for the exchange rate and follow it', async () => {
  const { learn, head } = editor();
  await head({ currency: 'USD', exchangeRate: '' });
  expect((await learn({ items: [item(null)] }))[0] ?? '').toBe('');
  expect(await head({ exchangeRate: '80' })).toEqual(['1.25', '']);
  expect(await head({ exchangeRate: '50' })).toEqual(['2.00', '']);
});

test('the list of a party says whether rates have the tax in them, until somebody chooses', async () => {
  const { model, head, learn } = editor();
  const inclusive = { ...list, taxInclusive: true };
  const taxInclusive = () => model.head.get()['taxInclusive'] ?? '';
  await head({ party: 'asha' });
  await learn({ parties: [party('asha', inclusive), party('other', null)] });
  expect(taxInclusive()).toBe('true');
  await head({ party: 'other' });
  expect(taxInclusive()).toBe('');
  await head({ party: 'asha' });
  expect(taxInclusive()).toBe('true');
  await head({ taxInclusive: '' });
  await learn({ items: [item({ ...listed('asha'), list: inclusive })] });
  expect(taxInclusive()).toBe('');
});

test('the default terms are proposed for a new document once; what is emptied or kept stays as it is', async () => {
  const { model, head, learn } = editor();
  const terms = () => model.head.get()['terms'] ?? '';
  await learn({ items: [item(null)] });
  expect(terms()).toBe('');
  await learn({ terms: 'Pay in 30 days' });
  expect(terms()).toBe('Pay in 30 days');
  await head({ terms: '' });
  await learn({ terms: 'Pay in 30 days' });
  expect(terms()).toBe('');
  const kept = createModel('saleInvoice', session, {
    ...{
      kind: 'saleInvoice',
      head: { party: 'asha' },
      lines: [],
      charges: [],
      adjustments: [],
      tenders: [],
      allocations: [],
    },
  });
  kept.facts.learn({ terms: 'Pay in 30 days' });
  await new Promise((done) => setTimeout(done));
  expect(kept.head.get()['terms'] ?? '').toBe('');
});

test.each([
  ['rate', 'SW-6A'],
  ['rate', '5%'],
  ['quantity', 'gey'],
])('a line with letters in its %s (%s) is marked when the cell is left, and is not counted', async (field, text) => {
  const { model, learn, type } = editor();
  await learn({ items: [item(null)] });
  model.lines.add({ item: 'Lamp', itemId: 'lamp', quantity: '2', rate: '10.00' });
  await type({});
  const gross = () => priceModel(model)?.gross;
  expect(gross()).toBe(12000);
  const leaving = followLeaving(model);
  const stop = leaving.listen();
  await type({ [field]: text });
  leaving.leave(true);
  expect(judged(model, [], leaving.left)).toMatchObject([{ field, row: 0, message: expect.stringContaining(text) }]);
  expect([gross(), uncounted(model)]).toEqual([2000, [1]]);
  stop();
});

test('last price: a line in boxes is proposed that of a box, one in pieces that of a piece, and none of another unit', async () => {
  const { model, type, learn } = editor();
  const last = [
    { rate: '1080.00', unit: 'BOX', inclusive: false, date: '2026-06-02' },
    { rate: '95.00', unit: 'NOS', inclusive: false, date: '2026-05-02' },
  ];
  const beside = () => model.lines.rows().map(({ lastRate, lastUnit = '' }) => [lastRate, lastUnit])[0];
  await learn({ items: [{ ...item(null), saleRate: null, lastPrices: last }] });
  expect(await type({})).toEqual(['95.00', '']);
  expect(beside()).toEqual(['95.00', '']);
  expect(await type({ unit: 'BOX' })).toEqual(['1080.00', '']);
  expect(beside()).toEqual(['1080.00', '']);
  // only a box was ever sold: that is shown as the price of a box
  await learn({ items: [{ ...item(null), saleRate: null, lastPrices: last.slice(0, 1) }] });
  await type({ unit: 'NOS' });
  expect(beside()).toEqual(['1080.00', 'BOX']);
});
