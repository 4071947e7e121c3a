import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountMeant, errorsBetween, fitOf, markedParts, searchWords } from './finding.ts';

test('an amount is read as people write it, and zero is none', () => {
  const exact = { least: 1_234_550, most: 1_234_550 };
  expect(amountMeant('12,345.50')).toEqual({ ...exact, isSure: true });
  expect(amountMeant('12345.5')).toEqual({ least: 1_234_550, most: 1_234_559, isSure: true });
  const rupee = { least: 1_234_500, most: 1_234_599 };
  expect(amountMeant('₹12,345')).toEqual({ ...rupee, isSure: true });
  expect(amountMeant('Rs. 12345')).toEqual({ ...rupee, isSure: true });
  // it may be the number of a document as well
  expect(amountMeant(' 12345 ')).toEqual({ ...rupee, isSure: false });
  for (const none of ['', '0', '0.00', '12.345', 'INV 12', '12/11', '123456789012', '-5'])
    expect([none, amountMeant(none)]).toEqual([none, undefined]);
});

test('typing errors between two words: wrong, missing, added and exchanged letters count one each', () => {
  const pairs = [
    ['sharma', 'sharma', 0],
    ['shrama', 'sharma', 1],
    ['sharm', 'sharma', 1],
    ['sharrma', 'sharma', 1],
    ['sharna', 'sharma', 1],
    ['shrna', 'sharma', 2],
    ['शरमा', 'शर्मा', 1],
    ['mills', 'sharma', 3],
  ] as const;
  for (const [one, other, errors] of pairs) expect([one, errorsBetween(one, other, 2)]).toEqual([one, errors]);
});

test('errors between two words are the same from either side, and none are needed for a word itself', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'क', '़'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(errorsBetween(one, other, 9)).toBe(errorsBetween(other, one, 9));
      expect(errorsBetween(one, one, 2)).toBe(0);
    }),
  );
});

test('the better a record is meant, the earlier it comes', () => {
  const meant = (typed: string) => fitOf(typed, ['Bharat Electricals & Sons', 'C-17', '29AABCB1234F1Z4']);
  const order = ['bharat electricals & sons', 'bharat el', 'sons elec', 'Bharta electricals', 'lectric'].map(meant);
  expect(order).toEqual(order.toSorted((a, b) => (a ?? 99) - (b ?? 99)));
  expect(new Set(order).size).toBe(5);
  expect(meant('c17')).toBe(0);
  expect(meant('29aabcb1234f1z4')).toBe(0);
  expect(meant('M/s Bharat')).toBe(meant('sons elec'));
  for (const other of ['Kaveri', 'bharat mills', '29AABCB1234F1Z5', '&', '']) expect(meant(other)).toBeUndefined();
});

test('what was typed is marked: the text, the beginnings of its words, a word with an error whole, a number from its end', () => {
  const marked = (text: string, typed: string) =>
    markedParts(text, typed)
      .map(({ text: part, isMarked }) => (isMarked ? `[${part}]` : part))
      .join('');
  expect(marked('Bharat Electricals', 'bharat elec')).toBe('[Bharat Elec]tricals');
  expect(marked('Bharat Electricals', 'elec bha')).toBe('[Bha]rat [Elec]tricals');
  expect(marked('Bharat Electricals', 'bharta')).toBe('[Bharat] Electricals');
  expect(marked('SI/26-27/00026', '26')).toBe('SI/26-27/000[26]');
  expect(marked('शर्मा ट्रेडर्स', 'शर्मा')).toBe('[शर्मा] ट्रेडर्स');
  expect(marked('Kaveri', 'bharat')).toBe('Kaveri');
});

test('parts put together are the text, whatever was typed', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 12 }), (text, typed) => {
      expect(
        markedParts(text, typed)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

test('words have no signs, in any script', () => {
  expect(searchWords(' M/s. Sharma & Sons (P) Ltd. ')).toEqual(['m', 's', 'sharma', 'sons', 'p', 'ltd']);
  expect(searchWords('ಶ್ರೀ ಗಣೇಶ-ಸ್ಟೋರ್ಸ್')).toEqual(['ಶ್ರೀ', 'ಗಣೇಶ', 'ಸ್ಟೋರ್ಸ್']);
});
