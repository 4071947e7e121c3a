import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { z } from 'zod';
import type { itemCalls } from '../../../contract/items.ts';
import { kindFor } from '../../../domain/document/kinds/index.ts';
import { combinationKey, combinations, MOST_VARIANTS } from '../../../domain/items/variants.ts';
import { Button } from '../../kit/Button.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { useWarning } from '../../kit/fields/warning.ts';
import { plainNumber } from '../../kit/format.ts';
import type { GridColumn } from '../../kit/grid/gridPaste.ts';
import { LineGrid } from '../../kit/grid/LineGrid.tsx';
import { createRowStore, type LinePatch, type LineRow, useRows } from '../../kit/grid/rowStore.ts';
import { ErrorPanel, Panel, Skeleton } from '../../kit/parts.tsx';
import { type Problem, Refused } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { useGoTo, usePlaces } from '../places.ts';
import type { PanelProps } from './MasterPanel.tsx';

type Matrix = z.output<(typeof itemCalls)['GetVariants']['details']>;

/** The variants of an item: every combination of its attributes' values, to be made, priced and counted. */
export function Variants({ values, id }: PanelProps) {
  const attributes = Array.isArray(values['attributes']) ? values['attributes'] : [];
  const asked = id !== undefined && attributes.length > 0;
  const key = useScreenKey('variants', id);
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.GetVariants({ item: id ?? '' }),
    enabled: asked,
    retry: false,
    // what is being typed into the matrix is not replaced behind the person's back
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (attributes.length === 0) return null;
  const unknown = error instanceof Refused && error.code === 'notFound';
  if (!asked || unknown)
    return (
      <Panel title={t('Variants')}>
        <p className="muted">{t('Save the item: then its variants are made here.')}</p>
      </Panel>
    );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={3} />;
  return <Editing key={JSON.stringify(data)} item={id} matrix={data} />;
}

const OPENING = ['opening', 'openingRate'] as const;

/** The cells of the matrix: variants that are there, and combinations that may be made. */
const rowsOf = (matrix: Matrix): readonly LinePatch[] => {
  const made = new Map(matrix.variants.map((each) => [combinationKey(each.values), each]));
  const proposed = combinations(matrix, matrix.attributes);
  const rows = proposed.map(({ values, sku }): LinePatch => {
    const key = combinationKey(values);
    const known = made.get(key);
    made.delete(key);
    const label = { values: key, label: values.join(' · ') };
    if (!known) return { ...label, sku, state: '', barcode: '', saleRate: matrix.saleRate ?? '', openingRate: '' };
    return { ...label, ...knownRow(known) };
  });
  return rows;
};

const knownRow = (known: Matrix['variants'][number]): LinePatch => ({
  ...{ id: known.id, version: String(known.version), sku: known.sku, barcode: known.barcode },
  ...{ saleRate: known.saleRate ?? '', onHand: known.onHand, state: known.active ? 'active' : 'inactive' },
});

const states = {
  known: [
    { value: 'active', label: 'Active' },
    { value: 'inactive', label: 'Inactive' },
  ],
  fresh: [
    { value: '', label: 'Not made' },
    { value: 'active', label: 'Make' },
  ],
} as const;

const stockColumn: GridColumn = {
  ...{ key: 'onHand', label: 'In stock', numeric: true, width: 90 },
  type: 'readonly',
  show: (row) => plainNumber(row['onHand']),
};
const openingColumns: readonly GridColumn[] = [
  { key: 'opening', label: 'Opening stock', type: 'number', places: 6, width: 110 },
  { key: 'openingRate', label: 'At rate (₹)', type: 'number', places: 6, pad: 2, width: 110 },
];

const columnsOf = (matrix: Matrix, opens: boolean): readonly GridColumn[] => [
  { key: 'label', label: matrix.attributes.map(({ name }) => name).join(' · '), type: 'readonly', width: 170 },
  {
    key: 'state',
    label: t('State'),
    type: 'select',
    width: 100,
    choices: (row) => (row['id'] ? states.known : states.fresh),
  },
  { key: 'sku', label: t('SKU'), type: 'text', width: 180, required: true },
  { key: 'barcode', label: t('Barcode'), type: 'text', width: 150 },
  { key: 'saleRate', label: t('Sale rate (₹)'), type: 'number', places: 6, pad: 2, width: 110 },
  ...(matrix.stocked ? [stockColumn] : []),
  ...(opens ? openingColumns : []),
];

const isNew = (row: LineRow): boolean => !row['id'] && row['state'] === 'active';

