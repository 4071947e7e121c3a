import { expect, test } from 'vitest';
import { type MergingParty, merged, mergeProblem } from './parties.ts';

const base: MergingParty = {
  name: 'Kaveri Electricals',
  code: 'C0001',
  side: 'customer',
  category: 'unregistered',
  gstin: null,
  pan: null,
  state: '29',
  currency: 'INR',
  creditLimit: null,
  more: {},
};
const registered = { gstin: '29AADCK5678L1ZO', pan: 'AADCK5678L', category: 'registered' };

test('two registrations, two PANs or two currencies are not one party', () => {
  expect(mergeProblem(base, base)?.message).toBeUndefined();
  expect(mergeProblem({ ...base, ...registered }, base)?.message).toBeUndefined();
  expect(mergeProblem({ ...base, ...registered }, { ...base, gstin: '33AADCK5678L1Z1' })?.message).toMatch(
    'two registrations',
  );
  expect(mergeProblem({ ...base, pan: 'AADCK5678L' }, { ...base, pan: 'AAACA1111A' })?.message).toMatch(
    'different PANs',
  );
  expect(mergeProblem(base, { ...base, currency: 'USD' })?.message).toMatch('USD');
});

test('what stays keeps its word and gets what it lacked', () => {
  const address = { line1: '1 Market Road', pincode: '560001' };
  const stays = { ...base, creditLimit: 500_00, more: { phone: '1', addresses: [address], email: '' } };
  const more = { phone: '2', email: 'k@example.com', addresses: [address, { ...address, line1: '2 Mill Road' }] };
  const goes: MergingParty = {
    ...base,
    ...registered,
    side: 'supplier',
    code: 'S0009',
    name: 'Kaveri Elec.',
    creditLimit: 200_00,
    more,
  };
  expect(merged(stays, goes)).toEqual({
    ...stays,
    ...registered,
    side: 'both',
    creditLimit: 200_00,
    more: {
      phone: '1',
      email: 'k@example.com',
      addresses: [address, { ...address, line1: '2 Mill Road' }],
      formerly: 'S0009 Kaveri Elec. 29AADCK5678L1ZO 2',
    },
  });
});

test('a party without a limit takes over the one that there is, and keeps its own GSTIN', () => {
  const stays = { ...base, ...registered };
  expect(merged(stays, { ...base, creditLimit: 100_00 })).toMatchObject({ ...registered, creditLimit: 100_00 });
});
