import { describe, expect, test } from 'vitest';
import { companyOf, ownLedger } from './company.ts';
import { placesOf } from './groups.ts';
import type { TallyFields, TallyObject } from './object.ts';
import { tallySheet } from './sheets.ts';
import { amountOf, creditDays, dayOf, dueOf, figureOf } from './values.ts';

test.each([
  ['-1234.50', { debit: true, amount: '1234.50' }],
  ['1,00,000.00', { debit: false, amount: '100000.00' }],
  ['-$ 100.00 @ ₹ 82.00/$ = -₹ 8200.00', { debit: true, amount: '8200.00' }],
  ['500.00 Dr', { debit: true, amount: '500.00' }],
  ['-500.00 Cr', { debit: false, amount: '500.00' }],
  ['0.00', undefined],
  ['', undefined],
])('the amount %s', (text, expected) => expect(amountOf(text)).toEqual(expected));

test.each([
  [' 2 Nos', '2'],
  [' 200 Kg = 2.00 Gms', '200'],
  ['(-)5 Nos', '-5'],
  ['-50 Strip', '-50'],
  ['1,500.00/Nos', '1500.00'],
  [' 0 Nos', ''],
])('the figure of %s', (text, expected) => expect(figureOf(text)).toBe(expected));

test('days and credit, as text and as days', () => {
  expect([dayOf('20260401'), dayOf('1-Apr-26'), dayOf('31-Mar-2027')]).toEqual([
    '2026-04-01',
    '2026-04-01',
    '2027-03-31',
  ]);
  expect([dayOf('20260231'), dayOf('soon')]).toEqual([undefined, undefined]);
  expect([dueOf('2026-03-10', '30 Days'), dueOf('2026-03-10', '15-Apr-26'), dueOf(undefined, '30 Days')]).toEqual([
    ...['2026-04-09', '2026-04-15', undefined],
  ]);
  expect([creditDays('45 Days'), creditDays('1 Day'), creditDays('')]).toEqual(['45', '1', '']);
});

const object = (type: string, name: string, fields: TallyFields = {}, reserved = ''): TallyObject => ({
  ...{ type, name, reserved, fields },
});
const group = (name: string, parent: string, more: TallyFields = {}, reserved = '') =>
  object('GROUP', name, { PARENT: [parent], ...more }, reserved);

test('a ledger goes where the nearest group that Tally gave goes, also under another name and without end in a circle', () => {
  const place = placesOf([
    group('Kunden', '\u0004 Primary', {}, 'Sundry Debtors'),
    group('South', 'Kunden'),
    group('Shops', ' SOUTH '),
    group('Circle', 'Ring'),
    group('Ring', 'Circle'),
    group('Odd costs', '', { ISDEEMEDPOSITIVE: ['Yes'], ISREVENUE: ['Yes'] }),
  ]);
  expect(place('Shops')).toMatchObject({ sort: 'customer' });
  expect(place('Bank OCC A/c')).toMatchObject({ group: '2400', sort: 'bank' });
  expect(place('Odd costs')).toEqual({ group: '6400', sort: 'other' });
  expect([place('Circle'), place('Nowhere')]).toEqual([undefined, undefined]);
});

test('a ledger of GST is ours: input and output by its name, else by its balance', () => {
  const tax = (name: string, balance: string) =>
    ownLedger(object('LEDGER', name, { TAXTYPE: ['GST'], GSTDUTYHEAD: ['Integrated Tax'], OPENINGBALANCE: [balance] }));
  expect([tax('Input IGST', '5.00'), tax('Output IGST', '-5.00'), tax('IGST', '-5.00'), tax('IGST', '5.00')]).toEqual([
    ...['1413', '2213', '1413', '2213'],
  ]);
  expect(ownLedger(object('LEDGER', 'TDS payable', { TAXTYPE: ['TDS'] }))).toBeUndefined();
});

describe('opening stock', () => {
  const company = companyOf([], true, (name) => name.toUpperCase());
  const lines = (fields: TallyFields) =>
    tallySheet('openingItems')?.linesOf(object('STOCKITEM', 'Pill', fields), company);
  const batch = (name: string, quantity: string): TallyFields => ({ BATCHNAME: [name], OPENINGBALANCE: [quantity] });
  const item: TallyFields = {
    BASEUNITS: ['Nos'],
    ISBATCHWISEON: ['Yes'],
    OPENINGBALANCE: [' 3 Nos'],
    OPENINGVALUE: ['-100.00'],
  };
  test('of batches shares the value of the item to the paisa', () => {
    const parts = lines({ ...item, BATCHALLOCATIONS: [batch('A', ' 1 Nos'), batch('B', ' 2 Nos')] });
    expect(parts?.map(({ batch: name, quantity, value }) => [name, quantity, value])).toEqual([
      ['A', '1', '33.33'],
      ['B', '2', '66.67'],
    ]);
  });
  test.each([
    ['do not add up', [batch('A', ' 1 Nos')]],
    ['are below zero', [batch('A', ' 4 Nos'), batch('B', ' -1 Nos')]],
    ['have no name', [batch('Primary Batch', ' 3 Nos')]],
  ])('whose batches %s is that of the item', (_, rows) => {
    expect(lines({ ...item, BATCHALLOCATIONS: rows })).toEqual([
      { item: 'PILL', unit: 'NOS', quantity: '3', value: '100.00' },
    ]);
  });
  test('that is below zero is left out', () => {
    expect(lines({ ...item, OPENINGBALANCE: ['-3 Nos'] })).toEqual([]);
  });
});

test('two names that make one code have two', () => {
  const { codeOf } = companyOf([], false, () => 'SAME');
  expect([codeOf('ledger', 'A'), codeOf('ledger', 'B'), codeOf('ledger', 'a '), codeOf('item', 'A')]).toEqual([
    ...['SAME', 'SAME-2', 'SAME', 'SAME'],
  ]);
});
