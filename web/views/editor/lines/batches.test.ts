import { expect, test, vi } from 'vitest';
import type { Session } from '../../../../contract/session.ts';
import type { KindName } from '../../../../domain/document/kinds/index.ts';
import { createModel } from '../model.ts';

const session = {
  ...{ today: '2026-11-21', locations: [], registrations: [], physicalLocation: null, taxLocation: null },
} as unknown as Session;
const item = {
  ...{ id: 'syrup', sku: 'SYRUP', name: 'Syrup', unit: 'NOS', units: { NOS: '1/1' }, hsn: '3004' },
  ...{ treatment: 'taxable', gstRate: '18', cessRate: '0', cessPerUnit: '0', saleRate: '100.00', stocked: true },
  ...{ onHand: '30', batched: true },
  batches: [
    { batch: 'OLD', quantity: '10', expiry: '2026-11-01', expired: true },
    { batch: 'SOON', quantity: '10', expiry: '2026-11-30', expired: false, short: true },
    { batch: 'GOOD', quantity: '10', expiry: '2027-06-30', expired: false },
  ],
};

/** A line of the kind with twelve of the item; the server never answers: what it says is given by the test. */
const line = async (kind: KindName) => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const model = createModel(kind, session);
  const key = model.lines.keys()[0] ?? '';
  model.lines.set(key, { item: 'Syrup', itemId: 'syrup', quantity: '12', filled: '' });
  model.facts.learn({ items: [item] } as never);
  await new Promise((done) => setTimeout(done));
  return model.lines.row(key);
};

test('what expires first passes over what may not be sold any more, and says so', async () => {
  expect(await line('saleInvoice')).toMatchObject({ batches: 'GOOD = 10 exp 2027-06-30', passed: 'OLD, SOON' });
});

test('to another place goods may go as old as they are', async () => {
  const row = await line('branchTransfer');
  expect(row).toMatchObject({ batches: 'OLD = 10 exp 2026-11-01; SOON = 2 exp 2026-11-30' });
  expect(row?.['passed'] ?? '').toBe('');
});
