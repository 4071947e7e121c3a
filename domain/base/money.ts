/** Money is a whole number of paise. Nothing in the product holds rupees as a fraction. */
export type Paise = number & { readonly unit: 'paise' };

/** An amount beyond all that a document may come to. */
export class AmountTooLarge extends RangeError {}

export const paise = (n: number): Paise => {
  if (!Number.isSafeInteger(n)) throw new AmountTooLarge(`not whole paise: ${n}`);
  return (n === 0 ? 0 : n) as Paise;
};

export const zero = paise(0);

export const sum = (amounts: Iterable<Paise>): Paise => {
  let total = 0;
  for (const amount of amounts) total += amount;
  return paise(total);
};

export const minus = (amount: Paise): Paise => paise(-amount);

// Below this a product and twice its remainder are exact in plain numbers.
const plain = 2 ** 52;

/** a × b ÷ c, halves away from zero. A large product goes through BigInt, so it cannot overflow. */
export const scale = (a: number, b: number, c: number): Paise => {
  const product = a * b;
  if (product < plain && product > -plain && c > 0 && c < plain) {
    const rest = product % c;
    const whole = (product - rest) / c;
    if (2 * rest >= c) return paise(whole + 1);
    return paise(2 * rest <= -c ? whole - 1 : whole);
  }
  return paise(Number(divideRound(BigInt(a) * BigInt(b), BigInt(c))));
};

/** A tax in whole rupees: amounts at their rates in ten-thousandths of a percent, rounded once, halves away from zero. */
export const taxInRupees = (parts: readonly (readonly [amount: number, rate: number])[]): Paise => {
  const exact = parts.reduce((t, [amount, rate]) => t + BigInt(amount) * BigInt(rate), 0n);
  return paise(Number(divideRound(exact, 100_000_000n)) * 100);
};

/** n ÷ d, halves away from zero, as PostgreSQL's numeric rounds. */
export const divideRound = (n: bigint, d: bigint): bigint => {
  const negative = n < 0n !== d < 0n;
  const [top, bottom] = [n < 0n ? -n : n, d < 0n ? -d : d];
  const quotient = (2n * top + bottom) / (2n * bottom);
  return negative ? -quotient : quotient;
};

/**
 * Shares an amount over weights so that the shares add up to it exactly: each share is rounded down
 * and the paise left over go to the largest remainders, ties to the earlier one.
 * All weights zero: equal weights.
 */
export const apportion = (amount: Paise, weights: readonly number[]): Paise[] => {
  if (weights.length === 0) return [];
  const total = weights.reduce((t, w) => t + BigInt(w), 0n);
  if (total === 0n)
    return apportion(
      amount,
      weights.map(() => 1),
    );
  const sign = amount < 0 ? -1 : 1;
  const floors = floorShares(Math.abs(amount), weights, total);
  let left = Math.abs(amount) - floors.reduce((t, share) => t + share.floor, 0);
  const shares = floors.map((share) => share.floor);
  const byRemainder = left > 0 ? [...floors.keys()].sort((a, b) => compareRemainders(floors, a, b)) : [];
  for (const index of byRemainder) {
    if (left <= 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares.map((share) => paise(share * sign));
};

interface Share {
  readonly floor: number;
  readonly remainder: number | bigint;
}

const compareRemainders = (shares: readonly Share[], a: number, b: number): number => {
  const [one, other] = [shares[a]?.remainder ?? 0, shares[b]?.remainder ?? 0];
  if (one === other) return a - b;
  return one > other ? -1 : 1;
};

/** Each share rounded down, with what it lost: in plain numbers while every product fits, else in BigInt. */
const floorShares = (whole: number, weights: readonly number[], total: bigint): Share[] => {
  const largest = weights.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
  if (whole * largest < plain && total < BigInt(plain) && total > 0n) {
    const all = Number(total);
    return weights.map((w) => {
      const product = whole * w;
      const remainder = product % all;
      return { floor: (product - remainder) / all, remainder };
    });
  }
  return weights.map((w) => {
    const product = BigInt(whole) * BigInt(w);
    return { floor: Number(product / total), remainder: product % total };
  });
};
