import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelFormatNames, labelFormatOf, labelPlaces } from './labels.ts';

test('on every format all labels lie on their page, none on another, and none is lost', () => {
  fc.assert(
    fc.property(fc.constantFrom(...labelFormatNames), fc.nat(300), fc.nat(64), (name, count, skip) => {
      const format = labelFormatOf(name);
      const places = labelPlaces(format, count, skip);
      expect(places).toHaveLength(count);
      const [width, height] = format.size;
      const seen = new Set<string>();
      for (const { page, x, y } of places) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(format.page[0] + 0.001);
        expect(y + height).toBeLessThanOrEqual(format.page[1] + 0.001);
        seen.add(`${page}/${x}/${y}`);
      }
      expect(seen.size).toBe(count);
      expect(format.pitch[0]).toBeGreaterThanOrEqual(width);
      expect(format.pitch[1]).toBeGreaterThanOrEqual(height);
    }),
  );
});

test('the sheets hold what their names say; used up places are left out', () => {
  expect(labelPlaces(labelFormatOf('a4x24'), 25).at(-1)?.page).toBe(1);
  expect(labelPlaces(labelFormatOf('a4x65'), 1, 5)).toEqual([{ page: 0, x: 4.7, y: 31.9 }]);
  expect(labelPlaces(labelFormatOf('roll50x25'), 2, 7).map(({ page }) => page)).toEqual([0, 1]);
});
