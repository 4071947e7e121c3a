import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { stopPrinter } from '../paper/index.ts';

let server: TestServer;
let shop: Shop;
let owner: Visitor;
/** Each test has a shop of its own: switches of its organisation stay on once they are used. */
beforeEach(async () => {
  server = await testServer();
  shop = await openShop(server);
  owner = shop.owner;
});
afterEach(async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});
afterAll(stopPrinter);

type Kept = { id: string; version: number; values: Record<string, unknown>; fixed: Record<string, string> };
const save = (master: string, values: Record<string, unknown>, known?: Kept) =>
  owner.call('SaveMaster', { master, values, ...(known && { id: known.id, version: known.version }) });
const kept = async (master: string, values: Record<string, unknown>, known?: Kept) => {
  const answer = await save(master, values, known);
  expect(answer, JSON.stringify(answer.details)).toMatchObject({ status: 200 });
  return answer.details as Kept;
};
const opened = (master: string, id: string) => owner.ask('GetMaster', { master, id }) as Promise<Kept>;
const turnOn = async (values: Record<string, unknown>) => {
  const { version } = (await owner.ask('GetGeneralConfigDetails', {})) as { version: number };
  return owner.call('SaveGeneralConfigDetails', { version, values });
};
const problems = (answer: { details: unknown }) =>
  (answer.details as { problems: { field: string; row?: number; message: string }[] }).problems;

interface Variants {
  attributes: { id: string; values: { value: string }[] }[];
  variants: {
    id: string;
    version: number;
    values: string[];
    sku: string;
    barcode: string;
    saleRate: string | null;
    onHand: string;
    active: boolean;
  }[];
}
const variantsOf = (item: string) => owner.ask('GetVariants', { item }) as Promise<Variants>;

const shirtValues = {
  ...{ sku: 'SHIRT', name: 'Oxford shirt', type: 'stock', unit: 'NOS', hsn: '62052000', treatment: 'taxable' },
  ...{ gstRate: '5', saleRate: '999.00', purchaseRate: '450.00' },
};
const row = (sku: string, ...values: string[]) => ({ sku, values });
const shirtRows = [
  { ...row('SHIRT-BLU-M', 'Blue', 'M'), barcode: '8901030865237', saleRate: '1099' },
  row('SHIRT-BLU-L', 'Blue', 'L'),
  row('SHIRT-WHITE-M', 'White', 'M'),
];
/** Colour and size, of two values each and more colours. */
const coloursAndSizes = async (...colours: string[]): Promise<string[]> => {
  const colour = await kept('attribute', {
    code: 'COLOUR',
    name: 'Colour',
    values: [{ value: 'Blue', code: 'BLU' }, { value: 'White' }, ...colours.map((value) => ({ value }))],
  });
  const size = await kept('attribute', { code: 'SIZE', name: 'Size', values: [{ value: 'M' }, { value: 'L' }] });
  return [colour.id, size.id];
};
/** A shirt with three variants. */
const shirtWithVariants = async (...colours: string[]): Promise<Kept> => {
  const attributes = await coloursAndSizes(...colours);
  expect((await turnOn({ enableVariantsBasedSku: true })).status).toBe(200);
  const shirt = await kept('item', { ...shirtValues, attributes });
  await owner.ask('SaveVariants', { item: shirt.id, variants: shirtRows });
  return shirt;
};
const bringIn = (item: string) =>
  owner.call(
    'PostTransactionCalls',
    {
      document: {
        kind: 'openingStock',
        date: '2026-11-01',
        currency: 'INR',
        exchangeRate: '1',
        ...shop.place,
        lines: [{ item, quantity: '5', rate: '450' }],
      },
    } as never,
    randomUUID(),
  );

