import writeXlsx, { type Cell, type SheetData } from 'write-excel-file/node';
import type { TableRow, Workbook } from './paper.ts';

/** The XLSX file of a workbook: three rows of headings that stay, then the rows. */
export async function writeWorkbook(
  { title, organisation, subtitle, columns, bare }: Workbook,
  rows: readonly TableRow[],
): Promise<Uint8Array> {
  const data: SheetData = [
    ...(bare ? [] : [[{ value: organisation, fontWeight: 'bold' as const }], [{ value: `${title} – ${subtitle}` }]]),
    columns.map(({ label, format }) => ({
      value: label,
      fontWeight: 'bold' as const,
      align: format ? ('right' as const) : ('left' as const),
    })),
    ...rows.map(({ cells, strong }) => columns.map(({ format }, at) => cell(cells[at] ?? '', format, strong))),
  ];
  return writeXlsx(data, {
    sheet: title.slice(0, 31),
    stickyRowsCount: bare ? 1 : 3,
    columns: columns.map(({ format }) => ({ width: format ? 18 : 26 })),
  }).toBuffer();
}

function cell(text: string, format: string | undefined, strong = false): Cell {
  const style = strong ? { fontWeight: 'bold' as const } : {};
  // the only place where an amount becomes a number: a spreadsheet has no other kind
  if (format && /^-?\d+(\.\d+)?$/.test(text)) return { value: Number(text), type: Number, format, ...style };
  // a cell of text runs nothing, whatever it begins with
  return { value: text, type: String, ...style };
}
