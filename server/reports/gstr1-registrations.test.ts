import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let period: string;
let service: string;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const saved = (await shop.owner.ask('SaveMaster', {
    master: 'item',
    values: {
      ...{ sku: 'ADVICE', name: 'Advice', type: 'service', unit: 'OTH', hsn: '998212', treatment: 'taxable' },
      gstRate: '18',
    },
  })) as { id: string };
  service = saved.id;
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  period = today.slice(5, 7) + today.slice(0, 4);
});
afterAll(() => server.stop());

const gstinOf = (start: string) => `${start}${gstinCheckDigit(start)}`;
const address = { line1: '5 Estate Road', city: 'Chennai', pincode: '600002' };
/** A registration of ours in Tamil Nadu of a kind, with a place of its own. */
async function registered(kind: string, gstin: string) {
  const { id } = (await shop.owner.ask('SaveMaster', {
    ...{ master: 'registration', values: { legalName: 'Sharma Traders', gstin, state: '33', kind, ...address } },
  })) as { id: string };
  const place = (await shop.owner.ask('SaveMaster', {
    master: 'location',
    values: { code: gstin.slice(12, 14), name: gstin, registration: id, isTax: true, isPhysical: true, ...address },
  })) as { id: string };
  return { registration: id, location: place.id };
}
const buyerHere = async (name: string) =>
  (
    (await shop.owner.ask('SaveMaster', {
      master: 'customer',
      values: {
        ...{ name, gstin: gstinOf('33AABCA1234F1Z'), category: 'registered', state: '33' },
        addresses: [{ ...address, state: '33' }],
      },
    })) as { id: string }
  ).id;

interface Rows {
  rows: { name: string; count: number; igst: string; cgst: string }[];
  notes: string[];
}
const shown = async (registration: string) =>
  (await shop.owner.ask('RunReport', { report: 'gstr1', filters: { registration, period } })) as Rows;
const asked = (registration: string, format: string) =>
  shop.owner.call('ExportReport', { report: 'gstr1', filters: { registration, period }, format } as never);
async function fileOf(registration: string) {
  const { content } = (await asked(registration, 'json')).details as { content: string };
  return JSON.parse(Buffer.from(content, 'base64').toString()) as Record<string, unknown>;
}

test('what a SEZ sells within its state bears IGST in the file, as in the books', async () => {
  const sez = await registered('sez', gstinOf('33AAGCS4821F1Z'));
  const party = await buyerHere('Estate buyer');
  await shop.post({
    ...{ kind: 'saleInvoice', party, ...sez },
    lines: [{ item: service, quantity: '1', rate: '1000' }],
  });
  expect((await fileOf(sez.registration))['b2b']).toEqual([
    {
      ctin: gstinOf('33AABCA1234F1Z'),
      inv: [
        expect.objectContaining({
          ...{ val: 1180, pos: '33', inv_typ: 'R' },
          itms: [{ num: 1801, itm_det: { rt: 18, txval: 1000, iamt: 180, csamt: 0 } }],
        }),
      ],
    },
  ]);
  const { rows } = await server.database.owner.query(
    `
      select l.code, sum(e.credit - e.debit)::text as moved
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.registration = $1 and l.code in ('2211', '2212', '2213')
      group by 1
    `,
    [sez.registration],
  );
  expect(rows).toEqual([{ code: '2213', moved: '18000' }]);
});

test('a composition registration has no GSTR-1: the screen says so, and no file is made', async () => {
  // beside regular ones only in books from before this was checked (section 10(2))
  const small = await registered('regular', gstinOf('33AAGCS4821F2Z'));
  await server.database.owner.query(`update registrations set kind = 'composition' where id = $1`, [
    small.registration,
  ]);
  await shop.post({
    ...{ kind: 'cashSale', ...small, moneyLedger: await shop.ledger('1110') },
    lines: [{ item: service, quantity: '1', rate: '1000' }],
  });
  const report = await shown(small.registration);
  expect(report.rows).toEqual([]);
  expect(report.notes).toEqual([expect.stringContaining('composition dealer files no GSTR-1')]);
  for (const format of ['json', 'csv', 'xlsx', 'pdf'])
    expect(await asked(small.registration, format)).toMatchObject({ status: 409, details: { code: 'noReturn' } });
  for (const form of ['GSTR-1', 'IFF'])
    expect(
      await shop.owner.call('MarkFiled', {
        ...{ registration: small.registration, form, period: '2026-10', filedOn: '2026-11-11', arn: '' },
      } as never),
    ).toMatchObject({
      status: 422,
      details: { problems: expect.arrayContaining([expect.objectContaining({ field: 'form' })]) },
    });
  await server.database.owner.query('update registrations set active = false where id = $1', [small.registration]);
});

