import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paise } from '../../domain/base/money.ts';
import { registerNames, registersOf } from '../../domain/books/registers.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { permitted } from '../../tools/testing/permitted.ts';
import { newId } from '../kit/ids.ts';
import { closingHandlers } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

const lock = async (
  books: TestBooks,
  register: (typeof registerNames)[number],
  through: string | null,
  level: 5001 | 5003 = 5003,
) => {
  const asked = { register, through, reason: 'settled' };
  const by = books.context({ grants: new Map([['General Configuration', level]]) });
  return closingHandlers.SaveLock(asked, await permitted('SaveLock', asked, by));
};

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

describe('people limited to places', () => {
  /** The books with a registration that has one location of its own. */
  const withPune = async () => {
    const books = await more();
    const [pune, store] = [newId(), newId()];
    const own = [books.organisation, pune];
    await db.owner.query(
      `insert into registrations (organisation, id, gstin, legal_name, state, kind)
       select organisation, $2, '27AAGCS4821F1ZF', legal_name, '27', kind from registrations where organisation = $1`,
      own,
    );
    await db.owner.query(
      `insert into locations (organisation, id, code, name, registration, is_tax, is_physical)
       values ($1, $2, 'P', 'Pune', $3, true, true)`,
      [books.organisation, store, pune],
    );
    const by = (locations: string[]) =>
      books.context({ locations, grants: new Map([['General Configuration', 5003]]) });
    return { books, pune, store, by };
  };
  const asked = { form: 'GSTR-1', period: '2026-09' } as const;
  const filedOn = { filedOn: '2026-10-11', arn: '' };

  test('mark and lock no return but those of registrations whose every location is theirs', async () => {
    const { books, pune, store, by } = await withPune();
    const none = expect.objectContaining({ code: 'noAccess' });
    const { MarkFiled, UnmarkFiled, GetFiledReturn, SaveLock, ListFilings, GetLocks } = closingHandlers;
    const lockOf = (registration: string) => ({
      ...{ register: 'outward' as const, registration, through: '2026-08-31', reason: 'counted' },
    });
    // one location of two is not the registration
    for (const [registration, locations] of [
      [pune, [books.location]],
      [pune, [books.location, books.other]],
      [books.registration, [books.location]],
      [books.registration, [store]],
    ] as const) {
      const clerk = by([...locations]);
      await expect(MarkFiled({ registration, ...asked, ...filedOn }, clerk)).rejects.toEqual(none);
      await expect(UnmarkFiled({ registration, ...asked, reason: 'wrong' }, clerk)).rejects.toEqual(none);
      await expect(GetFiledReturn({ registration, ...asked }, clerk)).rejects.toEqual(none);
      await expect(SaveLock(lockOf(registration), clerk)).rejects.toEqual(none);
    }
    const clerk = by([store]);
    await SaveLock(lockOf(pune), clerk);
    await MarkFiled({ registration: pune, ...asked, ...filedOn }, clerk);
    await MarkFiled({ registration: books.registration, ...asked, ...filedOn }, by([]));
    expect((await ListFilings({}, clerk)).map(({ registration }) => registration)).toEqual([pune]);
    expect(await ListFilings({}, by([]))).toHaveLength(2);
    const shown = async (locations: string[]) =>
      new Set((await GetLocks({}, by(locations))).registers.flatMap(({ registration }) => registration ?? []));
    expect(await shown([store])).toEqual(new Set([pune]));
    expect(await shown([])).toEqual(new Set([pune, books.registration]));
    expect((await GetFiledReturn({ registration: pune, ...asked }, clerk)).filed).toHaveLength(1);
  });

  test('lock and unlock nothing of the whole organisation', async () => {
    const { books, store, by } = await withPune();
    for (const locations of [[store], [books.location, books.other]])
      for (const register of [{}, { register: 'sales' }, { register: 'gst' }] as const)
        await expect(
          closingHandlers.SaveLock({ ...register, through: '2026-03-31', reason: 'counted' }, by([...locations])),
        ).rejects.toMatchObject({ code: 'noAccess' });
  });
});
