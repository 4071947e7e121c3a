import { kindLabel } from '../../domain/kinds/index.ts';
import { Copy } from '../kit/Copy.tsx';
import type { Column } from '../kit/DataTable.tsx';
import { money } from '../kit/format.ts';
import { EinvoiceBadge } from './EinvoiceBadge.tsx';
import type { EinvoiceRow } from './states.ts';

/** What the portal has said, as one line with its code; undefined when nothing is wrong. */
export const saidOf = ({ errorCode, error }: Pick<EinvoiceRow, 'errorCode' | 'error'>): string | undefined =>
  error ? [errorCode, error].filter(Boolean).join(': ') : undefined;

/** The columns of the inbox. An IRN has 64 characters: its first ones are shown, all of it is copied. */
export const inboxColumns = (show: (day: string | null) => string): readonly Column<EinvoiceRow>[] => [
  { key: 'number', label: 'Number', width: 132, code: true, cell: (row) => row.number },
  { key: 'kind', label: 'Type', width: 96, cell: (row) => kindLabel(row.kind) },
  { key: 'date', label: 'Date', width: 92, code: true, cell: (row) => show(row.date) },
  { key: 'party', label: 'Party', width: 140, cell: (row) => row.party },
  { key: 'state', label: 'State', width: 108, cell: (row) => <EinvoiceBadge state={row.state} /> },
  {
    key: 'irn',
    label: 'IRN or answer',
    width: 200,
    cell: (row) => {
      const said = saidOf(row);
      if (said) return <span title={said}>{said}</span>;
      if (!row.irn) return '–';
      return (
        <span className="irn code" title={row.irn}>
          {row.irn.slice(0, 12)}… <Copy text={row.irn} what="IRN" inGrid />
        </span>
      );
    },
  },
  {
    key: 'ack',
    label: 'Acknowledged',
    width: 176,
    code: true,
    cell: (row) => (row.ackNo ? `${row.ackNo} · ${show(row.ackDate)}` : '–'),
  },
  {
    key: 'total',
    label: 'Total (₹)',
    width: 112,
    numeric: true,
    strong: true,
    cell: (row) => (row.state === 'cancelled' ? <s>{money(row.total)}</s> : money(row.total)),
  },
];
