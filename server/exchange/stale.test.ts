import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { millionths } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { itemLine, manyBooks, receive, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { closingHandlers } from '../closing/index.ts';
import { newId } from '../kit/ids.ts';
import { masterHandlers } from '../masters/index.ts';
import { exchangeHandlers } from './index.ts';

// A restatement is of what was open on its day. What is posted on or before that day later makes it stale.

const DAY = '2026-06-30';
let db: TestDatabase;
let books: TestBooks;
let bank: Id;
let dollars: Id;
let buyer: Id;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
});
// a restatement is of all that is open: each test has books of its own
beforeEach(async () => {
  books = await more({});
  buyer = newId();
  await db.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
      values ($1, $2, 'B1', 'Abroad', 'customer', 'overseas', '96', 'US', 'USD', 'abroad')
    `,
    [books.organisation, buyer],
  );
  bank = await books.ledger('1121');
  const { rows } = await db.owner.query('select "group" from ledgers where id = $1', [bank]);
  const values = { code: '112X', name: 'EEFC account', group: rows[0].group, currency: 'USD', isBank: true };
  dollars = ((await masterHandlers.SaveMaster({ master: 'ledger', values } as never, books.context())) as { id: Id })
    .id;
  await receive(books, books.items[0], 500, 60, '2026-03-01');
  for (const [date, value] of [
    ['2026-06-01', 80],
    [DAY, 84],
    ['2026-07-05', 86],
  ] as const)
    await calls().SaveExchangeRate(
      { currency: 'USD', date, purpose: 'book', rate: millionths(value * 1_000_000), source: 'Bank' },
      books.context(),
    );
});
afterAll(close);

const calls = () => exchangeHandlers(books.poster);
const keyed = () => books.context({ key: newId(), digest: Buffer.alloc(32, 1) });
const abroad = (kind: string, date: string, more: Partial<Draft>) =>
  books.post(books.draft(kind, { date, party: buyer, currency: 'USD', exchangeRate: millionths(80_000_000), ...more }));
const sale = (date: string) =>
  abroad('overseasSale', date, { lines: [{ ...itemLine(books.items[0], 1, 1), rate: millionths(1_000_000_000) }] });
const received = (date: string, cents: number, invoice?: Id, ledger = bank) =>
  abroad('saleReceipt', date, {
    amount: paise(cents),
    moneyLedger: ledger,
    ...(invoice && { allocations: [{ document: invoice, amount: paise(cents) }] }),
  });
const standing = async () => (await calls().ListRevaluations({}, books.context())).filter((row) => !row.cancelled);
/** Whether each restatement that stands is stale. */
const stale = async () => (await standing()).map((row) => row.stale);
const restate = async () => {
  const { difference } = await calls().PreviewRevaluation({ asOf: DAY }, books.context());
  await calls().PostRevaluation({ asOf: DAY, difference: paise(Math.round(Number(difference) * 100)) }, keyed());
};
const restateAgain = async () => {
  for (const { id } of await standing())
    await calls().TakeBackRevaluation({ id, reason: 'Something was posted since' }, keyed());
  await restate();
  expect((await stale()).some(Boolean)).toBe(false);
};
const lock = (through: string | null) =>
  closingHandlers.SaveLock(
    { through, reason: 'settled' },
    books.context({ grants: new Map([['General Configuration', 5003]]) }),
  );

/** What is said when it is posted. */
const said = ({ warnings = [] }: Awaited<ReturnType<typeof received>>) => warnings.map(({ code }) => code);

test('a restatement is stale once a payment is dated before it, and a new one is not', async () => {
  const due = await sale('2026-06-01');
  await restate();
  expect(await stale()).toEqual([false]);
  // what is dated after the day leaves what was open on it
  expect(said(await received('2026-07-05', 20_000, due.id))).toEqual([]);
  expect(await stale()).toEqual([false]);
  const early = await received('2026-06-15', 30_000, due.id);
  expect(said(early)).toEqual(['restatementStale']);
  expect(await stale()).toEqual([true]);
  await restateAgain();
  await books.cancel(early.id);
  expect(await stale()).toEqual([true]);
  await restateAgain();
});

test('an invoice dated before the restatement, and its cancellation', async () => {
  await sale('2026-06-01');
  await restate();
  const late = await sale('2026-06-20');
  expect(await stale()).toEqual([true]);
  // as it was: nothing is to be restated again
  await books.cancel(late.id);
  expect(await stale()).toEqual([false]);
});

test('another rate for its day makes it stale', async () => {
  await sale('2026-06-01');
  await restate();
  const { rows } = await calls().ListExchangeRates({ currency: 'USD' }, books.context());
  const kept = rows.find(({ date }) => date === DAY);
  const save = (version: number, value: number) =>
    calls().SaveExchangeRate(
      {
        ...{ id: kept?.id ?? '', version, currency: 'USD', date: DAY, purpose: 'book', source: 'Bank' },
        rate: millionths(value * 1_000_000),
      },
      books.context(),
    );
  await save(1, 85);
  expect(await stale()).toEqual([true]);
  await save(2, 84);
  expect(await stale()).toEqual([false]);
});

test('money in another currency: a receipt dated before the day makes it stale', async () => {
  await sale('2026-06-01');
  await received('2026-06-10', 50_000, undefined, dollars);
  await restate();
  expect(await stale()).toEqual([false, false]);
  await received('2026-07-05', 10_000, undefined, dollars);
  expect(await stale()).toEqual([false, false]);
  await received('2026-06-11', 10_000, undefined, dollars);
  expect(await stale()).toEqual([true, true]);
});

test('a locked day keeps its figures: it is not called stale', async () => {
  await sale('2026-06-01');
  await received('2026-06-10', 50_000, undefined, dollars);
  await restate();
  await received('2026-06-11', 10_000, undefined, dollars);
  await lock(DAY);
  expect(await stale()).toEqual([false, false]);
  await lock(null);
  expect(await stale()).toEqual([true, true]);
});
