import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { z } from 'zod';
import type { itemCalls } from '../../contract/items.ts';
import { allows } from '../../contract/levels.ts';
import { symbologies } from '../../domain/items/barcode.ts';
import { Button } from '../kit/Button.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { SearchBox } from '../kit/fields/fields.tsx';
import { money, plainNumber } from '../kit/format.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Empty, ErrorPanel, Page, PageHead, Segments } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useMayOpen, useScreenKey, useSession } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { plural, t } from '../kit/text.ts';
import { BarcodesOfItem } from './BarcodesOfItem.tsx';
import { LabelDialog, type LabelRow } from './LabelDialog.tsx';
import '../views/views.css';

export type BarcodeRow = z.output<(typeof itemCalls)['SaveBarcode']['details']>;

const choices = [
  { key: 'all', label: 'All items' },
  { key: 'with', label: 'With a barcode' },
  { key: 'without', label: 'Without' },
] as const;
type Only = (typeof choices)[number]['key'];
const labels: Readonly<Record<string, string>> = Object.fromEntries(symbologies);

const columns: readonly Column<BarcodeRow>[] = [
  { key: 'sku', label: 'SKU', width: 150, code: true, cell: (row) => row.sku },
  { key: 'name', label: 'Item', width: 200, strong: true, cell: (row) => row.name },
  { key: 'barcode', label: 'Barcode', width: 130, cell: (row) => row.barcode || '–' },
  { key: 'symbology', label: 'Code type', width: 90, cell: (row) => labels[row.symbology] ?? '–' },
  { key: 'unit', label: 'Unit', width: 70, cell: (row) => row.unit },
  { key: 'mrp', label: 'MRP (₹)', width: 90, numeric: true, cell: (row) => (row.mrp ? money(row.mrp) : '–') },
  {
    key: 'saleRate',
    label: 'Sale rate (₹)',
    width: 100,
    numeric: true,
    cell: (row) => (row.saleRate ? money(row.saleRate) : '–'),
  },
  { key: 'onHand', label: 'In stock', width: 90, numeric: true, cell: (row) => plainNumber(row.onHand) },
];

const keyOf = (row: BarcodeRow): string => row.id ?? row.item;

/** Which barcodes the address asks for. */
function useBarcodeFilter() {
  const address = useAddress();
  const go = useGo();
  const filter = (patch: Readonly<Record<string, string>>) =>
    go(
      'BarcodeList',
      Object.fromEntries(Object.entries({ ...address, ...patch }).filter(([, value]) => value !== '')),
      true,
    );
  const only: Only = choices.find(({ key }) => key === address['only'])?.key ?? 'all';
  return { search: address['search'] ?? '', only, from: address['from'], filter };
}
type Filter = ReturnType<typeof useBarcodeFilter>;

