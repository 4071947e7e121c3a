import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
});
afterAll(() => server.stop());

interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly names: Readonly<Record<string, string>>;
}
const save = async (master: string, values: object, of?: Kept): Promise<Kept> =>
  (await shop.owner.ask('SaveMaster', {
    master,
    values,
    ...(of && { id: of.id, version: of.version }),
  } as never)) as Kept;
const refused = async (prices: readonly object[], more: object = {}) => {
  const answer = await shop.owner.call('SaveMaster', {
    master: 'priceList',
    values: { code: 'BAD', name: 'Bad', side: 'sale', prices, ...more },
  } as never);
  const { problems = [] } = answer.details as { problems?: { field: string; row?: number; message: string }[] };
  return problems.map(({ field, row }) => `${field}${row === undefined ? '' : `/${row}`}`);
};
const goods = (sku: string, more: object = {}) =>
  save('item', {
    ...{ sku, name: `Item ${sku}`, type: 'stock', unit: 'NOS', hsn: '84713010', treatment: 'taxable', gstRate: '18' },
    ...{ saleRate: '100', purchaseRate: '60', ...more },
  });

test('the party’s list is proposed in the editor and decides on the server, narrowest first, by quantity and day', async () => {
  const tools = await save('category', { code: 'TOOLS', name: 'Tools' });
  const drills = await save('category', { code: 'DRILLS', name: 'Drills', parent: tools.id });
  const [named, drill, other] = [await goods('PL1'), await goods('PL2', { category: drills.id }), await goods('PL3')];
  const list = await save('priceList', {
    ...{ code: 'WHOLE', name: 'Wholesale', side: 'sale', validFrom: '2026-04-01', validTo: '2026-12-31' },
    prices: [
      { item: named.id, rate: '90' },
      { item: named.id, from: '10', rate: '82.5' },
      { category: tools.id, discount: '10' },
      { discount: '2' },
    ],
  });
  expect(list.names[`prices.item.${named.id}`]).toBe('Item PL1');
  expect(list.names[`prices.category.${tools.id}`]).toBe('Tools');
  const party = await save('customer', {
    ...{ name: 'Listed', category: 'unregistered', state: '29', priceList: list.id },
  });
  expect(party.names.priceList).toBe('Wholesale');
  const facts = async (of: string) =>
    (await shop.owner.ask('GetEditorFacts', {
      ...{ parties: [of], items: [named.id, drill.id, other.id], ledgers: [], date: '2026-06-10' },
      ...{ kind: 'saleInvoice', party: of, documents: [] },
    } as never)) as { items: { id: string; prices: { party: string; lists: object[] } | null }[] };
  const { items } = await facts(party.id);
  expect(items.find(({ id }) => id === drill.id)?.prices).toMatchObject({
    party: party.id,
    lists: [
      {
        list: {
          name: 'Wholesale',
          currency: 'INR',
          taxInclusive: false,
          validFrom: '2026-04-01',
          validTo: '2026-12-31',
        },
        steps: [
          { rank: 3, from: '0', discount: '10' },
          { rank: 99, from: '0', discount: '2' },
        ],
      },
    ],
  });
  expect((await facts(shop.customer)).items.map(({ prices }) => prices)).toEqual([null, null, null]);
  const sold = async (lines: readonly object[], more: object = {}) => {
    const kind = 'quotation';
    const { TransactionId } = await shop.post({ kind, date: '2026-06-10', party: party.id, lines, ...more });
    const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId })) as {
      lines: { rate: string }[];
    };
    return view.lines.map(({ rate }) => rate);
  };
  const lines = [named, drill, other].map(({ id }) => ({ item: id, quantity: '1' }));
  expect(await sold(lines)).toEqual(['90.00', '90.00', '98.00']);
  expect(await sold([{ item: named.id, quantity: '12' }])).toEqual(['82.50']);
  // what is typed goes before the list, and so does nothing at all on another day or for another party
  expect(await sold([{ item: named.id, quantity: '12', rate: '70' }])).toEqual(['70.00']);
  expect(await sold(lines, { date: '2026-03-31' })).toEqual(['100.00', '100.00', '100.00']);
  expect(await sold(lines, { party: shop.customer })).toEqual(['100.00', '100.00', '100.00']);
  const { priced } = (await shop.owner.ask('GetTaxCalculation', {
    draft: { kind: 'saleInvoice', date: '2026-06-10', ...shop.place, party: party.id, lines },
  } as never)) as { priced: { taxable: string } };
  expect(priced.taxable).toBe('278.00');
  // lists leave the rows out, and say how many use it
  const { rows } = (await shop.owner.ask('ListMasters', { master: 'priceList' })) as { rows: Kept[] };
  expect(rows[0]?.values).toMatchObject({ name: 'Wholesale', parties: 1 });
  expect(rows[0]?.values.prices).toBeUndefined();
  const gone = { master: 'priceList', id: list.id, version: list.version, active: false };
  expect(await shop.owner.call('RetireMaster', gone)).toMatchObject({ details: { code: 'cannotRetire' } });
  const turned = await shop.owner.call('SaveMaster', {
    ...{
      master: 'priceList',
      id: list.id,
      version: list.version,
      values: { ...list.values, parties: undefined, side: 'purchase' },
    },
  } as never);
  expect(turned).toMatchObject({ status: 422, details: { problems: [{ field: 'side' }] } });
  const category = { master: 'category', id: drills.id, version: drills.version, active: false };
  expect(await shop.owner.call('RetireMaster', category)).toMatchObject({ message: expect.stringContaining('PL2') });
  const above = { ...category, id: tools.id, version: tools.version };
  expect(await shop.owner.call('RetireMaster', above)).toMatchObject({
    message: expect.stringContaining('the price list Wholesale names it'),
  });
  const changed = await save(
    'priceList',
    { ...list.values, parties: undefined, prices: [{ item: named.id, rate: '85' }] },
    list,
  );
  const history = (await shop.owner.ask('GetHistory', { master: 'priceList', id: list.id })) as {
    changes: { before: string; after: string }[];
  }[];
  expect(history[0]?.changes[0]).toMatchObject({ before: expect.stringContaining('Tools, 10'), after: 'Item PL1, 85' });
  expect(await sold([{ item: drill.id, quantity: '1' }])).toEqual(['100.00']);
  await save('customer', { ...party.values, priceList: '' }, party);
  await shop.owner.ask('RetireMaster', { ...gone, version: changed.version });
});

