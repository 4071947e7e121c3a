import { expect, test } from 'vitest';
import { type Master, masterOf } from '../../../contract/masters.ts';
import { codeFrom } from '../../../domain/base/code.ts';
import { following } from './following.ts';
import { initialValues } from './values.ts';

const customer = masterOf('customer') as Master;
const item = masterOf('item') as Master;

test('customer: without GSTIN a consumer, with one registered in its state, as long as nobody chose another category', () => {
  const blank = initialValues(customer.fields);
  expect(blank['category']).toBe('unregistered');
  const registered = following(customer, blank, { gstin: '27AABCA1234F1Z9' });
  expect(registered).toEqual({ category: 'registered', state: '27' });
  expect(following(customer, { ...blank, ...registered, gstin: '27AABCA1234F1Z9' }, { gstin: '' })).toEqual({
    category: 'unregistered',
  });
  expect(following(customer, { ...blank, category: 'sezUnit' }, { gstin: '27AABCA1234F1Z9' })).toEqual({ state: '27' });
});

test('item: the SKU follows the name until somebody types one', () => {
  expect(codeFrom('Ceiling fan 48" (white)')).toBe('CEILING-FAN-48-WHITE');
  expect(codeFrom('पंखा 48')).toBe('PANKHAA-48');
  expect(codeFrom('電球')).toMatch(/^N-\d{6}$/);
  expect(codeFrom('電球')).not.toBe(codeFrom('電池'));
  expect(codeFrom(' ')).toBe('');
  expect(following(item, {}, { name: 'Fan 48' })).toEqual({ sku: 'FAN-48' });
  expect(following(item, { name: 'Fan 48', sku: 'FAN-48' }, { name: 'Fan 52' })).toEqual({ sku: 'FAN-52' });
  expect(following(item, { name: 'Fan 48', sku: 'F1' }, { name: 'Fan 52' })).toEqual({});
});
