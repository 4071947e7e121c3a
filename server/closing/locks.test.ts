import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../domain/base/money.ts';
import { registerNames, registersOf } from '../../domain/books/registers.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { closingHandlers } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const lock = (
  books: TestBooks,
  register: (typeof registerNames)[number],
  through: string | null,
  level: 5001 | 5003 = 5003,
) =>
  closingHandlers.SaveLock(
    { register, through, reason: 'settled' },
    books.context({ grants: new Map([['General Configuration', level]]) }),
  );

test('every kind is kept in a register, and what GST returns show also in theirs', () => {
  expect(new Set(kindNames.flatMap(registersOf))).toEqual(new Set(registerNames));
  expect(registersOf('contra')).toEqual(['money']);
  expect(registersOf('purchaseOrder')).toEqual(['purchases']);
  expect(registersOf('advanceReceipt')).toEqual(['money', 'outward', 'cmp08', 'gst', 'gstr4']);
  expect(registersOf('purchaseBill')).toEqual(['purchases', 'gst', 'gstr4']);
  expect(registersOf('quotation')).toEqual(['sales']);
  expect(registersOf('branchTransfer')).toEqual(['stock', 'outward', 'cmp08', 'gst', 'gstr4']);
  expect(registersOf('deliveryChallan')).toEqual(['sales', 'outward']);
  expect(registersOf('paymentVoucher')).toEqual(['money', 'outward']);
  expect(registersOf('selfInvoice')).toEqual(['purchases', 'outward', 'gst', 'gstr4']);
});

test('no kind that writes tax into the books, or that GSTR-1 shows, is left out of the locks of filed returns', () => {
  const taxed = kindNames.filter((name) => kindOf(name).books.posting.some(([, part]) => /tax$/i.test(part)));
  expect(taxed.length).toBeGreaterThan(15);
  expect(taxed.filter((name) => !registersOf(name).includes('gst'))).toEqual([]);
  const shown = kindNames.filter(
    (name) => kindOf(name).gst.gstr1 !== undefined || kindOf(name).gst.issued !== undefined,
  );
  expect(shown.filter((name) => !registersOf(name).includes('outward'))).toEqual([]);
});

test('a locked register refuses at once, also what is posted from memory, and leaves the others open', async () => {
  const books = await more();
  const [item] = books.items;
  await receive(books, item, 100, 60, '2026-10-01');
  for (let n = 0; n < 3; n++) await sell(books, item, 1, '2026-11-20');
  await lock(books, 'sales', '2026-11-20');
  await expect(sell(books, item, 1, '2026-11-20')).rejects.toMatchObject({
    code: 'registerLocked',
    message: 'Sales are locked up to 20 Nov 2026',
  });
  await receive(books, item, 1, 60, '2026-11-20');
  await lock(books, 'sales', null);
  await sell(books, item, 1, '2026-11-20');
});

test('a document is cancelled on its own day, and refused where that day is locked', async () => {
  const books = await more();
  const [item] = books.items;
  const bill = await receive(books, item, 5, 60, '2026-10-05');
  const { id } = await books.cancel(bill.id);
  const { rows } = await db.owner.query('select date from documents where id = $1', [id]);
  expect(rows).toEqual([{ date: '2026-10-05' }]);
  const other = await receive(books, item, 5, 60, '2026-10-05');
  await lock(books, 'purchases', '2026-10-31');
  await expect(books.cancel(other.id)).rejects.toMatchObject({ code: 'registerLocked' });
  await lock(books, 'purchases', null);
  await lock(books, 'gst', '2026-11-10');
  await expect(books.cancel(other.id)).rejects.toMatchObject({ code: 'registerLocked' });
  await lock(books, 'gst', null);
  const whole = (through: string | null) =>
    closingHandlers.SaveLock(
      { through, reason: 'settled' },
      books.context({ grants: new Map([['General Configuration', 5003]]) }),
    );
  await whole('2026-10-05');
  await expect(books.cancel(other.id)).rejects.toMatchObject({ code: 'periodLocked' });
  await whole('2026-10-04');
  await books.cancel(other.id);
});

test('GST returns that are filed bind sales and purchases, but not journals', async () => {
  const books = await more();
  const [item] = books.items;
  await lock(books, 'gst', '2026-10-31');
  const expense = books.draft('purchaseBill', {
    party: books.supplier,
    date: '2026-10-31',
    reference: 'M-9',
    referenceDate: '2026-10-31',
    lines: [itemLine(item, 1, 10)],
  });
  await expect(books.post(expense)).rejects.toMatchObject({ code: 'registerLocked' });
  const [bank, cash] = [await books.ledger('1121'), await books.ledger('1110')];
  await books.post(
    books.draft('manualJournal', {
      date: '2026-10-31',
      lines: [
        { ledger: bank, debit: paise(100) },
        { ledger: cash, credit: paise(100) },
      ],
    }),
  );
});

test('who may lock may not unlock: that takes full rights, and a reason', async () => {
  const books = await more();
  const locked = await lock(books, 'stock', '2026-10-31', 5001);
  expect(locked.registers.find((r) => r.register === 'stock')).toMatchObject({
    label: 'Stock',
    lockedThrough: '2026-10-31',
    reason: 'settled',
    by: 'Owner',
  });
  await expect(lock(books, 'stock', null, 5001)).rejects.toMatchObject({ code: 'noAccess' });
  await expect(
    closingHandlers.SaveLock(
      { register: 'stock', through: '2026-09-30', reason: '' },
      books.context({ grants: new Map([['General Configuration', 5003]]) }),
    ),
  ).rejects.toMatchObject({ problems: [{ field: 'reason' }] });
  expect((await lock(books, 'stock', null)).registers.every((r) => r.lockedThrough === null)).toBe(true);
});
