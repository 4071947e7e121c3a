import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, quantity as pieces } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Id } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, type TestBooks } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { documentHandlers } from '../../index.ts';

// A note without GST stands outside section 34: it lowers neither the taxable value of what it names nor its tax.
const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({ isAllowNegative: true });
});
afterAll(() => all.close());

const sides = {
  sale: { bill: 'saleInvoice', note: 'saleCreditNote', rise: 'saleDebitNote', back: 'saleReturn', ledger: '6490' },
  purchase: {
    bill: 'purchaseBill',
    note: 'purchaseCreditNote',
    rise: 'purchaseDebitNote',
    back: 'purchaseReturn',
    ledger: '4220',
  },
} as const;
type Side = keyof typeof sides;
const accepted = ['duplicateBill', 'givenWithoutGst'].map((warning) => ({ warning, reason: 'A test' }));
let papers = 0;
const head = (side: Side) => {
  papers += 1;
  return { party: side === 'sale' ? b.customer : b.supplier, ...(side === 'purchase' && { reference: `F-${papers}` }) };
};
const line = (n: number, paisePerPiece: number) => ({
  ...itemLine(b.items[0], n, 1),
  rate: millionths(paisePerPiece * 10_000),
});
const bill = async (side: Side, n: number, each: number) =>
  (await b.post(b.draft(sides[side].bill, { ...head(side), date: '2026-09-05', lines: [line(n, each)] }))).id;
const note = (side: Side, against: Id, amount: number, withoutTax: boolean) =>
  b.post(
    b.draft(sides[side].note, {
      ...{ ...head(side), against, reason: '02', lines: [line(1, amount)] },
      ...(withoutTax && { withoutTax }),
    }),
  );
/** A note about line 1 of another note. */
const about = (side: Side, kind: 'note' | 'rise', against: Id, amount: number, more: object = {}) =>
  b.post(
    b.draft(sides[side][kind], {
      ...{ ...head(side), against, reason: '02', ...more },
      lines: [{ ...line(1, amount), source: { document: against, line: 1 } }],
    }),
  );
const back = (side: Side, against: Id, n: number, more: object = {}) =>
  b.post(
    b.draft(sides[side].back, {
      ...{ ...head(side), against, reason: '01' },
      lines: [{ item: b.items[0] ?? '', quantity: pieces(String(n)), source: { document: against, line: 1 } }],
      ...more,
    }),
  );
const rowOf = async (id: Id) =>
  (
    await db.owner.query<{ taxable: number; tax: number; total: number }>(
      'select taxable::int, (cgst + sgst + igst)::int as tax, total::int from documents where id = $1',
      [id],
    )
  ).rows[0];
const onLedger = async (id: Id, code: string): Promise<number> =>
  (
    await db.owner.query<{ net: number }>(
      `select coalesce(sum(e.debit - e.credit), 0)::int as net
         from entries e join ledgers l on l.organisation = e.organisation and l.id = e.ledger
        where e.document = $1 and l.code = $2`,
      [id, code],
    )
  ).rows[0]?.net ?? 0;

test.each(['sale', 'purchase'] as const)(
  '%s: goods come back whole after a note without GST, and what it gave comes off after tax',
  async (side) => {
    const { ledger } = sides[side];
    const id = await bill(side, 10, 3333);
    const whole = await rowOf(id);
    expect(whole).toMatchObject({ taxable: 33_330, tax: 6000 });
    const given = await note(side, id, 10_110, true);
    const effect = await onLedger(given.id, ledger);
    expect(Math.abs(effect)).toBe(10_110);
    await expect(back(side, id, 10)).rejects.toMatchObject({
      problems: [{ field: 'adjustments', code: 'givenWithoutGst', message: expect.stringContaining('gave ₹101.10') }],
    });
    const adjustments = [
      { name: 'Discount taken back', sign: 'less', amount: paise(10_110), ledger: await b.ledger(ledger) },
    ];
    const returned = await back(side, id, 10, { adjustments });
    expect(await rowOf(returned.id)).toEqual({ taxable: 33_330, tax: 6000, total: (whole?.total ?? 0) - 10_110 });
    expect(await onLedger(returned.id, ledger)).toBe(-effect);
  },
);

test.each(['sale', 'purchase'] as const)(
  '%s: a note with GST after one without takes the tax of its own value',
  async (side) => {
    const id = await bill(side, 10, 3333);
    await note(side, id, 10_110, true);
    // both together take no more than the value of the goods
    await expect(note(side, id, 23_221, false)).rejects.toMatchObject({ code: 'sourceExceeded' });
    expect(await rowOf((await note(side, id, 23_220, false)).id)).toMatchObject({ taxable: 23_220, tax: 4180 });
    await expect(note(side, id, 1, true)).rejects.toMatchObject({ code: 'sourceExceeded' });
  },
);

