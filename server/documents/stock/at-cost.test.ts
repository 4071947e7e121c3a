import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, money, moneyText, ONE, percent } from '../../../domain/base/decimal.ts';
import type { Draft, DraftLine, Id } from '../../../domain/document/document.ts';
import { itemLine, manyBooks, receive, type TestBooks } from '../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../tools/testing/database.ts';
import { paperOf } from '../../printing/index.ts';
import { approvalHandlers } from '../drafts/approval.ts';
import { priceDraft, saveDraft } from '../drafts/drafts.ts';
import { editorFacts } from '../drafts/editor-facts.ts';
import { listDocuments } from '../read/list.ts';
import { viewDocument } from '../read/view.ts';
import { draftText } from '../read/wire.ts';

const many = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await many.open();
});
afterAll(() => many.close());

// items are bought at ₹73; their masters have ₹60 as purchase price and ₹100 as sale price
const COST = 73;
const stocked = async (settings: Readonly<Record<string, unknown>> = {}): Promise<TestBooks> => {
  const books = await many.more(settings);
  for (const item of books.items.slice(0, 2)) await receive(books, item, 10, COST, '2026-05-01');
  return books;
};
const changing = (item: Id | undefined, units: number, rate?: number): DraftLine => ({
  ...{ item: item ?? '', delta: millionths(units * ONE) },
  ...(rate !== undefined && { rate: millionths(rate * ONE) }),
});
const adjustment = (books: TestBooks, lines: readonly DraftLine[], date = '2026-05-10'): Draft =>
  books.draft('inventoryAdjustment', { date, fields: { adjustmentReason: 'count' }, lines });
/** Sends goods within the registration, at a price that nobody pays. */
const dispatch = (books: TestBooks, units: number, date = '2026-05-10'): Draft =>
  books.draft('branchTransfer', {
    ...{ date, toLocation: books.other },
    lines: [{ ...itemLine(books.items[0], units, 999), discount: { percent: percent(100_000) } }],
  });
const receipt = (books: TestBooks, units: number, against: Id, date = '2026-05-12'): Draft =>
  books.draft('transferReceipt', {
    ...{ date, location: books.other, toLocation: books.other, toRegistration: books.registration, against },
    lines: [
      {
        ...{ item: books.items[0] ?? '', quantity: millionths(units * ONE) },
        source: { document: against, line: 1 },
      },
    ],
  });

/** What list, view, its lines and paper say of a document, and the ledger of stock and the movements outside of transit. */
async function costsShown(books: TestBooks, kind: string, id: Id) {
  const context = books.context();
  const { rows } = await listDocuments({ Type: kind }, context);
  const view = await viewDocument(context, { id });
  const paper = await paperOf(context, id, 'original');
  const stock = await books.ledger('1310');
  const { rows: moved } = await db.owner.query<{ worth: number }>(
    `
      select sum(latest_cost(m.organisation, m.document, m.number))::int as worth
      from movements m
      join locations l on l.organisation = m.organisation and l.id = m.location
      where m.document = $1 and not l.is_transit
    `,
    [id],
  );
  const booked = view.entries.filter((entry) => entry.ledger === stock);
  const plain = (text: string | undefined) => text?.replaceAll(',', '');
  const total = (amounts: readonly (string | null)[]) =>
    moneyText(amounts.reduce((sum, amount) => sum + money(amount ?? ''), 0));
  return {
    list: rows.find((row) => row.id === id)?.total,
    view: view.priced?.total,
    lines: total(view.lines.map((line) => line.total)),
    valued: total(view.lines.map((line) => line.taxable)),
    paper: plain(paper.sums.find(({ strong }) => strong)?.amount),
    ledger: moneyText(booked.reduce((sum, { debit, credit }) => sum + money(debit) - money(credit), 0)),
    moved: moneyText(moved[0]?.worth ?? 0),
    inBooks: view.priced?.inBooks,
    asPosted: view.priced?.asPosted,
    atCost: view.priced?.atCost,
  };
}
const allSay = (amount: string) => ({ list: amount, view: amount, lines: amount, valued: amount, paper: amount });

