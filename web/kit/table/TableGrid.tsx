// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, a table element cannot hold them

import { useId, useMemo, useRef, useState } from 'react';
import { gridTemplate } from './columnWidths.ts';
import type { DataTableProps } from './DataTable.tsx';
import { toggled } from './TableCards.tsx';
import { blanks, Totals } from './TableCells.tsx';
import { TableHead } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import { tableKeys } from './tableKeys.ts';
import { ROW_HEIGHT, useVirtualRows } from './useVirtualRows.ts';

/** Which row is active and which are opened out; going to a row scrolls it into view. */
function useTablePlace<T>(props: DataTableProps<T>) {
  const { rows, rowKey } = props;
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const virtualizer = useVirtualRows(props, box, active);
  const isOpen = (row: T) => opened.has(rowKey(row));
  const go = (to: number) => {
    setActive(to);
    virtualizer.scrollToIndex(to);
  };
  const unfold = (index: number, open: boolean) => {
    const row = rows[index];
    if (row === undefined || open === isOpen(row)) return;
    setOpened(toggled(opened, rowKey(row)));
    if (!open) virtualizer.resizeItem(index, ROW_HEIGHT);
  };
  return { box, active, setActive, isOpen, virtualizer, go, unfold };
}

/** The table of a list on wide screens. */
export function TableGrid<T>(props: DataTableProps<T>) {
  const { rows, rowKey, onSelect, detail, hidden, totals, tree } = props;
  const columns = useMemo(() => props.columns.filter((column) => !hidden?.has(column.key)), [props.columns, hidden]);
  const id = useId();
  const { box, active, setActive, isOpen, virtualizer, ...place } = useTablePlace(props);
  const widths = useMemo(() => gridTemplate(columns, rows, totals), [columns, rows, totals]);
  const template = `${onSelect ? '40px ' : ''}${detail ? '32px ' : ''}${widths}`;
  const table = { ...props, columns };
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
      onKeyDown={tableKeys(props, { active, ...place })}
    >
      <TableHead {...table} template={template} />
      <div role="rowgroup" className="t-body" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TableRow
              key={rowKey(row)}
              {...{ table, row, index, template }}
              id={`${id}-${index}`}
              top={start}
              isActive={index === active}
              isOpen={isOpen(row)}
              onActivate={setActive}
              onUnfold={place.unfold}
              onHeight={virtualizer.resizeItem}
            />
          );
        })}
      </div>
      {totals && <Totals totals={totals} columns={columns} template={template} blanks={blanks(props)} />}
    </div>
  );
}
