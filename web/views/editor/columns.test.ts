import { expect, test } from 'vitest';
import { kindOf } from '../../../domain/kinds/index.ts';
import { columnsOf } from './columns.ts';

const nothing = async () => ({ rows: [], total: 0 });
const searches = {
  ...{ items: nothing, ledgers: nothing, parties: nothing, rooms: nothing },
  createItem: { label: 'Create item', run: () => undefined },
};

test('Enter goes from the quantity to the rate, also while the name of the item has not come yet', () => {
  const columns = columnsOf(kindOf('saleCreditNote'), searches, false, {
    batches: false,
    serials: false,
    rooms: false,
  });
  const stops = (row: Record<string, string>) =>
    columns.filter(({ type, passed }) => type !== 'readonly' && !passed?.({ key: '1', ...row })).map(({ key }) => key);
  expect(stops({ itemId: '0192' })).toEqual(['item', 'quantity', 'rate', 'discount']);
  expect(stops({ item: 'Fan', itemId: '0192' })).toEqual(stops({ itemId: '0192' }));
  expect(stops({})).toContain('unit');
});
