import { type Said, say } from '../base/say.ts';
import { type Cell, cellText, readCell } from './cells.ts';
import { columnsOf, type SheetColumn, type SheetField, type SheetFields } from './sheet.ts';

type Values = Readonly<Record<string, unknown>>;
type Row = Values;

/** What is wrong with a row of a sheet: at the column with this target, or, null, with the row as a whole. */
export interface RowProblem extends Said {
  readonly target: string | null;
}

/** Another record that a cell names, by the master and its code or name. */
export interface Reference {
  readonly pick: string;
  readonly text: string;
}
/** Finds what a cell names. */
export type Resolve = (reference: Reference) => Cell;

/** What a row of a sheet says: values of fields, and of rows of fields by how their headings name them. Empty cells say nothing. */
export interface SheetRecord {
  readonly values: Values;
  readonly rows: Readonly<Record<string, Readonly<Record<string, Row>>>>;
  readonly problems: readonly RowProblem[];
}

/** The columns that a mapping names; undefined where a column of the sheet means nothing. */
export function mappedColumns(
  fields: SheetFields,
  targets: readonly (string | null)[],
): readonly (SheetColumn | undefined)[] {
  const byTarget = new Map(columnsOf(fields).map((column) => [column.target, column]));
  return targets.map((target) => (target === null ? undefined : byTarget.get(target)));
}

