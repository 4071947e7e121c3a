import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchesFrom, batchesText, serialsFrom, serialsText, wholeText } from './part-text.ts';

test('batches are typed as name and quantity, with their days; a name alone takes the whole line', () => {
  expect(batchesFrom('B1 = 10 exp 2027-03-31 mfg 2026-03-31; b2=5', '15')).toEqual([
    { batch: 'B1', quantity: '10', expiry: '2027-03-31', manufactured: '2026-03-31' },
    { batch: 'b2', quantity: '5' },
  ]);
  expect(batchesFrom('LOT 7', '12.5')).toEqual([{ batch: 'LOT 7', quantity: '12.5' }]);
  expect(batchesFrom('LOT 7 exp 2027-03-31', '12')).toEqual([{ batch: 'LOT 7', quantity: '12', expiry: '2027-03-31' }]);
  expect(batchesFrom('  ', '1')).toEqual([]);
});
test('what cannot be read stays where the server names it', () => {
  expect(batchesFrom('B1 = ten', '1')).toEqual([{ batch: 'B1', quantity: 'ten' }]);
  expect(batchesFrom('B1 = 10 exp 2027-02-31', '1')).toEqual([{ batch: 'B1', quantity: '10', expiry: '2027-02-31' }]);
  expect(batchesFrom('B1 = 10 exp 31/3/2027', '1')).toEqual([{ batch: 'B1', quantity: '10 exp 31/3/2027' }]);
  expect(serialsFrom('A1..B9, A9..A1, A1..A9999')).toEqual(['A1..B9', 'A9..A1', 'A1..A9999']);
});
test('serial numbers are typed one by one or as a range', () => {
  expect(serialsFrom('A008..A011, B7\nC1..3')).toEqual(['A008', 'A009', 'A010', 'A011', 'B7', 'C1', 'C2', 'C3']);
});
test('all of a line is its quantity with what is free, or the size of a change', () => {
  expect(wholeText({ quantity: '10', freeQuantity: '2.5' })).toBe('12.5');
  expect(wholeText({ delta: '-3' })).toBe('3');
});

const name = fc.stringMatching(/^[A-Z0-9][A-Z0-9/-]{0,8}$/);
test('what was typed comes back as it is shown', () => {
  const batch = fc.record({ batch: name, quantity: fc.integer({ min: 1, max: 999 }).map(String) });
  fc.assert(
    fc.property(fc.array(batch), fc.array(name), (batches, serials) => {
      expect(batchesFrom(batchesText(batches), '1')).toEqual(batches);
      expect(serialsFrom(serialsText(serials))).toEqual(serials);
    }),
  );
});
