import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { z } from 'zod';
import type { bankingCalls } from '../../contract/banking.ts';
import { Button } from '../kit/Button.tsx';
import { inCurrency, money } from '../kit/format.ts';
import { Empty } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { plural, t } from '../kit/text.ts';
import { unitOf } from './line.ts';
import { keyOf, useChosenEntries } from './useChosenEntries.ts';
import { worthColumn } from './worth.ts';

type Row = z.output<typeof bankingCalls.GetMatched.details>[number];

/** What went through the bank, and can be taken back. */
export function Matched({
  ledger,
  currency,
  mayWrite,
}: {
  readonly ledger: string;
  readonly currency: string;
  readonly mayWrite: boolean;
}) {
  const { show } = useDateFormat();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: useScreenKey('matched', ledger),
    queryFn: () => api.GetMatched({ ledger }),
  });
  const rows = data ?? [];
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'number', label: t('Number'), width: 140, code: true, cell: (row) => row.number },
      { key: 'date', label: t('Date'), width: 100, code: true, cell: (row) => show(row.date) },
      { key: 'bankDate', label: t('Bank date'), width: 100, code: true, cell: (row) => show(row.bankDate) },
      { key: 'text', label: t('Bank statement'), width: 320, cell: (row) => row.text || t('By day') },
      { key: 'by', label: t('Matched by'), width: 140, cell: (row) => row.by },
      {
        key: 'amount',
        label: t('Amount ({{currency}})', { currency: unitOf(currency) }),
        width: 120,
        numeric: true,
        cell: (row) => money(row.amount),
      },
      ...worthColumn<Row>(currency),
    ],
    [show, currency],
  );
  const { selected, setSelected, count, busy, doWith } = useChosenEntries(rows);
  const takeBack = () =>
    doWith(async (entries) => {
      const { unmatched } = await api.UnmatchBankLines({ ledger, entries });
      return plural(unmatched, 'One entry is open again', '{{count}} entries are open again');
    });
  return (
    <>
      {count > 0 && (
        <div className="filter-bar bulk-bar">
          <b role="status">{t('{{count}} selected', { count })}</b>
          <Button look="danger" busy={busy} onClick={() => void takeBack()}>
            {t('Take back')}
          </Button>
        </div>
      )}
      <DataTable
        label={t('Entries that went through the bank')}
        columns={columns}
        rows={rows}
        rowKey={(row) => keyOf(row)}
        loading={isPending}
        error={error}
        onRetry={() => void refetch()}
        {...(mayWrite ? { selected, onSelect: setSelected } : {})}
        empty={<Empty sentence={t('Nothing is matched yet')} />}
        card={(row) => ({
          title: row.text || row.number,
          meta: `${row.number} · ${show(row.bankDate)} · ${row.by}`,
          amount: currency === 'INR' ? money(row.amount) : inCurrency(row.amount, currency),
        })}
      />
    </>
  );
}
