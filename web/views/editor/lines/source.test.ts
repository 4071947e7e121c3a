import { expect, test, vi } from 'vitest';
import type { Session } from '../../../../contract/session.ts';
import { api } from '../../../kit/server/client.ts';
import { createModel } from '../model.ts';
import { fillFrom } from './source.ts';

const session = {
  ...{ today: '2026-11-21', locations: [], physicalLocation: null, taxLocation: null, settings: {} },
  limits: { discount: null, days: null, cost: 'all' },
  registrations: [],
} as unknown as Session;

const invoice = { id: '01900000-0000-7000-8000-000000000001', name: 'SI/1' };
const item = '01900000-0000-7000-8000-000000000002';
const draft = {
  kind: 'saleCreditNote',
  against: invoice.id,
  reason: 'S',
  lines: [
    { item, quantity: '5', rate: '95', source: { document: invoice.id, line: 1 } },
    { item, quantity: '7', rate: '95', source: { document: invoice.id, line: 2 } },
  ],
};

/** A credit note whose invoice was chosen; its lines come when `answer` is called. */
const chosen = () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const model = createModel('saleCreditNote', session);
  let answer = (_: unknown) => {};
  vi.spyOn(api, 'GetConversion').mockReturnValue(
    new Promise((done) => {
      answer = done as typeof answer;
    }) as never,
  );
  model.head.set({ against: invoice.id, _against: invoice.name });
  return { model, filled: fillFrom(model, invoice), answer: () => answer({ draft, facts: {} }) };
};

test('what is typed while the lines of a source are on their way is put over them, in the same row', async () => {
  const { model, filled, answer } = chosen();
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { quantity: '1' });
  model.lines.set(key, { rate: '2' });
  model.head.set({ reason: 'P' });
  answer();
  await filled;
  expect(model.head.get()).toMatchObject({ against: invoice.id, reason: 'P' });
  expect(model.lines.rows()).toMatchObject([
    { key, itemId: item, quantity: '1', rate: '2', source: `${invoice.id}/1` },
    { itemId: item, quantity: '7', rate: '95', source: `${invoice.id}/2` },
  ]);
});

test('lines with an item of their own, typed while those of a source are on their way, stay as they are', async () => {
  const { model, filled, answer } = chosen();
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { item: 'Lamp', itemId: '01900000-0000-7000-8000-000000000003', quantity: '1' });
  answer();
  await filled;
  const rows = model.lines.rows();
  expect(rows).toMatchObject([{ key, item: 'Lamp', quantity: '1' }]);
  expect(rows[0]?.['source']).toBeUndefined();
});
