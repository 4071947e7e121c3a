import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let today: string;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  await save('unit', { code: 'BOX', name: 'Box', uqc: 'BOX', decimals: 0 });
  await save('unitConversion', { from: 'BOX', to: 'NOS', factor: '10', item: shop.item });
});
afterAll(() => server.stop());

interface Wrong {
  readonly field: string;
  readonly row?: number;
  readonly message: string;
}
const save = (master: string, values: object) => shop.owner.call('SaveMaster', { master, values } as never);
const problemsOf = ({ details }: { details: unknown }): readonly Wrong[] =>
  (details as { problems?: readonly Wrong[] }).problems ?? [];
const whole = (unit: string) => expect.stringContaining(`${unit} is counted in whole numbers`);

const counted = kindNames.filter((name) => ['items', 'stock'].includes(kindOf(name).lines.of));
describe('half a piece on a line of a document', () => {
  test.each(counted)('%s', async (kind) => {
    const line = (quantity: string, more: object = {}) =>
      shop.owner.call('GetTaxCalculation', {
        draft: {
          ...{ kind, date: today, ...shop.place, party: shop.customer },
          lines: [{ item: shop.item, quantity, delta: quantity, rate: '95', ...more }],
        },
      } as never);
    const said = async (...asked: Parameters<typeof line>) =>
      problemsOf(await line(...asked))
        .filter(({ message }) => message.includes('counted in whole numbers'))
        .map(({ field }) => field);
    const at = ['lines.quantity', 'lines.delta'];
    expect(await said('0.5')).toEqual(at);
    expect(await said('1.5', { unit: 'BOX' })).toEqual(at);
    expect(await said('2')).toEqual([]);
    expect(await said('1', { batches: [{ batch: 'LOT', quantity: '0.5' }] })).toEqual(['lines.batches']);
    expect(await said('1', { freeQuantity: '0.5' })).toEqual(['lines.freeQuantity']);
  });
});

describe('half a piece in a master', () => {
  const item = (more: object) => ({
    ...{ sku: `D-${crypto.randomUUID().slice(0, 8)}`, name: 'Lamp', type: 'stock', unit: 'NOS' },
    ...{ hsn: '85395000', treatment: 'taxable', gstRate: '18', ...more },
  });
  test.each<[string, string, () => object, Partial<Wrong>]>([
    ['reorder level', 'item', () => item({ reorderLevel: '2.5' }), { field: 'reorderLevel' }],
    [
      'reorder level of a location',
      'item',
      () => item({ reorderLevels: [{ location: shop.place.location, level: '2.5' }] }),
      { field: 'reorderLevels.level', row: 0 },
    ],
    [
      'fill up to',
      'item',
      () => item({ reorderLevels: [{ location: shop.place.location, level: '2', upTo: '7.5' }] }),
      { field: 'reorderLevels.upTo', row: 0 },
    ],
    [
      'price list, from a quantity on',
      'priceList',
      () => ({
        ...{ code: 'HALF', name: 'Halves', side: 'sale', currency: 'INR' },
        prices: [{ item: shop.item, from: '2.5', rate: '90' }],
      }),
      { field: 'prices.from', row: 0 },
    ],
    [
      'conversion into whole pieces',
      'unitConversion',
      () => ({ from: 'BOX', to: 'NOS', factor: '2.5' }),
      { field: 'factor' },
    ],
  ])('%s', async (_, master, values, problem) => {
    const answer = await save(master, values());
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)).toEqual([{ ...problem, message: whole('NOS') }]);
  });

  test('what has as many decimals as its unit is kept', async () => {
    const fits = { reorderLevel: '3', reorderLevels: [{ location: shop.place.location, level: '2', upTo: '7' }] };
    expect(await save('item', item(fits))).toMatchObject({ status: 200 });
  });
});

test('half a piece that was counted', async () => {
  const made = await shop.owner.ask('MakeCountSheet', { location: shop.place.location } as never);
  const { id } = made as { id: string };
  const enter = (quantity: string, unit?: string) =>
    shop.owner.call('EnterCount' as 'Pick', { id, line: 1, quantity, ...(unit && { unit }) } as never);
  for (const [quantity, unit] of [
    ['99.5', undefined],
    ['9.5', 'BOX'],
  ] as const) {
    const answer = await enter(quantity, unit);
    expect([answer.status, problemsOf(answer)]).toEqual([422, [{ field: 'quantity', message: whole(unit ?? 'NOS') }]]);
  }
  expect((await enter('99')).status).toBe(200);
  const scanned = await shop.owner.call('ScanCount' as 'Pick', { id, code: 'LED-9W', quantity: '0.5' } as never);
  expect([scanned.status, problemsOf(scanned)[0]?.field]).toEqual([422, 'quantity']);
});

describe('the code of an item, a category and a charge is checked as that of a line', () => {
  const coded = (type: string, hsn: string) => ({
    ...{ sku: `H-${type}-${hsn}`, name: 'Thing', type, unit: 'NOS', treatment: 'taxable', gstRate: '18', hsn },
  });
  test.each<[string, object, string | undefined]>([
    ['item', coded('stock', '84145120'), undefined],
    ['item', coded('stock', '00000000'), 'chapter 00'],
    ['item', coded('nonStock', '77777777'), 'chapter 77'],
    ['item', coded('stock', '998314'), 'SAC'],
    ['item', coded('service', '84145120'), 'SAC'],
    ['item', coded('service', '998314'), undefined],
    ['category', { code: 'BAD', name: 'Bad', hsn: '77777777' }, 'chapter 77'],
    ['category', { code: 'GOOD', name: 'Good', hsn: '8414' }, undefined],
  ])('%s %j: %s', async (master, values, said) => {
    const answer = await save(master, values);
    if (said === undefined) return expect(answer.status).toBe(200);
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)).toEqual([{ field: 'hsn', message: expect.stringContaining(said) }]);
  });
});

test('a factor that documents were entered with stays, also when its conversion comes back', async () => {
  const lines = [{ item: shop.item, quantity: '2', unit: 'BOX', rate: '900' }];
  await shop.post({ kind: 'saleOrder', party: shop.customer, lines });
  const { rows } = (await shop.owner.ask('ListMasters', { master: 'unitConversion' } as never)) as unknown as {
    rows: { id: string; version: number; values: { factor: string } }[];
  };
  const kept = rows[0];
  const values = { from: 'BOX', to: 'NOS', factor: '12', item: shop.item };
  const changed = { master: 'unitConversion', id: kept?.id, version: kept?.version, values };
  const refused = await shop.owner.call('SaveMaster', changed as never);
  expect(problemsOf(refused)).toMatchObject([
    { field: 'factor', message: expect.stringContaining('10 NOS in 1 BOX: keep this factor') },
  ]);
  await shop.owner.ask('RetireMaster', { master: 'unitConversion', id: kept?.id, version: kept?.version } as never);
  expect(problemsOf(await save('unitConversion', values))).toMatchObject([{ field: 'factor' }]);
  expect((await save('unitConversion', { ...values, factor: '10' })).status).toBe(200);
});
