import { money } from '../kit/format.ts';
import type { Column } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';

/** What an entry on a bank of another currency was worth in rupees; no column where the bank is kept in those. */
export const worthColumn = <R extends { readonly worth: string }>(currency: string): readonly Column<R>[] =>
  currency === 'INR'
    ? []
    : [{ key: 'worth', label: t('Value (₹)'), width: 120, numeric: true, cell: (row) => money(row.worth) }];
