import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../contract/contract.ts';
import type { tillCalls } from '../../contract/till.ts';
import { millionths, parseDecimal, percent } from '../../domain/base/decimal.ts';
import { priceRows, stepsOf } from '../../domain/items/item-price.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { pricesText } from '../documents/posting/facts/price-lists.ts';

let server: TestServer;
let shop: Shop;
let accountant: Visitor;
let today: string;
beforeAll(async () => {
  server = await testServer({ autoRoundOffTotals: false });
  shop = await openShop(server);
  accountant = await server.signIn('accountant@sharma.demo');
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  await server.database.owner.query(
    `update organisations set settings = settings || '{"enableVariantsBasedSku": true}'`,
  );
});
afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.stop();
});

const save = async (master: string, values: object): Promise<string> =>
  ((await shop.owner.ask('SaveMaster', { master, values } as never)) as { id: string }).id;
const goods = (sku: string, more: object = {}) =>
  save('item', {
    ...{ sku, name: `Item ${sku}`, type: 'stock', unit: 'NOS', hsn: '84713010', treatment: 'taxable', gstRate: '18' },
    ...{ saleRate: '100', purchaseRate: '60', ...more },
  });
const listed = (code: string, prices: readonly object[], more: object = {}) =>
  save('priceList', { code, name: `List ${code}`, side: 'sale', prices, ...more });
const whole = (text: string | undefined, places: number) => parseDecimal(text ?? '0', places) ?? 0;

test('a till gets the same prices from its copy of the lists as the editor from the server', async () => {
  const size = await save('attribute', { code: 'SIZE', name: 'Size', values: [{ value: 'S' }] });
  const wear = await save('category', { code: 'WEAR', name: 'Wear' });
  const shirts = await save('category', { code: 'SHIRTS', name: 'Shirts', parent: wear });
  const shirt = await goods('SHIRT', { attributes: [size], category: shirts });
  await shop.owner.ask('SaveVariants', { item: shirt, variants: [{ values: ['S'], sku: 'SHIRT-S' }] } as never);
  const [lamp, pen] = [await goods('LAMP', { category: wear }), await goods('PEN')];
  await listed(
    'ALL',
    [{ category: wear, discount: '5' }, { category: shirts, from: '3', discount: '10' }, { discount: '1' }],
    { appliesTo: 'everybody', priority: 3 },
  );
  await listed(
    'TILL',
    [
      { item: shirt, rate: '80' },
      { item: lamp, from: '10', rate: '70.5' },
    ],
    { appliesTo: 'tills' },
  );
  await listed('HERE', [{ item: pen, rate: '9' }], { appliesTo: 'locations', locations: [shop.place.location] });
  await listed('ENDED', [{ discount: '50' }], { appliesTo: 'everybody', validTo: '2020-01-01' });
  await listed('UNUSED', [{ discount: '50' }]);
  const own = await listed('OWN', [{ item: lamp, rate: '60' }]);
  const party = await save('customer', {
    ...{ name: 'Listed', category: 'unregistered', state: '29', priceList: own },
  });
  const ask = (location: string) =>
    shop.owner.ask('ListTillPrices', { location }) as Promise<Answer<(typeof tillCalls)['ListTillPrices']>>;
  const copy = await ask(shop.place.location);
  expect(copy.lists.map(({ list }) => list.name).toSorted()).toEqual([
    ...['List ALL', 'List HERE', 'List OWN', 'List TILL'],
  ]);
  expect(copy.cut).toBe(false);
  const { items } = (await shop.owner.ask('ListTillItems', {})) as {
    items: { id: string; parent: string | null; category: string | null; sku: string }[];
  };
  expect(items.find(({ sku }) => sku === 'SHIRT-S')).toMatchObject({ parent: shirt, category: shirts });
  const facts = (await shop.owner.ask('GetEditorFacts', {
    ...{ parties: [party], items: items.map(({ id }) => id), ledgers: [], date: today, documents: [] },
    ...{ kind: 'posSale', party, location: shop.place.location },
  } as never)) as { items: { id: string; prices: { lists: { list: { id: string; name: string } }[] } }[] };
  const above = new Map(copy.categories.map(({ id, parent }) => [id, parent]));
  for (const item of items) {
    const { lists } = facts.items.find(({ id }) => id === item.id)?.prices ?? { lists: [] };
    expect(lists.map(({ list }) => list.name)).toEqual([
      ...['List OWN', 'List ALL', 'List TILL', 'List HERE', 'List ENDED'],
    ]);
    for (const { list, rows } of copy.lists) {
      const typed = rows.map(({ item: of, category, from, rate, discount }) => ({
        ...{ item: of, category, from: millionths(whole(from, 6)) },
        ...(rate !== undefined && { rate: millionths(whole(rate, 6)) }),
        ...(discount !== undefined && { discount: percent(whole(discount, 4)) }),
      }));
      const here = pricesText(stepsOf(priceRows(list, typed), item, above));
      expect(here).toEqual(lists.find((one) => one.list.id === list.id));
    }
  }
  // the lists apply to a line without a rate too, with or without a party
  const sold = async (lines: readonly object[], more: object = {}) => {
    const { TransactionId } = await shop.post({ kind: 'cashSale', lines, ...more });
    const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId })) as {
      lines: { rate: string }[];
    };
    return view.lines.map(({ rate }) => rate);
  };
  const small = items.find(({ sku }) => sku === 'SHIRT-S')?.id;
  await shop.post({
    kind: 'openingStock',
    lines: [small, lamp, pen].map((item) => ({ item, quantity: '20', rate: '50' })),
  });
  const lines = [small, lamp, pen].map((item) => ({ item, quantity: '3' }));
  const tenders = [{ ledger: await shop.ledger('1110'), amount: '1005.36', mode: 'cash' }];
  expect(await sold(lines, { tenders })).toEqual(['90.00', '95.00', '99.00']);
});

