import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import type { Draft, DraftLine, Id } from '../../../domain/document/document.ts';
import { itemLine, receive, sealAll, type TestBooks, TODAY, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { convert } from '../drafts/convert.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  await receive(books, books.items[0], 1000, 60, '2026-04-01');
});
afterAll(async () => {
  await sealAll(db);
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

/** So many, and so many free. */
const goods = (quantity: number, free: number, source?: Id): DraftLine => {
  const { rate, ...line } = itemLine(books.items[0], quantity, 100);
  return {
    ...line,
    ...(source === undefined && rate !== undefined && { rate }),
    freeQuantity: millionths(free * ONE),
    ...(source !== undefined && { source: { document: source, line: 1 } }),
  };
};
const sides = {
  sale: { from: 'saleInvoice', back: 'saleReturn', party: () => books.customer },
  purchase: { from: 'purchaseBill', back: 'purchaseReturn', party: () => books.supplier },
} as const;
const post = (kind: string, lines: readonly DraftLine[], party: Id, more: Partial<Draft> = {}) =>
  books.post(books.draft(kind, { party, lines, ...more }));
/** A supplier's bill has a number of its own. */
const theirs = (isTheirs: boolean): Partial<Draft> => (isTheirs ? { reference: 'F-1', referenceDate: TODAY } : {});
const proposed = async (from: Id, kind: string) => {
  const { draft } = await convert({ from, kind }, books.context());
  return (draft.lines as { quantity: string; freeQuantity?: string }[]).map((l) => [l.quantity, l.freeQuantity]);
};

test.each(['sale', 'purchase'] as const)('%s: paid and free goods come back each up to their own', async (side) => {
  const { from, back, party } = sides[side];
  const made = await post(from, [goods(20, 2)], party(), theirs(side === 'purchase'));
  const returned = (quantity: number, free: number) =>
    post(back, [goods(quantity, free, made.id)], party(), { against: made.id, reason: '01' });
  await expect(returned(2, 12)).rejects.toMatchObject({ problems: [{ field: 'lines.freeQuantity', row: 0 }] });
  await returned(2, 1);
  expect(await proposed(made.id, back)).toEqual([['18', '1']]);
  await expect(returned(2, 2)).rejects.toMatchObject({ problems: [{ field: 'lines.freeQuantity', row: 0 }] });
  const last = await returned(1, 1);
  expect(await proposed(made.id, back)).toEqual([['17', undefined]]);
  await books.cancel(last.id);
  expect(await proposed(made.id, back)).toEqual([['18', '1']]);
  await returned(18, 1);
});

test('two returns at once never bring back more free goods than were given', async () => {
  const { from, back, party } = sides.sale;
  const made = await post(from, [goods(20, 2)], party());
  const one = () => post(back, [goods(1, 2, made.id)], party(), { against: made.id, reason: '01' });
  const outcomes = await Promise.allSettled([one(), one(), one()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await proposed(made.id, back)).toEqual([['19', undefined]]);
});

test('from an order over its invoices to their return: each carries what is left of the free goods', async () => {
  const order = await post('saleOrder', [goods(20, 2)], books.customer);
  await post('saleInvoice', [goods(5, 1, order.id)], books.customer);
  expect(await proposed(order.id, 'saleInvoice')).toEqual([['15', '1']]);
  await expect(post('saleInvoice', [goods(5, 2, order.id)], books.customer)).rejects.toMatchObject({
    problems: [{ field: 'lines.freeQuantity' }],
  });
  const rest = await post('saleInvoice', [goods(15, 1, order.id)], books.customer);
  expect(await proposed(rest.id, 'saleReturn')).toEqual([['15', '1']]);
});

test('a price cut proposes no free goods', async () => {
  const made = await post('saleInvoice', [goods(20, 2)], books.customer);
  expect(await proposed(made.id, 'saleCreditNote')).toEqual([['20', undefined]]);
});
