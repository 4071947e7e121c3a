import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../../../domain/base/dates.ts';
import { openShop, type Shop } from '../../../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse(`${TODAY}T06:00:00Z`);
  shop = await openShop(server);
});
afterAll(() => server.stop());

/** In the middle of a financial year: numbers of three days ago are of the same series. */
const TODAY = '2026-11-20';
const journal = async (date: string, more = {}) => {
  const { rows } = await server.database.owner.query<{ id: string }>(
    `
      select id
      from ledgers
      where organisation = (select organisation from items where id = $1)
        and code in ('4310', '6110', '6490', '3110')
        and not is_group
      order by code
      limit 2
    `,
    [shop.item],
  );
  const [debit, credit] = rows.map(({ id }) => id);
  return {
    kind: 'journalVoucher',
    date,
    ...shop.place,
    narration: 'Provision',
    lines: [
      { ledger: debit, debit: '10.00' },
      { ledger: credit, credit: '10.00' },
    ],
    ...more,
  };
};

test('journal dated in the future: posted with a warning, and the same key answers the same warning', async () => {
  const document = await journal(addDays(TODAY, 30));
  const warning = { code: 'futureDate', field: 'date' };
  const priced = await shop.owner.call('GetTaxCalculation', { draft: document } as never);
  expect(priced.details).toMatchObject({ problems: [], warnings: [warning] });
  const key = randomUUID();
  const posted = await shop.owner.call('PostTransactionCalls', { document } as never, key);
  expect(posted).toMatchObject({ status: 200, details: { warnings: [warning] } });
  expect(await shop.owner.call('PostTransactionCalls', { document } as never, key)).toEqual(posted);
});

const supplierOf = async (name: string, more: object = {}) =>
  (
    (await shop.owner.ask('SaveMaster', {
      master: 'supplier',
      values: {
        ...{ name, category: 'unregistered', state: '29', ...more },
        addresses: [{ line1: '2 Mill Road', city: 'Bengaluru', state: '29', pincode: '560002' }],
      },
    })) as { id: string }
  ).id;
const bill = (party: string, reference: string, more = {}) => ({
  ...{ kind: 'purchaseBill', date: TODAY, ...shop.place, party, reference },
  lines: [{ item: shop.item, quantity: '1', rate: '60' }],
  ...more,
});
const send = (document: object) => shop.owner.call('PostTransactionCalls', { document } as never, randomUUID());
const duplicate = {
  status: 422,
  details: { problems: [{ field: 'reference', code: 'duplicateBill', reason: 'needed' }] },
};

test('two records of one supplier are one supplier: a bill of theirs is booked once', async () => {
  const gstin = { gstin: '29AAACH1122E1Z6', category: 'registered' };
  const [one, twin] = [await supplierOf('Havell Works', gstin), await supplierOf('Havell Works twin', gstin)];
  const both = await Promise.all([send(bill(one, 'TWIN/1')), send(bill(twin, 'TWIN/1'))]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(both.find(({ status }) => status === 422)).toMatchObject(duplicate);
  expect(await send(bill(twin, 'twin-1'))).toMatchObject(duplicate);
  expect((await send(bill(await supplierOf('Another Works'), 'TWIN/1'))).status).toBe(200);
});

test('supplier’s bill booked twice: asks for a reason, which is kept with the document', async () => {
  const mill = await supplierOf('Mill Works');
  const first = await send(bill(mill, 'DUP/001'));
  expect(first.status).toBe(200);
  expect(await send(bill(mill, 'dup-001'))).toMatchObject(duplicate);
  const fields = { originalNumber: 'OLD/1', originalDate: '2026-04-01' };
  const expense = { kind: 'purchaseDebitNote', reason: 'price raised', fields };
  expect(await send(bill(mill, 'DUP 001', expense))).toMatchObject(duplicate);
  const accepted = [{ warning: 'duplicateBill', reason: 'Second delivery of the same bill' }];
  const second = await send(bill(mill, 'DUP-001', { accepted }));
  expect(second).toMatchObject({ status: 200, details: { warnings: [{ code: 'duplicateBill' }] } });
  const { rows } = await server.database.owner.query('select body -> $2 as warnings from documents where id = $1', [
    (second.details as { TransactionId: string }).TransactionId,
    'warnings',
  ]);
  expect(rows[0].warnings).toMatchObject([{ code: 'duplicateBill', reason: 'Second delivery of the same bill' }]);
  // the document and the report show who gave it, and why
  const { TransactionId } = second.details as { TransactionId: string };
  const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId })) as {
    timeline: { who: string; what: string }[];
  };
  expect(view.timeline).toContainEqual(
    expect.objectContaining({
      who: 'Ravi Sharma',
      what: expect.stringMatching(
        /^Warning accepted: Purchase bill .* has this supplier document number already\. Reason: Second delivery of the same bill$/,
      ),
    }),
  );
  const filters = { from: TODAY, to: TODAY };
  const report = (await shop.owner.ask('RunReport', { report: 'acceptedWarnings', filters } as never)) as unknown as {
    rows: object[];
  };
  expect(report.rows).toMatchObject([
    {
      ...{ document: TransactionId, kind: 'purchaseBill', party: 'Mill Works', who: 'Ravi Sharma' },
      reason: 'Second delivery of the same bill',
    },
  ]);
  // another supplier, another year, and a cancelled bill are no duplicates
  expect((await send(bill(await supplierOf('Other Works'), 'DUP/001'))).status).toBe(200);
  expect((await send(bill(mill, 'DUP/001', { referenceDate: '2025-05-01' }))).status).toBe(200);
});

