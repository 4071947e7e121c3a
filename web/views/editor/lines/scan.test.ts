import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import { createRowStore } from '../../../kit/grid/rowStore.ts';
import { putScanned } from './scan.ts';

const bulb = { item: 'led', name: 'LED bulb', unit: 'NOS' };
const box = { ...bulb, unit: 'BOX' };
const modelOf = (name: Parameters<typeof kindOf>[0]) => ({ kind: kindOf(name), lines: createRowStore([{}]) });
const shown = (lines: ReturnType<typeof createRowStore>, field = 'quantity') =>
  lines.rows().map((row) => [row['item'] ?? '', row['unit'] ?? '', row[field] ?? '']);

test('a scan makes a line before the blank one, the same code counts up, another unit is a row of its own', () => {
  const model = modelOf('saleInvoice');
  const blank = model.lines.keys()[0];
  for (const scanned of [bulb, bulb, box, bulb]) putScanned(model, scanned);
  expect(shown(model.lines)).toEqual([
    ['LED bulb', 'NOS', '3'],
    ['LED bulb', 'BOX', '1'],
    ['', '', ''],
  ]);
  expect(model.lines.keys().at(-1)).toBe(blank);
});

test('a quantity that was typed is counted on from; in a count of stock what is counted goes up', () => {
  const sale = modelOf('saleInvoice');
  putScanned(sale, bulb);
  sale.lines.set(sale.lines.keys()[0] ?? '', { quantity: '2.5' });
  expect(putScanned(sale, bulb)).toBe('3.5');
  const count = modelOf('inventoryAdjustment');
  putScanned(count, bulb);
  putScanned(count, bulb);
  expect(shown(count.lines, 'counted')[0]).toEqual(['LED bulb', 'NOS', '2']);
});

test('whatever is scanned in whatever order, each code is listed once with as many as it was scanned', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(4), fc.constantFrom('NOS', 'BOX')), { maxLength: 60 }), (scans) => {
      const model = modelOf('purchaseBill');
      const counts = new Map<string, number>();
      for (const [n, unit] of scans) {
        putScanned(model, { item: `i${n}`, name: `Item ${n}`, unit });
        counts.set(`i${n}/${unit}`, (counts.get(`i${n}/${unit}`) ?? 0) + 1);
      }
      const rows = model.lines.rows().filter((row) => row['itemId']);
      expect(
        Object.fromEntries(rows.map((row) => [`${row['itemId']}/${row['unit']}`, Number(row['quantity'])])),
      ).toEqual(Object.fromEntries(counts));
      expect(rows).toHaveLength(counts.size);
    }),
  );
});
