import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { z } from 'zod';
import { screenOf } from '../../contract/screens.ts';
import type { einvoiceCalls } from '../../contract/session.ts';
import { kindLabel } from '../../domain/kinds/index.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { type Column, DataTable } from '../kit/DataTable.tsx';
import { money } from '../kit/format.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, Page, PageHead, Segments } from '../kit/parts.tsx';
import { useDateFormat, useScreenKey } from '../kit/session.ts';
import { toast, toastError } from '../kit/toast.tsx';
import { statusWord } from '../views/list/rows.ts';
import { CancelIrn } from './CancelIrn.tsx';
import '../views/views.css';

export type Invoice = z.output<(typeof einvoiceCalls)['GetEInvoiceList']['details']>['rows'][number];

const states = [
  { key: '', label: 'All' },
  { key: 'failed', label: 'Failed' },
  { key: 'pending', label: 'Pending' },
  { key: 'generated', label: 'Generated' },
  { key: 'cancelled', label: 'Cancelled' },
];

const columnsOf = (show: (day: string) => string): readonly Column<Invoice>[] => [
  { key: 'number', label: 'Number', width: 150, code: true, cell: (row) => row.number },
  { key: 'kind', label: 'Type', width: 110, cell: (row) => kindLabel(row.kind) },
  { key: 'date', label: 'Date', width: 104, code: true, cell: (row) => show(row.date) },
  { key: 'party', label: 'Party', width: 200, cell: (row) => row.party },
  {
    key: 'state',
    label: 'State',
    width: 110,
    cell: (row) => <Badge word={statusWord({ status: row.state, draft: false })} />,
  },
  {
    key: 'error',
    label: 'What the portal said',
    width: 280,
    cell: (row) => (
      <span title={row.error ?? undefined}>{row.error ?? (row.ackNo ? `Acknowledgement ${row.ackNo}` : '–')}</span>
    ),
  },
  { key: 'attempts', label: 'Attempts', width: 80, numeric: true, cell: (row) => row.attempts },
  { key: 'total', label: 'Total (₹)', width: 130, numeric: true, strong: true, cell: (row) => money(row.total) },
];

/** The inbox of e-invoices: failures first, with what the portal said, to be sent again or cancelled. */
export function Einvoices() {
  const go = useGo();
  const cache = useQueryClient();
  const address = useAddress();
  const { show } = useDateFormat();
  const state = address['state'] ?? '';
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [cancelling, setCancelling] = useState<Invoice | null>(null);
  const { data, isPending, isPlaceholderData, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: useScreenKey('einvoices', state),
      queryFn: ({ pageParam }) =>
        api.GetEInvoiceList({ ...(state && { state }), ...(pageParam && { after: pageParam }) }),
      initialPageParam: '',
      getNextPageParam: (page) => page.after ?? undefined,
      placeholderData: keepPreviousData,
    });
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const columns = useMemo(() => columnsOf(show), [show]);
  const chosen = rows.filter((row) => selected.has(row.id));
  const unsent = chosen.filter((row) => row.irn === null);
  const [sent] = chosen.filter((row) => row.irn !== null && row.state.toLowerCase() === 'generated');
  const retry = async () => {
    setBusy(true);
    try {
      const { queued } = await api.GenerateIRNNumber({ ids: unsent.slice(0, 100).map((row) => row.id) });
      toast(`${queued} sent to the portal`);
      setSelected(new Set());
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (refused) {
      toastError(refused);
    } finally {
      setBusy(false);
    }
  };
  const open = (row: Invoice) => {
    const view = screenOf({ kind: row.kind }, 'documentView');
    if (view) go(view, { id: row.id });
  };
  return (
    <Page fit>
      <PageHead title="E-invoices" count={isPending ? undefined : `${rows.length}${hasNextPage ? '+' : ''}`} />
      {chosen.length === 0 ? (
        <div className="filter-bar">
          <Segments
            label="State"
            choices={states}
            current={state}
            onChange={(key) => go('EInvoiceListView', key ? { state: key } : {}, true)}
          />
        </div>
      ) : (
        <div className="filter-bar bulk-bar">
          <b role="status">{chosen.length} selected</b>
          {unsent.length > 0 && (
            <Button busy={busy} onClick={() => void retry()}>
              Send {unsent.length} again
            </Button>
          )}
          {chosen.length === 1 && sent && (
            <Button look="danger" onClick={() => setCancelling(sent)}>
              Cancel IRN
            </Button>
          )}
          <Button look="subtle" onClick={() => setSelected(new Set())}>
            Clear
          </Button>
        </div>
      )}
      <DataTable
        label="E-invoices"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        loading={isPending}
        stale={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        selected={selected}
        onSelect={setSelected}
        onOpen={open}
        hasMore={hasNextPage && !isFetchingNextPage}
        onMore={() => void fetchNextPage()}
        empty={
          <Empty
            sentence={state ? 'Nothing matches' : 'No e-invoices yet'}
            action={state && <Button onClick={() => go('EInvoiceListView', {}, true)}>Clear filters</Button>}
          />
        }
        card={(row) => ({
          title: row.party,
          meta: `${row.number} · ${row.error ?? show(row.date)}`,
          amount: money(row.total),
          badge: <Badge word={statusWord({ status: row.state, draft: false })} />,
        })}
      />
      {cancelling && (
        <CancelIrn
          invoice={cancelling}
          onClose={() => setCancelling(null)}
          onDone={() => {
            setCancelling(null);
            setSelected(new Set());
            void cache.invalidateQueries({ queryKey: ['screen'] });
          }}
        />
      )}
    </Page>
  );
}
