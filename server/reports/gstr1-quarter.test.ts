import fs from 'node:fs';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
const today = (day: string) => {
  server.clock.at = Date.parse(`${day}T06:00:00Z`);
};
/** Each test has a server of its own: what it files, and the day, begin anew. */
beforeEach(async () => {
  server = await testServer();
  today('2026-09-20');
  shop = await openShop(server);
});
afterEach(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

const schema = JSON.parse(fs.readFileSync('domain/facts/gstr1.schema.json', 'utf8')) as object;
const check = new Ajv({ strict: false, allErrors: true, validateFormats: false, multipleOfPrecision: 4 }).compile(
  schema,
);
type Table = { name: string; count: number; taxable: string };
type File = Record<string, unknown> & { fp: string; doc_issue?: { doc_det: { docs: { totnum: number }[] }[] } };

const filters = (period: string) => ({ registration: shop.place.registration, period });
async function drawn(
  period: string,
): Promise<{ rows: Table[]; notes: string[]; file: File; name: string; numbers: string[] }> {
  const { rows, notes } = (await shop.owner.ask('RunReport', { report: 'gstr1', filters: filters(period) })) as {
    rows: Table[];
    notes: string[];
  };
  const { content, name } = (await shop.owner.ask('ExportReport', {
    ...{ report: 'gstr1', filters: filters(period), format: 'json' },
  })) as { content: string; name: string };
  const text = Buffer.from(content, 'base64').toString();
  const file = JSON.parse(text) as File;
  check(file);
  expect(check.errors ?? []).toEqual([]);
  const numbers = [...text.matchAll(/"(?:inum|nt_num)":"([^"]+)"/g)].map(([, number]) => number ?? '');
  return { rows, notes, file, name, numbers: numbers.toSorted() };
}
const call = (name: string, input: object) =>
  shop.owner.call(name as 'GetSession', input as never, crypto.randomUUID());
const mark = (form: string, period: string, filedOn: string) =>
  call('MarkFiled', { registration: shop.place.registration, form, period, filedOn, arn: '' });
const unmark = (form: string, period: string) =>
  call('UnmarkFiled', { registration: shop.place.registration, form, period, reason: 'Wrong month' });

/** Files quarterly from October on. */
const quarterly = async () => {
  expect((await saveFiling([{ from: '2026-10-01', every: 'quarter' }])).status).toBe(200);
};
async function saveFiling(filing: readonly object[]) {
  const { version, values } = (await shop.owner.ask('GetMaster', {
    ...{ master: 'registration', id: shop.place.registration },
  })) as { version: number; values: Record<string, unknown> };
  const saved = { master: 'registration', id: shop.place.registration, version, values: { ...values, filing } };
  return await call('SaveMaster', saved);
}

const sell = async (date: string) => {
  today(date);
  const line = { item: shop.item, quantity: '10', rate: '95' };
  const { TransactionId, DocumentNo } = (await shop.post({
    kind: 'saleInvoice',
    date,
    party: shop.customer,
    lines: [line],
  })) as {
    TransactionId: string;
    DocumentNo?: string;
  };
  await shop.post({ kind: 'cashSale', date, lines: [{ item: shop.item, quantity: '1', rate: '95' }] });
  const { rows } = await server.database.owner.query('select number from documents where id = $1', [TransactionId]);
  return { id: TransactionId, number: DocumentNo ?? (rows[0].number as string) };
};

test('a registration files quarterly from the first day of a quarter on', async () => {
  expect(await saveFiling([{ from: '2026-11-01', every: 'quarter' }])).toMatchObject({
    status: 422,
    details: { problems: [{ row: 0 }] },
  });
  await quarterly();
  const { registrations } = (await shop.owner.ask('GetSession', {})) as { registrations: { id: string }[] };
  expect(registrations.find(({ id }) => id === shop.place.registration)).toMatchObject({
    filing: [{ from: '2026-10-01', every: 'quarter' }],
  });
});

test('what IFFs held is not in the file of the quarter, and no mark is given out of turn', async () => {
  await quarterly();
  const before = await drawn('092026');
  expect(before.notes[0]).toBe('GSTR-1 of the month, 01-09-2026 to 30-09-2026, due on 11-10-2026');
  const october = await sell('2026-10-05');
  // cancelled and written anew in the next month before anything was furnished: it counts there
  const moved = await sell('2026-10-06');
  await call('CancelTransaction', {
    TransactionIds: [moved.id],
    TransactionType: 'saleInvoice',
    reason: 'wrong month',
  });
  const kept = await sell('2026-10-07');
  today('2026-11-10');
  const iff = await drawn('102026');
  expect(iff).toMatchObject({ name: 'IFF-102026.json', numbers: [october.number, kept.number].toSorted() });
  expect(Object.keys(iff.file)).toEqual(['gstin', 'fp', 'b2b']);
  expect(iff.notes[0]).toContain('due on 13-11-2026');
  expect(await mark('GSTR-1', '2026-10', '2026-11-10')).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'period' }] },
  });
  expect(await mark('IFF', '2026-09', '2026-11-10')).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'period' }] },
  });
  const marked = await mark('IFF', '2026-10', '2026-11-10');
  expect(marked).toMatchObject({ status: 200, details: [{ form: 'IFF', period: '2026-10', due: '2026-11-13' }] });
  // it locks nothing; what is posted for its days later goes into the next
  const november = await sell('2026-11-12');
  today('2026-11-12');
  const late = (await shop.post({
    ...{ kind: 'saleInvoice', date: '2026-10-30', party: shop.customer },
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  })) as { TransactionId: string };
  const { rows } = await server.database.owner.query('select number from documents where id = $1', [
    late.TransactionId,
  ]);
  today('2026-12-05');
  expect((await drawn('112026')).numbers).toEqual([november.number, rows[0].number as string].toSorted());
  const december = await sell('2026-12-06');
  const quarter = await drawn('122026');
  expect(quarter.numbers).toEqual([november.number, december.number, rows[0].number as string].toSorted());
  expect(quarter).toMatchObject({ name: 'GSTR1-122026.json', file: { fp: '122026' } });
  expect(quarter.notes.slice(0, 2)).toEqual([
    'GSTR-1 of the quarter, 01-10-2026 to 31-12-2026, due on 13-01-2027',
    '2 documents are furnished in an IFF already, and counted only in tables 8, 12, 13 and 14',
  ]);
  const of = (name: string) => quarter.rows.find((row) => row.name.startsWith(`${name} –`));
  // 10 × 95 of each invoice that stands, and 95 of the late one; the cash sales of five days
  expect(of('12')).toMatchObject({ taxable: '4370.00' });
  expect(of('7')).toMatchObject({ taxable: '475.00' });
  expect(of('13')).toMatchObject({ count: 11 });
});

