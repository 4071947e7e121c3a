import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import { monthEnd } from '../../domain/dates.ts';
import { money, percentage } from '../../domain/decimal.ts';
import type { Id } from '../../domain/document.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks, TODAY } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { prepareCancel } from '../documents/index.ts';
import { brokenInvariants } from '../kit/invariants.ts';
import { Problems } from '../kit/problems.ts';
import { closingHandlers } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const asOwner = (books: TestBooks) => books.context({ grants: new Map([['General Configuration', 5003]]) });
const paise = (text: string | undefined): number => Math.round(Number(text ?? '0') * 100);
const taxOf = (of: { igst: string; cgst: string; sgst: string; cess: string }) =>
  paise(of.igst) + paise(of.cgst) + paise(of.sgst) + paise(of.cess);
const mark = (books: TestBooks, period: string, form: 'GSTR-1' | 'GSTR-3B' = 'GSTR-1') =>
  closingHandlers.MarkFiled(
    { registration: books.registration, form, period, filedOn: TODAY, arn: '' },
    asOwner(books),
  );
const unmark = (books: TestBooks, period: string, form: 'GSTR-1' | 'GSTR-3B' = 'GSTR-1') =>
  closingHandlers.UnmarkFiled(
    { registration: books.registration, form, period, reason: 'marked too early' },
    asOwner(books),
  );
const filed = (books: TestBooks, period: string, form: 'GSTR-1' | 'GSTR-3B' = 'GSTR-1') =>
  closingHandlers.GetFiledReturn({ registration: books.registration, form, period }, asOwner(books));
const lock = (books: TestBooks, more: object, through: string | null) =>
  closingHandlers.SaveLock({ ...more, through, reason: 'opened for a correction' }, asOwner(books));
const cancel = async (books: TestBooks, id: Id, how: object) =>
  books.poster.post(await prepareCancel(books.context(), id, 'entered twice', { frees: true, ...how }));
const advance = async (books: TestBooks, amount: number, date: string) =>
  books.post(
    books.draft('advanceReceipt', {
      ...{ party: books.customer, date, moneyLedger: await books.ledger('1121'), amount: money(String(amount)) },
      ...{ advanceRate: percentage('18'), placeOfSupply: '29' },
    }),
  );
const giveBack = (books: TestBooks, against: Id, date: string) =>
  books.post(
    books.draft('saleReturn', {
      party: books.customer,
      date,
      against,
      reason: '01',
      lines: [{ ...itemLine(books.items[0], 1, 100), source: { document: against, line: 1 } }],
    }),
  );

test('a return is kept as it was filed; what is posted and reversed later is listed as the difference', async () => {
  const books = await more();
  const [item] = books.items;
  await receive(books, item, 100, 60, '2026-08-01');
  const [one, two] = [await sell(books, item, 10, '2026-09-05'), await sell(books, item, 5, '2026-09-06')];
  const back = await giveBack(books, one.id, '2026-09-10');
  await mark(books, '2026-09');
  const kept = await filed(books, '2026-09');
  expect(kept).toMatchObject({
    filed: [{ by: 'Owner', filedOn: TODAY, unmarked: null }],
    totals: {
      filed: { taxable: '1400.00', cgst: '126.00', sgst: '126.00' },
      now: { taxable: '1400.00', cgst: '126.00', sgst: '126.00' },
    },
    differences: [],
    reversed: [],
    file: { gstin: '29AAGCS4821F1ZB', fp: '092026' },
  });
  // nothing of it is cancelled on its own day
  for (const { id } of [two, back])
    await expect(cancel(books, id, {})).rejects.toMatchObject({ code: 'registerLocked' });
  // the return of goods is reversed today: September stays, today's return has to amend it
  await cancel(books, back.id, { today: true });
  expect(await filed(books, '2026-09')).toEqual(kept);
  // the lock is taken back by hand, and the books change behind the return
  await lock(books, { register: 'outward', registration: books.registration }, null);
  await cancel(books, two.id, {});
  const late = await sell(books, item, 1, '2026-09-20');
  const after = await filed(books, '2026-09');
  expect(after).toMatchObject({
    filed: kept.filed,
    file: kept.file,
    totals: { filed: kept.totals.filed, now: { taxable: '1000.00', cgst: '90.00' } },
    differences: [
      { number: two.number, what: 'gone', taxable: '-500.00', cgst: '-45.00', sgst: '-45.00' },
      { number: late.number, what: 'added', taxable: '100.00', cgst: '9.00', sgst: '9.00' },
    ],
  });
  // the mark is taken back: what was filed stays, and another one is kept when it is marked again
  await unmark(books, '2026-09');
  expect((await filed(books, '2026-09')).filed).toMatchObject([
    { unmarked: { by: 'Owner', reason: 'marked too early' } },
  ]);
  await mark(books, '2026-09');
  expect(await filed(books, '2026-09')).toMatchObject({
    filed: [{ unmarked: null }, { digest: kept.filed[0]?.digest, unmarked: { by: 'Owner' } }],
    differences: [],
  });
});

