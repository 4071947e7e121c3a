import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, ONE } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { type TestBooks, TODAY, testBooks } from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { editorFacts } from '../documents/drafts/editor-facts.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { masterHandlers } from '../masters/index.ts';
import { reportHandlers } from '../reports/index.ts';

let db: TestDatabase;
let books: TestBooks;
let bulb: Id;
let boxed: Id;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  [bulb = '', boxed = ''] = books.items;
  await db.owner.query(`update items set unit = 'BOX' where id = $1`, [boxed]);
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const convert = (from: string, to: string, factor: string, item = '') =>
  masterHandlers.SaveMaster({ master: 'unitConversion', values: { from, to, factor, item } }, books.context());
const units = (n: number) => millionths(n * ONE);
const held = async (item: Id) => {
  const { rows } = await db.owner.query<{ held: string }>(
    'select sum(quantity) as held from item_balances where item = $1',
    [item],
  );
  return Number(rows[0]?.held) / ONE;
};
const told = (answer: Promise<unknown>) => expect(answer).rejects;

test('a conversion is made once: what contradicts it, or says it again, is refused in figures', async () => {
  await convert('BOX', 'NOS', '12');
  await convert('CTN', 'BOX', '10');
  const problem = (message: string) => ({ problems: [{ field: 'factor', message }] });
  await told(convert('CTN', 'NOS', '100')).toMatchObject(
    problem('1 CTN are 120 NOS already: change that conversion instead'),
  );
  await told(convert('NOS', 'NOS', '2')).toMatchObject(problem('A unit is not converted into itself'));
  await told(convert('DOZ', 'NOS', '0')).toMatchObject(problem('The factor is greater than 0'));
  // of one item other figures may hold
  await convert('BOX', 'NOS', '6', boxed);
});

test('what is bought in cartons and sold in pieces is counted in the own unit of the item, to the last piece', async () => {
  const buy = (item: Id, unit: string, quantity: number, rate: number) =>
    books.post(
      books.draft('purchaseBill', {
        party: books.supplier,
        date: '2026-11-01',
        reference: `${unit}${item}`.slice(0, 16),
        lines: [{ item, unit, quantity: units(quantity), rate: units(rate) }],
      }),
    );
  const sell = (item: Id, unit: string, quantity: number) =>
    books.post(
      books.draft('saleInvoice', {
        party: books.customer,
        date: TODAY,
        lines: [{ item, unit, quantity: units(quantity) }],
      }),
    );
  await buy(bulb, 'CTN', 2, 7200);
  expect(await held(bulb)).toBe(240);
  await buy(boxed, 'BOX', 3, 600);
  // a sixth of a box has no exact decimal; six of them are a box all the same
  for (let n = 0; n < 3; n += 1) await sell(boxed, 'NOS', 6);
  expect(await held(boxed)).toBe(0);
  const sale = await sell(bulb, 'BOX', 2);
  expect(await held(bulb)).toBe(216);
  // ₹100 a piece are ₹1,200 a box: the rate follows the unit
  const { rows } = await db.owner.query(
    'select rate, taxable, base_quantity, unit from document_lines where document = $1',
    [sale.id],
  );
  expect(rows).toEqual([{ rate: '1200000000', taxable: '240000', base_quantity: '24000000', unit: 'BOX' }]);
  await told(sell(bulb, 'KGS', 1)).toMatchObject({
    problems: [{ field: 'lines.unit', row: 0, message: 'KGS is no unit of SKU1' }],
  });
});

test('the editor knows the units of an item with what each is of its own, exactly', async () => {
  const { items } = await editorFacts(
    { parties: [], items: [bulb, boxed], ledgers: [], date: TODAY, documents: [] },
    books.context({ grants: new Map([['Supply Master', 5003]]) }),
  );
  const of = (id: Id) => items.find((item) => item['id'] === id)?.['units'];
  expect(of(bulb)).toEqual({ NOS: '1/1', BOX: '12/1', CTN: '120/1' });
  expect(of(boxed)).toEqual({ BOX: '1/1', NOS: '1/6', CTN: '10/1' });
});

test('the HSN summary has the quantity code of the unit', async () => {
  const packet = await masterHandlers.SaveMaster(
    { master: 'unit', values: { code: 'PKT', name: 'Packet', uqc: 'PAC', decimals: '0' } },
    books.context(),
  );
  expect(packet.values).toMatchObject({ code: 'PKT' });
  await convert('PKT', 'NOS', '4');
  await books.post(
    books.draft('saleInvoice', {
      party: books.customer,
      date: TODAY,
      lines: [{ item: bulb, unit: 'PKT', quantity: units(5) }],
    }),
  );
  const file = await reportHandlers.ExportReport(
    { report: 'gstr1', filters: { registration: books.registration, period: '112026' }, format: 'json' },
    books.context(),
  );
  const text = Buffer.from(file.content, 'base64').toString();
  const codes = [...text.matchAll(/"uqc":\s*"(\w+)"/g)].map(([, code]) => code);
  expect(new Set(codes)).toEqual(new Set(['NOS', 'BOX', 'PAC']));
});

