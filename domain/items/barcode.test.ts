import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barcodeProblem, checkDigit, looksScanned, ownEan, scannedCode, symbologyOf } from './barcode.ts';

test('check digits are those of GS1', () => {
  expect(checkDigit('629104150021')).toBe('3'); // the example of the GS1 General Specifications
  expect(checkDigit('9638507')).toBe('4');
  expect(checkDigit('03600029145')).toBe('2');
  expect(symbologyOf('6291041500213')).toBe('ean13');
  expect(symbologyOf('96385074')).toBe('ean8');
  expect(symbologyOf('036000291452')).toBe('upca');
  expect(symbologyOf('LED-9W')).toBe('code128');
});

test('what cannot be printed or is mistyped is a problem', () => {
  expect(barcodeProblem('6291041500213')?.message).toBeUndefined();
  expect(barcodeProblem('6291041500214')?.message).toBe('The check digit is not right: 629104150021 ends with 3');
  expect(barcodeProblem('AB 12')?.message).toBeDefined();
  expect(barcodeProblem('बही-12')?.message).toBeDefined();
  expect(barcodeProblem('12')?.message).toBeDefined();
  expect(barcodeProblem('BOX-12/LED')?.message).toBeUndefined();
});

test('numbers of our own are right EAN-13 in the range kept for that, each once; a wrong digit is always found', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 29 }),
      fc.integer({ min: 1, max: 9_999_999_999 }),
      fc.nat(12),
      fc.integer({ min: 1, max: 9 }),
      (prefix, running, at, by) => {
        const code = ownEan(String(prefix), running);
        expect(code).toMatch(/^2\d{12}$/);
        expect(symbologyOf(code)).toBe('ean13');
        expect(Number(code.slice(2, 12))).toBe(running);
        const wrong = code.slice(0, at) + String((Number(code[at]) + by) % 10) + code.slice(at + 1);
        expect(barcodeProblem(wrong)?.message).toBeDefined();
      },
    ),
  );
});

test('a scan is distinguished from a name', () => {
  expect(looksScanned('2100000000012')).toBe(true);
  expect(looksScanned(']E02100000000012')).toBe(true);
  expect(scannedCode(' ]C0LED-9W\n')).toBe('LED-9W');
  expect(looksScanned('LED bulb')).toBe(false);
  expect(looksScanned('8539')).toBe(false);
});