const adjustments: readonly (readonly [what: string, lines: (books: TestBooks) => DraftLine[], worth: string])[] = [
  ['goods that are gone', (b) => [changing(b.items[0], -3)], '-219.00'],
  ['goods that are gone, with a rate typed', (b) => [changing(b.items[0], -3, 5)], '-219.00'],
  ['goods that were found', (b) => [changing(b.items[0], 2, 40)], '80.00'],
  ['less of one and more of another', (b) => [changing(b.items[0], -3), changing(b.items[1], 2, 40)], '-139.00'],
  ['as much less as more', (b) => [changing(b.items[0], -1), changing(b.items[1], 1, COST)], '0.00'],
];

describe.each(['average', 'fifo'] as const)('goods without a price: %s', (valuation) => {
  test.each(adjustments)('an adjustment of %s: list, view, paper and ledger say the same', async (_, lines, worth) => {
    const books = await stocked({ valuation });
    const posted = await books.post(adjustment(books, lines(books)));
    expect(moneyText(posted.total)).toBe(worth);
    const said = await costsShown(books, 'inventoryAdjustment', posted.id);
    expect(said).toMatchObject({ ...allSay(worth), ledger: worth, moved: worth, atCost: 'cost' });
  });

  test('a transfer within a registration goes and arrives at cost, whatever was typed', async () => {
    const books = await stocked({ valuation });
    const sent = await books.post(dispatch(books, 4));
    expect(await costsShown(books, 'branchTransfer', sent.id)).toMatchObject({ ...allSay('292.00'), moved: '-292.00' });
    const came = await books.post(receipt(books, 4, sent.id));
    expect(await costsShown(books, 'transferReceipt', came.id)).toMatchObject({ ...allSay('292.00'), moved: '292.00' });
    const { rows } = await db.owner.query('select rate::int, discount::int from document_lines where document = $1', [
      sent.id,
    ]);
    expect(rows).toEqual([{ rate: COST * ONE, discount: 0 }]);
  });

  test('costs that a back-dated bill changes are shown everywhere; a challan that went out keeps its figures', async () => {
    const books = await stocked({ valuation });
    const gone = await books.post(adjustment(books, [changing(books.items[0], -3)]));
    const sent = await books.post(dispatch(books, 4));
    const came = await books.post(receipt(books, 4, sent.id));
    await receive(books, books.items[0], 10, 173, '2026-04-20');
    const now = valuation === 'fifo' ? 173 : 123;
    const lost = moneyText(-3 * now * 100);
    const sentFor = moneyText(4 * now * 100);
    expect(await costsShown(books, 'inventoryAdjustment', gone.id)).toMatchObject({
      ...{ ...allSay(lost), moved: lost },
      inBooks: undefined,
      asPosted: '-219.00',
    });
    expect(await costsShown(books, 'transferReceipt', came.id)).toMatchObject({
      ...{ ...allSay(sentFor), moved: sentFor },
    });
    expect(await costsShown(books, 'branchTransfer', sent.id)).toMatchObject({
      ...allSay('292.00'),
      inBooks: sentFor,
    });
  });
});

test('goods arrive dearer than they left, a part at a time', async () => {
  const books = await stocked();
  const cheap = await books.post(dispatch(books, 4));
  await receive(books, books.items[0], 10, 473, '2026-05-11');
  await books.post(dispatch(books, 4, '2026-05-12'));
  for (const units of [3, 1]) await books.post(receipt(books, units, cheap.id, '2026-05-13'));
  const { rows } = await listDocuments({ Type: 'transferReceipt' }, books.context());
  expect(rows.reduce((sum, { total }) => sum + Number(total), 0)).toBeGreaterThan(292);
});

test('periodic books post nothing, and say what it cost all the same', async () => {
  const books = await stocked({ stockAccounting: 'periodic' });
  const posted = await books.post(adjustment(books, [changing(books.items[0], -3)]));
  expect(await costsShown(books, 'inventoryAdjustment', posted.id)).toMatchObject({
    ...{ ...allSay('-219.00'), moved: '-219.00' },
    ledger: '0.00',
  });
});

