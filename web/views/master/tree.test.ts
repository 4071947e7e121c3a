import fc from 'fast-check';
import { expect, test } from 'vitest';
import { treeOf } from './tree.ts';

const drawn = (pairs: readonly (readonly [string, string])[], closed: readonly string[] = []) =>
  treeOf(
    pairs,
    ([id]) => id,
    ([, parent]) => parent,
    new Set(closed),
  );

test('the children of a row follow it, unless it is closed', () => {
  const pairs = [
    ['bits', 'drills'],
    ['drills', 'tools'],
    ['lamps', ''],
    ['saws', 'tools'],
    ['tools', ''],
    ['lost', 'gone'],
  ] as const;
  const shown = (closed: readonly string[] = []) =>
    drawn(pairs, closed).map(
      ({ row, level, open }) => `${level} ${row[0]}${open === undefined ? '' : open ? ' -' : ' +'}`,
    );
  expect(shown()).toEqual(['0 lamps', '0 tools -', '1 drills -', '2 bits', '1 saws', '0 lost']);
  expect(shown(['drills'])).toEqual(['0 lamps', '0 tools -', '1 drills +', '1 saws', '0 lost']);
  expect(shown(['tools'])).toEqual(['0 lamps', '0 tools +', '0 lost']);
});

test('every row is listed once, also where rows are under each other in a circle', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(name, name), { selector: ([id]) => id }), (pairs) => {
      const rows = drawn(pairs).map(({ row: [id] }) => id);
      expect(rows.toSorted()).toEqual(pairs.map(([id]) => id).toSorted());
    }),
  );
});
