import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Paise, paise } from '../../../../domain/base/money.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { openOf, receive, sealAll, sell, type TestBooks, TODAY, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { settle } from '../../../accounts/allocate.ts';
import { brokenInvariants } from '../../../kit/database/invariants.ts';
import { documentHandlers, viewDocument } from '../../index.ts';

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

type Parts = Partial<Record<'amount' | 'discountAmount' | 'writeOff' | 'tdsAmount' | 'bankCharges', Paise>>;
const receipt = async (parts: Parts, invoices: readonly string[], each = 11800, more: Partial<Draft> = {}) =>
  books.post(
    books.draft('saleReceipt', {
      party: books.customer,
      moneyLedger: await books.ledger('1121'),
      allocations: invoices.map((document) => ({ document, amount: paise(each) })),
      ...parts,
      ...more,
    }),
  );
const cancel = (ids: readonly string[], more: object = { frees: true }) =>
  documentHandlers(books.poster).CancelTransaction(
    { TransactionIds: [...ids], TransactionType: '', reason: 'entered twice', ...more },
    books.context(),
  );
const settling = (credit: string, wanted: readonly (readonly [invoice: string, amount: number])[]) => {
  const context = books.context();
  return context.inTransaction((trx) =>
    settle(
      trx,
      context,
      books.customer,
      wanted.map(([invoice, amount]) => ({ credit, creditLine: 0, invoice, invoiceLine: 0, amount })),
    ),
  );
};
const refusal = (number: string, amount: string) => ({
  code: 'allowanceGiven',
  message: `₹${amount} of ${number} is a discount or write-off on what it settles, and no money: cancel ${number} first, and enter it again`,
});

test.each([
  ['discount', { amount: paise(10800), discountAmount: paise(1000) }],
  ['write-off', { amount: paise(10800), writeOff: paise(1000) }],
] as const)('is never freed beyond the money: %s', async (_, parts) => {
  const invoice = await sell(books, books.items[0], 1);
  const paid = await receipt(parts, [invoice.id], 11800);
  const wrong = refusal(paid.number, '10.00');
  await expect(cancel([invoice.id])).rejects.toMatchObject(wrong);
  await expect(settling(paid.id, [[invoice.id, 0]])).rejects.toMatchObject(wrong);
  await expect(settling(paid.id, [[invoice.id, 999]])).rejects.toMatchObject(wrong);
  expect(await openOf(db, paid.id)).toBe(0);
  const { links } = await viewDocument(books.context(), { id: invoice.id });
  expect(links).toContainEqual(expect.objectContaining({ id: paid.id, allowance: '10.00' }));
  // the money itself is on account, and can be paid out; the allowance never
  await settling(paid.id, [[invoice.id, 1000]]);
  expect(await openOf(db, paid.id)).toBe(10800);
  const refund = async (amount: number) =>
    books.post(
      books.draft('refund', {
        party: books.customer,
        amount: paise(amount),
        moneyLedger: await books.ledger('1121'),
        allocations: [{ document: paid.id, amount: paise(amount) }],
      }),
    );
  await expect(refund(10801)).rejects.toMatchObject({ code: 'overAllocated' });
  const back = await refund(10800);
  await expect(cancel([invoice.id])).rejects.toMatchObject(wrong);
  await cancel([back.id]);
  // what the refusal says to do
  await cancel([paid.id]);
  expect(await openOf(db, invoice.id)).toBe(11800);
  await cancel([invoice.id]);
});

test('the receipt and its invoice are cancelled in one call, the receipt first', async () => {
  const invoice = await sell(books, books.items[0], 1);
  const paid = await receipt({ amount: paise(10800), discountAmount: paise(1000) }, [invoice.id]);
  await expect(cancel([invoice.id, paid.id])).rejects.toMatchObject({ code: 'allowanceGiven' });
  expect((await cancel([paid.id, invoice.id])).cancelled).toHaveLength(2);
});

test('of several invoices one may go as long as the others bear the discount; it may move to another one', async () => {
  const [one, two] = [await sell(books, books.items[0], 1), await sell(books, books.items[0], 1)];
  const paid = await receipt({ amount: paise(22600), discountAmount: paise(1000) }, [one.id, two.id]);
  await cancel([one.id]);
  expect(await openOf(db, paid.id)).toBe(11800);
  await expect(cancel([two.id])).rejects.toMatchObject(refusal(paid.number, '10.00'));
  const three = await sell(books, books.items[0], 1);
  await settling(paid.id, [
    [two.id, 0],
    [three.id, 11800],
  ]);
  await cancel([two.id]);
  await expect(cancel([three.id])).rejects.toMatchObject({ code: 'allowanceGiven' });
});

test('tax deducted and bank charges are the customer’s money: they are free again', async () => {
  const invoice = await sell(books, books.items[0], 1);
  const parts = { amount: paise(11600), tdsAmount: paise(200), bankCharges: paise(100) };
  const paid = await receipt(parts, [invoice.id]);
  await cancel([invoice.id]);
  expect(await openOf(db, paid.id)).toBe(11800);
});

test('a payment with a discount: the bill stays until the payment is cancelled', async () => {
  const bill = await receive(books, books.items[0], 2, 60, TODAY);
  const due = await openOf(db, bill.id);
  const paid = await books.post(
    books.draft('payment', {
      party: books.supplier,
      amount: paise(due - 500),
      discountAmount: paise(500),
      moneyLedger: await books.ledger('1121'),
      allocations: [{ document: bill.id, amount: paise(due) }],
    }),
  );
  await expect(cancel([bill.id])).rejects.toMatchObject(refusal(paid.number, '5.00'));
  await cancel([paid.id]);
  await cancel([bill.id]);
});

test('a cheque that came back gives its discount back as it was given, and stays', async () => {
  const invoice = await sell(books, books.items[0], 1);
  const paid = await receipt({ amount: paise(10800), discountAmount: paise(1000) }, [invoice.id]);
  const bounce = async (parts: Parts) =>
    books.post(
      books.draft('bouncedReceipt', {
        party: books.customer,
        against: paid.id,
        moneyLedger: await books.ledger('1121'),
        ...parts,
      }),
    );
  await expect(bounce({ amount: paise(11800) })).rejects.toMatchObject({
    problems: [{ field: 'amount' }, { field: 'discountAmount' }],
  });
  const back = await bounce({ amount: paise(10800), discountAmount: paise(1000) });
  expect(await openOf(db, invoice.id)).toBe(11800);
  await expect(cancel([back.id])).rejects.toMatchObject({ code: 'notCancellable' });
});

test('a cancellation and a change of the settlement at once never free the discount', async () => {
  const [one, two] = [await sell(books, books.items[0], 1), await sell(books, books.items[0], 1)];
  const paid = await receipt({ amount: paise(22600), discountAmount: paise(1000) }, [one.id, two.id]);
  const outcomes = await Promise.allSettled([cancel([one.id]), cancel([two.id]), settling(paid.id, [[one.id, 0]])]);
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
  expect(await openOf(db, paid.id)).toBeLessThanOrEqual(22600);
});