test('attributes make variants once they are switched on; each is an item of its own, the template is none', async () => {
  const attributes = await coloursAndSizes();
  const off = await save('item', { ...shirtValues, attributes });
  expect(problems(off)).toContainEqual({
    field: 'attributes',
    message: 'Variants are switched off in the configuration',
  });
  expect((await turnOn({ enableVariantsBasedSku: true })).status).toBe(200);
  const shirt = await kept('item', { ...shirtValues, attributes });

  const fresh = await variantsOf(shirt.id);
  expect(fresh.attributes.map(({ values }) => values.length)).toEqual([2, 2]);
  expect(fresh.variants).toEqual([]);
  expect(await owner.ask('SaveVariants', { item: shirt.id, variants: shirtRows })).toMatchObject({
    made: 3,
    changed: 0,
  });
  const { variants } = await variantsOf(shirt.id);
  expect(variants.map(({ sku, values, saleRate, barcode }) => ({ sku, values, saleRate, barcode }))).toEqual([
    { sku: 'SHIRT-BLU-L', values: ['Blue', 'L'], saleRate: '999.00', barcode: '' },
    { sku: 'SHIRT-BLU-M', values: ['Blue', 'M'], saleRate: '1099.00', barcode: '8901030865237' },
    { sku: 'SHIRT-WHITE-M', values: ['White', 'M'], saleRate: '999.00', barcode: '' },
  ]);

  const found = (await owner.ask('GetItemListForTransactionsWithPagination', { search: 'shirt' })) as {
    rows: { code: string }[];
  };
  expect(found.rows.map(({ code }) => code).sort()).toEqual(['SHIRT-BLU-L', 'SHIRT-BLU-M', 'SHIRT-WHITE-M']);
  const refused = await bringIn(shirt.id);
  expect(problems(refused)[0]).toMatchObject({
    field: 'lines.item',
    message: 'SHIRT has variants: choose one of them',
  });
  expect((await bringIn(variants[0]?.id ?? '')).status).toBe(200);
  const sale = await owner.call(
    'PostTransactionCalls',
    {
      document: {
        kind: 'saleInvoice',
        date: '2026-11-02',
        currency: 'INR',
        exchangeRate: '1',
        party: shop.customer,
        ...shop.place,
        lines: [{ item: variants[0]?.id, quantity: '2' }],
      },
    } as never,
    randomUUID(),
  );
  expect(sale.status, JSON.stringify(sale)).toBe(200);
  expect((await variantsOf(shirt.id)).variants[0]?.onHand).toBe('3');
  expect(await owner.ask('GetItemView', { id: shirt.id })).toMatchObject({
    ...{ hasVariants: true, template: null, onHand: '3' },
    variants: [{ sku: 'SHIRT-BLU-L', onHand: '3' }, { sku: 'SHIRT-BLU-M' }, { sku: 'SHIRT-WHITE-M', onHand: '0' }],
  });
  expect(await owner.ask('GetItemView', { id: variants[1]?.id ?? '' })).toMatchObject({
    ...{ hasVariants: false, template: { id: shirt.id, name: 'Oxford shirt' } },
    barcodes: [{ barcode: '8901030865237', unit: 'NOS' }],
  });
});

test('what variants share follows the template; what is used can no longer change, and says why', async () => {
  const shirt = await shirtWithVariants();
  const [blueL] = (await variantsOf(shirt.id)).variants;
  expect((await bringIn(blueL?.id ?? '')).status).toBe(200);
  const { fixed } = await opened('item', shirt.id);
  expect(fixed).toMatchObject({
    attributes: 'variants are made of them',
    unit: 'its stock has moved in this unit; add another item',
  });
  const now = await opened('item', shirt.id);
  const changed = await kept('item', { ...now.values, hsn: '62059090', gstRate: '12', saleRate: '1200' }, now);
  expect(changed.values).toMatchObject({ hsn: '62059090' });
  const { variants } = await variantsOf(shirt.id);
  const one = await opened('item', variants[1]?.id ?? '');
  expect(one.values).toMatchObject({
    sku: 'SHIRT-BLU-M',
    hsn: '62059090',
    gstRate: '12',
    saleRate: '1099.00',
    barcode: '8901030865237',
  });
  expect(one.fixed).toMatchObject({
    hsn: 'it follows the item whose variant this is',
    attributes: 'it is a variant itself',
  });
  expect(problems(await save('item', { ...one.values, gstRate: '18' }, one))).toEqual([
    { field: 'gstRate', message: 'GST % cannot be changed any more: it follows the item whose variant this is' },
  ]);
  await kept('item', { ...one.values, mrp: '1299' }, one);
  const again = await kept('item', { ...changed.values, gstRate: '5' }, changed);
  expect((await opened('item', one.id)).values).toMatchObject({ gstRate: '5', mrp: '1299' });
  expect(again.values.gstRate).toBe('5');

  const colours = (await owner.ask('ListMasters', { master: 'attribute', search: 'colour' })) as { rows: Kept[] };
  const [colour] = colours.rows as [Kept];
  expect(problems(await save('attribute', { ...colour.values, values: [{ value: 'White' }] }, colour))).toEqual([
    { field: 'values', message: 'The value Blue stays as it is: Oxford shirt Blue L is made of it' },
  ]);
  await kept(
    'attribute',
    { ...colour.values, values: [{ value: 'Blue', code: 'BLU' }, { value: 'White' }, { value: 'Red' }] },
    colour,
  );
  expect(
    await owner.call('RetireMaster', { master: 'item', id: shirt.id, version: again.version, active: false }),
  ).toMatchObject({
    status: 409,
    message: 'Oxford shirt cannot be retired: its variant SHIRT-BLU-L is active',
  });
  expect(await turnOn({ enableVariantsBasedSku: false })).toMatchObject({
    status: 409,
    message: 'Variants cannot be changed any more: the item Oxford shirt has variants',
  });
});

