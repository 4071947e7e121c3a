import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AmountTooLarge, apportion, divideRound, minus, paise, scale, sum, taxInRupees, zero } from './money.ts';

const MAX = Number.MAX_SAFE_INTEGER;

test('paise are whole and safe, and zero is never negative', () => {
  for (const n of [0.5, MAX + 1, -MAX - 1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => paise(n)).toThrow(AmountTooLarge);
  expect(paise(MAX)).toBe(MAX);
  expect(paise(-1)).toBe(-1);
  expect(paise(1)).toBe(1);
  expect(Object.is(paise(-0), 0)).toBe(true);
  expect(Object.is(minus(zero), 0)).toBe(true);
  expect(minus(paise(7))).toBe(-7);
  expect(sum([])).toBe(0);
  expect(sum([paise(3), paise(-5)])).toBe(-2);
});

/** The same by exact fractions: the quotient without its sign, and one more from a half on. */
function exactly(n: bigint, d: bigint): bigint {
  const sign = n < 0n === d < 0n ? 1n : -1n;
  const [top, bottom] = [n < 0n ? -n : n, d < 0n ? -d : d];
  return sign * (top / bottom + ((top % bottom) * 2n >= bottom ? 1n : 0n));
}
const integer = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.maxSafeInteger(),
  // around the product up to which plain numbers are used
  fc
    .tuple(fc.constantFrom(2 ** 26, -(2 ** 26), 2 ** 52, -(2 ** 52), 1, -1), fc.integer({ min: -3, max: 3 }))
    .map(([power, more]) => power + more),
);
const divisor = integer.filter((n) => n !== 0);

describe('a product divided', () => {
  test('halves go away from zero', () => {
    expect([1, 2, 3, 5, -1, -3, -5].map((n) => scale(n, 1, 2))).toEqual([1, 1, 2, 3, -1, -2, -3]);
    expect([1, 2, -1, -2].map((n) => scale(n, 1, 3))).toEqual([0, 1, 0, -1]);
    expect([1n, -1n].map((n) => divideRound(n, 2n))).toEqual([1n, -1n]);
    expect([1n, -1n].map((n) => divideRound(n, -2n))).toEqual([-1n, 1n]);
    expect(divideRound(0n, -7n)).toBe(0n);
    expect(divideRound(0n, 7n)).toBe(0n);
  });

  test('nothing divides', () => {
    expect(() => scale(1, 1, 0)).toThrow('Division by zero');
  });

  test('is the exact one, rounded once, however large', () => {
    fc.assert(
      fc.property(integer, integer, divisor, (a, b, c) => {
        const exact = exactly(BigInt(a) * BigInt(b), BigInt(c));
        expect(divideRound(BigInt(a) * BigInt(b), BigInt(c))).toBe(exact);
        if (exact > BigInt(MAX) || exact < -BigInt(MAX)) expect(() => scale(a, b, c)).toThrow(AmountTooLarge);
        else expect(BigInt(scale(a, b, c))).toBe(exact);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    // one beyond what a plain number holds twice over: its half would be rounded in the number
    [2 ** 53 - 1, 1, 2 ** 53 - 2],
    [2 ** 52 - 1, 1, 2 ** 52],
    [2 ** 52, 1, 2 ** 52 - 1],
    [-(2 ** 52), 1, 2],
    [-(2 ** 52) + 1, 1, 2],
    [2 ** 52 - 1, 1, 2],
    [3, 3_002_399_751_580_331, 2],
    [94_906_267, 94_906_267, 94_906_266],
    [-94_906_267, 94_906_267, 94_906_266],
    [1, 1, -2],
    [1, 1, 1],
    [7, 3, 1],
  ])('%i × %i ÷ %i at the edge of plain numbers', (a, b, c) =>
    expect(BigInt(scale(a, b, c))).toBe(exactly(BigInt(a) * BigInt(b), BigInt(c))),
  );
});

test('a tax in rupees is rounded once, over all its parts', () => {
  // 10 % of ₹4.99 and of ₹0.01 are half a rupee together
  expect(taxInRupees([[499, 100_000]])).toBe(0);
  expect(
    taxInRupees([
      [499, 100_000],
      [1, 100_000],
    ]),
  ).toBe(100);
  expect(taxInRupees([[-500, 100_000]])).toBe(-100);
  expect(taxInRupees([])).toBe(0);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: -1e11, max: 1e11 }), fc.integer({ min: 0, max: 400_000 }))),
      (parts) => {
        const exact = parts.reduce((t, [amount, rate]) => t + BigInt(amount) * BigInt(rate), 0n);
        expect(BigInt(taxInRupees(parts))).toBe(exactly(exact, 100_000_000n) * 100n);
      },
    ),
  );
});

describe('an amount shared over weights', () => {
  test('what is left over goes to the largest remainders, of equal ones to the earlier', () => {
    expect(apportion(paise(100), [1, 1, 1])).toEqual([34, 33, 33]);
    expect(apportion(paise(-100), [1, 1, 1])).toEqual([-34, -33, -33]);
    expect(apportion(paise(101), [1, 1, 1])).toEqual([34, 34, 33]);
    expect(apportion(paise(10), [1, 2, 3])).toEqual([2, 3, 5]);
    expect(apportion(paise(1), [1, 3, 2])).toEqual([0, 1, 0]);
    expect(apportion(paise(9), [1, 1])).toEqual([5, 4]);
    expect(apportion(paise(0), [1, 2])).toEqual([0, 0]);
  });
  test('weights of nothing share alike, and nobody gets nothing', () => {
    expect(apportion(paise(5), [0, 0])).toEqual([3, 2]);
    expect(apportion(paise(5), [])).toEqual([]);
    expect(apportion(paise(5), [0, 7, 0])).toEqual([0, 5, 0]);
    expect(apportion(paise(5), [1, -1])).toEqual([3, 2]);
  });

  const weights = fc.oneof(
    fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 8 }),
    fc.array(fc.integer({ min: 0, max: 2 ** 48 }), { minLength: 1, maxLength: 8 }),
    // large enough that products do not fit a plain number
    fc.array(fc.integer({ min: 2 ** 49, max: 2 ** 52 }), { minLength: 1, maxLength: 4 }),
  );
  test('adds up, and each share is the exact one, rounded down or up by the largest remainders', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -1e13, max: 1e13 })),
        weights,
        (n, all) => {
          const shares = apportion(paise(n), all);
          expect(shares.reduce((t, share) => t + BigInt(share), 0n)).toBe(BigInt(n));
          const even = all.every((w) => w === 0) ? all.map(() => 1) : all;
          const total = even.reduce((t, w) => t + BigInt(w), 0n);
          const size = BigInt(Math.abs(n));
          const exact = even.map((w) => ({ down: (size * BigInt(w)) / total, rest: (size * BigInt(w)) % total }));
          const over = Number(size - exact.reduce((t, { down }) => t + down, 0n));
          const order = [...exact.keys()].sort((a, b) => {
            const [one, other] = [exact[a]?.rest ?? 0n, exact[b]?.rest ?? 0n];
            return one === other ? a - b : one > other ? -1 : 1;
          });
          const up = new Set(order.slice(0, over));
          expect(shares.map((share) => BigInt(Math.abs(share)))).toEqual(
            exact.map(({ down }, at) => down + (up.has(at) ? 1n : 0n)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test('negative weights that add up to a negative amount share it all the same', () => {
    const shares = apportion(paise(10), [-1, -2, -2]);
    expect(shares.reduce((a, b) => a + b, 0)).toBe(10);
    expect(shares).toEqual([2, 4, 4]);
  });
});