test('supplier’s bill booked by several at once: one is booked, the others are asked for a reason', async () => {
  const mill = await supplierOf('Race Works');
  for (let round = 0; round < 4; round++) {
    const all = await Promise.all(Array.from({ length: 6 }, () => send(bill(mill, `RACE-${round}`))));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  }
});

test('who approves gives the reason for a warning that came while the bill waited', async () => {
  const approver = await server.signIn('approver@sharma.demo');
  const accountant = await server.signIn('accountant@sharma.demo');
  const rules = (approvals: object[]) => shop.owner.ask('SaveGeneralConfigDetails', { values: { approvals } } as never);
  const mill = await supplierOf('Slow Works');
  const body = bill(mill, 'SLOW/1');
  const kept = (await accountant.ask('AddTransactionDetails', { kind: 'purchaseBill', body } as never)) as {
    TransactionId: string;
    version: number;
  };
  await rules([{ kind: 'purchaseBill', from: '0' }]);
  const sent = (await accountant.ask('SubmitForApproval', kept as never)) as unknown as { version: number };
  await rules([]);
  expect((await send(body)).status).toBe(200);
  const which = { TransactionId: kept.TransactionId, version: sent.version };
  const approve = (more: object = {}) =>
    approver.call('PostTransactionCalls', { ...which, ...more } as never, randomUUID());
  expect(await approve()).toMatchObject(duplicate);
  const accepted = [{ warning: 'duplicateBill', reason: 'Two deliveries' }];
  expect(await approve({ accepted })).toMatchObject({
    status: 200,
    details: { warnings: [{ code: 'duplicateBill' }] },
  });
  const view = (await shop.owner.ask('GetTransactionDetailForInvoice', {
    TransactionId: kept.TransactionId,
  })) as { timeline: { who: string; what: string }[] };
  expect(view.timeline.find(({ what }) => what.includes('Reason: Two deliveries'))?.who).toBe('Joseph Thomas');
});

test('invoice dated before the last number of its series: posted with a warning', async () => {
  const values = {
    sku: 'FIT',
    name: 'Fitting',
    type: 'service',
    unit: 'NOS',
    hsn: '998719',
    treatment: 'taxable',
    gstRate: '18',
  };
  const { id: service } = (await shop.owner.ask('SaveMaster', { master: 'item', values })) as { id: string };
  const sale = (date: string) =>
    send({
      ...{ kind: 'saleInvoice', date, ...shop.place, party: shop.customer },
      lines: [{ item: service, quantity: '1', rate: '95' }],
    });
  expect(await sale(TODAY)).toMatchObject({ status: 200, details: { warnings: [] } });
  const late = await sale(addDays(TODAY, -3));
  expect(late).toMatchObject({ status: 200, details: { warnings: [{ code: 'beforeLastNumber', field: 'date' }] } });
  expect(await sale(TODAY)).toMatchObject({ status: 200, details: { warnings: [] } });
});

