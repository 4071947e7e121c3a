// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, a table element cannot hold them
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles Enter for its active row
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one tab stop

import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { usePhone } from '../media.ts';
import { ErrorPanel, Skeleton } from '../parts.tsx';
import { t } from '../text.ts';
import { gridTemplate } from './columnWidths.ts';
import { Cards, toggled } from './TableCards.tsx';
import { blanks, Cell, Tick, Totals } from './TableCells.tsx';
import { Expander, TableDetail } from './TableDetail.tsx';
import { foldBy, type Tree } from './TableTree.tsx';

/** A column of a list: `cell` draws it; figures say `numeric` and get equal-width digits at the right. */
export interface Column<T> {
  readonly key: string;
  readonly label: string;
  /** Pixels it starts from; figures get what they need, words up to twice as much, a column without one what is left. */
  readonly width?: number;
  readonly numeric?: boolean;
  readonly code?: boolean;
  readonly strong?: boolean;
  readonly sortable?: boolean;
  cell(row: T): ReactNode;
  /** What a cell says that is drawn as more than text: its width goes by that. */
  words?(row: T): string;
}

export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

/** A row on a phone. */
export interface Card {
  readonly title: ReactNode;
  readonly meta: ReactNode;
  readonly amount?: ReactNode;
  readonly badge?: ReactNode;
  /** How deep it stands in a statement, and whether it is a head there. */
  readonly depth?: number;
  readonly heading?: boolean;
}

/**
 * A list of any length: one tab stop, arrows, Page and Home and End move, Space selects, Enter opens.
 * Sorting, paging and searching are the server's: `onSort` and `onMore` ask for it. Old rows stay at 60 % while `stale`.
 * `hidden` are the keys the column chooser has put away. Phones get `card`.
 */
export interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  rowKey(row: T): string;
  readonly hidden?: ReadonlySet<string>;
  readonly loading?: boolean;
  readonly stale?: boolean;
  readonly error?: unknown;
  onRetry?(): void;
  /** Shown when there are no rows: an `Empty`. */
  readonly empty: ReactNode;
  readonly sort?: Sort | undefined;
  onSort?(sort: Sort): void;
  readonly selected?: ReadonlySet<string> | undefined;
  onSelect?(selected: ReadonlySet<string>): void;
  onOpen?(row: T): void;
  /** Rows that lead nowhere are not drawn as links; without it every row opens. */
  opens?(row: T): boolean;
  readonly hasMore?: boolean;
  onMore?(): void;
  /** Cells of a total row by column key. */
  readonly totals?: Readonly<Record<string, ReactNode>> | undefined;
  card(row: T): Card;
  /** What a row shows below itself when it is opened out: → and ← on the active row, or the button at its front. */
  detail?(row: T): ReactNode;
  /** Rows that stand under each other: → and ← show and hide the children of the active one. */
  readonly tree?: Tree<T> | undefined;
  /** Ctrl Enter on the active row. */
  onAct?(row: T): void;
  /** Grows with its rows instead of filling the space it has (tables inside a page). */
  readonly short?: boolean;
}

const ROW_HEIGHT = 36;
const PAGE = 12;

export function DataTable<T>(props: DataTableProps<T>) {
  const phone = usePhone();
  const { rows, loading, error, onRetry, empty } = props;
  const retry = onRetry ? { onRetry } : {};
  if (error) return <ErrorPanel error={error} {...retry} />;
  if (loading) {
    return (
      <div className="panel">
        <Skeleton {...retry} />
      </div>
    );
  }
  if (rows.length === 0) return <div className="panel">{empty}</div>;
  return phone ? <Cards {...props} /> : <Grid {...props} />;
}

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

