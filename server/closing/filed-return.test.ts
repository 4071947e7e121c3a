import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import { monthEnd } from '../../domain/base/dates.ts';
import { money, percentage } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { taxEffects } from '../../domain/tax/tax-locks.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks, TODAY } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { prepareCancel } from '../documents/index.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { drawnWith } from '../reports/gstr1.ts';
import { drawReturn, reportHandlers } from '../reports/index.ts';
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
type Form = 'GSTR-1' | 'IFF' | 'GSTR-3B';
const mark = (books: TestBooks, period: string, form: Form = 'GSTR-1') =>
  closingHandlers.MarkFiled(
    { registration: books.registration, form, period, filedOn: TODAY, arn: '' },
    asOwner(books),
  );
const unmark = (books: TestBooks, period: string, form: Form = 'GSTR-1') =>
  closingHandlers.UnmarkFiled(
    { registration: books.registration, form, period, reason: 'marked too early' },
    asOwner(books),
  );
const filed = (books: TestBooks, period: string, form: Form = 'GSTR-1') =>
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
const refund = async (books: TestBooks, against: Id, date: string) =>
  books.post(
    books.draft('advanceRefund', {
      ...{ party: books.customer, date, against, amount: money('50') },
      moneyLedger: await books.ledger('1121'),
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
  // a note that the return shows is not reversed on another day: the opposite note corrects it
  await expect(cancel(books, back.id, { today: true })).rejects.toMatchObject({
    code: 'notReversible',
    message: `${back.number} is not reversed on another day: make a sale debit note dated today`,
  });
  expect(await filed(books, '2026-09')).toEqual(kept);
  // its days are opened by taking the mark back, not by hand
  await expect(lock(books, { register: 'outward', registration: books.registration }, null)).rejects.toMatchObject({
    code: 'returnFiled',
    message:
      '30 Sep 2026 is in the GSTR-1 of 09-2026, which is filed: take its mark back first (UnmarkFiled, “Take back” under GST returns ' +
      'filed)',
  });
  await unmark(books, '2026-09');
  await cancel(books, two.id, {});
  const late = await sell(books, item, 1, '2026-09-20');
  const after = await filed(books, '2026-09');
  expect(after).toMatchObject({
    filed: [{ digest: kept.filed[0]?.digest, unmarked: { by: 'Owner', reason: 'marked too early' } }],
    file: kept.file,
    totals: { filed: kept.totals.filed, now: { taxable: '1000.00', cgst: '90.00' } },
    differences: [
      { number: two.number, what: 'gone', taxable: '-500.00', cgst: '-45.00', sgst: '-45.00' },
      { number: late.number, what: 'added', taxable: '100.00', cgst: '9.00', sgst: '9.00' },
    ],
  });
  // another one is kept when it is marked again
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
  await mark(books, '2026-09');
  await mark(books, '2026-09', 'GSTR-3B');
  await expect(cancel(books, bill.id, {})).rejects.toMatchObject({ code: 'registerLocked' });
  expect(await filed(books, '2026-09', 'GSTR-3B')).toMatchObject({
    tables: [
      { name: '3.1(a)', count: 1, taxable: '200.00', cgst: '18.00' },
      { name: '4(A)(5)', count: 1, taxable: '600.00', cgst: '54.00' },
    ],
    totals: { filed: { cgst: '-36.00' } },
    differences: [],
    file: null,
  });
});

test('a journal to a ledger of sales or purchases in a month whose returns are filed says so', async () => {
  const books = await more();
  await receive(books, books.items[0], 10, 60, '2026-09-01');
  await sell(books, books.items[0], 2, '2026-09-05');
  const [other, sales, bought] = [await books.ledger('6410'), await books.ledger('4110'), await books.ledger('5110')];
  const warned = async (debit: Id, credit: Id) => {
    const posted = await books.post(
      books.draft('journalVoucher', {
        date: '2026-09-20',
        accepted: [{ warning: 'supplyByHand', reason: 'A test' }],
        lines: [
          { ledger: debit, debit: money('10') },
          { ledger: credit, credit: money('10') },
        ],
      }),
    );
    return (posted.warnings ?? []).flatMap(({ code, row }) => (code === 'ledgerOfFiledReturn' ? [row] : []));
  };
  expect([await warned(other, sales), await warned(bought, other)]).toEqual([[], []]);
  await mark(books, '2026-09');
  expect([await warned(other, sales), await warned(bought, other)]).toEqual([[1], []]);
  await mark(books, '2026-09', 'GSTR-3B');
  expect([await warned(other, sales), await warned(bought, other)]).toEqual([[1], [0]]);
});

/** What the ledgers of tax of a month moved by: tax that is due less credit. */
const taxMoved = async (books: TestBooks, period: string): Promise<number> => {
  const { rows } = await db.owner.query<{ tax: number }>(
    `select coalesce(sum(e.credit - e.debit), 0)::int as tax
       from entries e
       join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger and m.effect = any($3)
      where e.organisation = $1 and to_char(e.date, 'YYYY-MM') = $2`,
    [books.organisation, period, taxEffects],
  );
  return rows[0]?.tax ?? 0;
};

/** What the return of outward supplies of a month says: its tables by name, and the file. */
const gstr1Of = async (books: TestBooks, period: string) => {
  const { made } = await books
    .context()
    .inTransaction((trx) => drawnWith(trx, books.organisation, { registration: books.registration, period }, TODAY));
  return { json: made.json as Record<string, unknown>, of: (name: string) => made.tables.find((t) => t.name === name) };
};
const november = (books: TestBooks) =>
  db.owner
    .query<{ tax: number }>(
      `
        select coalesce(sum(e.credit - e.debit), 0)::int as tax
        from entries e
        join posting_map m
          on m.organisation = e.organisation
            and m.ledger = e.ledger
            and m.effect in ('outputCgst', 'outputSgst', 'outputIgst')
        where e.organisation = $1 and to_char(e.date, 'YYYY-MM') = '2026-11'
      `,
      [books.organisation],
    )
    .then(({ rows }) => rows[0]?.tax);

test('advances, adjustments and refunds of filed months that are reversed today are in the return of today', async () => {
  const books = await more();
  await receive(books, books.items[0], 100, 60, '2026-08-01');
  const [one, two, three] = [
    await advance(books, 1180, '2026-09-02'),
    await advance(books, 590, '2026-09-03'),
    await advance(books, 236, '2026-09-04'),
  ];
  const sold = await sell(books, books.items[0], 5, '2026-09-05');
  const adjusted = await books.post(
    books.draft('allocationVoucher', {
      ...{ party: books.customer, date: '2026-10-06', against: two.id, amount: money('590') },
      allocations: [{ document: sold.id, amount: money('590') }],
    }),
  );
  const refunded = await books.post(
    books.draft('advanceRefund', {
      ...{ party: books.customer, date: '2026-10-07', against: three.id, amount: money('236') },
      moneyLedger: await books.ledger('1121'),
    }),
  );
  await mark(books, '2026-09');
  await mark(books, '2026-10');
  const september = await filed(books, '2026-09');
  await cancel(books, one.id, { today: true });
  expect(await november(books)).toBe(-18000);
  const { json, of } = await gstr1Of(books, '112026');
  expect(of('11A')).toMatchObject({ count: 1, taxable: money('-1000'), cgst: money('-90'), sgst: money('-90') });
  expect(json.at).toEqual([
    { pos: '29', sply_ty: 'INTRA', itms: [{ rt: 18, ad_amt: -1000, camt: -90, samt: -90, csamt: 0 }] },
  ]);
  // no number is issued with it, and the return as filed says which document was reversed later
  expect((json.doc_issue as object | undefined) ?? null).toBeNull();
  const { reversed, ...rest } = await filed(books, '2026-09');
  expect({ ...rest, reversed: [] }).toEqual(september);
  expect(reversed).toMatchObject([
    {
      document: one.id,
      number: one.number,
      date: '2026-09-02',
      reversedOn: TODAY,
      taxable: '-1000.00',
      cgst: '-90.00',
    },
  ]);
  // what used advances opens their tax again
  await cancel(books, adjusted.id, { today: true });
  await cancel(books, refunded.id, { today: true });
  expect(await november(books)).toBe(-18000 + 9000 + 3600);
  const after = await gstr1Of(books, '112026');
  expect(after.of('11A')).toMatchObject({ count: 3, taxable: money('-300'), cgst: money('-27'), sgst: money('-27') });
  expect(after.of('11B')).toMatchObject({ count: 0 });
  expect((await filed(books, '2026-10')).reversed).toMatchObject([
    { document: adjusted.id, taxable: '500.00', cgst: '45.00' },
    { document: refunded.id, taxable: '200.00', cgst: '18.00' },
  ]);
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

test('notes of a filed month are not reversed today: the opposite note is named; a financial note is', async () => {
  const books = await more();
  await receive(books, books.items[0], 100, 60, '2026-08-01');
  const sold = await sell(books, books.items[0], 10, '2026-09-05');
  const note = (kind: string, more: object = {}) =>
    books.post(
      books.draft(kind, {
        ...{ party: books.customer, date: '2026-09-10', against: sold.id, reason: '03' },
        lines: [{ ...itemLine(books.items[0], 1, 10), source: { document: sold.id, line: 1 } }],
        ...more,
      }),
    );
  const other = await sell(books, books.items[0], 1, '2026-09-05');
  const [debit, credit, plain] = [
    await note('saleDebitNote'),
    await note('saleCreditNote'),
    await note('saleCreditNote', {
      ...{ withoutTax: true, against: other.id },
      lines: [{ ...itemLine(books.items[0], 1, 10), source: { document: other.id, line: 1 } }],
    }),
  ];
  const back = await giveBack(books, sold.id, '2026-09-11');
  await mark(books, '2026-09');
  for (const [{ id, number }, instead] of [
    [debit, 'sale credit note'],
    [credit, 'sale debit note'],
    [back, 'sale debit note'],
  ] as const) {
    await expect(cancel(books, id, {})).rejects.toMatchObject({
      code: 'registerLocked',
      message: expect.stringContaining(`make a ${instead} dated today instead`),
    });
    await expect(cancel(books, id, { today: true })).rejects.toMatchObject({
      code: 'notReversible',
      message: `${number} is not reversed on another day: make a ${instead} dated today`,
    });
  }
  await cancel(books, plain.id, { today: true });
  expect(await november(books)).toBe(0);
});

test('a purchase note of a filed month that is reversed today is in the figures of today', async () => {
  const books = await more();
  const bill = await receive(books, books.items[0], 10, 60, '2026-09-01');
  const note = await books.post(
    books.draft('purchaseCreditNote', {
      ...{ party: books.supplier, date: '2026-09-10', against: bill.id, reason: '03', reference: 'SCN-1' },
      lines: [{ ...itemLine(books.items[0], 1, 10), source: { document: bill.id, line: 1 } }],
    }),
  );
  await mark(books, '2026-09');
  await mark(books, '2026-09', 'GSTR-3B');
  await cancel(books, note.id, { today: true });
  const now = await books
    .context()
    .inTransaction((trx) => drawReturn(trx, books.organisation, books.registration, 'GSTR-3B', '2026-11', TODAY));
  expect(now.tables).toMatchObject([{ name: '4(A)(5)', count: 1, taxable: 1000, cgst: 90, sgst: 90 }]);
  expect((await filed(books, '2026-09', 'GSTR-3B')).reversed).toMatchObject([
    { number: note.number, reversedOn: TODAY, taxable: '10.00', cgst: '0.90' },
  ]);
});

test('a lock of a register goes no lower than filed returns, and back to what held before', async () => {
  const books = await more();
  const own = { register: 'outward', registration: books.registration };
  const locked = async () =>
    (await closingHandlers.GetLocks({}, asOwner(books))).registers.find(
      (one) => one.register === 'outward' && one.registration === books.registration,
    )?.lockedThrough;
  await lock(books, own, '2026-08-15');
  await mark(books, '2026-09');
  await mark(books, '2026-10');
  for (const through of ['2026-09-30', '2026-10-30', null])
    await expect(lock(books, own, through)).rejects.toMatchObject({ code: 'returnFiled' });
  await lock(books, own, '2026-11-10');
  await lock(books, own, '2026-10-31');
  await unmark(books, '2026-10');
  // it was locked by hand up to there meanwhile
  expect(await locked()).toBe('2026-10-31');
  await lock(books, own, '2026-09-30');
  await mark(books, '2026-10');
  await unmark(books, '2026-10');
  expect(await locked()).toBe('2026-09-30');
  await unmark(books, '2026-09');
  expect(await locked()).toBe('2026-09-30');
  await lock(books, own, null);
  expect(await locked()).toBe(null);
});

test('entries on ledgers of tax are locked by the returns of their registration, whatever writes them', async () => {
  const books = await more();
  const [output, input, cash, bank] = await Promise.all(['2211', '1411', '1110', '1121'].map(books.ledger));
  const journal = (ledger: Id | undefined, kind = 'manualJournal') =>
    books.post(
      books.draft(kind, {
        date: '2026-09-05',
        lines: [
          { ledger: ledger ?? '', debit: money('90') },
          { ledger: cash ?? '', credit: money('90') },
        ],
        accepted: [{ warning: 'taxByHand', reason: 'As the auditor asked' }],
      }),
    );
  const charged = () =>
    books.post(
      books.draft('saleReceipt', {
        ...{ party: books.customer, date: '2026-09-05', moneyLedger: bank ?? '', amount: money('1000') },
        ...{ bankCharges: money('100'), bankChargesGstRate: percentage('18') },
      }),
    );
  const before = await journal(output);
  await mark(books, '2026-09');
  await expect(journal(output)).rejects.toMatchObject({
    code: 'registerLocked',
    message: 'GSTR-1 is filed, and outward documents are locked up to 30 Sep 2026',
  });
  // GSTR-3B has the tax that came in
  await journal(input);
  await charged();
  await mark(books, '2026-09', 'GSTR-3B');
  // each is listed with the return whose ledgers it moves, and is no part of it
  const listed = async (form: 'GSTR-1' | 'GSTR-3B') =>
    (
      await closingHandlers.GetFiledReturn(
        { registration: books.registration, form, period: '2026-09' },
        books.context({ grants: new Map([['General Configuration', 5003]]) }),
      )
    ).byHand.map(({ document, cgst, igst }) => [document === before.id, cgst, igst]);
  expect(await listed('GSTR-1')).toEqual([[true, '-90.00', '0.00']]);
  expect(await listed('GSTR-3B')).toEqual([
    [true, '-90.00', '0.00'],
    [false, '90.00', '0.00'],
  ]);
  for (const kind of ['manualJournal', 'journalVoucher', 'openingBalance'])
    await expect(journal(input, kind)).rejects.toMatchObject({ code: 'registerLocked' });
  await expect(charged()).rejects.toMatchObject({ code: 'registerLocked' });
  // what moves no tax is not held, and what was written before is reversed today only
  await journal(bank);
  await expect(cancel(books, before.id, {})).rejects.toMatchObject({ code: 'registerLocked' });
  await cancel(books, before.id, { today: true });
});

test('what is marked is marked once: only a missing acknowledgement is added', async () => {
  const books = await more();
  const asked = { registration: books.registration, form: 'GSTR-1' as const, period: '2026-09' };
  const say = (filedOn: string, arn: string) =>
    closingHandlers.MarkFiled({ ...asked, filedOn, arn }, asOwner(books)).then(([first]) => first);
  await say(TODAY, '');
  const { digest } = (await filed(books, '2026-09')).filed[0] ?? {};
  expect(await say(TODAY, '')).toMatchObject({ arn: '' });
  expect(await say(TODAY, 'AA290926000001A')).toMatchObject({ arn: 'AA290926000001A' });
  expect(await filed(books, '2026-09')).toMatchObject({
    filed: [
      { arn: 'AA290926000001A', digest, unmarked: null },
      { arn: '', unmarked: {} },
    ],
  });
  expect(await say(TODAY, 'AA290926000001A')).toMatchObject({ arn: 'AA290926000001A' });
  await expect(say('2026-11-19', 'AA290926000001A')).rejects.toMatchObject({
    problems: [{ field: 'filedOn', message: expect.stringContaining('UnmarkFiled') }],
  });
  for (const arn of ['AA290926000002A', ''])
    await expect(say(TODAY, arn)).rejects.toMatchObject({
      problems: [{ field: 'arn', message: expect.stringContaining('UnmarkFiled') }],
    });
  const broken = await brokenInvariants(db.owner);
  expect(broken.filter(({ id }) => id === 'INV-71')).toEqual([]);
});

test('a return of a registration without a location of theirs is unknown to a person', async () => {
  const books = await more();
  const ask = (registration: Id, locations: Id[]) =>
    reportHandlers.RunReport(
      { report: 'gstr1', filters: { registration, period: '092026' } },
      { ...asOwner(books), locations },
    );
  expect((await ask(books.registration, [books.location])).rows).not.toEqual([]);
  for (const registration of [books.registration, newId()])
    await expect(ask(registration, [newId()])).rejects.toMatchObject({ code: 'notFound' });
});

const challan = (books: TestBooks, date: string) =>
  books.post(
    books.draft('deliveryChallan', {
      ...{ date, party: books.customer, reason: 'Job work' },
      lines: [itemLine(books.items[0], 1, 100)],
    }),
  );

test('numbers given after a return was marked as filed are named in the row of table 13', async () => {
  const books = await more({ isAllowNegative: true });
  await sell(books, books.items[0], 1, '2026-09-05');
  await mark(books, '2026-09');
  expect((await filed(books, '2026-09')).tableChanges).toEqual([]);
  await unmark(books, '2026-09');
  const { number } = await challan(books, '2026-09-20');
  const kept = await filed(books, '2026-09');
  expect(kept.differences).toEqual([]);
  expect(kept.tableChanges).toEqual([
    { table: '13', row: expect.stringContaining(number), filed: null, now: `to ${number}, numbers 1, cancelled 0` },
  ]);
  await sell(books, books.items[0], 1, '2026-09-06');
  const again = await filed(books, '2026-09');
  expect(again.differences).toMatchObject([{ what: 'added', taxable: '100.00' }]);
  expect(again.tableChanges.map(({ table }) => table).sort()).toEqual(['12', '13', '13']);
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
    refund: async () => id && made.push((await refund(books, id, date)).id),
    challan: () => challan(books, date),
    bill: async () => made.push((await receive(books, books.items[0], 1 + (b % 5), 60, date)).id),
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

test('law: over random sales, advances, notes, cancellations, reversals, locks and marks, what was filed is what the books said then, and ' +
  'every difference is listed', async () => {
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
      'refund',
      'challan',
      'bill',
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
      for (const form of ['GSTR-1', 'GSTR-3B'] as const) await mark(books, '2026-08', form);
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
            expect(taxOf(summary.totals.now)).toBe(await taxMoved(books, period));
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
          // the numbers given in a month that is filed stay as they were reported (table 13)
          if (kept.filed[0]?.unmarked === null) {
            const { doc_issue } = (await gstr1Of(books, `${period.slice(5)}${period.slice(0, 4)}`)).json;
            expect(doc_issue).toEqual((kept.file as { doc_issue?: unknown } | null)?.doc_issue);
          }
          // and every row of tables 12 to 14 that is another now is listed
          const { json } = await gstr1Of(books, `${period.slice(5)}${period.slice(0, 4)}`);
          const isSame = ['hsn', 'doc_issue', 'supeco'].every((name) =>
            isDeepStrictEqual(json[name], kept.file?.[name]),
          );
          expect(kept.tableChanges.length === 0, JSON.stringify(kept.tableChanges)).toBe(isSame);
          // the return of now equals the balance of the output tax ledgers
          const { rows } = await db.owner.query<{ tax: number }>(
            `select coalesce(sum(e.credit - e.debit), 0)::int as tax
               from entries e
               join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger
                and m.effect in ('outputCgst', 'outputSgst', 'outputIgst')
              where e.organisation = $1 and to_char(e.date, 'YYYY-MM') = $2`,
            [books.organisation, period],
          );
          expect(taxOf(kept.totals.now)).toBe(rows[0]?.tax);
        }
      }
      // so is that of the month in which documents were reversed
      const { documents } = await books
        .context()
        .inTransaction((trx) => drawReturn(trx, books.organisation, books.registration, 'GSTR-1', '2026-11', TODAY));
      expect(documents.reduce((t, d) => t + d.igst + d.cgst + d.sgst + d.cess, 0)).toBe(await november(books));
    }),
    { numRuns: 6 },
  );
  // six random histories mark one return or another; each by itself is tried in order-of-returns.test.ts
  expect(returns + summaries).toBeGreaterThan(0);
  const broken = await brokenInvariants(db.owner);
  expect(broken.filter(({ id }) => id === 'INV-71')).toEqual([]);
}, 240_000);

