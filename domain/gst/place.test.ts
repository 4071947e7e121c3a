import { describe, expect, test } from 'vitest';
import { isInterState, type PlaceQuestion, placeOfSupply } from './place.ts';

const of = (part: Partial<PlaceQuestion>) => {
  const { state, reason } = placeOfSupply({
    supplierState: '27',
    service: false,
    category: 'registered',
    partyState: '29',
    ...part,
  });
  expect(reason).not.toBe('');
  return state;
};

describe('place of supply', () => {
  test.each<[string, Partial<PlaceQuestion>, string]>([
    ['goods end their movement', { deliveryState: '33' }, '33'],
    ['goods to another on order: who is billed', { deliveryState: '33', billToShipTo: true }, '29'],
    ['goods without delivery', {}, '29'],
    ['service to a registered: its state', { service: true, deliveryState: '33' }, '29'],
    ['consumer with an address', { category: 'unregistered', addressState: '07', deliveryState: '33' }, '07'],
    ['consumer known by state', { category: 'unregistered' }, '29'],
    ['overseas', { category: 'overseas' }, '96'],
    ['overseas service', { category: 'overseas', service: true, deliveryState: '27' }, '96'],
    ['overseas, delivered in India', { category: 'overseas', deliveryState: '27' }, '27'],
    ['overseas, delivered abroad', { category: 'overseas', deliveryState: '96' }, '96'],
  ])('%s', (_, question, state) => expect(of(question)).toBe(state));
  test('a consumer nobody knows is where the supplier is', () =>
    expect(placeOfSupply({ supplierState: '27', service: false, category: 'unregistered' }).state).toBe('27'));
});

test.each([
  ['27', '27', false, false, false],
  ['27', '29', false, false, true],
  ['27', '27', true, false, true],
  ['27', '96', false, false, true],
  ['27', '27', false, true, true],
])('%s to %s, SEZ %s, overseas %s: inter-state %s', (supplierState, place, sez, overseas, inter) =>
  expect(isInterState({ supplierState, placeOfSupply: place, sez, overseas })).toBe(inter),
);