test('variants are checked row by row and all or none is kept', async () => {
  const shirt = await shirtWithVariants('Red');
  const [blueL] = (await variantsOf(shirt.id)).variants;
  expect((await bringIn(blueL?.id ?? '')).status).toBe(200);
  const { variants } = await variantsOf(shirt.id);
  const [{ onHand: _, ...first }, second] = variants as [Variants['variants'][number], Variants['variants'][number]];
  const wrong = await owner.call('SaveVariants', {
    item: shirt.id,
    variants: [
      { values: ['Red', 'M'], sku: 'LED-9W' },
      { values: ['Red', 'L'], sku: 'SHIRT-RED-L', barcode: '8901030865238' },
      { values: ['Green', 'L'], sku: 'SHIRT-GRN-L' },
      { values: ['Blue', 'M'], sku: 'SHIRT-BLU-M2' },
      { ...first, saleRate: first.saleRate ?? '0', active: false },
    ],
  });
  expect(wrong.status).toBe(422);
  expect(
    problems(wrong)
      .map(({ field, row }) => [field, row])
      .sort(),
  ).toEqual([
    ['variants.active', 4],
    ['variants.barcode', 1],
    ['variants.sku', 0],
    ['variants.values', 2],
    ['variants.values', 3],
  ]);
  const change = {
    id: second.id,
    version: second.version,
    values: second.values,
    sku: 'SHIRT-BLUE-M',
    barcode: second.barcode,
    saleRate: '1150',
    active: false,
  };
  expect(await owner.ask('SaveVariants', { item: shirt.id, variants: [change] })).toMatchObject({
    made: 0,
    changed: 1,
  });
  expect((await owner.call('SaveVariants', { item: shirt.id, variants: [change] })).message).toMatch(
    /Ravi Sharma has changed this record/,
  );
  expect((await variantsOf(shirt.id)).variants[1]).toMatchObject({
    sku: 'SHIRT-BLUE-M',
    saleRate: '1150.00',
    active: false,
    barcode: '8901030865237',
  });
  const stranger = await server.signIn('owner@nova.demo');
  expect((await stranger.call('GetVariants', { item: shirt.id })).status).toBe(404);
  expect((await stranger.call('SaveVariants', { item: shirt.id, variants: [] })).status).toBe(404);
});

interface Row {
  id: string;
  item: string;
  sku: string;
  barcode: string;
  unit: string;
  main: boolean;
  symbology: string;
}
const list = async (input: Record<string, unknown> = {}) =>
  ((await owner.ask('ListBarcodes', input)) as { rows: Row[] }).rows;

