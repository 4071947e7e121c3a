import { expect, test } from 'vitest';
import { millionths, money, percentage, quantity } from '../base/decimal.ts';
import type { Draft } from './document.ts';
import { furtherFields, headFields, lineFields } from './fields.ts';
import { kindNames, kindOf } from './kinds/index.ts';
import { readTexts, textOf } from './values.ts';

const draft: Draft = {
  ...{ kind: 'overseasPurchase', date: '2026-11-21', registration: 'own', location: 'here', currency: 'USD' },
  exchangeRate: millionths(88_150_000),
  reverseCharge: true,
  discount: { percent: percentage('2.5') },
  charges: [{ name: 'Freight', amount: money('50'), apportion: 'value', gstRate: percentage('18') }],
  allocations: [{ document: 'x', line: 2, amount: money('1.50') }],
  customs: {
    ...{ assessable: money('1000'), basic: money('100'), surcharge: money('10'), igst: money('0') },
    covers: { 1: quantity('2.5') },
  },
  fields: { port: 'INMAA1' },
  lines: [
    {
      ...{ item: 'widget', quantity: quantity('2.5'), rate: quantity('10'), cessPerUnit: money('1') },
      batches: [{ batch: 'B1', quantity: quantity('2.5') }],
      source: { document: 'y', line: 1 },
    },
  ],
};

test('a draft on the wire: amounts, quantities and rates are decimal text at any depth, all else is the same', () => {
  expect(textOf(headFields, draft)).toEqual({
    ...draft,
    exchangeRate: '88.15',
    discount: { percent: '2.5' },
    charges: [{ name: 'Freight', amount: '50.00', apportion: 'value', gstRate: '18' }],
    allocations: [{ document: 'x', line: 2, amount: '1.50' }],
    customs: { assessable: '1000.00', basic: '100.00', surcharge: '10.00', igst: '0.00', covers: { 1: '2.5' } },
    lines: [
      {
        ...{ item: 'widget', quantity: '2.5', rate: '10.00', cessPerUnit: '1.00' },
        batches: [{ batch: 'B1', quantity: '2.5' }],
        source: { document: 'y', line: 1 },
      },
    ],
  });
});

test('a draft comes back from the wire as it went', () => {
  expect(readTexts<Draft>(headFields, { ...textOf(headFields, draft) })).toEqual(draft);
});

test('a number that cannot be read is left out of a draft, and is zero in a record that always has it', () => {
  const read = readTexts<Draft>(headFields, { amount: 'ten', customs: { assessable: 'ten', basic: '1', rate: 'x' } });
  expect(read).toEqual({ customs: { assessable: 0, basic: 100, surcharge: 0, igst: 0 } });
});

test('each name that a kind lists is that of a field', () => {
  const names = new Set(
    [...Object.values(headFields), ...Object.values(furtherFields)].flatMap((field) =>
      'named' in field ? [field.named] : [],
    ),
  );
  for (const kind of kindNames) expect(kindOf(kind).fields.filter((name) => !names.has(name))).toEqual([]);
  expect(Object.values(lineFields).filter((field) => 'named' in field)).toEqual([]);
});