test('variants follow the row of their template, purchases a list of their own', async () => {
  const size = await save('attribute', { code: 'SIZE', name: 'Size', values: [{ value: 'S' }, { value: 'L' }] });
  await server.database.owner.query(
    `update organisations set settings = settings || '{"enableVariantsBasedSku": true}'`,
  );
  const shirt = await goods('SHIRT', { attributes: [size.id] });
  const made = (await shop.owner.ask('SaveVariants', {
    item: shirt.id,
    variants: [
      { values: ['S'], sku: 'SHIRT-S' },
      { values: ['L'], sku: 'SHIRT-L' },
    ],
  } as never)) as { variants: { id: string; sku: string }[] };
  const [small, large] = ['SHIRT-S', 'SHIRT-L'].map((sku) => made.variants.find((v) => v.sku === sku)?.id ?? '');
  const list = await save('priceList', {
    ...{ code: 'BUY', name: 'Agreed', side: 'purchase' },
    prices: [
      { item: shirt.id, rate: '55' },
      { item: large, rate: '58' },
    ],
  });
  const supplier = await save('supplier', {
    ...{ name: 'Agreed supplier', category: 'unregistered', state: '29', purchasePriceList: list.id },
  });
  const { TransactionId } = await shop.post({
    ...{ kind: 'purchaseOrder', party: supplier.id },
    lines: [small, large].map((item) => ({ item, quantity: '1' })),
  });
  const { lines } = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId })) as {
    lines: { rate: string }[];
  };
  expect(lines.map(({ rate }) => rate)).toEqual(['55.00', '58.00']);
});

test('a row says one thing of one thing', async () => {
  const item = (await goods('PL9')).id;
  const category = (await save('category', { code: 'PLC', name: 'Listed' })).id;
  expect(await refused([{ item }])).toEqual(['prices.rate/0']);
  expect(await refused([{ item, rate: '5', discount: '5' }])).toEqual(['prices.rate/0']);
  expect(await refused([{ item, category, discount: '5' }])).toEqual(['prices.category/0']);
  expect(
    await refused([
      { item, rate: '5' },
      { category, rate: '5' },
    ]),
  ).toEqual(['prices.item/1']);
  expect(
    await refused([
      { item, rate: '5' },
      { item, from: '0', rate: '6' },
    ]),
  ).toEqual(['prices.item/1']);
  expect(await refused([{ item: crypto.randomUUID(), rate: '5' }])).toEqual(['prices.item/0']);
  expect(await refused([{ item, rate: 'x' }])).toEqual(['prices.rate/0']);
  expect(await refused([], { validFrom: '2026-06-01', validTo: '2026-05-31' })).toEqual(['validTo']);
  expect(await refused([], { currency: 'XXY' })).toEqual(['currency']);
  expect(await refused(Array.from({ length: 2001 }, (_, n) => ({ item, from: String(n), rate: '5' })))).toEqual([
    'prices',
  ]);
});
