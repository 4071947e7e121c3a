import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from '../kit/Button.tsx';
import { SearchBox } from '../kit/fields/fields.tsx';
import { money, showMoment } from '../kit/format.ts';
import { ScreenLink, useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, Page, PageHead, Segments } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, usePlaceFilter, useScreenKey } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { adviceOn, groups, stateOf, type WayRow } from './states.ts';
import { WayAttempts } from './WayPanel.tsx';
import '../views/views.css';

const [all] = groups;

/** The e-way bills of the segment and search at the places chosen in the top bar, by pages. */
const useRows = (segment: string, search: string) => {
  const here = usePlaceFilter();
  const state = groups.find(({ key }) => key === segment)?.states[0];
  return useInfiniteQuery({
    queryKey: useScreenKey('way bills', segment, search),
    queryFn: ({ pageParam }) =>
      api.GetEWayBillList({
        ...here,
        ...(state && { state }),
        ...(search && { search }),
        ...(pageParam && { after: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.after ?? undefined,
    placeholderData: keepPreviousData,
  });
};

const columnsOf = (
  show: (day: string | null) => string,
  moment: (at: string | null) => string,
): readonly Column<WayRow>[] => [
  { key: 'number', label: t('Document'), width: 132, code: true, cell: (row) => row.number },
  { key: 'date', label: t('Date'), width: 96, code: true, cell: (row) => show(row.date) },
  { key: 'party', label: t('Party'), width: 140, cell: (row) => row.party },
  { key: 'state', label: t('State'), width: 104, cell: (row) => <State row={row} /> },
  { key: 'bill', label: t('E-way bill'), width: 122, code: true, cell: (row) => row.bill ?? '–' },
  {
    key: 'valid',
    label: t('Valid until, or answer'),
    width: 196,
    cell: (row) => saidOf(row) ?? (row.validUntil ? moment(row.validUntil) : '–'),
  },
  { key: 'vehicle', label: t('Vehicle'), width: 112, code: true, cell: (row) => row.vehicle || '–' },
  { key: 'total', label: t('Total (₹)'), width: 116, numeric: true, strong: true, cell: (row) => money(row.total) },
];

function State({ row }: { readonly row: WayRow }) {
  const { word, tone } = stateOf(row);
  return <Badge word={word} tone={tone} />;
}

const saidOf = ({ error, errorCode }: WayRow): string | undefined =>
  error ? [errorCode, error].filter(Boolean).join(': ') : undefined;

/** The e-way bills: what needs a hand first, each with its attempts; they are made and changed on their document. */
export function WayBills() {
  const go = useGo();
  const { show, format } = useDateFormat();
  const address = useAddress();
  const segment = address['state'] ?? '';
  const search = address['search'] ?? '';
  const { data, isPending, isPlaceholderData, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useRows(segment, search);
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const columns = useMemo(() => columnsOf(show, (at) => showMoment(at, format)), [show, format]);
  const counts = data?.pages.at(-1)?.counts ?? {};
  const countOf = (states: readonly string[]) =>
    Object.entries(counts).reduce(
      (sum, [state, count]) => (states.length === 0 || states.includes(state) ? sum + count : sum),
      0,
    );
  const filter = (patch: Readonly<Record<string, string>>) => {
    const query = { state: segment, search, ...patch };
    go('E-Way Bill', Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')), true);
  };
  const filtered = segment !== '' || search !== '';
  return (
    <Page fit>
      <PageHead
        title={t('E-way bills')}
        count={isPending || !all ? undefined : t('{{countOf}} in all', { countOf: countOf([]) })}
      />
      <div className="filter-bar">
        <Segments
          label={t('State')}
          choices={groups.map(({ key, label, states }) => ({
            key,
            label: isPending ? t(label) : `${t(label)} ${countOf(states)}`,
          }))}
          current={segment}
          onChange={(state) => filter({ state })}
        />
        <SearchBox label={t('Search e-way bills')} value={search} onChange={(text) => filter({ search: text })} />
      </div>
      <DataTable
        label={t('E-way bills')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        loading={isPending}
        stale={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onOpen={(row) => go('saleEWayBill', { id: row.id })}
        detail={(row) => <Detail row={row} />}
        hasMore={hasNextPage && !isFetchingNextPage}
        onMore={() => void fetchNextPage()}
        empty={
          filtered ? (
            <Empty
              sentence={search ? t('Nothing matches') : (t(groups.find(({ key }) => key === segment)?.none) ?? '')}
              action={<Button onClick={() => filter({ state: '', search: '' })}>{t('Clear filters')}</Button>}
            />
          ) : (
            <Empty sentence={t(all?.none) ?? ''} />
          )
        }
        card={(row) => ({
          title: row.party,
          meta: `${row.number} · ${saidOf(row) ?? row.bill ?? show(row.date)}`,
          amount: money(row.total),
          badge: <State row={row} />,
        })}
      />
    </Page>
  );
}

/** Below a row: what is to be done, every attempt, and the way to its screen. */
function Detail({ row }: { readonly row: WayRow }) {
  return (
    <div className="stack row-detail">
      <p>
        {row.error && (
          <>
            {row.errorCode && <b className="code">{row.errorCode}</b>} {row.error}
            <br />
          </>
        )}
        {t(adviceOn(row.errorCode)?.says) ?? t(stateOf(row).says)}
      </p>
      <WayAttempts id={row.id} />
      <div className="side-actions">
        <ScreenLink screen="saleEWayBill" query={{ id: row.id }}>
          {t('Open the e-way bill of {{number}}', { number: row.number })}
        </ScreenLink>
      </div>
    </div>
  );
}
