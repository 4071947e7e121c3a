import { describe, expect, test } from 'vitest';
import {
  everHasGst,
  followScheme,
  mixedFrom,
  optionProblems,
  type Status,
  statusDifferences,
  statusOn,
  statusProblems,
} from './registered.ts';

const trader: Status = {
  kind: 'unregistered',
  statuses: [
    { from: '2026-07-01', kind: 'regular' },
    { from: '2026-04-01', kind: 'composition' },
  ],
};

test.each([
  ['2020-01-01', 'unregistered'],
  ['2026-03-31', 'unregistered'],
  ['2026-04-01', 'composition'],
  ['2026-06-30', 'composition'],
  ['2026-07-01', 'regular'],
  ['2030-01-01', 'regular'],
])('on %s it is %s', (day, kind) => expect(statusOn(trader, day)).toBe(kind));

test('GST concerns who is registered on some days', () => {
  expect(everHasGst(trader)).toBe(true);
  expect(everHasGst({ kind: 'regular', statuses: [{ from: '2026-04-01', kind: 'unregistered' }] })).toBe(true);
  expect(everHasGst({ kind: 'unregistered', statuses: [] })).toBe(false);
});

describe('changes of a status', () => {
  test('each has its own day and changes something', () => {
    expect(statusProblems(trader)).toEqual([]);
    const twice = { ...trader, statuses: [...trader.statuses, { from: '2026-04-01', kind: 'sez' as const }] };
    expect(statusProblems(twice)).toMatchObject([{ row: 2, field: 'from' }]);
    const same = { ...trader, statuses: [...trader.statuses, { from: '2026-08-01', kind: 'regular' as const }] };
    expect(statusProblems(same)).toMatchObject([{ row: 2, field: 'kind' }]);
  });
  test('differences of two histories are spans of days', () => {
    expect(statusDifferences(trader, trader)).toEqual([]);
    expect(
      statusDifferences(trader, { kind: 'unregistered', statuses: [{ from: '2026-07-01', kind: 'regular' }] }),
    ).toEqual([{ from: '2026-04-01', to: '2026-07-01', was: 'composition', is: 'unregistered' }]);
    expect(statusDifferences(trader, { ...trader, kind: 'sez' })).toEqual([
      { from: null, to: '2026-04-01', was: 'unregistered', is: 'sez' },
    ]);
    const later = { ...trader, statuses: [...trader.statuses, { from: '2027-04-01', kind: 'composition' as const }] };
    expect(statusDifferences(trader, later)).toEqual([
      { from: '2027-04-01', to: null, was: 'regular', is: 'composition' },
    ]);
  });
});

describe('registrations of one PAN', () => {
  const regular: Status = { kind: 'regular', statuses: [] };
  const opts: Status = { kind: 'regular', statuses: [{ from: '2026-04-01', kind: 'composition' }] };
  test('are mixed from the first day on which one is under composition and the other is not', () => {
    expect(mixedFrom(regular, regular)).toBeUndefined();
    expect(mixedFrom(regular, opts)).toEqual({ from: '2026-04-01' });
    expect(mixedFrom({ kind: 'composition', statuses: [] }, regular)).toEqual({ from: null });
    // without registration there is no scheme, nor once a GSTIN is cancelled
    expect(mixedFrom(opts, { kind: 'unregistered', statuses: [] })).toBeUndefined();
    expect(mixedFrom(opts, { ...regular, stops: [{ what: 'cancelled', from: '2026-03-01' }] })).toBeUndefined();
    const suspended = { ...regular, stops: [{ what: 'suspended' as const, from: '2026-03-01' }] };
    expect(mixedFrom(opts, suspended)).toEqual({ from: '2026-04-01' });
  });
  test('follow one that opts for composition, and one that leaves it', () => {
    expect(followScheme(regular, regular, opts)).toEqual(opts);
    expect(followScheme(opts, opts, regular)).toEqual(regular);
    const later: Status = { kind: 'unregistered', statuses: [{ from: '2026-06-01', kind: 'sez' }] };
    expect(followScheme(later, regular, opts)).toEqual({
      kind: 'unregistered',
      statuses: [{ from: '2026-06-01', kind: 'composition' }],
    });
    // what was not changed now is not touched
    expect(followScheme(trader, regular, { kind: 'sez', statuses: [] })).toEqual({
      kind: 'unregistered',
      statuses: trader.statuses.toReversed(),
    });
  });
});

test('composition begins on 1 April for who charges tax, on any day for who is registered first', () => {
  const at = (from: string, kind: Status['kind'] = 'regular'): Status => ({
    kind,
    statuses: [{ from, kind: 'composition' }],
  });
  expect(optionProblems(undefined, at('2027-04-01'))).toEqual([]);
  expect(optionProblems(undefined, at('2026-10-01', 'unregistered'))).toEqual([]);
  expect(optionProblems(undefined, at('2026-10-01'))).toMatchObject([{ row: 0, field: 'from' }]);
  const back: Status = {
    kind: 'composition',
    statuses: [
      { from: '2026-11-01', kind: 'regular' },
      { from: '2026-11-15', kind: 'composition' },
    ],
  };
  expect(optionProblems(undefined, back)).toMatchObject([{ row: 1 }]);
  // what is kept from before stays
  expect(optionProblems(back, back)).toEqual([]);
});
