import { expect, test } from 'vitest';
import { type Line, type LineFilter, listed, nextOpen, withEntered } from './counts.ts';

const lineOf = (line: number, more: Partial<Line> = {}): Line => ({
  ...{ line, item: `i${line}`, sku: `SKU-${line}`, name: `Item ${line}`, unit: 'NOS', room: null, roomName: null },
  ...{
    batch: '',
    expiry: null,
    batched: false,
    serialised: false,
    asked: true,
    counts: [],
    counted: null,
    books: null,
  },
  ...more,
});
const counted = (line: number): Line =>
  lineOf(line, {
    counted: '5',
    counts: [{ by: 'Asha', mine: true, round: 1, quantity: '5', serials: [], at: '2026-11-21T10:00:00Z' }],
  });
const lines = [lineOf(1), counted(2), lineOf(3, { name: 'Ceiling fan' })];
const numbers = (filter: Partial<LineFilter>, round = 1) =>
  listed(lines, round, { shows: 'all', among: null, typed: '', ...filter }).map(({ line }) => line);

test('lines of a count: what was entered here takes the place of what was read, and a new line comes last', () => {
  const entered = new Map([
    [1, counted(1)],
    [9, counted(9)],
  ]);
  expect(withEntered(lines, entered).map(({ line, counted: quantity }) => [line, quantity])).toEqual([
    [1, '5'],
    [2, '5'],
    [3, null],
    [9, '5'],
  ]);
});

test('filter: all, those to count in the round, those that a code may mean', () => {
  expect([numbers({}), numbers({ shows: 'open' }), numbers({ among: [2, 3] })]).toEqual([
    [1, 2, 3],
    [1, 3],
    [2, 3],
  ]);
  expect(numbers({ shows: 'open' }, 2)).toEqual([1, 2, 3]);
});

test('filter: words are looked for in code, name and batch; a quantity before them is left out', () => {
  expect([numbers({ typed: '3*FAN' }), numbers({ typed: 'sku-2' }), numbers({ typed: 'none' })]).toEqual([
    [3],
    [2],
    [],
  ]);
});

test('next line: the next one below that waits, none after the last', () => {
  expect(nextOpen(lines, lineOf(1), 1)?.line).toBe(3);
  expect(nextOpen(lines, lineOf(3), 1)).toBeUndefined();
});
