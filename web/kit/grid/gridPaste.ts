import type { Create, Found, Option, Search } from '../fields/Combobox.tsx';
import type { Choice } from '../fields/fields.tsx';
import { expectAnswer } from '../fields/pendingSearches.ts';
import { type DateFormat, parseAmount, parseDate } from '../format.ts';
import type { LinePatch, LineRow, RowStore } from './rowStore.ts';

/** A column of the line grid. `key` is the field of the line, and of a problem. */
export interface GridColumn {
  readonly key: string;
  readonly label: string;
  /** Pixels; a column without one takes what is left. */
  readonly width?: number;
  readonly type: 'text' | 'number' | 'date' | 'select' | 'combobox' | 'readonly';
  readonly required?: boolean;
  /** Most decimals of a number (2 unless said). */
  readonly places?: number;
  /** Decimals a number is filled up to, as the figures beside it are: 2 for money. */
  readonly pad?: number;
  /** Right-aligns a read-only column. */
  readonly numeric?: boolean;
  /** What a read-only cell shows; the field's text otherwise. */
  show?(row: LineRow): string;
  readonly choices?: readonly Choice[] | ((row: LineRow) => readonly Choice[]);
  readonly search?: Search;
  /** The fields that follow from a pick, the name in `key` among them. */
  picked?(option: Option, row: LineRow): LinePatch;
  /** What else holds of a line once a text is pasted into the column; `line` is the line with all that was pasted. */
  pasted?(line: LinePatch): LinePatch;
  /** The field that holds the id of the picked record: text without one is marked. */
  readonly idKey?: string;
  readonly create?: Create;
  /** Takes a scanned code that was typed into the cell of a blank row; false leaves it to the search. */
  scanned?(code: string): boolean;
  /** Enter passes over the cell: it is filled from another one. Tab and the arrows still reach it. */
  passed?(row: LineRow): boolean;
  readonly dateFormat?: DateFormat;
  /**
   * A paste without a header row passes over the column unless its cells there are such texts or blank: sheets may have it or not.
   * `following`: how many cells of the row come after it.
   */
  readonly takes?: (text: string, following: number) => boolean;
  /** Other names of the column in the first row of a sheet, in small letters. */
  readonly names?: readonly string[];
  /** What a text means under such a name: 10 under "Disc %" is 10 %. */
  readonly headed?: (header: string, text: string) => string;
  /** Takes the whole width of a card on phones. */
  readonly wide?: boolean;
}

/**
 * Cells of text copied from a spreadsheet. A cell with a line break comes in quotes, those inside it doubled; a quote anywhere
 * else is text. A line break in a cell becomes a space.
 */
export const spread = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/y;
  const all = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  for (;;) {
    const [, quoted, plain = '', end] = cell.exec(all) ?? [];
    rows.at(-1)?.push((quoted?.replace(/""/g, '"') ?? plain).replace(/\s*\n\s*/g, ' ').trim());
    if (!end) return rows;
    if (end === '\n') rows.push([]);
  }
};

/** What a typed or pasted text becomes in a column; text that does not fit stays, so that the check names it. */
export const cleaned = (column: GridColumn, text: string): string => {
  if (text === '') return '';
  if (column.type === 'number') {
    const amount = parseAmount(text, column.places ?? 2);
    return amount === null ? text : padded(amount, padOf(column));
  }
  if (column.type === 'date') return parseDate(text, column.dateFormat) ?? text;
  if (column.type !== 'select' || typeof column.choices === 'function') return text;
  const same = column.choices?.find((choice) => [choice.value, choice.label].some((word) => equal(word, text)));
  return same?.value ?? text;
};

/** Decimals that a figure of a column is filled up to. */
export const padOf = ({ pad, places }: GridColumn): number => pad ?? (places === undefined ? 2 : 0);

const padded = (amount: string, places: number): string => {
  const [whole = '', fraction = ''] = amount.split('.');
  return places === 0 ? amount : `${whole}.${fraction.padEnd(places, '0')}`;
};

const equal = (a: string | undefined, b: string) => a?.trim().toLowerCase() === b.trim().toLowerCase();

interface Paste {
  readonly store: RowStore;
  readonly columns: readonly GridColumn[];
  readonly cells: readonly (readonly string[])[];
  readonly row: number;
  readonly column: number;
  /** Lines that may be written from `row` on; without it lines are added. */
  readonly most?: number;
}

export interface Pasted {
  /** The columns that cells without a header row were taken for, by their labels; empty where a header row decided, or for one column. */
  readonly as: readonly string[];
  /** The last row written. */
  readonly last: number;
  /** What found no place, in words: it is shown, so that nothing is lost unseen. */
  readonly untaken: readonly string[];
}

/** The columns that the cells go into, one after the other. */
function openTo(columns: readonly GridColumn[], cells: readonly (readonly string[])[]): readonly GridColumn[] {
  const open: GridColumn[] = [];
  for (const column of columns) {
    const at = open.length;
    const fits = (line: readonly string[]) => {
      const text = line[at] ?? '';
      return text === '' || column.takes?.(text, line.length - at - 1) !== false;
    };
    if (column.type !== 'readonly' && cells.every(fits)) open.push(column);
  }
  return open;
}

