import type { Create, Found, Option, Search } from './Combobox.tsx';
import { expectAnswer } from './coming.ts';
import type { Choice } from './fields.tsx';
import { type DateFormat, parseAmount, parseDate } from './format.ts';
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
  /** A paste passes over the column when its first line has no such text there: sheets may have it or not. */
  readonly takes?: (text: string) => boolean;
  /** Takes the whole width of a card on phones. */
  readonly wide?: boolean;
}

/** Cells of text copied from a spreadsheet. */
export const spread = (text: string): readonly (readonly string[])[] => {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()));
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
}

/** The columns that the cells go into, one after the other. */
function openTo(columns: readonly GridColumn[], [first = []]: readonly (readonly string[])[]): readonly GridColumn[] {
  const open: GridColumn[] = [];
  for (const column of columns)
    if (column.type !== 'readonly' && column.takes?.(first[open.length] ?? '') !== false) open.push(column);
  return open;
}

/** Spreads cells from a place on, skipping columns that take none, adding lines. Answers the last row written. */
export const pasteInto = ({ store, columns, cells, row, column }: Paste): number => {
  const asked: Asked = new Map();
  const open = openTo(columns.slice(column), cells);
  cells.forEach((line, offset) => {
    const key = store.keys()[row + offset] ?? store.add();
    const pairs = open.flatMap((each, index) => {
      const text = line[index];
      return text === undefined ? [] : [[each, text] as const];
    });
    store.set(key, pastedLine(store.row(key), pairs));
    for (const [each, text] of pairs) if (each.type === 'combobox' && text) resolve(asked, store, key, each, text);
  });
  return row + cells.length - 1;
};

/** What a paste makes of a line: a name over a chosen record is nobody's until it is found, and what followed from the record goes. */
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
    const row = store.row(key);
    if (option && row && row[column.key] === text)
      store.set(key, column.picked?.(option, row) ?? { [column.key]: option.name });
    arrived();
  }, arrived);
};
