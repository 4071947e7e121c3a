import { describe, expect, test } from 'vitest';
import { type Buyer, isForAnother, isTaxOfAnotherState } from './place.ts';

describe('whether goods go to another person than who is billed (section 10(1)(b) of the IGST Act)', () => {
  const asha: Buyer = { name: 'Asha Traders', gstin: '29AAACA1111A1Z5' };
  const consumer: Buyer = { name: 'Asha', gstin: null };
  test.each<[string, Buyer, { readonly name?: string; readonly gstin?: string }, boolean]>([
    ['an address without a name', asha, {}, false],
    ['the name of the buyer', asha, { name: 'Asha Traders' }, false],
    ['the name of the buyer, written otherwise', asha, { name: ' ASHA  traders. ' }, false],
    ['the GSTIN of the buyer, whatever the name', asha, { name: 'Stores', gstin: '29aaaca1111a1z5 ' }, false],
    ['another name', asha, { name: 'Third Person Pvt' }, true],
    ['another name that is not registered', asha, { name: 'Third Person Pvt', gstin: 'URP' }, true],
    ['the name of the buyer, not registered there', asha, { name: 'Asha Traders', gstin: 'URP' }, false],
    ['another GSTIN', asha, { name: 'Third Person Pvt', gstin: '33AACCC9087J1ZD' }, true],
    ['another GSTIN without a name', asha, { gstin: '33AACCC9087J1ZD' }, true],
    ['another registration of the same PAN', asha, { name: 'Asha Traders', gstin: '33AAACA1111A1ZG' }, true],
    ['a consumer has it sent to another name', consumer, { name: 'Ravi' }, false],
    ['a consumer has it sent to somebody registered', consumer, { gstin: '33AACCC9087J1ZD' }, true],
    ['nobody knows who buys', { gstin: null }, { name: 'Ravi' }, false],
  ])('%s', (_, buyer, shipTo, another) => expect(isForAnother(buyer, shipTo)).toBe(another));
});

test.each([
  ['intra', '27', true],
  ['intra', '29', false],
  ['inter', '27', false],
  ['none', '27', false],
] as const)('%s in %s bought from 29: tax of another state %s', (supply, place, another) =>
  expect(isTaxOfAnotherState(supply, place, { state: '29' })).toBe(another),
);
