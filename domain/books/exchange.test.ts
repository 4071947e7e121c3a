import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOfFile } from '../banking/bank-statement.ts';
import { millionths, money } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import { readRates, restated, worthOf } from './exchange.ts';

test('each part takes its share of the rupees, the last one what is left', () => {
  const item = { name: 'bill', open: 300, worth: 25001 };
  const part = { amount: money('1') };
  expect(worthOf([part, part, part], () => item)).toEqual([8334, 8334, 8333]);
  expect(worthOf([part], () => item)).toEqual([8334]);
});

test('receivables gain when their currency rises, payables lose; money on account does the opposite', () => {
  const balance = { open: 10_000, worth: 800_000 };
  const at = (owed: boolean, credit: boolean) => restated({ ...balance, owed, credit }, millionths(82_000_000));
  expect([at(true, false), at(true, true), at(false, false), at(false, true)]).toEqual([20000, -20000, -20000, 20000]);
});

test('rates are read whole, or nothing of them', () => {
  const read = (text: string) => readRates(rowsOfFile(text), 'File');
  expect(
    read('Date,Currency,Rate,Purpose,Source\n31-03-2026,usd,"1,083.25",Customs,N. 12/2026\n2026-03-31,JPY,0.61,,'),
  ).toEqual({
    problems: [],
    rates: [
      { currency: 'USD', date: '2026-03-31', purpose: 'customs', rate: 1_083_250_000, source: 'N. 12/2026' },
      { currency: 'JPY', date: '2026-03-31', purpose: 'book', rate: 610_000, source: 'File' },
    ],
  });
  const wrong = read(
    'Date,Currency,Rate\n31-02-2026,USD,83\n31-03-2026,INR,1\n31-03-2026,USD,0\n1-4-2026,USD,83\n01-04-2026,USD,84',
  );
  expect(wrong.problems.map(({ row }) => row)).toEqual([2, 3, 4, 6]);
  expect(read('a,b\n1,2').problems).toEqual([expect.objectContaining({ row: 1 })]);
});

test('law: settled in any parts, of any documents in any order, the rupees come to what was booked', () => {
  const bill = fc.record({
    worth: fc.integer({ min: 1, max: 10 ** 13 }),
    parts: fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 6 }),
  });
  const law = fc.property(fc.array(bill, { minLength: 1, maxLength: 4 }), fc.nat(), (bills, seed) => {
    const parts = bills
      .flatMap(({ parts }, at) => parts.map((amount) => ({ at, amount: paise(amount) })))
      .sort((a, b) => ((a.amount * 31 + seed) % 97) - ((b.amount * 31 + seed) % 97));
    const taken = worthOf(parts, (index) => {
      const { at } = parts[index] ?? { at: 0 };
      const { worth, parts: own } = bills[at] ?? { worth: 0, parts: [] };
      return { name: String(at), open: own.reduce((t, p) => t + p, 0), worth };
    });
    for (const [at, { worth }] of bills.entries()) {
      const all = taken.filter((_, i) => parts[i]?.at === at);
      expect(all.reduce((t, x) => t + x, 0)).toBe(worth);
      expect(all.every((x) => x >= 0)).toBe(true);
    }
  });
  fc.assert(law, { numRuns: 300 });
});