/** A name without its currency, points and marks: "Rate (₹)" is "rate", "Sl. No." is "sl no". "Rate (incl. tax)" stays another thing. */
const plainName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\((₹|rs\.?|inr|[a-z]{3})\)/g, '')
    .replace(/[.*_:]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
/** Columns that only count the rows of a sheet. */
const rowNumbers = ['#', 'no', 's no', 'sl no', 'sr no'];

const columnCalled = (columns: readonly GridColumn[], header: string): GridColumn | undefined => {
  const name = plainName(header);
  return (
    columns.find(({ label }) => plainName(label) === name) ??
    columns.find(({ names, type }) => type !== 'readonly' && names?.includes(name))
  );
};

/** The columns that a header row names, undefined for a name nobody knows; undefined for a row that is no header. */
const headersOf = (
  columns: readonly GridColumn[],
  first: readonly string[] = [],
): readonly (GridColumn | undefined)[] | undefined => {
  if (first.some((text) => parseAmount(text, 6) !== null)) return undefined;
  const named = first.map((text) => (text === '' ? undefined : columnCalled(columns, text)));
  const known = new Set(named.filter((column) => column && column.type !== 'readonly'));
  return known.size >= 2 ? named : undefined;
};

/**
 * Writes cells into the lines and adds lines. A header row decides the columns; without one they are those from the cell on,
 * except columns that take none. Answers the last row written, and what had no place.
 */
export const pasteInto = ({ store, columns, cells, row, column, most }: Paste): Pasted => {
  const asked: Asked = new Map();
  const headers = headersOf(columns, cells[0]);
  const all = headers ? cells.slice(1) : cells;
  const lines = all.slice(0, most);
  const into = headers ?? openTo(columns.slice(column), cells);
  const isOpen = (at: number) => into[at] !== undefined && into[at].type !== 'readonly';
  lines.forEach((line, offset) => {
    const key = store.keys()[row + offset] ?? store.add();
    const pairs = into.flatMap((each, index) => {
      const text = line[index];
      if (text === undefined || !each || each.type === 'readonly') return [];
      const header = headers && cells[0]?.[index];
      return [[each, header && text ? meantUnder(each, header, text) : text] as const];
    });
    store.set(key, pastedLine(store.row(key), pairs));
    for (const [each, text] of pairs) if (each.type === 'combobox' && text) resolve(asked, store, key, each, text);
  });
  const untaken = headers
    ? unknownColumns(cells[0] ?? [], lines, isOpen)
    : lines.flatMap((line, at) =>
        rowInWords(
          at,
          line.filter((_, index) => !isOpen(index)),
        ),
      );
  const pastEnd = all.slice(lines.length).flatMap((line, at) => rowInWords(lines.length + at, line));
  const widest = Math.max(...cells.map((line) => line.length));
  const as = headers || widest < 2 ? [] : into.slice(0, widest).map((each) => each?.label ?? '');
  return { last: row + Math.max(lines.length, 1) - 1, untaken: [...untaken, ...pastEnd], as };
};

const meantUnder = ({ headed }: GridColumn, header: string, text: string): string => headed?.(header, text) ?? text;

const inWords = (texts: readonly string[]): string => texts.filter(Boolean).join(', ');
const rowInWords = (at: number, texts: readonly string[]): readonly string[] =>
  inWords(texts) ? [`Row ${at + 1}: ${inWords(texts)}`] : [];
const unknownColumns = (
  headers: readonly string[],
  lines: readonly (readonly string[])[],
  isOpen: (at: number) => boolean,
): readonly string[] => {
  const widest = Math.max(headers.length, ...lines.map((line) => line.length));
  return Array.from({ length: widest }, (_, at) => at).flatMap((at) => {
    const held = inWords(lines.map((line) => line[at] ?? ''));
    const header = headers[at] ?? '';
    return isOpen(at) || held === '' || rowNumbers.includes(plainName(header)) ? [] : [`Column “${header}”: ${held}`];
  });
};

/** What a paste makes of a line: a name over a chosen record names no record until it is found, and what followed from the record goes. */
const pastedLine = (row: LineRow | undefined, pairs: readonly (readonly [GridColumn, string])[]): LinePatch => {
  const gone = pairs.flatMap(([column, text]) =>
    row && column.idKey && row[column.idKey]
      ? Object.entries({ [column.idKey]: '', ...column.picked?.({ id: '', name: text }, row) })
      : [],
  );
  const patch: LinePatch = {
    ...Object.fromEntries(gone),
    ...Object.fromEntries(pairs.map(([column, text]) => [column.key, cleaned(column, text)])),
  };
  const line = { ...row, ...patch };
  const more = pairs.flatMap(([column, text]) => (text ? Object.entries(column.pasted?.(line) ?? {}) : []));
  return { ...patch, ...Object.fromEntries(more) };
};

/** The same name in many rows of one paste is asked for once. */
type Asked = Map<string, Promise<Found>>;

/** Finds the record a pasted name or code means; taken only when exactly one fits, else the text stays for the check. */
const resolve = (asked: Asked, store: RowStore, key: string, column: GridColumn, text: string): void => {
  const name = `${column.key}/${text}`;
  const answer = asked.get(name) ?? column.search?.(text, new AbortController().signal);
  if (!answer) return;
  asked.set(name, answer);
  const arrived = expectAnswer();
  answer.then(({ rows }) => {
    const same = rows.filter((option) => equal(option.name, text) || equal(option.code, text));
    const option = same.length === 1 ? same[0] : rows.length === 1 ? rows[0] : undefined;
    if (option) putFound(store, key, column, option, text);
    arrived();
  }, arrived);
};

/** Puts the record that was found for a text into its line, unless something else was typed there meanwhile. */
export const putFound = (store: RowStore, key: string, column: GridColumn, option: Option, text: string): void => {
  const row = store.row(key);
  if (row?.[column.key] === text) store.set(key, patchOf(column, option, row));
};

/** What a line gets with a record that is picked in a column. */
export const patchOf = (column: GridColumn, option: Option, row: LineRow): LinePatch =>
  column.picked?.(option, row) ?? { [column.key]: option.name };
