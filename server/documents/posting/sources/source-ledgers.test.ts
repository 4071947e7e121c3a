import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draftBody } from '../../../../contract/documents.ts';
import type { Draft, DraftLine, Id } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { Problems } from '../../../kit/problems.ts';
import { documentHandlers } from '../../index.ts';

const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
/** Items that are no stock: a machine, a fee, goods for resale without a ledger of their own. */
let [machine, fee, plain] = ['', '', ''];
let stocked: Id;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({ isAllowNegative: true, stockAccounting: 'periodic' });
  [machine, fee, plain, stocked] = b.items as [Id, Id, Id, Id];
  await db.owner.query('update items set stocked = false where id = any($1)', [[machine, fee, plain]]);
  await db.owner.query(`update items set service = true, hsn = '998311' where id = $1`, [fee]);
});
afterAll(() => all.close());

const ownLedgers = async (item: Id, { income, expense }: { readonly income?: string; readonly expense?: string }) =>
  db.owner.query('update items set income_ledger = $2, expense_ledger = $3 where id = $1', [
    item,
    income === undefined ? null : await b.ledger(income),
    expense === undefined ? null : await b.ledger(expense),
  ]);

let papers = 0;
const headOf = (kind: string): Partial<Draft> =>
  kind.startsWith('purchase') || kind === 'expense'
    ? {
        ...{ party: b.supplier, reference: `SL-${++papers}` },
        ...(kind !== 'purchaseReturn' && { referenceDate: TODAY }),
      }
    : { party: b.customer };
const booked = async (kind: string, lines: readonly DraftLine[], more: Partial<Draft> = {}): Promise<Id> =>
  (await b.post(b.draft(kind, { ...headOf(kind), lines, ...more }))).id;
/** The draft that the product proposes for the note, with another rate and quantity. */
const noted = async (from: Id, kind: string, line: object = {}, more: Partial<Draft> = {}): Promise<Id> => {
  const { draft } = await documentHandlers(b.poster).GetConversion({ from, kind }, b.context());
  const { dueDate: _, ...typed } = draftBody.parse(draft) as unknown as Draft;
  const lines = typed.lines.map((one) => ({ ...one, ...line }));
  const reason = kind.startsWith('purchase') ? '03' : 'Damaged';
  return (await b.post({ ...typed, ...headOf(kind), reason, lines, ...more } as Draft)).id;
};
const rate = (rupees: number) => ({ rate: rupees * 1_000_000 });
/** What a document moved on ledgers that are no account of a party and no tax, in rupees: debit less credit. */
const entriesOf = async (id: Id): Promise<Record<string, number>> => {
  const { rows } = await db.owner.query<{ code: string; amount: number }>(
    `select l.code, (sum(e.debit - e.credit) / 100)::float8 as amount
     from entries e
     join ledgers l on l.organisation = e.organisation and l.id = e.ledger
     where e.document = $1 and l.code not like '21%' and l.code not like '22%' and l.code not like '14%'
       and l.code not like '12%' and l.code not like '11%'
     group by l.code
     order by l.code`,
    [id],
  );
  return Object.fromEntries(rows.map(({ code, amount }) => [code, amount]));
};
const taxOf = async (id: Id): Promise<unknown[]> =>
  Object.values(
    (await db.owner.query('select taxable::int, cgst::int, sgst::int from documents where id = $1', [id])).rows[0],
  );
const outcome = (made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => 'posted',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, message }) => [field, message]);
    },
  );

