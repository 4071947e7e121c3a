import { expect, test } from 'vitest';
import {
  changesOf,
  creditsShown,
  duesShown,
  type Item,
  leftOf,
  problemOf,
  type Standing,
  settleOldestFirst,
  takeBack,
  typing,
} from './settling.ts';

const item = (document: string, side: Item['side'], open: string, more: Partial<Item> = {}): Item => ({
  ...{ document, line: 0, kind: 'saleReceipt', number: document, date: '2026-05-01', dueDate: null, currency: 'INR' },
  ...{ side, original: '1000.00', open, ...more },
});
const credit = item('RC/1', 'customerCredit', '500.00');
const other = item('RC/2', 'customerCredit', '100.00');
const late = item('INV/2', 'receivable', '300.00', { dueDate: '2026-07-01' });
const early = item('INV/1', 'receivable', '250.00', { dueDate: '2026-06-01' });
const bill = item('PB/1', 'payable', '900.00');
const standing: Standing = {
  credits: [credit, other],
  dues: [late, early, bill],
  allocations: [
    {
      ...{ credit: 'RC/1', creditLine: 0, creditNumber: 'RC/1', invoice: 'INV/2', invoiceLine: 0 },
      ...{ invoiceNumber: 'INV/2', amount: '80.00', fixed: '30.00' },
    },
  ],
};

test('what is left moves with every amount typed, on both sides', () => {
  const typed = typing({}, credit, early, '1,200.5');
  expect([leftOf(standing, typed, credit), leftOf(standing, typed, early), leftOf(standing, typed, other)]).toEqual([
    -70050, -95050, 10000,
  ]);
  expect(problemOf(standing, typed, credit, early)).toBe('More than is open of INV/1');
  expect(problemOf(standing, typing({}, credit, early, '12x'), credit, early)).toBe('Enter an amount');
  // less than was settled already gives back
  expect(leftOf(standing, typing({}, credit, late, '30'), credit)).toBe(55000);
});

test('oldest first fills the one due first, on top of what is settled already', () => {
  const typed = settleOldestFirst(standing, {}, credit);
  expect(changesOf(standing, typed)).toEqual([
    { credit: 'RC/1', creditLine: 0, invoice: 'INV/2', invoiceLine: 0, amount: '330.00' },
    { credit: 'RC/1', creditLine: 0, invoice: 'INV/1', invoiceLine: 0, amount: '250.00' },
  ]);
  expect(leftOf(standing, typed, credit)).toBe(0);
});

test('taking back leaves what a document settled', () => {
  const typed = takeBack(standing, {}, credit);
  expect(changesOf(standing, typed).map(({ amount }) => amount)).toEqual(['30.00']);
  expect(problemOf(standing, typing({}, credit, late, '29.99'), credit, late)).toContain('30.00 of it was settled');
  expect(changesOf(standing, typing({}, credit, late, '80'))).toEqual([]);
});

test('what is settled stays out of the way, unless it is chosen, typed or can be taken back', () => {
  const used = item('RC/3', 'customerCredit', '0.00');
  const paid = item('INV/3', 'receivable', '0.00');
  const kept = { ...late, open: '0.00' };
  const whole = { ...standing, credits: [credit, other, used], dues: [kept, early, bill, paid] };
  expect(creditsShown(whole, {}, credit)).toEqual([credit, other]);
  expect(creditsShown(whole, {}, used)).toEqual([credit, other, used]);
  expect(creditsShown(whole, typing({}, used, early, '5'), credit)).toEqual([credit, other, used]);
  expect(duesShown(whole, {}, credit)).toEqual([kept, early]);
  expect(duesShown(whole, {}, other)).toEqual([early]);
  expect(duesShown(whole, typing({}, other, paid, '5'), other)).toEqual([early, paid]);
});
