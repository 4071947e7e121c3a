import { expect, test } from 'vitest';
import { millionths, percent } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import { amountsLeft, type SourceLine, sourceKey } from '../../../../domain/document/sources.ts';
import { chargesLeft, lineOfCharge } from './charges.ts';

const line = (number: number, quantity: number, taxable: number, more: Partial<SourceLine> = {}): SourceLine => ({
  ...{ document: 'invoice', line: number, hsn: '8471', unit: 'NOS', treatment: 'taxable' },
  ...{ quantity: millionths(quantity), leftQuantity: millionths(quantity), taxable: paise(taxable) },
  ...{ leftFree: millionths(0), leftBase: millionths(quantity), left: amountsLeft(() => paise(0)) },
  ...{ rate: millionths(100_000_000), gstRate: percent(180_000), cessRate: percent(0), cessPerUnit: paise(0) },
  ...more,
});
const lamps = line(1, 2_000_000, 20_000, { item: 'lamp' });
const chairs = line(2, 1_000_000, 10_000, { item: 'chair' });
const freight = line(3, 1_000_000, 10_000, { charge: 'Freight', hsn: '996511', unit: 'OTH' });
const sourcesOf = (...lines: readonly SourceLine[]) => new Map(lines.map((one) => [sourceKey(one), one]));
const all = sourcesOf(lamps, chairs, freight);
const back = kindOf('saleReturn');
const row = (at: number, quantity: string) => ({ source: `invoice/${at}`, quantity });

test('a charge is offered while something of it is left, and no line gives it back', () => {
  expect(chargesLeft(back, all, [row(1, '1')])).toEqual([freight]);
  expect(chargesLeft(back, all, [row(1, '1'), row(3, '0.333')])).toEqual([]);
  expect(chargesLeft(back, all, [{ source: 'other/1', quantity: '1' }])).toEqual([]);
  expect(chargesLeft(back, sourcesOf(lamps, { ...freight, leftQuantity: millionths(0) }), [row(1, '1')])).toEqual([]);
  // an invoice from an order has charges of its own
  expect(chargesLeft(kindOf('saleInvoice'), all, [row(1, '1')])).toEqual([]);
});

test('it is given back by the share of the value, and with the last of the goods what is left', () => {
  const shareOf = (rows: readonly Readonly<Record<string, string>>[], sources = all) =>
    lineOfCharge(back, sources, rows, [...sources.values()].at(-1) ?? freight)['quantity'];
  expect(shareOf([row(1, '1')])).toBe('0.333');
  expect(shareOf([row(1, '2')])).toBe('0.667');
  expect(shareOf([row(1, '2'), row(2, '1')])).toBe('1');
  const left = { ...freight, leftQuantity: millionths(333_000) };
  const last = sourcesOf({ ...lamps, leftQuantity: millionths(0) }, chairs, left);
  expect(shareOf([row(2, '1')], last)).toBe('0.333');
  expect(shareOf([row(1, '1')], sourcesOf(lamps, chairs, { ...left, leftQuantity: millionths(100_000) }))).toBe('0.1');
});

test('it has the code, the tax and the price of the charge; of a note the price is typed', () => {
  const wanted = { source: 'invoice/3', description: 'Freight', hsn: '996511', gstRate: '18', gstOwn: '18' };
  expect(lineOfCharge(back, all, [row(1, '1')], freight)).toMatchObject({ ...wanted, rate: '100.00' });
  const note = lineOfCharge(kindOf('saleCreditNote'), all, [row(1, '1')], freight);
  expect(note).toMatchObject({ ...wanted, quantity: '1' });
  expect(note).not.toHaveProperty('rate');
});
