import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../../contract/errors.ts';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import type { DraftLine, Id } from '../../../domain/document/document.ts';
import { itemLine, receive, type TestBooks, TODAY, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { newId } from '../../kit/ids.ts';
import { Problems } from '../../kit/problems.ts';
import { profitAndLoss } from '../../reports/statements.ts';

// Goods that go to another registration of the same business are sold to nobody: no transfer may show as profit or
// loss in any period, nor change what the business owns less what it owes (AS 2 and AS 9).

let db: TestDatabase;
const opened: TestBooks[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  for (const books of opened) await books.end();
  await db.drop();
});

interface TwoStates {
  readonly books: TestBooks;
  /** The registration and the place in the other state. */
  readonly pune: Id;
  readonly store: Id;
}

async function twoStates(settings: Readonly<Record<string, unknown>>): Promise<TwoStates> {
  const books = await testBooks(db, { autoRoundOffTotals: true, ...settings });
  opened.push(books);
  const [pune, store] = [newId(), newId()];
  await db.owner.query(
    `
      insert into registrations (organisation, id, gstin, legal_name, state, kind)
      values ($1, $2, '27AAGCS4821F1ZF', 'Test books', '27', 'regular')
    `,
    [books.organisation, pune],
  );
  await db.owner.query(
    `
      insert into locations (organisation, id, code, name, registration, is_tax, is_physical)
      values ($1, $2, 'P', 'Pune', $3, true, true)
    `,
    [books.organisation, store, pune],
  );
  await db.owner.query(
    `
      insert into number_series (organisation, id, name, kind, registration, prefix, padding)
      select organisation, gen_random_uuid(), name || ' Pune', kind, $2, 'P' || prefix, padding
      from number_series
      where organisation = $1 and registration = $3 and kind in ('transferReceipt', 'inventoryAdjustment')
    `,
    [books.organisation, pune, books.registration],
  );
  for (const [n, cost] of [40, 100, 333].entries()) await receive(books, books.items[n], 40, cost, '2026-05-01');
  return { books, pune, store };
}

const send = ({ books, pune, store }: TwoStates, date: string, lines: readonly DraftLine[]) =>
  books.post(books.draft('branchTransfer', { date, toLocation: store, toRegistration: pune, lines }));
const receiveAt = (
  { books, pune, store }: TwoStates,
  dispatch: Id,
  date: string,
  line: Pick<DraftLine, 'item' | 'quantity'>,
) =>
  books.post(
    books.draft('transferReceipt', {
      date,
      registration: pune,
      location: store,
      toRegistration: books.registration,
      against: dispatch,
      lines: [{ ...line, source: { document: dispatch, line: 1 } }],
    }),
  );

/** Rupees of profit in a period, as the statement of profit and loss shows it. */
async function profit({ books }: TwoStates, from: string, to: string): Promise<string> {
  const { rows } = await books.context().inTransaction((trx) =>
    profitAndLoss(trx, {
      ...{ organisation: books.organisation, settings: books.context().settings, filters: { from, to } },
      places: [],
    } as never),
  );
  return String(rows.find(({ name }) => name === 'Profit for the period')?.amount);
}

/** What each transfer and its cancellation put on ledgers of income and expense, in paise: those that put something. */
const earned = async ({ books }: TwoStates) =>
  (
    await db.owner.query<{ number: string; amount: string }>(
      `
        select d.number, sum(e.credit - e.debit) as amount
        from entries e
        join documents d on d.organisation = e.organisation and d.id = e.document
        left join documents o on o.organisation = d.organisation and o.id = d.reverses
        join ledgers l on l.organisation = e.organisation and l.id = e.ledger
        where e.organisation = $1
          and coalesce(o.kind, d.kind) in ('branchTransfer', 'transferReceipt')
          and l.nature in ('income', 'expense')
        group by d.id, d.number
        having sum(e.credit - e.debit) <> 0
      `,
      [books.organisation],
    )
  ).rows;

type Act =
  | { readonly act: 'send'; readonly item: number; readonly units: number; readonly rate: number; readonly day: number }
  | { readonly act: 'receive' | 'lose' | 'cancel'; readonly pick: number; readonly units: number };
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    fc.record({
      act: fc.constant('send' as const),
      item: fc.nat(2),
      units: fc.integer({ min: 1, max: 6 }),
      // below, at and above what they cost
      rate: fc.constantFrom(33, 40, 75, 100, 333, 512),
      day: fc.integer({ min: 10, max: 30 }),
    }),
    fc.record({
      act: fc.constantFrom('receive' as const, 'receive' as const, 'lose' as const, 'cancel' as const),
      pick: fc.nat(),
      units: fc.integer({ min: 1, max: 4 }),
    }),
  ),
  { minLength: 6, maxLength: 14 },
);