describe('a purchase note goes to the ledger that the bill debited', () => {
  test('a price cut of an asset lowers what the asset costs (AS 10)', async () => {
    await ownLedgers(machine, { expense: '1730' });
    const bill = await booked('purchaseBill', [itemLine(machine, 1, 200_000)]);
    expect(await entriesOf(bill)).toEqual({ 1730: 200_000 });
    expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(20_000)))).toEqual({ 1730: -20_000 });
  });

  test('a price cut of an expense lowers that expense, without GST as well', async () => {
    await ownLedgers(fee, { expense: '6450' });
    const bill = await booked('purchaseBill', [itemLine(fee, 1, 5000)]);
    expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(500)))).toEqual({ 6450: -500 });
    expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(200), { withoutTax: true }))).toEqual({
      6450: -200,
    });
  });

  test('tax without credit goes back from where it was booked', async () => {
    await ownLedgers(machine, { expense: '1750' });
    const bill = await booked('purchaseBill', [{ ...itemLine(machine, 1, 100_000), creditBlocked: true }]);
    expect(await entriesOf(bill)).toEqual({ 1750: 118_000 });
    expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(10_000)))).toEqual({ 1750: -11_800 });
  });

  test('the ledger is that of the bill, also where the item has another one since, or has one only since', async () => {
    await ownLedgers(machine, { expense: '1730' });
    const bill = await booked('purchaseBill', [itemLine(machine, 2, 100_000)]);
    await ownLedgers(machine, {});
    const plainBill = await booked('purchaseBill', [itemLine(machine, 2, 100)]);
    await ownLedgers(machine, { expense: '1740' });
    expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(1000)))).toEqual({ 1730: -2000 });
    expect(await entriesOf(await noted(bill, 'purchaseDebitNote', rate(1000)))).toEqual({ 1730: 2000 });
    expect(await entriesOf(await noted(bill, 'purchaseReturn'))).toEqual({ 1730: -200_000 });
    expect(await entriesOf(await noted(plainBill, 'purchaseCreditNote', rate(10)))).toEqual({ 5140: -20 });
    expect(await entriesOf(await noted(plainBill, 'purchaseReturn'))).toEqual({ 5130: -180 });
  });

  test('a note about a note goes to the ledger of the bill in the end', async () => {
    await ownLedgers(machine, { expense: '1730' });
    const bill = await booked('purchaseBill', [itemLine(machine, 1, 1000)]);
    const raise = await noted(bill, 'purchaseDebitNote', rate(300));
    const cut = await noted(bill, 'purchaseCreditNote', rate(200));
    await ownLedgers(machine, { expense: '1740' });
    expect(await entriesOf(raise)).toEqual({ 1730: 300 });
    expect(await entriesOf(await noted(raise, 'purchaseCreditNote', rate(300)))).toEqual({ 1730: -300 });
    expect(await entriesOf(await noted(cut, 'purchaseDebitNote', rate(200)))).toEqual({ 1730: 200 });
  });

  test('documents that were posted before it was kept have the ledger of the item', async () => {
    await ownLedgers(machine, { expense: '1730' });
    const bill = await booked('purchaseBill', [itemLine(machine, 1, 1000)]);
    const client = await db.owner.connect();
    await client.query('begin');
    await client.query('alter table documents disable trigger user');
    await client.query(`update documents set body = body - 'ownLedgers' where id = $1 and body ? 'ownLedgers'`, [bill]);
    await client.query('alter table documents enable trigger user');
    await client.query('commit');
    client.release();
    await ownLedgers(machine, { expense: '1740' });
    expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(10)))).toEqual({ 1740: -10 });
  });

  test('goods of the stock, and what has no ledger of its own, keep the ledger of discounts', async () => {
    await ownLedgers(stocked, { expense: '5120' });
    for (const item of [stocked, plain]) {
      const bill = await booked('purchaseBill', [itemLine(item, 1, 1000)]);
      expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(100)))).toEqual({ 5140: -100 });
    }
    await ownLedgers(stocked, {});
  });

  test('a service without a ledger goes to that of services; older books keep it with the purchases', async () => {
    await ownLedgers(fee, {});
    const bill = await booked('purchaseBill', [itemLine(fee, 1, 1000)]);
    expect(await entriesOf(bill)).toEqual({ 6485: 1000 });
    expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(100)))).toEqual({ 6485: -100 });
    const point = async (code: string) =>
      db.owner.query(`update posting_map set ledger = $2 where organisation = $1 and effect = 'purchaseService'`, [
        b.organisation,
        await b.ledger(code),
      ]);
    await point('5110');
    const older = await booked('purchaseBill', [itemLine(fee, 1, 1000)]);
    expect(await entriesOf(older)).toEqual({ 5110: 1000 });
    expect(await entriesOf(await noted(older, 'purchaseCreditNote', rate(100)))).toEqual({ 5140: -100 });
    await point('6485');
  });

  test('a ledger that is typed on a note without a source is used', async () => {
    const ledger = await b.ledger('6450');
    const typed = { fields: { originalNumber: 'OLD-1', originalDate: '2026-04-01' }, reason: '03' };
    const note = await booked('purchaseCreditNote', [{ ...itemLine(plain, 1, 100), ledger }], typed);
    expect(await entriesOf(note)).toEqual({ 6450: -100 });
  });

  test('another ledger than that of the source line is refused at the line', async () => {
    await ownLedgers(machine, { expense: '1730' });
    const bill = await booked('purchaseBill', [itemLine(machine, 1, 1000)]);
    const [same, other] = [await b.ledger('1730'), await b.ledger('6450')];
    for (const kind of ['purchaseCreditNote', 'purchaseDebitNote', 'purchaseReturn']) {
      const change = kind === 'purchaseReturn' ? {} : rate(10);
      expect(await outcome(noted(bill, kind, { ...change, ledger: other }))).toEqual([
        ['lines.ledger', expect.stringMatching(/^Line 1 of .* is on another ledger/)],
      ]);
      expect(await outcome(noted(bill, kind, { ...change, ledger: same }))).toBe('posted');
    }
  });

  test('a line of a bill with a ledger of its own keeps it, whatever the item says', async () => {
    await ownLedgers(machine, { expense: '1730' });
    const bill = await booked('purchaseBill', [{ ...itemLine(machine, 1, 1000), ledger: await b.ledger('1750') }]);
    expect(await entriesOf(await noted(bill, 'purchaseCreditNote', rate(100)))).toEqual({ 1750: -100 });
    expect(await entriesOf(await noted(bill, 'purchaseDebitNote', rate(100)))).toEqual({ 1750: 100 });
  });
});

