import { type Paise, paise } from './money.ts';

/** Quantities, unit prices (rupees) and exchange rates are whole millionths. */
export type Millionths = number & { readonly unit: 'millionths' };
/** Percentages are whole ten-thousandths of a percent: 18 % is 180000. */
export type Percent = number & { readonly unit: 'percent4' };

/** The most a document may come to, in paise: ₹99,99,99,99,999.99. */
export const MOST_PAISE = 9_999_999_999_999;
const PAISA = 10_000;
/**
 * Beyond the safe integers a number holds multiples of 16 exactly, up to 2^57. Millionths of whole paise are such multiples, so
 * prices of whole paise are exact up to the most that a document may come to.
 */
const isExact = (n: number): boolean =>
  Number.isSafeInteger(n) || (Number.isInteger(n) && n % PAISA === 0 && Math.abs(n) <= MOST_PAISE * PAISA);

const whole = (n: number): number => {
  if (!isExact(n)) throw new RangeError(`not a whole number in range: ${n}`);
  return n === 0 ? 0 : n;
};
export const millionths = (n: number): Millionths => whole(n) as Millionths;
export const percent = (n: number): Percent => whole(n) as Percent;
/** The largest unit price with more than two decimals. */
export const FINEST_PRICE = Number.MAX_SAFE_INTEGER;

export const ONE = 1_000_000;
export const HUNDRED_PERCENT = 1_000_000;

/** Decimal text to a whole number with that many places, or undefined when it is not such a number. Never rounds. */
export const parseDecimal = (text: string, places: number): number | undefined => {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const fraction = match[3] ?? '';
  if (/[1-9]/.test(fraction.slice(places))) return undefined;
  const n = Number(`${match[2]}${fraction.slice(0, places).padEnd(places, '0')}`);
  const isFine =
    Number.isSafeInteger(n) || (places === 6 && fraction.slice(2, 6).replaceAll('0', '') === '' && isExact(n));
  if (!isFine) return undefined;
  return match[1] && n !== 0 ? -n : n;
};

/** A whole number with `places` decimals as decimal text, at least `least` of them shown, trailing zeros trimmed. */
export const formatDecimal = (n: number, places: number, least = places): string => {
  const digits = Math.abs(n)
    .toString()
    .padStart(places + 1, '0');
  const head = digits.slice(0, digits.length - places);
  let tail = places ? digits.slice(-places) : '';
  while (tail.length > least && tail.endsWith('0')) tail = tail.slice(0, -1);
  return `${n < 0 ? '-' : ''}${head}${tail ? `.${tail}` : ''}`;
};

export const moneyText = (amount: Paise | number): string => formatDecimal(amount, 2);
/** Decimal text in Indian grouping, for people to read: 12,34,567.50. */
export const grouped = (text: string): string =>
  text.replace(
    /^(-?)(\d+)(\d{3})(\.|$)/,
    (_, sign: string, head: string, tail: string, dot: string) =>
      `${sign}${head.replace(/\B(?=(\d\d)+$)/g, ',')},${tail}${dot}`,
  );
/** An amount in paise as a message gives it: ₹12,34,567.50. */
export const rupeesText = (amount: Paise | number): string => `₹${grouped(moneyText(amount))}`;
export const quantityText = (quantity: Millionths | number): string => formatDecimal(quantity, 6, 0);
export const rateText = (rate: Millionths | number): string => formatDecimal(rate, 6, 2);
export const percentText = (value: Percent | number): string => formatDecimal(value, 4, 0);

export const money = (text: string): Paise => paise(must(parseDecimal(text, 2), text));
export const quantity = (text: string): Millionths => millionths(must(parseDecimal(text, 6), text));
export const percentage = (text: string): Percent => percent(must(parseDecimal(text, 4), text));

const must = (n: number | undefined, text: string): number => {
  if (n === undefined) throw new RangeError(`not a decimal of the wanted precision: ${text}`);
  return n;
};
