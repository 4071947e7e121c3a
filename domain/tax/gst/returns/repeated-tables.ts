/**
 * Tables of a GSTR-1 that list numbers or repeat what others hold: documents tell nothing of what changes in them, so a filed
 * file is compared with the one of now, row by row. Both are files of the portal, one of them perhaps of an older layout.
 */
export interface TableChange {
  readonly table: '12' | '13' | '14';
  readonly row: string;
  /** Null: the row was not there, or is not there any more. */
  readonly filed: string | null;
  readonly now: string | null;
}

type Json = Readonly<Record<string, unknown>>;
type Rows = ReadonlyMap<string, string>;

const part = (of: unknown, name: string): unknown => (of as Json | null | undefined)?.[name];
const list = (of: unknown): readonly Json[] => (Array.isArray(of) ? of : []);
const text = (row: Json, names: readonly (readonly [name: string, label: string])[]): string =>
  names.flatMap(([name, label]) => (row[name] === undefined ? [] : [`${label} ${String(row[name])}`])).join(', ');

const taxes = [
  ['iamt', 'IGST'],
  ['camt', 'CGST'],
  ['samt', 'SGST'],
  ['csamt', 'cess'],
] as const;
const operatorTaxes = [
  ['igst', 'IGST'],
  ['cgst', 'CGST'],
  ['sgst', 'SGST'],
  ['cess', 'cess'],
] as const;

/** The rows of each table, by what names them. */
const rowsOf: Readonly<Record<TableChange['table'], (file: unknown) => Rows>> = {
  '12': (file) =>
    new Map(
      Object.entries((part(file, 'hsn') as Json | undefined) ?? {}).flatMap(([half, rows]) =>
        list(rows).map((row): [string, string] => [
          `${half === 'hsn_b2b' ? 'B2B' : half === 'hsn_b2c' ? 'B2C' : 'All'} ${row['hsn_sc']} ${row['uqc']} ${row['rt']} %`,
          text(row, [['qty', 'quantity'], ['txval', 'taxable'], ...taxes]),
        ]),
      ),
    ),
  '13': (file) =>
    new Map(
      list(part(part(file, 'doc_issue'), 'doc_det')).flatMap((nature) =>
        list(nature['docs']).map((run): [string, string] => [
          `${nature['doc_typ']} from ${run['from']}`,
          text(run, [
            ['to', 'to'],
            ['totnum', 'numbers'],
            ['cancel', 'cancelled'],
          ]),
        ]),
      ),
    ),
  '14': (file) =>
    new Map(
      Object.entries((part(file, 'supeco') as Json | undefined) ?? {}).flatMap(([sort, rows]) =>
        list(rows).map((row): [string, string] => [
          `${sort === 'clttx' ? '14(a)' : '14(b)'} ${row['etin']}`,
          text(row, [['suppval', 'supplies'], ...operatorTaxes]),
        ]),
      ),
    ),
};

/** The rows of these tables that are not as they were filed; none where no file was kept. */
export const tableChanges = (filed: unknown, now: unknown): TableChange[] =>
  filed === null || now === null
    ? []
    : (Object.keys(rowsOf) as TableChange['table'][]).flatMap((table) => {
        const [was, is] = [rowsOf[table](filed), rowsOf[table](now)];
        return [...new Set([...was.keys(), ...is.keys()])]
          .filter((row) => was.get(row) !== is.get(row))
          .map((row) => ({ table, row, filed: was.get(row) ?? null, now: is.get(row) ?? null }));
      });