describe('a sale note goes to the ledger that the invoice credited, where that is no revenue from operations', () => {
  test.each([
    ['1730', 'an asset'],
    ['4210', 'other income'],
    ['2340', 'a liability'],
  ])('%s, %s', async (code) => {
    await ownLedgers(machine, { income: code });
    const sale = await booked('saleInvoice', [itemLine(machine, 3, 1000)]);
    expect(await entriesOf(sale)).toEqual({ [code]: -3000 });
    await ownLedgers(machine, {});
    expect(await entriesOf(await noted(sale, 'saleCreditNote', rate(100)))).toEqual({ [code]: 300 });
    expect(await entriesOf(await noted(sale, 'saleDebitNote', rate(50)))).toEqual({ [code]: -150 });
    expect(await entriesOf(await noted(sale, 'saleReturn'))).toEqual({ [code]: 2850 });
  });

  test('an item whose own ledger shows sales keeps the ledgers of returns and rate differences', async () => {
    for (const code of ['4110', '4120', '4130']) {
      await ownLedgers(machine, { income: code });
      const sale = await booked('saleInvoice', [itemLine(machine, 2, 1000)]);
      expect(await entriesOf(await noted(sale, 'saleCreditNote', rate(100)))).toEqual({ 4190: 200 });
      expect(await entriesOf(await noted(sale, 'saleReturn'))).toEqual({ 4180: 1800 });
    }
  });

  test('a ledger that somebody added is what its group is', async () => {
    const add = async (group: string, id: string) => {
      await db.owner.query(
        `insert into ledgers (organisation, id, code, name, "group", nature)
         select organisation, $2, 'X' || code, 'Added under ' || name, id, nature from ledgers where organisation = $1 and code = $3`,
        [b.organisation, id, group],
      );
      await db.owner.query('update items set income_ledger = $2 where id = $1', [machine, id]);
    };
    await add('4100', '0197a000-0000-7000-8000-000000000001');
    let sale = await booked('saleInvoice', [itemLine(machine, 1, 1000)]);
    expect(await entriesOf(await noted(sale, 'saleReturn'))).toEqual({ 4180: 1000 });
    await add('4200', '0197a000-0000-7000-8000-000000000002');
    sale = await booked('saleInvoice', [itemLine(machine, 1, 1000)]);
    expect(await entriesOf(await noted(sale, 'saleReturn'))).toEqual({ X4200: 1000 });
  });

  test('goods that come back without a document go to the ledger of the item', async () => {
    await ownLedgers(machine, { income: '1730' });
    const typed = {
      ...{ reason: 'Old sale', fields: { originalNumber: 'OLD-2', originalDate: '2026-04-01' } },
      accepted: [{ warning: 'returnWithoutSource', reason: 'Sold before these books' }],
    };
    expect(await entriesOf(await booked('saleReturn', [itemLine(machine, 1, 500)], typed))).toEqual({ 1730: 500 });
    await ownLedgers(machine, { income: '4120' });
    expect(await entriesOf(await booked('saleReturn', [itemLine(machine, 1, 500)], typed))).toEqual({ 4180: 500 });
    await ownLedgers(machine, {});
  });

  test('a cash sale that comes back', async () => {
    await ownLedgers(machine, { income: '1730' });
    const sale = await booked('cashSale', [itemLine(machine, 1, 500)], { moneyLedger: await b.ledger('1110') });
    await ownLedgers(machine, {});
    expect(await entriesOf(await noted(sale, 'saleReturn'))).toEqual({ 1730: 500 });
  });
});

