import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { percentage } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { digestOf, itemLine, manyBooks, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { masterHandlers } from '../masters/index.ts';
import { reportHandlers } from '../reports/index.ts';
import { bankingHandlers } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const format = { date: 'Date', order: 'dmy', text: 'Narration', amount: 'Amount' } as const;
const sale = (books: TestBooks, rupees: number, date = '2026-04-01') =>
  books.post(
    books.draft('b2cInvoice', {
      date,
      party: books.customer,
      taxInclusive: true,
      lines: [itemLine(books.items[0], 1, rupees)],
    }),
  );
const openOf = async (id: Id): Promise<number> =>
  (await db.owner.query('select open::int from open_items where document = $1 and line = 0', [id])).rows[0]?.open;
const entriesOf = async (id: Id): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await db.owner.query(
        `
          select l.code, (e.debit - e.credit)::int as amount
          from entries e
          join ledgers l on l.organisation = e.organisation and l.id = e.ledger
          where e.document = $1
        `,
        [id],
      )
    ).rows.map((r) => [r.code, r.amount]),
  );
const problemsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error) => ((error as { problems?: { field: string }[] }).problems ?? []).map(({ field }) => field),
  );
async function desk() {
  const books = await more({ isAllowNegative: true, trackInventory: true });
  const bank = await books.ledger('1121');
  const calls = bankingHandlers(books.poster);
  const load = (rows: string) =>
    calls.ImportBankStatement({ ledger: bank, content: `Date,Narration,Amount\n${rows}`, format }, books.context());
  const lines = async () => (await calls.GetReconciliation({ ledger: bank }, books.context())).lines;
  const make = (line: Id, asked: object) =>
    calls.PostBankLine(
      {
        ...{ ledger: bank, line, narration: '', registration: books.registration, location: books.location },
        ...(asked as { way: 'receipt' }),
        draft: false,
      },
      books.context({ key: randomUUID(), digest: digestOf(line) }),
    );
  return { books, bank, calls, load, lines, make };
}

test('a document of a line that needs a reason is posted once it is given, and keeps it', async () => {
  const { books, load, lines, make } = await desk();
  const due = await sale(books, 1000);
  await load('02/04/2026,NEFT ASHA,400.00');
  const [line] = await lines();
  // more tax kept back than any section deducts
  const asked = {
    ...{ way: 'receipt', party: books.customer, tdsAmount: paise(60000) },
    allocations: [{ document: due.id, line: 0, amount: paise(100000) }],
  };
  const refused = await make(line?.id ?? '', asked).catch((error) => error.problems);
  expect(refused).toEqual([
    { code: 'tdsAboveSections', field: 'tdsAmount', reason: 'needed', message: expect.any(String) },
  ]);
  const accepted = [{ warning: 'tdsAboveSections', reason: 'Two years of tax at once' }];
  const made = await make(line?.id ?? '', { ...asked, accepted });
  expect(made).toMatchObject({ kind: 'saleReceipt', matched: true });
  const { rows } = await db.owner.query("select body -> 'warnings' as warnings from documents where id = $1", [
    made.TransactionId,
  ]);
  expect(rows[0].warnings).toEqual([
    expect.objectContaining({ code: 'tdsAboveSections', reason: 'Two years of tax at once', by: books.user }),
  ]);
});

test('a line settles what it names with one key; partly, with what the bank took and tax kept back', async () => {
  const { books, load, lines, make } = await desk();
  const [first, second] = [await sale(books, 1180), await sale(books, 590)];
  await load(
    `02/04/2026,NEFT ${first.number} ASHA,1180.00\n03/04/2026,NEFT ASHA TRADERS,560.00\n04/04/2026,UNKNOWN,77.00`,
  );
  const [named, byParty, unknown] = await lines();
  expect(named?.settles).toMatchObject({
    by: 'number',
    party: books.customer,
    dues: [{ document: first.id, amount: '1180.00' }],
  });
  expect(byParty?.settles).toMatchObject({ by: 'party', dues: [{ document: second.id, amount: '560.00' }] });
  expect(unknown?.settles).toBeNull();
  const taken = (line: typeof named) => ({
    way: 'receipt',
    party: line?.settles?.party,
    allocations: line?.settles?.dues.map(({ document, line: at, amount }) => ({
      document,
      line: at,
      amount: paise(Math.round(Number(amount) * 100)),
    })),
  });
  const made = await make(named?.id ?? '', taken(named));
  expect(made).toMatchObject({ kind: 'saleReceipt', matched: true });
  expect(await openOf(first.id)).toBe(0);
  // 560 came in, the bank took 10, 20 were kept back as tax: 590 in all
  const rest = await make(byParty?.id ?? '', {
    ...{ way: 'receipt', party: books.customer, bankCharges: paise(1000), tdsAmount: paise(2000) },
    allocations: [{ document: second.id, line: 0, amount: paise(59000) }],
  });
  expect(rest.matched).toBe(true);
  expect(await openOf(second.id)).toBe(0);
  expect(await entriesOf(rest.TransactionId)).toEqual({ '1121': 56000, '6230': 1000, '1431': 2000, '1210': -59000 });
  // more than is open, and money that has no party
  const late = await sale(books, 100);
  const asked = {
    way: 'receipt',
    party: books.customer,
    allocations: [{ document: late.id, line: 0, amount: paise(99900) }],
  };
  expect(await problemsOf(make(unknown?.id ?? '', asked))).toEqual(['allocations']);
  expect(
    await problemsOf(
      make(unknown?.id ?? '', { way: 'journal', counter: await books.ledger('6230'), bankCharges: paise(1) }),
    ),
  ).toEqual(['bankCharges']);
});

