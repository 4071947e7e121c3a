import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import { addDays, financialYearOf } from '../../domain/base/dates.ts';
import { millionths, moneyText, ONE } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import { itemLine, receive, sell, type TestBooks, TODAY, testBooks } from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { newId } from '../kit/ids.ts';
import { reportHandlers } from './index.ts';

let db: TestDatabase;
const ended: TestBooks[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  for (const books of ended) await books.end();
  await db.drop();
});
const open = async (settings: Readonly<Record<string, unknown>> = {}, items = 3) => {
  const books = await testBooks(db, settings, items);
  ended.push(books);
  return books;
};

interface Ran {
  readonly rows: readonly Readonly<Record<string, string | number | boolean | null>>[];
  readonly totals: Readonly<Record<string, string>>;
  readonly after: string | null;
}
/** What goods cost is shown to those who may view the stock. */
const viewing = { grants: new Map([['Manage Inventory', 5000 as const]]) };
const run = async (books: TestBooks, report: string, filters: Record<string, string>, after?: string): Promise<Ran> =>
  (await reportHandlers.RunReport({ report, filters, ...(after && { after }) }, books.context(viewing))) as Ran;
/** A row of a statement by the beginning of its name, in paise; nothing when it is not there. */
const paiseOf = (ran: Ran, name: string, column = 'amount'): number => {
  const row = ran.rows.find((r) => String(r.name).startsWith(name));
  return row ? Math.round(Number(row[column]) * 100) : 0;
};
const INVENTORIES = 'Inventories';
const PROFIT = 'Profit for the period';

describe('periodic books', () => {
  test('what is in stock is in the balance sheet, opening less closing in the profit, year by year', async () => {
    const books = await open({ stockAccounting: 'periodic' });
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-02-10');
    await sell(books, item, 4, '2026-03-10');
    const last = await run(books, 'balanceSheet', { asOf: '2026-03-31' });
    expect(paiseOf(last, INVENTORIES)).toBe(60_000);
    expect(paiseOf(last, PROFIT)).toBe(40_000 - 100_000 + 60_000);
    await receive(books, item, 5, 200, '2026-06-10');
    await sell(books, item, 6, '2026-07-10');
    // six at 100 and five at 200: 1,600 for eleven; six sold
    const closing = 160_000 - 87_273;
    const sheet = await run(books, 'balanceSheet', { asOf: TODAY });
    expect(paiseOf(sheet, INVENTORIES)).toBe(closing);
    // beside it stands the end of the year before, and not the same day of it
    expect(paiseOf(sheet, INVENTORIES, 'previous')).toBe(60_000);
    expect(paiseOf(sheet, PROFIT, 'previous')).toBe(0);
    const year = await run(books, 'profitAndLoss', { from: '2026-04-01', to: TODAY });
    const change = 'Opening stock less closing stock';
    expect(paiseOf(year, change)).toBe(60_000 - closing);
    expect(paiseOf(year, PROFIT)).toBe(60_000 - 100_000 - (60_000 - closing));
    expect(paiseOf(sheet, PROFIT)).toBe(paiseOf(year, PROFIT));
    // what the stock added to the profit of the year before is still there
    expect(paiseOf(sheet, 'Stock of earlier years')).toBe(60_000);
    expect(paiseOf(sheet, 'Total assets')).toBe(paiseOf(sheet, 'Total equity and liabilities'));
    const quarter = await run(books, 'profitAndLoss', { from: '2026-07-01', to: '2026-09-30' });
    expect(paiseOf(quarter, change)).toBe(87_273);
  });

  test('a closing entry posted by hand is not counted twice', async () => {
    const books = await open({ stockAccounting: 'periodic' });
    const [item] = books.items;
    await receive(books, item, 10, 100, '2026-02-10');
    const [stock, change] = [await books.ledger('1310'), await books.ledger('5320')];
    const amount = 100_000 as never;
    await books.post(
      books.draft('manualJournal', {
        date: '2026-03-31',
        lines: [
          { ledger: stock, debit: amount },
          { ledger: change, credit: amount },
        ],
        fields: { journalType: 'general' },
      }),
    );
    const sheet = await run(books, 'balanceSheet', { asOf: '2026-03-31' });
    expect(paiseOf(sheet, INVENTORIES)).toBe(100_000);
    expect(paiseOf(sheet, PROFIT)).toBe(0);
    expect(sheet.rows.some((r) => r.name === 'Opening stock less closing stock')).toBe(false);
  });

  test('opening stock is no profit', async () => {
    const books = await open({ stockAccounting: 'periodic' });
    await books.post(books.draft('openingStock', { date: '2026-04-01', lines: [itemLine(books.items[0], 10, 50)] }));
    const year = await run(books, 'profitAndLoss', { from: '2026-04-01', to: TODAY });
    expect(paiseOf(year, PROFIT)).toBe(0);
    expect(paiseOf(await run(books, 'balanceSheet', { asOf: TODAY }), INVENTORIES)).toBe(50_000);
  });

  test('books that do not track goods show what was posted', async () => {
    const books = await open({ stockAccounting: 'periodic', trackInventory: false });
    await books.post(books.draft('openingStock', { date: '2026-04-01', lines: [itemLine(books.items[0], 10, 50)] }));
    expect(paiseOf(await run(books, 'balanceSheet', { asOf: TODAY }), INVENTORIES)).toBe(50_000);
  });
});

