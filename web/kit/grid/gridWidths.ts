import type { GridColumn } from './gridPaste.ts';

type Widths = readonly Pick<GridColumn, 'width'>[];

/** Pixels of the number before a line and the bin behind it. */
const BESIDE = 84;
/** Pixels of a column that takes what is left, at least. */
const LEAST = 180;

const sumOf = (columns: Widths): number => columns.reduce((sum, { width }) => sum + (width ?? LEAST), 0);

/** Pixels below which a line grid scrolls sideways. */
export const gridWidth = (columns: Widths): number => BESIDE + sumOf(columns);

/** The width of a column: where none takes what is left they share it, and the number and the bin beside them stay narrow. */
export const columnWidth = ({ width }: Widths[number], columns: Widths): number | string | undefined =>
  width !== undefined && columns.every((column) => column.width !== undefined)
    ? `${Math.round((width * 100_000) / sumOf(columns)) / 1000}%`
    : width;
