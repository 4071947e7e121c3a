import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReportName } from '../../contract/reports.ts';
import { paise } from '../../domain/base/money.ts';
import { digestOf, manyBooks, receive, sell, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { permitted } from '../../tools/testing/permitted.ts';
import { reportHandlers } from '../reports/index.ts';
import { closingHandlers } from './index.ts';

const year = '2025-26';
const [start, end] = ['2025-04-01', '2026-03-31'];
const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const full = new Map([
  ['JournalVouchers', 5003],
  ['General Configuration', 5003],
] as const);
const asked = () => ({ grants: full, key: randomUUID(), digest: digestOf(randomUUID()) });
const closed = (books: TestBooks, profit: number, shares: { ledger: string; share: never }[] = [], of = year) =>
  closingHandlers.CloseYear({ year: of, shares, profit: paise(profit) }, books.context(asked()));
const reopened = (books: TestBooks, of = year) =>
  closingHandlers.ReopenYear({ year: of, reason: 'a bill came late' }, books.context(asked()));
const preview = (books: TestBooks) => closingHandlers.PreviewYearEnd({ year, shares: [] }, books.context(asked()));
const run = (books: TestBooks, report: ReportName, filters: Record<string, string>) =>
  reportHandlers.RunReport({ report, filters }, books.context());
const profitAndLoss = async (books: TestBooks) =>
  (await run(books, 'profitAndLoss', { from: start, to: end })).rows.map(({ name, amount }) => `${name} ${amount}`);
/** Closing balances of the trial balance by code, a debit is positive. */
const trial = async (books: TestBooks, filters: Record<string, string>) =>
  Object.fromEntries(
    (await run(books, 'trialBalance', filters)).rows.map((r) => [r.code, `${r.closingDebit} ${r.closingCredit}`]),
  );
const journal = async (
  books: TestBooks,
  date: string,
  debit: string,
  credit: string,
  amount: number,
  location = books.location,
) =>
  books.post(
    books.draft('manualJournal', {
      date,
      location,
      accepted: [{ warning: 'supplyByHand', reason: 'A test' }],
      lines: [
        { ledger: await books.ledger(debit), debit: paise(amount) },
        { ledger: await books.ledger(credit), credit: paise(amount) },
      ],
    }),
  );

test('case 36: periodic books are closed with their closing stock, read the same before and after, and are opened again', async () => {
  const books = await more({ stockAccounting: 'periodic' });
  const [item] = books.items;
  await receive(books, item, 10, 60, '2026-02-01');
  await sell(books, item, 4, '2026-03-05');
  await journal(books, '2026-03-20', '6410', '1121', 5000, books.other);
  const before = await profitAndLoss(books);
  // 400 of sales, 600 of purchases of which 360 are left, 50 of rent at the other place
  expect(before).toContain('Profit for the period 110.00');
  const shown = await preview(books);
  expect(shown).toMatchObject({ profit: '110.00', obstacles: [], notes: [] });
  expect(shown.entries.map((e) => [e.location, e.code, e.debit, e.credit])).toEqual(
    expect.arrayContaining([
      ['Shop', '1310', '360.00', '0.00'],
      ['Shop', '5320', '0.00', '360.00'],
      ['Shop', '4110', '400.00', '0.00'],
      ['Shop', '3230', '0.00', '160.00'],
      ['Store', '3230', '50.00', '0.00'],
    ]),
  );
  await expect(closed(books, 11_001)).rejects.toMatchObject({ code: 'figuresChanged' });
  expect(await closed(books, 11_000)).toEqual({ year, lockedThrough: end });
  expect(await profitAndLoss(books)).toEqual(before);
  const [listed] = (await closingHandlers.GetYears({}, books.context(asked()))).slice(-1);
  expect(listed).toMatchObject({ year, state: 'closed', profit: '110.00', by: 'Owner' });

  const filters = { from: start, to: end };
  expect(await trial(books, filters)).toMatchObject({ 4110: '0.00 400.00', 5110: '600.00 0.00' });
  expect(await trial(books, { ...filters, closing: 'true' })).toMatchObject({ 4110: '0.00 0.00', 3230: '0.00 110.00' });
  expect(await trial(books, { from: '2026-04-01', to: '2026-04-30' })).toMatchObject({
    1310: '360.00 0.00',
    3230: '0.00 110.00',
  });
  for (const asOf of [end, '2026-06-30']) {
    const rows = (await run(books, 'balanceSheet', { asOf })).rows;
    const total = (name: string) => rows.find((r) => r.name === name)?.amount;
    expect(total('Total assets')).toBe(total('Total equity and liabilities'));
    expect(rows.find((r) => r.name === 'Reserves and surplus')?.amount).toBe('110.00');
  }
  // the year is shut: nothing is posted in it, its lock stays, what is cancelled is cancelled in the next one
  await expect(sell(books, item, 1, end)).rejects.toMatchObject({ code: 'periodLocked' });
  await expect(
    closingHandlers.SaveLock({ through: '2025-12-31', reason: 'late' }, books.context(asked())),
  ).rejects.toMatchObject({ code: 'yearClosed' });
  await expect(closed(books, 11_000)).rejects.toMatchObject({ code: 'cannotClose' });

  const approver = books.context({ ...asked(), grants: new Map([['JournalVouchers', 5002]]) });
  await expect(permitted('ReopenYear', { year, reason: 'x' }, approver)).rejects.toMatchObject({ code: 'noAccess' });
  // who sees some locations closes none, and without a grant nobody sees the profit
  const narrow = { ...asked(), locations: [books.location] };
  await expect(permitted('PreviewYearEnd', { year, shares: [] }, books.context(narrow))).rejects.toMatchObject({
    code: 'noAccess',
  });
  expect((await closingHandlers.GetYears({}, books.context())).map((y) => y.profit)).toEqual([null, null]);
  await reopened(books);
  expect(await profitAndLoss(books)).toEqual(before);
  expect(await trial(books, { ...filters, closing: 'true' })).toMatchObject({ 4110: '0.00 400.00' });
  await sell(books, item, 1, end);
  // 100 more sold of what cost 60
  await closed(books, 15_000);
  const { rows } = await db.owner.query(
    `select attempt, reopen_reason, reversal is not null as mirrored from year_closings where organisation = $1 order by attempt`,
    [books.organisation],
  );
  expect(rows).toEqual([
    { attempt: 1, reopen_reason: 'a bill came late', mirrored: true },
    { attempt: 2, reopen_reason: null, mirrored: false },
  ]);
  expect(await profitAndLoss(books)).toContain('Profit for the period 150.00');
});

/** In the books from a time when any day was taken: posted as if that were today. */
const mistyped = async (books: TestBooks, date: string) => {
  const lines = [
    { ledger: await books.ledger('6410'), debit: paise(500) },
    { ledger: await books.ledger('1121'), credit: paise(500) },
  ];
  return books.post(books.draft('manualJournal', { date, lines }), { today: date });
};

test.each(['0001-01-01', '1962-01-01', '0999-06-01'])(
  'a document of %s that was taken back makes no year due',
  async (wrong) => {
    const books = await more();
    await journal(books, '2026-03-01', '1121', '4110', 10_001);
    await expect(journal(books, wrong, '1121', '4110', 500)).rejects.toMatchObject({
      problems: [{ field: 'date' }],
    });
    await books.cancel((await mistyped(books, wrong)).id);
    expect((await closingHandlers.GetYears({}, books.context(asked()))).map((y) => [y.year, y.state])).toEqual([
      ['2026-27', 'running'],
      ['2025-26', 'next'],
    ]);
    expect(await preview(books)).toMatchObject({ profit: '100.01', obstacles: [] });
    await closed(books, 10_001);
  },
);

test('one that was not taken back is closed first, with its year written with four digits', async () => {
  const books = await more();
  await journal(books, '2026-03-01', '1121', '4110', 10_001);
  await mistyped(books, '0999-06-01');
  const years = await closingHandlers.GetYears({}, books.context(asked()));
  expect(years.at(-1)).toMatchObject({ year: '0999-00', from: '0999-04-01', to: '1000-03-31', state: 'next' });
  expect((await preview(books)).obstacles).toEqual(['0999-00 is closed first']);
});

test('the profit of a firm goes to its partners as they share', async () => {
  const books = await more();
  await journal(books, '2026-03-01', '1121', '4110', 10_001);
  const [one, two] = [await books.ledger('3110'), await books.ledger('3230')];
  const shared = (a: number, b: number) =>
    [
      { ledger: one, share: a },
      { ledger: two, share: b },
    ] as { ledger: string; share: never }[];
  await expect(closed(books, 10_001, shared(500_000, 400_000))).rejects.toMatchObject({
    problems: [{ field: 'shares.share', row: 1, message: 'The shares add up to 100 %' }],
  });
  await closed(books, 10_001, shared(600_000, 400_000));
  expect(await trial(books, { from: '2026-04-01', to: '2026-04-01' })).toEqual({
    1121: '100.01 0.00',
    3110: '0.00 60.01',
    3230: '0.00 40.00',
  });
});

test('years are closed one after the other and opened again the last one first; opening balances must agree', async () => {
  const books = await more();
  await journal(books, '2025-03-01', '1121', '4110', 700);
  await journal(books, '2026-03-01', '1121', '4110', 300);
  await journal(books, '2024-05-01', '1121', '3250', 100);
  expect((await closingHandlers.GetYears({}, books.context(asked()))).map((y) => [y.year, y.state])).toEqual([
    ['2026-27', 'running'],
    ['2025-26', 'waiting'],
    ['2024-25', 'next'],
  ]);
  const refusal = (reason: RegExp) => ({ code: 'cannotClose', message: expect.stringMatching(reason) });
  await expect(closed(books, 300)).rejects.toMatchObject(refusal(/2024-25 is closed first/));
  await expect(closed(books, 0, [], '2026-27')).rejects.toMatchObject(refusal(/has not ended/));
  await expect(closed(books, 700, [], '2024-25')).rejects.toMatchObject(refusal(/differ by ₹1.00/));
  await journal(books, '2024-05-02', '3250', '3110', 100);
  await closed(books, 700, [], '2024-25');
  await closed(books, 300);
  await expect(reopened(books, '2024-25')).rejects.toMatchObject({ code: 'cannotReopen' });
  await reopened(books);
  await reopened(books, '2024-25');
  await journal(books, '2025-03-01', '1121', '4110', 1);
});

test('a year of before the first entry is closed once, is in the list, and is opened again', async () => {
  const books = await more();
  const states = async () =>
    (await closingHandlers.GetYears({}, books.context(asked()))).map((y) => `${y.year} ${y.state}`);
  const [early, twice] = await Promise.allSettled([closed(books, 0, [], '2019-20'), closed(books, 0, [], '2019-20')]);
  for (const one of [early, twice].filter((each) => each.status === 'rejected'))
    expect(one.reason).toMatchObject({ code: 'cannotClose', message: expect.stringContaining('it is closed already') });
  expect([early, twice].filter((each) => each.status === 'fulfilled')).toHaveLength(1);
  await expect(closed(books, 0, [], '2019-20')).rejects.toMatchObject({
    code: 'cannotClose',
    message: expect.stringContaining('it is closed already'),
  });
  expect(await states()).toEqual(['2026-27 running', '2019-20 closed']);
  // the years between have nothing to be closed: the first one with an entry is next
  await journal(books, '2026-03-01', '1121', '4110', 300);
  expect(await states()).toEqual(['2026-27 running', '2025-26 next', '2019-20 closed']);
  await closed(books, 300);
  await expect(reopened(books, '2019-20')).rejects.toMatchObject({ code: 'cannotReopen' });
  await reopened(books);
  await reopened(books, '2019-20');
  expect(await states()).toEqual(['2026-27 running', '2025-26 next']);
});

test('a year is not reopened under a lock of a later day, or of its journals, and the lock stays', async () => {
  const books = await more();
  const save = (through: string | null, register?: 'journals') =>
    closingHandlers.SaveLock({ through, reason: 'settled', ...(register && { register }) }, books.context(asked()));
  const locked = async () => (await closingHandlers.GetLocks({}, books.context(asked()))).lockedThrough;
  await journal(books, '2026-03-01', '1121', '4110', 500);
  await save('2025-12-31');
  await closed(books, 500);
  // set by hand after the closing, to a later day
  await save('2026-10-31');
  await expect(reopened(books)).rejects.toMatchObject({
    code: 'periodLocked',
    message: expect.stringContaining('lock them up to 31 Mar 2026 at most before 2025-26 is reopened'),
  });
  expect(await locked()).toBe('2026-10-31');
  await save(end);
  await save('2026-06-30', 'journals');
  await expect(reopened(books)).rejects.toMatchObject({ code: 'registerLocked' });
  await save(null, 'journals');
  await reopened(books);
  expect(await locked()).toBe('2025-12-31');

  // set by hand before the closing, to a later day
  await save('2026-10-31');
  await closed(books, 500);
  await expect(reopened(books)).rejects.toMatchObject({ code: 'periodLocked' });
  expect(await locked()).toBe('2026-10-31');
});

test('a year is not closed into locked journals: nothing is written, and it is said what to do', async () => {
  const books = await more();
  const save = (through: string | null) =>
    closingHandlers.SaveLock({ register: 'journals', through, reason: 'settled' }, books.context(asked()));
  const written = async () =>
    (await db.owner.query('select count(*)::int as n from documents where organisation = $1', [books.organisation]))
      .rows[0].n;
  await journal(books, '2026-03-01', '1121', '4110', 500);
  await save(end);
  const before = await written();
  const todo = 'journals are locked up to 31 Mar 2026: lock them up to 30 Mar 2026 at most';
  expect((await preview(books)).obstacles).toEqual([expect.stringContaining(todo)]);
  await expect(closed(books, 500)).rejects.toMatchObject({
    code: 'cannotClose',
    message: expect.stringContaining(todo),
  });
  expect(await written()).toBe(before);
  expect((await closingHandlers.GetLocks({}, books.context(asked()))).lockedThrough).toBeNull();
  await save('2026-03-30');
  await closed(books, 500);
  expect(await written()).toBe(before + 1);
});

test('a closing and a posting at the same moment: the posting is in it, or refused', async () => {
  const books = await more();
  await journal(books, '2026-03-01', '1121', '4110', 500);
  const [shut, ...posted] = await Promise.allSettled([
    closed(books, 500),
    ...[1, 2, 3, 4].map(() => journal(books, '2026-03-02', '1121', '4110', 100)),
  ]);
  const extra = posted.filter((p) => p.status === 'fulfilled').length;
  if (shut?.status === 'fulfilled') expect(extra).toBe(0);
  else expect(shut?.reason).toMatchObject({ code: 'figuresChanged' });
});
