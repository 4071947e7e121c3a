import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, money, percentage } from '../../domain/base/decimal.ts';
import type { ReturnForm } from '../../domain/facts/gst-returns.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks, TODAY } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { prepareCancel } from '../documents/index.ts';
import { reportHandlers } from '../reports/index.ts';
import { closingHandlers } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const asOwner = (books: TestBooks) => books.context({ grants: new Map([['General Configuration', 5003]]) });
const mark = (books: TestBooks, form: ReturnForm, period: string, filedOn = TODAY, arn = '') =>
  closingHandlers.MarkFiled({ registration: books.registration, form, period, filedOn, arn }, asOwner(books));
const unmark = (books: TestBooks, form: ReturnForm, period: string) =>
  closingHandlers.UnmarkFiled(
    { registration: books.registration, form, period, reason: 'marked too early' },
    asOwner(books),
  );
const problem = (field: string, message: string) => ({
  problems: expect.arrayContaining([{ field, message: expect.stringContaining(message) }]),
});
const change = (books: TestBooks, text: string) =>
  db.owner.query(`update registrations set ${text} where organisation = $1`, [books.organisation]);
const quarterly = (books: TestBooks) =>
  change(books, `body = body || '{"filing": [{"from": "2026-07-01", "every": "quarter"}]}'`);
const lockOf = async (books: TestBooks, register: string) =>
  (await closingHandlers.GetLocks({}, asOwner(books))).registers.find(
    (one) => one.register === register && one.registration === books.registration,
  )?.lockedThrough;

test('GSTR-1 is marked in the order of its months, from the first with a document on', async () => {
  const books = await more({ trackInventory: false });
  await sell(books, books.items[0], 1, '2026-07-05');
  await expect(mark(books, 'GSTR-1', '2026-09')).rejects.toMatchObject(
    problem('period', 'GSTR-1 of Jul 2026 is not marked as filed: mark it first (section 37(4))'),
  );
  // what was filed before the books began may be marked as it comes
  await mark(books, 'GSTR-1', '2026-05');
  await mark(books, 'GSTR-1', '2026-07');
  // a month without documents has a nil return
  await expect(mark(books, 'GSTR-1', '2026-09')).rejects.toMatchObject(problem('period', 'GSTR-1 of Aug 2026'));
  await mark(books, 'GSTR-1', '2026-08');
  await mark(books, 'GSTR-1', '2026-09');
  // another day or acknowledgement is put right at one month alone
  await unmark(books, 'GSTR-1', '2026-08');
  await expect(mark(books, 'GSTR-1', '2026-10')).rejects.toMatchObject(problem('period', 'GSTR-1 of Aug 2026'));
  await mark(books, 'GSTR-1', '2026-08', TODAY, 'AA290826000001A');
  await mark(books, 'GSTR-1', '2026-10');
});

test('GSTR-3B is marked after GSTR-1 of its month and the GSTR-3B before', async () => {
  const books = await more({ trackInventory: false });
  await receive(books, books.items[0], 10, 60, '2026-08-05');
  await expect(mark(books, 'GSTR-3B', '2026-09')).rejects.toMatchObject(
    problem('period', 'GSTR-3B of Aug 2026 is not marked as filed: mark it first (section 39(10))'),
  );
  await expect(mark(books, 'GSTR-3B', '2026-08')).rejects.toMatchObject(
    problem('period', 'GSTR-1 of Aug 2026 is not marked as filed: mark it first (section 39(10))'),
  );
  for (const period of ['2026-08', '2026-09'])
    for (const form of ['GSTR-1', 'GSTR-3B'] as const) await mark(books, form, period);
});

test('before October 2022 returns were filed in any order', async () => {
  const books = await more({ trackInventory: false });
  await sell(books, books.items[0], 1, '2022-07-05');
  await mark(books, 'GSTR-3B', '2022-08', '2022-09-20');
  await expect(mark(books, 'GSTR-3B', '2022-09', '2022-10-20')).rejects.toMatchObject(
    problem('period', 'GSTR-3B of Jul'),
  );
});

