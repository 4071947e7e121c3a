import type { ReactNode } from 'react';
import type { Column } from './DataTable.tsx';

/** Rows that are measured: enough for the pages a person looks at. */
const MEASURED = 300;
/** Pixels at 13 px of a letter, a digit (in bold), a comma or point, and of the two edges of a cell. */
const LETTER = 7.2;
const DIGIT = 7.7;
const POINT = 3.8;
const EDGES = 22;

/** What a text takes, near enough and without asking the browser; what is drawn as an element counts nothing. */
const sizeOf = (text: ReactNode): number => {
  if (typeof text !== 'string') return 0;
  const digits = text.replace(/\D/g, '').length;
  const points = text.replace(/[^., -]/g, '').length;
  return digits * DIGIT + points * POINT + (text.length - digits - points) * LETTER;
};

/**
 * The widths of a list's columns for `grid-template-columns`. Figures are never cut: their column is at least as wide as
 * the longest of them. Words share what is left by their length, up to twice the width their column starts from.
 */
export const gridTemplate = <T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  totals: Readonly<Record<string, ReactNode>> = {},
): string => {
  const measured = rows.slice(0, MEASURED);
  return columns
    .map((column) => {
      const { width } = column;
      if (width === undefined) return 'minmax(200px, 400fr)';
      const texts = [column.label, totals[column.key], ...measured.map((row) => column.cell(row))];
      const needed = Math.ceil(Math.max(...texts.map(sizeOf)) + EDGES);
      const least = column.numeric || column.code ? Math.max(width, needed) : width;
      return `minmax(${least}px, ${Math.max(least, Math.min(needed, width * 2))}fr)`;
    })
    .join(' ');
};
