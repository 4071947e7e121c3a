import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import type { importCalls } from '../../contract/imports.ts';
import type { Master } from '../../contract/masters.ts';
import { csvCell } from '../../domain/base/csv.ts';
import { columnsToWrite, type SheetColumn } from '../../domain/imports/sheet.ts';

import { isNumeric, writeSheet } from '../../domain/imports/written.ts';
import type { Context } from '../context.ts';
import { type Asked, pickedCodes, recordDesk, type Trx, type Values } from '../masters/index.ts';
import { printWorkbook } from '../paper/index.ts';

type File = Answer<(typeof importCalls)['ExportMaster']>;
type Format = 'csv' | 'xlsx';

interface Table {
  readonly headings: readonly string[];
  /** Which columns are numbers in a spreadsheet. */
  readonly numeric: readonly boolean[];
  readonly rows: readonly (readonly string[])[];
}

/** A file of this table, in the form that an import reads: one row of headings, and a row for each record. */
export async function fileOf(
  name: string,
  title: string,
  { headings, numeric, rows }: Table,
  format: Format,
): Promise<File> {
  if (format === 'csv') {
    const lines = [
      headings.map((heading) => csvCell(heading)),
      ...rows.map((cells) => cells.map((cell, at) => csvCell(cell, numeric[at]))),
    ];
    const text = `\uFEFF${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
    return { name: `${name}.csv`, type: 'text/csv', content: Buffer.from(text).toString('base64') };
  }
  const bytes = await printWorkbook(
    {
      title,
      organisation: '',
      subtitle: '',
      bare: true,
      columns: headings.map((label, at) => ({ label, ...(numeric[at] && { format: '0.######' }) })),
    },
    rows.map((cells) => ({ cells })),
  );
  return {
    name: `${name}.xlsx`,
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: Buffer.from(bytes).toString('base64'),
  };
}

/** The name of a file of records or lines. */
export const fileName = ({ plural }: Pick<Master, 'plural'>): string =>
  plural.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** What an example has in its cells, by the sort of its field. */
const examples: Readonly<Record<string, string>> = {
  money: '100000.00',
  quantity: '10',
  rate: '250.00',
  percent: '18',
  whole: '30',
  flag: 'No',
  day: '01/04/2026',
  state: 'Karnataka',
  gstin: '',
  email: 'name@example.com',
};
const exampleOf = ({ field, heading, target }: SheetColumn): string => {
  if (field.choices)
    return field.choices.find(([value]) => value === field.initial)?.[1] ?? field.choices[0]?.[1] ?? '';
  if (typeof field.initial === 'string') return field.initial;
  if (/pincode$/.test(target)) return '560001';
  return examples[field.type] ?? (field.required ? `Example ${heading.toLowerCase()}` : '');
};

/** An empty sheet with one row that shows how it is written. */
export function templateOf({ fields }: Pick<Master, 'fields'>): Table {
  const columns = columnsToWrite(fields, () => 1);
  return {
    headings: columns.map(({ heading }) => heading),
    numeric: columns.map(isNumeric),
    rows: [columns.map(exampleOf)],
  };
}

/** Records of one page while all of them are read. */
const PAGE = 500;

/** Every record of a master that is active, in the form that its import takes. */
export async function exportOf(trx: Trx, context: Context, which: Asked): Promise<Table> {
  const all: Values[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await recordDesk.records(trx, context, which, sql`t.active and t.id > ${after}::uuid`, PAGE, {
      whole: true,
      byId: true,
    });
    all.push(...page.map(({ values }) => values));
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.id;
  }
  const codes = await codesOf(trx, context, which.master, all);
  const { columns, rows } = writeSheet(which.master.fields, all, (pick, id) => codes.get(pick)?.get(id) ?? '');
  return { headings: columns.map(({ heading }) => heading), numeric: columns.map(isNumeric), rows };
}

/** What records name, by the codes under which a file names them. */
async function codesOf(
  trx: Trx,
  context: Context,
  { fields }: Master,
  all: readonly Values[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const ids = new Map<string, Set<string>>();
  const note = (pick: string | undefined, value: unknown): void => {
    if (pick === undefined || value === undefined || value === null || value === '') return;
    const own = ids.get(pick) ?? new Set();
    for (const one of Array.isArray(value) ? value : [value]) own.add(String(one));
    ids.set(pick, own);
  };
  for (const values of all)
    for (const [key, { pick, columns = {} }] of Object.entries(fields)) {
      note(pick, values[key]);
      for (const row of Array.isArray(values[key]) && !pick ? (values[key] as readonly Values[]) : [])
        for (const [column, inner] of Object.entries(columns)) note(inner.pick, row[column]);
    }
  const codes = new Map<string, ReadonlyMap<string, string>>();
  for (const [pick, own] of ids) codes.set(pick, await pickedCodes(trx, context, pick, [...own]));
  return codes;
}
