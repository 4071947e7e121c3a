import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../../domain/base/money.ts';
import { itemLine, manyBooks } from '../../../../tools/testing/books.ts';
import { Problems } from '../../../kit/problems.ts';

const { open, more, close } = manyBooks();
beforeAll(open);
afterAll(close);

test('what is dated before the opening balances needs a reason; what belongs to them needs none', async () => {
  const books = await more({ isAllowNegative: true });
  const sale = (date: string, accepted: { warning: string; reason: string }[] = []) =>
    books
      .post(
        books.draft('saleInvoice', { date, party: books.customer, lines: [itemLine(books.items[0], 1, 10)], accepted }),
      )
      .then(
        () => 'posted',
        (error) => {
          if (!(error instanceof Problems)) throw error;
          return error.problems.map(({ field, code }) => [field, code]);
        },
      );
  // the test sells before it brings anything in
  const late = [{ warning: 'openingLate', reason: 'A test' }];
  const opening = async (date: string) => {
    const [bank, capital] = [await books.ledger('1121'), await books.ledger('3110')];
    const lines = [
      { ledger: bank, debit: paise(500) },
      { ledger: capital, credit: paise(500) },
    ];
    return books.post(books.draft('openingBalance', { date, lines, accepted: late }));
  };
  // without opening balances nobody knows when the books begin
  expect(await sale('2026-05-30')).toBe('posted');
  const { id } = await opening('2026-06-01');
  expect(await sale('2026-05-31')).toEqual([['date', 'beforeBooks']]);
  expect(await sale('2026-05-31', [{ warning: 'beforeBooks', reason: 'Found later' }])).toBe('posted');
  expect(await sale('2026-06-01')).toBe('posted');
  const stock = { lines: [itemLine(books.items[1], 5, 10)] };
  await books.post(books.draft('openingStock', { date: '2026-05-31', ...stock, accepted: late }));
  await books.cancel(id);
  expect(await sale('2026-05-31')).toBe('posted');
});