test('an IFF comes before the next one and before the return of its quarter', async () => {
  const books = await more({ trackInventory: false });
  await quarterly(books);
  await sell(books, books.items[0], 1, '2026-06-05');
  const july = await sell(books, books.items[0], 2, '2026-07-05');
  await expect(mark(books, 'IFF', '2026-07')).rejects.toMatchObject(problem('period', 'GSTR-1 of Jun 2026'));
  await mark(books, 'GSTR-1', '2026-06');
  // an IFF is by choice: July's is no condition of August's
  await mark(books, 'IFF', '2026-08');
  await expect(mark(books, 'IFF', '2026-07')).rejects.toMatchObject(
    problem('period', 'The IFF of the next month is marked as filed'),
  );
  await expect(prepareCancel(books.context(), july.id, 'entered twice', {})).rejects.toMatchObject({
    code: 'returnFiled',
    message: expect.stringContaining('IFF of 08-2026'),
  });
  await mark(books, 'GSTR-1', '2026-09');
  await unmark(books, 'GSTR-1', '2026-09');
  await unmark(books, 'IFF', '2026-08');
  await mark(books, 'GSTR-1', '2026-09');
  await expect(mark(books, 'IFF', '2026-07')).rejects.toMatchObject(
    problem('period', 'The GSTR-1 of its quarter is marked as filed'),
  );
});

test('the report of a month that is marked shows the return as it was stored, with day and acknowledgement', async () => {
  const books = await more({ trackInventory: false });
  const run = (period: string) =>
    reportHandlers.RunReport(
      { report: 'gstr1', filters: { registration: books.registration, period } },
      { ...asOwner(books), grants: new Map([['GstReturns', 5000]]) },
    );
  await sell(books, books.items[0], 2, '2026-09-05');
  await mark(books, 'GSTR-1', '2026-09', '2026-10-11', 'AA290926000001A');
  const stored = await run('092026');
  expect(stored.notes).toContain(
    'Marked as filed on 11-10-2026, ARN AA290926000001A: shown as it was stored when it was marked',
  );
  const b2b = (answer: typeof stored) => answer.rows.find(({ name }) => String(name).startsWith('4A'));
  expect(b2b(stored)).toMatchObject({ count: 1, taxable: '200.00', cgst: '18.00', value: '236.00' });
  // what the books say later changes nothing of it
  await db.owner.query(`delete from register_locks where organisation = $1`, [books.organisation]);
  await sell(books, books.items[0], 1, '2026-09-06');
  expect(await run('092026')).toEqual(stored);
  await unmark(books, 'GSTR-1', '2026-09');
  const now = await run('092026');
  expect(now.notes.join()).not.toContain('Marked as filed');
  expect(b2b(now)).toMatchObject({ count: 2, taxable: '300.00' });
});

test('a composition dealer marks CMP-08 and GSTR-4, which lock what they show', async () => {
  const books = await more({ trackInventory: false });
  await change(books, `kind = 'composition'`);
  const at = (date: string) =>
    books.post(books.draft('saleInvoice', { party: books.customer, date, lines: [itemLine(books.items[0], 1, 100)] }));
  const rent = await books.ledger('6410');
  const reverse = async (date: string) =>
    books.post(
      books.draft('expense', {
        ...{ party: books.supplier, date, reverseCharge: true, reference: `R-${date}`, referenceDate: date },
        lines: [
          { ledger: rent, quantity: millionths(1_000_000), rate: millionths(100_000_000), gstRate: percentage('18') },
        ],
      }),
    );
  await at('2026-06-05');
  await reverse('2026-08-05');
  await receive(books, books.items[0], 10, 60, '2026-08-06');
  for (const form of ['GSTR-1', 'GSTR-3B', 'IFF'] as const)
    await expect(mark(books, form, '2026-06')).rejects.toMatchObject(
      problem('form', `A composition dealer files no ${form}`),
    );
  await expect(mark(books, 'CMP-08', '2026-08')).rejects.toMatchObject(
    problem('period', 'the last month of its quarter'),
  );
  await expect(mark(books, 'CMP-08', '2026-09')).rejects.toMatchObject(problem('period', 'CMP-08 of Jun 2026'));
  await mark(books, 'CMP-08', '2026-06');
  const [filing] = await mark(books, 'CMP-08', '2026-09');
  expect(filing).toMatchObject({ form: 'CMP-08', period: '2026-09', due: '2026-10-18' });
  expect(await lockOf(books, 'cmp08')).toBe('2026-09-30');
  // GSTR-1 is no return of theirs, and there is nothing to lock for it
  expect(await lockOf(books, 'outward')).toBeUndefined();
  const locked = { code: 'registerLocked', message: 'CMP-08 is filed, and what it shows is locked up to 30 Sep 2026' };
  await expect(at('2026-09-30')).rejects.toMatchObject(locked);
  await expect(reverse('2026-09-30')).rejects.toMatchObject(locked);
  // it does not show what came in with tax of the supplier: that stands in GSTR-4
  await receive(books, books.items[0], 1, 60, '2026-09-30');
  const kept = await closingHandlers.GetFiledReturn(
    { registration: books.registration, form: 'CMP-08', period: '2026-09' },
    asOwner(books),
  );
  expect(kept).toMatchObject({
    tables: [
      { name: 'Outward supplies', count: 0 },
      { name: 'Inward supplies', count: 1, taxable: '100.00' },
    ],
    differences: [],
  });
  await unmark(books, 'CMP-08', '2026-09');
  expect(await lockOf(books, 'cmp08')).toBe('2026-06-30');
  await at('2026-09-30');
});