test('what is below its reorder level is to be ordered, less what is free and on its way', async () => {
  const low = books.items[2] ?? '';
  await db.owner.query(`update items set body = body || '{"reorderLevel": "50"}' where id = any($1)`, [[low, bulb]]);
  const asked = async (more: Record<string, string> = {}) =>
    (await reportHandlers.RunReport({ report: 'reorder', filters: more }, books.context())).rows;
  expect(await asked()).toMatchObject([
    { sku: 'SKU3', level: '50', onHand: '0', held: '0', coming: '0', short: '50', supplier: '' },
  ]);
  const line = (n: number) => ({ item: low, quantity: units(n), rate: units(60) });
  await books.post(
    books.draft('purchaseBill', { party: books.supplier, date: TODAY, reference: 'LOW', lines: [line(20)] }),
  );
  await books.post(books.draft('saleOrder', { party: books.customer, date: TODAY, lines: [line(5)] }));
  const order = await books.post(
    books.draft('purchaseOrder', { party: books.supplier, date: TODAY, lines: [line(12)] }),
  );
  expect(await asked()).toMatchObject([
    { sku: 'SKU3', onHand: '20', held: '5', coming: '12', short: '23', supplier: 'Mill Works' },
  ]);
  expect(await asked({ location: books.other })).toMatchObject([
    { sku: 'SKU1', short: '50' },
    { sku: 'SKU3', short: '50' },
  ]);
  await books.cancel(order.id);
  expect(await asked()).toMatchObject([{ coming: '0', short: '35' }]);
  await books.post(
    books.draft('purchaseBill', { party: books.supplier, date: TODAY, reference: 'LOW2', lines: [line(35)] }),
  );
  expect(await asked()).toEqual([]);
});

test('a location with a level of its own is a row of its own and is filled up; all others come together', async () => {
  const third = books.items[3] ?? '';
  const levels = [{ location: books.other, level: '10', upTo: '25' }];
  await db.owner.query(
    `update items set body = (body - 'reorderLevel') || jsonb_build_object('reorderLevel', '40', 'reorderLevels', $2::jsonb) where id = $1`,
    [third, JSON.stringify(levels)],
  );
  const asked = async (more: Record<string, string> = {}, context = books.context()) =>
    (await reportHandlers.RunReport({ report: 'reorder', filters: more }, context)).rows.filter(
      ({ itemId }) => itemId === third,
    );
  const own = { locationId: books.other, level: '10', onHand: '0', short: '25' };
  expect(await asked()).toMatchObject([{ location: '', level: '40', onHand: '0', short: '40' }, own]);
  const line = (n: number) => ({ item: third, quantity: units(n), rate: units(60) });
  const buy = (n: number, location: Id, reference: string) =>
    books.post(
      books.draft('purchaseBill', { party: books.supplier, date: TODAY, location, reference, lines: [line(n)] }),
    );
  // stock at one location is not counted at the other
  await buy(50, books.location, 'OWN1');
  expect(await asked()).toMatchObject([own]);
  await buy(8, books.other, 'OWN2');
  expect(await asked()).toMatchObject([{ ...own, onHand: '8', short: '17' }]);
  expect(await asked({ location: books.location })).toEqual([]);
  expect(await asked({ location: books.other })).toMatchObject([{ ...own, onHand: '8', short: '17' }]);
  // who works elsewhere does not see it
  expect(await asked({}, { ...books.context(), locations: [books.location] })).toEqual([]);
  await buy(2, books.other, 'OWN3');
  expect(await asked()).toEqual([]);
  const save = (reorderLevels: readonly object[]) =>
    masterHandlers.SaveMaster(
      {
        master: 'item',
        values: {
          sku: 'LVL',
          name: 'Levels',
          type: 'stock',
          unit: 'NOS',
          hsn: '84713010',
          treatment: 'taxable',
          gstRate: '18',
          reorderLevels,
        },
      },
      books.context(),
    );
  const problem = (field: string) => ({
    problems: [expect.objectContaining({ field, row: field.endsWith('location') ? 1 : 0 })],
  });
  await told(
    save([
      { location: books.other, level: '5' },
      { location: books.other, level: '6' },
    ]),
  ).toMatchObject(problem('reorderLevels.location'));
  await told(save([{ location: books.other, level: '5', upTo: '4' }])).toMatchObject(problem('reorderLevels.upTo'));
  await told(save([{ location: books.other, level: '0' }])).toMatchObject(problem('reorderLevels.level'));
});