const several = (text: string): string[] =>
  text
    .split(/[;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** The records that a row names, so that they can be looked up for many rows at once. */
export const referencesIn = (
  columns: readonly (SheetColumn | undefined)[],
  cells: readonly string[],
): readonly Reference[] =>
  columns.flatMap((column, at) => {
    const { pick, type } = column?.field ?? {};
    const text = cellText(cells[at] ?? '');
    if (pick === undefined || text === '') return [];
    return (type === 'picks' ? several(text) : [text]).map((one) => ({ pick, text: one }));
  });

function readPicks(pick: string, text: string, resolve: Resolve): Cell {
  const all = several(text).map((one) => resolve({ pick, text: one }));
  const wrong = all.find((one) => 'problem' in one);
  return wrong ?? { value: all.flatMap((one) => ('value' in one ? [one.value] : [])) };
}

const readOne = (field: SheetField, text: string, resolve: Resolve): Cell | undefined => {
  const bare = cellText(text);
  if (field.pick === undefined || bare === '') return readCell(field, text);
  return field.type === 'picks' ? readPicks(field.pick, bare, resolve) : resolve({ pick: field.pick, text: bare });
};

/** Reads the cells of a row by the columns that they are in. */
export function readRecord(
  columns: readonly (SheetColumn | undefined)[],
  cells: readonly string[],
  resolve: Resolve,
): SheetRecord {
  const values: Record<string, unknown> = {};
  const rows: Record<string, Record<string, Record<string, unknown>>> = {};
  const problems: RowProblem[] = [];
  columns.forEach((column, at) => {
    const read = column && readOne(column.field, cells[at] ?? '', resolve);
    if (!column || !read) return;
    if ('problem' in read) problems.push({ target: column.target, ...read.problem });
    else if (!column.row) values[column.target] = read.value;
    else {
      const { of, at: name, column: inner } = column.row;
      const named = rows[of] ?? {};
      rows[of] = { ...named, [name]: { ...named[name], [inner]: read.value } };
    }
  });
  return { values, rows, problems };
}

/** A figure that nobody has written is not made up, where one has to be written. */
const figures = new Set(['money', 'quantity', 'rate', 'percent']);
const isMadeUp = ({ type, required }: SheetField): boolean => required === true && figures.has(type);

/** What a new record begins with, like its form: the usual values, and what follows from the GSTIN and the address. */
function usualValues(fields: SheetFields, { values, rows }: SheetRecord, ownState: string | undefined): Values {
  const gstinField = Object.keys(fields).find((key) => fields[key]?.type === 'gstin');
  const gstin = String((gstinField && values[gstinField]) ?? '');
  const addressed = Object.values(rows)
    .flatMap((named) => Object.values(named))
    .find((row) => row['state'] !== undefined)?.['state'];
  const usual: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    if (field.readOnly || values[key] !== undefined) continue;
    if (field.byGstin) usual[key] = gstin === '' ? field.byGstin[1] : field.byGstin[0];
    else if (field.type === 'state' && /^\d\d/.test(gstin)) usual[key] = gstin.slice(0, 2);
    else if (field.type === 'state' && field.usual) usual[key] = addressed ?? ownState;
    else if (field.initial !== undefined && !isMadeUp(field)) usual[key] = field.initial;
  }
  return Object.fromEntries(Object.entries(usual).filter(([, value]) => value !== undefined));
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Rows of a field as they will be, with the name that the sheet has for each of them. */
interface Merged {
  readonly rows: readonly Row[];
  readonly names: readonly (string | undefined)[];
}

/** Rows that the sheet names by number are those in that place; those named by a choice are the first of that sort, or new. */
function mergeRows(
  { eachBy, columns = {} }: SheetField,
  before: readonly Row[],
  given: Readonly<Record<string, Row>>,
  state: unknown,
): Merged {
  const rows: Row[] = [...before];
  const names: (string | undefined)[] = before.map(() => undefined);
  const blank: Row = Object.fromEntries(
    Object.entries(columns).flatMap(([key, { initial, type, required }]) =>
      initial !== undefined ? [[key, initial]] : type === 'state' && required && state ? [[key, state]] : [],
    ),
  );
  for (const [name, row] of Object.entries(given)) {
    const known = isNumber(name) ? Number(name) - 1 : before.findIndex((one) => one[eachBy ?? ''] === name);
    const sort = isNumber(name) || eachBy === undefined ? {} : { [eachBy]: name };
    const at = known >= 0 && known < rows.length ? known : rows.length;
    rows[at] = { ...(rows[at] ?? { ...blank, ...sort }), ...row };
    names[at] = name;
  }
  return { rows, names };
}

/** A record as a row of a sheet will have it, and where problems of its rows are in the sheet. */
export interface Merging {
  readonly values: Values;
  /** The target of a problem of a form, by field and row. */
  readonly targetOf: (field: string, row: number | undefined) => string | null;
}

/** What a record will be: as it is, or as a new one begins, with what the row of the sheet says. */
export function mergeRecord(
  fields: SheetFields,
  record: SheetRecord,
  before: Values | undefined,
  ownState: string | undefined,
): Merging {
  const start = before ?? usualValues(fields, record, ownState);
  const kept = Object.entries(start).filter(([key]) => fields[key] && !fields[key].readOnly);
  const values: Record<string, unknown> = { ...Object.fromEntries(kept), ...record.values };
  const stateField = Object.keys(fields).find((key) => fields[key]?.type === 'state');
  const names = new Map<string, Merged['names']>();
  for (const [key, given] of Object.entries(record.rows)) {
    const field = fields[key];
    if (!field) continue;
    const merged = mergeRows(field, (values[key] ?? []) as readonly Row[], given, stateField && values[stateField]);
    values[key] = merged.rows;
    names.set(key, merged.names);
  }
  return {
    values,
    targetOf: (path, row) => {
      const [field = '', column] = path.split('.');
      if (!fields[field]) return null;
      if (row === undefined || column === undefined) return fields[field].type === 'rows' ? null : field;
      const name = names.get(field)?.[row];
      return name === undefined ? null : `${field}.${name}.${column}`;
    },
  };
}

/** What is empty in one way is what is empty in another: a flag that is off, a list with nothing in it, no text. */
const bare = (value: unknown): unknown => {
  if (value === null || value === false || value === '' || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(bare);
  if (typeof value !== 'object') return value;
  const all = Object.entries(value)
    .map(([key, one]) => [key, bare(one)] as const)
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(all);
};
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(bare(a)) === JSON.stringify(bare(b));

/** The fields in which two readings of a record differ. */
export const changedFields = (fields: SheetFields, before: Values, after: Values): readonly string[] =>
  Object.keys(fields).filter((key) => !fields[key]?.readOnly && !isSame(before[key], after[key]));

/** What records are told apart by: the value of a field, or of several, as it is compared. Empty: it tells nothing. */
export const keyText = (values: Values, key: string): string => {
  const parts = key.split('+').map((field) =>
    String(values[field] ?? '')
      .normalize('NFC')
      .trim()
      .toLowerCase(),
  );
  return parts[0] === '' ? '' : parts.join('\n');
};

/**
 * The record that a row means: the first key that both have decides, and one that is found by a later key must not say otherwise
 * by an earlier one: two branches of a firm have its name and each its own GSTIN.
 */
export function matching<R extends { readonly keys: Values }>(
  keys: readonly string[],
  row: Values,
  candidates: readonly R[],
): R | undefined {
  const mine = keys.map((key) => keyText(row, key));
  for (const [at, wanted] of mine.entries()) {
    if (wanted === '') continue;
    const found = candidates.find((one) => {
      const its = keys.map((key) => keyText(one.keys, key));
      const isOtherwise = (n: number): boolean => mine[n] !== '' && its[n] !== '' && mine[n] !== its[n];
      return its[at] === wanted && !mine.slice(0, at).some((_, earlier) => isOtherwise(earlier));
    });
    if (found) return found;
  }
  return undefined;
}

/** Rows that say nothing are left out: spreadsheets end in them. */
export const isEmptyRow = (cells: readonly string[]): boolean => cells.every((cell) => cellText(cell) === '');

/** What rows name and nothing or several things are called. */
export const notThere = (text: string, label: string): Said => say('There is no {{label}} “{{text}}”', { label, text });
export const notOne = (text: string, label: string): Said =>
  say('Several are called “{{text}}”: write the code of the {{label}}', { label, text });
