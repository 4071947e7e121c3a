import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money } from '../base/decimal.ts';
import { minus, paise, zero } from '../base/money.ts';
import { chart } from '../facts/chart-of-accounts.ts';
import { drawStatement, type StatementBalance, type StatementRow } from './statement.ts';

const ledgers = chart.filter((row) => row.kind === 'ledger');
const balance = (code: string, amount: string, previous = '0'): StatementBalance => {
  const row = ledgers.find((r) => r.code === code);
  if (!row) throw new Error(`no ledger ${code}`);
  return {
    ledger: `L${code}`,
    code,
    name: row.name,
    nature: row.type,
    schedule3: row.schedule3,
    amount: money(amount),
    previous: money(previous),
  };
};
const amountOf = (rows: readonly StatementRow[], name: string) => rows.find((r) => r.name === name)?.amount;

const byLine = (line: string): string => ledgers.find((r) => r.schedule3 === line)?.code ?? '';
const [bank, debtors, creditors, capital, sales, purchases, stock] = [
  'A.2d',
  'A.2c',
  'EL.4b.B',
  'EL.1a',
  'PL.I',
  'PL.IV.b',
  'A.2b',
].map(byLine) as [string, string, string, string, string, string, string];

describe('a small shop', () => {
  const books = [
    balance(bank, '700'),
    balance(debtors, '500'),
    balance(creditors, '-300'),
    balance(capital, '-600'),
    balance(sales, '-1000'),
    balance(purchases, '700'),
  ];

  test('profit and loss', () => {
    const rows = drawStatement('profitAndLoss', books);
    expect(amountOf(rows, 'Total income')).toBe(money('1000'));
    expect(amountOf(rows, 'Total expenses')).toBe(money('700'));
    expect(amountOf(rows, 'Profit for the period')).toBe(money('300'));
    expect(rows.filter((r) => r.ledger).map((r) => [r.ledger, r.amount])).toEqual([
      [`L${sales}`, money('1000')],
      [`L${purchases}`, money('700')],
    ]);
  });

  test('the profit joins equity and both sides agree', () => {
    const rows = drawStatement('balanceSheet', books);
    expect(amountOf(rows, 'Profit for the period')).toBe(money('300'));
    expect(amountOf(rows, "Shareholders' funds")).toBe(money('900'));
    expect(amountOf(rows, 'Total equity and liabilities')).toBe(money('1200'));
    expect(amountOf(rows, 'Total assets')).toBe(money('1200'));
  });
});

test('an overdrawn bank, a debtor in credit and a creditor in debit change sides, each column for itself', () => {
  const rows = drawStatement('balanceSheet', [
    balance(bank, '-100', '50'),
    balance(debtors, '-20'),
    balance(creditors, '30'),
    balance(capital, '90', '-50'),
  ]);
  const at = (name: string) => rows.find((r) => r.name.startsWith(name) && !r.ledger);
  expect(at('Short-term borrowings')).toMatchObject({ amount: money('100'), previous: zero });
  expect(at('Cash and cash')).toMatchObject({ amount: zero, previous: money('50') });
  expect(at('Other current liabilities')?.amount).toBe(money('20'));
  expect(at('Short-term loans')?.amount).toBe(money('30'));
});

describe('periodic books', () => {
  const worth = { ledger: `L${stock}`, code: stock, name: 'Stock', previous: zero, previousChange: zero };

  test('the stock on hand is in the balance sheet, what it changed by in the profit', () => {
    const books = [balance(stock, '100'), balance(capital, '-100'), balance(purchases, '50'), balance(bank, '-50')];
    const closing = { ...worth, amount: money('130'), change: money('-30') };
    expect(amountOf(drawStatement('profitAndLoss', books, closing), 'Profit for the period')).toBe(money('-20'));
    const sheet = drawStatement('balanceSheet', books, closing);
    expect(amountOf(sheet, 'Inventories')).toBe(money('130'));
    expect(amountOf(sheet, 'Profit for the period')).toBe(money('-20'));
    expect(amountOf(sheet, 'Total assets')).toBe(amountOf(sheet, 'Total equity and liabilities'));
  });

  test('of what the ledger does not hold, only the growth of this year is profit; the rest was earned before', () => {
    // nothing was ever posted to the ledger: 80 in stock a year ago, 130 now
    const books = [balance(capital, '-100'), balance(purchases, '50'), balance(bank, '50')];
    const closing = { ...worth, amount: money('130'), change: money('-50') };
    const sheet = drawStatement('balanceSheet', books, closing);
    expect(amountOf(sheet, 'Profit for the period')).toBe(zero);
    expect(amountOf(sheet, 'Stock of earlier years')).toBe(money('80'));
    expect(amountOf(sheet, 'Total assets')).toBe(amountOf(sheet, 'Total equity and liabilities'));
    expect(sheet.filter((r) => r.ledger === '')).toEqual([]);
  });
});

test('a ledger without a line is shown by its nature', () => {
  const own = { ...balance(sales, '-5'), schedule3: null };
  expect(amountOf(drawStatement('profitAndLoss', [own]), 'Other income')).toBe(money('5'));
});

test('whatever balances, both sides agree in both columns and show every ledger', () => {
  const amount = fc.integer({ min: -1_000_000, max: 1_000_000 });
  const some = fc.array(fc.tuple(fc.constantFrom(...ledgers), amount, amount), { maxLength: 25 });
  fc.assert(
    fc.property(some, (picked) => {
      const books: StatementBalance[] = picked.map(([row, now, before], i) => ({
        ...balance(row.code, '0'),
        ledger: `${i}`,
        amount: paise(now),
        previous: paise(before),
      }));
      const sum = (of: (b: StatementBalance) => number) => paise(books.reduce((t, b) => t + of(b), 0));
      books.push({
        ...balance(capital, '0'),
        ledger: 'rest',
        amount: minus(sum((b) => b.amount)),
        previous: minus(sum((b) => b.previous)),
      });
      const sheet = drawStatement('balanceSheet', books);
      const profit = drawStatement('profitAndLoss', books);
      const side = (name: string) => sheet.find((r) => r.name === name);
      expect(side('Total assets')?.amount).toBe(side('Total equity and liabilities')?.amount);
      expect(side('Total assets')?.previous).toBe(side('Total equity and liabilities')?.previous);
      const shown = new Set([...sheet, ...profit].flatMap((r) => r.ledger ?? []));
      const wanted = books.filter((b) => b.amount !== 0 || b.previous !== 0).map((b) => b.ledger);
      expect(shown).toEqual(new Set(wanted));
    }),
  );
});
