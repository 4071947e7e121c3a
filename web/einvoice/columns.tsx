import { kindLabel } from '../../domain/document/kinds/index.ts';
import { money } from '../kit/format.ts';
import { Copy } from '../kit/table/Copy.tsx';
import type { Column } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { EinvoiceBadge } from './EinvoiceBadge.tsx';
import type { EinvoiceRow } from './states.ts';

/** What the portal has said, as one line with its code; undefined when nothing is wrong. */
export const saidOf = ({ errorCode, error }: Pick<EinvoiceRow, 'errorCode' | 'error'>): string | undefined =>
  error ? [errorCode, error].filter(Boolean).join(': ') : undefined;

/** The columns of the inbox. An IRN has 64 characters: its first eight are shown, all of it is copied. */
export const inboxColumns = (show: (day: string | null) => string): readonly Column<EinvoiceRow>[] => [
  { key: 'number', label: t('Number'), width: 132, code: true, cell: (row) => row.number },
  { key: 'kind', label: t('Type'), width: 100, cell: (row) => t(kindLabel(row.kind)) },
  { key: 'date', label: t('Date'), width: 96, code: true, cell: (row) => show(row.date) },
  { key: 'party', label: t('Party'), width: 136, cell: (row) => row.party },
  {
    key: 'state',
    label: t('State'),
    width: 112,
    cell: (row) => <EinvoiceBadge state={row.state} signed={row.signed} />,
  },
  { key: 'portal', label: t('IRN and acknowledgement, or answer'), width: 330, cell: (row) => portalWord(row, show) },
  {
    key: 'total',
    label: t('Total (₹)'),
    width: 116,
    numeric: true,
    strong: true,
    cell: (row) => (row.state === 'cancelled' ? <s>{money(row.total)}</s> : money(row.total)),
  },
];

/** One column for both: what has an IRN has nothing wrong, and what is wrong has no IRN yet. */
const portalWord = (row: EinvoiceRow, show: (day: string | null) => string) => {
  const said = saidOf(row);
  if (said) return <span title={said}>{said}</span>;
  if (!row.irn) return '–';
  return (
    <span className="portal-word code">
      <span title={row.irn}>{row.irn.slice(0, 8)}…</span>
      <Copy text={row.irn} what={t('IRN')} inGrid />
      {row.ackNo && <span>{row.ackNo}</span>}
      {row.ackDate && <span className="muted">{show(row.ackDate)}</span>}
    </span>
  );
};
