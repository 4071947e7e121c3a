import { useState } from 'react';
import type { LineRow } from '../../../kit/grid/rowStore.ts';
import type { KnownBatch } from '../facts.ts';
import type { Model } from '../model.ts';
import { BatchPicker } from './BatchPicker.tsx';
import { focusedLine } from './makeForLine.ts';
import { SerialPicker } from './SerialPicker.tsx';

type Known = Pick<Model, 'kind' | 'facts'>;

const sourceOf = ({ kind, facts }: Known, row: LineRow) =>
  kind.stock.effect === 'out' ? undefined : facts.sources.get(row['source'] ?? '');

/** The batches that a line may take: those that left with its source, else those of its item here. */
const batchesFor = (model: Known, row: LineRow): readonly KnownBatch[] =>
  sourceOf(model, row)?.batches ?? model.facts.items.get(row['itemId'] ?? '')?.batches ?? [];

/** The serial numbers that a line may take: those that left with its source, else those of its item here. */
const serialsFor = (model: Known, row: LineRow): readonly string[] =>
  sourceOf(model, row)?.serials ?? model.facts.items.get(row['itemId'] ?? '')?.serials ?? [];

/** The line whose batches or serial numbers are being picked. */
export function useLineParts(model: Model) {
  const { lines } = model;
  const [picking, setPicking] = useState<string | null>(null);
  return {
    row: picking === null ? undefined : lines.row(picking),
    close: () => setPicking(null),
    /** Opens what is left of the line that has the focus. */
    pick: () => {
      const row = focusedLine(lines);
      if (row && batchesFor(model, row).length + serialsFor(model, row).length > 0) setPicking(row.key);
    },
  };
}

/** Picks the serial numbers and the batches of a line. */
export function LineParts({ model, row, onClose }: { readonly model: Model; readonly row: LineRow; onClose(): void }) {
  const { kind, lines } = model;
  const batches = batchesFor(model, row);
  const serials = serialsFor(model, row);
  const put = (patch: Readonly<Record<string, string>>) => {
    lines.set(row.key, patch);
    onClose();
  };
  return (
    <>
      {serials.length > 0 && (
        <SerialPicker row={row} serials={serials} onClose={onClose} onPick={(text) => put({ serials: text })} />
      )}
      {batches.length > 0 && (
        <BatchPicker
          kind={kind}
          row={row}
          batches={batches}
          onClose={onClose}
          onPick={(text) => put({ batches: text })}
        />
      )}
    </>
  );
}
