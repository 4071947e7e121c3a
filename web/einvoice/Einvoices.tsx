import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { SearchBox } from '../kit/fields/fields.tsx';
import { money } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Empty, Page, PageHead, Segments } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, usePlaceFilter, useScreenKey } from '../kit/server/session.ts';
import { ColumnChooser, useHiddenColumns } from '../kit/table/ColumnChooser.tsx';
import { DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { useGoTo, useMayDo, usePlaces } from '../views/places.ts';
import { CancelIrn } from './CancelIrn.tsx';
import { inboxColumns, saidOf } from './columns.tsx';
import { EinvoiceBadge } from './EinvoiceBadge.tsx';
import { pageOf, start } from './pages.ts';
import { RowDetail } from './RowDetail.tsx';
import { SendAnswer } from './SendAnswer.tsx';
import { useSend } from './send.ts';
import { countOf, type EinvoiceRow, groups, sendWord } from './states.ts';
import '../views/views.css';

const [all] = groups;

/** The e-invoices of the segment and search at the places chosen in the top bar, by pages. */
const useRows = (segment: string, search: string) => {
  const here = usePlaceFilter();
  const { states } = groups.find(({ key }) => key === segment) ?? { states: [] };
  return useInfiniteQuery({
    queryKey: useScreenKey('einvoices', segment, search),
    queryFn: ({ pageParam }) =>
      pageOf(states, pageParam, (asked) => api.GetEInvoiceList({ ...here, ...asked, ...(search && { search }) })),
    initialPageParam: start,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
};

/** The inbox of e-invoices: what is to be mended first, with what the portal said, to be sent again from here. */
export function Einvoices() {
  const go = useGo();
  const goTo = useGoTo();
  const places = usePlaces();
  const may = useMayDo();
  const { show } = useDateFormat();
  const address = useAddress();
  const segment = address['state'] ?? '';
  const search = address['search'] ?? '';
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [hidden, setHidden] = useHiddenColumns('einvoices');
  const [cancelling, setCancelling] = useState<EinvoiceRow | null>(null);
  const { busy, sent, send, clear } = useSend();
  const { data, isPending, isPlaceholderData, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useRows(segment, search);
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const columns = useMemo(() => inboxColumns(show), [show]);
  const counts = data?.pages.at(-1)?.counts ?? {};
  const chosen = rows.filter((row) => selected.has(row.id));
  const sendable = (row: EinvoiceRow) => may(row.kind, 'write') && sendWord(row) !== undefined;
  const unsent = chosen.filter(sendable);
  const [only] = chosen.length === 1 ? chosen : [];
  const cancellable = only?.state === 'registered' && may(only.kind, 'approve') ? only : undefined;
  const filter = (patch: Readonly<Record<string, string>>) => {
    setSelected(new Set());
    const query = { state: segment, search, ...patch };
    go('EInvoiceListView', Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')), true);
  };
  const open = (row: EinvoiceRow) => {
    const view = places(row.kind, 'documentView');
    if (view) goTo(view, { id: row.id });
  };
  const sendRows = async (which: readonly EinvoiceRow[]) => {
    await send(which.map((row) => row.id));
    setSelected(new Set());
  };
  const act = (row: EinvoiceRow) => void sendRows(chosen.length > 0 ? unsent : [row].filter(sendable));
  useKeys(unsent.length > 0 ? { 'ctrl+enter': () => void sendRows(unsent) } : {});
  const filtered = segment !== '' || search !== '';
  return (
    <Page fit>
      <PageHead
        title={t('E-invoices')}
        count={isPending || !all ? undefined : t('{{all}} in all', { all: countOf(all, counts) })}
      />
      {chosen.length === 0 ? (
        <div className="filter-bar">
          <Segments
            label={t('State')}
            choices={groups.map((group) => ({
              key: group.key,
              label: isPending ? t(group.label) : `${t(group.label)} ${countOf(group, counts)}`,
            }))}
            current={segment}
            onChange={(state) => filter({ state })}
          />
          <SearchBox label={t('Search e-invoices')} value={search} onChange={(text) => filter({ search: text })} />
          <span className="end">
            <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
          </span>
        </div>
      ) : (
        <div className="filter-bar bulk-bar">
          <b role="status">{t('{{chosen}} selected', { chosen: chosen.length })}</b>
          {unsent.length > 0 && (
            <Button busy={busy} onClick={() => void sendRows(unsent)} title={t('Ctrl Enter')}>
              {t('Send {{unsent}} again', { unsent: unsent.length })}
            </Button>
          )}
          {cancellable && (
            <Button look="danger" onClick={() => setCancelling(cancellable)}>
              {t('Cancel IRN')}
            </Button>
          )}
          <Button look="subtle" onClick={() => setSelected(new Set())}>
            {t('Clear')}
          </Button>
        </div>
      )}
      <SendAnswer sent={sent} onClose={clear} />
      <DataTable
        label={t('E-invoices')}
        columns={columns}
        hidden={hidden}
        rows={rows}
        rowKey={(row) => row.id}
        loading={isPending}
        stale={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        selected={selected}
        onSelect={setSelected}
        onOpen={open}
        onAct={act}
        detail={(row) => (
          <RowDetail row={row} busy={busy} {...(sendable(row) ? { onSend: () => void sendRows([row]) } : {})} />
        )}
        hasMore={hasNextPage && !isFetchingNextPage}
        onMore={() => void fetchNextPage()}
        empty={
          filtered ? (
            <Empty
              sentence={
                search
                  ? t('Nothing matches')
                  : (t(groups.find(({ key }) => key === segment)?.none) ?? t('Nothing matches'))
              }
              action={<Button onClick={() => filter({ state: '', search: '' })}>{t('Clear filters')}</Button>}
            />
          ) : (
            <Empty
              sentence={t('No e-invoices yet: an invoice to a registered buyer is sent by itself when it is posted')}
            />
          )
        }
        card={(row) => ({
          title: row.party,
          meta: `${row.number} · ${saidOf(row) ?? show(row.date)}`,
          amount: money(row.total),
          badge: <EinvoiceBadge state={row.state} signed={row.signed} />,
        })}
      />
      {cancelling && (
        <CancelIrn
          id={cancelling.id}
          number={cancelling.number}
          ackDate={cancelling.ackDate}
          onClose={() => {
            setCancelling(null);
            setSelected(new Set());
          }}
        />
      )}
    </Page>
  );
}
