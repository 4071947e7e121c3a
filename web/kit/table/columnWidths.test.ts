import { expect, it } from 'vitest';
import { gridTemplate, wordsWidth } from './columnWidths.ts';

const column = (key: string, width?: number, numeric?: true) => ({
  key,
  label: key,
  ...(width === undefined ? {} : { width }),
  ...(numeric && { numeric }),
  cell: (row: Readonly<Record<string, string>>) => row[key] ?? '',
});

it('gives figures what the longest of them needs, totals too', () => {
  const columns = [column('amount', 100, true)];
  const [small, large] = [[{ amount: '5.00' }], [{ amount: '12,34,56,789.00' }]];
  const least = (template: string) => Number(/calc\(([\d.]+)ch/.exec(template)?.[1]);
  expect(least(gridTemplate(columns, large))).toBeGreaterThanOrEqual(11 + 4 * 0.5);
  expect(least(gridTemplate(columns, small))).toBeLessThan(least(gridTemplate(columns, large)));
  expect(least(gridTemplate(columns, small, { amount: '12,34,56,789.00' }))).toBe(least(gridTemplate(columns, large)));
});

it('lets words grow to twice their width and no further; a column without a width takes the rest', () => {
  const rows = [{ name: 'x'.repeat(90), note: 'short' }];
  expect(gridTemplate([column('name', 150), column('note', 120), column('rest')], rows)).toBe(
    'minmax(150px, 300fr) minmax(120px, 120fr) minmax(150px, 400fr)',
  );
});

it('measures what is drawn as more than text by the words it says', () => {
  const drawn = { ...column('stage', 100), cell: () => null, words: () => 'x'.repeat(20) };
  expect(gridTemplate([drawn], [{}])).toBe('minmax(100px, 170fr)');
});

it('gives codes in capitals what capitals need: they are wider than digits', () => {
  const code = { ...column('code', 130), code: true as const };
  const least = (text: string) => Number(/calc\(([\d.]+)ch/.exec(gridTemplate([code], [{ code: text }]))?.[1]);
  // ten capitals among five digits, in widths of a digit
  expect(least('29AALCM6655B1Z8')).toBeGreaterThan(16.2);
  expect(least('CABLE-XLPE-3.5C-300SQMM')).toBeGreaterThan(24);
});

it('starts a column of short words from what they take, and one of long words from the most', () => {
  expect(wordsWidth(['Section', '194J(b)'], 170)).toBeLessThan(90);
  expect(wordsWidth(['Supplier', 'x'.repeat(90)], 170)).toBe(170);
});
