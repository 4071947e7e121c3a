import { expect, test } from 'vitest';
import { pincodeFits } from '../portal/pincodes.ts';
import { activeStates, chargesUnionTerritoryTax, stateCodeOf, stateName } from './states.ts';

test('codes and names', () => {
  expect(stateName('27')).toBe('Maharashtra');
  expect(stateName('00')).toBeUndefined();
  expect(stateCodeOf('7')).toBe('07');
  expect(stateCodeOf(' 29 ')).toBe('29');
  expect(stateCodeOf('77')).toBeUndefined();
});
test('union territories without a legislature, not Delhi, Puducherry or Jammu and Kashmir', () => {
  expect(['04', '26', '31', '35', '38'].every(chargesUnionTerritoryTax)).toBe(true);
  expect(['07', '34', '01', '27'].some(chargesUnionTerritoryTax)).toBe(false);
});
test('withdrawn codes are known and not offered', () => {
  expect(stateName('25')).toBeTypeOf('string');
  const offered: readonly string[] = activeStates.map((s) => s.code);
  expect(offered).not.toContain('25');
  expect(offered).toContain('27');
});
test.each([
  ['411019', '27', true],
  ['560001', '29', true],
  ['560001', '27', false],
  ['999999', '96', true],
  ['999999', '27', false],
  ['411019', '96', false],
  ['011019', '27', false],
  ['41101', '27', false],
])('%s in %s: %s', (pincode, state, fits) => expect(pincodeFits(pincode, state)).toBe(fits));
