import { expect, test } from 'vitest';
import { masterOf } from '../../../contract/masters.ts';
import { atPart, withAddress, withAddressFields } from './briefAddress.ts';
import { drawnFields } from './MasterFields.tsx';
import { problemsOf } from './problems.ts';

for (const name of ['customer', 'supplier', 'consumer'] as const)
  test(`the quick dialog of ${name} asks for an address, and keeps it in the state of the record`, () => {
    const master = masterOf(name);
    if (!master) throw new Error(name);
    const brief = withAddressFields(master);
    const drawn = drawnFields(brief, true);
    expect(drawn).toEqual(expect.arrayContaining(['line1', 'city', 'pincode']));
    const values = { name: 'Metro', category: 'unregistered', state: '29' };
    expect(withAddress(master, values)).toEqual(values);
    const typed = withAddress(master, { ...values, line1: '9 Ring Road', city: 'Bengaluru', pincode: '560058' });
    expect(typed['addresses']).toEqual([
      { type: 'both', line1: '9 Ring Road', city: 'Bengaluru', pincode: '560058', state: '29', country: 'IN' },
    ]);
    const half = problemsOf(master.fields, withAddress(master, { ...values, line1: '9 Ring Road' })).map(atPart);
    expect(half.map(({ field }) => field)).toEqual(expect.arrayContaining(['city', 'pincode']));
  });

test('a master without addresses asks for none', () => {
  const item = masterOf('item');
  expect(item && drawnFields(withAddressFields(item), true)).not.toContain('line1');
});
