import { afterAll, beforeAll, expect, test } from 'vitest';
import { money, percentage } from '../../../../domain/base/decimal.ts';
import { itemLine, manyBooks, type TestBooks } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';

// An advance that was taxed as regular, and a registration that is under composition, or none, by now.
const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const CHANGED = '2026-11-01';
const changeTo = (books: TestBooks, kind: string) =>
  db.owner.query(
    'insert into registration_statuses (organisation, registration, from_day, kind) values ($1, $2, $3, $4)',
    [books.organisation, books.registration, CHANGED, kind],
  );

test.each(['composition', 'unregistered'])(
  'an advance is given back with its tax, and not set against a bill without tax: %s',
  async (kind) => {
    const books = await more({ isAllowNegative: true });
    const moneyLedger = await books.ledger('1121');
    const advance = await books.post(
      books.draft('advanceReceipt', {
        ...{ party: books.customer, date: '2026-10-10', moneyLedger, amount: money('1180') },
        advanceRate: percentage('18'),
      }),
    );
    await changeTo(books, kind);
    const bill = await books.post(
      books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 1, 1000)] }),
    );
    expect(bill.total).toBe(100_000);
    const used = (as: string) =>
      books.draft(as, {
        party: books.customer,
        against: advance.id,
        amount: money('1000'),
        advanceRate: percentage('18'),
      });
    await expect(
      books.post({ ...used('allocationVoucher'), allocations: [{ document: bill.id, amount: money('1000') }] }),
    ).rejects.toMatchObject({ problems: [{ field: 'against', message: expect.stringContaining('advance refund') }] });
    const back = await books.post({ ...used('advanceRefund'), amount: money('1180'), moneyLedger });
    expect(await books.entriesOf(back.id)).toEqual({
      ...{ '1121': -118_000, '1441': -18_000, '2150': 118_000, '2211': 9000, '2212': 9000 },
    });
    const { rows } = await db.owner.query(
      `select body -> 'warnings' -> 0 ->> 'code' as code from documents where id = $1`,
      [back.id],
    );
    expect(rows).toEqual([{ code: 'taxedAdvanceBack' }]);
  },
);