test('a GSTR-3B is kept with what the books say of outward and inward supplies', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 10, 60, '2026-09-01');
  await sell(books, item, 2, '2026-09-05');
  await mark(books, '2026-09', 'GSTR-3B');
  await expect(cancel(books, bill.id, {})).rejects.toMatchObject({ code: 'registerLocked' });
  expect(await filed(books, '2026-09', 'GSTR-3B')).toMatchObject({
    tables: [
      { name: 'Outward supplies', count: 1, taxable: '200.00', cgst: '18.00' },
      { name: 'Inward supplies', count: 1, taxable: '600.00', cgst: '54.00' },
    ],
    differences: [],
    file: null,
  });
});

const PERIODS = ['2026-09', '2026-10'] as const;
type Move = readonly [what: string, a: number, b: number];

/** One random step; what is refused changes nothing. */
async function step(books: TestBooks, made: Id[], [what, a, b]: Move): Promise<void> {
  const [period, other] = a % 2 ? [PERIODS[0], PERIODS[1]] : [PERIODS[1], PERIODS[0]];
  const date = [`${period}-${String(1 + (b % 28)).padStart(2, '0')}`, '2026-11-10', TODAY][a % 3] ?? TODAY;
  const id = made[b % Math.max(1, made.length)];
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    sell: async () => made.push((await sell(books, books.items[0], 1 + (b % 5), date)).id),
    giveBack: async () => id && made.push((await giveBack(books, id, date)).id),
    cancel: async () => id && cancel(books, id, {}),
    reverse: async () => id && cancel(books, id, { today: true }),
    advance: async () => made.push((await advance(books, 100 + (b % 900), date)).id),
    mark: () => mark(books, period),
    mark3B: () => mark(books, period, 'GSTR-3B'),
    unmark: () => unmark(books, period),
    unmark3B: () => unmark(books, period, 'GSTR-3B'),
    lock: () => lock(books, {}, b % 2 ? monthEnd(`${other}-01`) : null),
    open: () => lock(books, { register: a % 2 ? 'outward' : 'gst', registration: books.registration }, null),
  };
  try {
    await steps[what]?.();
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Problems)) throw error;
  }
}

test('law: over random sales, advances, notes, cancellations, reversals, locks and marks, what was filed is what the books said then, and every difference is listed', async () => {
  const one = fc.tuple(
    fc.constantFrom(
      'sell',
      'sell',
      'sell',
      'giveBack',
      'cancel',
      'cancel',
      'reverse',
      'advance',
      'mark',
      'mark3B',
      'unmark',
      'unmark3B',
      'lock',
      'open',
    ),
    fc.nat(1000),
    fc.nat(1000),
  );
  let returns = 0;
  let summaries = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 20, maxLength: 40 }), async (moves) => {
      const books = await more();
      await receive(books, books.items[0], 1000, 60, '2026-08-01');
      const made: Id[] = [];
      /** What each return said when it was marked. */
      const said = new Map<string, string>();
      for (const move of moves) {
        await step(books, made, move);
        for (const period of PERIODS) {
          const summary = await filed(books, period, 'GSTR-3B').catch(() => undefined);
          if (summary) {
            const name = `3B ${period} ${summary.filed[0]?.markedAt}`;
            const filedNow = JSON.stringify([summary.totals.filed, summary.tables, summary.filed[0]?.digest]);
            if (!said.has(name)) {
              said.set(name, filedNow);
              summaries += 1;
              expect(summary.totals.now).toEqual(summary.totals.filed);
            }
            expect(filedNow).toBe(said.get(name));
            const listed = summary.differences.reduce((t, d) => t + taxOf(d), 0);
            expect(taxOf(summary.totals.filed) + listed).toBe(taxOf(summary.totals.now));
          }
          const kept = await filed(books, period).catch(() => undefined);
          if (!kept) continue;
          const name = `${period} ${kept.filed[0]?.markedAt}`;
          // as it was filed, for ever
          const filedNow = JSON.stringify([kept.totals.filed, kept.tables, kept.file, kept.filed[0]?.digest]);
          if (!said.has(name)) {
            said.set(name, filedNow);
            returns += 1;
            expect(kept.totals.now).toEqual(kept.totals.filed);
          }
          expect(filedNow).toBe(said.get(name));
          // each difference is listed
          const listed = kept.differences.reduce((t, d) => t + taxOf(d), 0);
          expect(taxOf(kept.totals.filed) + listed).toBe(taxOf(kept.totals.now));
          // the return of now is what stands on the ledgers of output tax, but for what it amends
          const { rows } = await db.owner.query<{ tax: number }>(
            `select coalesce(sum(e.credit - e.debit), 0)::int as tax
               from entries e
               join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger
                and m.effect in ('outputCgst', 'outputSgst', 'outputIgst')
              where e.organisation = $1 and to_char(e.date, 'YYYY-MM') = $2`,
            [books.organisation, period],
          );
          expect(taxOf(kept.totals.now) + kept.reversed.reduce((t, d) => t + taxOf(d), 0)).toBe(rows[0]?.tax);
        }
      }
    }),
    { numRuns: 6 },
  );
  expect(returns).toBeGreaterThan(0);
  expect(summaries).toBeGreaterThan(0);
  const broken = await brokenInvariants(db.owner);
  expect(broken.filter(({ id }) => id === 'INV-71')).toEqual([]);
}, 240_000);
