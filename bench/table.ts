/** One line of the table: what was measured, and how it stands to its goal. */
export interface Row {
  /** Number of the goal; without one it is only shown. */
  readonly goal?: number;
  readonly what: string;
  readonly value: number;
  /** Decimals shown, or a unit behind the whole number. */
  readonly unit?: string;
  readonly accept?: number;
  readonly stretch?: number;
  /** More is better for rates, less for times. */
  readonly better?: 'more' | 'less';
  /** Where the size is not the goal's, or what else has to be known. */
  readonly note?: string;
}

const reaches = ({ value, better = 'less' }: Row, limit: number): boolean =>
  better === 'more' ? value >= limit : value <= limit;

/** `goal` where the stretch is reached, `accept` where the least is, else `MISSED`. */
export const verdict = (row: Row): string => {
  if (row.accept === undefined) return '';
  if (row.stretch !== undefined && reaches(row, row.stretch)) return 'goal';
  return reaches(row, row.accept) ? 'accept' : 'MISSED';
};

const shown = ({ value, unit }: Row): string =>
  unit === undefined
    ? value.toFixed(2)
    : `${value < 10 && !Number.isInteger(value) ? value.toFixed(1) : Math.round(value)}${unit}`;
const limits = ({ accept, stretch, better }: Row): string =>
  accept === undefined ? '' : `${better === 'more' ? '≥' : '≤'} ${accept} / ${stretch ?? accept}`;

const print = (goal: string, what: string, value: string, limit: string, how: string, note: string): void => {
  process.stdout.write(
    `${goal.padStart(3)}  ${what.padEnd(72)}${value.padStart(10)}  ${limit.padEnd(14)}${how.padEnd(7)} ${note}`
      .trimEnd()
      .concat('\n'),
  );
};

export const printHead = (): void => print('#', 'what', 'measured', 'accept / goal', '', '');

/** Prints a row as soon as it is measured, so that a run that is broken off loses nothing. */
export const printRow = (row: Row): void =>
  print(
    row.goal === undefined ? '' : String(row.goal),
    row.what,
    shown(row),
    limits(row),
    verdict(row),
    row.note ?? '',
  );

export const median = (values: readonly number[]): number => at(values, 0.5);
/** The value that this share of all lie below. */
export const at = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
