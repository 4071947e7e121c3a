import { useMemo, useRef, useState } from 'react';
import type { Problem } from '../../kit/api.ts';
import type { Option } from '../../kit/Combobox.tsx';
import { useKeys } from '../../kit/hotkeys.ts';
import { LineGrid } from '../../kit/LineGrid.tsx';
import { useRowKeys } from '../../kit/rowStore.ts';
import { useSession } from '../../kit/session.ts';
import { CreateMaster } from './CreateMaster.tsx';
import { columnsOf } from './columns.ts';
import { type Model, useHead } from './model.ts';
import { useItemSearch, usePartySearch, usePick } from './searches.ts';

/** The line grid of the kind. Alt C makes an item without leaving. */
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
      ),
    [kind, items, ledgers, parties, rooms, quick, batches, serials, hasRooms],
  );
  const ofItems = kind.lines === 'items' || kind.lines === 'stock';
  const section = useRef<HTMLElement>(null);
  const toLines = () => {
    const cells = [...(section.current?.querySelectorAll<HTMLInputElement>('[data-column]') ?? [])];
    (cells.find((cell) => cell.value === '') ?? cells[0])?.focus();
  };
  useKeys({ 'alt+l': toLines, ...(ofItems && !kind.pricedFromSource && { 'alt+c': () => setCreating('') }) });
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
      {creating !== null && (
        <CreateMaster master="item" typed={creating} onClose={() => setCreating(null)} onMade={made} />
      )}
    </section>
  );
}
