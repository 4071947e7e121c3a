import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paise } from '../base/money.ts';
import { kindOf } from '../document/kinds/index.ts';
import {
  type Due,
  type OpenEntry,
  type OpenLine,
  ruleFor,
  settles,
  suggest,
  wayNames,
  ways,
  waysFor,
  wayTaken,
} from './bank-matching.ts';

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

test('equal amounts are distinguished by a word that the bank repeats; a cheque may come months later', () => {
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

test('of the rules that hold the first counts; one that goes the other way is none', () => {
  const rule = (id: string, holds: string, way: (typeof wayNames)[number], ledger: string | null = null) => ({
    ...{ id, holds, way, ledger },
    place: 10 - Number(id),
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

test('a line settles what its text names, else the dues of the party named, else the only one of its amount', () => {
  const due = (document: string, party: string, open: number, more: Partial<Due> = {}): Due => ({
    ...{ document, line: 0, party, name: party, owed: true, date: '2026-04-01', due: '2026-05-01', open: paise(open) },
    ...{ number: document, marks: [document] },
    ...more,
  });
  const dues = [
    due('INV/26-27/0004', 'Asha Traders', 500),
    due('INV/26-27/0009', 'Asha Traders', 300, { due: '2026-04-20' }),
    due('INV/26-27/0011', 'Bina Stores Limited', 700),
    due('INV/26-27/0012', 'Chand and Sons', 700),
    due('HV-77', 'Mill Works', 900, { owed: false }),
  ];
  const of = (amount: number, text: string) => settles([line('a', '2026-06-01', amount, text)], dues)[0];
  expect(of(500, 'NEFT INV 26-27 0004')).toMatchObject({
    by: 'number',
    dues: [{ number: 'INV/26-27/0004', amount: 500 }],
  });
  // the one due first takes its share before the other
  expect(of(600, 'UPI/ASHATRADERS/x')).toMatchObject({ by: 'party', dues: [{ amount: 300 }, { amount: 300 }] });
  expect(of(500, 'UPI ASHA TRADERS')).toMatchObject({ dues: [{ number: 'INV/26-27/0004', amount: 500 }] });
  expect(of(300, 'CASH DEP')).toMatchObject({ by: 'amount', party: 'Asha Traders' });
  expect(of(700, 'CASH DEP')).toBeUndefined();
  expect(of(-900, 'CASH PAID')).toMatchObject({ way: 'payment', party: 'Mill Works' });
  expect(of(900, 'CASH DEP')).toBeUndefined();
  // nothing is given twice, and two lines of one amount are in doubt
  const twice = [line('a', '2026-06-01', 500, 'ASHA TRADERS'), line('b', '2026-06-02', 500, 'ASHA TRADERS')];
  expect(settles(twice, dues).map((s) => s.dues.map((d) => d.amount))).toEqual([[500], [300]]);
  expect(settles([line('a', '2026-06-01', 300, 'x'), line('b', '2026-06-02', 300, 'y')], dues)).toEqual([]);
});

test('each way leads to a kind that takes money the way it goes', () => {
  for (const name of wayNames) expect(kindOf(ways[name].kind).life.system).toBeUndefined();
  expect(['expense', 'payment'].map((way) => wayTaken(way as 'expense', -1_050, true))).toEqual(['journal', 'payment']);
  expect(wayTaken('expense', -1_000, true)).toBe('expense');
  expect(wayTaken('expense', -1_050, false)).toBe('expense');
  expect(waysFor(1)).toEqual(['receipt', 'contra', 'journal']);
  expect(waysFor(-1)).toEqual(['payment', 'expense', 'contra', 'journal']);
});
