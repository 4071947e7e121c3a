import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths } from '../../../../domain/base/decimal.ts';
import { type Paise, paise } from '../../../../domain/base/money.ts';
import type { Allocation, Draft, Id } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, receive, type TestBooks } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

type Side = 'customer' | 'supplier';
const party = async ({ organisation }: TestBooks, side: Side): Promise<Id> => {
  const id = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
     values ($1, $2, $3, 'Abroad', $4, 'overseas', '96', 'US', 'USD', 'abroad')`,
    [organisation, id, id.slice(-8), side],
  );
  return id;
};
const rows = async (text: string, values: unknown[]) => (await db.owner.query(text, values)).rows;
const booked = async (id: Id): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await rows(
        `
          select l.code, (e.debit - e.credit)::int as amount
          from entries e
          join ledgers l on l.organisation = e.organisation and l.id = e.ledger
          where e.document = $1
        `,
        [id],
      )
    ).map((r) => [r.code, r.amount]),
  );
/** Rupees on the accounts of a party, advances and all, and what is open in dollars. */
const standing = async (id: Id) => {
  const [{ rupees }] = await rows(
    'select coalesce(sum(debit - credit), 0)::int as rupees from entries where party = $1',
    [id],
  );
  const [{ dollars }] = await rows('select coalesce(sum(open), 0)::int as dollars from open_items where party = $1', [
    id,
  ]);
  return { rupees, dollars };
};
/** One piece for so many cents. */
const priced = (books: TestBooks, cents: number) => ({
  ...itemLine(books.items[0], 1, 1),
  rate: millionths(cents * 10_000),
});
const dollars = (rate: number) => ({ currency: 'USD', exchangeRate: millionths(Math.round(rate * 1_000_000)) });

/** The kinds that do one thing, on either side. */
const words = {
  supplier: {
    bill: 'overseasPurchase',
    note: 'purchaseCreditNote',
    money: 'payment',
    advance: 'advancePayment',
    apply: 'supplierAllocation',
  },
  customer: {
    bill: 'overseasSale',
    note: 'saleCreditNote',
    money: 'saleReceipt',
    advance: 'advanceReceipt',
    apply: 'allocationVoucher',
  },
} as const;

/** Rates of these tests are far apart, and suppliers repeat their numbers. */
const accepted = ['exchangeRateFar', 'duplicateBill'].map((warning) => ({ warning, reason: 'A test' }));
const desk = (books: TestBooks, side: Side, who: Id) => {
  const post = (kind: string, rate: number, more: Partial<Draft>) =>
    books.post(books.draft(kind, { party: who, reference: 'X-1', accepted, ...dollars(rate), ...more }));
  const of = words[side];
  return {
    bill: (amount: number, rate: number) => post(of.bill, rate, { lines: [priced(books, amount)] }),
    note: (amount: number, rate: number, against: Id, allocations: readonly Allocation[] = []) =>
      post(of.note, rate, {
        against,
        allocations,
        reason: '02',
        lines: [priced(books, amount)],
      }),
    pay: async (amount: number, rate: number, allocations: readonly Allocation[]) =>
      post(of.money, rate, { amount: paise(amount), moneyLedger: await books.ledger('1121'), allocations }),
    advance: async (amount: number, rate: number) =>
      post(of.advance, rate, { amount: paise(amount), moneyLedger: await books.ledger('1121') }),
    apply: (advance: Id, rate: number, allocations: readonly Allocation[]) =>
      post(of.apply, rate, {
        against: advance,
        amount: paise(allocations.reduce((t, a) => t + a.amount, 0)),
        allocations,
      }),
  };
};
const to = (document: Id, amount: number): Allocation => ({ document, amount: amount as Paise });

test('a bill of $1,000 at 80 is paid in parts at 82 and 79: the differences are ours, the account is at rest', async () => {
  const books = await more();
  const who = await party(books, 'supplier');
  const { bill, pay } = desk(books, 'supplier', who);
  const { id } = await bill(100000, 80);
  const first = await pay(40000, 82, [to(id, 40000)]);
  expect(await booked(first.id)).toEqual({ '2130': 3200000, '1121': -3280000, '6510': 80000 });
  const second = await pay(60000, 79, [to(id, 60000)]);
  expect(await booked(second.id)).toEqual({ '2130': 4800000, '1121': -4740000, '4230': -60000 });
  expect(await standing(who)).toEqual({ rupees: 0, dollars: 0 });
});

test('an advance at 81 settles a bill at 83: what it gained is booked when it is applied', async () => {
  const books = await more();
  const who = await party(books, 'supplier');
  const { bill, advance, apply } = desk(books, 'supplier', who);
  const paid = await advance(50000, 81);
  const { id } = await bill(50000, 83);
  const applied = await apply(paid.id, 83, [to(id, 50000)]);
  expect(await booked(applied.id)).toEqual({ '2130': 4150000, '1510': -4050000, '4230': -100000 });
  expect(await standing(who)).toEqual({ rupees: 0, dollars: 0 });
});

test.each([
  ['customer', 'saleCreditNote'],
  ['customer', 'saleDebitNote'],
  ['supplier', 'purchaseCreditNote'],
  ['supplier', 'purchaseDebitNote'],
] as const)('of a %s, a %s is at the rate of its document and no other', async (side, kind) => {
  const books = await more();
  await receive(books, books.items[0], 10, 60, '2026-10-01');
  const who = await party(books, side);
  const { id, number } = await desk(books, side, who).bill(10000, 84);
  const note = (rate: number) =>
    books.post(
      books.draft(kind, {
        ...{ party: who, against: id, reference: 'X-2', reason: '02', ...dollars(rate), lines: [priced(books, 800)] },
      }),
    );
  for (const rate of [1000, 84.01, 0.01])
    await expect(note(rate)).rejects.toMatchObject({
      problems: [{ field: 'exchangeRate', message: `${number} is at 84.00` }],
    });
  const posted = await booked((await note(84)).id);
  expect(Math.max(...Object.values(posted))).toBe(67200);
  expect(Object.keys(posted)).not.toContain('4230');
  expect(Object.keys(posted)).not.toContain('6510');
});

test('a credit note that settles an invoice of another rate takes off the account what was booked there', async () => {
  const books = await more();
  await receive(books, books.items[0], 10, 60, '2026-10-01');
  const who = await party(books, 'customer');
  const { bill, note } = desk(books, 'customer', who);
  const { id } = await bill(10000, 80);
  const other = await bill(10000, 76);
  const less = await note(10000, 76, other.id, [to(id, 10000)]);
  expect(await booked(less.id)).toEqual({ '4190': 760000, '1211': -800000, '6510': 40000 });
  expect(await standing(who)).toEqual({ rupees: 760000, dollars: 10000 });
});

test('law: bills, notes, advances and payments at any rates, some taken back; all settled, nothing is left in either currency', async () => {
  const rate = fc.integer({ min: 70_000_001, max: 95_000_007 }).map((n) => n / 1_000_000);
  const step = fc.record({
    what: fc.constantFrom('pay' as const, 'pay' as const, 'advance' as const, 'note' as const, 'undo' as const),
    which: fc.nat(10),
    share: fc.integer({ min: 1, max: 100 }),
    rate,
  });
  const story = fc.record({
    side: fc.constantFrom('customer' as const, 'supplier' as const),
    bills: fc.array(fc.record({ amount: fc.integer({ min: 3, max: 500_001 }), rate }), { minLength: 1, maxLength: 3 }),
    steps: fc.array(step, { maxLength: 7 }),
    last: rate,
  });
  const books = await more();
  await receive(books, books.items[0], 100, 60, '2026-10-01');
  let rested = 0;
  const law = fc.asyncProperty(story, async ({ side, bills, steps, last }) => {
    const who = await party(books, side);
    const { bill, note, pay, advance, apply } = desk(books, side, who);
    const made: Id[] = [];
    const rates = new Map<Id, number>();
    const undoable: Id[] = [];
    for (const b of bills) {
      const { id } = await bill(b.amount, b.rate);
      made.push(id);
      rates.set(id, b.rate);
    }
    const openOf = async (id: Id | undefined): Promise<number> =>
      (await rows('select open::int as open from open_items where document = $1', [id]))[0].open;
    for (const { what, which, share, rate: at } of steps) {
      const id = made[which % made.length] ?? '';
      const amount = Math.ceil(((await openOf(id)) * share) / 100);
      if (what === 'undo') {
        const gone = undoable.pop();
        if (gone) await books.cancel(gone);
      } else if (amount > 0 && what === 'pay') undoable.push((await pay(amount, at, [to(id, amount)])).id);
      else if (amount > 0 && what === 'note') undoable.push((await note(amount, rates.get(id) ?? 0, id)).id);
      else if (amount > 0) {
        const { id: paid } = await advance(amount, at);
        undoable.push((await apply(paid, at, [to(id, amount)])).id);
      }
    }
    // what a cancelled adjustment left of advances is applied again, the rest is paid in one go
    const lent = await rows(
      `
        select o.document, o.open::int as open
        from open_items o
        join documents d on d.id = o.document
        where o.party = $1 and o.open > 0 and d.kind = $2
      `,
      [who, words[side].advance],
    );
    for (const each of lent) {
      let left = each.open;
      for (const id of made) {
        const part = Math.min(left, await openOf(id));
        if (part > 0) await apply(each.document, last, [to(id, part)]);
        left -= part;
      }
      if (left > 0) await books.cancel(each.document).catch(() => undefined);
    }
    const due = (await Promise.all(made.map(async (id) => to(id, await openOf(id))))).filter((a) => a.amount > 0);
    const whole = due.reduce((t, a) => t + a.amount, 0);
    if (whole > 0) await pay(whole, last, due);
    const stands = await standing(who);
    // advances that were applied in part stay: nothing else is to settle
    if (stands.dollars > 0) return;
    rested += 1;
    expect(stands.rupees).toBe(0);
  });
  await fc.assert(law, { numRuns: 16 });
  expect(rested).toBeGreaterThan(8);
}, 60_000);
