import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { millionths } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type { Draft, DraftLine, Id } from '../../domain/document/document.ts';
import { manyBooks, sealAll, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { masterHandlers } from '../masters/index.ts';
import { cashAndBank, generalLedger } from '../reports/ledgers.ts';
import { exchangeHandlers } from './index.ts';

let db: TestDatabase;
let books: TestBooks;
let dollars: Id;
let rupees: Id;
let buyer: Id;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
});
/** Each test has books of its own, with a ledger in dollars. */
beforeEach(async () => {
  books = await more();
  buyer = newId();
  rupees = await books.ledger('1121');
  await db.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
      values ($1, $2, 'US1', 'Abroad', 'customer', 'overseas', '96', 'US', 'USD', 'abroad')
    `,
    [books.organisation, buyer],
  );
  dollars = (await save({ currency: 'usd', isBank: true })).id;
});
afterAll(async () => {
  await sealAll(db);
  await close();
});

let made = 0;
const save = async (more: object, id?: Id): Promise<{ readonly id: Id }> => {
  const { rows } = await db.owner.query(
    `select g.id from ledgers l join ledgers g on g.organisation = l.organisation and g.id = l."group" where l.id = $1`,
    [rupees],
  );
  const values = { code: `112X${++made}`, name: 'EEFC account, dollars', group: rows[0].id, ...more };
  return (await masterHandlers.SaveMaster(
    { master: 'ledger', values, ...(id && { id, version: 1 }) } as never,
    books.context(),
  )) as never;
};
const fieldsOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof Problems ? error.problems.map((p) => p.field) : error;
};
const calls = () => exchangeHandlers(books.poster);
const keyed = () => books.context({ key: newId(), digest: Buffer.alloc(32, 1) });
const rate = (date: string, value: number) =>
  calls().SaveExchangeRate(
    { currency: 'USD', date, purpose: 'book', rate: millionths(value * 1_000_000), source: 'Bank' },
    books.context(),
  );
const preview = (asOf: string) => calls().PreviewRevaluation({ asOf }, books.context());
const receive = (date: string, more: Partial<Draft> = {}) =>
  books.post(
    books.draft('saleReceipt', {
      date,
      party: buyer,
      currency: 'USD',
      exchangeRate: millionths(80_000_000),
      amount: paise(100_000),
      moneyLedger: dollars,
      ...more,
    }),
  );
const journal = (date: string, lines: readonly DraftLine[], kind = 'contra') =>
  books.post(books.draft(kind, { date, lines: [...lines] }));
const standing = async (): Promise<{ foreign: number; rupees: number }> =>
  (
    await db.owner.query(
      `
        select
          coalesce(sum(case when debit > 0 then foreign_amount else -foreign_amount end), 0)::int as foreign,
          sum(debit - credit)::int as rupees
        from entries
        where ledger = $1
      `,
      [dollars],
    )
  ).rows[0];

/** Two receipts, one less the charges of the bank, and five hundred dollars sold at 82; what was typed twice is cancelled. */
const moved = async (): Promise<void> => {
  await receive('2026-05-01');
  await receive('2026-05-02', { bankCharges: paise(16_000) });
  await journal('2026-05-04', sale(50_000));
  const again = await journal('2026-05-04', sale(50_000));
  await books.cancel(again.id);
  expect(await standing()).toEqual({ foreign: 149_800, rupees: 11_884_000 });
};
/** Lines that sell dollars for ₹41,000, with how much of the currency each line names. */
const sale = (foreign?: number, other?: number): DraftLine[] => [
  { ledger: rupees, debit: paise(4_100_000), ...(other !== undefined && { foreign: paise(other) }) },
  { ledger: dollars, credit: paise(4_100_000), ...(foreign !== undefined && { foreign: paise(foreign) }) },
];
/** Restates at 85 on 30 June. */
const restate = async () => {
  await rate('2026-06-30', 85);
  const { difference } = await preview('2026-06-30');
  const asked = { asOf: '2026-06-30', difference: paise(Math.round(Number(difference) * 100)) };
  return calls().PostRevaluation(asked, keyed());
};

test('a ledger takes a currency before anything is posted, and keeps it', async () => {
  expect(await fieldsOf(save({ currency: 'INR', isBank: true }))).toEqual(['currency']);
  expect(await fieldsOf(save({ currency: 'XXQ', isBank: true }))).toEqual(['currency']);
  expect(await fieldsOf(save({ currency: 'EUR' }))).toEqual(['currency']);
  // most have none, and may be saved again
  const { id } = await save({ isBank: true });
  await save({ isBank: true, code: '112R' }, id);
  const { rows } = await db.owner.query('select code, currency from ledgers where id = $1', [id]);
  expect(rows).toEqual([{ code: '112R', currency: null }]);
});

test('what moves it says how much of its currency, charges of the bank too', async () => {
  await receive('2026-05-01');
  expect(await standing()).toEqual({ foreign: 100_000, rupees: 8_000_000 });
  // the bank kept two dollars
  await receive('2026-05-02', { bankCharges: paise(16_000) });
  expect(await standing()).toEqual({ foreign: 199_800, rupees: 15_984_000 });
  expect(await fieldsOf(receive('2026-05-03', { currency: 'INR', exchangeRate: millionths(1_000_000) }))).toEqual([
    'moneyLedger',
  ]);
  expect(await fieldsOf(receive('2026-05-03', { currency: 'EUR', exchangeRate: millionths(90_000_000) }))).toEqual([
    'moneyLedger',
  ]);
  expect(await fieldsOf(journal('2026-05-04', sale()))).toEqual(['lines.foreign']);
  expect(await fieldsOf(journal('2026-05-04', sale(-1)))).toEqual(['lines.foreign']);
  expect(await fieldsOf(journal('2026-05-04', sale(50_000, 1)))).toEqual(['lines.foreign']);
  // five hundred dollars are sold at 82
  const sold = await journal('2026-05-04', sale(50_000));
  expect(await standing()).toEqual({ foreign: 149_800, rupees: 11_884_000 });
  const { rows } = await db.owner.query(
    `select currency, foreign_amount::int as amount, exchange_rate::int as rate from entries where document = $1 and ledger = $2`,
    [sold.id, dollars],
  );
  expect(rows).toEqual([{ currency: 'USD', amount: 50_000, rate: 82_000_000 }]);
  const again = await journal('2026-05-04', sale(50_000));
  await books.cancel(again.id);
  expect(await standing()).toEqual({ foreign: 149_800, rupees: 11_884_000 });
});

test('at the end of a period it is brought to the rate, once: asked again, nothing is posted', async () => {
  await moved();
  expect((await preview('2026-06-30')).hindrances).toEqual(['There is no rate of USD for this day']);
  await rate('2026-06-30', 85);
  const { money, difference, entries } = await preview('2026-06-30');
  // 1,498 dollars at 85
  expect(money).toMatchObject([
    { currency: 'USD', balance: '1498.00', booked: '118840.00', now: '127330.00', difference: '8490.00' },
  ]);
  expect(entries.map((e) => [e.debit, e.credit])).toContainEqual(['8490.00', '0.00']);
  const documents = async () =>
    (await db.owner.query('select count(*)::int as n from documents where organisation = $1', [books.organisation]))
      .rows[0].n;
  // what the receipts left on account is restated beside the party, and taken back; this stays
  const asked = { asOf: '2026-06-30', difference: paise(Math.round(Number(difference) * 100)) };
  const once = keyed();
  const { journals } = await calls().PostRevaluation(asked, once);
  // the same call again, whose answer was lost, is the same posting
  expect(await calls().PostRevaluation(asked, once)).toEqual({ journals });
  expect(journals).toHaveLength(3);
  expect(await standing()).toEqual({ foreign: 149_800, rupees: 12_733_000 });
  const before = await documents();
  await expect(calls().PostRevaluation({ ...asked, difference: paise(0) }, keyed())).rejects.toThrow('restated by');
  expect(await documents()).toBe(before);
  expect((await preview('2026-06-30')).money).toMatchObject([{ booked: '127330.00', difference: '0.00' }]);
  // the next day still stands at it, at another rate only what has changed since is won or lost
  await rate('2026-07-31', 84);
  const next = await preview('2026-07-31');
  expect(next.money).toMatchObject([{ booked: '127330.00', now: '125832.00', difference: '-1498.00' }]);
});

test('the journal that stays goes with its restatement, not alone', async () => {
  await moved();
  await restate();
  const all = await calls().ListRevaluations({}, books.context());
  const kept = all.find((each) => each.reversal === null);
  expect(kept).toMatchObject({ difference: '8490.00', cancelled: false });
  await expect(books.cancel(kept?.journal ?? '')).rejects.toThrow('part of the restatement');
  expect(await calls().TakeBackRevaluation({ id: kept?.id ?? '', reason: 'Wrong rate' }, keyed())).toEqual({
    cancelled: 1,
  });
  expect(await standing()).toEqual({ foreign: 149_800, rupees: 11_884_000 });
});

test('what is spent to the last cent leaves its rupees as gain or loss', async () => {
  await moved();
  await journal('2026-08-01', [
    { ledger: rupees, debit: paise(12_583_200) },
    { ledger: dollars, credit: paise(12_583_200), foreign: paise(149_800) },
  ]);
  const { money } = await preview('2026-08-31');
  expect(money).toMatchObject([{ balance: '0.00', booked: '-6992.00', now: '0.00', difference: '6992.00' }]);
});

test('the statement and the balance show both currencies', async () => {
  await moved();
  const query = { organisation: books.organisation, places: [], after: undefined, limit: 50, author: undefined };
  const statement = await books
    .context()
    .inTransaction((trx) =>
      generalLedger(trx, { ...query, filters: { ledger: dollars, from: '2026-05-02', to: '2026-05-31' } } as never),
    );
  expect(statement.rows.map((r) => [r['foreign'], r['foreignBalance'], r['balance']])).toEqual([
    ['', 'USD 1,000.00', '80000.00 Dr'],
    ['USD 998.00', 'USD 1,998.00', '159840.00 Dr'],
    ['USD -500.00', 'USD 1,498.00', '118840.00 Dr'],
    ['USD -500.00', 'USD 998.00', '77840.00 Dr'],
    ['USD 500.00', 'USD 1,498.00', '118840.00 Dr'],
  ]);
  const all = await books
    .context()
    .inTransaction((trx) => cashAndBank(trx, { ...query, filters: { from: '2026-05-01', to: '2026-05-31' } } as never));
  expect(all.rows.find((r) => r['ledger'] === dollars)).toMatchObject({
    foreign: 'USD 1,498.00',
    balance: '118840.00',
  });
  expect(all.rows.find((r) => r['ledger'] === rupees)).toMatchObject({ foreign: '' });
});