/** Months of a quarter that is filed quarterly: two with an IFF, and the last, whose return is that of the quarter. */
const QUARTER = [
  ['IFF', '2026-07'],
  ['IFF', '2026-08'],
  ['GSTR-1', '2026-09'],
] as const;

/** One random step in a quarter; what is refused changes nothing. */
async function quarterStep(books: TestBooks, made: Id[], [what, a, b]: Move): Promise<void> {
  const [form, period] = QUARTER[a % 3] ?? QUARTER[0];
  const date = `${period}-${String(1 + (b % 28)).padStart(2, '0')}`;
  const id = made[b % Math.max(1, made.length)];
  const cash = async () =>
    books.post(
      books.draft('cashSale', {
        ...{ date, moneyLedger: await books.ledger('1110') },
        lines: [itemLine(books.items[0], 1, 100)],
      }),
    );
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    sell: async () => made.push((await sell(books, books.items[0], 1 + (b % 5), date)).id),
    cash: async () => made.push((await cash()).id),
    giveBack: async () => id && made.push((await giveBack(books, id, date)).id),
    cancel: async () => id && cancel(books, id, {}),
    reverse: async () => id && cancel(books, id, { today: true }),
    advance: async () => made.push((await advance(books, 100 + (b % 900), date)).id),
    mark: () => mark(books, period, form),
    unmark: () => unmark(books, period, form),
  };
  try {
    await steps[what]?.();
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Problems)) throw error;
  }
}

