import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moneyText } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import { isUpiId, upiLink } from './upi.ts';

const request = { id: 'sharma@okbank', name: 'Sharma & Sons', amount: paise(112_100), reference: 'INV/26-27/0001' };

test('a link names the account, the exact amount and the document', () => {
  expect(upiLink(request)).toBe(
    'upi://pay?pa=sharma%40okbank&pn=Sharma%20%26%20Sons&am=1121.00&cu=INR&tr=INV%2F26-27%2F0001&tn=INV%2F26-27%2F0001',
  );
});

test('without an address of an account, or nothing to pay, there is none', () => {
  expect(upiLink({ ...request, id: 'sharma' })).toBeUndefined();
  expect(upiLink({ ...request, id: 'sharma@okbank&am=1' })).toBeUndefined();
  expect(upiLink({ ...request, amount: paise(0) })).toBeUndefined();
  expect(isUpiId('9845012345@ybl')).toBe(true);
});

test('whatever the name and number are, the link has the amount once and to the paisa', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_999_999_999_999 }), fc.string(), fc.string(), (amount, name, reference) => {
      const link = upiLink({ ...request, amount: paise(amount), name, reference }) ?? '';
      expect(new URL(link).searchParams.getAll('am')).toEqual([moneyText(paise(amount))]);
    }),
  );
});