function Editing({ item, matrix }: { readonly item: string; readonly matrix: Matrix }) {
  const cache = useQueryClient();
  const session = useSession();
  const places = usePlaces();
  const goTo = useGoTo();
  const opening = places(kindFor('openingStock'), 'documentEditor');
  // goods of batches or serial numbers say which ones they are: that is typed in the opening stock itself
  const opens = matrix.stocked && !matrix.parts && opening !== undefined;
  const started = useMemo(() => rowsOf(matrix), [matrix]);
  const [store] = useState(() => createRowStore(started));
  const columns = useMemo(() => columnsOf(matrix, opens), [matrix, opens]);
  const rows = useRows(store);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const changed = rows.flatMap((row, at) =>
    Object.entries(row).some(([field, text]) => field !== 'key' && text !== (started[at]?.[field] ?? '')) ? [at] : [],
  );
  useWarning(changed.length > 0);
  const saved = changed.filter((at) => {
    const row = rows[at];
    return row && (row['id'] ? isChanged(row, started[at]) : isNew(row));
  });
  const idle = changed.flatMap((at): Problem[] => {
    const row = rows[at];
    const wants = row && !row['id'] && row['state'] === '' && (row['barcode'] || row['opening']);
    return wants ? [{ field: 'state', row: at, message: t('Make this variant, or clear its fields') }] : [];
  });
  const save = async () => {
    if (busy) return;
    setError(null);
    setProblems(idle);
    if (idle.length > 0) return;
    setBusy(true);
    try {
      const sent = saved.flatMap((at) => rows[at] ?? []);
      const { made, changed: altered, variants } = await api.SaveVariants({ item, variants: sent.map(wire) });
      const ids = new Map(variants.map(({ sku, id }) => [sku, id]));
      const stock = rows.flatMap((row) => {
        const of = row['id'] ?? ids.get((row['sku'] ?? '').trim().toUpperCase());
        return of && row['opening'] ? [{ item: of, quantity: row['opening'], rate: row['openingRate'] || '0' }] : [];
      });
      toast(t('{{made}} made, {{altered}} changed', { made, altered }));
      if (stock.length > 0 && opening) {
        const place = session.locations.find(({ id }) => id === session.physicalLocation) ?? session.locations[0];
        const body = { date: session.today, currency: 'INR', registration: place?.registration, location: place?.id };
        const draft = { kind: kindFor('openingStock'), body: { ...body, kind: kindFor('openingStock'), lines: stock } };
        const { TransactionId } = await api.AddTransactionDetails(draft);
        toast(t('The opening stock of the variants is ready to be posted'));
        return goTo(opening, { id: TransactionId });
      }
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (refused) {
      setError(refused);
      if (refused instanceof Refused)
        setProblems(
          refused.problems.map((problem) => ({
            ...problem,
            field: problem.field.replace(/^variants\./, ''),
            ...(problem.row !== undefined && { row: saved[problem.row] ?? problem.row }),
          })),
        );
    } finally {
      setBusy(false);
    }
  };
  const makeAll = () => {
    for (const row of store.rows()) if (!row['id']) store.set(row.key, { state: 'active' });
  };
  const most = rows.length > MOST_VARIANTS;
  const without = rows.filter((row) => !row['id'] && row['state'] === '').length;
  const nothing = saved.length === 0 && !rows.some((row) => row['id'] && OPENING.some((field) => row[field]));
  return (
    <Panel title={t('Variants')}>
      <p className="muted variants-note">
        {t('{{variants}} of {{rows}} are made. Shared fields such as tax and unit follow this item.', {
          variants: matrix.variants.length,
          rows: rows.length,
        })}
      </p>
      {most && (
        <p className="field-error">
          {t('An item has at most {{mostVariants}} variants.', { mostVariants: plainNumber(String(MOST_VARIANTS)) })}
        </p>
      )}
      {error != null && <ErrorPanel error={error} />}
      <LineGrid label={t('Variants')} columns={columns} store={store} problems={problems} whole />
      <div className="panel-actions">
        {without > 0 && !most && (
          <Button onClick={makeAll}>
            {without === rows.length ? t('Make all') : t('Make the other {{without}}', { without })}
          </Button>
        )}
        <Button busy={busy} disabled={nothing} onClick={() => void save()}>
          {t('Save variants')}
        </Button>
      </div>
    </Panel>
  );
}

const kept = ['sku', 'barcode', 'saleRate', 'state'] as const;
const isChanged = (row: LineRow, was: LinePatch | undefined): boolean =>
  kept.some((field) => (row[field] ?? '') !== (was?.[field] ?? ''));

const wire = (row: LineRow) => ({
  values: JSON.parse(row['values'] ?? '[]') as string[],
  sku: row['sku'] ?? '',
  barcode: row['barcode'] ?? '',
  active: row['state'] !== 'inactive',
  ...(row['saleRate'] && { saleRate: row['saleRate'] }),
  ...(row['id'] && { id: row['id'], version: Number(row['version']) }),
});
