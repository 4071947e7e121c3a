import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, addMonths, financialYearOf, monthStart, periodOf } from '../../../../domain/base/dates.ts';
import { gstinCheckDigit } from '../../../../domain/tax/gst/registration/gstin.ts';
import { openShop, type Shop } from '../../../../e2e/kit/shop.ts';
import { textOfPdf } from '../../../../tools/testing/paper-text.ts';
import { type TestServer, testServer } from '../../../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let service = '';
let customer = '';
let here: { readonly registration: string; readonly location: string };
/** Not registered before the first of these days, composition from it on, regular from the tenth day of the month on. */
let first = '';
let tenth = '';

const gstinOf = (start: string) => `${start}${gstinCheckDigit(start)}`;
const address = { line1: '5 Estate Road', city: 'Chennai', pincode: '600002' };
const values = () => ({
  ...{ legalName: 'Sharma Sweets', gstin: gstinOf('33AAGCS4821F1Z'), state: '33', kind: 'unregistered', ...address },
  statuses: [
    { from: first, kind: 'composition' },
    { from: tenth, kind: 'regular' },
  ],
});

const save = (master: string, given: Record<string, unknown>, more: object = {}) =>
  shop.owner.call('SaveMaster', { master, values: given, ...more } as never);
const saved = async (master: string, given: Record<string, unknown>) =>
  ((await shop.owner.ask('SaveMaster', { master, values: given })) as { id: string }).id;

/** Registrations of one PAN are all under composition or none is: a cancelled one does not count (section 10(2)). */
const cancelled = (registration: string, from: string) =>
  server.database.owner.query(`update registrations set body = body || $2 where id = $1`, [
    registration,
    { stops: [{ what: 'cancelled', from }] },
  ]);

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  for (const registration of Object.values(server.organisations[0]?.registrations ?? {}))
    await cancelled(registration, '2026-04-01');
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  first = addMonths(monthStart(today), -1);
  tenth = addDays(first, 9);
  const registration = await saved('registration', values());
  const place = { code: 'CHN', name: 'Chennai', registration, isTax: true, isPhysical: true, ...address };
  here = { registration, location: await saved('location', place) };
  service = await saved('item', {
    ...{
      sku: 'ADVICE',
      name: 'Advice',
      type: 'service',
      unit: 'OTH',
      hsn: '998212',
      treatment: 'taxable',
      gstRate: '18',
    },
  });
  customer = await saved('customer', {
    ...{ name: 'Estate buyer', gstin: gstinOf('33AABCA1234F1Z'), category: 'registered', state: '33' },
    addresses: [{ ...address, state: '33' }],
  });
  // one document under each status, so that no status of these days can be changed
  for (const date of [addDays(first, -1), addDays(first, 2), tenth]) await posted(sale(date));
});
afterAll(() => server?.stop());

const sale = (date: string, more: object = {}) => ({
  ...{ kind: 'saleInvoice', date, ...here, party: customer, lines: [{ item: service, quantity: '1', rate: '1000' }] },
  ...more,
});
const send = (document: object) => shop.owner.call('PostTransactionCalls', { document } as never, randomUUID());
const posted = async (document: object): Promise<string> => {
  const answer = await send(document);
  expect(answer).toMatchObject({ status: 200 });
  return (answer.details as { TransactionId: string }).TransactionId;
};
const problems = (answer: { readonly details: unknown }) =>
  (answer.details as { problems?: { field: string; row?: number; message: string }[] }).problems ?? [];
const textOf = async (id: string) => {
  const { content } = (await shop.owner.ask('PrintDocument', { id, copy: 'original' })) as { content: string };
  return textOfPdf(Buffer.from(content, 'base64'));
};
const rowOf = async (id: string) =>
  (await server.database.owner.query('select cgst, igst, place_of_supply from documents where id = $1', [id])).rows[0];

