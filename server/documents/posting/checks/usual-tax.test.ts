import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, percentage } from '../../../../domain/base/decimal.ts';
import type { DraftLine } from '../../../../domain/document/document.ts';
import { manyBooks, type TestBooks } from '../../../../tools/testing/books.ts';
import { Problems } from '../../../kit/problems.ts';
import { editorFacts } from '../../drafts/editor-facts.ts';

const { open, more, close } = manyBooks();
let books: TestBooks;
beforeAll(async () => {
  await open();
  books = await more();
});
afterAll(close);

/** An expense of ₹5 on a ledger of the default chart, of nobody who is registered or of the supplier. */
const spent = async (code: string, line: Partial<DraftLine> = {}) => {
  const [ledger, moneyLedger] = [await books.ledger(code), await books.ledger('1121')];
  const party = line.gstRate ? { party: books.supplier } : {};
  const lines = [{ ledger, rate: millionths(5_000_000), ...line }];
  return books.post(books.draft('expense', { reference: `E-${code}`, moneyLedger, ...party, lines })).then(
    ({ id }) => id,
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, code: said }) => [field, said]);
    },
  );
};

test.each(['5210', '6410', '6435', '6460'])('an expense on %s without a code asks who pays its tax', async (code) => {
  expect(await spent(code)).toEqual([['reverseCharge', 'notifiedReverseCharge']]);
  expect(await spent(code, { hsn: '998311' })).toBeTypeOf('string');
});

test.each(['1720', '1750', '6130'])('the tax of an expense on %s is no credit without a reason', async (code) => {
  const taxed = { gstRate: percentage('18') };
  expect(await spent(code, taxed)).toEqual([['lines.creditBlocked', 'creditBlockedByLaw']]);
  expect(await spent(code, { ...taxed, creditBlocked: true })).toBeTypeOf('string');
});

test('corporate social responsibility gives no credit by itself', async () => {
  const taxed = { gstRate: percentage('18') };
  expect(await spent('6535', { ...taxed, creditBlocked: false })).toEqual([
    ['lines.creditBlocked', 'creditBlockedByLaw'],
  ]);
  const id = await spent('6535', taxed);
  expect(id).toBeTypeOf('string');
});

test('the editor proposes what is usual of a ledger', async () => {
  const ledgers = await Promise.all(['6435', '6535', '6420'].map(books.ledger));
  const asked = { parties: [], items: [], ledgers, documents: [], date: '2026-11-20', kind: 'expense' };
  const facts = await editorFacts(asked, books.context({ grants: new Map([['Expense', 5003]]) }));
  const usual = Object.fromEntries(facts.ledgers.map((each) => [each['code'], [each['hsn'], each['creditBlocked']]]));
  expect(usual).toEqual({ 6435: ['9982', undefined], 6535: [undefined, true], 6420: [undefined, undefined] });
});