test('the stock ledger leads from what was there to what is there, page by page, and each row to its document', async () => {
  const books = await open();
  const [item = '', other] = books.items;
  await receive(books, item, 10, 100, '2026-05-01');
  await receive(books, other, 10, 100, '2026-05-01');
  const issue = await sell(books, item, 4, '2026-05-10');
  await receive(books, item, 10, 200, '2026-05-05');
  const filters = { item, from: '2026-05-05', to: TODAY };
  const { rows } = await run(books, 'stockLedger', filters);
  expect(rows).toMatchObject([
    { number: 'Opening stock', balance: '10', value: '1000.00', heading: true },
    { date: '2026-05-05', in: '10', out: '', cost: '2000.00', balance: '20', value: '3000.00', party: 'Mill Works' },
    { document: issue.id, in: '', out: '4', cost: '-600.00', balance: '16', value: '2400.00', location: 'Shop' },
  ]);
  const answer = await reportHandlers
    .RunReport({ report: 'stockLedger', filters: { ...filters, item: '' } }, books.context())
    .catch((e) => e);
  expect(answer).toMatchObject({ problems: [{ field: 'item' }] });
  // at another place there is nothing, and who may not see a place sees nothing of it
  expect((await run(books, 'stockLedger', { ...filters, location: books.other })).rows).toHaveLength(1);
  const elsewhere = await reportHandlers.RunReport(
    { report: 'stockLedger', filters },
    books.context({ locations: [books.other] }),
  );
  expect(elsewhere.rows).toHaveLength(1);
});

test('pages of the stock ledger go on where the last one ended', async () => {
  const books = await open();
  const [item = ''] = books.items;
  await receive(books, item, 1000, 100, '2026-05-01');
  for (let n = 0; n < 5; n++)
    await books.post(
      books.draft('saleInvoice', {
        party: books.customer,
        date: '2026-05-02',
        lines: Array.from({ length: 60 }, () => itemLine(item, 1, 100)),
      }),
    );
  const filters = { item, from: '2026-05-01', to: TODAY };
  const first = await run(books, 'stockLedger', filters);
  const second = await run(books, 'stockLedger', filters, first.after ?? '');
  expect([first.rows.length, second.rows.length]).toEqual([201, 101]);
  expect(second.rows[0]).toMatchObject({ balance: '800' });
  expect(second.rows.at(-1)).toMatchObject({ balance: '700', value: '70000.00' });
});

/** Documents of two years on random days; what a day does not hold is refused and left out. */
const acts = fc.array(
  fc.record({
    kind: fc.constantFrom('buy', 'buy', 'sell', 'sell', 'adjust', 'send', 'cancel'),
    day: fc.integer({ min: 0, max: 500 }),
    units: fc.integer({ min: 1, max: 9 }),
    rate: fc.integer({ min: 1, max: 400 }),
    item: fc.nat(2),
  }),
  { minLength: 12, maxLength: 20 },
);
const FIRST = '2025-06-01';

