import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths } from '../../../../domain/base/decimal.ts';
import { manyBooks, type TestBooks } from '../../../../tools/testing/books.ts';
import { Problems } from '../../../kit/problems.ts';

const { open, more, close } = manyBooks();
let books: TestBooks;
beforeAll(async () => {
  await open();
  books = await more();
});
afterAll(close);

const spent = async (code: string, accepted: { warning: string; reason: string }[] = []) => {
  const [ledger, moneyLedger] = [await books.ledger(code), await books.ledger('1121')];
  const lines = [{ ledger, rate: millionths(5_000_000), treatment: 'nonGst' as const }];
  return books.post(books.draft('expense', { reference: `E-${code}`, moneyLedger, lines, accepted })).then(
    () => 'posted',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, row, code: said }) => [field, row, said]);
    },
  );
};

test.each(['3110', '4110', '4210', '5310'])('an expense on %s needs a reason', async (code) => {
  expect(await spent(code)).toEqual([['lines.ledger', 0, 'spentElsewhere']]);
  expect(await spent(code, [{ warning: 'spentElsewhere', reason: 'Drawn for the owner' }])).toBe('posted');
});

test.each(['6415', '6420', '1770', '1710'])('an expense on %s needs none', async (code) => {
  expect(await spent(code)).toBe('posted');
});
