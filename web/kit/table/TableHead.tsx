// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, a table element cannot hold them
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one tab stop

import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { t } from '../text.ts';
import type { Column, DataTableProps } from './DataTable.tsx';

interface HeadProps<T> extends DataTableProps<T> {
  readonly template: string;
}

/** The names of the columns; those that can be sorted by are buttons. */
export function TableHead<T>(props: HeadProps<T>) {
  const { columns, onSelect, detail, template } = props;
  return (
    <div role="rowgroup" className="t-head">
      <div role="row" className="t-row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {onSelect && <SelectAll {...props} onSelect={onSelect} />}
        {detail && (
          <div role="columnheader" className="t-cell">
            <span className="hidden-text">{t('Details')}</span>
          </div>
        )}
        {columns.map((column, at) => (
          <Heading key={column.key} {...props} column={column} first={at === 0} />
        ))}
      </div>
    </div>
  );
}

type SelectAllProps<T> = Pick<DataTableProps<T>, 'rows' | 'rowKey' | 'selected'> & {
  onSelect(selected: ReadonlySet<string>): void;
};

function SelectAll<T>({ rows, rowKey, selected, onSelect }: SelectAllProps<T>) {
  const all = rows.length > 0 && rows.every((row) => selected?.has(rowKey(row)));
  return (
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
  );
}

type HeadingProps<T> = Pick<DataTableProps<T>, 'sort' | 'onSort'> & {
  readonly column: Column<T>;
  readonly first: boolean;
};

function Heading<T>({ column, first, sort, onSort }: HeadingProps<T>) {
  const sorted = sort?.key === column.key ? sort : null;
  const order = sorted ? (sorted.descending ? 'descending' : 'ascending') : undefined;
  return (
    <div
      role="columnheader"
      className={column.numeric ? 't-cell num' : 't-cell'}
      data-first={first || undefined}
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
}
