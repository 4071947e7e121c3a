import { expect, test } from 'vitest';
import { millionths, ONE } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import type { Draft, DraftLine } from '../document/document.ts';
import { type KindName, kindOf } from '../document/kinds/index.ts';
import { currencyProblems } from './currency-ledgers.ts';

const currencies = new Map([['eefc', 'USD']]);
const draft = (more: Partial<Draft>): Draft => ({
  ...{ kind: 'x', date: '2026-05-01', registration: 'r', location: 'l', currency: 'INR' },
  ...{ exchangeRate: millionths(ONE), lines: [], ...more },
});
const problems = (kind: KindName, more: Partial<Draft>) =>
  currencyProblems(kindOf(kind), draft(more), { currencies }).map(({ field, row }) => [field, row]);
const line = (ledger: string, foreign?: number): DraftLine => ({
  ledger,
  ...(foreign !== undefined && { foreign: paise(foreign) }),
});

test('a document moves a ledger of its own currency only', () => {
  expect(problems('saleReceipt', { moneyLedger: 'eefc' })).toEqual([['moneyLedger', undefined]]);
  expect(problems('saleReceipt', { moneyLedger: 'eefc', currency: 'EUR' })).toEqual([['moneyLedger', undefined]]);
  expect(problems('saleReceipt', { moneyLedger: 'eefc', currency: 'USD' })).toEqual([]);
  expect(problems('saleReceipt', { moneyLedger: 'bank', currency: 'USD' })).toEqual([]);
  expect(
    problems('cashSale', {
      tenders: [
        { ledger: 'bank', amount: paise(1) },
        { ledger: 'eefc', amount: paise(1) },
      ],
    }),
  ).toEqual([['tenders.ledger', 1]]);
  expect(problems('expense', { lines: [line('eefc')] })).toEqual([['lines.ledger', 0]]);
});

test('a line of a journal says how much of the currency, or that only rupees change', () => {
  expect(problems('contra', { lines: [line('bank'), line('eefc')] })).toEqual([['lines.foreign', 1]]);
  expect(problems('contra', { lines: [line('bank'), line('eefc', 500)] })).toEqual([]);
  expect(problems('contra', { lines: [line('bank'), line('eefc', 0)] })).toEqual([]);
  expect(problems('contra', { lines: [line('bank', 500), line('eefc', -1)] })).toEqual([
    ['lines.foreign', 0],
    ['lines.foreign', 1],
  ]);
});

test('without such ledgers nothing is asked', () => {
  expect(currencyProblems(kindOf('contra'), draft({ lines: [line('eefc')] }), {})).toEqual([]);
});
