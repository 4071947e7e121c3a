import { expect, test } from 'vitest';
import { masters } from '../../../contract/masters.ts';
import { compare, type Taxpayer } from './taxpayer.ts';

const { fields } = masters.customer;
const { fills } = fields.gstin;
const taxpayer: Taxpayer = {
  gstin: '27AABCS4821K1Z9',
  legalName: 'Sahyadri Components Private Limited',
  tradeName: 'Sahyadri Components',
  state: '27',
  pan: 'AABCS4821K',
  category: 'composition',
  kind: 'composition',
  status: 'active',
  cancelledOn: null,
  address: { line1: '12', line2: 'Station Road', city: 'Pune', state: '27', pincode: '411019', country: 'IN' },
  warnings: [],
  askedOn: '2026-11-21',
  portalAway: false,
};
const address = { type: 'both', ...taxpayer.address, gstin: taxpayer.gstin };

test('empty fields are filled; a default that nobody touched gives way', () => {
  const { filled, differing } = compare(fields, fills, { category: 'registered' }, taxpayer);
  expect(filled).toEqual({
    name: taxpayer.legalName,
    tradeName: taxpayer.tradeName,
    state: '27',
    pan: taxpayer.pan,
    addresses: [address],
  });
  expect(differing).toEqual([expect.objectContaining({ field: 'category', value: 'composition', untouched: true })]);
});

test('what was typed otherwise is left to choose, what is the same is not spoken of', () => {
  const mine = {
    name: 'Sahyadri',
    state: '27',
    category: 'sezUnit',
    addresses: [{ ...address, line1: '7 Mill Road' }],
  };
  const { filled, differing } = compare(fields, fills, mine, taxpayer);
  expect(filled).toEqual({ tradeName: taxpayer.tradeName, pan: taxpayer.pan });
  expect(differing.map(({ field, untouched, mine, theirs }) => [field, untouched, mine, theirs])).toEqual([
    ['name', false, 'Sahyadri', taxpayer.legalName],
    ['category', false, 'SEZ unit', 'Registered, composition'],
    ['addresses', false, '7 Mill Road, Station Road, Pune, 411019', '12, Station Road, Pune, 411019'],
  ]);
  expect(differing[2]?.value).toEqual([...mine.addresses, address]);
});

test('letters in another case and an address already there are no difference', () => {
  const mine = { name: taxpayer.legalName.toUpperCase(), state: '27', category: 'composition', addresses: [address] };
  expect(compare(fields, fills, mine, taxpayer).differing).toEqual([]);
});
