import { expect, test } from 'vitest';
import { type Master, masterOf } from '../../../contract/masters.ts';
import { blankValues, kindNamesIn, pickedIn, takenFromCategory } from './opening.ts';

const { fields } = masterOf('item') as Master;
const first = blankValues(fields, '29', {});
const usual = { hsn: '8539', unit: 'BOX', taxRate: '12', unknown: 'x' };

test('usual values of a category: an empty field takes them, a field that somebody filled does not', () => {
  const values = { ...first, hsn: '', unit: 'KGS' };
  expect(takenFromCategory(fields, usual, { values, given: {}, isNew: true })).toMatchObject({ hsn: '8539' });
  expect(takenFromCategory(fields, usual, { values, given: {}, isNew: true })).not.toHaveProperty('unit');
});

test('usual values of a category: a field with what the category before gave takes the new one', () => {
  const values = { ...first, hsn: '9405' };
  expect(takenFromCategory(fields, usual, { values, given: { hsn: '9405' }, isNew: false })).toHaveProperty('hsn');
  expect(takenFromCategory(fields, usual, { values, given: {}, isNew: false })).not.toHaveProperty('hsn');
});

test('usual values of a category: what a new record began with gives way, on a saved record it does not', () => {
  const unit = { unit: 'BOX' };
  const values = { ...first, unit: first['unit'] ?? '' };
  expect(first['unit']).toBeTruthy();
  expect(takenFromCategory(fields, unit, { values, given: {}, isNew: true })).toEqual(unit);
  expect(takenFromCategory(fields, unit, { values, given: {}, isNew: false })).toEqual({});
});

test('usual values of a category: a field that the form does not have is left out', () => {
  expect(takenFromCategory(fields, usual, { values: first, given: {}, isNew: true })).not.toHaveProperty('unknown');
});

test('address: kinds of document are picked where the field takes several, others are left out', () => {
  const kinds = { kinds: { type: 'picks', pick: 'kind', label: 'Kinds' } } as const;
  const picked = pickedIn(kinds, { kinds: 'saleInvoice,nonsense', other: 'saleInvoice' });
  expect(picked).toEqual({ kinds: ['saleInvoice'] });
  expect(Object.keys(kindNamesIn(picked))).toEqual(['kinds.saleInvoice']);
});
