import { stateName } from '../tax/gst/registration/states.ts';
import { columnsToWrite, type SheetColumn, type SheetField, type SheetFields } from './sheet.ts';

type Values = Readonly<Record<string, unknown>>;
/** The code, or else the name, of a record that another one names. */
export type CodeOf = (pick: string, id: string) => string;

const writers: Readonly<Record<string, (value: unknown, field: SheetField, codeOf: CodeOf) => string>> = {
  flag: (value) => (String(value) === 'true' ? 'Yes' : 'No'),
  choice: (value, { choices = [] }) => choices.find(([one]) => one === value)?.[1] ?? String(value),
  state: (value) => stateName(String(value)) ?? String(value),
  day: (value) => String(value).split('-').reverse().join('/'),
  pick: (value, { pick = '' }, codeOf) => codeOf(pick, String(value)),
  picks: (value, { pick = '' }, codeOf) =>
    (value as readonly unknown[]).map((one) => codeOf(pick, String(one))).join('; '),
};

/** What a value is in a cell: as it is read again. */
const cellOf = (field: SheetField, value: unknown, codeOf: CodeOf): string =>
  value === undefined || value === null || value === ''
    ? ''
    : (writers[field.type] ?? ((one: unknown) => String(one)))(value, field, codeOf);

const rowsOf = (values: Values, key: string): readonly Values[] =>
  Array.isArray(values[key]) ? (values[key] as readonly Values[]) : [];

const valueAt = (values: Values, { target, row }: SheetColumn): unknown =>
  row ? rowsOf(values, row.of)[Number(row.at) - 1]?.[row.column] : values[target];

/** Records as rows of a sheet, under the columns that they fill. */
export interface WrittenSheet {
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly string[])[];
}

/** Records in the form that an import takes: as many numbered rows of a field as one of them has. */
export function writeSheet(fields: SheetFields, records: readonly Values[], codeOf: CodeOf): WrittenSheet {
  const columns = columnsToWrite(fields, (key) => Math.max(1, ...records.map((values) => rowsOf(values, key).length)));
  return {
    columns,
    rows: records.map((values) => columns.map((column) => cellOf(column.field, valueAt(values, column), codeOf))),
  };
}

/** Whether the cells of a column are numbers in a spreadsheet. */
export const isNumeric = ({ field }: SheetColumn): boolean =>
  ['money', 'quantity', 'rate', 'percent', 'whole'].includes(field.type);