test('a credit note without GST is in no section of the file but the count of numbers', async () => {
  const own = await registered('regular', gstinOf('33AAGCS4821F3Z'));
  const lines = [{ item: service, quantity: '10', rate: '100' }];
  const sold = await shop.post({ kind: 'saleInvoice', party: shop.customer, ...own, lines });
  const { registration } = own;
  const before = await fileOf(registration);
  await shop.post({
    ...{ kind: 'saleCreditNote', party: shop.customer, against: sold.TransactionId, reason: 'Post-sale discount' },
    ...{ ...own, withoutTax: true, lines: [{ item: service, quantity: '1', rate: '100' }] },
  });
  const after = await fileOf(registration);
  expect({ ...after, doc_issue: null }).toEqual({ ...before, doc_issue: null });
  expect(after['cdnr']).toBeUndefined();
  const { rows } = await shown(registration);
  expect(rows.find(({ name }) => name.startsWith('9B – Notes, registered'))).toMatchObject({ count: 0 });
});

test('a price cut takes value from table 12 and no pieces; goods that come back take both', async () => {
  const lines = [{ item: shop.item, quantity: '10', rate: '100' }];
  const sold = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  const { registration } = shop.place;
  const counted = async () => {
    const hsn = (await fileOf(registration))['hsn'] as { hsn_b2b: { qty: number; txval: number }[] };
    const sum = (of: 'qty' | 'txval') => hsn.hsn_b2b.reduce((total, row) => total + row[of], 0);
    return [sum('qty'), sum('txval')];
  };
  const [quantity = 0, value = 0] = await counted();
  const against = { party: shop.customer, against: sold.TransactionId, reason: 'Rate difference' };
  await shop.post({ kind: 'saleCreditNote', ...against, lines: [{ item: shop.item, quantity: '10', rate: '10' }] });
  expect(await counted()).toEqual([quantity, value - 100]);
  await shop.post({ kind: 'saleDebitNote', ...against, lines: [{ item: shop.item, quantity: '10', rate: '5' }] });
  expect(await counted()).toEqual([quantity, value - 50]);
  await shop.post({
    ...{ kind: 'saleReturn', ...against },
    lines: [{ item: shop.item, quantity: '2', source: { document: sold.TransactionId, line: 1 } }],
  });
  expect((await counted())[0]).toBe(quantity - 2);
});

test('self-invoices, payment vouchers and challans are counted in table 13 by their nature', async () => {
  const { id: lawyer } = (await shop.owner.ask('SaveMaster', {
    ...{ master: 'supplier', values: { name: 'Rao', category: 'unregistered', state: '29', addresses: [] } },
  })) as { id: string };
  const legal = [{ item: service, quantity: '1', rate: '1000' }];
  const bill = await shop.post({
    kind: 'purchaseBill',
    party: lawyer,
    reverseCharge: true,
    reference: 'R1',
    lines: legal,
  });
  await shop.post({
    ...{ kind: 'selfInvoice', party: lawyer, against: bill.TransactionId, reverseCharge: true },
    lines: legal.map((line, at) => ({ ...line, source: { document: bill.TransactionId, line: at + 1 } })),
  });
  const paid = await shop.post({
    ...{ kind: 'payment', party: lawyer, moneyLedger: await shop.ledger('1110'), amount: '1000' },
  });
  await shop.post({ kind: 'paymentVoucher', party: lawyer, against: paid.TransactionId, amount: '1000' });
  const goods = [{ item: shop.item, quantity: '1', rate: '60' }];
  const challan = async (reason: string) =>
    await shop.post({ kind: 'deliveryChallan', party: shop.customer, reason, lines: goods });
  await challan('Job work');
  await challan('Supply on approval');
  const liquid = await challan('Liquid gas');
  await challan('Exhibition or fair');
  await shop.owner.ask('CancelTransaction', {
    ...{ TransactionIds: [liquid.TransactionId], TransactionType: 'deliveryChallan', reason: 'not sent' },
  });
  const { doc_det } = (await fileOf(shop.place.registration))['doc_issue'] as {
    doc_det: { doc_num: number; docs: { totnum: number; cancel: number }[] }[];
  };
  const counted = Object.fromEntries(
    doc_det.map(({ doc_num, docs }) => [doc_num, docs.map(({ totnum, cancel }) => `${totnum}-${cancel}`).join()]),
  );
  expect(counted).toMatchObject({ 2: '1-0', 7: '1-0', 9: '1-0', 10: '1-0', 11: '1-1', 12: '1-0' });
});
