import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { money } from '../../domain/decimal.ts';
import type { Draft, Id } from '../../domain/document.ts';
import { itemLine, manyBooks, TODAY } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { priceDraft } from './drafts.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await open();
});
afterAll(close);

async function desk() {
  const books = await more({ isAllowNegative: true });
  const typed = (rate: number, more: Partial<Draft> = {}) =>
    books.draft('purchaseBill', {
      party: books.supplier,
      reference: randomUUID().slice(0, 12),
      referenceDate: TODAY,
      tdsSection: '194Q',
      lines: [itemLine(books.items[0], 1, rate)],
      ...more,
    });
  const bill = (rate: number, more: Partial<Draft> = {}) => books.post(typed(rate, more));
  const tdsOf = async ({ id }: { readonly id: Id }): Promise<number> => {
    const { rows } = await db.owner.query<{ tds: string }>('select tds from documents where id = $1', [id]);
    return Number(rows[0]?.tds) / 100;
  };
  return { books, typed, bill, tdsOf };
}

test('purchase of goods: tax is deducted from what goes above fifty lakh in the year, cancelled bills left out', async () => {
  const { books, bill, tdsOf } = await desk();
  expect(await tdsOf(await bill(4_900_000))).toBe(0);
  const gone = await bill(200_000);
  expect(await tdsOf(gone)).toBe(100);
  expect(await tdsOf(await bill(12_345.67))).toBe(12);
  expect(await tdsOf(await bill(499.99))).toBe(0);
  await books.cancel(gone.id);
  // 49,12,845.66 so far: 12,845.66 of this one goes above
  expect(await tdsOf(await bill(100_000))).toBe(13);
});

test('a back-dated bill bears what it brings above the threshold, and the year begins in April', async () => {
  const { bill, tdsOf } = await desk();
  expect(await tdsOf(await bill(4_900_000, { date: '2026-03-31', referenceDate: '2026-03-31' }))).toBe(0);
  expect(await tdsOf(await bill(4_000_000))).toBe(0);
  expect(await tdsOf(await bill(2_000_000, { date: '2026-04-01', referenceDate: '2026-04-01' }))).toBe(1_000);
});

test('two records with one PAN are one seller', async () => {
  const { books, bill, tdsOf } = await desk();
  const other = randomUUID();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, gstin, pan, state, search)
      select organisation, $2, 'S2', 'Mill Works Pune', side, category, '27AAACM2222A1Z9', pan, '27', 'mill works pune' from parties where organisation = $1 and id = $3`,
    [books.organisation, other, books.supplier],
  );
  await bill(4_900_000);
  expect(await tdsOf(await bill(200_000, { party: other }))).toBe(100);
});

test('bills of one payee that are posted at the same moment cross the threshold once', async () => {
  const { bill, tdsOf } = await desk();
  const made = await Promise.all([1, 2, 3, 4].map(() => bill(2_000_000)));
  const taxes = (await Promise.all(made.map(tdsOf))).sort((a, b) => a - b);
  expect(taxes).toEqual([0, 0, 1_000, 2_000]);
});

test('the bill that crosses a threshold bears all of the year, and the next one only itself', async () => {
  const { bill, tdsOf } = await desk();
  const fee = (rate: number) => bill(rate, { tdsSection: '194J(b)' });
  expect(await tdsOf(await fee(40_000))).toBe(0);
  expect(await tdsOf(await fee(20_000))).toBe(6_000);
  expect(await tdsOf(await fee(10_000))).toBe(1_000);
  // the same, where the tax that was proposed was typed
  const { bill: other, tdsOf: of } = await desk();
  await other(40_000, { tdsSection: '194J(b)' });
  await other(20_000, { tdsSection: '194J(b)', tdsAmount: money('6000') });
  expect(await of(await other(10_000, { tdsSection: '194J(b)' }))).toBe(1_000);
});

test('a section that has ended is a problem at its field; what is proposed is what is posted', async () => {
  const { books, typed, bill, tdsOf } = await desk();
  const scrap = books.draft('saleInvoice', {
    party: books.customer,
    lines: [itemLine(books.items[0], 1, 6_000_000)],
    tcsSection: '206C(1H)',
  });
  await expect(books.post(scrap)).rejects.toMatchObject({ problems: [{ field: 'tcsSection' }] });
  await bill(4_900_000);
  const shown = await books.context().inTransaction((trx) => priceDraft(trx, books.context(), typed(200_000)));
  expect(shown.priced.tds).toBe('100.00');
  expect(await tdsOf(await bill(200_000))).toBe(100);
  const small = await books.post(
    books.draft('saleInvoice', {
      party: books.customer,
      lines: [itemLine(books.items[0], 1, 100_000)],
      tcsSection: '206C(1F)',
    }),
  );
  expect(small.total).toBe(11_800_000);
});
