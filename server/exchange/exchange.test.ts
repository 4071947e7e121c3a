import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, money } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { itemLine, receive, sealAll, type TestBooks, TODAY, testBooks } from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { closingHandlers } from '../closing/index.ts';
import { poster } from '../documents/posting/queue.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { newId } from '../kit/ids.ts';
import { exchangeHandlers } from './index.ts';

let db: TestDatabase;
let books: TestBooks;
const buyer = newId();
const maker = newId();
beforeAll(async () => {
  db = await testDatabase();
  // what is restated follows from the books, and waits for nobody where journals do
  books = await testBooks(db, { approvals: [{ kind: 'journalVoucher', from: '0' }] });
  for (const [id, side] of [
    [buyer, 'customer'],
    [maker, 'supplier'],
  ])
    await db.owner.query(
      `
        insert into parties (
          organisation, id, code, name, side, category, state, country, currency, credit_limit, search
        )
        values ($1, $2, $3, 'Abroad', $4, 'overseas', '96', 'US', 'USD', $5, 'abroad')
      `,
      [books.organisation, id, id?.slice(-8), side, side === 'customer' ? 100_000_000 : null],
    );
  await receive(books, books.items[0], 500, 60, '2026-03-01');
});
afterAll(async () => {
  await sealAll(db);
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const calls = () => exchangeHandlers(books.poster);
const keyed = (): { key: Id; digest: Buffer } => ({ key: newId(), digest: Buffer.alloc(32, 1) });
const rate = (date: string, value: number, purpose: 'book' | 'customs' = 'book', currency = 'USD') =>
  calls().SaveExchangeRate(
    { currency, date, purpose, rate: millionths(value * 1_000_000), source: 'Reference rate' },
    books.context(),
  );
/** Each supplier's document has a number of its own. */
let papers = 0;
const nextPaper = (): string => {
  papers += 1;
  return `X-${papers}`;
};
const dollars = (kind: string, date: string, more: Partial<Draft>) =>
  books.post(
    books.draft(kind, {
      date,
      currency: 'USD',
      exchangeRate: millionths(0),
      party: kind === 'overseasPurchase' || kind === 'payment' ? maker : buyer,
      reference: nextPaper(),
      ...more,
    }),
  );
const goods = (cents: number) => [{ ...itemLine(books.items[0], 1, 1), rate: millionths(cents * 10_000) }];
const draftOf = async (id: Id) =>
  (await db.owner.query('select body -> $2 as d from documents where id = $1', [id, 'draft'])).rows[0].d;
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
    (error) => (error as { problems?: { field: string; message: string }[] }).problems ?? String(error),
  );

test('a document takes the rate of its day and says where it is from; without one it asks at the field', async () => {
  expect(await problemsOf(dollars('overseasSale', '2026-03-05', { lines: goods(1000) }))).toEqual([
    { field: 'exchangeRate', message: 'There is no rate of USD for 5 Mar 2026: enter one' },
  ]);
  const kept = await rate('2026-03-05', 80);
  expect(await problemsOf(rate('2026-03-05', 81))).toEqual([
    { field: 'date', message: 'There is already a rate of USD for this day' },
  ]);
  await rate('2026-03-01', 79.5, 'customs');
  const own = await draftOf((await dollars('overseasSale', '2026-03-05', { lines: goods(10_000) })).id);
  expect(own).toMatchObject({ exchangeRate: 80_000_000, exchangeSource: 'Reference rate, 05-03-2026' });
  // a holiday takes the day before, for a week at most; what customs notified holds
  const later = (date: string, more = {}) => dollars('overseasSale', date, { lines: goods(100), ...more });
  expect((await draftOf((await later('2026-03-12')).id)).exchangeRate).toBe(80_000_000);
  expect(await problemsOf(later('2026-03-13'))).toHaveLength(1);
  const said = async (value: number) =>
    (await draftOf((await later('2026-03-13', { exchangeRate: millionths(value * 1_000_000) })).id)).exchangeSource;
  expect(await said(79.5)).toBe('Reference rate, 01-03-2026');
  expect(await said(82)).toBe('Typed');
  // documents keep theirs when the table changes
  const changed = await calls().SaveExchangeRate(
    { ...kept, rate: millionths(80_100_000), purpose: 'book' },
    books.context(),
  );
  expect(changed).toMatchObject({ rate: '80.10', version: 2 });
  await expect(
    calls().SaveExchangeRate({ ...kept, rate: millionths(1_000_000), purpose: 'book' }, books.context()),
  ).rejects.toThrow('has changed');
  await calls().DeleteExchangeRate({ id: kept.id, version: 2 }, books.context());
  expect((await calls().GetExchangeRate({ currency: 'USD', date: '2026-03-12' }, books.context())).book).toBeNull();
});

test('a file of rates is taken whole or not at all', async () => {
  const content = 'Date,Currency,Rate\n20-03-2026,EUR,90.5\n21-03-2026,EUR,91';
  const read = (text: string) => calls().ReadExchangeRates({ content: text, source: 'Bank' }, books.context());
  expect(await read(content)).toMatchObject({ rates: 2, added: 2, changed: 0, problems: [] });
  const take = (text: string) => calls().ImportExchangeRates({ content: text, source: 'Bank' }, books.context());
  expect(await problemsOf(take(`${content}\n22-03-2026,XXQ,1`))).toEqual([
    expect.objectContaining({ field: 'content', row: 3 }),
  ]);
  expect((await calls().ListExchangeRates({ currency: 'EUR' }, books.context())).rows).toEqual([]);
  expect(await take(content)).toEqual({ added: 2, changed: 0 });
  expect(await take(content.replace('91', '92'))).toEqual({ added: 0, changed: 1 });
  const { rows } = await calls().ListExchangeRates({ currency: 'EUR' }, books.context());
  expect(rows.map((r) => [r.date, r.rate, r.source])).toEqual([
    ['2026-03-21', '92.00', 'Bank'],
    ['2026-03-20', '90.50', 'Bank'],
  ]);
});

test('open balances are restated at a day as they stood then, beside the accounts of the parties, and taken back on the next', async () => {
  for (const [date, value] of [
    ['2026-06-01', 80],
    ['2026-06-30', 84],
    ['2026-07-10', 86],
  ] as const)
    await rate(date, value);
  const preview = (asOf = '2026-06-30') => calls().PreviewRevaluation({ asOf }, books.context());
  const before = (await preview()).balances.length;
  const sale = await dollars('overseasSale', '2026-06-01', { lines: goods(100_000) });
  const bill = await dollars('overseasPurchase', '2026-06-01', { lines: goods(50_000) });
  const bank = await books.ledger('1121');
  // a part was received before the day, the rest after it
  const pay = (date: string, amount: number) =>
    dollars('saleReceipt', date, {
      amount: paise(amount),
      moneyLedger: bank,
      allocations: [{ document: sale.id, amount: paise(amount) }],
    });
  await pay('2026-06-30', 40_000);
  const rest = await pay('2026-07-10', 60_000);
  // against what was booked, not against what was restated: 600 dollars at 86 less 80
  expect(await entriesOf(rest.id)).toMatchObject({ '1211': -4_800_000, '1121': 5_160_000, '4230': -360_000 });
  const shown = await preview();
  expect(shown.balances).toHaveLength(before + 2);
  const row = (id: Id) => shown.balances.find((b) => b.document === id);
  expect(row(sale.id)).toMatchObject({ open: '600.00', booked: '48000.00', now: '50400.00', difference: '2400.00' });
  expect(row(bill.id)).toMatchObject({ open: '500.00', booked: '40000.00', now: '42000.00', difference: '-2000.00' });
  const total = (side: string) =>
    shown.balances.filter((b) => b.side === side).reduce((t, b) => t + Math.round(Number(b.difference) * 100), 0);
  const asked = { asOf: '2026-06-30', difference: paise(total('receivable') + total('payable')) };
  const before1211 = await standingOf('1211');
  const key = keyed();
  const post = () => calls().PostRevaluation(asked, books.context(key));
  const { journals } = await post();
  const [journal, back] = journals.map((j) => j.TransactionId);
  expect(await post()).toEqual({ journals });
  const posted = await entriesOf(journal ?? '');
  expect(posted).toMatchObject({ '1213': total('receivable'), '2131': total('payable') });
  expect(await entriesOf(back ?? '')).toEqual(
    Object.fromEntries(Object.entries(posted).map(([code, amount]) => [code, -amount])),
  );
  const days = await db.owner.query('select date from documents where id = any($1::uuid[]) order by date', [
    [journal, back],
  ]);
  expect(days.rows.map((r) => r.date)).toEqual(['2026-06-30', '2026-07-01']);
  expect(await standingOf('1211')).toBe(before1211);
  // once a day
  await expect(calls().PostRevaluation(asked, books.context(keyed()))).rejects.toThrow('restated by');
  // neither of its journals goes alone: the other would stand without it
  for (const id of [journal, back])
    await expect(books.cancel(id ?? '')).rejects.toThrow(/part of the restatement of 30 Jun 2026: take that back/);
  const [kept] = await calls().ListRevaluations({}, books.context());
  expect(kept).toMatchObject({ asOf: '2026-06-30', cancelled: false });
  const takeBack = (more: { today?: true } = {}) =>
    calls().TakeBackRevaluation({ id: kept?.id ?? '', reason: 'a rate was mistyped', ...more }, books.context(keyed()));
  const undone = async () =>
    (
      await db.owner.query<{ date: string }>(
        'select date::text as date from documents where reverses = any($1::uuid[]) order by date',
        [[journal, back]],
      )
    ).rows.map((r) => r.date);
  const lock = (through: string | null) =>
    closingHandlers.SaveLock(
      { register: 'journals', through, reason: 'settled' },
      books.context({ grants: new Map([['General Configuration', 5003]]) }),
    );
  // the day of the journal alone is locked: neither of the two is taken back
  await lock('2026-06-30');
  await expect(takeBack()).rejects.toMatchObject({ code: 'registerLocked' });
  expect(await undone()).toEqual([]);
  expect(await takeBack({ today: true })).toEqual({ cancelled: 2 });
  expect(await undone()).toEqual(['2026-07-01', TODAY]);
  await lock(null);
  expect((await calls().ListRevaluations({}, books.context()))[0]?.cancelled).toBe(true);
  expect((await preview()).hindrances).toEqual([]);
  await expect(calls().PostRevaluation({ ...asked, difference: paise(1) }, books.context(keyed()))).rejects.toThrow(
    'changed',
  );
});

const standingOf = async (code: string): Promise<number> =>
  (
    await db.owner.query(
      `
        select coalesce(sum(debit - credit), 0)::int as n
        from entries e
        join ledgers l on l.organisation = e.organisation and l.id = e.ledger
        where l.code = $1
      `,
      [code],
    )
  ).rows[0].n;

test('money given back in another currency leaves the account at what was booked, and its difference is gain or loss', async () => {
  const bank = await books.ledger('1121');
  const money = (kind: string, value: number, amount: number, more: Partial<Draft> = {}) =>
    dollars(kind, '2026-07-11', {
      exchangeRate: millionths(value * 1_000_000),
      amount: paise(amount),
      moneyLedger: bank,
      ...more,
    });
  const advance = await money('advanceReceipt', 80, 10_000);
  const part = await money('advanceRefund', 83, 4_000, { against: advance.id });
  expect(await entriesOf(part.id)).toEqual({ '2150': 320_000, '1121': -332_000, '6510': 12_000 });
  const rest = await money('advanceRefund', 78, 6_000, { against: advance.id });
  expect(await entriesOf(rest.id)).toEqual({ '2150': 480_000, '1121': -468_000, '4230': -12_000 });
  const onAccount = await money('saleReceipt', 80, 10_000);
  const back = await money('refund', 79, 10_000, { allocations: [{ document: onAccount.id, amount: paise(10_000) }] });
  expect(await entriesOf(back.id)).toEqual({ '1211': 800_000, '1121': -790_000, '4230': -10_000 });
  const open = await db.owner.query(
    'select coalesce(sum(open_worth(organisation, o)), 0)::int as worth from open_items o where document = any($1::uuid[])',
    [[advance.id, part.id, rest.id, onAccount.id, back.id]],
  );
  expect(open.rows[0].worth).toBe(0);
});

test('a limit of credit counts rupees: dollars at their rate', async () => {
  // twelve thousand dollars at 90 are more than the ten lakh that the limit allows, though twelve lakh paise are not
  await expect(
    dollars('overseasSale', '2026-07-12', { exchangeRate: millionths(90_000_000), lines: goods(1_200_000) }),
  ).rejects.toMatchObject({ code: 'creditExceeded' });
  await dollars('overseasSale', '2026-07-12', { exchangeRate: millionths(90_000_000), lines: goods(100_000) });
});

test('exports are to, and imports from, somebody abroad', async () => {
  for (const [kind, party, message] of [
    ['overseasSale', books.customer, 'Asha Traders is not overseas: choose a customer abroad'],
    ['overseasPurchase', books.supplier, 'Mill Works is not overseas: choose a supplier abroad'],
    ['saudiInvoice', buyer, 'Abroad is not in Saudi Arabia'],
  ] as const)
    expect(
      await problemsOf(dollars(kind, TODAY, { party, exchangeRate: millionths(80_000_000), lines: goods(100) })),
    ).toEqual([{ field: 'party', message }]);
});

describe('a typed rate is compared with what the books know of the currency', () => {
  const typed = (rate: number) => ({ exchangeRate: millionths(Math.round(rate * 1_000_000)) });
  const far = (said: string) => ({
    field: 'exchangeRate',
    code: 'exchangeRateFar',
    message: expect.stringContaining(said),
  });
  const accepted = [{ warning: 'exchangeRateFar', reason: 'As agreed in the contract' }];

  test('far from the rate of the day it needs a reason; near it does not, and what is worth nothing is refused', async () => {
    await rate('2026-09-01', 80);
    const bank = await books.ledger('1121');
    for (const [kind, more] of [
      ['overseasSale', { lines: goods(1000) }],
      ['overseasPurchase', { lines: goods(1000) }],
      ['saleReceipt', { amount: paise(1000), moneyLedger: bank }],
      ['advanceReceipt', { amount: paise(1000), moneyLedger: bank }],
      ['payment', { amount: paise(1000), moneyLedger: bank }],
    ] as const) {
      for (const wrong of [8000, 100.01, 59.99, 0.08])
        expect(await problemsOf(dollars(kind, '2026-09-01', { ...more, ...typed(wrong) })), `${kind} ${wrong}`).toEqual(
          [expect.objectContaining(far('80.00 (Reference rate, 1 Sep 2026)'))],
        );
      await dollars(kind, '2026-09-01', { ...more, ...typed(100) });
      await dollars(kind, '2026-09-01', { ...more, ...typed(60) });
      const reasoned = { ...more, ...typed(120), accepted };
      await dollars(kind, '2026-09-01', reasoned);
      expect(await problemsOf(dollars(kind, '2026-09-01', { ...more, ...typed(0.000001), accepted })), kind).toEqual([
        { field: 'exchangeRate', message: 'At this exchange rate the amount is ₹0.00: correct the rate' },
      ]);
    }
  });

  test('without a rate of the day, with the last one that was used', async () => {
    const francs = (date: string, value: number, more: Partial<Draft> = {}) =>
      dollars('overseasSale', date, { currency: 'CHF', lines: goods(1000), ...typed(value), ...more });
    // nothing is known yet
    const { id } = await francs('2026-09-03', 100);
    expect(await problemsOf(francs('2026-09-20', 1000))).toEqual([
      expect.objectContaining(far('100.00 (last used, 3 Sep 2026)')),
    ]);
    await books.cancel(id);
    await francs('2026-09-20', 1000);
  });
});

test('several who restate a day at the same moment, or who take it back, do it once', async () => {
  const second = poster(books.books.pool);
  await rate('2026-08-01', 80);
  await rate('2026-08-31', 83);
  await dollars('overseasSale', '2026-08-01', { lines: goods(70_000) });
  const journals = async () =>
    (
      await db.owner.query<{ n: number }>(
        `
          select count(*)::int as n
          from documents d
          where d.organisation = $1
            and d.body #>> '{draft,fields,journalType}' = 'exchange'
            and d.reverses is null
            and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
        `,
        [books.organisation],
      )
    ).rows[0]?.n ?? 0;
  const standingBefore = await journals();
  const together = (...work: readonly (() => Promise<unknown>)[]) => Promise.allSettled(work.map((one) => one()));
  const ofDay = async (asOf: string) => {
    const { difference } = await calls().PreviewRevaluation({ asOf }, books.context());
    return { asOf, difference: money(difference) };
  };
  for (let round = 0; round < 8; round += 1) {
    const asked = await ofDay('2026-08-31');
    // the second one is another process on the same books
    const outcomes = await together(
      ...[books.poster, second, books.poster].map(
        (by) => () => exchangeHandlers(by).PostRevaluation(asked, books.context(keyed())),
      ),
    );
    const posted = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(posted).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'cannotRestate' });
    expect((await journals()) - standingBefore).toBe(2);
    const [kept] = await calls().ListRevaluations({}, books.context());
    const back = { id: kept?.id ?? '', reason: 'a rate was mistyped' };
    const undone = await together(
      () => calls().TakeBackRevaluation(back, books.context(keyed())),
      () => exchangeHandlers(second).TakeBackRevaluation(back, books.context(keyed())),
    );
    for (const outcome of undone)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'alreadyCancelled' });
    expect((await journals()) - standingBefore).toBe(0);
  }
}, 120_000);
