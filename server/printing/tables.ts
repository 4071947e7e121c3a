import { grouped, money, moneyText, percentage, percentText } from '../../domain/base/decimal.ts';
import type { Draft } from '../../domain/document/document.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { type PaperColumnName, type PaperTemplate, paperColumns } from '../../domain/paper/paper-template.ts';
import type { Paper, PaperColumn } from '../paper/index.ts';
import { isZero } from './amounts.ts';
import type { Around, View } from './around.ts';
import type { Nature, Printed } from './nature.ts';
import { tableOf } from './template.ts';

type Table = NonNullable<Paper['table']>;
type Typed = NonNullable<Draft['lines']>[number];

/** The parts that there are, with this between them. */
const joined = (between: string, ...parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join(between);

/** Stock room, batches and serial numbers under the description of their line. */
const marks = (
  line: Typed | undefined,
  { room, expiries }: View['lines'][number],
  day: (text: string) => string,
): string =>
  [
    ...(room ? [`Room ${room}`] : []),
    ...(line?.batches ?? []).map(
      ({ batch, quantity, expiry = expiries.find((known) => known.batch === batch)?.expiry }, _, all) =>
        `Batch ${batch}${all.length > 1 ? ` × ${grouped(String(quantity))}` : ''}${expiry ? `, expires ${day(expiry)}` : ''}`,
    ),
    ...(line?.serials?.length ? [`Serial ${line.serials.join(', ')}`] : []),
  ]
    .map((text) => `\n${text}`)
    .join('');

/** A line of goods or services in a row, in the columns of the template. */
function goodsTable({ view, draft, around, nature, day }: Printed, template: PaperTemplate): Table {
  const rated = !nature.untaxed && !nature.withoutPayment;
  const described = nature.advance ? advanceFor(around, draft) : '';
  // what the wire holds is decimal text
  const discounts = view.lines
    .map((_, index) => (view.priced?.atCost ? undefined : draft.lines[index]?.discount))
    .map((discount) =>
      discount?.percent ? `${discount.percent}%` : discount?.amount ? grouped(String(discount.amount)) : '',
    );
  const text = (label: string, cells: readonly string[]) => ({ column: { label, width: 'auto' } as const, cells });
  const figure = (label: string, cells: readonly string[]) => ({
    column: { label, width: 'auto', right: true } as const,
    cells,
  });
  const of = (cell: (line: View['lines'][number]) => string) => view.lines.map(cell);
  return tableOf(
    template,
    {
      number: figure(
        '#',
        of((l) => String(l.number)),
      ),
      description: {
        column: { label: 'Description', width: '*' },
        cells: view.lines.map(
          (l, i) => joined(' · ', l.sku, joined(': ', l.description, described)) + marks(draft.lines[i], l, day),
        ),
      },
      ...(!nature.plain && {
        hsn: text(
          'HSN/SAC',
          of((l) => l.hsn),
        ),
      }),
      // of stock that is put right, what is taken away is negative
      quantity: figure(
        'Qty',
        view.lines.map((l, i) => grouped(String(draft.lines[i]?.delta ?? l.quantity))),
      ),
      unit: text(
        'Unit',
        of((l) => l.unit),
      ),
      rate: figure(
        draft.currency === 'INR' ? (draft.taxInclusive ? 'Rate incl. tax' : 'Rate') : `Rate (${draft.currency})`,
        of((l) => grouped(l.rate ?? '')),
      ),
      ...(discounts.some(Boolean) && { discount: figure('Discount', discounts) }),
      ...(rated && {
        gstRate: figure(
          'GST %',
          of((l) => l.gstRate),
        ),
      }),
      taxable: figure(
        `${nature.untaxed ? 'Value' : 'Taxable'} (₹)`,
        of((l) => grouped(l.taxable ?? '')),
      ),
    },
    usualLabel,
  );
}
const usualLabel = (name: PaperColumnName): string => paperColumns[name].label;

/** Rule 46 asks for the rate and the amount under each head: a row for each rate. */
function taxTable(view: View, { withinState, stateTax }: Nature): NonNullable<Paper['taxes']> {
  const half = (rate: string) => percentText(percentage(rate) / 2);
  const cess = view.lines.some((line) => !isZero(line.cess));
  const heads = [
    'taxable',
    ...(withinState ? (['cgst', 'sgst'] as const) : (['igst'] as const)),
    ...(cess ? (['cess'] as const) : []),
  ] as const;
  const words = { taxable: 'Taxable', cgst: 'CGST', sgst: stateTax, igst: 'IGST', cess: 'Cess' } as const;
  const rates = [...new Set(view.lines.map((line) => line.gstRate))].sort((a, b) => percentage(a) - percentage(b));
  const amount = (lines: View['lines'], head: (typeof heads)[number]) =>
    grouped(moneyText(lines.reduce((sum, line) => sum + money(line[head] ?? '0'), 0)));
  const ratedHead = (head: string) => head === 'cgst' || head === 'sgst' || head === 'igst';
  const row = (lines: View['lines'], rate: string | undefined) =>
    heads.flatMap((head) => [
      ...(ratedHead(head) ? [rate === undefined ? '' : head === 'igst' ? rate : half(rate)] : []),
      amount(lines, head),
    ]);
  return {
    columns: [
      { label: 'GST %', width: '*' },
      ...heads.flatMap((head): PaperColumn[] => [
        ...(ratedHead(head) ? [{ label: `${words[head]} %`, width: 'auto', right: true } as const] : []),
        { label: `${words[head]} (₹)`, width: 'auto', right: true },
      ]),
    ],
    rows: rates.map((rate) => [
      rate,
      ...row(
        view.lines.filter((line) => line.gstRate === rate),
        rate,
      ),
    ]),
    totals: ['Total', ...row(view.lines, undefined)],
  };
}

/** What a receipt or payment is for; what no document has taken is on account. */
function settledTable(view: View, currency: string): Table | undefined {
  const foreign = currency !== 'INR';
  const settled = view.links.filter((link) => link.role === 'allocation' && link.amount !== null);
  if (settled.length === 0 || !view.priced) return undefined;
  const left =
    money(foreign ? view.priced.foreignTotal : view.priced.total) -
    settled.reduce((sum, { amount }) => sum + money(amount ?? '0'), 0);
  return {
    columns: [
      { label: 'Settled', width: '*' },
      { label: 'Number', width: 'auto' },
      { label: foreign ? `Amount (${currency})` : 'Amount (₹)', width: 'auto', right: true },
    ],
    rows: [
      ...settled.map((link) => [kindLabel(link.kind), link.number, grouped(link.amount ?? '')]),
      ...(left > 0 ? [['On account', '', grouped(moneyText(left))]] : []),
    ],
  };
}

const entriesTable = (view: View): Table => ({
  columns: [
    { label: 'Ledger', width: '*' },
    { label: 'Debit (₹)', width: 'auto', right: true },
    { label: 'Credit (₹)', width: 'auto', right: true },
  ],
  rows: view.entries.map((e) => [
    `${e.code} ${e.name}`,
    isZero(e.debit) ? '' : grouped(e.debit),
    isZero(e.credit) ? '' : grouped(e.credit),
  ]),
});

/** What an advance is received for (rule 50(d)): the goods or services of its order, or what its narration says. */
const advanceFor = ({ ordered }: Around, { narration }: Draft): string =>
  ordered.length > 0 ? [...new Set(ordered)].slice(0, 6).join(', ') : (narration ?? '');

/** What the document is about, line by line, and its tax by rates where it has goods that are taxed. */
export function tablesOf(printed: Printed, template: PaperTemplate): Pick<Paper, 'table' | 'taxes'> {
  const { view, draft, nature } = printed;
  if (nature.goods)
    return { table: goodsTable(printed, template), ...(nature.taxed && { taxes: taxTable(view, nature) }) };
  const table =
    settledTable(view, draft.currency ?? 'INR') ?? (view.entries.length > 0 ? entriesTable(view) : undefined);
  return table ? { table } : {};
}
