import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import type { ReportName } from '../../contract/reports.ts';
import { addDays } from '../../domain/base/dates.ts';
import { money } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { itemLine, manyBooks, openOf, receive, type TestBooks, TODAY } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { accountHandlers } from '../accounts/index.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { Problems } from '../kit/problems.ts';
import { reportHandlers } from './index.ts';

let db: TestDatabase;
let books: TestBooks;
let bank: Id;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
  books = await more({});
  bank = await books.ledger('1121');
  await receive(books, books.items[0], 1000, 60, '2026-04-01');
});
afterAll(close);

const run = (report: ReportName, filters: Readonly<Record<string, string>>) =>
  reportHandlers.RunReport({ report, filters } as never, books.context()) as Promise<{
    readonly rows: readonly Readonly<Record<string, string>>[];
    readonly totals: Readonly<Record<string, string>>;
  }>;
/** What stood on the account of all customers, or of all suppliers, at the end of a day: what they owe, or are owed. */
const ledgerOn = async (side: 'customer' | 'supplier', day: string): Promise<number> => {
  const { rows } = await db.owner.query(
    'select coalesce(sum(debit - credit), 0)::int as n from entries where organisation = $1 and party = $2 and date <= $3',
    [books.organisation, books[side], day],
  );
  return side === 'customer' ? rows[0].n : 0 - rows[0].n;
};
const ageings = [
  ['receivablesAgeing', 'outstandingDebtors', 'customer'],
  ['payablesAgeing', 'outstandingCreditors', 'supplier'],
] as const;
async function agreesOn(day: string): Promise<void> {
  for (const [ageing, outstanding, side] of ageings) {
    const ledger = await ledgerOn(side, day);
    const aged = await run(ageing, { asOf: day, by: 'due' });
    expect([ageing, day, money(aged.totals.total ?? '')]).toEqual([ageing, day, ledger]);
    const due = await run(outstanding, { asOf: day });
    expect([outstanding, day, money(due.totals.open ?? '')]).toEqual([outstanding, day, ledger]);
  }
}

let papers = 0;
const invoice = (date: string) =>
  books.post(books.draft('saleInvoice', { party: books.customer, date, lines: [itemLine(books.items[0], 1, 100)] }));
const bill = (date: string) => receive(books, books.items[0], 1, 100, date);
const paid = (kind: 'saleReceipt' | 'payment', date: string, document: Id | undefined, amount: number) =>
  books.post(
    books.draft(kind, {
      party: kind === 'payment' ? books.supplier : books.customer,
      date,
      amount: paise(amount),
      moneyLedger: bank,
      reference: `R-${++papers}`,
      ...(document && { allocations: [{ document, amount: paise(amount) }] }),
    } as Partial<Draft>),
  );

test.each([
  ['saleReceipt', 'receivablesAgeing', invoice],
  ['payment', 'payablesAgeing', bill],
] as const)('a %s dated before what it settles is on account until that day', async (kind, report, due) => {
  const { id } = await due('2026-10-24');
  const before = money((await run(report, { asOf: '2026-10-23', by: 'due' })).totals.onAccount ?? '');
  const payment = await paid(kind, '2026-10-02', id, 5000);
  const on = async (asOf: string) => {
    const { totals } = await run(report, { asOf, by: 'due' });
    return money(totals.onAccount ?? '') - before;
  };
  expect([await on('2026-10-01'), await on('2026-10-02'), await on('2026-10-23')]).toEqual([0, -5000, -5000]);
  expect((await on('2026-10-24')) + before).toBe(0);
  for (const day of ['2026-10-01', '2026-10-02', '2026-10-23', '2026-10-24', TODAY]) await agreesOn(day);
  // freed again, it was never there
  await books.cancel(payment.id);
  expect(await openOf(db, id)).toBe(11800);
  for (const day of ['2026-10-01', '2026-10-02', '2026-10-23', '2026-10-24', TODAY]) await agreesOn(day);
});

