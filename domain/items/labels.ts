/** Millimetres. A sheet holds columns × rows of labels; on a roll each label is a page of its own. */
export interface LabelFormat {
  readonly label: string;
  readonly page: readonly [width: number, height: number];
  readonly columns: number;
  readonly rows: number;
  readonly size: readonly [width: number, height: number];
  /** From the edge of the page to the first label. */
  readonly margin: readonly [left: number, top: number];
  /** From the beginning of one label to that of the next. */
  readonly pitch: readonly [across: number, down: number];
}

const a4 = [210, 297] as const;
const roll = (width: number, height: number): LabelFormat => ({
  label: `Roll, ${width} × ${height} mm`,
  page: [width, height],
  columns: 1,
  rows: 1,
  size: [width, height],
  margin: [0, 0],
  pitch: [width, height],
});

/** The sheets and rolls that are sold in India. */
export const labelFormats = {
  a4x24: {
    label: 'A4, 24 a sheet (64 × 34 mm)',
    page: a4,
    columns: 3,
    rows: 8,
    size: [64, 33.9],
    margin: [7, 12.9],
    pitch: [66, 33.9],
  },
  a4x40: {
    label: 'A4, 40 a sheet (48 × 26 mm)',
    page: a4,
    columns: 4,
    rows: 10,
    size: [48.5, 25.4],
    margin: [8, 21.5],
    pitch: [48.5, 25.4],
  },
  a4x65: {
    label: 'A4, 65 a sheet (38 × 21 mm)',
    page: a4,
    columns: 5,
    rows: 13,
    size: [38.1, 21.2],
    margin: [4.7, 10.7],
    pitch: [40.6, 21.2],
  },
  roll100x50: roll(100, 50),
  roll50x25: roll(50, 25),
  roll38x25: roll(38, 25),
} as const satisfies Record<string, LabelFormat>;

export type LabelFormatName = keyof typeof labelFormats;
export const labelFormatNames = Object.keys(labelFormats) as [LabelFormatName, ...LabelFormatName[]];
export const labelFormatOf = (name: LabelFormatName): LabelFormat => labelFormats[name];

/**
 * Where each of `count` labels stands: page from 0, and its upper left corner in millimetres. `skip` leaves places of
 * the first page free.
 */
export function labelPlaces(
  format: LabelFormat,
  count: number,
  skip = 0,
): { readonly page: number; readonly x: number; readonly y: number }[] {
  const perPage = format.columns * format.rows;
  // a roll has no sheet of which a part is used up
  const first = perPage === 1 ? 0 : Math.min(skip, perPage - 1);
  return Array.from({ length: count }, (_, n) => {
    const at = first + n;
    const place = at % perPage;
    return {
      page: Math.floor(at / perPage),
      x: format.margin[0] + (place % format.columns) * format.pitch[0],
      y: format.margin[1] + Math.floor(place / format.columns) * format.pitch[1],
    };
  });
}