test('GSTR-4 is marked for the year after its CMP-08s, and locks what came in too', async () => {
  const books = await more({ trackInventory: false });
  await change(books, `kind = 'composition'`);
  await receive(books, books.items[0], 10, 60, '2026-01-06');
  await books.post(
    books.draft('saleInvoice', {
      party: books.customer,
      date: '2026-02-06',
      lines: [itemLine(books.items[0], 1, 100)],
    }),
  );
  await expect(mark(books, 'GSTR-4', '2026-06')).rejects.toMatchObject(problem('period', 'March'));
  await expect(mark(books, 'GSTR-4', '2026-03')).rejects.toMatchObject(problem('period', 'CMP-08 of Mar 2026'));
  await mark(books, 'CMP-08', '2026-03');
  const filings = await mark(books, 'GSTR-4', '2026-03');
  await expect(unmark(books, 'CMP-08', '2026-03')).rejects.toMatchObject({ code: 'cannotUnmark' });
  expect(filings).toContainEqual(expect.objectContaining({ form: 'GSTR-4', due: '2026-06-30' }));
  await expect(receive(books, books.items[0], 1, 60, '2026-03-31')).rejects.toMatchObject({
    code: 'registerLocked',
    message: 'GSTR-4 is filed, and what it shows is locked up to 31 Mar 2026',
  });
  await receive(books, books.items[0], 1, 60, '2026-04-01');
});

test('of a quarter in which a registration became regular, CMP-08 locks the days before', async () => {
  const books = await more({ trackInventory: false });
  await change(books, `kind = 'composition'`);
  await db.owner.query(
    `insert into registration_statuses (organisation, registration, from_day, kind) values ($1, $2, '2026-08-15', 'regular')`,
    [books.organisation, books.registration],
  );
  await mark(books, 'CMP-08', '2026-09');
  expect(await lockOf(books, 'cmp08')).toBe('2026-08-14');
  await sell(books, books.items[0], 1, '2026-08-20');
  await expect(mark(books, 'CMP-08', '2026-12', TODAY)).rejects.toMatchObject(
    problem('form', 'this registration files GSTR-1 and GSTR-3B'),
  );
  await mark(books, 'GSTR-1', '2026-08');
  await mark(books, 'GSTR-3B', '2026-08');
  expect(await lockOf(books, 'gst')).toBe('2026-08-31');
});

test('an advance of a month is a document of its GSTR-1', async () => {
  const books = await more({ trackInventory: false });
  await books.post(
    books.draft('advanceReceipt', {
      ...{ party: books.customer, date: '2026-08-05', moneyLedger: await books.ledger('1121'), amount: money('118') },
      ...{ advanceRate: percentage('18'), placeOfSupply: '29' },
    }),
  );
  await expect(mark(books, 'GSTR-1', '2026-09')).rejects.toMatchObject(problem('period', 'GSTR-1 of Aug 2026'));
});

test('GSTR-9 is marked after every GSTR-1 and GSTR-3B of its year from the first document on', async () => {
  const books = await more({ trackInventory: false });
  await sell(books, books.items[0], 1, '2026-02-05');
  await expect(mark(books, 'GSTR-9', '2026-03')).rejects.toMatchObject(
    problem('period', 'GSTR-1 of Feb 2026 is not marked as filed: mark it first (section 44 with rule 80)'),
  );
  for (const period of ['2026-02', '2026-03']) await mark(books, 'GSTR-1', period);
  await expect(mark(books, 'GSTR-9', '2026-03')).rejects.toMatchObject(problem('period', 'GSTR-3B of Feb 2026'));
  for (const period of ['2026-02', '2026-03', '2026-04']) {
    if (period === '2026-04') await mark(books, 'GSTR-1', period);
    await mark(books, 'GSTR-3B', period);
  }
  await mark(books, 'GSTR-9', '2026-03');
  for (const form of ['GSTR-1', 'GSTR-3B'] as const) {
    await expect(unmark(books, form, '2026-02')).rejects.toMatchObject({
      ...{ code: 'cannotUnmark' },
      message: expect.stringContaining(`${form} of Feb 2026 stays marked: GSTR-9 of its year`),
    });
    // a month of another year is not under it
    await unmark(books, form, '2026-04');
  }
  await unmark(books, 'GSTR-9', '2026-03');
  await unmark(books, 'GSTR-1', '2026-02');
});
