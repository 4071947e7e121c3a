import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OpenEntry, type OpenLine, ruleFor, suggest, wayNames, ways, waysFor, wayTaken } from './bank-matching.ts';
import { kindOf } from './kinds/index.ts';
import { paise } from './money.ts';

const line = (id: string, date: string, amount: number, text = ''): OpenLine => ({
  id,
  date,
  amount: paise(amount),
  text,
  reference: '',
});
const entry = (key: string, date: string, amount: number, ...marks: string[]): OpenEntry => ({
  key,
  date,
  amount: paise(amount),
  marks,
});

test('a word that the bank repeats tells alike amounts apart, and a cheque may come months later', () => {
  const lines = [
    line('a', '2026-04-05', 500, 'NEFT/ASHA TRADERS/N0042'),
    line('b', '2026-06-20', -900, 'CHQ PAID 000731'),
  ];
  const entries = [
    entry('1', '2026-04-05', 500, 'Bina Stores'),
    entry('2', '2026-04-04', 500, 'RC/26-27/0007', 'Asha Traders'),
    entry('3', '2026-04-02', -900, '000731'),
  ];
  expect(suggest(lines, entries)).toEqual([
    { line: 'a', entry: '2', by: 'reference' },
    { line: 'b', entry: '3', by: 'reference' },
  ]);
});

test('by the amount alone only what is the only one of its amount near the day', () => {
  expect(suggest([line('a', '2026-04-05', 500)], [entry('1', '2026-04-03', 500)])).toEqual([
    { line: 'a', entry: '1', by: 'amount' },
  ]);
  expect(
    suggest([line('a', '2026-04-05', 500)], [entry('1', '2026-04-03', 500), entry('2', '2026-04-04', 500)]),
  ).toEqual([]);
  expect(
    suggest([line('a', '2026-04-05', 500), line('b', '2026-04-06', 500)], [entry('1', '2026-04-03', 500)]),
  ).toEqual([]);
  expect(suggest([line('a', '2026-04-30', 500)], [entry('1', '2026-04-03', 500)])).toEqual([]);
  expect(suggest([line('a', '2026-04-05', 500)], [entry('1', '2026-04-05', -500)])).toEqual([]);
});

test('whatever is open, nothing is used twice and the amounts agree', () => {
  const amount = fc.integer({ min: -3, max: 3 }).filter((n) => n !== 0);
  const date = fc.integer({ min: 1, max: 28 }).map((d) => `2026-04-${String(d).padStart(2, '0')}`);
  const word = fc.constantFrom('ASHA', 'BINA', 'N0042', '');
  fc.assert(
    fc.property(fc.array(fc.tuple(date, amount, word)), fc.array(fc.tuple(date, amount, word)), (ls, es) => {
      const lines = ls.map(([d, a, w], n) => line(`l${n}`, d, a, w));
      const entries = es.map(([d, a, w], n) => entry(`e${n}`, d, a, w));
      const found = suggest(lines, entries);
      expect(new Set(found.map((s) => s.line)).size).toBe(found.length);
      expect(new Set(found.map((s) => s.entry)).size).toBe(found.length);
      for (const s of found)
        expect(lines.find((l) => l.id === s.line)?.amount).toBe(entries.find((e) => e.key === s.entry)?.amount);
    }),
  );
});

test('a rule says more the longer its text; one that goes the other way is none', () => {
  const rule = (id: string, holds: string, way: (typeof wayNames)[number], ledger: string | null = null) => ({
    id,
    holds,
    way,
    ledger,
  });
  const rules = [
    rule('1', 'UPI', 'receipt'),
    rule('2', 'upi-asha', 'receipt'),
    rule('3', 'UPI-ASHA TRADERS', 'payment'),
    rule('4', 'UPI ASHA T', 'receipt', 'other'),
  ];
  expect(ruleFor(rules, 'bank', line('a', '2026-04-05', 500, 'UPI/Asha Traders'))?.id).toBe('2');
  expect(ruleFor(rules, 'bank', line('a', '2026-04-05', -500, 'UPI/Asha Traders'))?.id).toBe('3');
  expect(ruleFor(rules, 'bank', line('a', '2026-04-05', 500, 'NEFT'))).toBeUndefined();
});

test('each way leads to a kind that takes money the way it goes', () => {
  for (const name of wayNames) expect(kindOf(ways[name].kind).system).toBeUndefined();
  expect(['expense', 'payment'].map((way) => wayTaken(way as 'expense', -1_050, true))).toEqual(['journal', 'payment']);
  expect(wayTaken('expense', -1_000, true)).toBe('expense');
  expect(wayTaken('expense', -1_050, false)).toBe('expense');
  expect(waysFor(1)).toEqual(['receipt', 'contra', 'journal']);
  expect(waysFor(-1)).toEqual(['payment', 'expense', 'contra', 'journal']);
});
