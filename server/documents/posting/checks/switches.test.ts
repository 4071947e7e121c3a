import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, ONE } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { BatchPart, Draft } from '../../../../domain/document/document.ts';
import { gstinCheckDigit } from '../../../../domain/tax/gst/registration/gstin.ts';
import { itemLine, manyBooks, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';
import { convert } from '../../drafts/convert.ts';
import { editorFacts } from '../../drafts/editor-facts.ts';

const many = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await many.open();
});
afterAll(() => many.close());

const operator = `27AAKCV7051L1C${gstinCheckDigit('27AAKCV7051L1C')}`;
const problems = (...all: readonly object[]) => ({ problems: all });
const service = (b: TestBooks) =>
  db.owner.query(`update items set service = true, stocked = false, hsn = '998314' where organisation = $1`, [
    b.organisation,
  ]);
const sale = (b: TestBooks, more: Partial<Draft> = {}) =>
  b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 1, 100)], ...more });

test('without many lines an invoice has one; orders, bills of suppliers and what was posted do not change', async () => {
  const b = await many.more({ isMultiItemsInvoice: false });
  await service(b);
  const two = [itemLine(b.items[0], 1, 100), itemLine(b.items[1], 1, 100)];
  await expect(b.post(sale(b, { lines: two }))).rejects.toMatchObject(
    problems({ field: 'lines.item', row: 1, message: expect.stringContaining('one line') }),
  );
  expect(await b.post(sale(b))).toMatchObject({ total: 11800 });
  const order = await b.post(b.draft('saleOrder', { party: b.customer, lines: two }));
  await b.post(b.draft('purchaseBill', { party: b.supplier, reference: 'M-1', lines: two }));
  // an order is carried out by one invoice for each line
  const { draft } = await convert({ from: order.id, kind: 'saleInvoice' }, b.context());
  expect(draft.lines).toHaveLength(2);
  const source = (line: number) => ({ source: { document: order.id, line } });
  for (const line of [1, 2])
    await b.post(sale(b, { lines: [{ ...itemLine(b.items[line - 1], 1, 100), ...source(line) }] }));
  const more = await many.more();
  await service(more);
  const posted = await more.post(
    sale(more, { lines: [itemLine(more.items[0], 1, 100), itemLine(more.items[1], 1, 100)] }),
  );
  await db.owner.query(
    `update organisations set settings = settings || '{"isMultiItemsInvoice": false}' where organisation = $1`,
    [more.organisation],
  );
  // what was posted is taken back as it was
  expect(await more.cancel(posted.id)).toMatchObject({ number: expect.any(String) });
});

test('TDS is typed and taken only where it is switched on', async () => {
  const b = await many.more({ tdsadjustments: false });
  await service(b);
  const bill = (more: Partial<Draft>) =>
    b.draft('purchaseBill', { party: b.supplier, reference: 'M-2', lines: [itemLine(b.items[0], 1, 100)], ...more });
  await expect(b.post(bill({ tdsSection: '194C', tdsAmount: paise(100) }))).rejects.toMatchObject(
    problems({ field: 'tdsSection' }, { field: 'tdsAmount', message: 'TDS is switched off in the configuration' }),
  );
  const receipt = b.draft('saleReceipt', {
    party: b.customer,
    amount: paise(1000),
    moneyLedger: await b.ledger('1121'),
    gstTdsAmount: paise(20),
  });
  await expect(b.post(receipt)).rejects.toMatchObject(problems({ field: 'gstTdsAmount' }));
  const on = await many.more({ tdsadjustments: true });
  await service(on);
  const taken = on.draft('purchaseBill', {
    party: on.supplier,
    reference: 'M-2',
    lines: [itemLine(on.items[0], 1, 100)],
    tdsSection: '194C',
    tdsAmount: paise(100),
  });
  expect(await on.post(taken)).toMatchObject({ total: 11800 });
});

