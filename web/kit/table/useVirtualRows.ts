import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect } from 'react';
import type { DataTableProps } from './DataTable.tsx';

export const ROW_HEIGHT = 36;

/** Heights belong to rows, not to places: an opened row stays open when others come in above it. */
const useRowKey = <T>({ rows, rowKey }: DataTableProps<T>) =>
  useCallback(
    (index: number) => {
      const row = rows[index];
      return row ? rowKey(row) : index;
    },
    [rows, rowKey],
  );

/** The row that the keyboard is in is drawn wherever the wheel has gone: taken away, it would take the focus along. */
const useRangeWith = (active: number) =>
  useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      if (active >= range.count || shown.includes(active)) return shown;
      return [...shown, active].sort((one, other) => one - other);
    },
    [active],
  );

/** The rows of a table that are drawn; the next page is asked for before the last row is reached. */
export function useVirtualRows<T>(props: DataTableProps<T>, box: RefObject<HTMLElement | null>, active: number) {
  const { rows, detail, totals, hasMore, onMore } = props;
  const getItemKey = useRowKey(props);
  const virtualizer = useVirtualizer({
    count: rows.length,
    rangeExtractor: useRangeWith(active),
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    ...(detail ? { getItemKey } : {}),
    overscan: 10,
    scrollPaddingStart: 36,
    scrollPaddingEnd: totals ? 40 : 4,
  });
  const lastShown = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= rows.length - 20) onMore?.();
  }, [hasMore, lastShown, rows.length, onMore]);
  return virtualizer;
}
