import type { Paise } from './money.ts';

const small =
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'.split(
    ' ',
  );
const tens = '  Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ');

/** A whole number in Indian words: lakh and crore. */
export const numberInWords = (n: number): string => {
  if (n < 20) return small[n] ?? '';
  if (n < 100) return `${tens[Math.floor(n / 10)]}${n % 10 ? ` ${small[n % 10]}` : ''}`;
  const [size, name] =
    n >= 10_000_000
      ? [10_000_000, 'Crore']
      : n >= 100_000
        ? [100_000, 'Lakh']
        : n >= 1000
          ? [1000, 'Thousand']
          : [100, 'Hundred'];
  const rest = n % size;
  return `${numberInWords(Math.floor(n / size))} ${name}${rest ? ` ${numberInWords(rest)}` : ''}`;
};

/** An amount in words for the foot of a document: 'Rupees One Lakh and Fifty Paise Only'. */
export const amountInWords = (amount: Paise): string => {
  const [rupees, rest] = [Math.floor(Math.abs(amount) / 100), Math.abs(amount) % 100];
  const whole = rupees || !rest ? `Rupees ${numberInWords(rupees)}` : '';
  const part = rest ? `${numberInWords(rest)} Paise` : '';
  return `${amount < 0 ? 'Minus ' : ''}${[whole, part].filter(Boolean).join(' and ')} Only`;
};