test('law: of a quarter with IFFs, what was filed is what the books said then, differences are listed, and the parts are the ledgers', async () => {
  const one = fc.tuple(
    fc.constantFrom(
      ...['sell', 'sell', 'sell', 'cash', 'giveBack', 'cancel', 'reverse', 'advance', 'mark', 'mark', 'mark', 'unmark'],
    ),
    fc.nat(1000),
    fc.nat(1000),
  );
  const seen = { IFF: 0, 'GSTR-1': 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 25, maxLength: 45 }), async (moves) => {
      const books = await more();
      await db.owner.query(
        `update registrations
            set body = body || '{"filing": [{"from": "2026-07-01", "every": "quarter"}]}'
          where organisation = $1`,
        [books.organisation],
      );
      await receive(books, books.items[0], 1000, 60, '2026-06-01');
      const made: Id[] = [];
      const said = new Map<string, string>();
      for (const move of moves) {
        await quarterStep(books, made, move);
        for (const [form, period] of QUARTER) {
          const kept = await filed(books, period, form).catch(() => undefined);
          if (!kept) continue;
          const name = `${form} ${period} ${kept.filed[0]?.markedAt}`;
          const filedNow = JSON.stringify([kept.totals.filed, kept.tables, kept.file, kept.filed[0]?.digest]);
          if (!said.has(name)) {
            said.set(name, filedNow);
            seen[form] += 1;
            expect(kept.totals.now).toEqual(kept.totals.filed);
          }
          expect(filedNow).toBe(said.get(name));
          const listed = kept.differences.reduce((t, d) => t + taxOf(d), 0);
          expect(taxOf(kept.totals.filed) + listed).toBe(taxOf(kept.totals.now));
          // as long as an IFF is marked, nothing of it changes
          if (form === 'IFF' && kept.filed[0]?.unmarked === null) expect(kept.differences).toEqual([]);
        }
        // the IFFs that are marked and what is left for the return of the quarter are the output tax of the quarter
        const parts = await partsOfQuarter(books);
        const { rows } = await db.owner.query<{ tax: number }>(
          `select coalesce(sum(e.credit - e.debit), 0)::int as tax
             from entries e
             join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger
              and m.effect in ('outputCgst', 'outputSgst', 'outputIgst')
            where e.organisation = $1 and e.date between '2026-07-01' and '2026-09-30'`,
          [books.organisation],
        );
        expect(parts).toBe(rows[0]?.tax);
      }
    }),
    { numRuns: 6 },
  );
  expect(seen.IFF).toBeGreaterThan(0);
  expect(seen['GSTR-1']).toBeGreaterThan(0);
}, 240_000);

/** The tax of the IFFs that are marked, as they were filed, and of the return of the quarter as it is drawn now, in paise. */
async function partsOfQuarter(books: TestBooks): Promise<number> {
  let tax = 0;
  for (const [form, period] of QUARTER) {
    if (form === 'GSTR-1') {
      const { documents } = await books
        .context()
        .inTransaction((trx) => drawReturn(trx, books.organisation, books.registration, form, period, TODAY));
      tax += documents.reduce((t, d) => t + d.igst + d.cgst + d.sgst + d.cess, 0);
      continue;
    }
    const kept = await filed(books, period, form).catch(() => undefined);
    if (kept?.filed[0]?.unmarked === null) tax += taxOf(kept.totals.filed);
  }
  return tax;
}
