import fs from 'node:fs';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { financialYearOf, todayIn } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
});
afterAll(() => server.stop());

test('invoices, notes and a cancelled one reach GSTR-1, whose file fits the schema', async () => {
  const line = { item: shop.item, quantity: '10', rate: '95' };
  const sold = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines: [line] });
  const wrong = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines: [line] });
  await shop.owner.ask('CancelTransaction', {
    TransactionIds: [wrong.TransactionId],
    TransactionType: 'saleInvoice',
    reason: 'typed twice',
  });
  await shop.post({ kind: 'cashSale', lines: [{ item: shop.item, quantity: '1', rate: '95' }] });
  await shop.post({
    kind: 'saleReturn',
    party: shop.customer,
    against: sold.TransactionId,
    reason: 'damaged',
    lines: [{ item: shop.item, quantity: '2', source: { document: sold.TransactionId, line: 1 } }],
  });
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const filters = { registration: shop.place.registration, period: today.slice(5, 7) + today.slice(0, 4) };
  const { rows } = (await shop.owner.ask('RunReport', { report: 'gstr1', filters })) as {
    rows: { name: string; taxable: string; count: number }[];
  };
  const of = (name: string) => rows.find((r) => r.name.startsWith(name));
  expect(of('4A')).toMatchObject({ taxable: '950.00', count: 1 });
  expect(of('7')).toMatchObject({ taxable: '95.00' });
  expect(of('9B')).toMatchObject({ count: 1 });
  const file = (await shop.owner.ask('ExportReport', { report: 'gstr1', filters, format: 'json' })) as {
    content: string;
  };
  const json = JSON.parse(Buffer.from(file.content, 'base64').toString()) as unknown;
  const schema = JSON.parse(fs.readFileSync('domain/facts/gstr1.schema.json', 'utf8')) as object;
  const check = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  check(json);
  expect(check.errors ?? []).toEqual([]);
});

test('goods moved within a registration are counted as challans, not as invoices', async () => {
  const owner = await server.signIn('owner@sharma.demo');
  const session = (await owner.ask('GetSession', {})) as {
    today: string;
    locations: { id: string; code: string; registration: string }[];
  };
  const of = (code: string) => session.locations.find((l) => l.code === code) ?? { id: '', registration: '' };
  const [from, to] = [of('BLR'), of('BLR2')];
  const { rows } = (await owner.ask('Pick', { master: 'item' })) as { rows: { id: string }[] };
  await owner.ask('PostTransactionCalls', {
    document: {
      kind: 'branchTransfer',
      date: session.today,
      registration: from.registration,
      location: from.id,
      toLocation: to.id,
      lines: [{ item: rows[0]?.id ?? '', quantity: '3', rate: '60' }],
    },
  });
  const period = session.today.slice(5, 7) + session.today.slice(0, 4);
  const filters = { registration: from.registration, period };
  const file = (await owner.ask('ExportReport', { report: 'gstr1', filters, format: 'json' })) as { content: string };
  const json = JSON.parse(Buffer.from(file.content, 'base64').toString()) as {
    doc_issue: { doc_det: { doc_num: number; docs: { totnum: number }[] }[] };
  };
  const challans = json.doc_issue.doc_det.find((d) => d.doc_num === 12);
  expect(challans?.docs.map((d) => d.totnum)).toEqual([1]);
});

test('the books balance whatever report asks: trial balance, balance sheet, exports', async () => {
  const { owner } = shop;
  // in a registration whose return no other test reads
  const own = server.organisations[0];
  const pune = { registration: own?.registrations['MH'] ?? '', location: own?.locations['PUN'] ?? '' };
  const line = { item: shop.item, quantity: '1', rate: '95' };
  await shop.post({ kind: 'openingStock', ...pune, lines: [{ ...line, quantity: '10', rate: '60' }] });
  await shop.post({ kind: 'saleInvoice', ...pune, party: shop.customer, lines: [line] });
  await shop.post({ kind: 'cashSale', ...pune, lines: [line] });
  const { start: from, end: to } = financialYearOf(todayIn(Date.now()));
  const filters = { from, to };
  const trial = (await owner.ask('RunReport', { report: 'trialBalance', filters })) as {
    totals: Record<string, string>;
    notes: string[];
  };
  expect(trial.notes).toEqual([]);
  expect(trial.totals.closingDebit).toBe(trial.totals.closingCredit);
  const sheet = (await owner.ask('RunReport', { report: 'balanceSheet', filters: { asOf: to } })) as {
    rows: { name: string; total?: boolean; amount: string }[];
  };
  const totals = sheet.rows.filter((r) => r.total).map((r) => r.amount);
  expect(totals).toHaveLength(2);
  expect(totals[0]).toBe(totals[1]);
  for (const format of ['xlsx', 'csv', 'pdf'] as const) {
    const file = (await owner.ask('ExportReport', { report: 'trialBalance', filters, format })) as { content: string };
    expect(Buffer.from(file.content, 'base64').length).toBeGreaterThan(500);
  }
});

test('a month that is none, is before GST or still to come is marked at its field', async () => {
  const owner = await server.signIn('owner@sharma.demo');
  const registration = server.organisations[0]?.registrations.KA ?? '';
  for (const period of ['2026-11', '132026', '112', 'x', '062017', '011000', '019999'])
    expect(await owner.call('RunReport', { report: 'gstr1', filters: { registration, period } })).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'period' }] },
    });
});
