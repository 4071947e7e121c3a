import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
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

/** Which e-invoices the address asks for: a group of states, and words. */
function useInboxFilter() {
  const address = useAddress();
  const go = useGo();
  const segment = address['state'] ?? '';
  const search = address['search'] ?? '';
  const filter = (patch: Readonly<Record<string, string>>) => {
    const query = { state: segment, search, ...patch };
    go('EInvoiceListView', Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')), true);
  };
  return { segment, search, filter };
}
type Filter = ReturnType<typeof useInboxFilter>;

/** The rows that are chosen, and what can be done with them: sent again, or the one of them cancelled. */
function useChosen(rows: readonly EinvoiceRow[]) {
  const may = useMayDo();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter((row) => selected.has(row.id));
  const isSendable = (row: EinvoiceRow) => may(row.kind, 'write') && sendWord(row) !== undefined;
  const [only] = chosen.length === 1 ? chosen : [];
  return {
    ...{ selected, setSelected, chosen, isSendable },
    clear: () => setSelected(new Set()),
    unsent: chosen.filter(isSendable),
    cancellable: only?.state === 'registered' && may(only.kind, 'approve') ? only : undefined,
  };
}

/** The inbox of e-invoices: what is to be mended first, with what the portal said, to be sent again from here. */
export function Einvoices() {
  const goTo = useGoTo();
  const places = usePlaces();
  const { show } = useDateFormat();
  const filter = useInboxFilter();
  const [hidden, setHidden] = useHiddenColumns('einvoices');
  const [cancelling, setCancelling] = useState<EinvoiceRow | null>(null);
  const { busy, sent, send, clear: clearSent } = useSend();
  const inbox = useRows(filter.segment, filter.search);
  const { data, isPending, hasNextPage, isFetchingNextPage } = inbox;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const columns = useMemo(() => inboxColumns(show), [show]);
  const counts = isPending ? undefined : (data?.pages.at(-1)?.counts ?? {});
  const { selected, setSelected, chosen, unsent, cancellable, isSendable, clear } = useChosen(rows);
  const change = (patch: Readonly<Record<string, string>>) => {
    clear();
    filter.filter(patch);
  };
  const open = (row: EinvoiceRow) => {
    const view = places(row.kind, 'documentView');
    if (view) goTo(view, { id: row.id });
  };
  const sendRows = async (which: readonly EinvoiceRow[]) => {
    await send(which.map((row) => row.id));
    clear();
  };
  useKeys(unsent.length > 0 ? { 'ctrl+enter': () => void sendRows(unsent) } : {});
  return (
    <Page fit>
      <PageHead
        title={t('E-invoices')}
        count={!counts || !all ? undefined : t('{{all}} in all', { all: countOf(all, counts) })}
      />
      {chosen.length === 0 ? (
        <Filters {...filter} filter={change} counts={counts}>
          <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
        </Filters>
      ) : (
        <BulkBar
          chosen={chosen.length}
          unsent={unsent.length}
          busy={busy}
          onSend={() => void sendRows(unsent)}
          {...(cancellable && { onCancel: () => setCancelling(cancellable) })}
          onClear={clear}
        />
      )}
      <SendAnswer sent={sent} onClose={clearSent} />
      <DataTable
        label={t('E-invoices')}
        columns={columns}
        hidden={hidden}
        rows={rows}
        rowKey={(row) => row.id}
        loading={isPending}
        stale={inbox.isPlaceholderData}
        error={inbox.error}
        onRetry={() => void inbox.refetch()}
        selected={selected}
        onSelect={setSelected}
        onOpen={open}
        onAct={(row) => void sendRows(chosen.length > 0 ? unsent : [row].filter(isSendable))}
        detail={(row) => (
          <RowDetail row={row} busy={busy} {...(isSendable(row) ? { onSend: () => void sendRows([row]) } : {})} />
        )}
        hasMore={hasNextPage && !isFetchingNextPage}
        onMore={() => void inbox.fetchNextPage()}
        empty={<NoRows {...filter} filter={change} />}
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
          kind={cancelling.kind}
          number={cancelling.number}
          ackDate={cancelling.ackDate}
          onClose={() => {
            setCancelling(null);
            clear();
          }}
        />
      )}
    </Page>
  );
}

type FilterProps = Filter & {
  /** How many there are of each state; undefined before they are known. */
  readonly counts: Parameters<typeof countOf>[1] | undefined;
  readonly children: ReactNode;
};

function Filters({ segment, search, filter, counts, children }: FilterProps) {
  return (
    <div className="filter-bar">
      <Segments
        label={t('State')}
        choices={groups.map((group) => ({
          key: group.key,
          label: counts ? `${t(group.label)} ${countOf(group, counts)}` : t(group.label),
        }))}
        current={segment}
        onChange={(state) => filter({ state })}
      />
      <SearchBox label={t('Search e-invoices')} value={search} onChange={(text) => filter({ search: text })} />
      <span className="end">{children}</span>
    </div>
  );
}

interface BulkProps {
  readonly chosen: number;
  readonly unsent: number;
  readonly busy: boolean;
  onSend(): void;
  /** Left out where there is no IRN to cancel. */
  onCancel?(): void;
  onClear(): void;
}

/** What can be done with the chosen rows. */
function BulkBar({ chosen, unsent, busy, onSend, onCancel, onClear }: BulkProps) {
  return (
    <div className="filter-bar bulk-bar">
      <b role="status">{t('{{chosen}} selected', { chosen })}</b>
      {unsent > 0 && (
        <Button busy={busy} onClick={onSend} title={t('Ctrl Enter')}>
          {t('Send {{unsent}} again', { unsent })}
        </Button>
      )}
      {onCancel && (
        <Button look="danger" onClick={onCancel}>
          {t('Cancel IRN')}
        </Button>
      )}
      <Button look="subtle" onClick={onClear}>
        {t('Clear')}
      </Button>
    </div>
  );
}

function NoRows({ segment, search, filter }: Filter) {
  if (segment === '' && search === '')
    return (
      <Empty sentence={t('No e-invoices yet: an invoice to a registered buyer is sent by itself when it is posted')} />
    );
  const none = groups.find(({ key }) => key === segment)?.none;
  return (
    <Empty
      sentence={search ? t('Nothing matches') : (t(none) ?? t('Nothing matches'))}
      action={<Button onClick={() => filter({ state: '', search: '' })}>{t('Clear filters')}</Button>}
    />
  );
}