async function play(books: TestBooks, all: typeof acts extends fc.Arbitrary<infer T> ? T : never): Promise<number> {
  const posted: string[] = [];
  for (const item of books.items) await receive(books, item, 12, 150, FIRST);
  for (const { kind, day, units, rate, item: at } of all) {
    const item = books.items[at] ?? '';
    const date = addDays(FIRST, day);
    const line = itemLine(item, units, rate);
    const keep = (p: { readonly id: string }) => posted.push(p.id);
    try {
      if (kind === 'buy') keep(await receive(books, item, units, rate, date));
      else if (kind === 'sell') keep(await sell(books, item, units, date));
      else if (kind === 'cancel') {
        const known = posted[rate % Math.max(posted.length, 1)];
        if (known) await books.cancel(known);
      } else if (kind === 'send')
        keep(
          await books.post(
            books.draft('branchTransfer', {
              date,
              toLocation: books.other,
              toRegistration: books.registration,
              lines: [line],
            }),
          ),
        );
      else
        keep(
          await books.post(
            books.draft('inventoryAdjustment', {
              date,
              fields: { adjustmentReason: 'count' },
              lines: [{ item, delta: millionths(-units * ONE) }],
            }),
          ),
        );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return posted.length;
}

describe.each([
  ['periodic', 'average'],
  ['periodic', 'fifo'],
  ['perpetual', 'average'],
  ['perpetual', 'fifo'],
] as const)('whatever happened, in %s books valued by %s', (stockAccounting, valuation) => {
  test('stock on hand, stock ledger and statements agree with the movements on any day', {
    timeout: 200_000,
  }, async () => {
    let posted = 0;
    await fc.assert(
      fc.asyncProperty(
        acts,
        fc.array(fc.integer({ min: 0, max: 535 }), { minLength: 3, maxLength: 3 }),
        async (all, days) => {
          const books = await testBooks(db, { stockAccounting, valuation }, 3);
          posted += await play(books, all);
          for (const asOf of [...days.map((n) => addDays(FIRST, n)), TODAY]) {
            const { rows: moved } = await db.owner.query<{
              item: string;
              location: string;
              quantity: number;
              value: number;
            }>(
              `
                select m.item, m.location, sum(m.quantity)::float8 / 1000000 as quantity, sum(c.cost)::int as value
                from movements m
                join lateral (
                  select cost
                  from movement_costs k
                  where k.organisation = m.organisation and k.document = m.document and k.number = m.number
                  order by revision desc
                  limit 1
                ) c on true
                where m.organisation = $1 and m.date <= $2
                group by 1, 2
                having sum(m.quantity) <> 0 or sum(c.cost) <> 0
                order by 1, 2
              `,
              [books.organisation, asOf],
            );
            const onHand = await run(books, 'stockOnHand', { asOf });
            const shown = onHand.rows.map((r) => ({
              item: r.itemId,
              location: r.locationId,
              quantity: Number(r.quantity),
              value: Math.round(Number(r.value) * 100),
            }));
            const order = (a: { item: unknown; location: unknown }, b: typeof a) =>
              `${a.item}${a.location}` < `${b.item}${b.location}` ? -1 : 1;
            expect(shown.sort(order)).toEqual(moved.sort(order));
            const worth = moved.reduce((t, m) => t + m.value, 0);
            expect(Math.round(Number(onHand.totals.value) * 100)).toBe(worth);
            for (const m of moved) {
              const ledger = await run(books, 'stockLedger', {
                item: m.item,
                location: m.location,
                from: FIRST,
                to: asOf,
              });
              expect(ledger.rows.at(-1)).toMatchObject({
                value: moneyText(paise(m.value)),
                balance: String(m.quantity),
              });
            }
            const sheet = await run(books, 'balanceSheet', { asOf });
            expect(paiseOf(sheet, INVENTORIES)).toBe(worth);
            for (const column of ['amount', 'previous'])
              expect(paiseOf(sheet, 'Total assets', column)).toBe(
                paiseOf(sheet, 'Total equity and liabilities', column),
              );
            const year = await run(books, 'profitAndLoss', { from: financialYearOf(asOf).start, to: asOf });
            expect(paiseOf(year, PROFIT)).toBe(paiseOf(sheet, PROFIT));
            const end = await run(books, 'balanceSheet', { asOf: addDays(financialYearOf(asOf).start, -1) });
            for (const row of [INVENTORIES, PROFIT, 'Total assets'])
              expect(paiseOf(sheet, row, 'previous')).toBe(paiseOf(end, row));
          }
          await books.end();
        },
      ),
      { numRuns: 5 },
    );
    expect(posted).toBeGreaterThan(25);
  });
});

test('stock is split by room and by batch, without a value; what has expired says so', async () => {
  const books = await open({ isWarehouse: true, enableBatch: true });
  const [item = ''] = books.items;
  await db.owner.query(`update items set body = body || '{"batched": true}' where id = $1`, [item]);
  const room = newId();
  await db.owner.query(
    `insert into masters (organisation, id, master, code, name, body) values ($1, $2, 'warehouse', 'BACK', 'Back', $3)`,
    [books.organisation, room, { location: books.location }],
  );
  const of = (quantity: number, batch: string, expiry: string) => ({
    ...itemLine(item, quantity, 10),
    batches: [{ batch, expiry, quantity: millionths(quantity * ONE) }],
  });
  await books.post(
    books.draft('purchaseBill', {
      ...{ party: books.supplier, date: '2026-05-01', reference: 'M' },
      lines: [{ ...of(4, 'OLD', '2026-06-01'), room }, of(6, 'NEW', '2028-06-01')],
    }),
  );
  const cells = async (by: string) =>
    (await run(books, 'stockOnHand', { asOf: TODAY, by })).rows.map((r) => [r.part, r.quantity, r.value, r.state]);
  expect(await cells('room')).toEqual([
    ['', '6', '', ''],
    ['Back', '4', '', ''],
  ]);
  expect(await cells('batch')).toEqual([
    ['NEW', '6', '', ''],
    ['OLD', '4', '', 'Expired'],
  ]);
  expect(await cells('location')).toEqual([['', '10', '100.00', '']]);
  const sheet = async (more: Record<string, string>) =>
    (await run(books, 'countSheet', { asOf: TODAY, location: books.location, ...more })).rows.map((r) => [
      r.part,
      r.books,
      r.counted,
    ]);
  expect(await sheet({})).toEqual([['', '10', '']]);
  expect(await sheet({ by: 'room' })).toEqual([
    ['', '6', ''],
    ['Back', '4', ''],
  ]);
  // who counts is not led by what the books say
  expect(await sheet({ by: 'batch', blind: 'true' })).toEqual([
    ['NEW', '', ''],
    ['OLD', '', ''],
  ]);
  await expect(run(books, 'countSheet', { asOf: TODAY })).rejects.toMatchObject({ problems: [{ field: 'location' }] });
});
