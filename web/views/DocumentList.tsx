import { IconDownload, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ownScreen } from '../../contract/screens.ts';
import { mayRecur } from '../../domain/books/recurring.ts';
import { type KindName, kindOf, settlesOthers } from '../../domain/document/kinds/index.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { families } from '../../domain/workflow/families.ts';
import { SendAnswer } from '../einvoice/SendAnswer.tsx';
import { useSend } from '../einvoice/send.ts';
import { stateOf } from '../einvoice/states.ts';
import { Button } from '../kit/Button.tsx';
import { download } from '../kit/dialog/download.ts';
import { toastError } from '../kit/dialog/toast.tsx';
import { useAdditionalFields, useAdditionalText } from '../kit/fields/additional.ts';
import { inSentence, money } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, Page, PageHead, Segments } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { fetched } from '../kit/server/fetched.tsx';
import { useDateFormat, useMayOpen, usePlaceFilter, useScreenKey, useSession } from '../kit/server/session.ts';
import { ColumnChooser, useHiddenColumns } from '../kit/table/ColumnChooser.tsx';
import { type Card, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { StageFilter } from '../workflow/StageFilter.tsx';
import { useHandOver } from './editor/saving/handOver.ts';
import { Bulk } from './list/Bulk.tsx';
import { type AddedColumn, fileColumns, listColumns } from './list/columns.tsx';
import { useGoTo, usePlaces } from './places.ts';
import './views.css';
import { FilterBar, type Filters, filterWords, isFiltered } from './list/FilterBar.tsx';
import { csv, periodRange, type Row, statusWord } from './list/rows.ts';
import { SavedViews } from './list/SavedViews.tsx';

/** What the filters ask the server for. */
const useQueryOf = (kind: KindName, filters: Filters) => {
  const { today } = useSession();
  const here = usePlaceFilter();
  return {
    Type: kind,
    ...here,
    ...periodRange(filters['period'] ?? '', today, filters),
    ...(filters['search'] && { Search: filters['search'] }),
    ...(filters['status'] && { Status: filters['status'] }),
    ...(filters['stage'] && { Stage: filters['stage'] }),
    ...(filters['party'] && { party: filters['party'] }),
  };
};
type Query = ReturnType<typeof useQueryOf>;

/** The documents of the kind, newest first, by pages of the server's cursor. */
const useRows = (query: Query) =>
  useInfiniteQuery({
    queryKey: useScreenKey('list', query),
    queryFn: ({ pageParam }) => api.GetTransationsList({ ...query, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.after ?? undefined,
    placeholderData: keepPreviousData,
  });

/** So many rows are exported in one file. */
const MOST_EXPORTED = 10_000;

/** Every row that the filters let through, not only those that were looked at. */
const allRows = async (query: Query): Promise<Row[]> => {
  const all: Row[] = [];
  for (let after: string | null = ''; after !== null && all.length < MOST_EXPORTED; ) {
    const page: { readonly rows: Row[]; readonly after: string | null } = await api.GetTransationsList({
      ...query,
      pagesize: 500,
      ...(after && { after }),
    });
    all.push(...page.rows);
    after = page.after;
  }
  return all;
};

// a list of most kinds leads to screens of their own: what writes and shows is fetched where it is shown here
const DocumentEditor = fetched(async () => (await import('./DocumentEditor.tsx')).DocumentEditor);
const DocumentView = fetched(async () => (await import('./DocumentView.tsx')).DocumentView);

/** The list of every kind, or of some that belong together; a kind without screens of its own for writing and viewing does both here. */
export function DocumentList({
  kind: own,
  beside = [],
}: {
  readonly kind: KindName;
  readonly beside?: readonly KindName[];
}) {
  const { show, kind: asked } = useAddress();
  const kind = beside.find((other) => other === asked) ?? own;
  if (show === 'documentEditor') return <DocumentEditor kind={kind} />;
  if (show === 'documentView') return <DocumentView kind={kind} />;
  return <Listed kind={kind} kinds={beside.length === 0 ? [] : [own, ...beside]} />;
}

const usuallyHidden = ['reference'];

/** The columns that the kind's row, the organisation and its additional fields give a list. */
function useListColumns(kind: Kind, added: readonly AddedColumn[]) {
  const { show } = useDateFormat();
  const { settings } = useSession();
  const isStaged = kind.life.flow !== undefined && settings[families[kind.life.flow].flag];
  const columns = useMemo(() => listColumns(kind, show, added, isStaged), [kind, show, added, isStaged]);
  return { columns, isStaged };
}

/** Where the list leads: to itself with other filters, to one of its documents, and to a new one (Alt N). */
function useWaysOf(name: KindName) {
  const kind: Kind = kindOf(name);
  const go = useGo();
  const goTo = useGoTo();
  const places = usePlaces();
  const address = useAddress();
  const here = places(name, 'documentList');
  const list = here?.screen;
  const view = places(name, 'documentView');
  const editor = places(name, 'documentEditor');
  const create = editor && !kind.life.system && !kind.source.reverses ? () => goTo(editor) : undefined;
  useKeys(create ? { 'alt+n': create } : {});
  const open = (row: Row) => {
    // what waits for approval is looked at, also by its author
    const place = row.draft && row.status !== 'pendingApproval' ? editor : view;
    if (place) goTo(place, { id: row.id });
  };
  return {
    create,
    open: view !== undefined || editor !== undefined ? open : undefined,
    filter: (patch: Filters) => {
      const filters = Object.entries({ ...address, ...patch }).filter(([, value]) => value !== '');
      if (list) go(list, Object.fromEntries(filters), true);
    },
    /** The list of this kind with these filters and no others. */
    setTo: (filters: Filters) => here && goTo(here, filters, true),
    toKind: (other: string) => list && go(list, { kind: other }),
  };
}

/** Its kind's row says which columns stand in it. */
function Listed({ kind: name, kinds }: { readonly kind: KindName; readonly kinds: readonly KindName[] }) {
  const kind: Kind = kindOf(name);
  const cache = useQueryClient();
  const { show } = useDateFormat();
  const address = useAddress();
  const query = useQueryOf(name, address);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [hidden, setHidden] = useHiddenColumns(name, usuallyHidden);
  const found = useRows(query);
  const { data, isPending, hasNextPage, isFetchingNextPage } = found;
  useHandOver();
  const { sent, send, clear } = useSend();
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const added = useAddedColumns(name);
  const { columns, isStaged } = useListColumns(kind, added);
  const exporting = useExport(kind, query, added);
  const { create, open, filter, setTo, toKind } = useWaysOf(name);
  const chosen = rows.filter((row) => selected.has(row.id));
  return (
    <Page fit>
      <PageHead
        title={t(kind.plural)}
        count={isPending ? undefined : `${rows.length}${hasNextPage ? '+' : ''}`}
        actions={
          <ListActions
            kind={kind}
            exporting={exporting.busy}
            onExport={rows.length > 0 ? exporting.exportAll : undefined}
            onCreate={create}
          />
        }
      />
      {chosen.length > 0 ? (
        <Bulk
          kind={name}
          rows={chosen}
          onClear={() => setSelected(new Set())}
          onSend={send}
          onExport={() => exporting.exportRows(chosen)}
          onDone={() => {
            setSelected(new Set());
            void cache.invalidateQueries({ queryKey: ['screen'] });
          }}
        />
      ) : (
        <FilterBar kind={kind} filters={address} onFilter={filter}>
          {kind.life.flow && isStaged && (
            <StageFilter
              family={kind.life.flow}
              value={address['stage'] ?? ''}
              onChange={(stage) => filter({ stage })}
            />
          )}
          {kinds.length > 0 && (
            <Segments
              label={t('Which documents')}
              choices={kinds.map((key) => ({ key, label: t(kindOf(key).plural) }))}
              current={name}
              onChange={toKind}
            />
          )}
          <SavedViews
            list={name}
            address={address}
            columns={hidden}
            usual={usuallyHidden}
            onChoose={(chosen, away) => {
              setHidden(away);
              setTo(chosen);
            }}
          />
          <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
        </FilterBar>
      )}
      <SendAnswer sent={sent} onClose={clear} />
      <DataTable
        label={t(kind.plural)}
        columns={columns}
        hidden={hidden}
        rows={rows}
        rowKey={(row) => row.id}
        loading={isPending}
        stale={found.isPlaceholderData}
        error={found.error}
        onRetry={() => void found.refetch()}
        selected={selected}
        onSelect={setSelected}
        {...(open && { onOpen: open })}
        hasMore={hasNextPage && !isFetchingNextPage}
        onMore={() => void found.fetchNextPage()}
        empty={<NoRows kind={kind} filters={address} onClear={() => setTo({})} onCreate={create} />}
        card={(row) => cardOf(row, show)}
      />
    </Page>
  );
}

/** Writes rows to a file of comma-separated values: some of the list, or all that the filters let through. */
function useExport(kind: Kind, query: Query, added: readonly AddedColumn[]) {
  const [busy, setBusy] = useState(false);
  const exportRows = (rows: readonly Row[]) => {
    const lines = csv(fileColumns(added), rows);
    download(`${kind.plural}.csv`, new Blob(['\ufeff', lines], { type: 'text/csv' }));
  };
  const exportAll = async () => {
    setBusy(true);
    try {
      exportRows(await allRows(query));
    } catch (problem) {
      toastError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { busy, exportRows, exportAll: () => void exportAll() };
}

/** What can be done with the list as a whole. */
function ListActions({
  kind,
  exporting,
  onExport,
  onCreate,
}: {
  readonly kind: Kind;
  readonly exporting: boolean;
  /** Left out while there is nothing to export. */
  readonly onExport: (() => void) | undefined;
  /** Left out where none is made by hand, or not by this person. */
  readonly onCreate: (() => void) | undefined;
}) {
  const go = useGo();
  const mayOpen = useMayOpen();
  const { party } = useAddress();
  const recurring = ownScreen('recurringBills');
  return (
    <>
      {mayRecur(kind) && recurring && mayOpen(recurring) && (
        <Button onClick={() => go(recurring)}>{t('Recurring')}</Button>
      )}
      <Button
        icon={<IconDownload size={16} aria-hidden />}
        disabled={onExport === undefined}
        busy={exporting}
        onClick={() => onExport?.()}
      >
        {t('Export CSV')}
      </Button>
      {settlesOthers(kind) && mayOpen('UseCreditView') && (
        <Button onClick={() => go('UseCreditView', party ? { party } : {})}>{t('Settle credits')}</Button>
      )}
      {onCreate && (
        <Button look="primary" icon={<IconPlus size={16} aria-hidden />} onClick={onCreate} title={t('Alt N')}>
          {t('New {{label}}', { label: inSentence(t(kind.label)) })}
        </Button>
      )}
    </>
  );
}

/** A list without rows: nothing matches its filters, or there is nothing yet. */
function NoRows({
  kind,
  filters,
  onClear,
  onCreate,
}: {
  readonly kind: Kind;
  readonly filters: Filters;
  onClear(): void;
  readonly onCreate: (() => void) | undefined;
}) {
  const { show } = useDateFormat();
  if (isFiltered(filters))
    return (
      <Empty
        sentence={t('Nothing matches: {{filters}}', { filters: filterWords(filters, kind, show) })}
        action={<Button onClick={onClear}>{t('Clear filters')}</Button>}
      />
    );
  return (
    <Empty
      sentence={t('No {{plural}} yet', { plural: inSentence(t(kind.plural)) })}
      action={
        onCreate && <Button onClick={onCreate}>{t('New {{label}}', { label: inSentence(t(kind.label)) })}</Button>
      }
    />
  );
}

/** A row on a phone. */
const cardOf = (row: Row, show: (day: string) => string): Card => {
  const number = row.party ? `${row.draft ? 'Draft' : row.number} · ` : '';
  const stage = row.stage ? ` · ${row.stage.name}` : '';
  return {
    title: row.party || (row.draft ? t('Draft') : row.number),
    meta: `${number}${show(row.date)}${stage}${troubleOf(row)}`,
    amount: money(row.total),
    badge: <Badge word={statusWord(row)} />,
  };
};

/** A column for each additional field that is to stand in lists. */
const useAddedColumns = (kind: KindName): readonly AddedColumn[] => {
  const fields = useAdditionalFields(kind);
  const said = useAdditionalText();
  return useMemo(
    () =>
      (fields ?? [])
        .filter(({ inLists, active }) => inLists && active)
        .map((field) => ({ field, text: ({ additional }: Row) => said(field, additional[field.key]) })),
    [fields, said],
  );
};

/** On a phone there is no column for it: an e-invoice that is to be mended is said beside the number. */
const troubleOf = ({ einvoice }: Row): string => {
  const state = einvoice ? stateOf(einvoice) : undefined;
  return state?.sendable ? ` · E-invoice: ${state.word.toLowerCase()}` : '';
};
