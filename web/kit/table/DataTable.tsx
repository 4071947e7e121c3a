import type { ReactNode } from 'react';
import { usePhone } from '../media.ts';
import { ErrorPanel, Skeleton } from '../parts.tsx';
import { Cards } from './TableCards.tsx';
import { TableGrid } from './TableGrid.tsx';
import type { Tree } from './TableTree.tsx';

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
  return phone ? <Cards {...props} /> : <TableGrid {...props} />;
}
