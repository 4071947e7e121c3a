import { expect, test } from 'vitest';
import { checks } from '../server/kit/database/invariants/checks.ts';
import { REPLAY, SIGNED } from '../server/kit/database/invariants.ts';
import { LOGGED } from '../server/kit/secrets/logged.ts';
import registers from './registers.json' with { type: 'json' };

/** Checks of the sweep, which run on any database; or why no row of the books could break the invariant. */
type Row = { readonly file: string; readonly test: string } & (
  | { readonly checks: readonly string[] }
  | { readonly because: string }
);

/** INV-60: each invariant is checked on any database, and has a test of the product. */
const invariants: Readonly<Record<string, Row>> = registers.invariants;
const checksOf = (row: Row): readonly string[] => ('checks' in row ? row.checks : []);

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `INV-${String(from + i).padStart(2, '0')}`);
const all = [
  ...numbers(1, 18),
  ...numbers(20, 28),
  ...numbers(30, 48),
  ...numbers(50, 58),
  ...numbers(61, 62),
  'INV-65',
  'INV-66',
  'INV-67',
  'INV-69',
  'INV-70',
  'INV-71',
  'INV-72',
  'INV-82',
  'INV-84',
  'INV-85',
  'INV-86',
  'INV-91',
  'INV-92',
  'INV-93',
  'INV-94',
  'INV-95',
  'INV-96',
];

test('INV-60: every invariant has its row', () => {
  expect(Object.keys(invariants).sort()).toEqual(all.sort());
});

test('INV-60: every check of the sweep belongs to one, and each row names checks that there are', () => {
  const swept = [...checks.map(({ id }) => id), REPLAY.id, LOGGED.id, SIGNED.id].sort();
  expect(Object.values(invariants).flatMap(checksOf).sort()).toEqual(swept);
  for (const [id, row] of Object.entries(invariants))
    for (const check of checksOf(row)) expect(check.replace(/[a-z]$/, '')).toBe(id);
});
