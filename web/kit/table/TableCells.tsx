// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, a table element cannot hold them
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one tab stop
import type { ReactNode } from 'react';
import type { Column } from './DataTable.tsx';
import { Fold, type Tree } from './TableTree.tsx';

/** One cell of a list; the first of a tree is indented and folds the children of its row. */
export function Cell<T>({
  column,
  first,
  tree,
  row,
  children,
}: {
  readonly column: Column<T>;
  readonly first: boolean;
  readonly tree?: Tree<T> | undefined;
  readonly row?: T;
  readonly children: ReactNode;
}) {
  const look = column.numeric ? 't-cell num' : column.code ? 't-cell code' : 't-cell';
  return (
    <div role="gridcell" className={look} data-first={first || undefined} data-strong={column.strong || undefined}>
      {first && tree && row !== undefined && <Fold tree={tree} row={row} />}
      <span>{children}</span>
    </div>
  );
}

/** The tick that selects a row. */
export function Tick({ label, checked, onChange }: { label: string; checked: boolean; onChange(): void }) {
  return (
    <div role="gridcell" className="t-cell">
      <input
        type="checkbox"
        className="box"
        tabIndex={-1}
        aria-label={label}
        checked={checked}
        onClick={(event) => event.stopPropagation()}
        onChange={onChange}
      />
    </div>
  );
}

/** The narrow columns before the first, by name. */
export const blanks = ({ onSelect, detail }: { readonly onSelect?: unknown; readonly detail?: unknown }) => [
  ...(onSelect ? ['select'] : []),
  ...(detail ? ['detail'] : []),
];

/** The row under a list with its sums. */
export function Totals<T>({
  totals,
  columns,
  template,
  blanks,
}: {
  readonly totals: Readonly<Record<string, ReactNode>>;
  readonly columns: readonly Column<T>[];
  readonly template: string;
  readonly blanks: readonly string[];
}) {
  return (
    <div role="rowgroup" className="t-foot">
      <div role="row" className="t-row" style={{ gridTemplateColumns: template }}>
        {blanks.map((key) => (
          <Cell key={key} column={{ key, label: '', cell: () => null }} first={false}>
            {null}
          </Cell>
        ))}
        {columns.map((column, at) => (
          <Cell key={column.key} column={column} first={at === 0}>
            {totals[column.key]}
          </Cell>
        ))}
      </div>
    </div>
  );
}
