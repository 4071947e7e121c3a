import fc from 'fast-check';
import { expect, test } from 'vitest';
import { combinationKey, combinations, valueCode } from './variants.ts';

const shirt = { sku: 'SHIRT', name: 'Oxford shirt' };
const colour = { id: 'c', name: 'Colour', values: [{ value: 'Sky blue', code: 'BLU' }, { value: 'White' }] };
const size = { id: 's', name: 'Size', values: [{ value: 'S' }, { value: 'M' }, { value: 'XL' }] };

test('every combination gets an SKU and a name of its own, the last attribute changing fastest', () => {
  const rows = combinations(shirt, [colour, size]);
  expect(rows.map(({ sku }) => sku)).toEqual([
    'SHIRT-BLU-S',
    'SHIRT-BLU-M',
    'SHIRT-BLU-XL',
    'SHIRT-WHITE-S',
    'SHIRT-WHITE-M',
    'SHIRT-WHITE-XL',
  ]);
  expect(rows[0]?.name).toBe('Oxford shirt Sky blue S');
  expect(combinations(shirt, [])).toEqual([]);
  expect(valueCode({ value: '8.5 UK' })).toBe('85UK');
});

test('whatever the values: as many as their product, no two alike, and every SKU is a code', () => {
  const values = fc
    .uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 })
    .map((all) => all.map((value) => ({ value })));
  const attribute = fc.record({ id: fc.uuid(), name: fc.constant('Any'), values });
  fc.assert(
    fc.property(fc.array(attribute, { minLength: 1, maxLength: 3 }), (attributes) => {
      const rows = combinations({ sku: 'A-LONG-SKU-OF-27-CHARACTERS', name: 'Item' }, attributes);
      expect(rows).toHaveLength(attributes.reduce((product, { values: all }) => product * all.length, 1));
      expect(new Set(rows.map(({ sku }) => sku)).size).toBe(rows.length);
      expect(new Set(rows.map(({ values: all }) => combinationKey(all))).size).toBe(rows.length);
      for (const { sku } of rows) expect(sku).toMatch(/^[A-Z0-9][A-Z0-9_./-]{0,31}$/);
    }),
  );
});