test('what cannot be seen is no part of a number', async () => {
  const mill = await supplierOf('Hidden Works');
  for (const hidden of ['\u200b', '\u200c', '\u200d', '\ufeff', '\u2060'])
    expect(await send(bill(mill, `AB${hidden}12`))).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'reference' }] },
    });
  // the joiners of Indian scripts stay in names
  expect(await supplierOf('ಕ್\u200dಷ ಟ್ರೇಡರ್ಸ್')).toBeTruthy();
});

test('a unit has a code of the portals’ list', async () => {
  const save = (uqc: string, code: string) =>
    shop.owner.call('SaveMaster', { master: 'unit', values: { code, name: 'Thing', uqc, decimals: 0 } } as never);
  expect(await save('ZZZ', 'ZZZ')).toMatchObject({ status: 422, details: { problems: [{ field: 'uqc' }] } });
  expect((await save('OTH', 'THG')).status).toBe(200);
});

test('a rate that is not in force takes no number', async () => {
  const sale = (gstRate: string) => ({
    ...{ kind: 'saleInvoice', date: TODAY, ...shop.place, party: shop.customer },
    lines: [{ item: shop.item, quantity: '1', rate: '95', gstRate }],
  });
  const next = async () =>
    (await shop.owner.ask('DocSeriesValidations', {
      Type: 'saleInvoice',
      registration: shop.place.registration,
    })) as object;
  const before = await next();
  for (const rate of ['12', '28', '9'])
    expect(await send(sale(rate))).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'lines.gstRate', row: 0 }] },
    });
  expect(await next()).toEqual(before);
});

test('a bill whose time for input credit is over: booked with a warning, its tax as cost', async () => {
  const party = await supplierOf('Late Works', { category: 'registered', gstin: '27AAPFU0939F1ZV', state: '27' });
  const posted = await send(bill(party, 'LATE-1', { referenceDate: '2024-05-10' }));
  expect(posted).toMatchObject({ status: 200, details: { warnings: [{ code: 'creditBarred' }] } });
  const { rows } = await server.database.owner.query(
    'select l.code from entries e join ledgers l on l.organisation = e.organisation and l.id = e.ledger where e.document = $1',
    [(posted.details as { TransactionId: string }).TransactionId],
  );
  expect(rows.map(({ code }) => code).filter((code) => code.startsWith('141'))).toEqual([]);
});

test('a bill with the CGST and SGST of another state: booked with a warning, its tax as cost; so is its return', async () => {
  const party = await supplierOf('Pune Works', { category: 'registered', gstin: '27AAACR5055K1Z7', state: '27' });
  const posted = await send(bill(party, 'PUNE-1', { placeOfSupply: '27' }));
  expect(posted).toMatchObject({
    status: 200,
    details: { warnings: [{ code: 'creditBarred', field: 'placeOfSupply' }] },
  });
  const taxed = async ({ details }: { readonly details: unknown }) => {
    const { rows } = await server.database.owner.query<{ code: string }>(
      `
        select l.code
          from entries e
          join ledgers l on l.organisation = e.organisation and l.id = e.ledger
         where e.document = $1
           and l.code like '141%'
      `,
      [(details as { TransactionId: string }).TransactionId],
    );
    return rows.map(({ code }) => code);
  };
  expect(await taxed(posted)).toEqual([]);
  const against = (posted.details as { TransactionId: string }).TransactionId;
  const more = {
    against,
    reason: 'Sales return',
    lines: [{ item: shop.item, source: { document: against, line: 1 }, quantity: '1' }],
  };
  const back = await send({ ...bill(party, 'PUNE-2', more), kind: 'purchaseReturn' });
  expect(back).toMatchObject({ status: 200 });
  expect(await taxed(back)).toEqual([]);
  const { rows } = await server.database.owner.query<{ id: string }>(
    "select id from ledgers where organisation = (select organisation from items where id = $1) and code = '6110'",
    [shop.item],
  );
  const hotel = await send({
    ...bill(party, 'HOTEL-1', { placeOfSupply: '27' }),
    kind: 'expense',
    lines: [{ ledger: rows[0]?.id, rate: '5000', quantity: '1', gstRate: '18' }],
  });
  expect(hotel).toMatchObject({
    status: 200,
    details: { warnings: [{ code: 'creditBarred', field: 'placeOfSupply' }] },
  });
  expect(await taxed(hotel)).toEqual([]);
  // integrated tax is credit here
  const here = await send(bill(party, 'PUNE-3'));
  expect(here).toMatchObject({ status: 200, details: { warnings: [] } });
  expect(await taxed(here)).toEqual(['1413']);
});