test.each(['perpetual', 'periodic'])(
  '%s books: no transfer shows as profit or loss, whatever arrives of it',
  {
    timeout: 300_000,
  },
  async (stockAccounting) => {
    const two = await twoStates({ stockAccounting, isAllowNegative: true });
    const { books } = two;
    let [sent, came, lost] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const written: { id: Id; sends: boolean; item: number; units: number }[] = [];
        for (const one of all)
          try {
            if (one.act === 'send') {
              const date = `2026-06-${one.day}`;
              const { id } = await send(two, date, [itemLine(books.items[one.item], one.units, one.rate)]);
              written.push({ id, sends: true, item: one.item, units: one.units });
              sent += 1;
              continue;
            }
            const from = written.filter(({ sends }) => sends || one.act === 'cancel');
            const chosen = from[one.pick % Math.max(from.length, 1)];
            if (!chosen) continue;
            const quantity = millionths(Math.min(one.units, chosen.units) * ONE);
            const item = books.items[chosen.item] ?? '';
            if (one.act === 'cancel') await books.cancel(chosen.id);
            else {
              const { id } = await receiveAt(two, chosen.id, '2026-07-05', { item, quantity });
              written.push({ id, sends: false, item: chosen.item, units: 0 });
              came += 1;
              if (one.act === 'receive') continue;
              // what is missing or broken is found when it is unpacked: a loss at cost, and no transfer
              const fields = { adjustmentReason: 'Damage' };
              const line = { item, delta: millionths(-quantity) };
              await books.post(
                books.draft('inventoryAdjustment', {
                  date: '2026-07-06',
                  registration: two.pune,
                  location: two.store,
                  fields,
                  lines: [line],
                }),
              );
              lost += 1;
            }
          } catch (error) {
            // more than is left of it, or cancelled before
            if (!(error instanceof Refusal || error instanceof Problems)) throw error;
          }
        expect(await earned(two)).toEqual([]);
      }),
      { numRuns: 10 },
    );
    // the law was tried on something
    expect(Math.min(sent, came, lost)).toBeGreaterThan(0);
  },
);

test.each(['perpetual', 'periodic'])(
  '%s books: goods on the road over the end of a month leave the profit as it is',
  async (stockAccounting) => {
    const two = await twoStates({ stockAccounting });
    const { books } = two;
    const before = await profit(two, '2026-06-01', '2026-06-30');
    const { id } = await send(two, '2026-06-28', [itemLine(books.items[1], 3, 130)]);
    expect(await profit(two, '2026-06-01', '2026-06-30')).toBe(before);
    await receiveAt(two, id, '2026-07-02', { item: books.items[1] ?? '', quantity: millionths(3 * ONE) });
    expect(await profit(two, '2026-06-01', '2026-06-30')).toBe(before);
    expect(await profit(two, '2026-07-01', '2026-07-31')).toBe('0.00');
  },
);

test('the tax of goods on which no credit is taken is an expense, and the two ledgers between branches come to nothing', async () => {
  const two = await twoStates({});
  const { books } = two;
  await db.owner.query('update items set credit_blocked = true where organisation = $1', [books.organisation]);
  const { id } = await send(two, '2026-06-28', [itemLine(books.items[1], 3, 100)]);
  await receiveAt(two, id, '2026-07-02', { item: books.items[1] ?? '', quantity: millionths(3 * ONE) });
  expect(await profit(two, '2026-07-01', '2026-07-31')).toBe('-54.00');
  const { rows } = await db.owner.query(
    `
      select l.code, sum(e.debit - e.credit)::int as amount
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.organisation = $1 and l.code in ('1560', '5340')
      group by l.code
      order by l.code
    `,
    [books.organisation],
  );
  expect(rows).toEqual([
    { code: '1560', amount: 0 },
    { code: '5340', amount: 0 },
  ]);
});

test('a branch takes no credit of goods whose time for it is over: their tax is an expense, with a warning', async () => {
  const two = await twoStates({});
  const { books } = two;
  const item = books.items[0] ?? '';
  await receive(books, item, 20, 40, '2025-03-01');
  const one = { item, quantity: millionths(ONE) };
  const lastYear = await send(two, '2025-03-20', [itemLine(item, 4, 100)]);
  const thisYear = await send(two, '2025-04-02', [itemLine(item, 4, 100)]);
  const booked = async (dispatch: Id) => {
    const { id } = await receiveAt(two, dispatch, TODAY, one);
    const { rows } = await db.owner.query<{ code: string; amount: number; warned: string[] }>(
      `
        select l.code, (e.debit - e.credit)::int as amount,
               array(select w ->> 'code' from jsonb_array_elements(coalesce(d.body -> 'warnings', '[]')) w) as warned
        from entries e
        join documents d on d.organisation = e.organisation and d.id = e.document
        join ledgers l on l.organisation = e.organisation and l.id = e.ledger
        where e.document = $1 and e.debit = 1800
      `,
      [id],
    );
    return rows;
  };
  // until 30 November 2025, and until ten days from today
  expect(await booked(lastYear.id)).toEqual([{ code: '5310', amount: 1800, warned: ['creditBarred'] }]);
  expect(await booked(thisYear.id)).toEqual([{ code: '1413', amount: 1800, warned: [] }]);
  // it costs what it did where it came from: 40 with the tax of a bill whose time was over as well
  const { rows } = await db.owner.query(
    'select distinct value * 1000000 / quantity as each from item_balances where organisation = $1 and location = $2',
    [books.organisation, two.store],
  );
  expect(rows.map(({ each }) => Number(each))).toEqual([4720]);
});
