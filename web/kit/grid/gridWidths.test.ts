import { expect, it } from 'vitest';
import { columnWidth, gridWidth } from './gridWidths.ts';

it('leaves what is over to the column that has no width', () => {
  const columns = [{}, { width: 90 }];
  expect(columns.map((column) => columnWidth(column, columns))).toEqual([undefined, 90]);
  expect(gridWidth(columns)).toBe(84 + 180 + 90);
});

it('shares it among the columns where each has a width', () => {
  const columns = [{ width: 120 }, { width: 60 }, { width: 60 }];
  expect(columns.map((column) => columnWidth(column, columns))).toEqual(['50%', '25%', '25%']);
});
