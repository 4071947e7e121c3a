import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useMemo } from 'react';
import type { z } from 'zod';
import type { masterCalls } from '../../contract/master-calls.ts';
import { type Field, type Master, masterOf } from '../../contract/masters.ts';
import { screenOf } from '../../contract/screens.ts';
import { ChartOfAccounts } from '../accounts/ChartOfAccounts.tsx';
import { MasterFiles } from '../imports/MasterFiles.tsx';
import { Button } from '../kit/Button.tsx';
import { Checkbox, SearchBox } from '../kit/fields/fields.tsx';
import { useOwnMaster } from '../kit/fields/own-master.ts';
import { inSentence } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, Page, PageHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, useMayWrite, useScreenKey } from '../kit/server/session.ts';
import { ColumnChooser, useHiddenColumns } from '../kit/table/ColumnChooser.tsx';
import { type Card, type Column, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { MasterForm } from './MasterForm.tsx';
import { DuplicatePairs } from './master/DuplicatePairs.tsx';
import { formOf, recordPlace } from './master/page.ts';
import { shown } from './master/shown.ts';
import { useTree } from './master/useTree.ts';
import { textOf } from './master/values.ts';
import './views.css';

type Record_ = z.output<(typeof masterCalls)['ListMasters']['details']>['rows'][number];
const figures = new Set<Field['type']>(['money', 'rate', 'quantity', 'percent', 'whole']);

const columnsOf = (master: Master, day: (text: string) => string): readonly Column<Record_>[] => [
  ...master.list.map((key, at): Column<Record_> => {
    const field = master.fields[key];
    const numeric = field !== undefined && figures.has(field.type);
    const wide = key === master.name;
    return {
      key,
      label: t(field?.label) ?? key,
      width: wide ? 220 : numeric ? 90 : 130,
      ...(numeric ? { numeric } : {}),
      ...((at === 0 && key === master.code) || field?.type === 'gstin' ? { code: true } : {}),
      cell: (row) => shown(key, field, row, day),
    };
  }),
  { key: 'active', label: t('Status'), width: 100, cell: (row) => <Badge word={row.active ? 'Active' : 'Inactive'} /> },
];

/** Lists that show more than their records. */
const drawings: Readonly<Record<NonNullable<Master['drawn']>, ComponentType>> = { chart: ChartOfAccounts };

/** The records of a master, by name. Pages of records are shown here, and forms of a master without a screen for them. */
export function MasterList({ master: name }: { readonly master: string }) {
  const { id, show } = useAddress();
  const form = show === 'page' ? undefined : screenOf({ master: name }, 'masterForm');
  const drawn = masterOf(name)?.drawn;
  const Own = drawn && drawings[drawn];
  if (Own) return <Own />;
  return id !== undefined && !form ? <MasterForm master={name} /> : <Listed name={name} />;
}

/** Which records the address asks for. */
function useMasterFilter(name: string) {
  const go = useGo();
  const address = useAddress();
  const list = screenOf({ master: name }, 'masterList');
  const filter = (patch: Readonly<Record<string, string>>) => {
    if (list)
      go(list, Object.fromEntries(Object.entries({ ...address, ...patch }).filter(([, value]) => value !== '')), true);
  };
  return { search: address['search'] ?? '', retired: address['retired'] === 'true', filter };
}
type Filter = ReturnType<typeof useMasterFilter>;

function useRecords(name: string, { under }: Master, { search, retired }: Filter) {
  const asked = { master: name, ...(search && { search }), ...(retired && { retired }) };
  const query = useInfiniteQuery({
    queryKey: useScreenKey('masters', asked),
    queryFn: ({ pageParam }) => api.ListMasters({ ...asked, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.after ?? undefined,
    placeholderData: keepPreviousData,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const found = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  // what is searched for is found wherever it stands
  const { rows, tree, folds } = useTree(search ? undefined : under, found);
  useEffect(() => {
    // a tree is drawn whole: children of a row may come with the last page
    if (tree && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [tree, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = data?.pages[0]?.total;
  const count = total == null ? `${found.length}${hasNextPage ? '+' : ''}` : String(total);
  return { ...query, rows, tree, folds, count: query.isPending ? undefined : count };
}

/** Opens records, and makes new ones, for who may; Alt N makes one. */
function useForm(name: string, master: Master) {
  const go = useGo();
  const mayOpen = useMayOpen();
  const form = formOf(name);
  const mayWrite = useMayWrite(form ?? 'General Configuration');
  const create =
    form && mayOpen(form) && mayWrite && master.retire !== 'never' ? () => go(form, { id: 'new' }) : undefined;
  useKeys(create ? { 'alt+n': create } : {});
  const open = ({ id }: Record_) => {
    const place = recordPlace(name, id, mayOpen);
    if (place) go(place.screen, place.query);
  };
  return { open: recordPlace(name, '', mayOpen) ? open : undefined, create };
}

function Listed({ name }: { readonly name: string }) {
  const { master } = useOwnMaster(name);
  const { show } = useDateFormat();
  const filter = useMasterFilter(name);
  const records = useRecords(name, master, filter);
  const { open, create } = useForm(name, master);
  const columns = useMemo(() => columnsOf(master, show), [master, show]);
  const [hidden, setHidden] = useHiddenColumns(`master.${name}`);
  const { folds } = records;
  return (
    <Page fit>
      <PageHead
        title={t(master.plural)}
        count={records.count}
        actions={
          create && (
            <Button look="primary" icon={<IconPlus size={16} aria-hidden />} onClick={create} title={t('Alt N')}>
              {t('New {{label}}', { label: inSentence(t(master.label)) })}
            </Button>
          )
        }
      />
      <div className="filter-bar">
        <Filters master={master} filter={filter} />
        <span className="end">
          {folds && <Button onClick={folds.run}>{t(folds.label)}</Button>}
          {master.merges && <DuplicatePairs />}
          <MasterFiles master={name} />
          <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
        </span>
      </div>
      <DataTable
        label={t(master.plural)}
        columns={columns}
        hidden={hidden}
        rows={records.rows}
        rowKey={(row) => row.id}
        tree={records.tree}
        loading={records.isPending}
        stale={records.isPlaceholderData}
        error={records.error}
        onRetry={() => void records.refetch()}
        {...(open && { onOpen: open })}
        hasMore={records.hasNextPage && !records.isFetchingNextPage}
        onMore={() => void records.fetchNextPage()}
        empty={<NoRecords master={master} filter={filter} onCreate={create} />}
        card={(row) => cardOf(master, row, show)}
      />
    </Page>
  );
}

/** A record on a phone: its name, and two other columns that say something. */
const cardOf = (master: Master, row: Record_, day: (text: string) => string): Card => {
  const name = textOf(row.values[master.name]);
  return {
    title: name,
    meta: master.list
      .filter((key) => key !== master.name)
      .slice(0, 2)
      .map((key) => shown(key, master.fields[key], row, day))
      .filter((said) => said !== '–' && said !== name)
      .join(' · '),
    badge: <Badge word={row.active ? 'Active' : 'Inactive'} />,
  };
};

interface FilterProps {
  readonly master: Master;
  readonly filter: Filter;
}

function Filters({ master, filter: { search, retired, filter } }: FilterProps) {
  return (
    <>
      <SearchBox
        label={t('Search {{plural}}', { plural: inSentence(t(master.plural)) })}
        value={search}
        onChange={(text) => filter({ search: text })}
      />
      {master.retire === 'deactivate' && (
        <Checkbox
          label={t('Inactive too')}
          checked={retired}
          onChange={(on) => filter({ retired: on ? 'true' : '' })}
        />
      )}
    </>
  );
}

type NoRecordsProps = FilterProps & { readonly onCreate: (() => void) | undefined };

function NoRecords({ master, filter: { search, filter }, onCreate }: NoRecordsProps) {
  if (search)
    return (
      <Empty
        sentence={t('Nothing matches')}
        action={<Button onClick={() => filter({ search: '' })}>{t('Clear filters')}</Button>}
      />
    );
  return (
    <Empty
      sentence={t(master.empty)}
      action={
        onCreate && <Button onClick={onCreate}>{t('New {{label}}', { label: inSentence(t(master.label)) })}</Button>
      }
    />
  );
}
