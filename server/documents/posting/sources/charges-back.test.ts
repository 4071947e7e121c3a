import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Refusal } from '../../../../contract/errors.ts';
import { millionths, percent } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import type { KindName } from '../../../../domain/document/kinds/index.ts';
import { itemLine, manyBooks, receive, type TestBooks } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { Problems } from '../../../kit/problems.ts';
import { viewDocument } from '../../read/view.ts';

// A charge with a rate of its own is a line of its document: a return or note gives it back, or a share of it, by that line.

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

/** Freight of ₹100 at 18 %, beside three pieces of ₹100. */
const billed = async (b: TestBooks, kind: KindName, ledger: string): Promise<Id> => {
  await receive(b, b.items[0], 40, 60, '2026-04-01');
  const freight = {
    ...{ name: 'Freight', amount: paise(10_000), apportion: 'value' as const, hsn: '996511' },
    ...{ gstRate: percent(180_000), ledger: await b.ledger(ledger) },
  };
  const party = kind === 'saleInvoice' ? b.customer : b.supplier;
  const { id } = await b.post(
    b.draft(kind, { party, reference: 'F-1', lines: [itemLine(b.items[0], 3, 100)], charges: [freight] }),
  );
  return id;
};
const SECOND = 2;
const back = (b: TestBooks, kind: KindName, source: Id, quantity: number, more: Partial<Draft> = {}) =>
  b.post(
    b.draft(kind, {
      party: kind.startsWith('sale') ? b.customer : b.supplier,
      against: source,
      ...(kind === 'purchaseCreditNote' && { reference: 'N-1' }),
      reason: kind.startsWith('sale') ? 'Sales return' : 'Goods sent back',
      lines: [{ source: { document: source, line: SECOND }, quantity: millionths(quantity) }],
      ...more,
    }),
  );
const entriesOf = async (id: Id) => {
  const { rows } = await db.owner.query<{ code: string; amount: number }>(
    `
      select l.code, (e.debit - e.credit)::int as amount
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.document = $1
      order by 1
    `,
    [id],
  );
  return Object.fromEntries(rows.map(({ code, amount }) => [code, amount]));
};
const problemsOf = (posted: Promise<unknown>) =>
  posted.then(
    () => [],
    (error: unknown) =>
      error instanceof Problems ? error.problems.map(({ field }) => field) : (error as Refusal).code,
  );
/** Freight that costs ₹66.66 less. */
const cut = (source: Id) => ({
  ...{ source: { document: source, line: SECOND }, quantity: millionths(1_000_000) },
  rate: millionths(66_660_000),
});

test('returns give freight back in shares, and the last one takes what is left', async () => {
  const b = await more();
  const sale = await billed(b, 'saleInvoice', '4140');
  const third = await back(b, 'saleReturn', sale, 333_000);
  expect(await entriesOf(third.id)).toEqual({ '1210': -3930, '2211': 300, '2212': 300, '4180': 3330 });
  expect(await problemsOf(back(b, 'saleReturn', sale, 668_000))).toEqual(['lines.quantity']);
  await back(b, 'saleReturn', sale, 333_000);
  const last = await back(b, 'saleReturn', sale, 334_000);
  expect(await entriesOf(last.id)).toEqual({ '1210': -3940, '2211': 300, '2212': 300, '4180': 3340 });
  expect(await problemsOf(back(b, 'saleReturn', sale, 1_000))).toEqual(['lines.quantity']);
  // it has the name and the code of the charge, and is a service
  const { lines } = await viewDocument(b.context(), { id: third.id });
  expect(lines).toMatchObject([{ description: 'Freight', hsn: '996511', gstRate: '18', item: null }]);
  await b.cancel(last.id);
  expect((await back(b, 'saleReturn', sale, 334_000)).total).toBe(3940);
});

test('freight goes back with its goods, on one return', async () => {
  const b = await more();
  const sale = await billed(b, 'saleInvoice', '4140');
  const { id } = await back(b, 'saleReturn', sale, 0, {
    lines: [
      { item: b.items[0] ?? '', source: { document: sale, line: 1 }, quantity: millionths(1_000_000) },
      { source: { document: sale, line: SECOND }, quantity: millionths(333_000) },
    ],
  });
  expect(await entriesOf(id)).toMatchObject({ '1210': -15730, '4180': 13330 });
});

test('freight that a supplier takes back goes off the ledger that it was booked on', async () => {
  const b = await more();
  const bill = await billed(b, 'purchaseBill', '5210');
  const { id } = await back(b, 'purchaseReturn', bill, 333_000);
  expect(await entriesOf(id)).toEqual({ '1411': -300, '1412': -300, '2120': 3930, '5210': -3330 });
  const note = await back(b, 'purchaseCreditNote', bill, 0, { lines: [cut(bill)] });
  expect(await entriesOf(note.id)).toEqual({ '1411': -600, '1412': -600, '2120': 7866, '5210': -6666 });
  expect(await problemsOf(back(b, 'purchaseCreditNote', bill, 0, { lines: [cut(bill)] }))).toEqual('sourceExceeded');
});

test('a credit note reduces freight, by no more than was charged; a return then gives back the rest', async () => {
  const b = await more();
  const sale = await billed(b, 'saleInvoice', '4140');
  const note = await back(b, 'saleCreditNote', sale, 0, { lines: [cut(sale)] });
  expect(await entriesOf(note.id)).toEqual({ '1210': -7866, '2211': 600, '2212': 600, '4190': 6666 });
  expect(await problemsOf(back(b, 'saleCreditNote', sale, 0, { lines: [cut(sale)] }))).toEqual('sourceExceeded');
  expect((await back(b, 'saleReturn', sale, 1_000_000)).total).toBe(11800 - 7866);
});

test('a line of goods without its item is no charge', async () => {
  const b = await more();
  const sale = await billed(b, 'saleInvoice', '4140');
  const lines = [{ source: { document: sale, line: 1 }, quantity: millionths(1_000_000) }];
  expect(await problemsOf(back(b, 'saleReturn', sale, 0, { lines }))).toContain('lines.item');
});
