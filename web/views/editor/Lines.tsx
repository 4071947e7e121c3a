import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ledgersOfLines } from '../../../domain/books/money-ledgers.ts';
import { looksScanned } from '../../../domain/items/barcode.ts';
import { Button } from '../../kit/Button.tsx';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import type { Create, Option } from '../../kit/fields/Combobox.tsx';
import { useMayMake } from '../../kit/fields/making.ts';
import { LineGrid } from '../../kit/grid/LineGrid.tsx';
import { type LineRow, type RowStore, useRowKeys } from '../../kit/grid/rowStore.ts';
import { useKeys } from '../../kit/hotkeys.ts';
import type { Problem } from '../../kit/server/api.ts';
import { useSession } from '../../kit/server/session.ts';
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
import { useMayTypeReturn, useTypedReturn } from './source.ts';
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

/** Records that are made from a line, and the fields of the line that name them. */
const madeHere = {
  item: { label: 'item', shown: 'item', id: 'itemId' },
  ledger: { label: 'ledger', shown: 'ledger', id: 'ledgerId' },
  warehouse: { label: 'stock room', shown: 'room', id: 'roomId' },
  costCentre: { label: 'cost centre', shown: 'costCentre', id: 'costCentreId' },
} as const;
interface Making {
  readonly master: keyof typeof madeHere;
  readonly typed: string;
  /** The line that the record is for; without one it is the first that has none. */
  readonly key?: string | undefined;
}

/** Makes a record for the line in which the person is. */
const creator = (lines: RowStore, master: Making['master'], make: (making: Making) => void): Create => ({
  label: `Create ${madeHere[master].label}`,
  ...(master !== 'item' && { byKeyAlone: true }),
  run: (typed) => {
    const { row } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
    make({ master, typed, key: row === undefined ? undefined : lines.rows()[Number(row)]?.key });
  },
});

/** Says which batches and serial numbers went with the item that a line had before. Answers what stops it. */
const tellPartsGone = (lines: RowStore): (() => void) =>
  lines.subscribe(() => {
    lines.rows().forEach(({ key, partsGone }, at) => {
      if (!partsGone) return;
      queueMicrotask(() => lines.set(key, { partsGone: '' }));
      toast(`Line ${at + 1}: ${partsGone} belong to the item before, and are removed`);
    });
  });

/**
 * The line grid of the kind. Alt K goes to the field for scans, Alt C makes an item without leaving, Alt N goes to a
 * new line, Alt B shows what is left of the batches and serial numbers, Alt A lists all that is in stock.
 */
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
  const ledgers = usePick(ledgersOfLines(kind));
  const parties = usePartySearch('both');
  const rooms = usePick('warehouse');
  const centres = usePick('costCentre');
  const {
    enableBatch: batches,
    enableSerialization: serials,
    isWarehouse: hasRooms,
    enableBarCode,
  } = useSession().settings;
  const typed = useTypedReturn(model);
  const fromSource = kind.pricedFromSource === true && !typed;
  const mayType = useMayTypeReturn(model);
  const scans = enableBarCode && (kind.lines === 'items' || kind.lines === 'stock') && !fromSource;
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
  const [creating, setCreating] = useState<Making | null>(null);
  const mayMake = useMayMake();
  const [ofLedgers, ofRooms, ofCentres] = [mayMake('ledger'), mayMake('warehouse'), mayMake('costCentre')];
  useEffect(() => tellPartsGone(lines), [lines]);
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
            createItem: creator(lines, 'item', setCreating),
            ...(ofLedgers && { createLedger: creator(lines, 'ledger', setCreating) }),
            ...(ofRooms && { createRoom: creator(lines, 'warehouse', setCreating) }),
            ...(ofCentres && { createCentre: creator(lines, 'costCentre', setCreating) }),
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
          typed,
        },
        currency,
      ),
    [
      kind,
      lines,
      ofLedgers,
      ofRooms,
      ofCentres,
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
      typed,
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
  const keys = useRowKeys(lines);
  const single = hasOneLine(model);
  const fixed = fromSource || (single && keys.length > 0);
  /** A field that picks records of another sort makes no item. */
  const makeItem = () => {
    const isPicker = document.activeElement?.getAttribute('role') === 'combobox';
    if (isPicker) toast('No record can be made from this field');
    else setCreating({ master: 'item', typed: '' });
  };
  const toNewLine = () => {
    const last = lines.rows().at(-1);
    if (!last || columns.some(({ key, type }) => type !== 'readonly' && last[key])) lines.add();
    requestAnimationFrame(() => {
      const rows = [...(section.current?.querySelectorAll<HTMLElement>('[data-column="0"]') ?? [])];
      rows.at(-1)?.focus();
    });
  };
  useKeys({
    'alt+l': toLines,
    'alt+b': pickParts,
    ...(counts && location && { 'alt+a': () => void listAll() }),
    ...(ofItems && !fromSource && { 'alt+c': makeItem }),
    ...(!fixed && { 'alt+n': toNewLine }),
  });
  const made = (option: Option) => {
    if (!creating) return;
    const { shown, id } = madeHere[creating.master];
    const at = lines.row(creating.key ?? '') ?? lines.rows().find((row) => !row[id]);
    const picked = columns.find(({ key }) => key === shown)?.picked;
    const patch = { [shown]: option.name, [id]: option.id, filled: '' };
    if (at) lines.set(at.key, picked?.(option, at) ?? patch);
    else if (single) toast('This invoice has its one line');
    else lines.add(patch);
    setCreating(null);
  };
  if (columns.length === 0) return null;
  if (kind.pricedFromSource && keys.length === 0)
    return (
      <div className="button-row">
        <p className="muted">The lines come from the document chosen above.</p>
        {mayType && <Button onClick={() => lines.add({})}>Type the lines: no document here names these goods</Button>}
      </div>
    );
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
        fixed={fixed}
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
        <CreateMaster master={creating.master} typed={creating.typed} onClose={() => setCreating(null)} onMade={made} />
      )}
    </section>
  );
}
