import type { ReactNode } from 'react';
import type { Column } from './DataTable.tsx';

/** Rows that are measured: enough for the pages a person looks at. */
const MEASURED = 300;
/** In widths of a digit of the font in use: a digit in bold, a comma or point, a capital, a letter on the average. */
const DIGIT = 1.05;
const POINT = 0.52;
const CAPITAL = 1.22;
const LETTER = 1;
/** Pixels of a digit in the usual font, and of the two edges of a cell. */
const USUAL = 7.4;
const EDGES = 22;

/** What a text takes, near enough and without asking the browser; what is drawn as an element counts nothing. */
const sizeOf = (text: ReactNode): number => {
  if (typeof text !== 'string') return 0;
  const digits = text.replace(/\D/g, '').length;
  const points = text.replace(/[^., -]/g, '').length;
  const capitals = text.replace(/[^A-Z]/g, '').length;
  return digits * DIGIT + points * POINT + capitals * CAPITAL + (text.length - digits - points - capitals) * LETTER;
};

/** Pixels that a column of words starts from: what the longest of them takes, and no more than `most`. */
export const wordsWidth = (texts: readonly string[], most: number): number =>
  Math.min(most, Math.max(...texts.map((text) => Math.ceil(sizeOf(text) * USUAL + EDGES))));

/**
 * The widths of a list's columns for `grid-template-columns`, in digits of the font in use. Figures are never cut: their
 * column is at least as wide as the longest of them. Words share what is left by their length, up to twice the width
 * their column starts from.
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
      if (width === undefined) return 'minmax(150px, 400fr)';
      const texts = [
        column.label,
        totals[column.key],
        ...measured.map((row) => column.words?.(row) ?? column.cell(row)),
      ];
      const digits = Math.max(...texts.map(sizeOf));
      const needed = Math.ceil(digits * USUAL + EDGES);
      const share = Math.max(width, Math.min(needed, width * 2));
      return column.numeric || column.code
        ? `minmax(max(${width}px, calc(${digits.toPrecision(4)}ch + ${EDGES}px)), ${Math.max(share, needed)}fr)`
        : `minmax(${width}px, ${share}fr)`;
    })
    .join(' ');
};
