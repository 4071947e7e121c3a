import { useInfiniteQuery } from '@tanstack/react-query';
import { worksOn } from '../../contract/import-steps.ts';
import { importableOf } from '../../contract/importable.ts';
import { Button } from '../kit/Button.tsx';
import { plainNumber, showMoment } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useGo } from '../kit/navigation.tsx';
import { Badge, Empty, Page, PageHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayWrite, useScreenKey } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { type ImportView, stateWords } from './steps.ts';
import '../views/views.css';

export const ImportState = ({ state }: Pick<ImportView, 'state'>) => {
  const [word, tone] = stateWords[state];
  return <Badge word={word} tone={tone} />;
};

const kilobytes = (size: number): string =>
  t('{{kb}} KB', { kb: plainNumber(String(Math.max(1, Math.round(size / 1024)))) });
const countOf = ({ counts }: ImportView, ...outcomes: readonly string[]): string =>
  plainNumber(String(outcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)));

const nameColumn = (): Column<ImportView> => ({
  key: 'name',
  label: t('File'),
  width: 240,
  strong: true,
  cell: (row) => row.name,
});
const whoColumns = (moment: (at: string) => string): readonly Column<ImportView>[] => [
  { key: 'by', label: t('Imported by'), width: 150, cell: (row) => row.by },
  { key: 'at', label: t('Begun'), width: 150, cell: (row) => moment(row.at) },
];

/** Imports with what came of their rows. */
const countColumns = (moment: (at: string) => string): readonly Column<ImportView>[] => [
  {
    key: 'master',
    label: t('What'),
    width: 160,
    strong: true,
    cell: (row) => t(importableOf(row.master)?.plural) ?? row.master,
  },
  { ...nameColumn(), width: 200, strong: false },
  { key: 'state', label: t('State'), width: 140, cell: (row) => <ImportState state={row.state} /> },
  { key: 'rows', label: t('Rows'), width: 80, numeric: true, cell: (row) => plainNumber(String(row.rows)) },
  { key: 'added', label: t('Added'), width: 80, numeric: true, cell: (row) => countOf(row, 'added') },
  { key: 'changed', label: t('Changed'), width: 90, numeric: true, cell: (row) => countOf(row, 'changed') },
  { key: 'same', label: t('Unchanged'), width: 100, numeric: true, cell: (row) => countOf(row, 'same', 'kept') },
  { key: 'refused', label: t('Refused'), width: 90, numeric: true, cell: (row) => countOf(row, 'refused') },
  ...whoColumns(moment),
];

/** Files as they came. */
const fileColumns = (moment: (at: string) => string): readonly Column<ImportView>[] => [
  nameColumn(),
  { key: 'size', label: t('Size'), width: 100, numeric: true, cell: (row) => kilobytes(row.size) },
  {
    key: 'columns',
    label: t('Columns'),
    width: 100,
    numeric: true,
    cell: (row) => plainNumber(String(row.headings.length)),
  },
  { key: 'rows', label: t('Rows'), width: 80, numeric: true, cell: (row) => plainNumber(String(row.rows)) },
  {
    key: 'master',
    label: t('Imported as'),
    width: 160,
    cell: (row) => t(importableOf(row.master)?.plural) ?? row.master,
  },
  { key: 'state', label: t('State'), width: 140, cell: (row) => <ImportState state={row.state} /> },
  ...whoColumns(moment),
];

const LOOKS = 2000;

interface ListProps {
  readonly title: string;
  columns(moment: (at: string) => string): readonly Column<ImportView>[];
}

/** Imports a page at a time, the latest first; one that is at work is looked at again. */
export function ImportList({ title, columns }: ListProps) {
  const go = useGo();
  const { format } = useDateFormat();
  const mayImport = useMayWrite('FileImportNew');
  const query = useInfiniteQuery({
    queryKey: useScreenKey('imports'),
    queryFn: ({ pageParam }) => api.ListImports({ ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.after ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ rows }) => rows.some(({ state }) => worksOn(state))) ? LOOKS : false,
  });
  useKeys(mayImport ? { 'alt+n': () => go('FileImportNew') } : {});
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const button = (look: 'primary' | 'default') =>
    mayImport && (
      <Button look={look} title={t('Alt N')} onClick={() => go('FileImportNew')}>
        {t('Import a file')}
      </Button>
    );
  return (
    <Page fit>
      <PageHead
        title={title}
        count={query.isPending ? undefined : `${rows.length}${query.hasNextPage ? '+' : ''}`}
        actions={button('primary')}
      />
      <DataTable
        label={title}
        columns={columns((at) => showMoment(at, format))}
        rows={rows}
        rowKey={(row) => row.id}
        loading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        {...(mayImport && { onOpen: (row: ImportView) => go('FileImportNew', { master: row.master, id: row.id }) })}
        hasMore={query.hasNextPage && !query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
        empty={<Empty sentence={t('Nothing was imported yet')} action={button('default')} />}
        card={(row) => ({
          title: row.name,
          meta: t('{{what}}, {{rows}} rows', { what: t(importableOf(row.master)?.plural), rows: row.rows }),
          badge: <ImportState state={row.state} />,
        })}
      />
    </Page>
  );
}

/** Imports that were run, with what came of them. */
export const Imports = () => <ImportList title={t('Data import')} columns={countColumns} />;
/** Files that were imported. */
export const ImportedFiles = () => <ImportList title={t('File import')} columns={fileColumns} />;
