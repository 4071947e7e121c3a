import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, money } from '../../../../domain/base/decimal.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import { Problems } from '../../../kit/problems.ts';

const { open, more, close } = manyBooks();
beforeAll(open);
afterAll(close);

/** The problems by field, with the code where a reason lets it pass. */
const outcomeIn =
  (books: TestBooks) =>
  (kind: string, typed: Partial<Draft>): Promise<unknown> =>
    books.post(books.draft(kind, { date: TODAY, ...typed })).then(
      ({ warnings = [] }) => ['posted', ...warnings.map(({ code }) => code)],
      (error) => {
        if (!(error instanceof Problems)) throw error;
        return error.problems.map(({ field, code, row }) => [field, code, ...(row === undefined ? [] : [row])]);
      },
    );
const desk = async (cash?: string) => {
  const books = await more({ isAllowNegative: true });
  const [box, bank, power, capital] = await Promise.all(['1110', '1121', '6420', '3110'].map(books.ledger));
  const outcome = outcomeIn(books);
  const entry = (ledger = '', debit = '0', credit = '0') => ({
    ledger,
    ...(debit === '0' ? { credit: money(credit) } : { debit: money(debit) }),
  });
  if (cash) {
    const lines = [entry(box, cash), entry(capital, '0', cash)];
    await books.post(books.draft('openingBalance', { date: '2026-04-01', lines }));
  }
  const expense = (rupees: number, typed: Partial<Draft> = {}) =>
    outcome('expense', {
      ...{ moneyLedger: box ?? '', reference: `E-${rupees}` },
      lines: [{ ledger: power ?? '', rate: millionths(rupees * 1_000_000) }],
      ...typed,
    });
  return { books, box: box ?? '', bank: bank ?? '', power, outcome, entry, expense };
};

test('more cash than is there goes out with a reason: of money, of what is paid on the spot, of what is written', async () => {
  const { books, box, bank, power, outcome, entry, expense } = await desk('1000');
  const accepted = ['cashBelowZero', 'cashSpentBelowZero'].map((warning) => ({ warning, reason: 'Lent by the owner' }));
  const pay = (amount: string, typed: Partial<Draft> = {}) =>
    outcome('payment', { party: books.supplier, moneyLedger: box, amount: money(amount), ...typed });
  expect(await pay('1000.01')).toEqual([['moneyLedger', 'cashBelowZero']]);
  expect(await expense(1001)).toEqual([['moneyLedger', 'cashSpentBelowZero']]);
  const lines = [entry(power, '1001'), entry(box, '0', '1001')];
  expect(await outcome('manualJournal', { lines })).toEqual([['lines.credit', 'cashBelowZero', 1]]);
  expect(await outcome('contra', { lines: [entry(bank, '1001'), entry(box, '0', '1001')] })).toEqual([
    ['lines.credit', 'cashBelowZero', 1],
  ]);
  expect(await expense(400)).toEqual(['posted']);
  // what is taken out on an earlier day is missing later
  expect(await pay('601', { date: '2026-05-01' })).toEqual([['moneyLedger', 'cashBelowZero']]);
  expect(await pay('600', { date: '2026-05-01' })).toEqual(['posted']);
  expect(await pay('1', { accepted })).toEqual(['posted', 'cashBelowZero']);
  // before anything was there
  const before = [{ warning: 'beforeBooks', reason: 'The day before is meant' }];
  expect(await pay('1', { date: '2026-03-31', accepted: before })).toEqual([['moneyLedger', 'cashBelowZero']]);
  // money that comes in, and the bank, ask nothing
  expect(await outcome('saleReceipt', { party: books.customer, moneyLedger: box, amount: money('5') })).toEqual([
    'posted',
  ]);
  expect(await outcome('payment', { party: books.supplier, moneyLedger: bank, amount: money('5000') })).toEqual([
    'posted',
  ]);
});

test('where no cash was put in yet it is only said', async () => {
  const { outcome, box, books, expense } = await desk();
  const pay = (typed: Partial<Draft> = {}) =>
    outcome('payment', { party: books.supplier, moneyLedger: box, amount: money('5'), ...typed });
  expect(await pay()).toEqual(['posted', 'cashNotOpened']);
  expect(await expense(5)).toEqual(['posted', 'cashSpentNotOpened']);
  await outcome('saleReceipt', { party: books.customer, moneyLedger: box, amount: money('5') });
  expect(await pay()).toEqual([['moneyLedger', 'cashBelowZero']]);
});