test('a supplier is paid by a line, and the charge of the bank is in it', async () => {
  const { books, load, lines, make } = await desk();
  const bill = await books.post(
    books.draft('purchaseBill', {
      date: '2026-04-01',
      party: books.supplier,
      reference: 'MW/881',
      lines: [itemLine(books.items[0], 1, 1000)],
    }),
  );
  await load('05/04/2026,RTGS TO MW-881,-1185.90');
  const [line] = await lines();
  expect(line?.settles).toMatchObject({
    way: 'payment',
    by: 'number',
    dues: [{ document: bill.id, amount: '1180.00' }],
  });
  const paid = await make(line?.id ?? '', {
    ...{ way: 'payment', party: books.supplier, bankCharges: paise(590) },
    allocations: [{ document: bill.id, line: 0, amount: paise(118000) }],
  });
  expect(await entriesOf(paid.TransactionId)).toEqual({ '1121': -118590, '6230': 590, '2120': 118000 });
  expect(await openOf(bill.id)).toBe(0);
  expect(paid.warnings).toEqual([]);
  // what is posted with a warning says so, as every call that posts
  await load('06/04/2026,WIRE,-100.00');
  const [wire] = await lines();
  const dear = await make(wire?.id ?? '', { way: 'payment', party: books.supplier, bankCharges: paise(6000) });
  expect(dear.warnings).toMatchObject([{ code: 'chargesAbovePayment', field: 'bankCharges' }]);
});

test('rules are asked in their order, which somebody sets, and can be changed', async () => {
  const { books, calls, load, lines } = await desk();
  const charges = await books.ledger('6230');
  const keep = (holds: string) =>
    calls.SaveBankRule({ ledger: null, holds, way: 'expense', counter: charges, narration: '' }, books.context());
  const short = await keep('FEE');
  const long = await keep('FEE SMS');
  await load('05/04/2026,FEE SMS APRIL,-5.00');
  const ruled = async () => (await lines())[0]?.rule?.id;
  expect(await ruled()).toBe(long.id);
  await calls.OrderBankRules({ ids: [short.id, long.id] }, books.context());
  expect(await ruled()).toBe(short.id);
  expect((await calls.ListBankRules({}, books.context())).map((r) => r.id)).toEqual([short.id, long.id]);
  await calls.SaveBankRule(
    {
      ...{ ledger: null, way: 'expense', counter: charges, narration: '' },
      id: short.id,
      version: short.version,
      holds: 'RENT',
    },
    books.context(),
  );
  expect(await ruled()).toBe(long.id);
  await expect(calls.OrderBankRules({ ids: [randomUUID()] }, books.context())).rejects.toMatchObject({
    code: 'notFound',
  });
});

test('a cheque that came back takes its receipt back on that day: invoices are open again, both know each other', async () => {
  const { books, bank, calls } = await desk();
  const [first, second] = [await sale(books, 1180), await sale(books, 590)];
  const cheque = await books.post(
    books.draft('saleReceipt', {
      ...{ date: '2026-04-10', party: books.customer, moneyLedger: bank, fields: { instrument: '004512' } },
      amount: paise(150000),
      tdsAmount: paise(27000),
      allocations: [
        { document: first.id, amount: paise(118000) },
        { document: second.id, amount: paise(50000) },
      ],
    }),
  );
  const bounce = (more: object = {}, key = randomUUID()) =>
    calls.BounceReceipt(
      {
        TransactionId: cheque.id,
        date: '2026-04-15',
        reason: 'Funds insufficient',
        bankCharges: paise(11800),
        ...more,
      },
      books.context({ key, digest: digestOf(key) }),
    );
  expect(await problemsOf(bounce({ date: '2026-04-09' }))).toEqual(['date']);
  await expect(bounce({ TransactionId: first.id })).rejects.toMatchObject({ code: 'cannotChange' });
  const key = randomUUID();
  const [made, again] = await Promise.all([bounce({}, key), bounce({}, key)]);
  expect(again).toEqual(made);
  expect(made.warnings).toEqual([]);
  expect(await entriesOf(made.TransactionId)).toEqual({
    '1210': 177000,
    '6230': 11800,
    '1121': -161800,
    '1431': -27000,
  });
  expect(await Promise.all([first.id, second.id, cheque.id, made.TransactionId].map(openOf))).toEqual([
    118000, 59000, 0, 0,
  ]);
  const { rows } = await db.owner.query('select source, role from document_links where target = $1', [
    made.TransactionId,
  ]);
  expect(rows).toEqual([{ source: cheque.id, role: 'source' }]);
  // once only, and the receipt cannot be cancelled under it
  expect(await problemsOf(bounce())).toEqual(['against']);
  await expect(books.cancel(cheque.id)).rejects.toThrow('cancel that first');
  // a part of it cannot come back by another way
  const draft: Draft = books.draft('bouncedReceipt', {
    party: books.customer,
    against: cheque.id,
    moneyLedger: bank,
    amount: paise(1000),
  });
  expect(await problemsOf(books.post(draft))).toEqual(['amount']);
});