function useBarcodes({ search, only }: Filter) {
  const query = useInfiniteQuery({
    queryKey: useScreenKey('barcodes', search, only),
    queryFn: ({ pageParam }) => api.ListBarcodes({ search, only, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.after ?? undefined,
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  return { ...query, rows };
}

/** The labels that are being printed: of the document that the address names, or of chosen rows. */
function useLabels({ from, filter }: Filter) {
  const [rows, setRows] = useState<readonly LabelRow[] | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  useEffect(() => {
    if (!from) return;
    let here = true;
    api.LabelsOfDocument({ TransactionId: from }).then(
      (found) => here && setRows(found.rows.map((row) => ({ ...row, count: String(row.count) }))),
      (refused) => here && setFailed(refused),
    );
    return () => {
      here = false;
    };
  }, [from]);
  // what was in stock bears its labels already: as many as came in are proposed beside their document
  const print = (coded: readonly BarcodeRow[]) => setRows(coded.map((row) => ({ ...row, count: '1' })));
  const close = () => {
    setRows(null);
    if (from) filter({ from: '' });
  };
  return { rows, failed, print, close };
}

/** Gives items without a barcode one of the organisation's own. */
function useGenerate(done: () => void) {
  const cache = useQueryClient();
  return async (bare: readonly BarcodeRow[]) => {
    try {
      const { made, left } = await api.GenerateBarcodes({ items: bare.map((row) => row.item) });
      const [first] = left;
      toast(
        [t('{{made}} barcodes are made', { made }), first && `${first.sku}: ${first.reason}`]
          .filter(Boolean)
          .join('. '),
      );
      done();
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (refused) {
      toastError(refused);
    }
  };
}

/** Every barcode with its item: to be given, made and printed on labels. `?from=` brings what a document moved. */
export function Barcodes() {
  const { settings, grants } = useSession();
  const filter = useBarcodeFilter();
  const found = useBarcodes(filter);
  const { rows } = found;
  const labels = useLabels(filter);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<BarcodeRow | null>(null);
  const generate = useGenerate(() => setSelected(new Set()));
  const mayWrite = settings.enableBarCode && allows(grants['Supply Master'], 'write');
  const chosen = rows.filter((row) => selected.has(keyOf(row)));
  const bare = (chosen.length > 0 ? chosen : rows).filter((row) => row.id === null);
  const coded = chosen.filter((row) => row.id !== null);
  return (
    <Page fit>
      <PageHead
        title={t('Barcodes')}
        count={found.isPending ? undefined : `${rows.length}${found.hasNextPage ? '+' : ''}`}
        actions={
          <>
            {mayWrite && bare.length > 0 && (
              <Button onClick={() => void generate(bare)}>
                {plural(bare.length, 'Make a barcode', 'Make {{count}} barcodes')}
              </Button>
            )}
            <Button look="primary" disabled={coded.length === 0} onClick={() => labels.print(coded)}>
              {t('Print labels{{coded}}', {
                coded: coded.length > 0 ? ` ${t('of {{coded}}', { coded: coded.length })}` : '',
              })}
            </Button>
          </>
        }
      />
      {!settings.enableBarCode && <SwitchedOff />}
      {labels.failed != null && <ErrorPanel error={labels.failed} />}
      <Filters {...filter} />
      <DataTable
        label={t('Barcodes')}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        loading={found.isPending}
        stale={found.isPlaceholderData}
        error={found.error}
        onRetry={() => void found.refetch()}
        selected={selected}
        onSelect={setSelected}
        onOpen={(row) => setOpen(row)}
        hasMore={found.hasNextPage && !found.isFetchingNextPage}
        onMore={() => void found.fetchNextPage()}
        empty={<NoRows {...filter} />}
        card={(row) => ({
          title: row.name,
          meta: [row.sku, row.barcode || 'no barcode', row.unit].join(' · '),
          amount: row.saleRate ? `₹ ${money(row.saleRate)}` : '',
        })}
      />
      {open && <BarcodesOfItem row={open} mayWrite={mayWrite} onClose={() => setOpen(null)} />}
      {labels.rows && <LabelDialog rows={labels.rows} onClose={labels.close} />}
    </Page>
  );
}

function SwitchedOff() {
  const go = useGo();
  const mayOpen = useMayOpen();
  return (
    <p className="muted" role="status">
      {t('Barcodes are switched off: existing ones are shown and can be printed.')}{' '}
      {mayOpen('General Configuration') && (
        <Button look="subtle" onClick={() => go('General Configuration')}>
          {t('Open the configuration')}
        </Button>
      )}
    </p>
  );
}

function Filters({ search, only, filter }: Filter) {
  return (
    <div className="filter-bar">
      <SearchBox label={t('Search or scan')} value={search} onChange={(text) => filter({ search: text })} />
      <Segments
        label={t('Items')}
        choices={choices}
        current={only}
        onChange={(key) => filter({ only: key === 'all' ? '' : key })}
      />
    </div>
  );
}

function NoRows({ search, only, filter }: Filter) {
  const go = useGo();
  const mayOpen = useMayOpen();
  const isFiltered = search !== '' || only !== 'all';
  return (
    <Empty
      sentence={isFiltered ? t('Nothing matches') : t('No items yet')}
      action={
        isFiltered ? (
          <Button onClick={() => filter({ search: '', only: '' })}>{t('Clear filters')}</Button>
        ) : (
          mayOpen('SupplyMasters') && <Button onClick={() => go('SupplyMasters')}>{t('New item')}</Button>
        )
      }
    />
  );
}
