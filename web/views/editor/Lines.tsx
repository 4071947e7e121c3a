import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { looksScanned } from '../../../domain/barcode.ts';
import type { Problem } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import type { Option } from '../../kit/Combobox.tsx';
import { useKeys } from '../../kit/hotkeys.ts';
import { LineGrid } from '../../kit/LineGrid.tsx';
import { type LineRow, useRowKeys } from '../../kit/rowStore.ts';
import { useSession } from '../../kit/session.ts';
import { toast, toastError } from '../../kit/toast.tsx';
import { BatchPicker } from './BatchPicker.tsx';
import { CreateMaster } from './Creating.tsx';
import { columnsOf } from './columns.ts';
import type { KnownBatch } from './facts.ts';
import { listStock } from './listStock.ts';
import { hasOneLine, type Model, useHasNoCredit, useHead, useIsPlain } from './model.ts';
import { ScanBar } from './ScanBar.tsx';
import { SerialPicker } from './SerialPicker.tsx';
import { createScanner, type ScanTold } from './scan.ts';
import { useItemSearch, usePartySearch, usePick } from './searches.ts';
import { useIsAtCost } from './totals.ts';

/** The batches that a line may take: those that left with its source, else those of its item here. */
const batchesFor = ({ kind, facts }: Pick<Model, 'kind' | 'facts'>, row: LineRow): readonly KnownBatch[] => {
  const source = kind.stock === 'out' ? undefined : facts.sources.get(row['source'] ?? '');
  return source?.batches ?? facts.items.get(row['itemId'] ?? '')?.batches ?? [];
};

/** The serial numbers that a line may take: those that left with its source, else those of its item here. */
const serialsFor = ({ kind, facts }: Pick<Model, 'kind' | 'facts'>, row: LineRow): readonly string[] => {
  const source = kind.stock === 'out' ? undefined : facts.sources.get(row['source'] ?? '');
  return source?.serials ?? facts.items.get(row['itemId'] ?? '')?.serials ?? [];
};

/** So many digits in the field of an item are a code; what may be a name is searched for. */
const scanInto = (take: (code: string) => void) => (typed: string) => {
  if (!looksScanned(typed)) return false;
  take(typed);
  return true;
};

/** The line grid of the kind. Alt K goes to the field for scans, Alt C makes an item without leaving, Alt B shows what is left of the batches and serial numbers, Alt A lists all that is in stock. */
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
  const centres = usePick('costCentre');
  const {
    enableBatch: batches,
    enableSerialization: serials,
    isWarehouse: hasRooms,
    enableBarCode,
  } = useSession().settings;
  const scans = enableBarCode && (kind.lines === 'items' || kind.lines === 'stock') && !kind.pricedFromSource;
  const { facts } = model;
  const atCost = useIsAtCost(model);
  const plain = useIsPlain(model);
  const noCredit = useHasNoCredit(model);
  const currencies = useSyncExternalStore(facts.subscribe, () =>
    [...facts.ledgers.values()].some((ledger) => ledger.currency !== null),
  );
  const hasCentres = useSession().costCentres;
  const namesCentre = useSyncExternalStore(lines.subscribe, () => lines.rows().some((row) => row['costCentreId']));
  const costCentres = !quick && (hasCentres || namesCentre);
  const [told, setTold] = useState<ScanTold | null>(null);
  const take = useMemo(() => createScanner(model, setTold), [model]);
  const [creating, setCreating] = useState<string | null>(null);
  const columns = useMemo(
    () =>
      columnsOf(
        kind,
        {
          ...{
            items,
            ledgers,
            parties,
            rooms,
            costCentres: centres,
            createItem: { label: 'Create item', run: setCreating },
          },
          ...(scans && { scan: scanInto(take) }),
        },
        quick,
        {
          batches,
          serials,
          rooms: hasRooms,
          currencies,
          costCentres,
          atCost,
          plain,
          noCredit,
        },
        currency,
      ),
    [
      kind,
      items,
      ledgers,
      parties,
      rooms,
      quick,
      batches,
      serials,
      hasRooms,
      currencies,
      centres,
      costCentres,
      atCost,
      plain,
      noCredit,
      scans,
      take,
      currency,
    ],
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
  const numbered = row && serialsFor(model, row);
  const pickParts = () => {
    const { row: at } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
    const asked = at === undefined ? undefined : lines.rows()[Number(at)];
    if (asked && batchesFor(model, asked).length + serialsFor(model, asked).length > 0) setPicking(asked.key);
  };
  const counts = kind.stock === 'adjust';
  const listAll = async () => {
    try {
      const added = await listStock(lines, location);
      toast(added === 0 ? 'Everything that is here is in the lines' : `${added} items are listed: type what you count`);
      toLines();
    } catch (error) {
      toastError(error);
    }
  };
  useKeys({
    'alt+l': toLines,
    'alt+b': pickParts,
    ...(counts && location && { 'alt+a': () => void listAll() }),
    ...(ofItems && !kind.pricedFromSource && { 'alt+c': () => setCreating('') }),
  });
  const single = hasOneLine(model);
  const made = ({ id, name }: Option) => {
    const empty = lines.rows().find((row) => !row['itemId']);
    const patch = { item: name, itemId: id, filled: '' };
    if (empty) lines.set(empty.key, patch);
    else if (single) toast('This invoice has its one line');
    else lines.add(patch);
    setCreating(null);
  };
  const keys = useRowKeys(lines);
  if (columns.length === 0) return null;
  if (kind.pricedFromSource && keys.length === 0)
    return <p className="muted">The lines come from the document chosen above.</p>;
  return (
    <section aria-label="Lines" ref={section}>
      {counts && (
        <div className="button-row lines-tools">
          <Button onClick={() => void listAll()} disabled={!location} title="Alt A">
            List all that is in stock here
          </Button>
        </div>
      )}
      {scans && <ScanBar told={told} onScan={take} />}
      <LineGrid
        label="Lines"
        columns={columns}
        store={lines}
        fixed={kind.pricedFromSource === true || (single && keys.length > 0)}
        problems={problems.filter(
          ({ row, field }) => row !== undefined && !/^(tenders|charges|adjustments|allocations)\b/.test(field),
        )}
      />
      {single && <p className="muted">An invoice has one line here, by the general configuration.</p>}
      {row && numbered && numbered.length > 0 && (
        <SerialPicker
          row={row}
          serials={numbered}
          onClose={() => setPicking(null)}
          onPick={(text) => {
            lines.set(row.key, { serials: text });
            setPicking(null);
          }}
        />
      )}
      {row && held && held.length > 0 && (
        <BatchPicker
          kind={kind}
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