test('less tax is deducted by a certificate, as far as it goes; two at once never use more than there is', async () => {
  const { books } = await desk();
  const save = (values: object, more: object = {}) =>
    masterHandlers.SaveMaster(
      {
        master: 'tdsCertificate',
        values: {
          ...{ number: 'AB/197/7', party: books.supplier, section: '194J(1)(ba)', rate: '2', limit: '25000.00' },
          ...{ from: '2026-04-01', to: '2027-03-31' },
          ...values,
        },
        ...more,
      },
      books.context(),
    );
  expect(await problemsOf(save({ rate: '10' }))).toEqual(['rate']);
  expect(await problemsOf(save({ to: '2026-03-31' }))).toEqual(['to']);
  const { id, version } = await save({});
  const fee = async (rupees: number, date = '2026-05-01', more: Partial<Draft> = {}) =>
    books.post(
      books.draft('purchaseBill', {
        ...{ date, party: books.supplier, reference: randomUUID().slice(0, 12), tdsSection: '194J(1)(ba)' },
        lines: [itemLine(books.items[0], 1, rupees)],
        ...more,
      }),
    );
  const tdsOf = async (made: { id: Id }) =>
    (
      await db.owner.query(
        `select tds::int, body #>> '{draft,tdsLower,number}' as number from documents where id = $1`,
        [made.id],
      )
    ).rows[0];
  expect(await tdsOf(await fee(10_000))).toEqual({ tds: 20_000, number: 'AB/197/7' });
  expect(await tdsOf(await fee(10_000, '2027-04-01').catch(() => fee(10_000, '2026-03-31')))).toMatchObject({
    number: null,
  });
  // 15,000 are left of the certificate: two bills of 10,000 at once use it one after the other
  const both = await Promise.allSettled([fee(10_000), fee(10_000)]);
  for (const failed of both.filter((one) => one.status === 'rejected'))
    expect((failed as PromiseRejectedResult).reason).toMatchObject({ code: 'figuresChanged' });
  while ((await usedOf(id)) < 2_500_000) await fee(10_000);
  expect(await usedOf(id)).toBe(2_500_000);
  expect(await tdsOf(await fee(1_000))).toEqual({ tds: 10_000, number: null });
  expect(await problemsOf(save({ limit: '20000.00' }, { id, version }))).toEqual(['limit']);
  expect(await problemsOf(save({ rate: '1' }, { id, version }))).toEqual(['rate']);
  const report = await reportHandlers.RunReport(
    { report: 'tdsDeducted', filters: { from: '2026-05-01', to: '2026-05-31', section: '194J(1)(ba)' } },
    books.context(),
  );
  const named = report.rows.filter((row) => row.certificate !== '');
  expect(named.map((row) => row.certificate)).toContain('AB/197/7');
  // the bill that used up the rest bears both rates: 5,000 at 2 % and 5,000 at 10 %
  expect(named.find((row) => String(row.certificate).includes('5000.00'))).toMatchObject({
    tds: '600.00',
    amount: '10000.00',
  });
  const shown = await reportHandlers.RunReport(
    { report: 'form16a', filters: { from: '2026-04-01', to: '2027-03-31', party: books.supplier } },
    books.context(),
  );
  expect(shown.rows[0]).toMatchObject({ quarter: 'Q1 2026-27', section: '194J(1)(ba)' });
  expect(shown.notes.join(' ')).toContain('PAN AAACM2222A');
  expect(percentage('2')).toBe(20_000);
});

const usedOf = async (id: Id): Promise<number> =>
  Number(
    (
      await db.owner.query('select certificate_used(organisation, id) as used from tds_certificates where id = $1', [
        id,
      ])
    ).rows[0].used,
  );
