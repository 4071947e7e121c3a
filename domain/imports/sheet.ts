/**
 * What a sheet for a record looks like, made from the fields of its form. An import and an export read the same columns, so that
 * what was exported can be imported again.
 */

/** What of a field of a form its column in a sheet follows from. */
export interface SheetField {
  readonly label: string;
  readonly type: string;
  readonly required?: true;
  readonly readOnly?: true;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  readonly pick?: string;
  readonly initial?: string | boolean | number;
  readonly proposedFrom?: string;
  readonly byGstin?: readonly [withGstin: string, without: string];
  readonly usual?: string;
  readonly columns?: Readonly<Record<string, SheetField>>;
  /** What one row of a field with rows is called: `Address 1 City`. Without it the rows are not in sheets. */
  readonly each?: string;
  /** The column whose choices name rows as well: `Billing city`. */
  readonly eachBy?: string;
}
export type SheetFields = Readonly<Record<string, SheetField>>;

/** A column of a sheet. */
export interface SheetColumn {
  /** How a mapping names it: `gstin`, `addresses.1.city`, `addresses.billing.city`. */
  readonly target: string;
  readonly heading: string;
  readonly field: SheetField;
  /** Of a column of rows: the field, which of its rows, and the column. */
  readonly row?: { readonly of: string; readonly at: string; readonly column: string };
}

/** Rows of one field that a sheet can have; a record with more keeps those that are not in the sheet. */
export const MOST_GROUPS = 20;

/** The label of a column within rows, without the word that names the row: `Address line 1` of an address is `line 1`. */
const within = (each: string, label: string): string => {
  const short = label.toLowerCase().startsWith(each.toLowerCase()) ? label.slice(each.length).trim() : label;
  // an abbreviation stays one: PIN code, GSTIN
  return /^[A-Z][a-z]/.test(short) ? short[0]?.toLowerCase() + short.slice(1) : short;
};
const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

/** Names of rows of a field: those of its choices, `billing`, with the words of their headings. */
const named = ({ eachBy, columns = {} }: SheetField): readonly (readonly [at: string, words: string])[] =>
  eachBy === undefined ? [] : (columns[eachBy]?.choices ?? []).map(([value, label]) => [value, label] as const);

function columnsOfRows(key: string, field: SheetField, groups: number): SheetColumn[] {
  const { each, eachBy, columns = {} } = field;
  if (each === undefined) return [];
  const inner = Object.entries(columns).filter(([, { readOnly }]) => !readOnly);
  const numbered = Array.from({ length: groups }, (_, n) => String(n + 1)).flatMap((at) =>
    inner.map(([column, one]) => ({
      target: `${key}.${at}.${column}`,
      heading: joined(each, at, within(each, one.label)),
      field: one,
      row: { of: key, at, column },
    })),
  );
  const byName = named(field).flatMap(([at, words]) =>
    inner
      .filter(([column]) => column !== eachBy)
      .map(([column, one]) => ({
        target: `${key}.${at}.${column}`,
        heading: joined(words, within('', one.label)),
        field: one,
        row: { of: key, at, column },
      })),
  );
  return [...numbered, ...byName];
}

/** Whether a field can be in a sheet: rows without a name for one of them, levels and what is worked out are not. */
const isInSheets = ({ type, readOnly, each }: SheetField): boolean =>
  !readOnly && type !== 'levels' && (type !== 'rows' || each !== undefined);

/** Every column that a sheet of this form can have; `groups`: as many numbered rows of each field with rows. */
export const columnsOf = (fields: SheetFields, groups = MOST_GROUPS): readonly SheetColumn[] =>
  Object.entries(fields).flatMap(([key, field]) => {
    if (!isInSheets(field)) return [];
    return field.type === 'rows' ? columnsOfRows(key, field, groups) : [{ target: key, heading: field.label, field }];
  });

/** The columns of a file that is made: fields, and so many numbered rows of each field with rows. */
export const columnsToWrite = (fields: SheetFields, groups: (key: string) => number): readonly SheetColumn[] =>
  columnsOf(fields).filter(
    ({ row }) => row === undefined || (/^\d+$/.test(row.at) && Number(row.at) <= groups(row.of)),
  );
