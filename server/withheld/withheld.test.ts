import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { digestOf, itemLine, manyBooks, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { permitted } from '../../tools/testing/permitted.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { mailTask } from '../mail/index.ts';
import { reportHandlers } from '../reports/index.ts';
import { taxHandlers } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const YEAR = '2026-27';
let serials = 50_000;
/** Each challan has its own. */
const nextSerial = (): string => {
  serials += 1;
  return String(serials);
};
const problemsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error) =>
      ((error as { problems?: { field: string; row?: number }[] }).problems ?? []).map(({ field, row }) =>
        row === undefined ? field : `${field} ${row}`,
      ),
  );
const entriesOf = async (id: Id): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await db.owner.query(
        `
          select l.code, sum(e.debit - e.credit)::int as amount
          from entries e
          join ledgers l on l.organisation = e.organisation and l.id = e.ledger
          where e.document = $1
          group by l.code
        `,
        [id],
      )
    ).rows.map((r) => [r.code, r.amount]),
  );

/**
 * Books whose supplier is paid for work, with the calls about tax. The tax that a challan pays follows from the books: it
 * waits for nobody where journals do. Interest and fee are typed, and are held to the rule.
 */
async function desk(approvals = [{ kind: 'manualJournal', from: '300' }]) {
  const books = await more({ isAllowNegative: true, trackInventory: true, approvals });
  const bank = await books.ledger('1121');
  const calls = taxHandlers(books.poster, true);
  const bill = (rupees: number, date: string, less: Partial<Draft> = {}) =>
    books.post(
      books.draft('purchaseBill', {
        ...{ date, party: books.supplier, reference: randomUUID().slice(0, 12), tdsSection: '194C' },
        tdsAmount: paise(rupees * 2),
        lines: [itemLine(books.items[0], 1, rupees)],
        ...less,
      }),
    );
  const pay = (parts: readonly (readonly [Id, number])[], asked: object = {}, key = randomUUID()) =>
    calls.PostTaxChallan(
      {
        ...{ tax: 'tds', section: '194C', head: '0020', date: '2026-10-07', moneyLedger: bank, narration: '' },
        ...{ registration: books.registration, location: books.location, interest: paise(0), fee: paise(0) },
        ...{ bsr: '0510308', serial: nextSerial() },
        parts: parts.map(([document, amount]) => ({ document, amount: paise(amount) })),
        ...asked,
      },
      books.context({ key, digest: digestOf(key) }),
    );
  const due = async (tax: 'tds' | 'tcs' = 'tds') =>
    (await calls.GetTaxWithheld({ tax, year: YEAR }, books.context())).rows.map(
      ({ section, month, withheld, paid, left, due: day, late }) => [section, month, withheld, paid, left, day, late],
    );
  const certificates = (quarter = 2) => calls.ListTaxCertificates({ tax: 'tds', year: YEAR, quarter }, books.context());
  return { books, bank, calls, bill, pay, due, certificates };
}
const withTan = (books: TestBooks) =>
  db.owner.query(`update registrations set body = body || '{"tan": "BLRS12345A"}' where organisation = $1`, [
    books.organisation,
  ]);