describe('a document follows the status of its day', () => {
  test('before registration: an invoice without GST', async () => {
    const id = await posted(sale(addDays(first, -1)));
    expect(await rowOf(id)).toEqual({ cgst: '0', igst: '0', place_of_supply: null });
    const text = await textOf(id);
    expect(text).toContain('Not registered under GST');
    expect(text).not.toContain('GSTIN 33AAGCS');
    expect(text).not.toContain('Tax invoice');
  });
  test('under composition: a bill of supply', async () => {
    const id = await posted(sale(addDays(first, 2)));
    expect(await rowOf(id)).toEqual({ cgst: '0', igst: '0', place_of_supply: '33' });
    const text = await textOf(id);
    expect(text).toContain('Bill of supply');
    expect(text).toContain('not eligible to collect tax');
    const line = { item: service, quantity: '1', rate: '1000', gstRate: '18' };
    expect(problems(await send(sale(addDays(first, 2), { lines: [line] })))).toMatchObject([
      { field: 'lines.gstRate', row: 0, message: expect.stringContaining('section 10(4)') },
    ]);
  });
  test('from the day on which it is regular: a tax invoice', async () => {
    const id = await posted(sale(tenth));
    expect(await rowOf(id)).toEqual({ cgst: '9000', igst: '0', place_of_supply: '33' });
    expect(await textOf(id)).toContain('Tax invoice');
  });
  test('without registration a rate, and tax under reverse charge, is a problem at its field', async () => {
    const day = addDays(first, -1);
    const line = { item: service, quantity: '1', rate: '1000', gstRate: '18' };
    expect(problems(await send(sale(day, { lines: [line] })))).toMatchObject([{ field: 'lines.gstRate', row: 0 }]);
    expect(problems(await send(sale(day, { reverseCharge: true }))).map(({ field }) => field)).toContain(
      'reverseCharge',
    );
    expect((await send(sale(tenth, { lines: [line] }))).status).toBe(200);
  });
  test('a note on a sale of another status is made without GST', async () => {
    const before = await posted(sale(addDays(first, 3)));
    const note = { kind: 'saleCreditNote', against: before, reason: 'discount' };
    const asked = { ...sale(addDays(tenth, 1)), ...note, lines: [{ item: service, quantity: '1', rate: '100' }] };
    expect(problems(await send(asked))).toMatchObject([{ field: 'withoutTax' }]);
    const id = await posted({ ...asked, withoutTax: true });
    expect(await rowOf(id)).toMatchObject({ cgst: '0' });
  });
});

test('GSTR-1 holds the days on which the registration was regular', async () => {
  const filters = { registration: here.registration, period: periodOf(first) };
  const month = (await shop.owner.ask('RunReport', { report: 'gstr1', filters })) as {
    rows: { name: string; count: number; taxable: string }[];
    notes: string[];
  };
  const b2b = month.rows.find(({ name }) => name.startsWith('4A'));
  const { rows } = await server.database.owner.query(
    `select count(*)::int as n from documents where registration = $1 and kind = 'saleInvoice' and date >= $2`,
    [here.registration, tenth],
  );
  expect(b2b).toMatchObject({ count: rows[0].n });
  expect(month.notes.join()).toContain('Composition are left out');
  const before = { ...filters, period: periodOf(addDays(first, -1)) };
  const none = (await shop.owner.ask('RunReport', { report: 'gstr1', filters: before })) as { notes: string[] };
  expect(none.notes.join()).toContain('Without GST registration');
});