test('what an IFF held is not cancelled; marks are taken back in order', async () => {
  await quarterly();
  const october = await sell('2026-10-05');
  today('2026-11-10');
  expect((await mark('IFF', '2026-10', '2026-11-10')).status).toBe(200);
  const cancelled = { TransactionIds: [october.id], TransactionType: 'saleInvoice' };
  expect(await call('CancelTransaction', { ...cancelled, reason: 'typed twice' })).toMatchObject({
    status: 409,
    message: expect.stringMatching(/is in the IFF of 10-2026, which is filed: make a sale return or sale credit note/),
    details: { code: 'returnFiled' },
  });
  today('2027-01-10');
  expect((await mark('GSTR-1', '2026-12', '2027-01-10')).status).toBe(200);
  expect(await mark('GSTR-3B', '2026-12', '2027-01-10')).toMatchObject({
    details: expect.arrayContaining([expect.objectContaining({ form: 'GSTR-3B', due: '2027-01-22' })]),
  });
  expect(await unmark('IFF', '2026-10')).toMatchObject({ status: 409, details: { code: 'cannotUnmark' } });
  for (const form of ['GSTR-1', 'GSTR-3B']) expect((await unmark(form, '2026-12')).status).toBe(200);
  expect((await unmark('IFF', '2026-10')).status).toBe(200);
  expect((await server.database.owner.query('select from gst_furnished')).rowCount).toBe(0);
  expect((await drawn('122026')).notes.some((note) => note.includes('in an IFF already'))).toBe(false);
});

test('a monthly filer still sees that a month has not begun', async () => {
  await quarterly();
  today('2026-10-20');
  expect((await drawn('122026')).file.fp).toBe('122026');
  const { locations } = (await shop.owner.ask('GetSession', {})) as unknown as {
    locations: { registration: string }[];
  };
  const other = locations.find(({ registration }) => registration !== shop.place.registration)?.registration ?? '';
  const asked = { report: 'gstr1', filters: { registration: other, period: '122026' } };
  expect(await shop.owner.call('RunReport', asked)).toMatchObject({
    ...{ status: 422, details: { problems: [{ field: 'period', message: 'This month has not begun' }] } },
  });
});
