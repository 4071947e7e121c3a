// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, a table element cannot hold them
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles Enter for its active row
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one tab stop

import { t } from '../text.ts';
import type { DataTableProps } from './DataTable.tsx';
import { toggled } from './TableCards.tsx';
import { Cell, Tick } from './TableCells.tsx';
import { Expander, TableDetail } from './TableDetail.tsx';
import { ROW_HEIGHT } from './useVirtualRows.ts';

interface RowProps<T> {
  /** The table, with the columns that are shown. */
  readonly table: DataTableProps<T>;
  readonly row: T;
  readonly id: string;
  readonly index: number;
  /** Pixels from the top of the rows. */
  readonly top: number;
  readonly template: string;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  onActivate(index: number): void;
  onUnfold(index: number, open: boolean): void;
  /** Gets the height of the row with what it shows below itself. */
  onHeight(index: number, height: number): void;
}

/** One row of a table, and what it shows below itself when it is opened out. */
export function TableRow<T>(props: RowProps<T>) {
  const { table, row, index, top, onActivate } = props;
  const { rowKey, selected, onSelect, onOpen, detail, tree } = table;
  const isSelected = selected?.has(rowKey(row)) ?? false;
  return (
    <>
      <div
        id={props.id}
        role="row"
        className="t-row"
        aria-rowindex={index + 2}
        aria-level={tree && tree.level(row) + 1}
        aria-expanded={tree?.isOpen(row)}
        aria-selected={onSelect ? isSelected : undefined}
        data-active={props.isActive || undefined}
        style={{ gridTemplateColumns: props.template, transform: `translateY(${top}px)` }}
        onClick={() => onActivate(index)}
        onDoubleClick={() => onOpen?.(row)}
      >
        {onSelect && (
          <Tick
            label={t('Select row {{index}}', { index: index + 1 })}
            checked={isSelected}
            onChange={() => onSelect(toggled(selected ?? new Set(), rowKey(row)))}
          />
        )}
        {detail && <Expander row={index + 1} open={props.isOpen} onOpen={(open) => props.onUnfold(index, open)} />}
        <Cells table={table} row={row} />
      </div>
      {detail && props.isOpen && (
        <TableDetail top={top + ROW_HEIGHT} onHeight={(height) => props.onHeight(index, ROW_HEIGHT + height)}>
          {detail(row)}
        </TableDetail>
      )}
    </>
  );
}

/** The cells of a row; the first one is a link where the row opens. */
function Cells<T>({ table, row }: { readonly table: DataTableProps<T>; readonly row: T }) {
  const { columns, onOpen, opens, tree } = table;
  const isLink = (at: number) => at === 0 && (opens?.(row) ?? true);
  return columns.map((column, at) => (
    <Cell key={column.key} column={column} first={at === 0} tree={tree} row={row}>
      {onOpen && isLink(at) ? (
        <button type="button" className="link" tabIndex={-1} onClick={() => onOpen(row)}>
          {column.cell(row)}
        </button>
      ) : (
        column.cell(row)
      )}
    </Cell>
  ));
}
