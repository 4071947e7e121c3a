import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { t } from '../text.ts';

/** Rows of a list that stand under each other, in the order in which they are drawn. */
export interface Tree<T> {
  /** 0 for rows at the top. */
  level(row: T): number;
  /** Whether its children are shown; undefined: it has none. */
  isOpen(row: T): boolean | undefined;
  onFold(row: T, open: boolean): void;
}

/** The indent of a row, with the button that shows and hides its children. */
export function Fold<T>({ tree, row }: { readonly tree: Tree<T>; readonly row: T }) {
  const open = tree.isOpen(row);
  const Icon = open ? IconChevronDown : IconChevronRight;
  return (
    <span className="t-fold" style={{ paddingInlineStart: tree.level(row) * 20 }}>
      {open !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={open ? t('Hide the rows under it') : t('Show the rows under it')}
          title={open ? t('Hide (←)') : t('Show (→)')}
          onClick={() => tree.onFold(row, !open)}
        >
          <Icon size={16} aria-hidden />
        </button>
      )}
    </span>
  );
}

/** → opens a row or goes to the first under it, ← closes it or goes to the one above; answers where to go. */
export function foldBy<T>(key: string, tree: Tree<T>, rows: readonly T[], at: number): number {
  const row = rows[at];
  if (row === undefined) return at;
  const open = tree.isOpen(row);
  if (key === 'ArrowRight') {
    if (open === false) tree.onFold(row, true);
    return open ? at + 1 : at;
  }
  if (open) {
    tree.onFold(row, false);
    return at;
  }
  const above = rows.findLastIndex((each, index) => index < at && tree.level(each) < tree.level(row));
  return above < 0 ? at : above;
}