describe('a supplier’s note about an expense', () => {
  const rent = async (more: Partial<DraftLine> = {}): Promise<DraftLine> =>
    ({
      ...{ ledger: await b.ledger('6410'), hsn: '997212', ...rate(50_000) },
      ...{ gstRate: 180_000, ...more },
    }) as DraftLine;

  test('is made from it: line, ledger and tax are those of the expense', async () => {
    const expense = await booked(
      'expense',
      [await rent(), await rent({ ledger: await b.ledger('6435'), ...rate(1000) } as DraftLine)],
      { accepted: [{ warning: 'impliedSectionMissing', reason: 'A certificate for no deduction' }] },
    );
    const cut = await noted(expense, 'purchaseCreditNote', rate(400));
    expect(await entriesOf(cut)).toEqual({ 6410: -400, 6435: -400 });
    expect(await taxOf(cut)).toEqual([800_00, 72_00, 72_00]);
    const raise = await noted(expense, 'purchaseDebitNote', rate(100));
    expect(await entriesOf(raise)).toEqual({ 6410: 100, 6435: 100 });
    // what is left of the smaller line is 1000 less 400 and 100 more
    await expect(noted(expense, 'purchaseCreditNote', rate(701))).rejects.toThrow('exceeds what is left');
    expect(await entriesOf(await noted(raise, 'purchaseCreditNote', rate(100)))).toEqual({ 6410: -100, 6435: -100 });
  });

  test('another ledger is refused', async () => {
    const expense = await booked('expense', [await rent()]);
    expect(await outcome(noted(expense, 'purchaseCreditNote', { ...rate(1), ledger: await b.ledger('6435') }))).toEqual(
      [['lines.ledger', expect.stringMatching(/is on another ledger$/)]],
    );
  });

  test('tax without credit goes back from the ledger of the expense', async () => {
    const expense = await booked('expense', [await rent({ creditBlocked: true })]);
    expect(await entriesOf(await noted(expense, 'purchaseCreditNote', rate(1000)))).toEqual({ 6410: -1180 });
  });

  test('of an expense that was paid at once it leaves a credit', async () => {
    const expense = await booked('expense', [await rent()], { moneyLedger: await b.ledger('1121') });
    const note = await noted(expense, 'purchaseCreditNote', rate(1000));
    const { rows } = await db.owner.query('select side, open::int from open_items where document = $1', [note]);
    expect(rows).toEqual([{ side: 'supplierCredit', open: 1180_00 }]);
  });

  test('an expense is not cancelled before its note', async () => {
    const expense = await booked('expense', [await rent()]);
    const note = await noted(expense, 'purchaseCreditNote', rate(1000));
    await expect(b.cancel(expense)).rejects.toMatchObject({ code: 'notCancellable' });
    await b.cancel(note);
    await b.cancel(expense);
  });
});
