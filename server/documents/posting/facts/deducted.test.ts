import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../../domain/base/money.ts';
import { itemLine, manyBooks, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import { editorFacts } from '../../drafts/editor-facts.ts';

const { open, more, close } = manyBooks();
let books: TestBooks;
beforeAll(async () => {
  await open();
  books = await more();
});
afterAll(close);

test('the editor knows what a party was paid under each section in the tax year and the month, cancelled ones left out', async () => {
  const bill = (date: string, rate: number, section = '194C') =>
    books.post(
      books.draft('purchaseBill', {
        party: books.supplier,
        date,
        reference: 'W-1',
        referenceDate: date,
        tdsSection: section,
        lines: [itemLine(books.items[0], 1, rate)],
      }),
    );
  await bill('2026-03-31', 9000); // the year before
  await bill('2026-04-02', 100_000);
  const gone = await bill('2026-11-03', 50_000);
  await books.cancel(gone.id);
  await bill('2026-11-04', 70_000);
  await bill('2026-11-05', 60, '194J(b)');
  await books.post(
    books.draft('advancePayment', {
      party: books.supplier,
      amount: paise(19800),
      tdsSection: '194C',
      tdsAmount: paise(200),
      moneyLedger: await books.ledger('1121'),
    }),
  );
  const context = { ...books.context(), grants: new Map([['Purchase Bills', 5003 as const]]) };
  const asked = { parties: [books.supplier], items: [], ledgers: [], documents: [], date: TODAY, kind: 'purchaseBill' };
  const { parties } = await editorFacts(asked, context);
  expect(parties[0]).toMatchObject({ deductee: 'company' });
  const { deducted } = parties[0] as { deducted: { section: string }[] };
  expect(deducted.sort((a, b) => (a.section < b.section ? -1 : 1))).toEqual([
    {
      ...{ section: '194C', year: '170200.00', yearDeducted: '170200.00' },
      ...{ month: '70200.00', monthDeducted: '70200.00', ahead: '200.00', aheadTaxed: '200.00' },
    },
    // below the threshold nothing is deducted
    { section: '194J(b)', year: '60.00', yearDeducted: '0.00', month: '60.00', monthDeducted: '0.00' },
  ]);
});