test('what a price list takes off is not the cashier’s discount; below it is', async () => {
  const bulk = await goods('BULK');
  await listed('BULKS', [{ item: bulk, from: '5', rate: '70' }], { appliesTo: 'tills', priority: 9 });
  await shop.post({ kind: 'openingStock', lines: [{ item: bulk, quantity: '50', rate: '50' }] });
  const till = await save('till', {
    ...{ code: 'P1', name: 'Till P1', location: shop.place.location, prices: 'saleRate', printWidth: '80' },
    discountLimit: '5',
  });
  const { session } = (await shop.owner.ask('OpenTill', { till, count: {} })) as { session: string };
  const cash = await shop.ledger('1110');
  const sell = (quantity: string, rate: string, amount: string): Promise<Answered> =>
    accountant.call(
      'PostTransactionCalls',
      {
        document: {
          ...{ kind: 'posSale', date: today, ...shop.place, taxInclusive: true, till: { session } },
          ...{ lines: [{ item: bulk, quantity, rate }], tenders: [{ ledger: cash, amount, mode: 'cash' }] },
        },
      } as never,
      randomUUID(),
    );
  expect(await sell('5', '82.60', '413.00')).toMatchObject({ status: 200 });
  expect(await sell('4', '82.60', '330.40')).toMatchObject({ status: 409, details: { code: 'discountLimit' } });
  expect(await sell('5', '75.00', '375.00')).toMatchObject({ status: 409, details: { code: 'discountLimit' } });
});

test('a list says for whom it is, and names places only where it is for those', async () => {
  const wrong = async (more: object) => {
    const values = { code: 'BAD', name: 'Bad', side: 'sale', prices: [{ discount: '1' }], ...more };
    const { details } = await shop.owner.call('SaveMaster', { master: 'priceList', values } as never);
    return ((details as { problems?: { field: string }[] }).problems ?? []).map(({ field }) => field);
  };
  expect(await wrong({ appliesTo: 'locations' })).toEqual(['locations']);
  expect(await wrong({ appliesTo: 'everybody', locations: [shop.place.location] })).toEqual(['locations']);
  expect(await wrong({ appliesTo: 'tills', side: 'purchase' })).toEqual(['appliesTo']);
  expect(await wrong({ appliesTo: 'nobody' })).toEqual(['appliesTo']);
  // a list for everybody is none that a party names
  const all = await listed('GENERAL', [{ discount: '1' }], { appliesTo: 'everybody' });
  const values = { name: 'Named', category: 'unregistered', state: '29', priceList: all };
  const { details } = await shop.owner.call('SaveMaster', { master: 'customer', values } as never);
  expect(details).toMatchObject({ problems: [{ field: 'priceList' }] });
});
