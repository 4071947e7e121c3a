import { expect, test } from 'vitest';
import { stateProposed, statesOfPincode } from './pincodes.ts';

test('PIN code: the states that it can belong to, the smallest first', () => {
  expect(statesOfPincode('400020')).toEqual(['27']);
  // Goa lies within the codes of Maharashtra
  expect(statesOfPincode('403001')).toEqual(['30', '27']);
  expect(statesOfPincode('4000')).toEqual([]);
});

test('state of an address: by its PIN code, else as usual for the party', () => {
  expect(stateProposed('400020', '29')).toBe('27');
  expect(stateProposed('403001', '27')).toBe('27');
  expect(stateProposed('403001', '')).toBe('30');
  expect(stateProposed('', '29')).toBe('29');
});
