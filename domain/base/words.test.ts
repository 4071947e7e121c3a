import { expect, test } from 'vitest';
import { money } from './decimal.ts';
import { amountInWords, numberInWords } from './words.ts';

test.each([
  [0, 'Zero'],
  [13, 'Thirteen'],
  [40, 'Forty'],
  [99, 'Ninety Nine'],
  [100, 'One Hundred'],
  [101, 'One Hundred One'],
  [1000, 'One Thousand'],
  [99_999, 'Ninety Nine Thousand Nine Hundred Ninety Nine'],
  [100_000, 'One Lakh'],
  [1_23_45_678, 'One Crore Twenty Three Lakh Forty Five Thousand Six Hundred Seventy Eight'],
  [100_00_00_000, 'One Hundred Crore'],
  [1_00_000_00_00_000, 'One Lakh Crore'],
])('%i', (n, words) => expect(numberInWords(n)).toBe(words));

test.each([
  ['0', 'Rupees Zero Only'],
  ['1', 'Rupees One Only'],
  ['0.05', 'Five Paise Only'],
  ['100000.50', 'Rupees One Lakh and Fifty Paise Only'],
  ['-2.10', 'Minus Rupees Two and Ten Paise Only'],
])('%s', (amount, words) => expect(amountInWords(money(amount))).toBe(words));
