import type { KeyboardEvent } from 'react';
import type { DataTableProps } from './DataTable.tsx';
import { toggled } from './TableCards.tsx';
import { foldBy } from './TableTree.tsx';

/** Where the keyboard is in a table, and what moves it. */
interface Place {
  /** The active row. */
  readonly active: number;
  go(to: number): void;
  /** Opens what a row shows below itself, or closes it. */
  unfold(index: number, open: boolean): void;
}

const PAGE = 12;

/** What the arrow and page keys do to the active row. */
const moveOf = (key: string, at: number, last: number): number | null => {
  const to: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
    Home: 0,
    End: last,
  };
  const target = to[key];
  return target === undefined ? null : Math.max(0, Math.min(last, target));
};

const unfolds: Readonly<Record<string, boolean>> = { ArrowRight: true, ArrowLeft: false };

type Work = () => void;

/** What → and ← do with the active row. */
function foldOf<T>(key: string, { rows, tree, detail }: DataTableProps<T>, place: Place): Work | undefined {
  const open = unfolds[key];
  if (open === undefined) return undefined;
  if (tree) return () => place.go(foldBy(key, tree, rows, place.active));
  return detail && (() => place.unfold(place.active, open));
}

/** What a key does with the active row; undefined where it does nothing. */
function workOf<T>({ key, ctrlKey }: KeyboardEvent, props: DataTableProps<T>, place: Place): Work | undefined {
  const { rows, rowKey, selected, onSelect, onOpen, onAct, stale } = props;
  const row = rows[place.active];
  if (ctrlKey) return key === 'Enter' && row && onAct ? () => onAct(row) : undefined;
  const to = moveOf(key, place.active, rows.length - 1);
  if (to !== null) return () => place.go(to);
  if (!row) return undefined;
  if (key === ' ' && onSelect) return () => onSelect(toggled(selected ?? new Set(), rowKey(row)));
  // rows of the search before are not what was searched for
  if (key === 'Enter' && onOpen) return () => !stale && onOpen(row);
  return foldOf(key, props, place);
}

/** The keys of a table, which has them while it has the focus itself. */
export const tableKeys =
  <T>(props: DataTableProps<T>, place: Place) =>
  (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey || event.metaKey) return;
    const work = workOf(event, props, place);
    if (!work) return;
    work();
    event.preventDefault();
  };