test('from a turnover of ten crore an invoice older than 30 days takes no number', async () => {
  const { rows } = await server.database.owner.query<{ turnovers: { pan: string; year: string; amount: number }[] }>(
    'select turnovers(organisation) as turnovers from items where id = $1',
    [shop.item],
  );
  expect(rows[0]?.turnovers).toEqual(expect.any(Array));
  const values = {
    sku: 'WIRE',
    name: 'Wiring',
    type: 'service',
    unit: 'NOS',
    hsn: '998719',
    treatment: 'taxable',
    gstRate: '18',
  };
  const { id: item } = (await shop.owner.ask('SaveMaster', { master: 'item', values })) as { id: string };
  const old = () =>
    send({
      ...{ kind: 'saleInvoice', date: addDays(TODAY, -31), ...shop.place, party: shop.customer },
      lines: [{ item, quantity: '1', rate: '95' }],
    });
  await server.database.owner.query(
    `update registrations set body = body || '{"einvoice": true, "einvoiceFrom": "2020-10-01"}' where id = $1`,
    [shop.place.registration],
  );
  expect((await old()).status).toBe(200);
  await server.database.owner.query(
    `update registrations set body = body || '{"turnover": [{"year": "2024-25", "amount": "120000000.00"}]}' where id = $1`,
    [shop.place.registration],
  );
  expect(await old()).toMatchObject({ status: 422, details: { problems: [{ field: 'date' }] } });
});

test('journal of today: no warning', async () => {
  const posted = await shop.owner.call(
    'PostTransactionCalls',
    { document: await journal(TODAY) } as never,
    randomUUID(),
  );
  expect(posted).toMatchObject({ status: 200, details: { warnings: [] } });
});

test('a reason for a warning that does not exist is a problem', async () => {
  const document = await journal(TODAY, { accepted: [{ warning: 'noSuchWarning', reason: 'because' }] });
  const refused = await shop.owner.call('PostTransactionCalls', { document } as never, randomUUID());
  expect(refused).toMatchObject({ status: 422, details: { problems: [{ field: 'accepted' }] } });
});

test('rate that ended before the invoice: refused, and posted once the days of supply and payment say so', async () => {
  const sale = (fields: object) =>
    send({
      ...{ kind: 'saleInvoice', date: TODAY, ...shop.place, party: shop.customer, fields },
      lines: [{ item: shop.item, quantity: '1', rate: '100', gstRate: '12' }],
    });
  const refused = await sale({});
  expect(refused).toMatchObject({ status: 422, details: { problems: [{ field: 'lines.gstRate', row: 0 }] } });
  expect(JSON.stringify(refused.details)).toContain('enter those days (section 14)');
  expect((await sale({ suppliedOn: '2025-09-25', paidOn: '2025-09-12' })).status).toBe(422);
  expect(await sale({ suppliedOn: '2025-09-10', paidOn: '2025-09-12' })).toMatchObject({ status: 200 });
});

test('an invoice dated before the last number of its series is warned of while it is typed, before it is posted', async () => {
  const values = {
    ...{ sku: 'SRV', name: 'Service', type: 'service', unit: 'NOS', hsn: '998719' },
    ...{ treatment: 'taxable', gstRate: '18' },
  };
  const { id: service } = (await shop.owner.ask('SaveMaster', { master: 'item', values })) as { id: string };
  const posted = await send({
    ...{ kind: 'saleInvoice', date: TODAY, ...shop.place, party: shop.customer },
    lines: [{ item: service, quantity: '1', rate: '95' }],
  });
  expect(posted.status).toBe(200);
  const { TransactionNumber: number } = posted.details as { TransactionNumber: string };
  const nothing = { parties: [], items: [], ledgers: [], documents: [] };
  const facts = async (kind: string, date: string) =>
    (await shop.owner.ask('GetEditorFacts', { ...nothing, kind, date, ...shop.place } as never)) as {
      readonly lastInSeries?: object;
    };
  expect((await facts('saleInvoice', addDays(TODAY, -1))).lastInSeries).toEqual({ number, date: TODAY });
  // nothing can be later than today, and of other kinds nothing is asked
  expect((await facts('saleInvoice', TODAY)).lastInSeries).toBeUndefined();
  expect((await facts('purchaseBill', addDays(TODAY, -1))).lastInSeries).toBeUndefined();
});
