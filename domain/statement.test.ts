import { expect, test } from 'vitest';
import { paise } from './money.ts';
import { drawStatement, profitOf, type StatementBalance } from './statement.ts';

const row = (code: string, nature: StatementBalance['nature'], amount: number): StatementBalance => ({
  ledger: code,
  code,
  name: code,
  nature,
  schedule3: null,
  amount: paise(amount),
  previous: paise(0),
});
const balances = [
  row('1121', 'asset', 150_000),
  row('2120', 'liability', -30_000),
  row('3110', 'equity', -100_000),
  row('4110', 'income', -50_000),
  row('5110', 'expense', 30_000),
];

test('the profit of the year joins equity, so that both sides of the balance sheet agree', () => {
  expect(profitOf(balances, 'amount')).toBe(20_000);
  const totals = drawStatement('balanceSheet', balances).filter((r) => r.total);
  expect(totals.map((r) => r.amount)).toEqual([150_000, 150_000]);
});

test('profit and loss shows income and expense positive and ends with the profit', () => {
  const rows = drawStatement('profitAndLoss', balances);
  expect(rows.find((r) => r.ledger === '4110')?.amount).toBe(50_000);
  expect(rows.find((r) => r.ledger === '5110')?.amount).toBe(30_000);
  expect(rows.at(-1)).toMatchObject({ name: 'Profit for the period', amount: 20_000 });
});