test('what was deducted is seen by section and month, paid in part and whole, never beyond; a challan that is cancelled makes it due again', async () => {
  const { books, calls, bill, pay, due } = await desk();
  const [first, second, other] = [
    await bill(50_000, '2026-09-05'),
    await bill(30_000, '2026-09-20'),
    await bill(10_000, '2026-10-02', { tdsSection: '194H' }),
  ];
  expect(await due()).toEqual([
    ['194C', '2026-09', '1600.00', '0.00', '1600.00', '2026-10-07', true],
    ['194H', '2026-10', '200.00', '0.00', '200.00', '2026-11-07', true],
  ]);
  const listed = await calls.ListTaxDeductions({ tax: 'tds', section: '194C', month: '2026-09' }, books.context());
  expect(listed).toMatchObject([
    { number: first.number, amount: '50000.00', withheld: '1000.00', left: '1000.00', head: '0020' },
    { number: second.number, party: 'Mill Works', pan: 'AAACM2222A', due: '2026-10-07' },
  ]);
  // a deduction in part, with what being late costs beside it
  const some = await pay([[first.id, 60_000]], { interest: paise(3_000), fee: paise(20_000), date: '2026-10-08' });
  expect(await entriesOf(some.TransactionId)).toEqual({ '2231': 60_000, '6530': 23_000, '1121': -83_000 });
  await expect(pay([[first.id, 1]], { interest: paise(30_000) })).rejects.toMatchObject({ code: 'needsApproval' });
  expect(await problemsOf(pay([[first.id, 40_001]]))).toEqual(['parts 0']);
  expect(await problemsOf(pay([[other.id, 1]]))).toEqual(['parts 0']);
  expect(await problemsOf(pay([[first.id, 1]], { date: '2026-09-04' }))).toEqual(['parts 0']);
  expect(await problemsOf(pay([[first.id, 1]], { serial: '' }))).toEqual(['serial']);
  expect(await problemsOf(pay([[first.id, 1]], { moneyLedger: await books.ledger('2231') }))).toEqual(['moneyLedger']);
  const key = randomUUID();
  const rest = [[first.id, 40_000] as const, [second.id, 60_000] as const];
  const [made, again] = await Promise.all([pay(rest, { serial: '00042' }, key), pay(rest, { serial: '00042' }, key)]);
  expect(again).toEqual(made);
  expect((await due())[0]).toEqual(['194C', '2026-09', '1600.00', '1600.00', '0.00', '2026-10-07', false]);
  expect(await problemsOf(pay([[other.id, 20_000]], { section: '194H', serial: '00042' }))).toEqual(['serial']);

  // what the government has is not cancelled under it
  await expect(books.cancel(first.id)).rejects.toMatchObject({ code: 'notCancellable' });
  await books.cancel(made.TransactionId, 'paid from another bank');
  expect((await due())[0]).toEqual(['194C', '2026-09', '1600.00', '600.00', '1000.00', '2026-10-07', true]);
  const { rows } = await db.owner.query('select source, role from document_links where target = $1 order by source', [
    made.TransactionId,
  ]);
  expect(rows).toEqual([first.id, second.id].sort().map((source) => ({ source, role: 'challan' })));
  await books.cancel(second.id);
  expect((await due())[0]).toEqual(['194C', '2026-09', '1000.00', '600.00', '400.00', '2026-10-07', true]);
  const challans = await calls.ListTaxChallans({ tax: 'tds', year: YEAR }, books.context());
  expect(challans).toMatchObject([
    { number: some.TransactionNumber, total: '830.00', amount: '600.00', deductions: 1, cancelled: false },
    { serial: '00042', amount: '1000.00', deductions: 2, cancelled: true },
  ]);
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

test('two at once never pay more than was deducted, and no deduction goes while it is being paid', async () => {
  const { books, bill, pay, due } = await desk();
  const one = await bill(100_000, '2026-09-05');
  const paid = await Promise.allSettled([1, 2, 3].map(() => pay([[one.id, 120_000]])));
  expect(paid.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const failed of paid.filter((each) => each.status === 'rejected'))
    expect(['figuresChanged', undefined]).toContain((failed.reason as { code?: string }).code);
  expect((await due())[0]?.slice(2, 5)).toEqual(['2000.00', '1200.00', '800.00']);
  const [next] = [await bill(50_000, '2026-09-06')];
  const both = await Promise.allSettled([pay([[next.id, 100_000]]), books.cancel(next.id)]);
  expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

test('the database itself refuses to pay more than was deducted, whatever is asked of it', async () => {
  const { books, bank, bill } = await desk([]);
  const one = await bill(50_000, '2026-09-05');
  const payable = await books.ledger('2231');
  const challan = (amount: number): Draft =>
    books.draft('manualJournal', {
      lines: [
        { ledger: payable, debit: paise(amount) },
        { ledger: bank, credit: paise(amount) },
      ],
      challan: {
        ...{ tax: 'tds', section: '194C', head: '0020', interest: paise(0), fee: paise(0) },
        parts: [{ document: one.id, amount: paise(amount) }],
      },
    });
  await expect(books.post(challan(100_001))).rejects.toMatchObject({ code: 'figuresChanged' });
  await books.post(challan(100_000));
  await expect(books.post(challan(1))).rejects.toMatchObject({ code: 'figuresChanged' });
});

test('tax that was collected goes the same way, from its own ledger and until the 7th of every month', async () => {
  const { books, calls, pay, due } = await desk();
  const sold = await books.post(
    books.draft('saleInvoice', {
      ...{ date: '2026-08-10', party: books.customer, tcsSection: '206C-scrap' },
      lines: [itemLine(books.items[0], 1, 100_000)],
    }),
  );
  // tax that a supplier collected is not ours to pay
  await books.post(
    books.draft('purchaseBill', {
      ...{ date: '2026-08-11', party: books.supplier, reference: 'S/1', tcsSection: '206C-scrap' },
      lines: [itemLine(books.items[0], 1, 100_000)],
    }),
  );
  expect(await due('tcs')).toEqual([['206C(1) scrap', '2026-08', '2360.00', '0.00', '2360.00', '2026-09-07', true]]);
  const tcs = { tax: 'tcs', section: '206C(1) scrap' };
  const made = await pay([[sold.id, 236_000]], tcs);
  expect(await entriesOf(made.TransactionId)).toEqual({ '2241': 236_000, '1121': -236_000 });
  expect((await due('tcs'))[0]?.[4]).toBe('0.00');
  const collected = await calls.ListTaxCertificates({ tax: 'tcs', year: YEAR, quarter: 2 }, books.context());
  expect(collected).toMatchObject({
    certificate: 'Form 133',
    rows: [{ name: 'Asha Traders', amount: '118000.00', withheld: '2360.00', deposited: '2360.00' }],
  });
  const filters = { from: '2026-07-01', to: '2026-09-30' };
  const { rows } = await reportHandlers.RunReport({ report: 'tcsCollected', filters }, books.context());
  expect(rows).toMatchObject([{ party: 'Asha Traders', tds: '2360.00', paid: '2360.00', rate: '2' }]);
});

test('what was given back with returns is not due; once it is deposited a return asks for a reason', async () => {
  const { books, calls, pay, due } = await desk();
  const section = '206C(1) scrap';
  const sold = await books.post(
    books.draft('saleInvoice', {
      ...{ date: '2026-08-10', party: books.customer, tcsSection: '206C-scrap' },
      lines: [itemLine(books.items[0], 4, 25_000)],
    }),
  );
  const giveBack = (date: string, quantity: number, more: Partial<Draft> = {}) =>
    books.post(
      books.draft('saleReturn', {
        ...{ date, party: books.customer, against: sold.id, reason: 'Damaged' },
        lines: [
          {
            ...{ item: books.items[0] ?? '', quantity: millionths(quantity * 1_000_000) },
            source: { document: sold.id, line: 1 },
          },
        ],
        ...more,
      }),
    );
  const first = await giveBack('2026-08-20', 1);
  expect(await due('tcs')).toEqual([[section, '2026-08', '1770.00', '0.00', '1770.00', '2026-09-07', true]]);
  const listed = await calls.ListTaxDeductions({ tax: 'tcs', section, month: '2026-08' }, books.context());
  expect(listed).toMatchObject([{ number: sold.number, withheld: '1770.00', paid: '0.00', left: '1770.00' }]);
  // one that is cancelled gives nothing back
  await books.cancel(first.id);
  expect((await due('tcs'))[0]?.[4]).toBe('2360.00');
  await giveBack('2026-09-20', 1);
  expect((await due('tcs'))[0]?.[4]).toBe('1770.00');
  expect(await problemsOf(pay([[sold.id, 177_001]], { tax: 'tcs', section }))).toEqual(['parts 0']);
  await pay([[sold.id, 177_000]], { tax: 'tcs', section });
  const settled = [section, '2026-08', '1770.00', '1770.00', '0.00', '2026-09-07', false];
  expect(await due('tcs')).toEqual([settled]);

  await expect(giveBack('2026-10-10', 1)).rejects.toMatchObject({
    problems: [{ code: 'collectedDeposited', field: 'against', message: expect.stringContaining('₹590.00') }],
  });
  const accepted = [{ warning: 'collectedDeposited', reason: 'The statement is corrected' }];
  const back = await giveBack('2026-10-10', 1, { accepted });
  expect(back.warnings?.map(({ code }) => code)).toContain('collectedDeposited');
  expect(await due('tcs')).toEqual([settled]);

  // the statement lists what was given back as negative, on the day it was
  const filters = { tax: 'tcs', from: '2026-07-01', to: '2026-12-31' };
  const { rows, totals } = await reportHandlers.RunReport({ report: 'taxStatement', filters }, books.context());
  expect(rows.map(({ date, amount, tds, paid, left }) => [date, amount, tds, paid, left])).toEqual([
    ['2026-08-10', '118000.00', '2360.00', '1770.00', ''],
    ['2026-09-20', '-29500.00', '-590.00', '', ''],
    ['2026-10-10', '-29500.00', '-590.00', '', ''],
  ]);
  expect(totals).toMatchObject({ tds: '1180.00', paid: '1770.00', left: '0.00' });
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

test('a certificate is refused until all is deposited and named, then it states every deduction and challan of the quarter', async () => {
  const { books, calls, bill, pay, certificates } = await desk();
  const [first, second] = [await bill(50_000, '2026-07-05'), await bill(70_000, '2026-09-20')];
  await bill(90_000, '2026-10-20');
  const asked = { tax: 'tds', party: books.supplier, year: YEAR, quarter: 2 } as const;
  const print = () => calls.PrintTaxCertificate(asked, books.context());
  const obstacle = async (quarter = 2) => (await certificates(quarter)).rows[0]?.obstacle;
  expect(await certificates()).toMatchObject({
    ...{ certificate: 'Form 131', statement: 'Form 140', statementDue: '2026-10-31', certificateDue: '2026-11-15' },
    rows: [{ name: 'Mill Works', withheld: '2400.00', deposited: '0.00', number: '' }],
  });
  expect(await obstacle()).toContain('is not deposited');
  await pay([[first.id, 100_000]], { serial: '11111' });
  await expect(print()).rejects.toThrow('₹1,400.00 of ₹2,400.00 is not deposited');
  const late = await pay([[second.id, 140_000]], { bsr: '', serial: '' });
  expect(await obstacle()).toContain(late.TransactionNumber);
  const name = (more: object = {}) =>
    calls.SaveChallanDetails(
      { id: late.TransactionId, version: 1, bsr: '0510308', serial: '22222', ...more },
      books.context(),
    );
  expect(await problemsOf(name({ serial: '11111' }))).toEqual(['serial']);
  expect(await problemsOf(name({ serial: '' }))).toEqual(['serial']);
  expect(await name()).toEqual({ version: 2 });
  await expect(name({ serial: '33333' })).rejects.toMatchObject({ code: 'stale' });
  expect(await obstacle()).toContain('TAN');
  await withTan(books);
  expect(await obstacle()).toBeNull();
  expect(await obstacle(3)).toContain('is not deposited');

  const kept = await calls.SaveTaxCertificate(
    { ...asked, number: 'abcdefg', signedBy: 'R. Sharma', capacity: 'Director' },
    books.context(),
  );
  await expect(
    calls.SaveTaxCertificate({ ...asked, number: 'X', signedBy: '', capacity: '' }, books.context()),
  ).rejects.toMatchObject({ code: 'stale' });
  expect(kept).toEqual({ version: 2 });
  const { content, type } = await print();
  expect(type).toBe('application/pdf');
  const text = textOfPdf(Buffer.from(content, 'base64'));
  for (const part of [
    'Form 131',
    'section 395(4) of the Income-tax Act 2025',
    'TAN BLRS12345A',
    'PAN AAGCS4821F',
    'PAN AAACM2222A',
    'ABCDEFG',
    '2026-27',
    'Q2 of 2026-27',
    first.number,
    second.number,
    '1,20,000.00',
    '0510308',
    '11111',
    '22222',
    '2,400.00',
    'R. Sharma',
    'Director',
    'Two Thousand Four Hundred',
  ])
    expect(text, part).toContain(part);
  expect(text).not.toContain('number was not entered');
  await expect(calls.PrintTaxCertificate({ ...asked, party: books.customer }, books.context())).rejects.toMatchObject({
    code: 'notFound',
  });
  const limited = books.context({ locations: [books.location], grants: new Map([['CashBankList', 5003]]) });
  await expect(permitted('PrintTaxCertificate', asked, limited)).rejects.toMatchObject({ code: 'noAccess' });

  const key = randomUUID();
  const letter = { to: ['mill@example.com'], cc: [], subject: 'Your certificate', message: 'Please find it attached' };
  const send = () => calls.MailTaxCertificate({ ...asked, ...letter }, books.context({ key, digest: digestOf(key) }));
  const [{ mail }, same] = await Promise.all([send(), send()]);
  expect(same).toEqual({ mail });
  expect((await certificates()).rows[0]).toMatchObject({
    number: 'ABCDEFG',
    mailed: { to: 'mill@example.com', state: 'queued' },
  });
  const papers = await db.owner.query(
    `
      select p.document, f.bytes
      from mail_papers p
      join files f on f.organisation = p.organisation and f.digest = p.digest
      where p.mail = $1
    `,
    [mail],
  );
  expect(papers.rows).toHaveLength(1);
  expect(papers.rows[0].document).toBeNull();
  expect(textOfPdf(papers.rows[0].bytes)).toContain('ABCDEFG');
  const sent: { name: string; bytes: Buffer }[] = [];
  const post = {
    send: async ({ papers: attached }: { papers: readonly { name: string; bytes: Buffer }[] }) => {
      sent.push(...attached);
      return { refused: [] };
    },
  };
  const clock = { now: () => Date.parse('2026-11-20') };
  await mailTask({ books: books.books, post, clock, trial: false, changed: () => undefined })({
    organisation: books.organisation,
    mail,
  });
  expect(sent.map(({ name }) => name)).toEqual(['Form-131-2026-27-Q2-Mill-Works.pdf']);
  expect(sent[0]?.bytes.equals(papers.rows[0].bytes)).toBe(true);
  expect((await certificates()).rows[0]?.mailed?.state).toBe('sent');
});

test('the quarterly statement holds every deduction with its challans, what is not deposited apart, and a payee without a PAN by its code', async () => {
  const { books, calls, bill, pay } = await desk();
  const one = await bill(50_000, '2026-07-05');
  await pay([[one.id, 60_000]], { serial: '11111' });
  await pay([[one.id, 30_000]], { serial: '22222' });
  await db.owner.query('update parties set pan = null where id = $1', [books.supplier]);
  const nobody = await bill(50_000, '2026-08-05', { tdsAmount: paise(1_000_000) });
  const filters = { from: '2026-07-01', to: '2026-09-30', tax: 'tds' };
  const { rows, totals } = await reportHandlers.RunReport({ report: 'taxStatement', filters }, books.context());
  expect(rows).toMatchObject([
    { number: one.number, amount: '50000.00', tds: '1000.00', paid: '600.00', serial: '11111', left: '100.00' },
    { number: one.number, amount: '', tds: '', paid: '300.00', serial: '22222', left: '' },
    { number: nobody.number, pan: 'PANNOTAVBL', remark: 'C', tds: '10000.00', rate: '20', paid: '', left: '10000.00' },
  ]);
  expect(totals).toEqual({ amount: '100000.00', tds: '11000.00', paid: '900.00', left: '10100.00' });
  const csv = await reportHandlers.ExportReport({ report: 'taxStatement', filters, format: 'csv' }, books.context());
  expect(Buffer.from(csv.content, 'base64').toString()).toContain('PANNOTAVBL');
  await withTan(books);
  await pay([[nobody.id, 1_000_000]], { serial: '33333', head: '0021' });
  await pay([[one.id, 10_000]], { serial: '33334' });
  const asked = { tax: 'tds', party: books.supplier, year: YEAR, quarter: 2 } as const;
  const { content } = await calls.PrintTaxCertificate(asked, books.context());
  const text = textOfPdf(Buffer.from(content, 'base64'));
  expect(text).toContain('PAN not known: deducted at the higher rate of section 206AA');
  expect(text).toContain('number was not entered');
  expect(text).not.toContain('Trial');
  // where the portals are stand-ins the paper says so
  const trial = await taxHandlers(books.poster, true, true).PrintTaxCertificate(asked, books.context());
  expect(textOfPdf(Buffer.from(trial.content, 'base64'))).toContain('Trial');
});

test('report and statement show the amount that bore the tax, at the rate of the section, once a threshold is crossed', async () => {
  const { books, bill } = await desk();
  const worked = (rupees: number, tdsSection: string, less: Partial<Draft> = {}) =>
    bill(rupees, '2026-07-05', { tdsAmount: undefined, tdsSection, ...less } as Partial<Draft>);
  await worked(50_000, '194J(b)');
  const advocate = await worked(10_000, '194J(b)');
  for (let n = 1; n < 4; n += 1) await worked(29_000, '194C');
  const carrier = await worked(29_000, '194C');
  await worked(251_333, '194Q');
  const steel = await worked(5_040_000, '194Q');
  // an advance is worked out from what is paid out and its tax together
  await worked(15_000, '194H');
  const ahead = await books.post(
    books.draft('advancePayment', {
      ...{ date: '2026-07-06', party: books.supplier, tdsSection: '194H', amount: paise(9_800_00) },
      moneyLedger: await books.ledger('1121'),
    }),
  );
  const typed = await worked(60_000, '194I', {
    ...{ tdsAmount: paise(100), accepted: [{ warning: 'tdsFarBelow', reason: 'Mostly a deposit' }] },
  });
  const filters = { from: '2026-07-01', to: '2026-09-30' };
  const right = [
    { number: advocate.number, amount: '60000.00', rate: '10', tds: '6000.00' },
    { number: carrier.number, amount: '116000.00', rate: '2', tds: '2320.00' },
    { number: steel.number, amount: '291333.00', rate: '0.1', tds: '291.00' },
    { number: typed.number, amount: '60000.00', tds: '1.00' },
    { number: ahead.number, amount: '25306.00', rate: '2', tds: '506.00' },
  ];
  const asked = [
    { report: 'taxStatement', filters: { ...filters, tax: 'tds' } },
    { report: 'tdsDeducted', filters },
  ] as const;
  for (const each of asked) {
    const { rows, notes } = await reportHandlers.RunReport(each, books.context());
    expect(rows).toHaveLength(right.length);
    expect(rows).toMatchObject(right);
    expect(notes.join()).toContain(`${typed.number}: the tax was typed`);
  }
  const certificate = await reportHandlers.RunReport(
    { report: 'form16a', filters: { ...filters, party: books.supplier } },
    books.context(),
  );
  expect(certificate.rows).toMatchObject(right.map(({ number, amount }) => ({ number, amount })));
});