describe('the form of a registration', () => {
  const kept = async () =>
    (await shop.owner.ask('GetMaster', { master: 'registration', id: here.registration })) as unknown as {
      version: number;
      values: Record<string, unknown>;
    };
  const change = async (more: object) => {
    const { version } = await kept();
    return save('registration', { ...values(), ...more }, { id: here.registration, version });
  };
  test('shows what was saved, the list its status of today', async () => {
    expect((await kept()).values).toMatchObject({
      kind: 'unregistered',
      statuses: values().statuses,
      status: 'Regular',
    });
  });
  test('no change reaches into days with documents of another status', async () => {
    const earlier = values().statuses.map((one, row) => (row === 1 ? { ...one, from: addDays(first, 1) } : one));
    const [found] = problems(await change({ statuses: earlier }));
    expect(found).toMatchObject({ field: 'statuses.from', row: 1 });
    expect(found?.message).toContain('posted as Composition');
    expect(problems(await change({ kind: 'regular' }))).toMatchObject([{ field: 'kind' }]);
    expect(problems(await change({ statuses: values().statuses.slice(0, 1) }))).toMatchObject([{ field: 'statuses' }]);
  });
  test('days without documents may change, and change back', async () => {
    const within = [...values().statuses, { from: addDays(financialYearOf(tenth).end, 2), kind: 'composition' }];
    expect(problems(await change({ statuses: within }))).toMatchObject([{ field: 'statuses.from', row: 2 }]);
    const later = [...values().statuses, { from: addDays(financialYearOf(tenth).end, 1), kind: 'composition' }];
    expect((await change({ statuses: later })).status).toBe(200);
    expect((await kept()).values).toMatchObject({ statuses: later });
    expect((await change({})).status).toBe(200);
    expect((await kept()).values).toMatchObject({ statuses: values().statuses });
  });
  test('registered on some day asks for a GSTIN; each change changes something', async () => {
    expect(problems(await change({ gstin: undefined })).map(({ field }) => field)).toContain('gstin');
    const twice = [...values().statuses, { from: addMonths(tenth, 6), kind: 'regular' }];
    expect(problems(await change({ statuses: twice }))).toMatchObject([{ field: 'statuses.kind', row: 2 }]);
  });
  test('a filed return keeps its days', async () => {
    const form = { registration: here.registration, form: 'GSTR-1', period: first.slice(0, 7) };
    const filed = await shop.owner.call('MarkFiled', { ...form, filedOn: addMonths(first, 1), arn: '' } as never);
    expect(filed.status).toBe(200);
    const added = [...values().statuses, { from: addDays(addMonths(first, 1), -1), kind: 'sez' }];
    const [found] = problems(await change({ statuses: added }));
    expect(found?.message).toContain('Returns are filed up to');
    const unmarked = await shop.owner.call('UnmarkFiled', { ...form, reason: 'marked by mistake' } as never);
    expect(unmarked.status).toBe(200);
  });
});

test('who was once regular and is under composition now: no tax, no e-invoice, reverse charge still', async () => {
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  await cancelled(here.registration, today);
  const registration = await saved('registration', {
    ...{ legalName: 'Sharma Snacks', gstin: gstinOf('32AAGCS4821F1Z'), state: '32', kind: 'unregistered' },
    ...{ line1: '1 Beach Road', city: 'Kochi', pincode: '682001', einvoice: true, einvoiceFrom: '2020-01-01' },
    statuses: [
      // who charged tax in the year may not opt within it
      { from: addMonths(financialYearOf(today).start, -6), kind: 'regular' },
      { from: financialYearOf(today).start, kind: 'unregistered' },
      { from: today, kind: 'composition' },
    ],
  });
  const place = { code: 'COK', name: 'Kochi', registration, isTax: true, isPhysical: true };
  const location = await saved('location', { ...place, line1: '1 Beach Road', city: 'Kochi', pincode: '682001' });
  const at = { registration, location };
  const accepted = [{ warning: 'placeOfSupplyChosen', reason: 'Handed over in Kochi' }];
  const id = await posted({ ...sale(today), ...at, placeOfSupply: '32', accepted });
  expect(await rowOf(id)).toEqual({ cgst: '0', igst: '0', place_of_supply: '32' });
  const { rows } = await server.database.owner.query('select from einvoices where document = $1', [id]);
  expect(rows).toEqual([]);
  const supplier = await saved('supplier', {
    ...{ name: 'Backwater Law', category: 'unregistered', state: '32' },
    addresses: [{ line1: '2 Lake Road', city: 'Kochi', state: '32', pincode: '682001' }],
  });
  const bill = { kind: 'purchaseBill', date: today, ...at, party: supplier, reference: 'L-1', reverseCharge: true };
  const owed = await posted({ ...bill, lines: [{ item: service, quantity: '1', rate: '1000' }] });
  expect(await rowOf(owed)).toMatchObject({ cgst: '9000' });
});
