import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addDays, financialYearOf } from '../../domain/base/dates.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let start = '';
let before = '';
let supplier = '';
let service = '';
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  start = financialYearOf(today).start;
  before = addDays(start, -20);
  const saved = async (master: string, values: object) =>
    ((await shop.owner.ask('SaveMaster', { master, values } as never)) as { id: string }).id;
  supplier = await saved('supplier', {
    ...{
      name: 'Mill Works',
      gstin: `29AAACM2222A1Z${gstinCheckDigit('29AAACM2222A1Z')}`,
      category: 'registered',
      state: '29',
    },
    addresses: [{ line1: '2 Mill Road', city: 'Bengaluru', state: '29', pincode: '560002' }],
  });
  service = await saved('item', {
    ...{
      sku: 'ADVICE',
      name: 'Advice',
      type: 'service',
      unit: 'OTH',
      hsn: '998311',
      treatment: 'taxable',
      gstRate: '18',
    },
  });
});
// the annual return first: while it is marked, the returns of its year stay marked
afterEach(async () => {
  for (const form of ['GSTR-9', 'GSTR-3B', 'GSTR-1']) await unmark(form, march());
});
afterAll(() => server?.stop());

const send = (document: object) =>
  shop.owner.call('PostTransactionCalls', { document: { ...shop.place, ...document } } as never, randomUUID());
const note = (date: string) =>
  send({
    ...{ kind: 'saleCreditNote', date, party: shop.customer, reason: 'discount' },
    accepted: [{ warning: 'originalAgain', reason: 'A discount each month' }],
    ...{
      fields: { originalNumber: 'OLD/7', originalDate: before },
      lines: [{ item: service, quantity: '1', rate: '100' }],
    },
  });
const bill = (date: string, reference: string) =>
  send({
    ...{ kind: 'purchaseBill', date, party: supplier, reference, referenceDate: before },
    lines: [{ item: service, quantity: '1', rate: '1000' }],
  });
const mark = (more: object) =>
  shop.owner.call('MarkFiled', {
    ...{ registration: shop.place.registration, form: 'GSTR-9', period: addDays(start, -1).slice(0, 7) },
    ...{ filedOn: start, arn: '', ...more },
  } as never);

test('an annual return is marked for March', async () => {
  expect(await mark({ period: addDays(start, -40).slice(0, 7) })).toMatchObject({
    ...{ status: 422, details: { problems: [{ field: 'period' }] } },
  });
});

const markOf = (form: string, period: string) => mark({ form, period, filedOn: addDays(start, 1) });
const unmark = (form: string, period: string) =>
  shop.owner.call('UnmarkFiled', {
    ...{ registration: shop.place.registration, form, period, reason: 'marked by mistake' },
  } as never);
const march = () => addDays(start, -1).slice(0, 7);
const markReturnsOfYear = async () => {
  for (const form of ['GSTR-1', 'GSTR-3B']) expect(await markOf(form, march())).toMatchObject({ status: 200 });
};

test('it is marked once the returns of its year are, and they stay marked under it', async () => {
  const missing = (form: string) => ({
    status: 422,
    details: {
      problems: [{ field: 'period', message: expect.stringMatching(`^${form} of Mar .*section 44 with rule 80`) }],
    },
  });
  expect(await mark({})).toMatchObject(missing('GSTR-1'));
  expect(await markOf('GSTR-1', march())).toMatchObject({ status: 200 });
  expect(await mark({})).toMatchObject(missing('GSTR-3B'));
  expect(await markOf('GSTR-3B', march())).toMatchObject({ status: 200 });
  expect(await mark({})).toMatchObject({ status: 200 });
  for (const form of ['GSTR-1', 'GSTR-3B'])
    expect(await unmark(form, march())).toMatchObject({
      ...{ status: 409, details: { code: 'cannotUnmark' } },
      message: expect.stringContaining('GSTR-9 of its year is marked as filed'),
    });
  expect(await unmark('GSTR-9', march())).toMatchObject({ status: 200 });
  expect(await unmark('GSTR-3B', march())).toMatchObject({ status: 200 });
});

test('once the annual return is filed, notes reduce no tax and bills give no credit', async () => {
  expect((await note(start)).status).toBe(200);
  expect(await bill(start, 'B-1')).toMatchObject({ status: 200 });
  await markReturnsOfYear();
  const marked = await mark({});
  expect(marked).toMatchObject({ status: 200 });
  expect(marked.details).toContainEqual(
    expect.objectContaining({ form: 'GSTR-9', filedOn: start, due: `${start.slice(0, 4)}-12-31` }),
  );
  // on the very day still, on the next no more
  expect((await note(start)).status).toBe(200);
  const late = await note(addDays(start, 1));
  expect(late).toMatchObject({ status: 422, details: { problems: [{ field: 'withoutTax' }] } });
  expect(JSON.stringify(late.details)).toContain('when the annual return of');
  const barred = await bill(addDays(start, 1), 'B-2');
  expect(barred).toMatchObject({
    status: 200,
    details: { warnings: expect.arrayContaining([expect.objectContaining({ code: 'creditBarred' })]) },
  });
  const { rows } = await server.database.owner.query(
    `select count(*)::int as n from entries e join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.document = $1 and l.code in ('1411', '1412')`,
    [(barred.details as { TransactionId: string }).TransactionId],
  );
  expect(rows[0].n).toBe(0);
});

test('it locks nothing, and taken back it ends no time', async () => {
  await markReturnsOfYear();
  expect(await mark({})).toMatchObject({ status: 200 });
  expect(await unmark('GSTR-9', march())).toMatchObject({ status: 200 });
  expect((await note(addDays(start, 1))).status).toBe(200);
});
