import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDecimal, ONE } from '../base/decimal.ts';
import { conversionProblem, inBase, priceFrom, priceIn, ratioFrom, ratioText, unitRatios } from './units.ts';

const of = (from: string, to: string, factor: string, own = false) => ({ from, to, factor, own });

test('units are reached along chains, both ways, without rounding; what holds for the item goes first', () => {
  const all = [of('BOX', 'NOS', '12'), of('CTN', 'BOX', '10')];
  expect(unitRatios('NOS', all)).toEqual({
    NOS: { base: 1, per: 1 },
    BOX: { base: 12, per: 1 },
    CTN: { base: 120, per: 1 },
  });
  expect(unitRatios('BOX', all)).toMatchObject({ NOS: { base: 1, per: 12 }, CTN: { base: 10, per: 1 } });
  expect(unitRatios('NOS', [...all, of('BOX', 'NOS', '6', true)])).toMatchObject({
    BOX: { base: 6, per: 1 },
    CTN: { base: 60, per: 1 },
  });
  expect(unitRatios('KGS', [of('GMS', 'KGS', '0.001')])).toMatchObject({ GMS: { base: 1, per: 1000 } });
  // twelve of a twelfth are one, to the last millionth
  expect(inBase(12 * ONE, unitRatios('BOX', all)['NOS'] ?? { base: 0, per: 1 })).toBe(ONE);
});

test('a second way between two units is refused, a circle too', () => {
  const all = [of('BOX', 'NOS', '12'), of('CTN', 'BOX', '10')];
  expect(conversionProblem(of('CTN', 'NOS', '100'), all)?.message).toBe(
    '1 CTN are 120 NOS already: change that conversion instead',
  );
  expect(conversionProblem(of('NOS', 'CTN', '1'), all)?.message).toBe(
    '120 NOS are 1 CTN already: change that conversion instead',
  );
  expect(conversionProblem(of('NOS', 'NOS', '1'), [])?.message).toBeDefined();
  expect(conversionProblem(of('DOZ', 'NOS', '0'), all)?.message).toBeDefined();
  expect(conversionProblem(of('DOZ', 'NOS', '12'), all)?.message).toBeUndefined();
});

const factor = fc.integer({ min: 1, max: 5_000 * ONE }).map((n) => formatDecimal(n, 6, 0));
const whole = fc.integer({ min: 1, max: 1_000_000 * ONE });

test('there and back is the same quantity; parts of a quantity never come to more or less than one rounding each', () => {
  fc.assert(
    fc.property(factor, whole, (text, quantity) => {
      const conversions = [of('BOX', 'NOS', text)];
      const there = unitRatios('NOS', conversions)['BOX'];
      const back = unitRatios('BOX', conversions)['NOS'];
      if (!there || !back) throw new Error('the units are there');
      expect(back).toEqual({ base: there.per, per: there.base });
      expect(ratioFrom(ratioText(there))).toEqual(there);
      // a quantity is exact in the finer unit, so it comes back from it
      if (there.base >= there.per) expect(inBase(inBase(quantity, there), back)).toBe(quantity);
      const exact = (BigInt(quantity) * BigInt(there.base)) / BigInt(there.per);
      const error = BigInt(inBase(quantity, there)) - exact;
      expect(error === 0n || error === 1n).toBe(true);
      const part = Math.floor(quantity / 3);
      const parts = inBase(part, there) + inBase(quantity - part, there);
      expect(Math.abs(parts - inBase(quantity, there))).toBeLessThanOrEqual(1);
    }),
  );
});

test('a line costs the same in whichever unit it is typed, up to the rounding of its rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 100_000 * ONE }),
      fc.nat(1000),
      (pieces, rate, boxes) => {
        const box = { base: pieces, per: 1 };
        expect(priceIn(rate, box)).toBe(rate * pieces);
        expect(boxes * priceIn(rate, box)).toBe(boxes * pieces * rate);
        expect(priceFrom(priceIn(rate, box), box, { base: 1, per: 1 })).toBe(rate);
      },
    ),
  );
});
