import { useMemo, useRef, useState } from 'react';
import type { Problem } from '../../kit/api.ts';
import type { Option } from '../../kit/Combobox.tsx';
import { useKeys } from '../../kit/hotkeys.ts';
import { LineGrid } from '../../kit/LineGrid.tsx';
import { type LineRow, useRowKeys } from '../../kit/rowStore.ts';
import { useSession } from '../../kit/session.ts';
import { BatchPicker } from './BatchPicker.tsx';
import { CreateMaster } from './Creating.tsx';
import { columnsOf } from './columns.ts';
import type { KnownBatch } from './facts.ts';
import { type Model, useHead } from './model.ts';
import { useItemSearch, usePartySearch, usePick } from './searches.ts';

/** The batches that a line may take: those that left with its source, else those of its item here. */
const batchesFor = ({ kind, facts }: Pick<Model, 'kind' | 'facts'>, row: LineRow): readonly KnownBatch[] => {
  const source = kind.stock === 'out' ? undefined : facts.sources.get(row['source'] ?? '');
  return source?.batches ?? facts.items.get(row['itemId'] ?? '')?.batches ?? [];
};

/** The line grid of the kind. Alt C makes an item without leaving, Alt B shows what is left of the batches. */
export function Lines({
  model,
  problems,
  quick,
}: {
  readonly model: Model;
  readonly problems: readonly Problem[];
  readonly quick: boolean;
}) {
  const { kind, lines } = model;
  const location = useHead(model, 'location');
  const currency = useHead(model, 'currency');
  const items = useItemSearch(location);
  const ledgers = usePick('ledger');
  const parties = usePartySearch('both');
  const rooms = usePick('warehouse');
  const { enableBatch: batches, enableSerialization: serials, isWarehouse: hasRooms } = useSession().settings;
  const [creating, setCreating] = useState<string | null>(null);
  const columns = useMemo(
    () =>
      columnsOf(
        kind,
        { items, ledgers, parties, rooms, createItem: { label: 'Create item', run: setCreating } },
        quick,
        {
          batches,
          serials,
          rooms: hasRooms,
        },
        currency,
      ),
    [kind, items, ledgers, parties, rooms, quick, batches, serials, hasRooms, currency],
  );
  const ofItems = kind.lines === 'items' || kind.lines === 'stock';
  const section = useRef<HTMLElement>(null);
  const toLines = () => {
    const cells = [...(section.current?.querySelectorAll<HTMLInputElement>('[data-column]') ?? [])];
    (cells.find((cell) => cell.value === '') ?? cells[0])?.focus();
  };
  const [picking, setPicking] = useState<string | null>(null);
  const row = picking === null ? undefined : lines.row(picking);
  const held = row && batchesFor(model, row);
  const pickBatches = () => {
    const { row: at } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
    const asked = at === undefined ? undefined : lines.rows()[Number(at)];
    if (asked && batchesFor(model, asked).length > 0) setPicking(asked.key);
  };
  useKeys({
    'alt+l': toLines,
    'alt+b': pickBatches,
    ...(ofItems && !kind.pricedFromSource && { 'alt+c': () => setCreating('') }),
  });
  const made = ({ id, name }: Option) => {
    const empty = lines.rows().find((row) => !row['itemId']);
    const patch = { item: name, itemId: id, filled: '' };
    if (empty) lines.set(empty.key, patch);
    else lines.add(patch);
    setCreating(null);
  };
  const keys = useRowKeys(lines);
  if (columns.length === 0) return null;
  if (kind.pricedFromSource && keys.length === 0)
    return <p className="muted">The lines come from the document chosen above.</p>;
  return (
    <section aria-label="Lines" ref={section}>
      <LineGrid
        label="Lines"
        columns={columns}
        store={lines}
        fixed={kind.pricedFromSource === true}
        problems={problems.filter(
          ({ row, field }) => row !== undefined && !/^(tenders|charges|allocations)\b/.test(field),
        )}
      />
      {row && held && (
        <BatchPicker
          row={row}
          batches={held}
          onClose={() => setPicking(null)}
          onPick={(text) => {
            lines.set(row.key, { batches: text });
            setPicking(null);
          }}
        />
      )}
      {creating !== null && (
        <CreateMaster master="item" typed={creating} onClose={() => setCreating(null)} onMade={made} />
      )}
    </section>
  );
}