function Grid<T>(props: DataTableProps<T>) {
  const { rows, rowKey, selected, onSelect, onOpen, opens, hasMore, onMore, detail, hidden, totals, tree } = props;
  const columns = useMemo(() => props.columns.filter((column) => !hidden?.has(column.key)), [props.columns, hidden]);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  // heights belong to rows, not to places: an opened row stays open when others come in above it
  const keyAt = useCallback(
    (index: number) => {
      const row = rows[index];
      return row ? rowKey(row) : index;
    },
    [rows, rowKey],
  );
  // the row that the keyboard is in is drawn wherever the wheel has gone: taken away, it would take the focus along
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      if (active >= range.count || shown.includes(active)) return shown;
      return [...shown, active].sort((one, other) => one - other);
    },
    [active],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    rangeExtractor,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    ...(detail ? { getItemKey: keyAt } : {}),
    overscan: 10,
    scrollPaddingStart: 36,
    scrollPaddingEnd: totals ? 40 : 4,
  });
  const items = virtualizer.getVirtualItems();
  const lastShown = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= rows.length - 20) onMore?.();
  }, [hasMore, lastShown, rows.length, onMore]);
  const unfold = (index: number, key: string, open: boolean) => {
    if (open === opened.has(key)) return;
    setOpened(toggled(opened, key));
    if (!open) virtualizer.resizeItem(index, ROW_HEIGHT);
  };
  const widths = useMemo(() => gridTemplate(columns, rows, totals), [columns, rows, totals]);
  const template = `${onSelect ? '40px ' : ''}${detail ? '32px ' : ''}${widths}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    if (event.target !== box.current || event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
      if (event.key !== 'Enter' || !row || !props.onAct) return;
      props.onAct(row);
      return event.preventDefault();
    }
    const to = moveOf(event.key, active, rows.length - 1);
    if (to !== null) {
      setActive(to);
      virtualizer.scrollToIndex(to);
    } else if (event.key === ' ' && row && onSelect) onSelect(toggled(selected ?? new Set(), rowKey(row)));
    // rows of the search before are not what was searched for
    else if (event.key === 'Enter' && row && onOpen) {
      if (!props.stale) onOpen(row);
    } else if (unfolds[event.key] !== undefined && row && tree) {
      const goes = foldBy(event.key, tree, rows, active);
      setActive(goes);
      virtualizer.scrollToIndex(goes);
    } else if (unfolds[event.key] !== undefined && row && detail)
      unfold(active, rowKey(row), unfolds[event.key] === true);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      className="table"
      role="grid"
      {...(tree && { role: 'treegrid' })}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={onSelect ? true : undefined}
      aria-activedescendant={`${id}-${active}`}
      aria-busy={props.stale || undefined}
      data-stale={props.stale || undefined}
      data-short={props.short || undefined}
      data-unfolds={detail ? true : undefined}
      style={props.short ? {} : { flex: 1, height: '100%' }}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <Head {...props} columns={columns} template={template} />
      <div role="rowgroup" className="t-body" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          const key = rowKey(row);
          const shown = detail && opened.has(key) && (
            <TableDetail
              key={`${key}-detail`}
              top={item.start + ROW_HEIGHT}
              onHeight={(height) => virtualizer.resizeItem(item.index, ROW_HEIGHT + height)}
            >
              {detail(row)}
            </TableDetail>
          );
          return [
            <div
              key={key}
              id={`${id}-${item.index}`}
              role="row"
              className="t-row"
              aria-rowindex={item.index + 2}
              aria-level={tree && tree.level(row) + 1}
              aria-expanded={tree?.isOpen(row)}
              aria-selected={onSelect ? (selected?.has(key) ?? false) : undefined}
              data-active={item.index === active || undefined}
              style={{ gridTemplateColumns: template, transform: `translateY(${item.start}px)` }}
              onClick={() => setActive(item.index)}
              onDoubleClick={() => onOpen?.(row)}
            >
              {onSelect && (
                <Tick
                  label={t('Select row {{index}}', { index: item.index + 1 })}
                  checked={selected?.has(key) ?? false}
                  onChange={() => onSelect(toggled(selected ?? new Set(), key))}
                />
              )}
              {detail && (
                <Expander
                  row={item.index + 1}
                  open={opened.has(key)}
                  onOpen={(open) => unfold(item.index, key, open)}
                />
              )}
              {columns.map((column, at) => (
                <Cell key={column.key} column={column} first={at === 0} tree={tree} row={row}>
                  {at === 0 && onOpen && (opens?.(row) ?? true) ? (
                    <button type="button" className="link" tabIndex={-1} onClick={() => onOpen(row)}>
                      {column.cell(row)}
                    </button>
                  ) : (
                    column.cell(row)
                  )}
                </Cell>
              ))}
            </div>,
            shown,
          ];
        })}
      </div>
      {totals && <Totals totals={totals} columns={columns} template={template} blanks={blanks(props)} />}
    </div>
  );
}

interface HeadProps<T> extends DataTableProps<T> {
  readonly template: string;
}

function Head<T>({ columns, rows, rowKey, selected, onSelect, detail, sort, onSort, template }: HeadProps<T>) {
  const all = rows.length > 0 && rows.every((row) => selected?.has(rowKey(row)));
  return (
    <div role="rowgroup" className="t-head">
      <div role="row" className="t-row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {onSelect && (
          <div role="columnheader" className="t-cell">
            <input
              type="checkbox"
              className="box"
              aria-label={t('Select all rows shown')}
              checked={all}
              ref={(input) => {
                if (input) input.indeterminate = !all && (selected?.size ?? 0) > 0;
              }}
              onChange={() => onSelect(all ? new Set() : new Set(rows.map(rowKey)))}
            />
          </div>
        )}
        {detail && (
          <div role="columnheader" className="t-cell">
            <span className="hidden-text">{t('Details')}</span>
          </div>
        )}
        {columns.map((column, at) => {
          const sorted = sort?.key === column.key ? sort : null;
          const order = sorted ? (sorted.descending ? 'descending' : 'ascending') : undefined;
          return (
            <div
              key={column.key}
              role="columnheader"
              className={column.numeric ? 't-cell num' : 't-cell'}
              data-first={at === 0 || undefined}
              aria-sort={order}
            >
              {column.sortable && onSort ? (
                <button
                  type="button"
                  onClick={() => onSort({ key: column.key, descending: sorted ? !sorted.descending : false })}
                >
                  {t(column.label)}
                  {order === 'ascending' && <IconArrowUp size={13} aria-hidden />}
                  {order === 'descending' && <IconArrowDown size={13} aria-hidden />}
                </button>
              ) : (
                <span>{t(column.label)}</span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