test.each(['sale', 'purchase'] as const)(
  '%s: what a note without GST gave on a supply binds price cuts of the notes about it',
  async (side) => {
    const id = await bill(side, 10, 3333);
    const rise = await about(side, 'rise', id, 5000);
    await note(side, id, 38_000, true);
    await expect(about(side, 'note', rise.id, 331)).rejects.toMatchObject({ code: 'sourceExceeded' });
    await expect(about(side, 'note', rise.id, 331, { withoutTax: true })).rejects.toMatchObject({
      code: 'sourceExceeded',
    });
    await about(side, 'note', rise.id, 330);
  },
);

test.each(['sale', 'purchase'] as const)(
  '%s: a note about a note without GST is without GST, for no tax was taken back that it could charge again',
  async (side) => {
    const { ledger } = sides[side];
    const id = await bill(side, 10, 3333);
    const given = await note(side, id, 10_110, true);
    const effect = await onLedger(given.id, ledger);
    const without = (message: RegExp) => ({
      problems: [{ field: 'withoutTax', message: expect.stringMatching(message) }],
    });
    await expect(about(side, 'rise', given.id, 100, { withoutTax: false })).rejects.toMatchObject(
      without(/is without GST/),
    );
    await expect(about(side, 'rise', id, 100, { withoutTax: true })).rejects.toMatchObject(without(/with GST/));
    await expect(about(side, 'rise', given.id, 10_111)).rejects.toMatchObject({ code: 'sourceExceeded' });
    const again = await about(side, 'rise', given.id, 10_110);
    expect(await rowOf(again.id)).toMatchObject({ taxable: 10_110, tax: 0 });
    expect(await onLedger(again.id, ledger)).toBe(-effect);
    // and so is what takes that one back
    await expect(about(side, 'note', again.id, 100, { withoutTax: false })).rejects.toMatchObject(
      without(/is without GST/),
    );
    expect(await rowOf((await about(side, 'note', again.id, 110)).id)).toMatchObject({ taxable: 110, tax: 0 });
    await expect(back(side, id, 10)).rejects.toMatchObject({
      problems: [{ field: 'adjustments', message: expect.stringContaining('gave ₹1.10') }],
    });
    await about(side, 'rise', given.id, 110);
    // nothing stands given: the goods come back as they were supplied
    const whole = await rowOf(id);
    expect(await rowOf((await back(side, id, 10)).id)).toEqual(whole);
  },
);

test.each(['sale', 'purchase'] as const)(
  '%s: a return proposes to take off what notes without GST gave on its goods',
  async (side) => {
    const id = await bill(side, 10, 3333);
    await note(side, id, 10_110, true);
    const proposed = () => documentHandlers(b.poster).GetConversion({ from: id, kind: sides[side].back }, b.context());
    const { draft } = await proposed();
    const ledger = await b.ledger(sides[side].ledger);
    expect(draft).toMatchObject({ adjustments: [{ sign: 'less', amount: '101.10', ledger }] });
    const adjustments = (amount: number) => [
      { name: 'Discount taken back', sign: 'less' as const, amount: paise(amount), ledger },
    ];
    await back(side, id, 4, { adjustments: adjustments(4044) });
    expect((await proposed()).draft).toMatchObject({ adjustments: [{ sign: 'less', amount: '60.66', ledger }] });
    await back(side, id, 6, { adjustments: adjustments(6066) });
  },
);

test('law: whatever notes without GST stand between them, each return bears the tax of its value, and all of them the whole', async () => {
  const story = fc.record({
    side: fc.constantFrom('sale' as const, 'purchase' as const),
    each: fc.integer({ min: 1000, max: 50_000 }),
    steps: fc.array(fc.record({ back: fc.boolean(), part: fc.integer({ min: 1, max: 4 }) }), { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ side, each, steps }) => {
      const id = await bill(side, 10, each);
      let [left, taxable, tax] = [10, 0, 0];
      const comesBack = async (n: number) => {
        const made = await rowOf((await back(side, id, n, { accepted })).id);
        left -= n;
        taxable += made?.taxable ?? 0;
        tax += made?.tax ?? 0;
        // halves of 18 %, each rounded
        expect(Math.abs((made?.taxable ?? 0) * 0.18 - (made?.tax ?? 0))).toBeLessThanOrEqual(3);
      };
      for (const step of steps) {
        if (!step.back) await note(side, id, each / 10, true);
        else if (left > step.part) await comesBack(step.part);
      }
      await comesBack(left);
      const sold = await rowOf(id);
      expect([taxable, tax]).toEqual([sold?.taxable, sold?.tax]);
    }),
    { numRuns: 12 },
  );
}, 60_000);