test('an e-commerce operator is named by a GSTIN that is one, goes along with what comes back, and only where e-commerce is on', async () => {
  const b = await many.more({ ecommerce: true });
  await service(b);
  const through = (gstin: string) => ({ fields: { ecommerceGstin: gstin } });
  await expect(b.post(sale(b, through('27AAKCV7051L1CX')))).rejects.toMatchObject(
    problems({ field: 'ecommerceGstin', message: 'The check digit of this GSTIN is wrong' }),
  );
  await expect(b.post(sale(b, through('AMAZON')))).rejects.toMatchObject(problems({ field: 'ecommerceGstin' }));
  const posted = await b.post(sale(b, through(operator)));
  const { draft } = await convert({ from: posted.id, kind: 'saleReturn' }, b.context());
  expect(draft.fields).toEqual({ ecommerceGstin: operator });
  const off = await many.more();
  await service(off);
  await expect(off.post(sale(off, through(operator)))).rejects.toMatchObject(
    problems({ field: 'ecommerceGstin', message: 'E-commerce is switched off in the configuration' }),
  );
  // the e-commerce operator pays the tax of a sale to a consumer (section 9(5)); nobody else does
  const consumer = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, search)
     values ($1, $2, 'CONSUMER', 'Meera', 'customer', 'unregistered', '29', 'meera')`,
    [b.organisation, consumer],
  );
  await expect(b.post(sale(b, { party: consumer, reverseCharge: true }))).rejects.toMatchObject(
    problems({ field: 'reverseCharge' }),
  );
  expect(await b.post(sale(b, { party: consumer, reverseCharge: true, ...through(operator) }))).toMatchObject({
    total: 10000,
  });
});

const part = (batch: string, quantity: number, more: Partial<BatchPart> = {}): BatchPart => ({
  ...{ batch, quantity: millionths(quantity * ONE) },
  ...more,
});

test('goods that keep for a time have a day of expiry on each batch, from when they were made if need be, and days left when sold', async () => {
  const b = await many.more({ enableBatch: true, enableShelfLife: true });
  const [milk, rice] = b.items;
  const keeps = (item: string | undefined, body: object) =>
    db.owner.query('update items set body = body || $3 where organisation = $1 and id = $2', [
      b.organisation,
      item,
      { batched: true, ...body },
    ]);
  await keeps(milk, { hasShelfLife: true, shelfLifeDays: 30, minRemainingShelfLifeDays: 10 });
  await keeps(rice, { hasShelfLife: true });
  const line = (item: string | undefined, ...batches: readonly BatchPart[]) => ({
    ...itemLine(item, batches.reduce((t, each) => t + each.quantity, 0) / ONE, 100),
    batches,
  });
  const bill = (...lines: Draft['lines']) =>
    b.post(b.draft('purchaseBill', { party: b.supplier, reference: 'M-1', date: '2026-11-01', lines }));
  await expect(bill(line(milk, part('M1', 5)))).rejects.toMatchObject(
    problems({
      field: 'lines.batches',
      row: 0,
      message: 'Enter the day that batch M1 was made, or the day it expires',
    }),
  );
  await expect(bill(line(rice, part('R1', 5, { manufactured: '2026-10-01' })))).rejects.toMatchObject(
    problems({ field: 'lines.batches', row: 0, message: 'Enter the day that batch R1 expires' }),
  );
  const made = await bill(
    line(
      milk,
      part('M1', 5, { manufactured: '2026-10-30' }),
      part('M2', 5, { manufactured: '2026-10-30', expiry: '2026-12-31' }),
    ),
    line(rice, part('R1', 5, { expiry: '2027-01-31' })),
  );
  const { rows } = await db.owner.query(
    `
      select p ->> 'batch' as batch, p ->> 'expiry' as expiry
      from movements m
      cross join jsonb_array_elements(m.batches) p
      where m.document = $1
      order by 1
    `,
    [made.id],
  );
  expect(rows).toEqual([
    { batch: 'M1', expiry: '2026-11-29' },
    { batch: 'M2', expiry: '2026-12-31' },
    { batch: 'R1', expiry: '2027-01-31' },
  ]);
  // a batch that is known needs no day again
  await bill(line(milk, part('M1', 1)));

  const asked = {
    parties: [],
    items: [milk ?? ''],
    ledgers: [],
    documents: [],
    date: TODAY,
    kind: 'saleInvoice',
    location: b.location,
  };
  const { items } = await editorFacts(
    asked,
    b.context({
      grants: new Map([['Sale Invoice', 5003]]),
      settings: { ...b.context().settings, enableShelfLife: true },
    }),
  );
  expect(items[0]).toMatchObject({
    batches: [
      { batch: 'M1', expired: false, short: true },
      { batch: 'M2', expired: false },
    ],
  });
  const sold = (date: string, batch: string) => b.post(sale(b, { date, lines: [line(milk, part(batch, 1))] }));
  await expect(sold(TODAY, 'M1')).rejects.toMatchObject(
    problems({
      field: 'lines.batches',
      row: 0,
      message: 'Batch M1 expires on 29 Nov 2026: 9 days are left of the 10 that a buyer is to have',
    }),
  );
  await sold('2026-11-19', 'M1');
  await sold(TODAY, 'M2');
  // what is given back to the supplier, or thrown away, may be as old as it is
  const away = b.draft('inventoryAdjustment', {
    lines: [{ item: milk ?? '', delta: millionths(-ONE), batches: [part('M1', 1)] }],
    fields: { adjustmentReason: 'Expiry' },
  });
  await b.post(away);
  await expect(
    b.post(
      b.draft('inventoryAdjustment', {
        lines: [{ item: milk ?? '', delta: millionths(ONE), rate: millionths(ONE), batches: [part('NEW', 1)] }],
        fields: { adjustmentReason: 'Found' },
        accepted: [{ warning: 'foundRateFar', reason: 'A test' }],
      }),
    ),
  ).rejects.toMatchObject(problems({ field: 'lines.batches' }));
});

test('where shelf life is switched off the days are not asked for', async () => {
  const b = await many.more({ enableBatch: true });
  await db.owner.query(
    `
      update items
      set body = body
        || '{"batched": true, "hasShelfLife": true, "shelfLifeDays": 30, "minRemainingShelfLifeDays": 10}'
      where organisation = $1
    `,
    [b.organisation],
  );
  const lines = [{ ...itemLine(b.items[0], 2, 100), batches: [part('M1', 2, { expiry: '2026-11-22' })] }];
  await b.post(
    b.draft('purchaseBill', {
      party: b.supplier,
      reference: 'M-1',
      date: '2026-11-01',
      lines: [...lines, { ...itemLine(b.items[1], 1, 100), batches: [part('X', 1)] }],
    }),
  );
  await b.post(sale(b, { lines }));
});