test('of two payments at once the second finds what the first one left', async () => {
  const { books, box, outcome } = await desk('1000');
  const pay = () => outcome('payment', { party: books.supplier, moneyLedger: box, amount: money('700') });
  const both = await Promise.all([pay(), pay()]);
  expect(both.filter((each) => JSON.stringify(each) === '["posted"]')).toHaveLength(1);
});

test('two lakh in cash from one person in a day, or for one invoice, is said', async () => {
  const { books, box, bank, outcome } = await desk();
  const receive = (amount: string, typed: Partial<Draft> = {}) =>
    outcome('saleReceipt', { party: books.customer, moneyLedger: box, amount: money(amount), ...typed });
  expect(await receive('199999.99')).toEqual(['posted']);
  expect(await receive('0.01')).toEqual(['posted', 'cashReceived']);
  expect(await receive('200000', { date: '2026-11-19' })).toEqual(['posted', 'cashReceived']);
  expect(await receive('300000', { moneyLedger: bank })).toEqual(['posted']);
  expect(await outcome('advanceReceipt', { party: books.customer, moneyLedger: box, amount: money('1') })).toEqual([
    ...['posted', 'cashReceived'],
  ]);
  // in two parts on two days, for one invoice
  const sold = { party: books.customer, lines: [itemLine(books.items[0], 1, 300_000)] };
  const { id } = await books.post(books.draft('saleInvoice', { ...sold, date: '2026-10-01' }));
  const part = (date: string) => receive('150000', { date, allocations: [{ document: id, amount: money('150000') }] });
  expect(await part('2026-10-02')).toEqual(['posted']);
  expect(await part('2026-10-03')).toEqual(['posted', 'cashReceived']);
  // a sale that is paid on the spot, to a customer or without a party
  const billTo = { line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001', country: 'IN' };
  const sale = (rupees: number, typed: Partial<Draft> = { partyName: 'Ravi', billTo }) =>
    outcome('cashSale', { date: '2026-10-05', lines: [itemLine(books.items[0], 1, rupees)], ...typed });
  expect(await sale(169_491)).toEqual(['posted']);
  expect(await sale(169_492)).toEqual(['posted', 'cashSaleAboveLimit']);
  expect(await sale(100_000, { party: books.customer })).toEqual(['posted']);
  expect(await sale(100_000, { party: books.customer })).toEqual(['posted', 'cashSaleAboveLimit']);
  const tenders = [{ ledger: bank, amount: money('236000') }];
  expect(await sale(200_000, { tenders, partyName: 'Ravi', billTo })).toEqual(['posted']);
});

test('more than ten thousand in cash to one person in a day is said; money that goes back to a customer is none', async () => {
  const { books, box, bank, outcome, entry, expense } = await desk('900000');
  const pay = (amount: string, typed: Partial<Draft> = {}) =>
    outcome('payment', { party: books.supplier, moneyLedger: box, amount: money(amount), ...typed });
  expect(await pay('10000')).toEqual(['posted']);
  expect(await pay('0.01')).toEqual(['posted', 'cashPaid']);
  expect(await pay('10000.01', { date: '2026-11-19' })).toEqual(['posted', 'cashPaid']);
  expect(await pay('50000', { moneyLedger: bank })).toEqual(['posted']);
  expect(await outcome('advancePayment', { party: books.supplier, moneyLedger: box, amount: money('5') })).toEqual([
    ...['posted', 'cashPaid'],
  ]);
  expect(await expense(10_000)).toEqual(['posted']);
  expect(await expense(10_001)).toEqual(['posted', 'cashSpentAboveLimit']);
  expect(await expense(1, { party: books.supplier })).toEqual(['posted', 'cashSpentAboveLimit']);
  expect(await outcome('contra', { lines: [entry(bank, '60000'), entry(box, '0', '60000')] })).toEqual(['posted']);
  const { id } = await books.post(
    books.draft('saleReceipt', { party: books.customer, moneyLedger: bank, amount: money('20000') }),
  );
  const allocations = [{ document: id, amount: money('20000') }];
  expect(
    await outcome('refund', { party: books.customer, moneyLedger: box, amount: money('20000'), allocations }),
  ).toEqual(['posted']);
});
