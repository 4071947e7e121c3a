import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, percentage } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { closingHandlers } from '../../../closing/index.ts';
import { documentHandlers } from '../../index.ts';

// Goods lost, stolen, destroyed, written off or given away keep no input credit (section 17(5)(h) of the CGST Act).
const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({});
  await receive(b, b.items[0], 10, 50, '2026-04-01');
  // the goods on hand come from both bills: 18 % of 57.50 each
  await receive(b, b.items[0], 10, 65, '2026-10-01');
});
afterAll(() => all.close());

const adjusted = (adjustmentReason: string, quantity = -10, more: Partial<Draft> = {}): Draft =>
  b.draft('inventoryAdjustment', {
    fields: { adjustmentReason },
    lines: [{ item: b.items[0] ?? '', delta: millionths(quantity * 1_000_000), rate: millionths(60_000_000) }],
    ...more,
  });
const post = async (document: Draft) =>
  documentHandlers(b.poster).PostTransactionCalls({ document: document as never }, b.context());
const found = (document: Draft) =>
  post(document).then(
    () => [],
    (error) => error.problems ?? error,
  );
/** The balance of each ledger but those of stock and its cost; credits are negative. */
const taxOf = async (id: string) => {
  const { rows } = await db.owner.query<{ code: string; net: number }>(
    `select l.code, sum(e.debit - e.credit)::int as net
       from entries e
       join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.document = $1 and l.code like '14%'
      group by l.code order by l.code`,
    [id],
  );
  return Object.fromEntries(rows.map(({ code, net }) => [code, net]));
};
const cancel = (id: string) => b.cancel(id);