test('an item has several barcodes, each once in the organisation; a scan finds the item and its unit', async () => {
  const shirt = await shirtWithVariants();
  expect((await owner.call('GenerateBarcodes', { items: [shop.item] })).message).toBe('This needs the module Barcode');
  expect((await turnOn({ enableBarCode: true })).status).toBe(200);
  const without = await list({ only: 'without' });
  const made = (await owner.ask('GenerateBarcodes', { items: without.map((row) => row.item) })) as {
    made: number;
    left: unknown[];
  };
  expect(made).toEqual({ made: without.length, left: [] });
  expect(await list({ only: 'without' })).toEqual([]);
  const [led] = (await list({ search: 'LED-9W' })) as [Row];
  expect(led).toMatchObject({
    main: true,
    symbology: 'ean13',
    unit: 'NOS',
    barcode: expect.stringMatching(/^20\d{11}$/),
  });
  expect((await owner.ask('GenerateBarcodes', { items: [shop.item] })) as object).toEqual({
    made: 0,
    left: [{ sku: 'LED-9W', reason: 'it has a barcode already' }],
  });

  expect(problems(await owner.call('SaveBarcode', { item: shop.item, barcode: 'LED-BOX', unit: 'BOX' }))).toEqual([
    { field: 'unit', message: 'BOX is no unit of LED-9W: add a unit conversion first' },
  ]);
  await kept('unitConversion', { from: 'BOX', to: 'NOS', factor: '12', item: shop.item });
  const box = (await owner.ask('SaveBarcode', { item: shop.item, barcode: 'LED-BOX', unit: 'BOX' })) as Row;
  expect(box).toMatchObject({ unit: 'BOX', symbology: 'code128', main: false, saleRate: null });
  expect(problems(await owner.call('SaveBarcode', { item: shop.item, barcode: '8901030865237' }))[0]?.message).toBe(
    'Oxford shirt Blue M already has this barcode',
  );
  expect(
    problems(
      await save(
        'item',
        { ...(await opened('item', shop.item)).values, barcode: 'LED-BOX' },
        await opened('item', shop.item),
      ),
    )[0],
  ).toEqual({ field: 'barcode', message: 'This Barcode is already used' });
  expect(await owner.ask('FindBarcode', { code: ' ]C0LED-BOX\n' })).toEqual({
    found: { item: shop.item, sku: 'LED-9W', name: 'LED bulb 9 W', unit: 'BOX', barcode: 'LED-BOX' },
  });
  expect(await owner.ask('FindBarcode', { code: led.barcode })).toMatchObject({
    found: { item: shop.item, unit: 'NOS' },
  });
  // the code of an inactive item is not sold
  const { onHand: _, ...blueM } = (await variantsOf(shirt.id)).variants[1] as Variants['variants'][number];
  await owner.ask('SaveVariants', {
    item: shirt.id,
    variants: [{ ...blueM, saleRate: blueM.saleRate ?? '0', active: false }],
  });
  expect(await owner.ask('FindBarcode', { code: '8901030865237' })).toEqual({ found: null });
  const stranger = await server.signIn('owner@nova.demo');
  expect(await stranger.ask('FindBarcode', { code: 'LED-BOX' })).toEqual({ found: null });
  expect((await stranger.call('RemoveBarcode', { id: box.id })).status).toBe(404);

  await owner.ask('RemoveBarcode', { id: led.id });
  expect((await opened('item', shop.item)).values.barcode).toBeUndefined();
  expect((await list({ search: 'LED-9W' })).map(({ barcode }) => barcode)).toEqual(['LED-BOX']);
  expect(await owner.ask('GenerateBarcodes', { items: [shop.item] })).toMatchObject({ made: 0 });
  const again = (await owner.ask('SaveBarcode', { item: shop.item, barcode: led.barcode })) as Row;
  expect(again).toMatchObject({ main: true });
  // a number that was given once is not given again
  await owner.ask('RemoveBarcode', { id: again.id });
  await owner.ask('RemoveBarcode', { id: box.id });
  await owner.ask('GenerateBarcodes', { items: [shop.item] });
  expect((await list({ search: 'LED-9W' }))[0]?.barcode).not.toBe(led.barcode);
  expect(await turnOn({ enableBarCode: false })).toMatchObject({
    status: 409,
    message: expect.stringMatching(/^Barcodes cannot be changed any more: the item .* has a barcode$/),
  });
});

test('labels are printed on sheets and rolls, as many of each as asked for, also of what a bill brought in', async () => {
  expect((await turnOn({ enableBarCode: true })).status).toBe(200);
  await owner.ask('GenerateBarcodes', { items: [shop.item] });
  const [led] = (await list({ search: 'LED-9W' })) as [Row];
  const print = async (format: string, count: number, more: Record<string, unknown> = {}) => {
    const { content } = (await owner.ask('PrintLabels', { format, labels: [{ id: led.id, count }], ...more })) as {
      content: string;
    };
    return Buffer.from(content, 'base64');
  };
  const sheet = await print('a4x40', 41);
  expect(sheet.toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2);
  expect(textOfPdf(sheet).split('LED bulb 9 W')).toHaveLength(42);
  expect(textOfPdf(sheet)).toContain(led.barcode);
  expect((await print('a4x40', 40)).toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  expect((await print('a4x40', 40, { skip: 1 })).toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2);
  const roll = await print('roll50x25', 3, { shows: { name: false, rate: true } });
  expect(roll.toString('latin1').match(/\/MediaBox \[0 0 141\.7\d* 70\.8\d*\]/g)).toHaveLength(3);
  expect(textOfPdf(roll)).toContain('₹ 95.00');
  expect(textOfPdf(roll)).not.toContain('LED bulb');
  expect((await owner.call('PrintLabels', { format: 'a3', labels: [{ id: led.id, count: 1 }] })).status).toBe(422);
  const stranger = await server.signIn('owner@nova.demo');
  expect((await stranger.call('PrintLabels', { format: 'a4x40', labels: [{ id: led.id, count: 1 }] })).status).toBe(
    404,
  );

  const opening = (await owner.ask('GetTransationsList', { Type: 'OS' })) as { rows: { id: string }[] };
  const labels = (await owner.ask('LabelsOfDocument', { TransactionId: opening.rows[0]?.id ?? '' })) as {
    rows: (Row & { count: number })[];
  };
  expect(labels.rows).toMatchObject([{ sku: 'LED-9W', count: 100 }]);
}, 60_000);
