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

/** Every barcode with its item: to be given, made and printed on labels. `?from=` brings what a document moved. */
export function Barcodes() {
  const address = useAddress();
  const go = useGo();
  const cache = useQueryClient();
  const mayOpen = useMayOpen();
  const { settings, grants } = useSession();
  const search = address['search'] ?? '';
  const only = choices.find(({ key }) => key === address['only'])?.key ?? 'all';
  const from = address['from'];
  const filter = (patch: Readonly<Record<string, string>>) =>
    go(
      'BarcodeList',
      Object.fromEntries(Object.entries({ ...address, ...patch }).filter(([, value]) => value !== '')),
      true,
    );
  const { data, isPending, isPlaceholderData, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: useScreenKey('barcodes', search, only),
      queryFn: ({ pageParam }) => api.ListBarcodes({ search, only, ...(pageParam && { after: pageParam }) }),
      initialPageParam: '',
      getNextPageParam: (page) => page.after ?? undefined,
      placeholderData: keepPreviousData,
    });
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<BarcodeRow | null>(null);
  const [printing, setPrinting] = useState<readonly LabelRow[] | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  useEffect(() => {
    if (!from) return;
    let here = true;
    api.LabelsOfDocument({ TransactionId: from }).then(
      (found) => here && setPrinting(found.rows.map((row) => ({ ...row, count: String(row.count) }))),
      (refused) => here && setFailed(refused),
    );
    return () => {
      here = false;
    };
  }, [from]);
  const level = grants['Supply Master'];
  const mayWrite = settings.enableBarCode && allows(level, 'write');
  const chosen = rows.filter((row) => selected.has(keyOf(row)));
  const bare = (chosen.length > 0 ? chosen : rows).filter((row) => row.id === null);
  const coded = chosen.filter((row) => row.id !== null);
  const generate = async () => {
    try {
      const { made, left } = await api.GenerateBarcodes({ items: bare.map((row) => row.item) });
      const [first] = left;
      toast(
        [t('{{made}} barcodes are made', { made }), first && `${first.sku}: ${first.reason}`]
          .filter(Boolean)
          .join('. '),
      );
      setSelected(new Set());
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (refused) {
      toastError(refused);
    }
  };
  const print = () =>
    // what was in stock bears its labels already: as many as came in are proposed beside their document
    setPrinting(coded.map((row) => ({ ...row, count: '1' })));
  return (
    <Page fit>
      <PageHead
        title={t('Barcodes')}
        count={isPending ? undefined : `${rows.length}${hasNextPage ? '+' : ''}`}
        actions={
          <>
            {mayWrite && bare.length > 0 && (
              <Button onClick={() => void generate()}>
                {plural(bare.length, 'Make a barcode', 'Make {{count}} barcodes')}
              </Button>
            )}
            <Button look="primary" disabled={coded.length === 0} onClick={print}>
              {t('Print labels{{coded}}', {
                coded: coded.length > 0 ? ` ${t('of {{coded}}', { coded: coded.length })}` : '',
              })}
            </Button>
          </>
        }
      />
      {!settings.enableBarCode && (
        <p className="muted" role="status">
          {t('Barcodes are switched off: what was given is shown and can be printed.')}{' '}
          {mayOpen('General Configuration') && (
            <Button look="subtle" onClick={() => go('General Configuration')}>
              {t('Open the configuration')}
            </Button>
          )}
        </p>
      )}
      {failed != null && <ErrorPanel error={failed} />}
      <div className="filter-bar">
        <SearchBox label={t('Search or scan')} value={search} onChange={(text) => filter({ search: text })} />
        <Segments
          label={t('Items')}
          choices={choices}
          current={only}
          onChange={(key) => filter({ only: key === 'all' ? '' : key })}
        />
      </div>
      <DataTable
        label={t('Barcodes')}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        loading={isPending}
        stale={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        selected={selected}
        onSelect={setSelected}
        onOpen={(row) => setOpen(row)}
        hasMore={hasNextPage && !isFetchingNextPage}
        onMore={() => void fetchNextPage()}
        empty={
          <Empty
            sentence={search || only !== ('all' satisfies Only) ? t('Nothing matches') : t('No items yet')}
            action={
              search || only !== 'all' ? (
                <Button onClick={() => filter({ search: '', only: '' })}>{t('Clear filters')}</Button>
              ) : (
                mayOpen('SupplyMasters') && <Button onClick={() => go('SupplyMasters')}>{t('New item')}</Button>
              )
            }
          />
        }
        card={(row) => ({
          title: row.name,
          meta: [row.sku, row.barcode || 'no barcode', row.unit].join(' · '),
          amount: row.saleRate ? `₹ ${money(row.saleRate)}` : '',
        })}
      />
      {open && <BarcodesOfItem row={open} mayWrite={mayWrite} onClose={() => setOpen(null)} />}
      {printing && (
        <LabelDialog
          rows={printing}
          onClose={() => {
            setPrinting(null);
            if (from) filter({ from: '' });
          }}
        />
      )}
    </Page>
  );
}
