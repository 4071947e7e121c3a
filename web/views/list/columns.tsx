import { type AdditionalField, additionalPath } from '../../../domain/document/additional.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { EinvoiceBadge } from '../../einvoice/EinvoiceBadge.tsx';
import { stateOf } from '../../einvoice/states.ts';
import { inCurrency, money } from '../../kit/format.ts';
import { Badge } from '../../kit/parts.tsx';
import type { Column } from '../../kit/table/DataTable.tsx';
import { t } from '../../kit/text.ts';
import { type FileColumn, isCancelled, type Row, statusWord } from './rows.ts';

/** A column that the organisation has added. */
export interface AddedColumn {
  readonly field: AdditionalField;
  text(row: Row): string;
}

const struck = (row: Row, text: string) => (isCancelled(row) ? <s>{text}</s> : text);
const amount = (row: Row, text: string | null) => struck(row, money(text));
/** What is open is open in the currency of the document. */
const openAmount = (row: Row) =>
  struck(row, row.currency === 'INR' ? money(row.open) : inCurrency(row.open, row.currency));

/** The columns of a list of documents: what the kind has no use for is left out. */
export const listColumns = (
  kind: Kind,
  show: (day: string | null) => string,
  added: readonly AddedColumn[],
  /** Its orders go through stages. */
  staged = false,
): readonly Column<Row>[] => [
  { key: 'number', label: t('Number'), width: 110, code: true, cell: (row) => (row.draft ? t('Draft') : row.number) },
  { key: 'date', label: t('Date'), width: 88, code: true, cell: (row) => show(row.date) },
  ...(kind.party.side === 'none'
    ? []
    : [
        {
          key: 'party',
          label: kind.party.side === 'supplier' ? t('Supplier') : t('Customer'),
          cell: (row: Row) => row.party || '–',
        } as const,
      ]),
  ...(kind.fields.includes('toLocation')
    ? [{ key: 'destination', label: t('To'), cell: (row: Row) => row.destination ?? '–' } as const]
    : []),
  ...(kind.fields.includes('dueDate')
    ? [{ key: 'dueDate', label: t('Due'), width: 88, code: true, cell: (row: Row) => show(row.dueDate) }]
    : []),
  { key: 'status', label: t('Status'), width: 98, cell: (row) => <Badge word={statusWord(row)} /> },
  ...(staged
    ? [
        {
          key: 'stage',
          label: t('Stage'),
          width: 118,
          cell: (row: Row) => (row.stage ? <Badge word={row.stage.name} tone={row.stage.colour} /> : '–'),
          words: (row: Row) => row.stage?.name ?? '',
        } as const,
      ]
    : []),
  ...(kind.gst.irp
    ? [
        {
          key: 'einvoice',
          label: t('E-invoice'),
          // as wide as “Registered”, its most frequent word, with its dot
          width: 124,
          cell: (row: Row) => (row.einvoice ? <EinvoiceBadge state={row.einvoice} /> : '–'),
        },
      ]
    : []),
  { key: 'reference', label: t('Reference'), width: 120, cell: (row) => row.reference ?? '–' },
  ...added.map(({ field, text }) => ({
    key: additionalPath(field.key),
    label: t(field.label),
    width: 120,
    cell: (row: Row) => text(row) || '–',
  })),
  ...(kind.books.opens
    ? [
        {
          key: 'open',
          label: kind.fields.includes('currency') ? t('Open') : t('Open (₹)'),
          width: 110,
          numeric: true,
          cell: (row: Row) => openAmount(row),
        },
      ]
    : []),
  {
    key: 'total',
    label: t('Total (₹)'),
    width: 100,
    numeric: true,
    strong: true,
    cell: (row) => amount(row, row.total),
  },
];

/** The columns of the file of a list. */
export const fileColumns = (added: readonly AddedColumn[]): readonly FileColumn<Row>[] => [
  { label: t('Number'), cell: (row) => (row.draft ? '' : row.number) },
  { label: t('Date'), cell: (row) => row.date },
  { label: t('Party'), cell: (row) => row.party },
  { label: t('To'), cell: (row) => row.destination ?? '' },
  { label: t('Due'), cell: (row) => row.dueDate ?? '' },
  { label: t('Status'), cell: (row) => statusWord(row) },
  { label: 'E-invoice', cell: (row) => (row.einvoice ? stateOf(row.einvoice).word : '') },
  { label: t('Reference'), cell: (row) => row.reference ?? '' },
  { label: t('Currency'), cell: (row) => row.currency },
  { label: t('Open'), isNumber: true, cell: (row) => row.open ?? '' },
  { label: t('Total'), isNumber: true, cell: (row) => row.total ?? '' },
  ...added.map(({ field, text }) => ({ label: field.label, isNumber: field.type === 'number', cell: text })),
];