describe('goods on which no credit stays', () => {
  test.each(['Damage', 'Expiry', 'Loss', 'Theft', 'Written off', 'Sample', 'Gift'])(
    '%s: the credit of their last bill is reversed, and the answer says it',
    async (reason) => {
      const made = await post(adjusted(reason));
      expect(await taxOf(made.TransactionId)).toEqual({ 1411: -5175, 1412: -5175 });
      expect(made.warnings).toMatchObject([
        { code: 'creditLost', message: expect.stringContaining('CGST ₹51.75 and SGST ₹51.75') },
      ]);
      const { rows } = await db.owner.query<{ net: number }>(
        `select sum(e.debit - e.credit)::int as net from entries e
           join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger and m.effect = 'stockAdjustment'
          where e.document = $1`,
        [made.TransactionId],
      );
      expect(rows[0]?.net).toBe(57_500 + 10_350);
      await cancel(made.TransactionId);
    },
  );

  test('more credit than the goods can have had needs a reason', async () => {
    const heads = { cgst: paise(50_000_00), sgst: paise(50_000_00), igst: paise(0), cess: paise(0) };
    expect(await found(adjusted('Theft', -1, { creditReversed: heads }))).toMatchObject([
      { code: 'creditAboveBills', field: 'creditReversed.cgst' },
    ]);
    const accepted = [{ warning: 'creditAboveBills', reason: 'Import duty of the first lot' }];
    const made = await post(adjusted('Theft', -1, { creditReversed: heads, accepted }));
    await cancel(made.TransactionId);
  });

  test('Own consumption: the credit stays', async () => {
    const made = await post(adjusted('Own consumption'));
    expect([await taxOf(made.TransactionId), made.warnings]).toEqual([{}, []]);
    await cancel(made.TransactionId);
  });

  test('Count: the credit stays, and a shortage is warned of: the goods may be lost', async () => {
    const made = await post(adjusted('Count'));
    expect([await taxOf(made.TransactionId), made.warnings]).toMatchObject([
      {},
      [{ code: 'creditShort', message: expect.stringContaining('CGST ₹51.75 and SGST ₹51.75') }],
    ]);
    await cancel(made.TransactionId);
    const more = await post(adjusted('Count', 2));
    expect(more.warnings).toEqual([]);
    await cancel(more.TransactionId);
  });

  test('what comes in reverses nothing, and its reason takes nothing away', async () => {
    const made = await post(adjusted('Found', 2));
    expect(await taxOf(made.TransactionId)).toEqual({});
    await cancel(made.TransactionId);
    expect(await found(adjusted('Damage', 2))).toMatchObject([{ field: expect.stringMatching(/adjustmentReason$/) }]);
    expect(await found(adjusted('Found'))).toMatchObject([{ field: expect.stringMatching(/adjustmentReason$/) }]);
  });

  test('of a bill that took no credit none is reversed, and of several those before the day count', async () => {
    const [, blocked, later] = b.items;
    await b.post(
      b.draft('purchaseBill', {
        ...{ party: b.supplier, date: '2026-10-01', reference: 'BLOCKED', referenceDate: '2026-10-01' },
        lines: [{ ...itemLine(blocked, 10, 65), creditBlocked: true }],
      }),
    );
    // the tax of another state was cost when it was booked
    const { rows } = await db.owner.query<{ id: string }>(
      `
        insert into parties (organisation, id, code, name, side, category, gstin, pan, state, search)
        values (
          $1, gen_random_uuid(), 'S27', 'Pune Works', 'supplier', 'registered', '27AABCS4821K1Z9', 'AABCS4821K', '27', 'pune'
        )
        returning id
      `,
      [b.organisation],
    );
    await b.post(
      b.draft('purchaseBill', {
        ...{ party: rows[0]?.id ?? '', placeOfSupply: '27', date: '2026-10-02', reference: 'PUNE' },
        lines: [itemLine(blocked, 10, 65)],
      }),
    );
    await receive(b, later, 10, 50, '2026-04-01');
    await receive(b, later, 10, 65, TODAY);
    const lost = (item = '') => ({ lines: [{ item, delta: millionths(-1_000_000) }], date: '2026-11-19' });
    const without = await post(adjusted('Damage', -1, lost(blocked)));
    expect([await taxOf(without.TransactionId), without.warnings]).toEqual([{}, []]);
    const first = await post(adjusted('Damage', -1, lost(later)));
    expect(await taxOf(first.TransactionId)).toEqual({ 1411: -450, 1412: -450 });
  });

  test('a later bill without credit does not hide the credit of the goods before it', async () => {
    const item = b.items[5];
    await receive(b, item, 100, 1000, '2026-10-01');
    await b.post(
      b.draft('purchaseBill', {
        ...{ party: b.supplier, date: '2026-10-02', reference: 'ONE-BLOCKED', referenceDate: '2026-10-02' },
        lines: [{ ...itemLine(item, 1, 1000), creditBlocked: true }],
      }),
    );
    const lines = [{ item: item ?? '', delta: millionths(-50_000_000) }];
    const made = await post(adjusted('Loss', -50, { lines, date: '2026-11-19' }));
    // half of 18,000, less the share of the one without credit
    expect(await taxOf(made.TransactionId)).toEqual({ 1411: -445_545, 1412: -445_545 });
    await cancel(made.TransactionId);
  });

  test('goods that were lost before others were sold come from the bills of the stock of that day', async () => {
    const item = b.items[6];
    await receive(b, item, 10, 50, '2026-04-01');
    await receive(b, item, 10, 100, '2026-04-02');
    await sell(b, item, 10, '2026-11-01');
    const lines = [{ item: item ?? '', delta: millionths(-2_000_000) }];
    const made = await post(adjusted('Theft', -2, { lines, date: '2026-05-15' }));
    // 18 % of 75.00 on average, for two
    expect(await taxOf(made.TransactionId)).toEqual({ 1411: -1350, 1412: -1350 });
    await cancel(made.TransactionId);
  });

  test('an amount that is typed counts; less than that of the bills needs a reason, which is kept', async () => {
    const none = { cgst: paise(0), sgst: paise(0), igst: paise(0), cess: paise(0) };
    const more = { ...none, igst: paise(20_000) };
    const typed = await post(adjusted('Damage', -10, { creditReversed: more }));
    expect(await taxOf(typed.TransactionId)).toEqual({ 1413: -20_000 });
    await cancel(typed.TransactionId);
    expect(await found(adjusted('Damage', -10, { creditReversed: none }))).toMatchObject([
      { field: 'creditReversed.cgst', code: 'creditKept' },
    ]);
    const accepted = [{ warning: 'creditKept', reason: 'Bought before registration' }];
    const kept = await post(adjusted('Damage', -10, { creditReversed: none, accepted }));
    expect(await taxOf(kept.TransactionId)).toEqual({});
    await cancel(kept.TransactionId);
  });

  test('a reason that loses no credit, a negative amount and another kind are problems at the field', async () => {
    const some = { cgst: paise(100), sgst: paise(100), igst: paise(0), cess: paise(0) };
    expect(await found(adjusted('Count', -1, { creditReversed: some }))).toMatchObject([
      { field: 'creditReversed.cgst' },
    ]);
    expect(await found(adjusted('Damage', -1, { creditReversed: { ...some, sgst: paise(-1) } }))).toContainEqual(
      expect.objectContaining({ field: 'creditReversed.sgst' }),
    );
    const bill = b.draft('openingStock', { lines: [itemLine(b.items[0], 1, 60)], creditReversed: some });
    expect(await found(bill)).toContainEqual(expect.objectContaining({ field: 'creditReversed' }));
  });

  test('a part of a line takes its part of each head, cess included', async () => {
    const item = b.items[4];
    await db.owner.query('update items set cess_rate = $3 where organisation = $1 and id = $2', [
      b.organisation,
      item,
      percentage('12'),
    ]);
    // on a day before compensation cess ended
    await receive(b, item, 3, 33.33, '2025-08-01');
    const lines = [{ item: item ?? '', delta: millionths(-1_000_000) }];
    const made = await post(adjusted('Theft', -1, { lines }));
    // of 9.00, 9.00 and 12.00 on 99.99
    expect(await taxOf(made.TransactionId)).toEqual({ 1411: -300, 1412: -300, 1414: -400 });
  });

  test('it moves tax of GSTR-3B: where that is filed, it is refused', async () => {
    const save = (through: string | null) =>
      closingHandlers.SaveLock(
        { register: 'gst', through, reason: 'filed' },
        b.context({ grants: new Map([['General Configuration', 5003]]) }),
      );
    await save('2026-10-31');
    const late = { date: '2026-10-20' };
    expect(await found(adjusted('Damage', -1, late))).toMatchObject({ code: 'registerLocked' });
    await post(adjusted('Count', -1, late));
    await save(null);
  });
});