test('where no stock is kept it says what was typed', async () => {
  const books = await many.more({ trackInventory: false });
  const posted = await books.post(dispatch(books, 4));
  expect(posted.total).toBe(4 * 999 * 90);
  const { priced } = await viewDocument(books.context(), { id: posted.id });
  expect([priced?.total, priced?.atCost]).toEqual(['3596.40', undefined]);
});

const kept = (books: TestBooks, draft: Draft) => {
  const { kind, ...body } = draftText(draft);
  return saveDraft({ kind, body: { ...body, total: '5.00' } }, books.context());
};

test('a draft has no value yet: the list shows none, and what it will come to is said as an estimate', async () => {
  const books = await stocked();
  const gone = adjustment(books, [changing(books.items[0], -3, 5), changing(books.items[1], 2, 40)]);
  const { TransactionId } = await kept(books, gone);
  const { rows } = await listDocuments({ Type: 'inventoryAdjustment' }, books.context());
  expect(rows).toMatchObject([{ id: TransactionId, draft: true, total: null }]);
  const context = books.context();
  const priced = async (draft: Draft) => (await context.inTransaction((trx) => priceDraft(trx, context, draft))).priced;
  expect(await priced(gone)).toMatchObject({ total: '-139.00', atCost: 'estimated' });
  expect(await priced(dispatch(books, 4))).toMatchObject({ total: '292.00', atCost: 'estimated', discount: '0.00' });
  const sale = books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] });
  expect((await priced(sale)).atCost).toBeUndefined();
  await kept(books, sale);
  expect((await listDocuments({ Type: 'saleInvoice' }, context)).rows).toMatchObject([{ total: '5.00' }]);
  const asked = { parties: [], items: [books.items[0] ?? ''], ledgers: [], documents: [], date: '2026-05-10' };
  const grants = new Map([['Inventory Adjustment', 5003 as const]]);
  const worth = async (kind: string) =>
    (await editorFacts({ ...asked, kind, location: books.location }, books.context({ grants }))).items[0]?.['worth'];
  expect([await worth('inventoryAdjustment'), await worth('saleInvoice')]).toEqual(['730.00', undefined]);
  // who may not view documents that say what goods cost does not see it here either
  const seller = books.context({
    grants,
    may: (action, kind) => action !== 'view' || kind === 'saleInvoice',
  });
  for (const kind of ['inventoryAdjustment', 'branchTransfer']) {
    const { items } = await editorFacts({ ...asked, kind, location: books.location }, seller);
    expect([kind, items[0]?.['onHand'], items[0]?.['worth']]).toEqual([kind, expect.any(String), undefined]);
  }
});

test('a rule of approval judges all that is added and taken away, at cost', async () => {
  const approvals = [{ kind: 'inventoryAdjustment', from: '200.00' }];
  const books = await stocked({ approvals });
  const context = books.context();
  await books.post(adjustment(books, [changing(books.items[0], -2)]));
  await expect(books.post(adjustment(books, [changing(books.items[0], -3, 5)]))).rejects.toMatchObject({
    ...{ code: 'needsApproval', details: { total: '219.00' } },
  });
  const both = adjustment(books, [changing(books.items[0], -2), changing(books.items[1], 2, COST)]);
  await expect(books.post(both)).rejects.toMatchObject({ code: 'needsApproval', details: { total: '292.00' } });
  const sent = await approvalHandlers.SubmitForApproval(await kept(books, both), context);
  const view = await viewDocument(context, { id: sent.TransactionId });
  expect(view.priced).toMatchObject({ total: '0.00', atCost: 'estimated' });
  expect(view.lines.map(({ quantity, total }) => [quantity, total])).toEqual([
    ['-2', '-146.00'],
    ['2', '146.00'],
  ]);
  // what it costs may be another on the day that it is posted: a limit is compared with the cost of that day
  const small = await kept(books, adjustment(books, [changing(books.items[0], -1)]));
  expect((await approvalHandlers.SubmitForApproval(small, context)).version).toBe(2);
});