test.each([
  ['in part', 4000],
  ['wholly', 0],
])(
  'a receipt whose settlement was freed %s later, cancelled on its own day, settles nothing between',
  async (_, left) => {
    const { SavePartyCreditsAllocation } = accountHandlers({} as never);
    const due = await invoice('2026-10-02');
    const receipt = await paid('saleReceipt', '2026-10-05', due.id, 11800);
    const settled = { credit: receipt.id, creditLine: 0, invoice: due.id, invoiceLine: 0, amount: paise(left) };
    await SavePartyCreditsAllocation({ party: books.customer, allocations: [settled] }, books.context());
    await books.cancel(receipt.id, 'not ours', { frees: true } as never);
    expect(await openOf(db, due.id)).toBe(11800);
    for (const day of ['2026-10-02', '2026-10-04', '2026-10-05', '2026-10-06', '2026-11-01', TODAY])
      await agreesOn(day);
    expect(await brokenInvariants(db.owner)).toEqual([]);
  },
);

test('on every day the ageings are the ledgers, whatever was settled, freed and cancelled', async () => {
  const { SavePartyCreditsAllocation } = accountHandlers({} as never);
  const day = fc.integer({ min: 0, max: 40 }).map((back) => addDays(TODAY, -back));
  const step = fc.record({
    what: fc.constantFrom('invoice', 'invoice', 'bill', 'receipt', 'payment', 'settle', 'cancel', 'reverse'),
    day,
    which: fc.nat(20),
    amount: fc.integer({ min: 1, max: 11800 }),
  });
  const dues: { readonly id: Id; readonly kind: 'saleReceipt' | 'payment' }[] = [];
  const credits: { readonly id: Id; readonly kind: 'saleReceipt' | 'payment' }[] = [];
  let done = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 20 }), day, async (steps, other) => {
      for (const { what, day, which, amount } of steps) {
        const kind = what === 'payment' ? 'payment' : 'saleReceipt';
        const due = dues.filter((one) => one.kind === kind).at(-1 - (which % 4));
        const work = {
          invoice: async () => void dues.push({ ...(await invoice(day)), kind: 'saleReceipt' }),
          bill: async () => void dues.push({ ...(await bill(day)), kind: 'payment' }),
          receipt: async () => void credits.push({ ...(await paid(kind, day, due?.id, amount)), kind }),
          payment: async () => void credits.push({ ...(await paid(kind, day, due?.id, amount)), kind }),
          settle: async () => {
            const credit = credits.at(-1 - (which % 4));
            const invoice = dues.filter((one) => one.kind === credit?.kind).at(-1 - (which % 3));
            if (!credit || !invoice) return;
            const party = credit.kind === 'payment' ? books.supplier : books.customer;
            const allocation = { credit: credit.id, creditLine: 0, invoice: invoice.id, invoiceLine: 0 };
            const wanted = [{ ...allocation, amount: paise(amount % 3 === 0 ? 0 : amount) }];
            await SavePartyCreditsAllocation({ party, allocations: wanted }, books.context());
          },
          cancel: async () => {
            const one = [...dues, ...credits].at(-1 - (which % 12));
            if (one) await books.cancel(one.id);
          },
          reverse: async () => {
            const one = credits.at(-1 - (which % 6));
            if (one) await books.cancel(one.id, 'not ours', { frees: true, today: true } as never);
          },
        };
        // what is used up, or cancelled already, is refused
        await work[what as keyof typeof work]().then(
          () => {
            done += 1;
          },
          (error: unknown) => {
            if (!(error instanceof Refusal || error instanceof Problems)) throw error;
          },
        );
      }
      for (const asOf of [...new Set([other, ...steps.map((one) => one.day), TODAY])]) await agreesOn(asOf);
    }),
    { numRuns: 3, endOnFailure: true },
  );
  expect(done).toBeGreaterThan(20);
}, 120_000);

test.each([
  ['receivablesAgeing', 'outstandingDebtors', 'customer'],
  ['payablesAgeing', 'outstandingCreditors', 'supplier'],
] as const)(
  '%s of one party: its row of the whole report, and the total of its open documents',
  async (report, outstanding, side) => {
    const party = books[side];
    await (side === 'customer' ? invoice('2026-09-01') : bill('2026-09-01'));
    for (const by of ['due', 'date']) {
      const whole = await run(report, { asOf: TODAY, by });
      const alone = await run(report, { asOf: TODAY, by, party });
      expect(alone.rows).toEqual(whole.rows.filter(({ partyId }) => partyId === party));
      expect(alone.rows[0]).toMatchObject(alone.totals);
      expect(alone.totals.total).toBe((await run(outstanding, { asOf: TODAY, party })).totals.open);
      const { totals, rows } = await run(report, { asOf: TODAY, by, party: '00000000-0000-4000-8000-000000000000' });
      expect([rows, totals.total]).toEqual([[], '0.00']);
    }
  },
);
