import { addDays } from '../base/dates.ts';
import type { BatchPart, Day, Draft, Id } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';

/** How long goods keep. */
export interface ShelfLife {
  /** From the day they are made; null when each batch says when it expires. */
  readonly days: number | null;
  /** So many days have to be left when they are sold. */
  readonly least: number;
}

/** The shelf life of an item; undefined for goods that keep. */
export type Keeps = (item: Id) => ShelfLife | null | undefined;

/** Whether goods of a new batch may come in with it; what comes back is known. */
export const takesIn = ({ stock, source }: Kind): boolean =>
  (stock.effect === 'in' || stock.effect === 'adjust') && source.givesPrice !== true;

/** Whether less is left of a batch than its buyer is to have. */
export const isShort = (expiry: Day, day: Day, { least }: ShelfLife): boolean =>
  least > 0 && expiry < addDays(day, least);

/** Whether goods that expire then may still be sold to a buyer: not expired ones, nor those with too few days left. */
export const mayBeSold = (expiry: Day | undefined, day: Day, life: ShelfLife | null | undefined): boolean =>
  expiry === undefined || (expiry >= day && !(life && isShort(expiry, day, life)));

const dated = (batch: BatchPart, { days }: ShelfLife): BatchPart =>
  days === null || batch.expiry !== undefined || batch.manufactured === undefined
    ? batch
    : { expiry: addDays(batch.manufactured, days), ...batch };

/** The draft with the day that each batch expires, where only the day is known that it was made; the same draft when all are. */
export function withExpiries(kind: Kind, draft: Draft, keeps: Keeps): Draft {
  if (!takesIn(kind)) return draft;
  let changed = false;
  const lines = draft.lines.map((line) => {
    const life = line.item !== undefined && line.batches ? keeps(line.item) : undefined;
    if (!life) return line;
    const batches = line.batches?.map((batch) => dated(batch, life));
    if (batches?.every((batch, at) => batch === line.batches?.[at])) return line;
    changed = true;
    return { ...line, ...(batches && { batches }) };
  });
  return changed ? { ...draft, lines } : draft;
}
