import type { z } from 'zod';
import type { listRow } from '../../../contract/documents.ts';
import { csvCell } from '../../../domain/base/csv.ts';
import { financialYearOf, monthStart } from '../../../domain/base/dates.ts';
import { consumesCredits, kindCalled, settlesOthers } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';

export type Row = z.output<typeof listRow>;

/** Money that came or went is not paid: it has found what it settles, or stays on account. */
const ofMoney: Readonly<Record<string, string>> = { paid: 'Settled', partlyPaid: 'Part settled' };
const ofCredits: Readonly<Record<string, string>> = { ...ofMoney, unpaid: 'On account', open: 'On account' };

/** The word of a status as people read it: 'partlyPaid' is 'Part paid', and of a credit 'Part settled'. */
export const statusWord = (
  row: Pick<Row, 'status' | 'draft'> & { readonly kind?: string },
  kind: Kind | undefined = kindCalled(row.kind ?? ''),
): string => {
  if (row.draft && row.status !== 'pendingApproval' && row.status !== 'rejected') return 'Draft';
  const words = kind && (settlesOthers(kind) ? ofCredits : consumesCredits(kind) ? ofMoney : undefined);
  const said = words?.[row.status];
  if (said) return said;
  const spaced = row.status
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/^partly /i, 'part ')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

export const isCancelled = (row: Pick<Row, 'status'>): boolean => row.status.toLowerCase() === 'cancelled';

/** From and to of a named period around a day, or of the ends that were chosen; '' is all time. */
export const periodRange = (
  period: string,
  today: string,
  ends: Readonly<Record<string, string>> = {},
): { readonly FromDate?: string; readonly ToDate?: string } => {
  if (period === 'day') return { FromDate: today, ToDate: today };
  if (period === 'month') return { FromDate: monthStart(today), ToDate: today };
  if (period === 'year') return { FromDate: financialYearOf(today).start, ToDate: today };
  const day = /^\d{4}-\d{2}-\d{2}$/;
  if (period === 'custom')
    return {
      ...(day.test(ends['from'] ?? '') && { FromDate: ends['from'] ?? '' }),
      ...(day.test(ends['to'] ?? '') && { ToDate: ends['to'] ?? '' }),
    };
  return {};
};

/** A column of a file that is written from a list. */
export interface FileColumn<R> {
  readonly label: string;
  /** It holds numbers: a minus in front of one is no formula. */
  readonly isNumber?: boolean;
  cell(row: R): string;
}

/** Lines of comma-separated values, under the labels of their columns. */
export const csv = <R>(columns: readonly FileColumn<R>[], rows: readonly R[]): string =>
  [
    columns.map(({ label }) => csvCell(label)),
    ...rows.map((row) => columns.map(({ cell, isNumber }) => csvCell(cell(row), isNumber))),
  ]
    .map((cells) => cells.join(','))
    .join('\r\n');
