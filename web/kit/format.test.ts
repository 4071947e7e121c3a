import { expect, test } from 'vitest';
import { groupDecimal, inCurrency, money, parseAmount, plainNumber, rupees } from './format.ts';
import { cleaned } from './grid/gridPaste.ts';
import { plainMinus } from './table/copied.ts';

const MINUS = '\u2212';

test('text to be read has a minus sign, a field has the hyphen that is typed', () => {
  expect([money('-1234567.5'), rupees('-5'), inCurrency('-5', 'USD'), plainNumber('-1500.2500')]).toEqual([
    `${MINUS}12,34,567.50`,
    `₹\u00a0${MINUS}5.00`,
    `USD\u00a0${MINUS}5.00`,
    `${MINUS}1,500.25`,
  ]);
  expect(groupDecimal('-1234567.5')).toBe('-12,34,567.50');
  // what is no figure stays as it is
  expect([money('-x'), plainNumber('A-1'), money('')]).toEqual(['-x', 'A-1', '–']);
});

test('a figure that was copied from a screen is read again, by a field and by a grid', () => {
  expect(parseAmount(money('-1234567.5'))).toBe('-1234567.50');
  expect(parseAmount(rupees('-12'))).toBe('-12');
  expect(cleaned({ key: 'rate', label: 'Rate', type: 'number', places: 6, pad: 2 }, money('-1234.5'))).toBe('-1234.50');
});

test('what is copied has the hyphen of spreadsheets before figures, and no other sign is touched', () => {
  expect(plainMinus(`${money('-1234.5')}\t${rupees('-2')}`)).toBe('-1,234.50\t₹\u00a0-2.00');
  expect(plainMinus(`a ${MINUS} b – c`)).toBe(`a ${MINUS} b – c`);
});

test('an amount is read with the sign of the rupee or its letters before it', () => {
  expect(['Rs 5,300', 'Rs. 5,300.50', 'rs5300', '₹ 5,300', 'INR 5300'].map((text) => parseAmount(text))).toEqual([
    ...['5300', '5300.50', '5300', '5300', '5300'],
  ]);
  expect(['nb', 'Rs', '5%', 'SW-6A', 'RsX5'].map((text) => parseAmount(text))).toEqual([null, null, null, null, null]);
});
