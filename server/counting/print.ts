import type { Answer, Input } from '../../contract/contract.ts';
import type { countCalls } from '../../contract/counting.ts';
import { grouped, moneyText, quantityText, rateText } from '../../domain/base/decimal.ts';
import { isCostHidden } from '../access/index.ts';
import type { Context } from '../context.ts';
import { printSheet, type TableRow } from '../paper/index.ts';
import { differs, type Line, linesOf, seesBooks, worthOf } from './lines.ts';
import { type Sheet, sheetName, sheetOf } from './sheets.ts';

type Call = (typeof countCalls)['PrintCountSheet'];

interface Column {
  readonly label: string;
  readonly width: 'auto' | '*';
  readonly right?: true;
  cell(line: Line): string;
}
const words = (label: string, cell: Column['cell']): Column => ({ label, width: '*', cell });
const short = (label: string, cell: Column['cell']): Column => ({ label, width: 'auto', cell });
const figure = (label: string, cell: Column['cell']): Column => ({ label, width: 'auto', right: true, cell });

const amount = (text: string): string => grouped(text);
const goods: readonly Column[] = [short('SKU', ({ row }) => row.sku), words('Item', ({ row }) => row.name)];
const where = (lines: readonly Line[]): readonly Column[] => [
  ...(lines.some(({ row }) => row.room) ? [short('Room', ({ row }) => row.room_name ?? '')] : []),
  ...(lines.some(({ row }) => row.batch)
    ? [short('Batch', ({ row }) => [row.batch, row.expiry].filter(Boolean).join(' exp '))]
    : []),
];

/** The sheet to write on: it shows book quantities unless the count is blind. */
const sheetColumns = (sheet: Sheet, lines: readonly Line[]): readonly Column[] => [
  ...goods,
  ...where(lines),
  short('Unit', ({ row }) => row.unit),
  ...(sheet.blind ? [] : [figure('In the books', ({ row }) => quantityText(Number(row.book)))]),
  words('Counted', () => ''),
  words('Remark', () => ''),
];
const differenceColumns = (context: Context, lines: readonly Line[]): readonly Column[] => [
  ...goods,
  ...where(lines),
  short('Unit', ({ row }) => row.unit),
  figure('In the books', ({ outcome }) => quantityText(outcome?.book ?? 0)),
  figure('Counted', ({ outcome }) => quantityText(outcome?.counted ?? 0)),
  figure('Difference', ({ outcome }) => quantityText(outcome?.difference ?? 0)),
  ...(isCostHidden(context)
    ? []
    : [
        figure('Rate (₹)', ({ line }) => amount(rateText(line.rate))),
        figure('Value (₹)', (line) => amount(moneyText(worthOf(line)))),
      ]),
  words('Reason', ({ row, outcome }) =>
    [
      row.reason,
      ...(outcome?.missing.length ? [`missing ${outcome.missing.join(', ')}`] : []),
      ...(outcome?.found.length ? [`found ${outcome.found.join(', ')}`] : []),
    ]
      .filter(Boolean)
      .join('; '),
  ),
];

/** A count on paper. The list of differences is for those who may see what the books say. */
export async function printSheetOf({ id, what }: Input<Call>, context: Context): Promise<Answer<Call>> {
  const { sheet, all } = await context.inTransaction(async (trx) => {
    const found = await sheetOf(trx, context, id);
    return { sheet: found, all: await linesOf(trx, context, found) };
  });
  const isList = what === 'differences';
  if (isList && !seesBooks(context, sheet)) context.require('differences');
  const lines = isList
    ? all.filter(differs)
    : all.filter(({ row }) => row.round === sheet.round || sheet.state !== 'counting');
  const columns = isList ? differenceColumns(context, lines) : sheetColumns(sheet, lines);
  const worth = moneyText(lines.reduce((sum, line) => sum + worthOf(line), 0));
  const total: TableRow[] = isList
    ? [
        {
          cells: columns.map(({ label }, at) => (at === 0 ? 'Total' : label === 'Value (₹)' ? amount(worth) : '')),
          strong: true,
        },
      ]
    : [];
  const rows: TableRow[] = [...lines.map((line) => ({ cells: columns.map(({ cell }) => cell(line)) })), ...total];
  const subtitle = [
    sheet.name,
    sheet.location_name,
    sheet.room_name,
    sheet.category_name,
    sheet.round > 1 ? `round ${sheet.round}` : '',
    `made ${sheet.created_at.toISOString().slice(0, 10)} by ${sheet.author_name}`,
  ]
    .filter(Boolean)
    .join(' · ');
  const bytes = await printSheet(
    {
      title: isList ? `Differences of count ${sheetName(sheet)}` : `Count sheet ${sheetName(sheet)}`,
      organisation: context.organisationCode,
      subtitle,
      columns: columns.map(({ label, width, right }) => ({ label, width, ...(right && { right }) })),
    },
    rows,
  );
  return {
    name: `${sheetName(sheet)}-${what}.pdf`,
    type: 'application/pdf',
    content: Buffer.from(bytes).toString('base64'),
  };
}
